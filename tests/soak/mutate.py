"""Makes bad files of good ones: blind changes of bytes, and changes inside of what a checksum or a packing would hide."""

from __future__ import annotations

import io
import json
import random
import re
import struct
import zipfile
import zlib
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

Change = Callable[[random.Random, bytes, Sequence[bytes]], bytes]

NUMBERS = (0, 1, 0x7F, 0x80, 0xFF, 0x7FFF, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 1 << 63, (1 << 64) - 1)
TEXTS = ("NaN", "-1", "1e309", "Infinity", "9" * 400, "0x10", "-0.0", "", "\0", "\ud83d", "../../x", "/etc/passwd", "\u202e")
WORDS = (
    b"-->",
    b"00:00:01,000",
    b"99:99:99,999",
    b"\n\n",
    b'"',
    b",",
    b"[",
    b"{",
    b"}",
    b"\\N",
    b"&#0;",
    b"&#x110000;",
    b"<v ",
)
ENCODINGS = ("utf-16", "utf-16-le", "utf-8-sig", "latin-1", "cp1251", "shift_jis", "utf-7", "cp037")
DEEP = 100_000
ANY: tuple[Any, ...] = (
    None,
    True,
    -1,
    1 << 70,
    1.5,
    float("nan"),
    float("inf"),
    "",
    "x" * 70_000,
    [],
    {},
    [[]],
    "\ud800",
    "\0",
)


def mutate(chance: random.Random, seeds: Sequence[bytes], inside: Sequence[Change]) -> bytes:
    """One bad file, or a good one now and then. ``inside`` are the changes that know the format."""
    content = chance.choice(seeds)
    changes: list[Change] = [*PLAIN, *inside, *inside, *inside]
    for _ in range(chance.choice((1, 1, 1, 2, 3, 8))):
        with suppress(RecursionError, LookupError, ValueError):  # it may be too far gone by now to be changed further
            content = chance.choice(changes)(chance, content, seeds)
    return content[: 1 << 24]


# --- Any file ----------------------------------------------------------------------------------------------------------


def flip_bits(chance: random.Random, content: bytes, _: Sequence[bytes]) -> bytes:
    changed = bytearray(content)
    for _ in range(chance.choice((1, 1, 4, 32)) if changed else 0):
        changed[chance.randrange(len(changed))] ^= 1 << chance.randrange(8)
    return bytes(changed)


def set_bytes(chance: random.Random, content: bytes, _: Sequence[bytes]) -> bytes:
    changed = bytearray(content)
    for _ in range(chance.choice((1, 1, 4, 32)) if changed else 0):
        changed[chance.randrange(len(changed))] = chance.choice((0, 255, chance.randrange(256)))
    return bytes(changed)


def cut_short(chance: random.Random, content: bytes, _: Sequence[bytes]) -> bytes:
    return content[: chance.randrange(len(content) + 1)]


def cut_out(chance: random.Random, content: bytes, _: Sequence[bytes]) -> bytes:
    start = chance.randrange(len(content) + 1)
    return content[:start] + content[start + chance.choice((1, 8, 100, 5000)) :]


def repeat(chance: random.Random, content: bytes, _: Sequence[bytes]) -> bytes:
    start = chance.randrange(len(content) + 1)
    piece = content[start : start + chance.choice((1, 8, 200))]
    return content[:start] + piece * chance.choice((2, 10, 3000)) + content[start:]


def splice(chance: random.Random, content: bytes, seeds: Sequence[bytes]) -> bytes:
    other = chance.choice(seeds)
    start = chance.randrange(len(other) + 1)
    at = chance.randrange(len(content) + 1)
    return (
        content[:at] + other[start : start + chance.choice((4, 64, 100_000))] + content[chance.choice((at, len(content))) :]
    )


def length_field(chance: random.Random, content: bytes, _: Sequence[bytes]) -> bytes:
    size, order = chance.choice((1, 2, 4, 8)), chance.choice(("little", "big"))
    if len(content) < size:
        return content
    value = chance.choice((*NUMBERS, len(content), len(content) + 1)) % (1 << 8 * size)
    at = chance.randrange(len(content) - size + 1)
    return content[:at] + value.to_bytes(size, order) + content[at + size :]


def noise(chance: random.Random, content: bytes, _: Sequence[bytes]) -> bytes:
    at = chance.randrange(len(content) + 1)
    return content[:at] + chance.randbytes(chance.choice((1, 16, 4096))) + content[at:]


PLAIN: tuple[Change, ...] = (flip_bits, set_bytes, cut_short, cut_out, repeat, splice, length_field, noise)

# --- Texts -------------------------------------------------------------------------------------------------------------


def odd_number(chance: random.Random, content: bytes, _: Sequence[bytes]) -> bytes:
    found = list(re.finditer(rb"-?\d+(?:\.\d+)?", content))
    if not found:
        return content
    match = chance.choice(found)
    return content[: match.start()] + chance.choice(TEXTS).encode("utf-8", "surrogatepass") + content[match.end() :]


def odd_word(chance: random.Random, content: bytes, _: Sequence[bytes]) -> bytes:
    at = chance.randrange(len(content) + 1)
    return content[:at] + chance.choice(WORDS) * chance.choice((1, 1, 3, 20_000)) + content[at:]


def other_encoding(chance: random.Random, content: bytes, _: Sequence[bytes]) -> bytes:
    return content.decode("utf-8", "replace").encode(chance.choice(ENCODINGS), "replace")


