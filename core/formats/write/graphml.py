"""GraphML: faces on one side, names on the other, and the links between them, for network tools.

A link says whether the face's caption has the name (``caption``) and whether the name is the face's answer (``answer``, with
its ``confidence``). A face of nobody has no such link, nor has one that is unknown; its node's
``answer`` tells them apart. Written as it goes: networkx's writer takes ten times as long.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO
from xml.sax.saxutils import escape

from core.formats.files import whole_file
from core.formats.write.text import distinct, names_of, where_from, xml_text
from core.records import Labelled, LabelledFrame, Labels

NODE = {
    "bipartite": "long",
    "kind": "string",
    "label": "string",
    "source": "string",
    "frame": "long",
    "left": "double",
    "top": "double",
    "right": "double",
    "bottom": "double",
    "nobody": "boolean",
    "answer": "string",
    "confidence": "double",
    "state": "string",
    "annotator": "string",
    "time": "double",
}
LINK = {"caption": "boolean", "answer": "boolean", "confidence": "double"}


def write(labels: Labels, path: Path) -> None:
    """Writes every face, and every name that a face was given or that its caption has."""

    def all_of_it(file: BinaryIO) -> None:
        for line in _lines(labels):
            file.write(line.encode())

    whole_file(path, all_of_it)


def _lines(labels: Labels) -> Iterator[str]:
    captions = (name for frame in labels.frames if frame.faces for name in frame.names)
    names = distinct(dict.fromkeys([*names_of(labels), *captions]), xml_text)
    node = {name: f"n{k}" for k, name in enumerate(names)}
    yield "<?xml version='1.0' encoding='utf-8'?>\n<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n"
    yield _key("graph", "name", "string")
    yield from (_key("node", name, kind) for name, kind in NODE.items())
    yield from (_key("edge", name, kind) for name, kind in LINK.items())
    yield f'<graph edgedefault="undirected">\n<data key="graph-name">{escape(xml_text(labels.title))}</data>\n'
    for name, title in names.items():
        yield _node(node[name], {"bipartite": 1, "kind": "name", "label": escape(title)})
    for frame in labels.frames:
        source, here = escape(xml_text(where_from(frame))), frozenset(frame.names)
        for face in frame.faces:
            yield _node(f"f{face.face.id}", _face(frame, source, face))
            yield from _links(face, frame.names, here, node)
    yield "</graph>\n</graphml>\n"


def _key(of: str, name: str, kind: str) -> str:
    return f'<key id="{of}-{name}" for="{of}" attr.name="{name}" attr.type="{kind}"/>\n'


def _node(number: str, attributes: dict[str, object]) -> str:
    data = "".join([f'<data key="node-{name}">{value}</data>' for name, value in attributes.items()])
    return f'<node id="{number}">{data}</node>\n'


def _face(frame: LabelledFrame, source: str, label: Labelled) -> dict[str, object]:
    box = label.face.box
    attributes: dict[str, object] = {
        "bipartite": 0,
        "kind": "face",
        "label": f"face {label.face.id}",
        "source": source,
        "frame": frame.frame.id,
        "left": box.left,
        "top": box.top,
        "right": box.right,
        "bottom": box.bottom,
        "nobody": _said(label.answer == "nobody"),
        "answer": label.answer,
        "confidence": label.confidence,
        "state": label.state,
        "annotator": escape(xml_text(label.annotator)),
    }
    return attributes if frame.frame.time is None else attributes | {"time": frame.frame.time}


def _links(face: Labelled, names: tuple[str, ...], here: frozenset[str], node: dict[str, str]) -> Iterator[str]:
    for name in dict.fromkeys((*names, face.name) if face.name else names):
        sure = f'<data key="edge-confidence">{face.confidence}</data>' if name == face.name else ""
        yield (
            f'<edge source="f{face.face.id}" target="{node[name]}"><data key="edge-caption">{_said(name in here)}</data>'
            f'<data key="edge-answer">{_said(name == face.name)}</data>{sure}</edge>\n'
        )


def _said(value: bool) -> str:
    return "true" if value else "false"
