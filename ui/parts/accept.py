"""Accepting at once what the run is sure of, after a look at some of it drawn at random."""

from __future__ import annotations

from html import escape

import numpy as np
import streamlit as st

from core.errors import BadInput
from core.problem import IntArray
from core.store.project import OPEN, UNKNOWN, Change, Project
from ui import access
from ui.parts.pictures import picture
from ui.parts.shell import who
from ui.parts.words import counted, plain

SAMPLE = 12
LEVELS = (80, 90, 95, 98, 99)


def surest(project: Project, percent: int) -> IntArray:
    """The rows of the labels that nobody has answered and of which the run is so sure."""
    labels = project.current_labels()
    return np.flatnonzero((labels.state == OPEN) & (labels.name != UNKNOWN) & (labels.confidence >= percent / 100))


def show(project: Project) -> bool:
    """The sample and the button; whether everything was accepted."""
    percent = st.select_slider(
        "Everything that Rollcall is at least so sure of",
        LEVELS,
        95,
        format_func=lambda level: f"{level} %",
        key="accept_at",
    )
    rows, labels, log = surest(project, percent), project.current_labels(), project.log()
    if not len(rows):
        st.caption("Nothing that is open is so sure.")
        return False
    drawn = np.random.default_rng([len(rows), percent]).permutation(rows)[:SAMPLE]
    faces = {face.id: face for face in project.faces(ids=labels.face[drawn].tolist())}
    shown = [(faces[int(labels.face[row])], int(labels.name[row])) for row in drawn if int(labels.face[row]) in faces]
    figures = "".join(
        f'<figure><img src="{picture(face.crop)}" alt=""><figcaption dir="auto">'
        f"{escape(log.text(name) if name >= 0 else 'nobody')}</figcaption></figure>"
        for face, name in shown
    )
    st.html(f"<p>Look at {len(shown)} of {counted(len(rows), 'face')}, drawn at random. Is every name right?</p>")
    st.html(f'<div class="accept-sample">{figures}</div>')
    if not st.button(f"All are right: accept {counted(len(rows), 'face')}", key="accept_all", type="primary"):
        return False
    try:
        access.check_listed()
        names = ["" if name < 0 else log.text(name) for name in labels.name[rows].tolist()]
        pairs = zip(labels.face[rows].tolist(), names, strict=True)
        project.decide(who(), *(Change("confirm", face=face, name=name) for face, name in pairs))
    except BadInput as error:
        st.error(plain(str(error)))
        return False
    return True
