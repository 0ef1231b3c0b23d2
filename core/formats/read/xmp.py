"""Reads XMP: face regions of the Metadata Working Group, of Microsoft and of IPTC, PersonInImage and the description.

digiKam, Lightroom, Apple's Photos and others write these. Entities and document types are refused, so nothing blows up.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from xml.etree.ElementTree import Element, ParseError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring

from core.errors import BadInput, shown
from core.problem import check_writable

LARGEST = 20_000_000  # bytes of a packet
LONGEST_NAME = 200  # characters
RDF = "{http://www.w3.org/1999/02/22-rdf-syntax-ns#}"
MWG = "{http://www.metadataworkinggroup.com/schemas/regions/}"
AREA = "{http://ns.adobe.com/xmp/sType/Area#}"
DIMENSIONS = "{http://ns.adobe.com/xap/1.0/sType/Dimensions#}"
MP = "{http://ns.microsoft.com/photo/1.2/}"
MPRI = "{http://ns.microsoft.com/photo/1.2/t/RegionInfo#}"
MPREG = "{http://ns.microsoft.com/photo/1.2/t/Region#}"
IPTC = "{http://iptc.org/std/Iptc4xmpExt/2008-02-29/}"
DC = "{http://purl.org/dc/elements/1.1/}"
XMP = "{http://ns.adobe.com/xap/1.0/}"
TOOLKIT = "{adobe:ns:meta/}xmptk"
ROLLCALL = "{urn:rollcall:faces:1.0/}"
PROGRAMS = (
    "digiKam",
    "Lightroom",
    "Picasa",
    "Photoshop",
    "Photos",
    "Windows Photo Gallery",
    "Tag That Photo",
    "Mylio",
    "Rollcall",
)
NAMELESS = frozenset({"", "unknown", "unknown person", "unconfirmed", "ignored"})  # what programs call a face without a name
FACES = frozenset({"", "face"})  # types of a region; others are pets, bar codes and where the camera focused


@dataclass(frozen=True)
class MarkedFace:
    """A face that somebody marked in a picture, as shares of its size; ``name`` is "" where none was given.

    ``state`` and ``nobody`` are what Rollcall itself wrote; "" from other programs, whose names people gave.
    """

    left: float
    top: float
    right: float
    bottom: float
    name: str = ""
    author: str = ""
    state: str = ""
    nobody: bool = False


@dataclass(frozen=True)
class Xmp:
    """What a packet holds. ``applied`` is the size of the picture that its regions speak of."""

    faces: tuple[MarkedFace, ...] = ()
    persons: tuple[str, ...] = ()
    caption: str = ""
    applied: tuple[float, float] | None = None
    troubles: tuple[str, ...] = ()


@dataclass
class _Odd:
    """Regions that lie nowhere: what is said of them, and whose they are; these people are on the picture all the same."""

    troubles: list[str] = field(default_factory=list)
    names: list[str] = field(default_factory=list)

    def note(self, name: str) -> None:
        whose = (
            f"the face region of {shown(name)} lies nowhere in the picture" if name else "a face region lies nowhere in it"
        )
        self.troubles.append(whose)
        self.names += [name] if name else []


def read_xmp(raw: bytes) -> Xmp:
    """The packet in ``raw``; refuses what is no XML, or would blow up."""
    root = parse_xmp(raw)
    about = list(root.iter(f"{RDF}Description"))
    program = _program(root, about)
    odd = _Odd()
    faces: list[MarkedFace] = []
    applied = None
    for node in about:
        regions = _property(node, f"{MWG}Regions")
        if regions is not None:
            applied = applied or _applied(regions)
            faces += _mwg(regions, program, _applied(regions), odd)
    microsoft = [
        (region, program or "Microsoft") for node in about for region in _list(node, f"{MP}RegionInfo", f"{MPRI}Regions")
    ]
    by_iptc = [region for node in about for region in _list(node, f"{IPTC}ImageRegion")]
    if not faces:
        faces = [face for region, who in microsoft if (face := _microsoft(region, who, odd)) is not None]
    if not faces:
        faces = [face for region in by_iptc if (face := _iptc(region, program, odd)) is not None]
    persons = [_name(item.text) for node in about for item in _list(node, f"{IPTC}PersonInImage")]
    named = tuple(dict.fromkeys(filter(None, [*persons, *odd.names])))
    return Xmp(tuple(faces), named, _caption(about), applied, tuple(dict.fromkeys(odd.troubles)))


def read_item(raw: bytes, start: int, stop: int, kind: str) -> MarkedFace | None:
    """The region in one item of a list, cut out of a packet; None where it marks no face, or nothing."""
    spaces = dict(re.findall(rb"""xmlns:([\w.-]+)\s*=\s*["']([^"']*)["']""", raw))
    around = b"".join(b' xmlns:%s="%s"' % pair for pair in spaces.items())
    bag = b'<r:Bag xmlns:r="%s"%s>%s</r:Bag>' % (RDF[1:-1].encode(), around, raw[start:stop])
    (item,) = parse_xmp(bag)
    if kind == "microsoft":
        return _microsoft(item, "", _Odd())
    holder, regions = Element(f"{MWG}Regions"), Element(f"{MWG}RegionList")
    inner = Element(f"{RDF}Bag")
    inner.append(item)
    regions.append(inner)
    holder.append(regions)
    return next(_mwg(holder, "", None, _Odd()), None)


def parse_xmp(raw: bytes) -> Element:
    """The packet as a tree."""
    if len(raw) > LARGEST:
        raise BadInput("it is too large")
    start, stop = raw.find(b"<"), raw.rfind(b">")
    if start < 0:
        raise BadInput("it is no XML")
    try:
        root: Element = fromstring(raw[start : stop + 1], forbid_dtd=True)
    except DefusedXmlException as error:
        raise BadInput("it declares entities or a document type, which no XMP needs") from error
    except (ParseError, ValueError, LookupError, RecursionError) as error:
        raise BadInput("it is damaged or cut short") from error
    return root


# --- RDF: a property is an attribute, or an element that holds a text, fields or a list --------------------------------


def _property(node: Element, name: str) -> Element | None:
    """A property as an element; one that is an attribute becomes one."""
    for holder in (node, *node.findall(f"{RDF}Description")):
        found = holder.find(name)
        if found is not None:
            return found
        if name in holder.attrib:
            made = Element(name)
            made.text = holder.attrib[name]
            return made
    return None


def _value(node: Element, name: str) -> str:
    found = _property(node, name)
    if found is None:
        return ""
    inner = found.find(f"{RDF}value")
    return (found.text if inner is None else inner.text) or ""


def _list(node: Element, *path: str) -> list[Element]:
    """The items of the list that a path of properties leads to."""
    here: Element | None = node
    for name in path:
        here = None if here is None else _property(here, name)
    return [] if here is None else [item for kind in ("Bag", "Seq", "Alt") for item in here.findall(f"{RDF}{kind}/{RDF}li")]


# --- Regions -----------------------------------------------------------------------------------------------------------


def _mwg(regions: Element, program: str, applied: tuple[float, float] | None, odd: _Odd) -> Iterator[MarkedFace]:
    for region in _list(regions, f"{MWG}RegionList"):
        if _value(region, f"{MWG}Type").strip().lower() not in FACES:
            continue
        area = _property(region, f"{MWG}Area")
        numbers = [_number(_value(area, f"{AREA}{key}")) for key in "xywh"] if area is not None else [math.nan] * 4
        if area is not None and _value(area, f"{AREA}unit") == "pixel" and applied:
            numbers = [value / applied[k % 2] for k, value in enumerate(numbers)]
        x, y, w, h = numbers
        name, extension = _name(_value(region, f"{MWG}Name")), _property(region, f"{MWG}Extensions")
        own = (
            {}
            if extension is None
            else {key: _value(extension, f"{ROLLCALL}{key}") for key in ("state", "answer", "annotator")}
        )
        author = _name(own.get("annotator", "")) or program
        face = _checked(x - w / 2, y - h / 2, w, h, name, odd)
        if face is not None:
            yield MarkedFace(*face, name, author, own.get("state", ""), own.get("answer", "") == "nobody")


def _microsoft(region: Element, program: str, odd: _Odd) -> MarkedFace | None:
    name, rectangle = _name(_value(region, f"{MPREG}PersonDisplayName")), _value(region, f"{MPREG}Rectangle")
    if not rectangle.strip():  # a person without a place is on the picture, as in PersonInImage
        odd.names += [name] if name else []
        return None
    numbers = [_number(part) for part in rectangle.split(",")]
    x, y, w, h = numbers if len(numbers) == 4 else [math.nan] * 4
    face = _checked(x, y, w, h, name, odd)
    return None if face is None else MarkedFace(*face, name, program)


def _iptc(region: Element, program: str, odd: _Odd) -> MarkedFace | None:
    boundary = _property(region, f"{IPTC}RegionBoundary")
    names = [name for item in _list(region, f"{IPTC}PersonInImage") if (name := _name(item.text))]
    shape = "" if boundary is None else f"{_value(boundary, f'{IPTC}rbShape')} {_value(boundary, f'{IPTC}rbUnit')}"
    if boundary is None or len(names) != 1 or shape != "rectangle relative":
        odd.names += names  # whoever is in it is on the picture all the same
        return None
    x, y, w, h = (_number(_value(boundary, f"{IPTC}rb{key}")) for key in "XYWH")
    face = _checked(x, y, w, h, names[0], odd)
    return None if face is None else MarkedFace(*face, names[0], program)


def _checked(
    left: float, top: float, width: float, height: float, name: str, odd: _Odd
) -> tuple[float, float, float, float] | None:
    """The part of a region that lies in the picture; None, and a word about it, where there is none."""
    right, bottom = left + width, top + height
    inside = max(left, 0.0), max(top, 0.0), min(right, 1.0), min(bottom, 1.0)
    sound = all(map(math.isfinite, (left, top, right, bottom))) and 0 < width <= 2 and 0 < height <= 2
    if sound and inside[2] > inside[0] and inside[3] > inside[1]:
        return inside
    odd.note(name)
    return None


def _applied(regions: Element) -> tuple[float, float] | None:
    size = _property(regions, f"{MWG}AppliedToDimensions")
    if size is None:
        return None
    width, height = _number(_value(size, f"{DIMENSIONS}w")), _number(_value(size, f"{DIMENSIONS}h"))
    return (width, height) if width > 0 and height > 0 else None


# --- Texts -------------------------------------------------------------------------------------------------------------


def _number(text: str) -> float:
    try:
        return float(text.strip().replace(",", "."))
    except ValueError:
        return math.nan


def _name(text: Any) -> str:
    """A name as people write it; "" where it is none, or nothing that a project can hold."""
    name = " ".join(str(text or "").split())
    if name.lower() in NAMELESS or len(name) > LONGEST_NAME or not any(letter.isalnum() for letter in name):
        return ""
    try:
        check_writable(name)
    except BadInput:
        return ""
    return name


def _caption(about: list[Element]) -> str:
    for node in about:
        items = _list(node, f"{DC}description")
        if items:
            return items[0].text or ""
        plain = _value(node, f"{DC}description").strip()
        if plain:
            return plain
    return ""


def _program(root: Element, about: list[Element]) -> str:
    """What wrote the regions, as far as one can tell."""
    said = [root.attrib.get(TOOLKIT, ""), *(_value(node, f"{XMP}CreatorTool") for node in about)]
    tags = " ".join(element.tag for element in root.iter()) + " ".join(key for node in about for key in node.attrib)
    if "digikam.org" in tags:
        return "digiKam"
    for text in reversed(said):
        found = next((name for name in PROGRAMS if re.search(rf"\b{name}\b", text, re.IGNORECASE)), "")
        if found:
            return found
    return "tags in the pictures"
