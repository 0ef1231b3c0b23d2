"""The review page: one frame, who is who in it, and what to look at next. Its screen is ui/widgets/review."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import streamlit as st

from core.errors import BadInput
from core.jobs import engine as jobs
from core.records import clock
from core.store.project import ORDERS, Order, Project
from ui import access
from ui.parts import accept, playing, shell
from ui.parts.empty import empty
from ui.parts.shell import this_project, top_bar, who
from ui.parts.words import plain
from ui.widgets.play import overlay
from ui.widgets.review.data import first_frame, page_data
from ui.widgets.review.editor import Event, link_editor
from ui.widgets.review.events import EVERYBODY, Here, apply, here, last_run, run, shared

LOOK = 2.0  # seconds between two looks at what others did
SOON = 0.5  # ... while something is on its way


def page() -> None:
    project = this_project()
    top_bar("review", project)
    tab = here(project)
    if not project.count("frame"):
        return empty(project, "Nothing to review yet", "The frames of a film, or pictures, stand here with their captions.")
    if st.query_params.get("frame") is None:
        project.opened()
    with st.container(key="reviewpage"):
        _screen(project, tab)
    busy = bool(shared().boxes) or any(job.state == "running" for job in jobs.jobs(project)[:1])
    st.fragment(_watch, run_every=SOON if busy else LOOK)(project, tab)


@st.fragment
def _screen(project: Project, tab: Here) -> None:
    tab.shown = _state(project)
    try:
        frame = _frame(project, tab)
        data = page_data(project, who(), tab, frame, _order(), _person())
    except BadInput as error:
        st.error(plain(str(error)))
        st.button("Run the model again", key="run_anew", on_click=_run, args=(project, tab))
        if tab.note.wrong:
            st.error(plain(tab.note.text))
        return

    def heard(events: Sequence[Event]) -> None:
        try:
            apply(project, who(), events)
            _run_by_itself(project)
        except BadInput as error:
            tab.say(str(error), wrong=True)

    link_editor(data, "links", heard)
    if tab.leave_to:
        to, tab.leave_to = tab.leave_to, ""
        shell.go(to)
    if tab.play:
        _play(project, tab, frame)
    if tab.accept:
        _accept(project, tab)


def _frame(project: Project, tab: Here) -> int:
    """The frame that the URL names, else where one left off."""
    asked = st.query_params.get("frame", "")
    number = int(asked) if asked.isascii() and asked.isdigit() and len(asked) < 10 else None
    if number is not None and project.frames([number]):
        return number
    found = first_frame(project, who(), tab, _order(), _person())
    if found is None:
        raise BadInput("this project has no frames; add a film or pictures")
    st.query_params["frame"] = str(found)
    return found


def _order() -> Order:
    asked = st.query_params.get("order", "help")
    return next((order for order in ORDERS if order == asked), "help")


def _person() -> str:
    return st.query_params.get("person", EVERYBODY)


# --- What others do ----------------------------------------------------------------------------------------------------


def _state(project: Project) -> tuple[object, ...]:
    work = [(job.id, job.state, job.stage, job.done) for job in jobs.jobs(project)[:1]]
    return project.log().version, last_run(project), project.count("face"), len(shared().boxes), *work


def _watch(project: Project, tab: Here) -> None:
    """Shows what changed elsewhere: other people's decisions, a run that ended, a face that was added.

    Not while the film plays: drawn anew it would stop and begin again. The page is drawn when it is closed.
    """
    if not tab.play and _state(project) != tab.shown:
        st.rerun()


def _run(project: Project, tab: Here) -> None:
    try:
        access.check_listed()
        run(project)
    except BadInput as error:
        tab.say(str(error), wrong=True)


def _run_by_itself(project: Project) -> None:
    """Runs again after as many corrections as the Model page's setting says."""
    after = project.setting("rerun_after")
    idle = not any(job.state == "running" for job in jobs.jobs(project)[:1])
    if after.isdigit() and 0 < int(after) <= project.review.corrected_since() and idle:
        run(project)


# --- What is sure ------------------------------------------------------------------------------------------------------


def _accepted() -> None:
    st.session_state["review"].accept = False


@st.dialog("Accept what is sure", width="medium", on_dismiss=_accepted)
def _accept(project: Project, tab: Here) -> None:
    if accept.show(project):
        tab.accept = False
        tab.say("Everything that was sure is accepted. Press u to undo.")
        st.rerun()


# --- The video ---------------------------------------------------------------------------------------------------------


def _played() -> None:
    st.session_state["review"].play = False


@st.dialog("At this moment", width="medium", on_dismiss=_played)
def _play(project: Project, tab: Here, number: int) -> None:
    frame = project.frames([number])[0]
    source = next(source for source in project.sources() if source.id == frame.source)
    try:
        path = project.to_play(source)
    except BadInput as error:
        st.warning(plain(str(error)))
        if not access.is_owner():
            return
        typed = st.text_input("Where does it lie now?", placeholder=f"/films/{source.title}", key="moved_to")
        if typed:
            try:
                access.check_path(Path(typed))
                project.relocate(source.id, Path(typed))
                st.rerun(scope="fragment")
            except BadInput as again:
                st.error(plain(str(again)))
        return
    shown = playing.film(project, frame, source)
    st.video(str(path), start_time=int(shown.start), autoplay=True, muted=False)
    overlay(shown, "play", lambda face, name: _answered(project, tab, face, name))
    st.caption(f"{plain(source.title)}, from {clock(shown.start)}. Click a box to say who it is.")


def _answered(project: Project, tab: Here, face: int, name: str) -> None:
    try:
        access.check_listed()
        project.decide(who(), *playing.answer(project, face, name))
    except BadInput as error:
        tab.say(str(error), wrong=True)