def swap_lines(chance: random.Random, content: bytes, seeds: Sequence[bytes]) -> bytes:
    rows = content.split(b"\n") + chance.choice(seeds).split(b"\n")
    chance.shuffle(rows)
    return chance.choice((b"\n", b"\r\n", b"\r", b"\x0b")).join(rows[: chance.randrange(len(rows) + 1)])


def nested(chance: random.Random, content: bytes, _: Sequence[bytes]) -> bytes:
    opening, closing = chance.choice(((b"[", b"]"), (b'{"a":', b"}")))
    many = chance.choice((10, 900, DEEP))
    return opening * many + content[: chance.choice((0, 1000))] + closing * chance.choice((0, many))


TEXT: tuple[Change, ...] = (odd_number, odd_word, other_encoding, swap_lines, nested)

# --- JSON --------------------------------------------------------------------------------------------------------------


def json_tree(chance: random.Random, content: bytes, _: Sequence[bytes]) -> bytes:
    """Another value, key or copy somewhere in the tree; the JSON stays sound."""
    try:
        tree = json.loads(content)
    except (ValueError, RecursionError):
        return content
    for _ in range(chance.choice((1, 1, 3))):
        tree = _changed(chance, tree)
    return json.dumps(tree).encode("utf-8", "surrogatepass")


def _changed(chance: random.Random, tree: Any) -> Any:
    keys: list[Any] = list(tree) if isinstance(tree, dict) else list(range(len(tree))) if isinstance(tree, list) else []
    if not keys or chance.random() < 0.1:
        return chance.choice(ANY)
    key = chance.choice(keys)
    what = chance.random()
    if what < 0.75:
        tree[key] = _changed(chance, tree[key])
    elif what < 0.85:
        del tree[key]
    elif isinstance(tree, dict):
        tree[chance.choice(("", "x", "../x", "\ud800"))] = tree[key]
    else:
        tree.extend([tree[key]] * chance.choice((1, 3, 1000)))
    return tree


# --- Zips and what is packed -------------------------------------------------------------------------------------------


def zip_inside(changes: Sequence[Change]) -> Change:
    """Changes one file of a zip, whose checksums then fit again; or how it is called, or doubles it."""

    def change(chance: random.Random, content: bytes, seeds: Sequence[bytes]) -> bytes:
        files = _files(content)
        if not files:
            return content
        name = chance.choice(list(files))
        what = chance.random()
        if what < 0.7:
            files[name] = chance.choice(changes)(chance, files[name], list(files.values()))
        elif what < 0.8:
            files.pop(name)
        elif what < 0.9:
            files[chance.choice(("../../x.jpg", "/etc/x.jpg", "a\\..\\..\\x.png", "x" * 300, "x.npy", "\u202e.jpg"))] = (
                files[name]
            )
        else:
            other = _files(chance.choice(seeds))
            files |= {name: chance.choice(list(other.values()))} if other else {}
        return zipped(files, chance.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)))

    return change


def zipped(files: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, inside in files.items():
            archive.writestr(zipfile.ZipInfo(name), inside, method)
    return out.getvalue()


def _files(content: bytes) -> dict[str, bytes]:
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            return {entry.filename: archive.read(entry) for entry in archive.infolist() if entry.file_size < 1 << 24}
    except Exception:  # it is damaged already
        return {}


def npy_header(chance: random.Random, content: bytes, _: Sequence[bytes]) -> bytes:
    """Another shape, type or order in the head of an array."""
    shapes = (
        b"(3,)",
        b"(-1, 2)",
        b"(99999999999, 2)",
        b"()",
        b"(0, 4)",
        b"(2, 2, 2)",
        b"(1,) * 9**9",
        b"(1e3,)",
        b"(True,)",
    )
    kinds = (
        b"'|O'",
        b"'<U9999999'",
        b"'<f2'",
        b"'<c16'",
        b"'>f8'",
        b"'|S3'",
        b"[('a', '<f4')]",
        b"'<M8[s]'",
        b"'|b1'",
        b"'|V8'",
    )
    if chance.random() < 0.5:
        return re.sub(rb"\([\d, ]*\)", chance.choice(shapes), content, count=1)
    return re.sub(rb"'[<>|][a-zA-Z]\d+'", chance.choice(kinds), content, count=1)


def mat_inside(chance: random.Random, content: bytes, seeds: Sequence[bytes]) -> bytes:
    """Changes a packed variable of a .mat file and packs it again."""
    at = 128
    while at + 8 <= len(content):
        kind, size = struct.unpack_from("<II", content, at)
        if kind == 15 and chance.random() < 0.5:
            try:
                inside = zlib.decompress(content[at + 8 : at + 8 + size])
            except zlib.error:
                return content
            packed = zlib.compress(chance.choice(PLAIN)(chance, inside, seeds))
            return content[:at] + struct.pack("<II", 15, len(packed)) + packed + content[at + 8 + size :]
        at += 8 + size
    return content


def png_checksums(chance: random.Random, content: bytes, seeds: Sequence[bytes]) -> bytes:
    """Changes a PNG and makes its checksums right."""
    content = chance.choice((flip_bits, set_bytes, length_field))(chance, content, seeds)
    if not content.startswith(b"\x89PNG\r\n\x1a\n"):
        return content
    out, at = content[:8], 8
    while at + 12 <= len(content):
        size = int.from_bytes(content[at : at + 4], "big")
        if size > len(content) - at - 12:
            return out + content[at:]
        body = content[at + 4 : at + 8 + size]
        out += content[at : at + 4] + body + zlib.crc32(body).to_bytes(4, "big")
        at += 12 + size
    return out
