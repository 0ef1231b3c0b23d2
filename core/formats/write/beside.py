"""XMP files beside the pictures themselves: what would change is told first, and only face regions and names ever change.

A region that somebody else wrote stays as it is unless it marks one of our faces; so do regions of pets and bar codes, names
of people who have no region, and every other property, byte by byte.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import BinaryIO, Literal

from core.errors import BadInput
from core.formats.files import whole_file
from core.formats.read.picture_tags import SAME, orientation_of, overlap, stored
from core.formats.read.xmp import MarkedFace, read_item, read_xmp
from core.formats.write.text import has_box
from core.formats.write.xmp import (
    declared,
    marked,
    microsoft_item,
    microsoft_property,
    mwg_item,
    mwg_property,
    names_of,
    person_item,
    persons_property,
    sidecar,
)
from core.formats.write.xmp_edit import Change, Node, changed_list, items_of, new_properties, open_packet, with_changes
from core.records import LabelledFrame, Labels

Kind = Literal["new", "changed", "same", "left alone"]


@dataclass(frozen=True)
class Sidecar:
    """What becomes of the file beside one picture."""

    picture: str
    path: Path
    kind: Kind
    names: tuple[str, ...] = ()  # who is on it afterwards
    gone: tuple[str, ...] = ()  # who is named there now, and not afterwards
    why: str = ""  # it is left alone
    content: bytes = b""


def plan(labels: Labels) -> list[Sidecar]:
    """What writing beside the pictures would do, a picture at a time; nothing is written."""
    frames = [frame for frame in labels.frames if frame.source.kind == "pictures"]
    frames = [frame for frame in frames if any(has_box(frame, face) for face in frame.faces)]
    if not frames:
        raise BadInput("no picture has a face, so there is nothing to write beside it; choose another format")
    by_place = {(frame.source.path, frame.frame.path): frame for frame in reversed(frames)}
    return [_planned(frame) for frame in reversed(by_place.values())]


def write_beside(labels: Labels) -> list[Sidecar]:
    """Writes them, each whole or not at all; gives what was done."""
    planned = plan(labels)
    for one in planned:
        if one.kind in ("new", "changed"):
            whole_file(one.path, partial(_put, one.content))
    return planned


def _put(content: bytes, file: BinaryIO) -> None:
    file.write(content)


def in_words(planned: Sequence[Sidecar]) -> str:
    """All of it in one line."""
    many = {kind: sum(one.kind == kind for one in planned) for kind in ("new", "changed", "same", "left alone")}
    return ", ".join(f"{number} {kind}" for kind, number in many.items() if number)


def _planned(frame: LabelledFrame) -> Sidecar:
    folder, name = Path(frame.source.path), frame.frame.path
    picture = folder / name
    fresh = picture.with_name(f"{picture.name}.xmp")
    try:
        if not folder.is_dir():
            raise BadInput("its folder is not there, or it came in a zip")
        root = folder.resolve()
        if not picture.resolve().is_relative_to(root) or not picture.is_file():
            raise BadInput("the picture is not there any more")
        content = picture.read_bytes()
        if frame.frame.content and hashlib.sha256(content).hexdigest() != frame.frame.content:
            raise BadInput("the picture is another one now")
        adobe = picture.with_suffix(".xmp")
        path = next((place for place in (fresh, adobe) if place.exists()), fresh)
        if path.is_symlink():
            raise BadInput("the XMP file is a link, which may lead anywhere")
        orientation = orientation_of(content)
        if not path.exists():
            text = sidecar(frame, orientation).encode()
            return Sidecar(name, path, "new", tuple(names_of(marked(frame))), content=text)
        return _merged(frame, path, path.read_bytes(), orientation)
    except BadInput as error:
        return Sidecar(name, fresh, "left alone", why=str(error))
    except OSError as error:
        return Sidecar(name, fresh, "left alone", why=f"cannot be read ({error.strerror})")


def _merged(frame: LabelledFrame, path: Path, raw: bytes, orientation: int) -> Sidecar:
    """The file with our faces in place of those that mark the same ones."""
    lists = open_packet(raw)
    before = read_xmp(raw)
    ours = [stored(face, orientation) for face in marked(frame)]
    changes: list[Change] = []
    replaced: list[str] = []
    size = (frame.frame.width, frame.frame.height)
    size = size if orientation < 5 else (size[1], size[0])
    fresh = ""
    put: tuple[tuple[Node | None, str, Callable[..., str], str], ...] = (
        (lists.mwg, "mwg", mwg_item, mwg_property(ours, size, declared())),
        (lists.microsoft, "microsoft", microsoft_item, microsoft_property(ours, declared())),
    )
    for found, layout, item, whole in put:
        if found is None:
            fresh += whole
            continue
        there = [(node, read_item(raw, node.start, node.stop, layout)) for node in items_of(found)]
        mine = _kept_names(ours, [face for _, face in there if face is not None])
        gone = [(node, face) for node, face in there if face is not None and any(overlap(face, one) >= SAME for one in mine)]
        if {_key(face) for _, face in gone} == {_key(face) for face in mine}:
            continue
        replaced += [face.name for _, face in gone if face.name]
        changes += changed_list(
            lists, found, [node for node, _ in gone], "".join(item(f, declared()) for f in mine).encode()
        )
    named = names_of(_kept_names(ours, before.faces))
    left = {face.name for face in before.faces} - set(replaced)
    gone_names = [name for name in dict.fromkeys(replaced) if name not in named and name not in left]
    missing = [name for name in named if name not in before.persons]
    if lists.persons is None:
        fresh += persons_property(named, declared())
    elif missing or set(gone_names) & set(before.persons):
        out = [node for node in items_of(lists.persons) if _text(raw, node) in gone_names]
        changes += changed_list(lists, lists.persons, out, "".join(person_item(n, declared()) for n in missing).encode())
    changes += new_properties(lists, fresh.encode())
    content = with_changes(raw, changes)
    read_xmp(content)  # what we made must be read again
    kind: Kind = "changed" if content != raw else "same"
    return Sidecar(frame.frame.path, path, kind, tuple(named), tuple(gone_names), content=content)


def _kept_names(ours: Iterable[MarkedFace], theirs: Sequence[MarkedFace]) -> list[MarkedFace]:
    """Our faces without those of which we only think something and they have a name."""
    return [
        face
        for face in ours
        if face.state != "predicted" or not any(other.name and overlap(face, other) >= SAME for other in theirs)
    ]


def _key(face: MarkedFace) -> tuple[object, ...]:
    return face.name, *(round(edge, 4) for edge in (face.left, face.top, face.right, face.bottom))


def _text(raw: bytes, node: Node) -> str:
    from xml.sax.saxutils import unescape

    return " ".join(unescape(raw[node.inner : node.closing].decode("utf-8", "replace")).split())
