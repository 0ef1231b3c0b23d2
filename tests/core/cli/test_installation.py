"""The command doctor, as a program and called here."""

import json

import pytest

from core.cli import doctor
from tests.core.cli.program import called, run


def test_doctor_tells_what_is_installed() -> None:
    done = run("doctor", "--json")
    told = json.loads(done.stdout)
    assert done.returncode == (0 if told["ok"] else 2)
    assert told["ok"] == all(check["ok"] for check in told["checks"])
    assert {"Python", "numpy", "torch", "MTCNN weights pnet"} <= {check["what"] for check in told["checks"]}
    assert all(set(check) == {"what", "found", "ok"} for check in told["checks"])


def test_doctor_tells_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "packages", lambda: ["no-such-package"])
    done = called("doctor")
    assert done.returncode == 2
    assert "MISSING no-such-package: not installed" in done.stdout
    assert done.stderr.count("\n") == 1
