"""Picasa's notes on a folder, ``.picasa.ini``: where faces are in its pictures, and whose they are.

[Contacts2]
8e62398ebda8c1a5=Ann Lee;;
[beach.jpg]
faces=rect64(3f845bcb59418507),8e62398ebda8c1a5;rect64(9eb15cc4b2a18d3e),ffffffffffffffff
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from core.formats.read.xmp import MarkedFace

FILE = (".picasa.ini", "picasa.ini")
SECTION = re.compile(r"\[(.+)\]")
FACE = re.compile(r"rect64\(([0-9a-f]{1,16})\)\s*,\s*([0-9a-f]+)", re.IGNORECASE)
CONTACTS = ("contacts2", "contacts")
LONGEST = 200  # characters of a name


def read_picasa(texts: Iterable[str]) -> list[dict[str, list[MarkedFace]]]:
    """By file name in small letters, the faces of each folder's notes. A person may be listed in another folder's."""
    parsed = [_parsed(text) for text in texts]
    people = {number: name for _, listed in parsed for number, name in listed.items()}
    return [
        {
            name: [_marked(rectangle, people.get(number, "")) for rectangle, number in marked]
            for name, marked in pictures.items()
        }
        for pictures, _ in parsed
    ]


def _parsed(text: str) -> tuple[dict[str, list[tuple[str, str]]], dict[str, str]]:
    pictures: dict[str, list[tuple[str, str]]] = {}
    people: dict[str, str] = {}
    section = ""
    for line in text.lstrip("\ufeff").splitlines():
        found = SECTION.fullmatch(line.strip())
        if found:
            section = found[1].lower()
            continue
        key, _, value = line.partition("=")
        if section in CONTACTS:
            name = " ".join(value.split(";")[0].split())[:LONGEST]
            if name:
                people[key.strip().lower()] = name
        elif key.strip().lower() == "faces":
            pictures[section] = [(rectangle, number.lower()) for rectangle, number in FACE.findall(value)]
    return pictures, people


def _marked(rectangle: str, name: str) -> MarkedFace:
    """Four numbers of sixteen bits, shares of the picture as it is shown; leading zeros are left out."""
    digits = rectangle.zfill(16)
    left, top, right, bottom = (int(digits[k : k + 4], 16) / 65535 for k in (0, 4, 8, 12))
    return MarkedFace(left, top, right, bottom, name, "Picasa")
