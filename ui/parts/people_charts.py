"""The charts of the people page: who appears when, and with whom. A click leads to the frame, or to the person."""

from __future__ import annotations

from typing import Any

import streamlit as st

from core.store.project import Project
from ui.parts.people import covers, drawn
from ui.widgets import charts
from ui.widgets.component import theme

TO_REVIEW = "people_to_review"  # the frame that was clicked


def when(project: Project) -> None:
    sources = project.sources()
    source = sources[0]
    if len(sources) > 1:
        titles = {one.id: one.title for one in sources}
        asked = st.selectbox("Of", list(titles), format_func=titles.__getitem__, key="when_source", width=360)
        source = next(one for one in sources if one.id == asked)
    drawn(project)
    found = project.people.appearances(source.id)
    if not found.names:
        st.caption("Nobody with a name is seen here yet.")
        return
    faces = {one.name: one.faces for one in project.people.named()}
    figure = charts.timeline(found, covers(project, [faces[name] for name in found.names]), theme())
    words = f"Who appears when in {source.title}: {', '.join(found.names[:10])}"
    st.plotly_chart(
        figure, theme=None, key="when_chart", on_select=_to_frame, selection_mode="points", config=charts.CONFIG, alt=words
    )
    people = sum(1 for one in faces.values() if len(one))
    if people > len(found.names):
        st.caption(f"The {len(found.names)} people with most faces, of {people}.")


def _to_frame() -> None:
    frame = _clicked("when_chart")
    if frame is not None:
        st.session_state[TO_REVIEW] = frame


def together(project: Project) -> None:
    drawn(project)
    found = project.people.together()
    if not found.names:
        st.caption("Nobody with a name is seen yet.")
        return
    st.session_state["together_names"] = found.names
    faces = {one.name: one.faces for one in project.people.named()}
    figure = charts.people_graph(found, covers(project, [faces[name] for name in found.names]), theme())
    words = f"Who appears with whom: {', '.join(found.names[:10])}"
    st.plotly_chart(
        figure,
        theme=None,
        key="together_chart",
        on_select=_to_person,
        selection_mode="points",
        config=charts.CONFIG,
        alt=words,
    )
    people = sum(1 for one in faces.values() if len(one))
    shown = f"The {len(found.names)} people with most faces, of {people}. " if people > len(found.names) else ""
    said = "A portrait is as large as the person is frequent; a line is as wide as two are in one frame together often."
    st.caption(shown + said)


def _to_person() -> None:
    place = _clicked("together_chart")
    names = st.session_state.get("together_names", ())
    if place is not None and place < len(names):
        st.query_params["person"] = names[place]


def _clicked(key: str) -> int | None:
    """The number that belongs to the point that was clicked."""
    state: Any = st.session_state.get(key)
    points = state["selection"]["points"] if state else []
    number = points[0].get("customdata") if points else None
    number = number[0] if isinstance(number, list) and number else number
    return int(number) if isinstance(number, int | float) else None
