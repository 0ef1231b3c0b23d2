"""GraphML: faces on one side, names on the other, and the links between them, for network tools.

A link says whether the face's caption has the name (``caption``) and whether the name is the face's answer (``answer``, with
its ``confidence``). A face of nobody has no answer.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import networkx as nx

from core.formats import whole_file
from core.formats.text import distinct, names_of, where_from, xml_text
from core.records import Labelled, LabelledFrame, Labels


def write(labels: Labels, path: Path) -> None:
    """Writes every face, and every name that a face was given or that its caption has."""
    captions = (name for frame in labels.frames if frame.faces for name in frame.names)
    names = distinct(dict.fromkeys([*names_of(labels), *captions]), xml_text)
    node = {name: f"n{k}" for k, name in enumerate(names)}
    graph = nx.Graph(name=xml_text(labels.title))
    graph.add_nodes_from((node[name], {"bipartite": 1, "kind": "name", "label": title}) for name, title in names.items())
    for frame in labels.frames:
        for face in frame.faces:
            graph.add_node(f"f{face.face.id}", **_face(frame, face))
            for name in dict.fromkeys([*frame.names, *([face.name] if face.name else [])]):
                answer = name == face.name
                link: dict[str, Any] = {"caption": name in frame.names, "answer": answer}
                graph.add_edge(f"f{face.face.id}", node[name], **link, **({"confidence": face.confidence} if answer else {}))
    whole_file(path, lambda file: nx.write_graphml(graph, file, encoding="utf-8", named_key_ids=True))


def _face(frame: LabelledFrame, label: Labelled) -> dict[str, Any]:
    box = label.face.box
    attributes: dict[str, Any] = {
        "bipartite": 0,
        "kind": "face",
        "label": f"face {label.face.id}",
        "source": xml_text(where_from(frame)),
        "frame": frame.frame.id,
        "left": box.left,
        "top": box.top,
        "right": box.right,
        "bottom": box.bottom,
        "nobody": not label.name,
        "confidence": label.confidence,
        "state": label.state,
        "annotator": xml_text(label.annotator),
    }
    return attributes if frame.frame.time is None else attributes | {"time": frame.frame.time}
