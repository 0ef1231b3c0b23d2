"""A file of weights is read if it is the known one; any other, or none, is one sentence, and no package is imported."""

import hashlib
import sys
from pathlib import Path

import pytest

from core.errors import BadInput
from core.media.faces.known_file import KnownFile, in_package

CONTENT = b"weights"


def known(path: Path | None) -> KnownFile:
    return KnownFile("toy weights", "package toys 1.0", hashlib.sha256(CONTENT).hexdigest(), lambda: path)


def test_the_known_file_is_read(tmp_path: Path) -> None:
    (tmp_path / "toy.pt").write_bytes(CONTENT)
    assert known(tmp_path / "toy.pt").read() == CONTENT


def test_a_missing_file_is_one_sentence(tmp_path: Path) -> None:
    for path in (None, tmp_path / "none.pt", tmp_path):
        with pytest.raises(BadInput, match=r"^the toy weights \(package toys 1.0\) are not installed; run `make setup`$"):
            known(path).read()


def test_another_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "toy.pt").write_bytes(CONTENT + b"!")
    with pytest.raises(BadInput, match=r"toy.pt: not the known toy weights \(sha256 .{12}…\); remove .venv"):
        known(tmp_path / "toy.pt").read()


def test_a_package_is_found_and_not_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "pretended_weights").mkdir()
    (tmp_path / "pretended_weights" / "__init__.py").write_text("raise RuntimeError('imported')")
    monkeypatch.syspath_prepend(tmp_path)
    assert in_package("pretended_weights", "data/a.pt") == tmp_path / "pretended_weights" / "data" / "a.pt"
    assert "pretended_weights" not in sys.modules
    assert in_package("no_such_package", "a.pt") is None
