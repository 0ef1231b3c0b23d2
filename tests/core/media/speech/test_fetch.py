"""The model that listens is taken out of two packages: whole, known, or not at all."""

import hashlib
import zipfile
from pathlib import Path

import pytest

from core.errors import BadInput
from core.media.speech import fetch
from core.media.speech.fetch import WITHIN, joined


@pytest.fixture
def wheels(tmp_path: Path) -> list[Path]:
    found = []
    for number in (1, 2):
        found.append(tmp_path / f"part{number}.whl")
        with zipfile.ZipFile(found[-1], "w") as archive:
            archive.writestr("anything.py", "raise SystemExit")
            for name in {part for parts in WITHIN.values() for part in parts}:
                if f"part{number}/" in name:
                    archive.writestr(name, name)
    return found


def test_the_halves_are_joined_and_checked(wheels: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    whole = {name: "".join(parts).encode() for name, parts in WITHIN.items()}
    known = {name: hashlib.sha256(content).hexdigest() for name, content in whole.items()}
    monkeypatch.setattr(fetch, "FILES", known)
    assert joined(wheels) == whole
    monkeypatch.setattr(fetch, "FILES", {**known, "model.bin": "0" * 64})
    with pytest.raises(BadInput, match=r"model\.bin .* not the known file"):
        joined(wheels)


def test_a_part_that_is_missing_or_damaged_is_told(wheels: list[Path]) -> None:
    with pytest.raises(BadInput, match="lack"):
        joined(wheels[:1])
    wheels[1].write_bytes(b"PK\x03\x04 no zip")
    with pytest.raises(BadInput, match="make speech"):
        joined(wheels)


def test_what_is_there_is_not_fetched_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetch, "_downloaded", lambda place: pytest.fail("it is there already"))
    assert fetch.fetch() is False
