"""The rows of a damaged SQLite file, page by page: each page that is whole gives its rows, wherever it hangs.

SQLite itself gives up at the first page that makes no sense. See https://www.sqlite.org/fileformat2.html for the numbers.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping

PAGE = 4096  # bytes of a page where the file's head does not say
HEAD = 100  # bytes before the first page's own
LEAF = 0x0D  # a page that holds rows of a table
WAL_HEAD, FRAME_HEAD = 32, 24
MAGIC = b"SQLite format 3\0"
MOST_COLUMNS = 100
LONGEST = 1 << 28  # bytes of a row
INTEGERS = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}  # bytes of each kind of number

Value = None | int | float | str | bytes
Row = tuple[int, tuple[Value, ...]]  # its number, and its columns


def rows(file: bytes, journal: bytes = b"") -> Iterator[Row]:
    """Every row that can be read, of whatever table; those of the journal (WAL) are the newer ones."""
    size = _page_size(file)
    pages = {k + 1: file[k * size : (k + 1) * size] for k in range(-(-len(file) // size))}
    pages |= _committed(journal, size)
    for number in sorted(pages):
        yield from _rows_of(pages[number].ljust(size, b"\0"), HEAD if number == 1 else 0, pages)


def _page_size(file: bytes) -> int:
    said = int.from_bytes(file[16:18], "big") if file.startswith(MAGIC) else 0
    said = 65536 if said == 1 else said
    return said if said in (1024, 2048, 4096, 8192, 16384, 32768, 65536) else PAGE


def _committed(journal: bytes, size: int) -> dict[int, bytes]:
    """The pages of the journal's finished transactions, by their numbers."""
    if len(journal) < WAL_HEAD or int.from_bytes(journal[8:12], "big") != size:
        return {}
    order = ">" if journal[3] & 1 else "<"
    salt = journal[16:24]
    found: dict[int, bytes] = {}
    pending: dict[int, bytes] = {}
    check = _checksum(journal[:24], (0, 0), order)
    for at in range(WAL_HEAD, len(journal) - FRAME_HEAD - size + 1, FRAME_HEAD + size):
        head, page = journal[at : at + FRAME_HEAD], journal[at + FRAME_HEAD : at + FRAME_HEAD + size]
        check = _checksum(page, _checksum(head[:8], check, order), order)
        if head[8:16] != salt or struct.unpack(">II", head[16:24]) != check:
            break  # of an older round, or not finished
        pending[int.from_bytes(head[:4], "big")] = page
        if int.from_bytes(head[4:8], "big"):
            found |= pending
            pending = {}
    return found


def _checksum(data: bytes, start: tuple[int, int], order: str) -> tuple[int, int]:
    one, two = start
    words = struct.unpack(f"{order}{len(data) // 4}I", data)
    for first, second in zip(words[::2], words[1::2], strict=True):
        one = (one + first + two) & 0xFFFFFFFF
        two = (two + second + one) & 0xFFFFFFFF
    return one, two


def _rows_of(page: bytes, start: int, pages: Mapping[int, bytes]) -> Iterator[Row]:
    if page[start] != LEAF:
        return
    many = int.from_bytes(page[start + 3 : start + 5], "big")
    for k in range(min(many, len(page) // 4)):
        place = start + 8 + 2 * k
        at = int.from_bytes(page[place : place + 2], "big")
        try:
            yield _row(page, at, pages)
        except (IndexError, ValueError, struct.error):
            continue  # this row is damaged, the others may not be


def _row(page: bytes, at: int, pages: Mapping[int, bytes]) -> Row:
    length, at = _varint(page, at)
    number, at = _varint(page, at)
    if not 0 < length < LONGEST:
        raise ValueError("no row is so long")
    return number - (1 << 64 if number >> 63 else 0), _columns(_payload(page, at, length, pages))


def _payload(page: bytes, at: int, length: int, pages: Mapping[int, bytes]) -> bytes:
    """A row's bytes; what does not fit on its page goes on on others."""
    usable = len(page)
    if length <= usable - 35:
        found = page[at : at + length]
    else:
        least = (usable - 12) * 32 // 255 - 23
        here = least + (length - least) % (usable - 4)
        here = here if here <= usable - 35 else least
        parts, left = [page[at : at + here]], length - here
        following = int.from_bytes(page[at + here : at + here + 4], "big")
        while left > 0:
            more = pages.get(following, b"")
            if len(more) != usable:
                raise ValueError("a part of this row is lost")
            parts.append(more[4 : 4 + min(left, usable - 4)])
            following, left = int.from_bytes(more[:4], "big"), left - (usable - 4)
        found = b"".join(parts)
    if len(found) != length:
        raise ValueError("the row leads out of its page")
    return found


def _columns(payload: bytes) -> tuple[Value, ...]:
    end, at = _varint(payload, 0)
    kinds = []
    while at < end:
        kind, at = _varint(payload, at)
        kinds.append(kind)
    if at != end or len(kinds) > MOST_COLUMNS:
        raise ValueError("the head of this row is damaged")
    values = []
    for kind in kinds:
        value, at = _value(payload, at, kind)
        values.append(value)
    if at != len(payload):
        raise ValueError("the row is longer than its columns")
    return tuple(values)


def _value(payload: bytes, at: int, kind: int) -> tuple[Value, int]:
    if kind in (0, 8, 9):
        return (None if kind == 0 else kind - 8), at
    size = INTEGERS.get(kind, 8 if kind == 7 else (kind - 12) // 2 if kind >= 12 else -1)
    part = payload[at : at + size]
    if size < 0 or len(part) != size:
        raise ValueError("a column leads out of its row")
    if kind in INTEGERS:
        return int.from_bytes(part, "big", signed=True), at + size
    if kind == 7:
        return struct.unpack(">d", part)[0], at + size
    return (part.decode("utf-8") if kind % 2 else part), at + size


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = 0
    for k in range(8):
        value = value << 7 | data[at + k] & 0x7F
        if data[at + k] < 0x80:
            return value, at + k + 1
    return value << 8 | data[at + 8], at + 9
