"""Messages as bytes: the length of a line of JSON, that line, and the files that belong to it, one behind the other.

Nothing in it can be run: ``decode`` takes only the records of ``messages.py``, with fields of their types.
"""

from __future__ import annotations

import json
import struct
from dataclasses import fields
from typing import Any, get_args, get_type_hints

from core.errors import BadInput
from core.jobs.archive.messages import WRONG, Answer, Files, Message, Names, Spans, Task

HEAD = struct.Struct("<Q")
KINDS: dict[str, type[Message]] = {kind.__name__: kind for kind in (*get_args(Task), *get_args(Answer))}


def encode(message: Message) -> bytes:
    """The message as bytes."""
    plain: dict[str, Any] = {"message": type(message).__name__}
    blobs: list[bytes] = []
    for field in fields(message):
        value = getattr(message, field.name)
        if isinstance(value, bytes):
            plain[field.name], blobs = len(value), [*blobs, value]
        elif isinstance(value, tuple) and value and isinstance(value[0], bytes):
            plain[field.name], blobs = [len(one) for one in value], [*blobs, *value]
        else:
            plain[field.name] = value
    head = json.dumps(plain).encode()
    return b"".join([HEAD.pack(len(head)), head, *blobs])


def decode(data: bytes | memoryview) -> Message:
    """The message that ``encode`` made these bytes of; refuses anything else."""
    try:
        view = memoryview(data).cast("B")
        (length,) = HEAD.unpack_from(view)
        plain = json.loads(bytes(view[HEAD.size : HEAD.size + length]))
        made = KINDS[plain.pop("message")]
        types = get_type_hints(made)
        if set(plain) != set(types):
            raise ValueError(WRONG)
        reader = _Blobs(view, HEAD.size + length)
        message = made(**{name: _value(plain[name], wanted, reader) for name, wanted in types.items()})
        reader.check_end()
    except (ValueError, KeyError, TypeError, AttributeError, struct.error, RecursionError) as error:
        raise BadInput(WRONG) from error
    return message


class _Blobs:
    def __init__(self, view: memoryview, start: int) -> None:
        self.view, self.at = view, start

    def take(self, size: Any) -> bytes:
        if type(size) is not int or not 0 <= size <= len(self.view) - self.at:
            raise ValueError(WRONG)
        self.at += size
        return bytes(self.view[self.at - size : self.at])

    def check_end(self) -> None:
        if self.at != len(self.view):
            raise ValueError(WRONG)


def _value(value: Any, wanted: Any, blobs: _Blobs) -> Any:
    """A value as a field's type asks for it."""
    if wanted is bytes:
        return blobs.take(value)
    if wanted == Files:
        return tuple(blobs.take(size) for size in value)
    if wanted == Names and all(type(one) is str for one in value):
        return tuple(value)
    if wanted == Spans:
        return tuple(_span(one) for one in value)
    if wanted == tuple[float, float]:
        return _span(value)
    if wanted is float and type(value) in (int, float):
        return float(value)
    if type(value) is wanted:
        return value
    raise ValueError(WRONG)


def _span(value: Any) -> tuple[float, float]:
    start, stop = value
    return float(start), float(stop)
