"""What is installed is found; what is not is said to be missing."""

import importlib.metadata
import sys
from pathlib import Path

import pytest

from core import doctor
from core.doctor import Check, examine


def found(what: str) -> Check:
    return next(check for check in examine() if check.what == what)


def test_all_packages_are_looked_for() -> None:
    checks = {check.what: check for check in examine()}
    assert {"Python", "computes on", "FaceNet weights", *doctor.PACKAGES} == set(checks)
    assert checks["numpy"] == Check("numpy", importlib.metadata.version("numpy"), True)
    assert checks["Python"].ok
    assert checks["computes on"].ok


def test_a_missing_package_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "PACKAGES", ("no-such-package",))
    assert found("no-such-package") == Check("no-such-package", "not installed", False)


def test_missing_weights_are_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "WEIGHTS_PACKAGE", "no_such_package")
    assert doctor.weights_path() is None
    check = found("FaceNet weights")
    assert not check.ok
    assert "not installed" in check.found


def test_other_weights_are_not_taken_and_nothing_is_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "pretended_weights"
    package.mkdir()
    (package / "__init__.py").write_text("raise RuntimeError('imported')")
    (package / doctor.WEIGHTS_FILE).write_bytes(b"other weights")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(doctor, "WEIGHTS_PACKAGE", "pretended_weights")
    assert doctor.weights_path() == package / doctor.WEIGHTS_FILE
    check = found("FaceNet weights")
    assert not check.ok
    assert "not the known file" in check.found
    assert "pretended_weights" not in sys.modules
