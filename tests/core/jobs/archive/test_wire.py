"""Messages come out as they went in, and nothing else comes out."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import BadInput
from core.jobs.archive import wire
from core.jobs.archive.messages import Asked, Idle, Kept, Look, Looked, Message, Scanned, Wrong
from core.jobs.archive.wire import HEAD

EXAMPLES: tuple[Message, ...] = (
    Look("/films/ä.mp4", 3, "k", "c", 1, (0.0, 600.0), ((1.0, 2.5), (3.0, 4.0)), True, "t.npz", b"timeline"),
    Looked("kind", ("a", "b"), (b"one", b"")),
    Looked("kind", (), ()),
    Scanned("kind", "c", 2.0, (), ("t",), (b"x" * 1000,)),
    Asked(3, 7, "[]", b"problem"),
    Kept("named 4 of 4 faces", False),
    Idle(0.5, b""),
    Wrong("film", "no"),
)


@pytest.mark.parametrize("message", EXAMPLES, ids=lambda message: type(message).__name__)
def test_a_message_comes_out_as_it_went_in(message: Message) -> None:
    assert wire.decode(wire.encode(message)) == message


@given(st.binary(max_size=200))
def test_anything_else_is_refused(data: bytes) -> None:
    with pytest.raises(BadInput):
        wire.decode(data)


@pytest.mark.parametrize(
    "head",
    [
        {"message": "Popen", "args": "sh"},
        {"message": "Kept", "text": "", "changed": 1},
        {"message": "Kept", "text": ""},
        {"message": "Idle", "seconds": 1, "fill": 10},
        {"message": "Idle", "seconds": 1, "fill": -1},
        {"message": "Looked", "kind": "", "names": [1], "files": []},
        [1, 2],
    ],
)
def test_fields_have_their_types(head: object) -> None:
    text = json.dumps(head).encode()
    with pytest.raises(BadInput):
        wire.decode(HEAD.pack(len(text)) + text)


def test_what_is_cut_short_or_too_long_is_refused() -> None:
    whole = wire.encode(EXAMPLES[0])
    for data in (whole[:-1], whole + b"x"):
        with pytest.raises(BadInput):
            wire.decode(data)
