"""What the review page shows, as plain data for its component."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import streamlit as st

from core.jobs import engine as jobs
from core.jobs.missed import can_embed
from core.records import Frame, SourceLine, clock
from core.store.project import (
    CurrentLabels,
    FaceLinks,
    Graph,
    Likely,
    Order,
    Project,
    Queue,
    Said,
)
from ui.parts.number_keys import number_keys
from ui.parts.pictures import picture, thumbnail
from ui.parts.portraits import portraits
from ui.widgets.review.events import EVERYBODY, NAMED, NOBODY, UNKNOWN, Here, boxes, last_run, shared
from ui.widgets.review.why import reasons

ORDERS: tuple[tuple[Order, str], ...] = (
    ("help", "What helps most"),
    ("time", "As they come"),
    ("person", "By person"),
    ("state", "Most open first"),
)
AHEAD = 5  # frames shown as the next ones
READY = 1  # of which this many can be shown without asking
BINS = 120
PORTRAITS = 12  # names of which a portrait is there before they are looked for
FRAMES = 20  # shown before, whose keys are remembered


def page_data(project: Project, who: str, tab: Here, frame: int, order: Order, person: str) -> dict[str, Any]:
    """All of it."""
    queue = _queue(project, who, tab, order, person)
    log, now = project.log(), project.current_labels()
    coming = _coming(project, tab, queue, frame, order)
    views, recent = (
        [_view(project, tab, queue, number, coming[k : k + 1]) for k, number in enumerate([frame, *coming[:READY]])],
        project.review.recent_names(who),
    )
    shown = dict.fromkeys([name["name"] for view in views for name in view["names"]] + recent + project.names()[:PORTRAITS])
    return {
        "project": project.folder.name,
        "me": who,
        "version": log.version,
        "frame": frame,
        "views": views,
        "portraits": portraits(project, shown),
        "ack": {client: shared().done.get(client, 0) for client in tab.clients},
        "names": project.names(),
        "recent": recent,
        "queue": _side(project, queue, coming[:AHEAD], order, person),
        "strip": _strip(project, frame),
        "progress": _progress(project, tab, now),
        "note": asdict(tab.note),
        "ran": project.solved() is not None,
        "why": None if tab.why is None else reasons(project, tab.why),
        "can_undo": log.step_back(who) is not None,
        "can_redo": log.step_forward(who) is not None,
        "can_play": _is_video(project, frame),
        "can_box": can_embed(project),
    }


def first_frame(project: Project, who: str, tab: Here, order: Order, person: str) -> int | None:
    """Where ``who`` left off, else the first of the queue; None if there is no frame at all."""
    place = project.review.place(who)
    if place is not None and project.frames([place]):
        return place
    queue = _queue(project, who, tab, order, person)
    if len(queue.frame):
        return int(queue.frame[0])
    timeline = project.timeline()
    return int(timeline.frame[0]) if len(timeline.frame) else None


def _queue(project: Project, who: str, tab: Here, order: Order, person: str) -> Queue:
    """The queue, made anew only when something it depends on has changed."""
    solved = project.solved()
    skips = project.review.skips_state(who)
    key = (
        project.log().version,
        None if solved is None else solved.run.id,
        project.count("face"),
        skips,
        who,
        order,
        person,
    )
    if tab.queued is None or tab.queued[0] != key:
        only = {EVERYBODY: None, NOBODY: "", UNKNOWN: ""}.get(person, person.removeprefix(NAMED))
        tab.queued = (key, project.review.queue(order, who, only, unknown=person == UNKNOWN))
    return tab.queued[1]  # type: ignore[return-value]


def _coming(project: Project, tab: Here, queue: Queue, frame: int, order: Order) -> list[int]:
    """The next open frames; by doubt, those that were not passed since the last run, then the others."""
    tab.move_on(frame, last_run(project))
    found = queue.ahead(frame, tab.passed, AHEAD + 1) if order in ("help", "state") else []
    at = found[-1] if found else frame
    while len(found) <= AHEAD and (following := queue.after(at)) is not None and following not in [frame, *found]:
        found.append(following)
        at = following
    return found


# --- One frame ---------------------------------------------------------------------------------------------------------


def _view(project: Project, tab: Here, queue: Queue, number: int, following: Sequence[int]) -> dict[str, Any]:
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


def _is_video(project: Project, frame: int) -> bool:
    source = project.frames([frame])[0].source
    return any(other.id == source and other.kind == "video" for other in project.sources())


# --- Around it ---------------------------------------------------------------------------------------------------------


def _side(project: Project, queue: Queue, coming: list[int], order: Order, person: str) -> dict[str, Any]:
    log, now = project.log(), project.current_labels()
    people = sorted(log.text(int(name)) for name in np.unique(now.name) if name >= 0)
    frames = {frame.id: frame for frame in project.frames(coming)}
    places = {frame: int(np.flatnonzero(queue.frame == frame)[0]) for frame in coming}
    asks = {frame: int(queue.face[place]) for frame, place in places.items()}
    crops = {face.id: face.crop for face in project.faces(ids=[asks[frame] for frame in coming])}
    items = []
    for number in coming:
        thumb, wide = _thumb(frames[number], crops.get(asks[number]))
        reason, words = project.review.why(asks[number]), title(project, frames[number])
        items.append({"frame": number, "thumb": thumb, "wide": wide, "reason": reason, "title": words})
    return {
        "left": queue.left,
        "order": order,
        "orders": ORDERS,
        "person": person,
        "people": [(UNKNOWN, "Unknown"), (NOBODY, "Nobody"), *((NAMED + name, name) for name in people)],
        "items": items,
    }


def _thumb(frame: Frame, crop: Path | None) -> tuple[str, bool]:
    """A small picture of a frame, else the face that it is about; and whether it is wide."""
    small = thumbnail(frame.picture)
    return (small, True) if small is not None else (picture(crop), False)


def _strip(project: Project, frame: int) -> dict[str, Any]:
    """How many faces are open and settled along the whole."""
    timeline, now = project.timeline(), project.current_labels()
    bins = max(min(BINS, len(timeline.frame)), 1)
    column = np.minimum((timeline.share[timeline.place[now.frame]] * bins).astype(np.int64), bins - 1)
    is_open = now.waiting
    counts = [np.bincount(column[which], minlength=bins).tolist() for which in (is_open, ~is_open)]
    ends = ("0:00", clock(timeline.seconds)) if timeline.seconds else ("1", str(len(timeline.frame)))
    return {"bins": list(zip(*counts, strict=True)), "at": timeline.where(frame), "labels": ends}


def _progress(project: Project, tab: Here, now: CurrentLabels) -> dict[str, Any]:
    solved, all_jobs = project.solved(), jobs.jobs(project)
    last = all_jobs[0] if all_jobs else None
    news = solved is not None and solved.run.id != tab.first_run
    failed = last is not None and last.kind == "run" and last.state == "failed"
    busy = None
    if last is not None and last.state == "running":
        busy = {"stage": last.stage, "share": last.done / last.total if last.total else 0.0}
    changed = _changed(str(project.folder), solved.run.id, project) if news and solved is not None else None
    return {
        "settled": now.settled,
        "faces": len(now.face),
        "named": now.counts.named,
        "unknown": now.counts.unknown,
        "answers": project.review.answers_left(),
        "since": project.review.corrected_since(),
        "job": busy,
        "changed": changed,
        "failed": f"The last run failed: {last.message}" if failed and last is not None else "",
    }


@st.cache_data(show_spinner=False, max_entries=50)
def _changed(folder: str, run: int, _project: Project) -> int:
    return len(_project.what_changed())
