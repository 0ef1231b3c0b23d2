"""Files are known again by what is in them."""

from pathlib import Path

import pytest

from core.formats import content
from core.formats.content import content_key


def test_the_content_key_is_the_files_sha256(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"abc")
    assert content_key(tmp_path / "a") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"


def test_large_files_are_told_apart_by_size_and_blocks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(content, "WHOLE_FILE", 1000)
    monkeypatch.setattr(content, "BLOCK", 100)
    contents = [bytes(5000), bytes(5001), b"1" + bytes(4999), bytes(4999) + b"1", bytes(2550) + b"1" + bytes(2449)]
    keys = []
    for k, written in enumerate(contents):
        (tmp_path / str(k)).write_bytes(written)
        keys.append(content_key(tmp_path / str(k)))
    assert len(set(keys)) == 5
