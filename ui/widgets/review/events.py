"""What people do on the review page, applied to the project: each event once, in order, on the disk before it is drawn."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import streamlit as st

from core.errors import BadInput
from core.jobs import engine as jobs
from core.jobs.requests import RunMethod
from core.store.project import ORDERS, Change, Project, answering
from ui.widgets.review.editor import Event

CLIENTS = 10_000  # loaded pages that are remembered
EVERYBODY, NOBODY, UNKNOWN, NAMED = "", "nobody", "unknown", "="  # the filter by person in the URL; a name follows the last
Share = tuple[float, float, float, float]


@dataclass
class Missed:
    """A box that somebody drew, while the face in it is looked at."""

    project: str
    frame: int
    box: Share
    error: str = ""


@dataclass
class Shared:
    """What all who use this app share: the last event of each loaded page, and the boxes that are looked at."""

    lock: threading.RLock = field(default_factory=threading.RLock)
    done: dict[str, int] = field(default_factory=dict)
    boxes: list[Missed] = field(default_factory=list)
    worker: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1))


@dataclass(frozen=True)
class Note:
    """Something to tell the person, once: ``number`` counts up in a tab."""

    number: int
    text: str
    wrong: bool


@dataclass
class Here:
    """What one browser tab looks at, beside what its URL says."""

    project: str
    first_run: int | None  # the last run when the tab was opened: later ones are news
    clients: set[str] = field(default_factory=set)
    note: Note = Note(0, "", False)
    why: int | None = None
    play: bool = False
    accept: bool = False
    keys: dict[int, dict[str, int]] = field(default_factory=dict)  # by frame, its names as they stand, and their keys
    at: int = -1  # the frame that is shown,
    passed: set[int] = field(default_factory=set)  # and those that were shown since the last run
    run: int | None = None
    leave_to: str = ""
    skips: int = 0
    shown: tuple[object, ...] = ()  # what was on screen, to see what others changed
    queued: tuple[object, object] | None = None  # the queue and what it was made from

    def move_on(self, frame: int, run: int | None) -> None:
        """Another frame is shown, perhaps; whoever goes back to a frame comes again to the one that they left."""
        if run != self.run:
            self.run, self.passed = run, set()
        if frame != self.at and self.at >= 0 and frame not in self.passed:
            self.passed.add(self.at)
        self.passed.discard(frame)
        self.at = frame

    def say(self, text: str, wrong: bool = False) -> None:
        """Tells the person something; the page shows it in place of its hint, until the next thing they do."""
        self.note = Note(self.note.number + 1, text, wrong)


@st.cache_resource(show_spinner=False)
def shared() -> Shared:
    return Shared()


def here(project: Project) -> Here:
    """This tab's."""
    name = project.folder.name
    if "review" not in st.session_state or st.session_state["review"].project != name:
        st.session_state["review"] = Here(name, last_run(project))
    found: Here = st.session_state["review"]
    return found


def last_run(project: Project) -> int | None:
    """The number of the last run, whether or not its answer can be read."""
    return project.runs()[-1].id if project.runs() else None


def apply(project: Project, who: str, events: Sequence[Event]) -> None:
    """Applies what was not applied yet. What cannot be done is said, and done with."""
    common, tab, to = shared(), here(project), None
    for event in events:
        tab.clients.add(event.client)
        with common.lock:
            if event.number <= common.done.get(event.client, 0):
                continue
            to = event.frame  # the URL that came with the events may be older than what was on screen
            leads_to = event.to
            try:
                if not project.log().knows(event.step):  # a server before this one may have written it
                    leads_to = _apply(project, who, tab, event)
            except BadInput as error:
                tab.say(str(error), wrong=True)
                leads_to = None
            to = to if leads_to is None else leads_to
            common.done[event.client] = event.number
            while len(common.done) > CLIENTS:
                del common.done[next(iter(common.done))]
    if to is not None and str(to) != st.query_params.get("frame"):
        st.query_params["frame"] = str(to)
        project.review.set_place(who, to)


def _apply(project: Project, who: str, tab: Here, event: Event) -> int | None:
    """Applies one event; gives the frame that it leads to, if any."""
    changes = _changes(project, event)
    if changes:
        project.decide(who, *changes, seen=event.seen, step=event.step)
        if event.kind in ("same track", "same person", "ignore") and len(changes) > 1:
            tab.say(f"{len(changes)} faces answered in one go. Press u to undo.")
    elif event.kind in ("undo", "redo"):
        turn = project.undo if event.kind == "undo" else project.redo
        entries = turn(who, event.step)
        if not entries:
            tab.say(f"There is nothing of yours to {event.kind}.")
        return project.review.frame_of(entries)
    elif event.kind == "skip":
        project.review.skip(who, event.frame)
        tab.skips += 1
    elif event.kind == "jump":
        return project.timeline().at(event.share)
    elif event.kind == "order" and event.name in ORDERS:
        st.query_params["order"] = event.name
    elif event.kind == "person":
        st.query_params["person"] = event.name
    elif event.kind == "why":
        tab.why = event.face
    elif event.kind == "play":
        tab.play = True
    elif event.kind == "accept":
        tab.accept = True
    elif event.kind == "who":
        tab.leave_to = "who"
    elif event.kind == "changed":
        tab.leave_to = "model"
    elif event.kind == "run":
        run(project)
    elif event.kind == "box" and event.box is not None:
        look(project, who, event.frame, event.box, event.step)
    return event.to


def _changes(project: Project, event: Event) -> list[Change]:
    """The decisions that an event means; none for one that only moves about."""
    log, face = project.log(), event.face
    if event.kind == "is":
        return [answering.answer_of(face, event.name)]
    if event.kind == "confirm":
        return [Change("confirm", face=face, name=event.name)]
    if event.kind == "frame":
        return [Change("confirm", face=other, name=name) for other, name in event.answers]
    if event.kind == "refuse":
        return [Change("is not", face=face, name=event.name)]
    if event.kind == "take back":
        return answering.take_back(log, face)
    if event.kind == "allow":
        return answering.allow_again(log, face, event.name)
    if event.kind == "strike":
        return answering.strike(log, face, event.name)
    if event.kind == "no face":
        return [Change("not a face", face=face)]
    if event.kind == "ignore":
        return project.review.ignore(face)
    if event.kind == "same track":
        return project.review.spread(face, "track")
    if event.kind == "same person":
        return project.review.spread(face, "person")
    if event.kind == "mention":
        return [Change("mention", frame=event.frame, name=event.name)]
    return []


def run(project: Project) -> None:
    """Runs the model in the background."""
    jobs.start(project, RunMethod())


# --- Missed faces ------------------------------------------------------------------------------------------------------


def look(project: Project, who: str, frame: int, box: Share, step: str) -> None:
    """Adds the face in a box that was drawn, in the background: the networks load for some seconds the first time."""
    common = shared()
    missed = Missed(project.folder.name, frame, box)
    common.boxes.append(missed)

    def work() -> None:
        from core.jobs.missed import add_missed

        try:
            add_missed(project, who, frame, box, step)
            common.boxes.remove(missed)
        except BadInput as error:
            missed.error = str(error)

    common.worker.submit(work)


def boxes(project: Project, tab: Here, frame: int) -> list[Share]:
    """The boxes of a frame that are being looked at. What went wrong is said once."""
    common = shared()
    for missed in [missed for missed in common.boxes if missed.error]:
        common.boxes.remove(missed)
        tab.say(missed.error, wrong=True)
    return [m.box for m in common.boxes if (m.project, m.frame) == (project.folder.name, frame)]
