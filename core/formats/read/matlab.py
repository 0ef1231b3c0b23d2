"""MATLAB's files of version 4, 5 and 7, read without any native code: tables of numbers, dense or sparse, and nothing else.

SciPy's reader follows lengths and offsets of a damaged file out of its own memory and takes the whole process down. Here
every length is checked against what is really there, and nothing is unpacked without a limit.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from math import prod
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from core.errors import BadInput
from core.formats.read.arrays import most_unpacked

HEADER = 128  # bytes before the first element of version 5
MATRIX, COMPRESSED = 14, 15
STORED = {1: "i1", 2: "u1", 3: "i2", 4: "u2", 5: "i4", 6: "u4", 7: "f4", 9: "f8", 12: "i8", 13: "u8"}
SPARSE = 5
NUMBERS = {6: "f8", 7: "f4", 8: "i1", 9: "u1", 10: "i2", 11: "u2", 12: "i4", 13: "u4", 14: "i8", 15: "u8"}
STORED_4 = ("f8", "f4", "i4", "i2", "u2", "u1")
COMPLEX = 0x0800
MOST_VALUES = 1 << 26  # of a table: half a gigabyte
TOO_LARGE = "a variable in it is larger than {} MB unpacked; leave it out, or save the file again without packing it"

Table = NDArray[Any]
Order = Literal["<", ">"]  # of the bytes of a number


class Damaged(Exception):
    """The file contradicts itself."""


def tables(content: bytes, wanted: Collection[str]) -> dict[str, Table]:
    """The ``wanted`` tables that are in a file; other variables are skipped, whatever they are."""
    try:
        if content.startswith(b"MATLAB 7.3") or content[512:516] == b"\x89HDF":
            raise BadInput("this is a MATLAB 7.3 file, which is not read; save it with -v7")
        if len(content) > HEADER and content[126:128] in (b"IM", b"MI"):
            return _version_5(content, wanted)
        return _version_4(content, wanted)
    except (Damaged, struct.error) as error:
        raise BadInput("this is not a readable .mat file, or it was cut short; save it again with -v7") from error


# --- Version 5 and 7 ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Element:
    kind: int
    data: memoryview


def _version_5(content: bytes, wanted: Collection[str]) -> dict[str, Table]:
    order: Order = "<" if content[126:128] == b"IM" else ">"
    found: dict[str, Table] = {}
    for element in _elements(memoryview(content)[HEADER:], order):
        if element.kind == COMPRESSED:
            inside = _unpacked(element.data, order)
            element = next(_elements(inside, order), _Element(0, inside))
        if element.kind == MATRIX:
            found |= _matrix(element.data, order, wanted)
    return found


def _elements(data: memoryview, order: Order) -> Iterator[_Element]:
    at = 0
    while len(data) - at >= 8:
        kind, size = struct.unpack_from(f"{order}II", data, at)
        if kind >> 16:  # a small one: length and type share the first word, the data is the second
            kind, size = kind & 0xFFFF, kind >> 16
            if size > 4:
                raise Damaged
            yield _Element(kind, data[at + 4 : at + 4 + size])
            at += 8
            continue
        at += 8
        if size > len(data) - at:
            raise Damaged
        yield _Element(kind, data[at : at + size])
        at += size if kind == COMPRESSED else -(-size // 8) * 8


def _unpacked(data: memoryview, order: Order) -> memoryview:
    """A packed variable; how large it says it is, is looked at before the rest of it is unpacked."""
    most = min(8 * MOST_VALUES, most_unpacked(len(data)))
    try:
        unpacker = zlib.decompressobj()
        tag = unpacker.decompress(data, 8)
        if struct.unpack(f"{order}II", tag)[1] > most:
            raise BadInput(TOO_LARGE.format(most >> 20))
        inside = tag + unpacker.decompress(unpacker.unconsumed_tail, most)
    except zlib.error as error:
        raise Damaged from error
    if unpacker.unconsumed_tail:
        raise BadInput(TOO_LARGE.format(most >> 20))
    if not unpacker.eof:
        raise Damaged
    return memoryview(inside)


def _matrix(data: memoryview, order: Order, wanted: Collection[str]) -> dict[str, Table]:
    parts = _elements(data, order)
    flags, sizes, called = (next(parts, _Element(0, data[:0])) for _ in range(3))
    name = bytes(called.data).decode("ascii", errors="replace")
    if name not in wanted:
        return {}
    if len(flags.data) != 8 or sizes.kind != 5:
        raise Damaged
    about, _ = struct.unpack(f"{order}II", flags.data)
    shape = tuple(int(size) for size in _numbers(sizes, order))
    kind = about & 0xFF
    if kind != SPARSE and kind not in NUMBERS:
        raise BadInput(f"the array {name!r} holds no numbers; save it as a table of numbers")
    if about & COMPLEX:
        raise BadInput(f"the array {name!r} holds complex numbers; save it as a table of plain numbers")
    _check_shape(name, shape)
    if kind == SPARSE:
        rows, starts, values = (_numbers(next(parts, _Element(0, data[:0])), order) for _ in range(3))
        return {name: _sparse(shape, rows, starts, values)}
    values = _numbers(next(parts, _Element(0, data[:0])), order)
    with np.errstate(invalid="ignore"):  # a damaged table may claim that its fractions are whole numbers
        return {name: _dense(values.astype(NUMBERS[kind]), shape)}


def _numbers(element: _Element, order: Order) -> Table:
    stored = STORED.get(element.kind)
    if stored is None or len(element.data) % int(stored[1]):
        raise Damaged
    return np.frombuffer(element.data, np.dtype(stored).newbyteorder(order))


def _check_shape(name: str, shape: tuple[int, ...]) -> None:
    if len(shape) < 2 or min(shape) < 0:
        raise Damaged
    if prod(shape) > MOST_VALUES:
        sides = " × ".join(map(str, shape[:4]))
        raise BadInput(f"the array {name!r} would have {sides} values, which is too many; give a smaller table")


def _dense(values: Table, shape: tuple[int, ...]) -> Table:
    if len(values) != prod(shape):
        raise Damaged
    return values.reshape(shape, order="F")


def _sparse(shape: tuple[int, ...], rows: Table, starts: Table, values: Table) -> Table:
    """A table from compressed columns, each pointer checked before it is followed."""
    if len(shape) != 2 or len(starts) != shape[1] + 1 or rows.dtype.kind == "f" or starts.dtype.kind == "f":
        raise Damaged
    starts = starts.astype(np.int64)
    many = int(starts[-1])
    if starts[0] != 0 or (np.diff(starts) < 0).any() or many > min(len(rows), len(values)):
        raise Damaged
    if 8 * prod(shape) > most_unpacked(8 * many):
        raise BadInput(f"a sparse table of {shape[0]} × {shape[1]} holds only {many} values; leave out what is empty")
    rows = rows[:many].astype(np.int64)
    if many and (rows.min() < 0 or rows.max() >= shape[0]):
        raise BadInput("a sparse table points outside itself, the file is damaged; save it again")
    table = np.zeros(shape, values.dtype.newbyteorder("="), order="F")
    np.add.at(table, (rows, np.repeat(np.arange(shape[1]), np.diff(starts))), values[:many])
    return table


# --- Version 4 ---------------------------------------------------------------------------------------------------------


def _version_4(content: bytes, wanted: Collection[str]) -> dict[str, Table]:
    data, at = memoryview(content), 0
    found: dict[str, Table] = {}
    order: Order = "<" if len(data) >= 4 and struct.unpack_from("<I", data)[0] < 5000 else ">"
    while at < len(data):
        kind, rows, columns, imaginary, length = struct.unpack_from(f"{order}IIIII", data, at)
        code, form = kind // 10 % 10, kind % 10
        if kind >= 5000 or code >= len(STORED_4) or form > 2 or not 0 < length < 1000:
            raise Damaged
        at += 20
        name = bytes(data[at : at + length]).rstrip(b"\0").decode("ascii", errors="replace")
        at += length
        stored = np.dtype(STORED_4[code]).newbyteorder(order)
        size = rows * columns * stored.itemsize
        if size * (2 if imaginary else 1) > len(data) - at:
            raise Damaged
        if name in wanted:
            if form == 1 or imaginary:
                raise BadInput(f"the array {name!r} holds no plain numbers; save it as a table of numbers")
            table = np.frombuffer(data[at : at + size], stored).reshape((rows, columns), order="F")
            found[name] = _triplets(name, table) if form == 2 else table
        at += size * (2 if imaginary else 1)
    return found


def _triplets(name: str, table: Table) -> Table:
    """A sparse table of version 4: rows of row, column and value, counted from 1; the last row tells the shape."""
    if table.ndim != 2 or table.shape[1] != 3:
        raise Damaged
    if not len(table) or not (np.abs(table[:, :2]) < 1 << 62).all():
        raise Damaged
    places = table[:, :2].astype(np.int64)
    shape = (int(places[-1, 0]), int(places[-1, 1]))
    _check_shape(name, shape)
    where = places[:-1] - 1
    if (where < 0).any() or (where >= shape).any():
        raise BadInput("a sparse table points outside itself, the file is damaged; save it again")
    if 8 * prod(shape) > most_unpacked(8 * len(table)):
        raise BadInput(f"a sparse table of {shape[0]} × {shape[1]} holds only {len(table)} values; leave out what is empty")
    dense = np.zeros(shape)
    np.add.at(dense, (where[:, 0], where[:, 1]), table[:-1, 2])
    return dense
