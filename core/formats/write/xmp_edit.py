"""Puts face regions and names into an XMP packet that is there already, and leaves every other byte as it is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any
from xml.etree.ElementTree import ParseError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import DefusedXMLParser

from core.errors import BadInput
from core.formats.read.xmp import IPTC, MP, MPRI, MWG, RDF

START_TAG = re.compile(rb"<(?:[^<>\"']|\"[^\"]*\"|'[^']*')*>")
LISTS = (f"{RDF}Bag", f"{RDF}Seq", f"{RDF}Alt")


@dataclass(eq=False)
class Node:
    """An element and where it stands: its start tag from ``start`` to ``inner``, all of it until ``stop``."""

    tag: str
    start: int
    inner: int
    stop: int = 0
    closing: int = 0  # where its end tag begins; of an empty element, ``stop``
    children: list[Node] = field(default_factory=list)

    @property
    def empty(self) -> bool:
        """Whether it is written as one tag."""
        return self.closing == self.stop

    def find(self, *path: str) -> Node | None:
        """The element that a path of properties leads to; descriptions in between do not count."""
        here: Node | None = self
        for tag in path:
            inside = (
                []
                if here is None
                else [*here.children, *(c for d in here.children if d.tag == f"{RDF}Description" for c in d.children)]
            )
            here = next((child for child in inside if child.tag == tag), None)
        return here

    def list(self) -> Node | None:
        """The list that a property holds."""
        return next((child for child in self.children if child.tag in LISTS), None)


@dataclass(frozen=True)
class Lists:
    """The packet's description, and where its lists of regions and persons are, as far as it has them."""

    raw: bytes
    description: Node
    mwg: Node | None
    microsoft: Node | None
    persons: Node | None


def open_packet(raw: bytes) -> Lists:
    """Reads where things are; refuses what cannot be edited with care."""
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\0" in raw[:200]:
        raise BadInput("it is not written in UTF-8")
    nodes = _nodes(raw)
    descriptions = [
        node for node in nodes if node.tag == f"{RDF}RDF" for node in node.children if node.tag == f"{RDF}Description"
    ]
    if not descriptions:
        raise BadInput("it describes nothing")

    def listed(*path: str) -> Node | None:
        for description in descriptions:
            found = description.find(*path)
            if found is not None:
                return found.list()
        return None

    mwg = listed(f"{MWG}Regions", f"{MWG}RegionList")
    microsoft = listed(f"{MP}RegionInfo", f"{MPRI}Regions")
    return Lists(raw, descriptions[0], mwg, microsoft, listed(f"{IPTC}PersonInImage"))


@dataclass
class _Places:
    """Collects elements with their places while expat reads."""

    raw: bytes
    stack: list[Node] = field(default_factory=list)
    nodes: list[Node] = field(default_factory=list)
    parser: Any = None

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        place = self.parser.parser.CurrentByteIndex
        matched = START_TAG.match(self.raw, place)
        if matched is None:
            raise BadInput("it is written in an unusual way")
        node = Node(tag, place, matched.end())
        if self.stack:
            self.stack[-1].children.append(node)
        self.stack.append(node)
        self.nodes.append(node)

    def end(self, tag: str) -> None:
        node = self.stack.pop()
        if self.raw[node.inner - 2 : node.inner] == b"/>":
            node.stop = node.closing = node.inner
            return
        node.closing = self.parser.parser.CurrentByteIndex
        node.stop = self.raw.index(b">", node.closing) + 1

    def close(self) -> list[Node]:
        return self.nodes


def _nodes(raw: bytes) -> list[Node]:
    places = _Places(raw)
    places.parser = DefusedXMLParser(target=places, forbid_dtd=True)
    try:
        places.parser.feed(raw)
        found: list[Node] = places.parser.close()
    except DefusedXmlException as error:
        raise BadInput("it declares entities or a document type, which no XMP needs") from error
    except (ParseError, ValueError, LookupError, RecursionError) as error:
        raise BadInput("it is damaged or cut short") from error
    return found


# --- Changes -----------------------------------------------------------------------------------------------------------

Change = tuple[int, int, bytes]  # these bytes from there to there become those


def items_of(found: Node | None) -> list[Node]:
    return [] if found is None else [child for child in found.children if child.tag == f"{RDF}li"]


def changed_list(lists: Lists, found: Node, gone: Sequence[Node], added: bytes) -> list[Change]:
    """Takes items out of a list and puts others behind the rest."""
    changes = [(item.start, item.stop, b"") for item in gone]
    if not added:
        return changes
    if found.empty:
        tag = lists.raw[found.start : found.stop].removesuffix(b"/>").rstrip()
        name = tag[1:].split()[0]
        return [*changes, (found.start, found.stop, tag + b">" + added + b"</" + name + b">")]
    return [*changes, (found.closing, found.closing, added)]


def new_properties(lists: Lists, added: bytes) -> list[Change]:
    """Puts new properties at the end of the description."""
    node = lists.description
    if not added:
        return []
    if node.empty:
        tag = lists.raw[node.start : node.stop].removesuffix(b"/>").rstrip()
        name = tag[1:].split()[0]
        return [(node.start, node.stop, tag + b">" + added + b"</" + name + b">")]
    return [(node.closing, node.closing, added)]


def with_changes(raw: bytes, changes: Sequence[Change]) -> bytes:
    """The bytes with all changes made; none of them overlap."""
    for start, stop, text in sorted(changes, key=lambda change: (change[0], change[1]), reverse=True):
        raw = raw[:start] + text + raw[stop:]
    return raw
