"""What the review page shows, as plain data for its component."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import streamlit as st

from core.jobs import engine as jobs
from core.jobs.missed import can_embed
from core.records import Frame, clock
from core.store.project import CurrentLabels, Order, Project, Queue
from ui.parts.pictures import picture, thumbnail
from ui.parts.portraits import portraits
from ui.widgets.review.events import EVERYBODY, NAMED, NOBODY, UNKNOWN, Here, last_run, shared
from ui.widgets.review.one_frame import frame_view, title
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


def page_data(project: Project, who: str, tab: Here, frame: int, order: Order, person: str) -> dict[str, Any]:
    """All of it."""
    queue = _queue(project, who, tab, order, person)
    log, now = project.log(), project.current_labels()
    coming = _coming(project, tab, queue, frame, order)
    views, recent = (
        [frame_view(project, tab, queue, number, coming[k : k + 1]) for k, number in enumerate([frame, *coming[:READY]])],
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


def _is_video(project: Project, frame: int) -> bool:
    source = project.frames([frame])[0].source
    return any(other.id == source and other.kind == "video" for other in project.sources())


# --- Around it ---------------------------------------------------------------------------------------------------------


def _side(project: Project, queue: Queue, coming: list[int], order: Order, person: str) -> dict[str, Any]:
    log, now = project.log(), project.current_labels()
    done = not queue.left and order == "help" and person == EVERYBODY and project.review.answers_left() == 0
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
        "rest": int(now.waiting.sum()) if done else 0,
        "order": order,
        "orders": ORDERS,
        "person": person,
        "people": [(UNKNOWN, "Unknown"), (NOBODY, "Nobody"), *((NAMED + name, name) for name in people)],
        "items": items,
    }


def _thumb(frame: Frame, crop: Path | None) -> tuple[str, bool]:
    """A small picture of a frame, else the face that it is about; and whether it is wide. What stands upright is no frame of
    a film: cut to a wide one it would show a pair of eyes."""
    small = None if frame.height > frame.width else thumbnail(frame.picture)
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
