"""The projects page: what there is, how far each is, and a form for a new one."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from html import escape
from typing import Literal

import streamlit as st

from core.errors import BadInput
from core.jobs import engine as jobs
from core.jobs.engine import Job
from core.jobs.requests import FindAgain, RunMethod
from core.store.project import Project, seed_demo
from ui import access
from ui.parts.new_project import new_project
from ui.parts.pictures import forget_pictures
from ui.parts.project_card import Card, archive_cards, card_of, ended_words, head, mosaic
from ui.parts.shell import (
    ASSETS,
    archive_folders,
    forget_project,
    go,
    has_page,
    open_project,
    project_folder,
    project_folders,
    projects_folder,
    top_bar,
)  # fmt: skip
from ui.parts.shell import page as page_of
from ui.parts.words import plain
from ui.widgets.progress import watch

SHIPPED = ASSETS / "demo" / "project"
COLUMNS = 2
DATED = "Its faces were found by an earlier version. Find them again: more are found and followed, and your decisions stay."


def page() -> None:
    top_bar("projects")
    if seed_demo(projects_folder(), SHIPPED) is not None:
        st.session_state["first_steps"] = True
        go("review", project="demo")
    if (name := st.session_state.pop("open", None)) is not None:
        _go_on(name)
    _open_what_has_ended()
    jobs.keep_ready()
    cards = sorted((card_of(folder) for folder in project_folders()), key=lambda card: card.opened, reverse=True)
    left, right = st.columns([2.15, 1], gap="large")
    with left:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.html("<h1 class='page-title'>Projects</h1>", width="content")
            st.space("stretch")
            if access.is_owner() and has_page("library"):
                st.page_link(page_of("library"), label="People library", icon=":material/person_book:")
        archives = archive_folders()
        if archives:
            st.html(archive_cards(archives))
        if not cards and not archives:
            _nothing()
        for start in range(0, len(cards), COLUMNS):
            for column, card in zip(st.columns(COLUMNS, gap="medium"), cards[start : start + COLUMNS], strict=False):
                with column:
                    _show(card)
    if access.is_owner():
        with right:
            new_project()


def _open_what_has_ended() -> None:
    """A project that was made here and has just been taken in opens by itself; news of others are told."""
    name, made = st.session_state.pop("ended", None), st.session_state.get("made")
    if name is None or name != made:
        return
    del st.session_state["made"]
    try:
        last = jobs.jobs(open_project(name))[0]
    except (BadInput, IndexError):
        return
    if last.state == "done":
        _go_on(name)


def _go_on(name: str) -> None:
    """Opens a project where somebody who has said nothing yet begins: with the groups, unless their names are sure."""
    project = open_project(name)
    begun = project.log().settled or not project.runs()
    faceless = all(source.kind == "problem" for source in project.sources())  # nobody can tell who is who without a face
    sure = begun or faceless or (project.people.is_sure() and not project.groups.are_doubtful())
    go("review" if sure else "who", project=name)


# --- Cards ------------------------------------------------------------------------------------------------------


def _nothing() -> None:
    st.html(
        "<div class='nothing'><h2>No projects yet</h2><p>Drop a film and its captions on the right."
        " Rollcall finds the faces, reads the names, and shows who it thinks is who.</p></div>"
    )


def _show(card: Card) -> None:
    name = card.folder.name
    with st.container(key=f"card-{name}", border=True, gap="small"):
        if card.wrong:
            st.html(f"{mosaic([])}<h3>{escape(card.title)}</h3><p class='wrong' role='alert'>{escape(card.wrong)}</p>")
            if access.is_owner():
                st.button("Remove", key=f"delete-{name}", on_click=_ask, args=("delete", name))
            return
        st.html(head(card))
        with st.container(key=f"card-work-{name}"):  # always there, so that what follows keeps its place
            if card.going:
                watch(open_project(name), f"card-{name}")
            else:
                said = ended_words(card.job, card.folder) if card.job else ""
                if said:
                    st.html(said)
        if card.dated and not card.going:
            st.html(f"<p class='quiet'>{DATED}</p>")
        _buttons(card)
    asked = st.session_state.get("asked")
    if asked == ("rename", name):
        _rename(name)
    if asked == ("delete", name):
        _delete(name)


def _buttons(card: Card) -> None:
    name, job = card.folder.name, card.job
    again = (
        not card.going and job is not None and (job.state == "failed" or (job.state == "stopped" and job.kind == "ingest"))
    )
    unnamed = bool(card.faces) and not card.runs and not card.going
    with st.container(horizontal=True, key=f"card-buttons-{name}", vertical_alignment="center", gap="small"):
        if card.faces:
            kind: Literal["primary", "secondary"] = "secondary" if unnamed else "primary"
            st.button("Open", key=f"open-{name}", on_click=_opened, args=(name,), type=kind)
        if again and access.is_owner():
            words = "Try again" if job is not None and job.state == "failed" else "Go on"
            st.button(words, key=f"again-{name}", on_click=_again, args=(name, job))
        elif unnamed:
            st.button("Name the faces", key=f"run-{name}", on_click=_run, args=(name,), type="primary")
        if not access.is_owner():
            return
        if card.dated and not card.going:
            st.button("Find faces again", key=f"find-{name}", on_click=_find_again, args=(name,))
        st.space("stretch")
        st.button("Rename", key=f"rename-{name}", on_click=_ask, args=("rename", name), type="tertiary")
        st.button("Delete", key=f"delete-{name}", on_click=_ask, args=("delete", name), type="tertiary", disabled=card.going)


# --- What the buttons do -----------------------------------------------------------------------------------------------


def _opened(name: str) -> None:
    st.session_state["open"] = name


def _ask(what: str, name: str) -> None:
    st.session_state["asked"] = (what, name)


def _answered() -> None:
    st.session_state.pop("asked", None)


def _run(name: str) -> None:
    _trying(lambda project: jobs.start(project, RunMethod()), name)


def _find_again(name: str) -> None:
    def begin(project: Project) -> None:
        access.check_owner("find faces again")
        jobs.start(project, FindAgain())

    _trying(begin, name)


def _again(name: str, job: Job) -> None:
    def begin(project: Project) -> None:
        access.check_owner("start it again")
        jobs.again(project, job)

    _trying(begin, name)


def _trying(what: Callable[[Project], object], name: str) -> None:
    try:
        access.check_listed()
        what(open_project(name))
    except BadInput as error:
        st.toast(plain(str(error)))


@st.dialog("Rename the project", on_dismiss=_answered)
def _rename(name: str) -> None:
    project = open_project(name)
    title = st.text_input("Title", value=project.title, key=f"title-{name}", max_chars=200)
    if st.button("Rename", type="primary", key="rename-now", disabled=not title.strip()):
        try:
            access.check_owner("rename projects")
            project.retitle(title)
        except BadInput as error:
            st.error(plain(str(error)))
            return
        _answered()
        st.rerun()


@st.dialog("Delete for good", on_dismiss=_answered)
def _delete(name: str) -> None:
    title, empty = name, False
    with suppress(BadInput):
        project = open_project(name)
        title, empty = project.title, not (project.count("face") or project.count("decision"))
    what = (
        "has nothing in it."
        if empty
        else "with its faces, names and every decision goes for good. Nothing can bring it back."
    )
    elsewhere = "Films and pictures that lie elsewhere on this machine stay where they are."
    st.html(f"<p><b>{escape(title)}</b> {what} {elsewhere}</p>")
    typed = title if empty else st.text_input(f"Type the title to delete it: {plain(title)}", key=f"typed-{name}")
    if st.button("Delete for good", type="primary", key="delete-now", disabled=typed.strip() != title.strip()):
        try:
            access.check_owner("delete projects")
            forget_project(name)
            Project.remove(project_folder(name))
            forget_pictures()
        except (BadInput, OSError) as error:
            st.error(plain(str(error)))
            return
        _answered()
        st.rerun()
