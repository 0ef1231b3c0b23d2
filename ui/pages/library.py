"""The people library: whom it knows, from which projects; turn it on and off, export it, remove people, empty it."""

from __future__ import annotations

import tempfile
from html import escape
from pathlib import Path

import streamlit as st

from core.errors import BadInput
from core.store.project import KnownPerson, Library
from ui import access
from ui.parts.pictures import data_url
from ui.parts.shell import open_project, project_folders, top_bar
from ui.parts.words import ago, counted, plain

CROPS = 6  # of a person
A_PAGE = 60  # people
ASKED = "library_asked"


def page() -> None:
    top_bar("library")
    library = Library()
    with st.container(key="library", width=980):
        st.html("<h1 class='page-title'>People library</h1>")
        if not access.is_owner():
            st.caption("Only owners use the people library; ask one of them.")
            return
        try:
            _show(library)
        except BadInput as error:
            st.error(plain(str(error)))


def _show(library: Library) -> None:
    on, people = library.on, library.people()
    st.html(
        "<p class='quiet'>Names with a few faces that you confirmed. A new project asks it, and people whom it knows come"
        " with a suggestion; the decision stays yours. It lies on this machine alone and is off until you turn it on.</p>"
    )
    st.toggle("Use the people library", value=on, key="library_on", on_change=_turn, args=(library,))
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        st.button("Take in confirmed people of all projects", key="library_take", on_click=_take, disabled=not on)
        if people:
            st.download_button("Export", data=lambda: _exported(library), file_name="people.json", key="library_export")
            st.button("Empty", key="library_empty", type="tertiary", on_click=_ask, args=("",))
    said = st.session_state.pop("library_said", "")
    if said:
        st.html(f"<p class='quiet' role='status'>{escape(said)}</p>")
    if not people:
        empty = "Nobody is in it yet. Confirm people in a project, then run it or take them in here." if on else ""
        st.caption(empty or "It is empty.")
    for one in people[:A_PAGE]:
        _person(library, one)
    if len(people) > A_PAGE:
        st.caption(f"The first {A_PAGE} of {len(people):,} people; `rollcall library` lists them all.")
    asked = st.session_state.get(ASKED)
    if asked is not None:
        _remove(library, asked)


def _person(library: Library, one: KnownPerson) -> None:
    with st.container(key=f"known-{abs(hash(one.name))}", horizontal=True, border=True, vertical_alignment="center"):
        pictures = "".join(f"<img alt='' src='{data_url(crop)}'>" for crop in library.crops(one.name)[:CROPS])
        words = f"{counted(one.faces, 'face')} from {', '.join(one.titles)} · {ago(one.added)}"
        st.html(
            f"<div class='known-person'><div class='known-crops'>{pictures}</div>"
            f"<div><b dir='auto'>{escape(one.name)}</b><p class='quiet'>{escape(words)}</p></div></div>",
            width="stretch",
        )
        label = f"Remove {plain(one.name)}"
        st.button("Remove", key=f"remove-{one.name}", help=label, type="tertiary", on_click=_ask, args=(one.name,))


def _turn(library: Library) -> None:
    try:
        access.check_owner("turn the people library on or off")
        library.turn(bool(st.session_state["library_on"]))
    except BadInput as error:
        st.session_state["library_said"] = str(error)


def _take() -> None:
    given, wrong = 0, []
    for folder in project_folders():
        try:
            access.check_owner("add to the people library")
            given += open_project(folder.name).library.give()
        except BadInput as error:  # the others are taken in all the same
            wrong.append(f" {error}.")
    st.session_state["library_said"] = f"{given:,} people taken in from your projects.{''.join(dict.fromkeys(wrong))}"


def _exported(library: Library) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "people.json"
        library.export(path)
        return path.read_bytes()


def _ask(name: str) -> None:
    st.session_state[ASKED] = name


def _answered() -> None:
    st.session_state.pop(ASKED, None)


@st.dialog("Remove for good", on_dismiss=_answered)
def _remove(library: Library, name: str) -> None:
    whom = f"<b>{escape(name)}</b> and all of their faces go" if name else "Everybody goes"
    st.html(f"<p>{whom} out of the library. Nothing can bring them back; your projects stay as they are.</p>")
    if st.button("Remove for good", type="primary", key="library_remove_now"):
        try:
            access.check_owner("remove people from the library")
            gone = library.remove([name]) if name else library.empty()
        except BadInput as error:
            st.error(plain(str(error)))
            return
        st.session_state["library_said"] = f"{counted(gone, 'face')} removed for good."
        _answered()
        st.rerun()
