"""A portrait beside every name: a face that people confirmed, else the cast sheet's, else the surest that the run found."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import streamlit as st

from core.store.project import DOUBT, CurrentLabels, Project
from ui.parts.pictures import thumbnail

KEPT = "portraits"


def portraits(project: Project, names: Iterable[str]) -> dict[str, str]:
    """By name, a small picture; names of which there is none are left out. Found once a run, for they change little."""
    log, solved = project.log(), project.solved()
    key = (str(project.folder), log.names_changed, None if solved is None else solved.run.id)
    state, found, version = st.session_state.get(KEPT, (None, {}, -1))
    if state != key:
        found = {}
    missing = [name for name in names if name not in found or (not found[name] and version != log.version)]
    if missing:
        labels = project.current_labels()
        seen = set(labels.name[~labels.waiting | (labels.confidence >= DOUBT)].tolist())
        for name in missing:
            number = log.find_name(name)
            found[name] = _portrait(project, labels, number if number in seen else None, name)
    st.session_state[KEPT] = (key, found, log.version)
    return {name: found[name] for name in names if found[name]}


def _portrait(project: Project, labels: CurrentLabels, number: int | None, name: str) -> str:
    rows = np.flatnonzero(labels.name == number) if number is not None else np.zeros(0, np.int64)
    settled = rows[~labels.waiting[rows]]
    sheet = project.cast_picture(name)
    if sheet is not None and not len(settled):
        return thumbnail(sheet) or ""
    rows = settled if len(settled) else rows[labels.confidence[rows] >= DOUBT]
    if not len(rows):
        return ""
    best = rows[np.lexsort((labels.face[rows], -labels.shows[rows]))[0]]
    faces = project.faces(ids=[int(labels.face[best])])
    return (thumbnail(faces[0].crop) or "") if faces else ""
