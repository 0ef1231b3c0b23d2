"""Requests travel as JSON and come back as they were; what is no request is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from core.errors import BadInput
from core.jobs.requests import (
    CompareMethods,
    IngestMpii,
    IngestMvad,
    IngestPictures,
    IngestProblem,
    IngestVideo,
    Request,
    RunMethod,
    decode,
    encode,
)

FILM = Path('/films/Größe "1".mp4')
ALL = [
    IngestVideo(FILM, Path("a.srt"), Path("cast.txt"), Path("people"), False, 2.5, 1.0, "Zoë"),
    IngestVideo(FILM, per_shot=True),
    IngestVideo(FILM, screen=False, speech=True, model=Path("model")),
    IngestPictures(Path("album"), Path("table.csv"), who="Eva"),
    IngestProblem(Path("a.npz")),
    IngestMvad(Path("a.json"), Path("f.npy"), Path("c.csv")),
    IngestMpii(Path("a.csv"), Path("faces")),
    RunMethod("dbgae", 3, True),
    CompareMethods(("ipal", "sure"), 1),
]


@pytest.mark.parametrize("request_", ALL, ids=lambda one: type(one).__name__)
def test_a_request_comes_back_as_it_was(request_: Request) -> None:
    assert decode(json.loads(json.dumps(encode(request_)))) == request_


def test_a_whole_number_of_seconds_is_a_number_of_seconds() -> None:
    found = decode(encode(IngestVideo(FILM)) | {"every": 2})
    assert isinstance(found, IngestVideo)
    assert (found.every, type(found.every)) == (2.0, float)


@pytest.mark.parametrize(
    "values",
    [
        None,
        "RunMethod",
        ["run", "--project", "p"],
        {},
        {"request": "RunMethod"},
        {"request": ["RunMethod"]},
        encode(RunMethod()) | {"request": "Path"},
        encode(RunMethod()) | {"more": 1},
        encode(RunMethod()) | {"seed": "1"},
        encode(RunMethod()) | {"seed": True},
        encode(RunMethod()) | {"cold": 1},
        encode(RunMethod()) | {"method": None},
        encode(CompareMethods()) | {"methods": "rollcall"},
        encode(CompareMethods()) | {"methods": ["rollcall", 1]},
        encode(IngestVideo(FILM)) | {"video": None},
        encode(IngestVideo(FILM)) | {"every": "2"},
        encode(IngestVideo(FILM)) | {"captions": 3},
    ],
)
def test_anything_else_is_refused_in_one_sentence(values: Any) -> None:
    with pytest.raises(BadInput, match="start it anew"):
        decode(values)
