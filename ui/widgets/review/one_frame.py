"""What the review page shows of one frame: its picture, caption, faces and names, as plain data for its component."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from core.records import Frame, SourceLine, clock
from core.store.project import FaceLinks, Graph, Likely, Project, Queue, Said
from ui.parts.number_keys import number_keys
from ui.parts.pictures import picture
from ui.widgets.review.events import Here, boxes

FRAMES = 20  # shown before, whose keys are remembered


def frame_view(project: Project, tab: Here, queue: Queue, number: int, following: Sequence[int]) -> dict[str, Any]:
    graph, timeline = project.review.graph(number), project.timeline()
    frame = graph.frame
    place = np.flatnonzero(queue.frame == number)
    asks = int(queue.face[place[0]]) if len(place) else -1
    here = [{"name": mention.name, "here": True, "added": mention.added} for mention in graph.mentions]
    own = project.review.number_keys(frame.source)
    spare = own if len(project.names()) <= len(own) else ()  # a small cast stands there on every frame
    known = _known(project, graph)
    names = _in_order(tab, number, here, dict.fromkeys([*graph.elsewhere, *(one.name for _, one in known), *spare]), own)
    screen = [] if frame.time is None else project.lines(frame.source, frame.time)
    screen = [line for line in screen if line.kind != "speech"]
    said = _spoken(frame.caption, screen)
    return {
        "id": number,
        "title": title(project, frame),
        "picture": "" if frame.picture is None or not frame.picture.is_file() else picture(frame.picture),
        "width": frame.width,
        "height": frame.height,
        "caption": _marked(said, _spans(graph)) if said else [],
        "screen": [_written(line, frame) for line in screen],
        "names": names,
        "faces": [_face(links, frame, place) for place, links in enumerate(graph.faces, start=1)],
        "around": _around(project, frame),
        "ghosts": boxes(project, tab, number),
        "asks": asks,
        "reason": project.review.why(asks) if asks >= 0 else "",
        "known": [f"Face {place} may be {one.name}: {one.reason}" for place, one in known],
        "next": following[0] if following else timeline.after(number),
        "previous": timeline.before(number),
        "at": timeline.where(number),
    }


def _in_order(
    tab: Here, frame: int, here: list[dict[str, Any]], others: Iterable[str], own: Mapping[str, int]
) -> list[dict[str, Any]]:
    """The caption's names, then those of others, each by its number key (see ``number_keys``). While the frame is shown a
    name keeps its place and its key."""
    before = tab.keys.get(frame, {})
    shown = {name["name"] for name in here}
    elsewhere = [{"name": name, "here": False, "added": False} for name in others if name not in shown]
    names = {name["name"]: name for some in (here, elsewhere) for name in sorted(some, key=lambda n: own.get(n["name"], 99))}
    gone = [name for name in before if name not in names]
    names |= {name: {"name": name, "here": False, "added": False} for name in gone}
    order = [*before, *(name for name in names if name not in before)]
    while order and order[-1] in gone:  # nothing behind it moves
        order.pop()
    keys = number_keys(order, own, before)
    tab.keys = {**{k: v for k, v in list(tab.keys.items())[-FRAMES:] if k != frame}, frame: keys}
    return [names[name] | {"key": keys[name]} for name in order]


def _known(project: Project, graph: Graph) -> list[tuple[int, Likely]]:
    """Open faces whom the people library knows: their place in the frame, and who they may be."""
    open_ = [(place, links.face.id) for place, links in enumerate(graph.faces, start=1) if not links.said]
    found = project.library.ask([np.array([face]) for _, face in open_])
    refused = {links.face.id: set(links.refused) for links in graph.faces}
    pairs = zip(open_, found, strict=True)
    return [(place, one) for (place, face), one in pairs if one and one.sure and one.name not in refused[face]]


def _around(project: Project, frame: Frame) -> list[tuple[str, str]]:
    """What is said just before and after a moment of a video: when, and the caption."""
    timeline = project.timeline()
    near = {"before": timeline.before(frame.id), "after": timeline.after(frame.id)}
    frames = {other.id: other for other in project.frames([number for number in near.values() if number is not None])}
    found = [(when, frames[number]) for when, number in near.items() if number is not None]
    return [
        (when, other.caption)
        for when, other in found
        if other.time is not None and other.source == frame.source and other.caption not in ("", frame.caption)
    ]


def _spoken(caption: str, screen: Sequence[SourceLine]) -> str:
    """A caption without the names that stand on the screen, which are its last lines."""
    lines, shown = caption.split("\n"), {line.text for line in screen if line.name}
    while lines and lines[-1] in shown:
        lines.pop()
    return "\n".join(lines)


def _written(line: SourceLine, frame: Frame) -> dict[str, Any]:
    """A text on the screen: where it stands, as shares of the picture, and whom it names."""
    box, sized = line.box, frame.width > 0 and frame.height > 0
    edges = (
        [box.left / frame.width, box.top / frame.height, box.right / frame.width, box.bottom / frame.height]
        if (box is not None and sized)
        else None
    )
    return {"text": line.text, "name": line.name, "kind": line.kind, "box": edges}


def _spans(graph: Graph) -> list[tuple[int, int, str]]:
    return [(start, stop, mention.name) for mention in graph.mentions for start, stop in mention.spans]


def _marked(caption: str, spans: Sequence[tuple[int, int, str]]) -> list[tuple[str, str]]:
    """A caption in parts: (text, the name it stands for or ""), names where ``spans`` say."""
    parts, at = [], 0
    for start, stop, name in sorted(spans):
        if start >= at and stop <= len(caption):
            parts += [(caption[at:start], ""), (caption[start:stop], name)]
            at = stop
    return [part for part in [*parts, (caption[at:], "")] if part[0]]


def _face(links: FaceLinks, frame: Frame, place: int) -> dict[str, Any]:
    face, box = links.face, links.face.box
    framed = frame.width > 0 and frame.height > 0 and box.right > box.left
    size = (frame.width, frame.height) * 2
    edges = (box.left, box.top, box.right, box.bottom)
    return {
        "id": face.id,
        "place": place,
        "box": [edge / whole for edge, whole in zip(edges, size, strict=True)] if framed else None,
        "crop": picture(face.crop),
        "mark": face.mark,
        "said": [_said(said) for said in links.said],
        "refused": list(links.refused),
        "thought": [(thought.name, thought.confidence) for thought in links.thought],
        "track": links.track,
        "person": links.person,
    }


def _said(said: Said) -> dict[str, Any]:
    return {"name": said.name, "who": said.who} | ({"stranger": True} if said.stranger else {})


def title(project: Project, frame: Frame) -> str:
    """A frame in a few words."""
    if frame.time is not None:
        return f"Frame {frame.id + 1} · {clock(frame.time)}"
    return f"Frame {frame.id + 1} · {Path(frame.path).name}" if frame.path else f"Frame {frame.id + 1}"
