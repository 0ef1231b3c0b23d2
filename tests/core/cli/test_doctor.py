"""What is installed is found; what is not is said to be missing."""

import importlib.metadata
from dataclasses import replace
from pathlib import Path

import pytest

from core.cli import doctor
from core.cli.doctor import Check, examine
from core.media.faces.registry import DETECTORS, EMBEDDER, EMBEDDERS
from core.media.screen.registry import READERS
from core.media.speech.whisper import known_files

ROWS = [*EMBEDDERS.values(), *DETECTORS.values(), *READERS.values()]


def found(what: str) -> Check:
    return next(check for check in examine() if check.what == what)


def test_all_packages_and_weights_are_looked_for() -> None:
    checks = {check.what: check for check in examine()}
    weights = {file.what for row in ROWS for file in row.weights} | {file.what for file in known_files()}
    languages = {"English names", "German names", "French names"}
    assert {"Python", "computes on", *weights, *languages, *doctor.packages()} == set(checks)
    assert {"numpy", "torch", "streamlit"} < set(doctor.packages())
    assert checks["numpy"] == Check("numpy", importlib.metadata.version("numpy"), True)
    assert all(check.ok for check in checks.values())


def test_a_missing_package_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "packages", lambda: ["no-such-package"])
    assert found("no-such-package") == Check("no-such-package", "not installed", False)


def test_missing_and_other_weights_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    row = EMBEDDERS[EMBEDDER]
    (file,) = row.weights
    monkeypatch.setattr(row, "weights", (replace(file, place=lambda: None),))
    assert not found(file.what).ok
    assert "not installed" in found(file.what).found
    (tmp_path / "graph.pb").write_bytes(b"other weights")
    monkeypatch.setattr(row, "weights", (replace(file, place=lambda: tmp_path / "graph.pb"),))
    assert not found(file.what).ok
    assert "not the known" in found(file.what).found
