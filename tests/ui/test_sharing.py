"""What may be served: refused at the start, and again at every visit."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import streamlit as st
from streamlit import config
from streamlit.testing.v1 import AppTest

from ui import sharing

ROOT = Path(__file__).resolve().parents[2]
AUTH = {
    "redirect_uri": "https://rollcall.example.org/oauth2callback",
    "cookie_secret": "thirty-two characters or more of a secret",
    "client_id": "rollcall",
    "client_secret": "of the client",
    "server_metadata_url": "https://provider.example.org/.well-known/openid-configuration",
}


@pytest.fixture
def option(monkeypatch: pytest.MonkeyPatch) -> dict[str, object]:
    """Options that differ from the ones in .streamlit/config.toml."""
    changed: dict[str, object] = {}
    before = config.get_option
    monkeypatch.setattr(st, "get_option", lambda key: changed[key] if key in changed else before(key))
    return changed


@pytest.fixture
def secrets(option: dict[str, object], tmp_path: Path) -> Path:
    option["secrets.files"] = [str(tmp_path / "secrets.toml")]
    return tmp_path / "secrets.toml"


def log_in_with(monkeypatch: pytest.MonkeyPatch, **auth: str) -> None:
    class Secrets(dict[str, dict[str, str]]):
        def load_if_toml_exists(self) -> bool:
            return True

    monkeypatch.setattr(st, "secrets", Secrets(auth=auth))


def test_as_it_comes_the_app_is_for_this_machine_alone_and_safe() -> None:
    assert st.get_option("server.address") == "127.0.0.1"
    assert sharing.beyond_localhost() == ""
    assert not sharing.login_on()
    assert sharing.unsafe() == ""
    assert st.get_option("client.showErrorLinks") == "false"  # a message may hold names


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("server.enableCORS", False),
        ("server.enableXsrfProtection", False),
        ("global.developmentMode", True),
        ("server.enableAgentApi", True),
        ("server.trustedUserHeaders", {"X-User": "email"}),
        ("server.allowedHosts", []),
        ("server.allowedHosts", ["*"]),
        ("server.allowedHosts", ["*.example.org"]),
    ],
)
def test_no_protection_can_be_turned_off(option: dict[str, object], key: str, value: object) -> None:
    option[key] = value
    assert sharing.unsafe().startswith(key)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("server.address", "0.0.0.0"),
        ("server.address", "::"),
        ("server.address", "192.168.1.7"),
        ("server.address", None),
        ("server.address", "127.evil.example"),
        ("server.allowedHosts", ["localhost", "rollcall.example.org"]),
        ("server.corsAllowedOrigins", ["https://rollcall.example.org"]),
    ],
)
def test_beyond_this_machine_only_with_a_login_or_when_told_in_words(
    option: dict[str, object], monkeypatch: pytest.MonkeyPatch, key: str, value: object
) -> None:
    option[key] = value
    said = sharing.unsafe()
    assert said.startswith(key)
    assert "there is no login" in said
    monkeypatch.setenv(sharing.TOLD, "yes")
    assert sharing.unsafe() == said
    monkeypatch.setenv(sharing.TOLD, sharing.WORDS)
    assert sharing.unsafe() == ""
    monkeypatch.delenv(sharing.TOLD)
    log_in_with(monkeypatch, **AUTH)
    assert sharing.unsafe() == ""


@pytest.mark.parametrize("address", ["127.0.0.1", "127.8.0.1", "::1", "localhost"])
def test_this_machine_has_many_names(option: dict[str, object], address: str) -> None:
    option["server.address"] = address
    assert sharing.beyond_localhost() == ""


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"client_secret": ""}, "lacks client_secret"),
        ({"cookie_secret": "short"}, "under 32 characters"),
        ({"redirect_uri": "http://rollcall.example.org/oauth2callback"}, "redirect_uri"),
        ({"server_metadata_url": "http://provider.example.org/"}, "server_metadata_url"),
    ],
)
def test_a_login_that_is_no_login_is_refused(monkeypatch: pytest.MonkeyPatch, changed: dict[str, str], said: str) -> None:
    log_in_with(monkeypatch, **(AUTH | changed))
    assert said in sharing.unsafe()


def test_secrets_that_cannot_be_read_never_mean_that_nobody_need_log_in(secrets: Path) -> None:
    secrets.write_text("[auth\nclient_id = 1")
    assert "cannot be read" in sharing.unsafe()


@pytest.mark.parametrize("flags", [["--server.address", "0.0.0.0"], ["--server.enableCORS", "false"]])
def test_what_is_not_safe_does_not_start(flags: list[str]) -> None:
    command = [sys.executable, "-m", "ui", "--server.headless", "true", "--server.port", "0", *flags]
    around = {key: value for key, value in os.environ.items() if key != sharing.TOLD}
    ended = subprocess.run(command, cwd=ROOT, env=around, capture_output=True, text=True, timeout=60)
    assert ended.returncode == 2
    assert ended.stderr.splitlines()[-1].startswith(f"rollcall: {flags[0].strip('-')} is ")
    assert "Traceback" not in ended.stderr
    assert "You can now view" not in ended.stdout


def test_what_started_all_the_same_serves_nothing(option: dict[str, object], capfd: pytest.CaptureFixture[str]) -> None:
    option["server.address"] = "0.0.0.0"
    app = AppTest.from_file(str(ROOT / "streamlit_app.py"), default_timeout=60).run()
    assert not app.exception
    assert [title.value for title in app.header] == ["Rollcall is not served like this"]
    assert "there is no login" in app.text[0].value
    assert not app.button
    assert "server.address is 0.0.0.0" in capfd.readouterr().err
