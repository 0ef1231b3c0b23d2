"""The graph of faces and names, as networkx reads it back."""

from pathlib import Path
from typing import Any

import networkx as nx
import pytest
from hypothesis import given
from networkx.algorithms import bipartite

from core.formats.write import graphml
from core.formats.write.text import xml_text
from core.records import Labels
from tests.core.formats.made import HOSTILE, NAMES, album, face, film, frame, hostile


def read(labels: Labels, path: Path) -> Any:
    graphml.write(labels, path)
    return nx.read_graphml(path)


def names(graph: Any) -> dict[str, str]:
    return {node: data["label"] for node, data in graph.nodes(data=True) if data["kind"] == "name"}


def test_faces_are_linked_to_their_answer_and_to_their_captions_names(tmp_path: Path) -> None:
    faces = [face(0, "Ross", confidence=0.8), face(1, ""), face(2, "Monica", state="corrected", confidence=1.0)]
    graph = read(Labels("t", (frame(0, faces, time=1.5, names=["Ross", "Rachel"]),)), tmp_path / "a.graphml")
    title = names(graph)
    assert sorted(title.values()) == ["Monica", "Rachel", "Ross"]
    links = {(a, title[b]) if b in title else (b, title[a]): data for a, b, data in graph.edges(data=True)}
    assert links == {
        ("f0", "Ross"): {"caption": True, "answer": True, "confidence": 0.8},
        ("f0", "Rachel"): {"caption": True, "answer": False},
        ("f1", "Ross"): {"caption": True, "answer": False},
        ("f1", "Rachel"): {"caption": True, "answer": False},
        ("f2", "Ross"): {"caption": True, "answer": False},
        ("f2", "Rachel"): {"caption": True, "answer": False},
        ("f2", "Monica"): {"caption": False, "answer": True, "confidence": 1.0},
    }
    assert [graph.nodes[f"f{k}"]["nobody"] for k in range(3)] == [False, True, False]
    assert graph.nodes["f2"]["state"] == "corrected"
    assert (graph.nodes["f0"]["left"], graph.nodes["f0"]["time"], graph.nodes["f0"]["source"]) == (100.0, 1.5, "film.mp4")


def test_the_graph_has_two_sides(tmp_path: Path) -> None:
    graph = read(film([["A", "B"], ["B", ""]]), tmp_path / "a.graphml")
    side = {node: data["bipartite"] for node, data in graph.nodes(data=True)}
    assert bipartite.is_bipartite_node_set(graph, [node for node, k in side.items() if k == 0])
    assert sorted(side.values()) == [0, 0, 0, 0, 1, 1]


def test_hostile_names_come_back(tmp_path: Path) -> None:
    graph = read(hostile(), tmp_path / "a.graphml")
    assert list(names(graph).values()) == [xml_text(name) for name in HOSTILE]


@given(name=NAMES)
def test_any_name_comes_back(tmp_path_factory: pytest.TempPathFactory, name: str) -> None:
    graph = read(album([name]), tmp_path_factory.mktemp("graphml") / "a.graphml")
    assert list(names(graph).values()) == [xml_text(name)]
