"""What the pages about people share: names to choose from, covers, places in words, and decisions with their messages."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import islice

import numpy as np
import streamlit as st

from core.errors import BadInput
from core.problem import IntArray
from core.records import Frame, clock
from core.store.project import CONFIRMED, CORRECTED, Change, Decision, Project
from ui.parts.pictures import SILHOUETTE, picture
from ui.parts.shell import who
from ui.parts.words import counted

RECENT = 8  # recently used names that come first
LOOKED_THROUGH = 2000  # entries of the log in which they are looked for
CANDIDATES = 6  # faces among which a cover is chosen
EVERY = 3.0  # seconds between two looks at what others did
JUDGED = {"same person": "two groups merged", "two people": "two groups kept apart"}
MESSAGE, DRAWN, IN_DIALOG = "people_message", "people_drawn", "people_in_dialog"
TOLD = 5.0  # seconds that a message is told


# --- Names -------------------------------------------------------------------------------------------------------------


def names_to_choose(project: Project, without: str = "") -> list[str]:
    """All names: those used last by whoever works here, then those with most faces."""
    log, me = project.log(), who()
    used: dict[str, None] = {}
    for entry in islice(reversed(log.entries), LOOKED_THROUGH):
        if entry.who == me and entry.kind == "is" and entry.name is not None and log.in_force(entry):
            used[log.text(entry.name)] = None
            if len(used) == RECENT:
                break
    ordered = dict.fromkeys([*used, *project.people.names()])
    return [name for name in ordered if name != without]


def existing(project: Project, typed: str) -> str:
    """The name as it is written already, if it is there in other capitals; else as typed."""
    typed = " ".join(typed.split())
    names = project.names()
    return typed if typed in names else next((name for name in names if name.casefold() == typed.casefold()), typed)


# --- Faces in pictures and words ---------------------------------------------------------------------------------------


def covers(project: Project, people: Iterable[IntArray]) -> list[str]:
    """For each person the crop of the surest settled face, or of the surest; a sharp and large one if there is."""
    now = project.current_labels()
    chosen: list[list[int]] = []
    for faces in people:
        rows = now.rows(faces[: 50 * CANDIDATES])
        settled = (now.state[rows] == CONFIRMED) | (now.state[rows] == CORRECTED)
        order = np.lexsort((now.face[rows], -now.confidence[rows], ~settled))[:CANDIDATES]
        chosen.append(now.face[rows[order]].tolist())
    known = {face.id: face for face in project.faces(ids=[face for faces in chosen for face in faces])}
    found = []
    for some in chosen:
        there = [known[face] for face in some if face in known and known[face].crop is not None]
        best = next((face for face in there if not face.mark), there[0] if there else None)
        found.append(SILHOUETTE if best is None else picture(best.crop))
    return found


def where(frame: Frame) -> str:
    """Where a frame is, in a word or two."""
    if frame.time is not None:
        return clock(frame.time)
    return frame.path.rsplit("/", 1)[-1] or f"frame {frame.id}"


# --- Decisions ---------------------------------------------------------------------------------------------------------


def decided(project: Project, changes: Sequence[Change], said: str, seen: int | None = None) -> bool:
    """Writes one step, and keeps what there is to say about it, or why not, for the screen that follows."""
    try:
        project.decide(who(), *changes, seen=seen)
    except BadInput as error:
        said = str(error)
        return False
    finally:
        say(said)
    return True


def in_place_of(project: Project, faces: Iterable[int]) -> str:
    """Whose answers a new one for these faces replaces, in words; "" where nobody else answered."""
    log, me = project.log(), who()
    others = Counter(answer.who for face in faces for answer in log.standing(face).answers if answer.who != me)
    if not others:
        return ""
    told = " and ".join(f"{name} ({many})" for name, many in others.most_common(3))
    return f" In place of answers by {told}; u undoes it."


def turned(project: Project, way: str, step: str | None = None) -> Sequence[Decision]:
    """Undoes or redoes the last step of whoever works here, once for each ``step``; gives what it was."""
    try:
        entries = project.undo(who(), step) if way == "undo" else project.redo(who(), step)
        verb = "Undone" if way == "undo" else "Done again"
        say(f"{verb}: {_in_words(project, entries)}." if entries else f"There is nothing to {way}.")
    except BadInput as error:
        entries = ()
        say(str(error))
    return entries


def say(words: str) -> None:
    """Keeps what there is to say about a decision for the screen that follows."""
    st.session_state[MESSAGE] = words, time.monotonic()


def message() -> str:
    """What there is to say about the last decision, for some seconds: the first screen that follows may be replaced by a
    second one before anybody sees it."""
    words, since = st.session_state.get(MESSAGE, ("", 0.0))
    return str(words) if time.monotonic() - since < TOLD else ""


def _in_words(project: Project, entries: Sequence[Decision]) -> str:
    first, log = entries[0], project.log()
    if first.face is None:
        return {"rename": "a new name", "merge": "two names merged", "split": "a name split off"}.get(first.kind, first.kind)
    if first.kind in JUDGED:
        return JUDGED[first.kind]
    name = log.text(first.name) if first.name is not None else ""
    words = {
        "confirm": f"confirmed as {name or 'nobody'}",
        "is": f"named {name}",
        "is not": f"not {name}",
        "nobody": "marked as nobody",
        "ignore": "ignored",
        "not a face": "marked as no face",
        "open": "taken back",
    }
    return f"{counted(len({entry.face for entry in entries}), 'face')} {words.get(first.kind, first.kind)}"


# --- What others do meanwhile ------------------------------------------------------------------------------------------


def drawn(project: Project) -> None:
    """Notes which state of the project is on the screen."""
    st.session_state[DRAWN] = _state(project)


@st.fragment(run_every=EVERY)
def watch(project: Project) -> None:
    """Draws the page anew when somebody else decided something or a run ended; not while a dialog is open."""
    if not st.session_state.get(IN_DIALOG) and st.session_state.get(DRAWN, _state(project)) != _state(project):
        st.rerun()


def _state(project: Project) -> tuple[str, int, int]:
    solved = project.solved()
    return str(project.folder), project.log().version, -1 if solved is None else solved.run.id
