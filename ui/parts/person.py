"""One person: all faces of one name (or of nobody, of somebody unnamed), and what can be done with them."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

import numpy as np
import streamlit as st

from core.problem import NOBODY, IntArray
from core.store.project import CONFIRMED, CONFLICT, CORRECTED, DOUBT, OPEN, UNKNOWN, Change, CurrentLabels, Project
from ui import access
from ui.parts import person_dialogs as dialogs
from ui.parts.people import covers, decided, drawn, existing, in_place_of, message, names_to_choose, turned, where
from ui.parts.pictures import picture
from ui.parts.shell import go, who
from ui.parts.words import counted
from ui.widgets.component import theme
from ui.widgets.faces import SIZE, SORTS, Act, Grid, Kind, Look, State, Tile, face_grid, there_already

STATES: dict[int, State] = {OPEN: "open", CONFIRMED: "confirmed", CORRECTED: "corrected", CONFLICT: "conflict"}
LOOK, ORDER, OPENED, REDRAW = "person_look", "person_order", "person_opened", "person_redraw"


@dataclass(frozen=True)
class Whose:
    """Whose faces are looked at: a name's, nobody's, those without an answer, or an unnamed person's (by a face)."""

    kind: Kind
    name: str = ""
    face: int = -1

    @property
    def title(self) -> str:
        titles = {"nobody": "Nobody", "unknown": "Unknown: who are they?", "stranger": "An unnamed person"}
        return titles.get(self.kind, self.name)

    def rows(self, project: Project) -> IntArray:
        """The rows of ``project.current_labels()``."""
        now = project.current_labels()
        if self.kind == "stranger":
            with_face = [person.faces for person in project.people.strangers() if self.face in person.faces]
            return np.sort(now.rows(with_face[0])) if with_face else np.zeros(0, np.int64)
        number = project.log().find_name(self.name) if self.kind == "name" else None
        wanted = {"nobody": NOBODY, "unknown": UNKNOWN}.get(self.kind, number)
        return np.flatnonzero(now.name == wanted) if wanted is not None else np.zeros(0, np.int64)


def show(project: Project, whose: Whose) -> None:
    """The page: who it is, then the faces."""
    wanted = st.session_state.pop(OPENED, None)
    if wanted is not None:
        go("review", frame=wanted)
    _head(project, whose)
    _faces(project, whose)


def _back() -> None:
    dialogs.answered()
    for parameter in ("person", "group"):
        st.query_params.pop(parameter, None)


def _head(project: Project, whose: Whose) -> None:
    rows = whose.rows(project)
    now, log = project.current_labels(), project.log()
    with st.container(key="person-head", horizontal=True, vertical_alignment="center", gap="small"):
        st.button("All people", key="person_back", icon=":material/arrow_back:", type="tertiary", on_click=_back)
        cover = covers(project, [now.face[rows]])[0]
        root = log.find_name(whose.name) if whose.kind == "name" else None
        spellings = [log.original[name] for name, now_ in log.merged().items() if now_ == root] if root is not None else []
        also = f'<small dir="auto">also written {escape(", ".join(spellings))}</small>' if spellings else ""
        st.html(
            f'<div class="person-who"><img src="{cover}" alt=""><h1 dir="auto">{escape(whose.title)}</h1>{also}</div>',
            width="stretch",
        )
        if whose.kind == "name":
            st.button("Rename", key="person_rename", on_click=dialogs.ask, args=("rename", whose.name))
            st.button("Merge", key="person_merge", on_click=dialogs.ask, args=("merge", whose.name))
            if spellings:
                st.button("Split", key="person_split", on_click=dialogs.ask, args=("split", whose.name))
            if access.is_owner():
                st.button("Delete", key="person_delete", on_click=dialogs.ask, args=("delete", whose.name))
    if whose.kind == "name":
        dialogs.show(project, whose.name)


