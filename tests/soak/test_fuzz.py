"""Hundreds of damaged files, each read to an answer or to one sentence."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import BadInput
from tests.soak.fuzz import fuzz
from tests.soak.readers import READERS, inputs
from tests.soak.strategies import SOURCES

BROKE = Path(__file__).parent / "broke"  # small files that once did harm, each called READER-what.suffix
MANY = 4


@pytest.mark.parametrize(("source", "readers"), [("mutated", list(READERS)), ("hypothesis", list(SOURCES))])
def test_no_damaged_file_does_harm(source: str, readers: list[str], tmp_path: Path) -> None:
    tallies = fuzz(readers, MANY if source == "mutated" else MANY // 4, seed=7, source=source, keep=tmp_path)
    assert [wrong for tally in tallies.values() for wrong in tally.wrong] == []
    for reader, tally in tallies.items():
        assert source == "hypothesis" or tally.tried == inputs(READERS[reader], MANY)
        assert tally.tried > 0


@pytest.mark.parametrize("path", sorted(BROKE.iterdir()), ids=lambda path: path.name)
def test_what_once_did_harm_does_none(path: Path, tmp_path: Path) -> None:
    reader = READERS[next(name for name in sorted(READERS, key=len, reverse=True) if path.name.startswith(name))]
    file = tmp_path / reader.file
    file.write_bytes(path.read_bytes())
    try:
        reader.use(file, tmp_path)
    except BadInput as error:
        said = str(error)
    else:
        said = "it was read"
    assert said
    assert "\n" not in said
