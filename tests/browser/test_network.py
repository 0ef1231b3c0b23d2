"""What the network can do to a running app: which addresses, hosts and origins it answers, and how much it takes in."""

from __future__ import annotations

import re
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import Request as Asked
from urllib.request import urlopen

import pytest
from playwright.sync_api import Browser, Request, expect

from core.store.first_start import MARK
from tests.browser.conftest import ROOT, Watched, serve

EVIL = "evil.example"


@pytest.fixture(scope="module")
def app(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("projects")
    (folder / MARK).touch()
    with serve(ROOT / "streamlit_app.py", {"ROLLCALL_PROJECTS": str(folder)}, ["--server.maxUploadSize", "1"]) as address:
        yield address


def shake_hands(address: str, host: str, origin: str) -> int:
    """Asks for a websocket; gives the status of the answer: 101 means welcome."""
    place = urlsplit(address)
    headers = {
        "Host": host,
        "Origin": origin,
        "Upgrade": "websocket",
        "Connection": "Upgrade",
        "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
        "Sec-WebSocket-Version": "13",
    }
    with socket.create_connection((place.hostname or "", place.port or 0), timeout=10) as line:
        lines = [f"{name}: {value}" for name, value in headers.items() if value]
        line.sendall("\r\n".join(["GET /_stcore/stream HTTP/1.1", *lines, "", ""]).encode())
        return int(line.recv(4096).split()[1])


def test_an_app_that_has_ended_says_so_in_its_own_words(watch: Callable[[], Watched], tmp_path: Path) -> None:
    (tmp_path / MARK).touch()
    page = watch().page
    with serve(ROOT / "streamlit_app.py", {"ROLLCALL_PROJECTS": str(tmp_path)}) as address:
        page.goto(address)
        expect(page.get_by_role("button", name="Make the project")).to_be_disabled()  # the last part of the page
    expect(page.get_by_role("dialog")).to_contain_text("Start it again (make run), and this page goes on by itself.")
    expect(page.get_by_role("dialog")).not_to_contain_text("Internet", ignore_case=True)


def test_nothing_but_this_machine_is_answered(app: str) -> None:
    port = urlsplit(app).port or 0
    with pytest.raises(OSError, match=r"refused|unreachable|timed out|assign"):
        socket.create_connection(("127.0.0.2", port), timeout=2)  # what listens everywhere answers here, too
    with urlopen(Asked(f"{app}/_stcore/health", headers={"Origin": f"https://{EVIL}"}), timeout=10) as answer:
        assert answer.headers["Access-Control-Allow-Origin"] in (None, "http://localhost:8501", app)


def test_pages_of_others_get_no_line_to_the_app(app: str) -> None:
    here = urlsplit(app).netloc
    assert shake_hands(app, here, app) == 101
    assert shake_hands(app, here, f"https://{EVIL}") == 403
    assert shake_hands(app, here, "null") == 403
    port = here.rpartition(":")[2]
    assert shake_hands(app, f"{EVIL}:{port}", f"http://{EVIL}:{port}") == 403  # a name that leads to this machine since now
    assert shake_hands(app, f"{EVIL}:{port}", "") == 403


def test_uploads_need_the_pages_token_and_end_at_the_limit(app: str, watch: Callable[[], Watched], tmp_path: Path) -> None:
    page = watch().page
    page.goto(app)
    file = tmp_path / "cast.txt"
    file.write_text("Anna")
    sent: list[Request] = []
    page.on("request", lambda request: sent.append(request) if request.method == "PUT" else None)
    page.locator('[class*="st-key-new-files-"] input[type="file"]').set_input_files([str(file)])
    expect(page.get_by_text(re.compile("captions alone are not enough"))).to_be_visible()
    url = sent[0].url
    token = sent[0].all_headers()["x-xsrftoken"]

    def put(size: int, **headers: str) -> int:
        content = {"name": "x.txt", "mimeType": "text/plain", "buffer": b"x" * size}
        return page.request.put(url, multipart={"file": content}, headers=headers).status

    assert put(1000, **{"X-Xsrftoken": token}) == 204
    assert put(1000) == 403
    assert put(1000, **{"X-Xsrftoken": "another"}) == 403
    assert put(1_500_000, **{"X-Xsrftoken": token}) == 413
