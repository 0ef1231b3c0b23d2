"""What a project without faces shows on every page: that there is nothing yet, why, and where to add something."""

from __future__ import annotations

from html import escape

import streamlit as st

from core.jobs import engine as jobs
from core.store.project import Project
from ui import access
from ui.parts.project_card import ended_words
from ui.parts.shell import page
from ui.widgets.progress import watch


def empty(project: Project, heading: str, words: str) -> None:
    """Says so; with the work that is on its way, or how the last one ended."""
    with st.container(key="empty", horizontal_alignment="center", gap="small"):
        st.html(f"<div class='nothing'><h2>{escape(heading)}</h2><p>{escape(words)}</p></div>")
        if jobs.active(project) is not None:
            with st.container(width=420):
                watch(project, "empty")
            return
        last = next(iter(jobs.jobs(project)), None)
        if last is not None and (said := ended_words(last, project.folder)):
            st.html(said, width=420)
        if access.is_owner():
            st.page_link(page("projects"), label="Add a film or pictures", icon=":material/add:", width="content")