@st.fragment
def _faces(project: Project, whose: Whose) -> None:
    """The grid; a decision redraws only this."""
    if st.session_state.pop(REDRAW, False) or OPENED in st.session_state:
        st.rerun()
    now, log = project.current_labels(), project.log()
    drawn(project)
    rows = whose.rows(project)
    looked, look, page = st.session_state.get(LOOK, (None, Look(), 0))
    if looked != (project.folder, whose):
        look, page = Look(), 0
    counts = _counts(now, rows, whose)
    if look.kept != "All":
        waiting = (now.state[rows] == OPEN) | (now.state[rows] == CONFLICT)
        rows = rows[waiting == (look.kept == "Open")]
    rows = _ordered(project, whose, rows, look.sort)
    page = min(page, max(0, (len(rows) - 1) // SIZE))
    grid = Grid(
        whose=f"{project.folder}/{whose.kind}/{whose.name}/{whose.face}/{look.kept}",
        kind=whose.kind,
        title=f"Faces: {whose.title}",
        ids=now.face[rows].tolist(),
        sure=_percent(now, rows),
        said=(now.state[rows] != OPEN).astype(int).tolist(),
        look=look,
        page=page,
        counts=counts,
        shown=_tiles(project, now, rows[page * SIZE : (page + 1) * SIZE]),
        names=names_to_choose(project, whose.name),
        version=log.version,
        undo=log.step_back(who()) is not None,
        redo=log.step_forward(who()) is not None,
        message=message(),
        empty=_empty(whose, look.kept),
        theme=theme(),
    )
    face_grid(
        grid,
        "person_grid",
        on_act=lambda act: _act(project, whose, act),
        on_look=lambda asked, to: st.session_state.update({LOOK: ((project.folder, whose), asked, to)}),
        on_open=lambda face: _open(project, face),
    )


def _counts(now: CurrentLabels, rows: IntArray, whose: Whose) -> str:
    state = now.state[rows]
    settled = int(((state == CONFIRMED) | (state == CORRECTED)).sum())
    doubtful = int(((state == OPEN) & (now.confidence[rows] < DOUBT)).sum())
    differ = int((state == CONFLICT).sum())
    parts = [counted(len(rows), "face"), f"{settled:,} settled", f"{doubtful:,} doubtful"]
    parts += [f"people differ on {differ:,}"] if differ else []
    return " · ".join(parts[:1] if whose.kind == "unknown" else parts)


def _percent(now: CurrentLabels, rows: IntArray) -> list[int]:
    return [int(sure) for sure in np.floor(100 * now.confidence[rows] + 1e-6)]


def _empty(whose: Whose, kept: str) -> str:
    if kept != "All":
        return f"No face here is {'open' if kept == 'Open' else 'settled'}."
    if whose.kind == "name":
        return "No face bears this name yet. It is in the captions; move faces here from somebody else's page."
    return "There are no faces here."


def _ordered(project: Project, whose: Whose, rows: IntArray, sort: str) -> IntArray:
    """The rows in the asked order. Faces keep their places while decisions are made, so nothing jumps under the hand."""
    now, solved = project.current_labels(), project.solved()
    confidence = now.confidence[rows]
    keys = {SORTS[0]: -confidence, SORTS[1]: confidence, SORTS[2]: now.frame[rows]}
    order = np.lexsort((now.face[rows], keys[sort]))
    key = (project.folder.name, whose, sort, None if solved is None else solved.run.id)
    before = st.session_state.get(ORDER)
    if before is None or before[0] != key:
        st.session_state[ORDER] = (key, now.face[rows[order]])
        return rows[order]
    place = {face: k for k, face in enumerate(before[1].tolist())}
    faces = now.face[rows[order]].tolist()
    fresh = [face for face in faces if face not in place]
    if fresh:
        st.session_state[ORDER] = (key, np.r_[before[1], np.array(fresh, np.int64)])
        place |= {face: len(place) + k for k, face in enumerate(fresh)}
    return rows[order][np.argsort([place[face] for face in faces], kind="stable")]


def _tiles(project: Project, now: CurrentLabels, rows: IntArray) -> list[Tile]:
    log = project.log()
    faces = {face.id: face for face in project.faces(ids=now.face[rows].tolist())}
    frames = {frame.id: frame for frame in project.frames(sorted({face.frame for face in faces.values()}))}
    have, tiles = there_already(), []
    for row, sure in zip(rows.tolist(), _percent(now, rows), strict=True):
        face = faces[int(now.face[row])]
        answers = log.standing(face.id).answers
        said = ", ".join(dict.fromkeys(answer.who for answer in answers))
        state = STATES[int(now.state[row])]
        crop = "" if face.id in have else picture(face.crop)
        tiles.append(Tile(face.id, crop, sure, state, said, where(frames[face.frame]), face.mark))
    return tiles


# --- What people do ----------------------------------------------------------------------------------------------------


def _open(project: Project, face: int) -> None:
    found = project.faces(ids=[face])
    if found:
        st.session_state[OPENED] = found[0].frame


def _act(project: Project, whose: Whose, act: Act) -> None:
    """One step for all faces, written before the screen changes."""
    if act.action in ("undo", "redo"):
        number = project.log().find_name(whose.name) if whose.kind == "name" else None
        turn = turned(project, act.action)
        if number is not None and any(entry.face is None for entry in turn):  # names have changed, perhaps this one
            st.query_params["person"] = project.log().text(number)
            st.session_state[REDRAW] = True
        return
    faces, count = act.faces, counted(len(act.faces), "face")
    person = whose.name if whose.kind == "name" else ""
    if act.action == "confirm":
        changes = [Change("confirm", face=face, name=person) for face in faces]
        said = f"{count} confirmed as {person or 'nobody'}."
    elif act.action == "not":
        changes = [Change("is not", face=face, name=person) for face in faces]
        said = f"{count}: not {person}. The next run takes this into account."
    elif act.action == "move":
        name = existing(project, act.name)
        changes = [Change("is", face=face, name=name) for face in faces]
        said = f"{count} moved to {name}."
    else:
        words = {"nobody": "marked as nobody", "not a face": "marked as no face", "open": "taken back"}
        changes = [Change(act.action, face=face) for face in faces]  # type: ignore[arg-type]  # one of the three
        said = f"{count} {words[act.action]}."
    decided(project, changes, said if act.action == "confirm" else said + in_place_of(project, faces), act.version)
