"""What would come in, shown in the form for a new project before anything is computed."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

import streamlit as st

from core.errors import BadInput
from core.jobs import intake, uploads
from core.store.project import Project
from ui import access
from ui.parts.shell import open_project
from ui.parts.words import plain

if TYPE_CHECKING:
    from core.jobs.preview import Preview


def foretell(turn: int, look: Callable[[str], Preview]) -> bool:
    """Shows what ``look`` finds for the project that was chosen, and tells whether it can come in."""
    try:
        found = look(str(st.session_state.get(f"new-into-{turn}") or ""))
    except BadInput as error:
        st.error(plain(str(error)))
        return False
    rows = "".join(f"<dt>{escape(what)}</dt><dd dir='auto'>{escape(text)}</dd>" for what, text in found.said())
    st.html(f"<dl class='kinds foretold' role='status'>{rows}</dl>")
    if found.folders:
        st.checkbox("The folders are called after the people in them", key=f"new-folders-{turn}")
    return True


@st.cache_data(show_spinner="Looking at what is there", max_entries=8, ttl=600)
def dropped_preview(ids: tuple[str, ...], _files: Sequence[Any], project: str) -> Preview:
    """Of files that were dropped; they lie in a folder for as long as it takes to look at them."""
    from core.jobs.preview import preview  # loads the readers of films and pictures, which the page does not wait for

    found = intake.sort_out([file.name for file in _files])
    try:
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place)
            try:
                told = preview(intake.offered(found.kind, *uploads.lay_out(folder, _files)), _into(project))
            except BadInput as error:
                raise BadInput(uploads.in_short(str(error), folder)) from error
    except OSError as error:
        full = f"what was dropped cannot be looked into ({error.strerror})"
        raise BadInput(f"{full}; free some space in {tempfile.gettempdir()}, or use On this machine") from error
    return replace(told, notes=(*told.notes, found.left_out())) if found.left else told


@st.cache_data(show_spinner="Looking at what is there", max_entries=8, ttl=60)
def typed_preview(main: str, captions: str, project: str) -> Preview:
    """Of what lies on this machine."""
    from core.jobs.preview import preview

    offer = intake.on_this_machine(main, captions)
    for path in intake.paths(offer):
        access.check_path(path)
    return preview(offer, _into(project))


def _into(project: str) -> Project | None:
    return open_project(project) if project else None
