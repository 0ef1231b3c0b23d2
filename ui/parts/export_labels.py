"""The labels that the export page hands over, gathered once for each state of a project."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import streamlit as st

from core.formats.write.exports import EXPORTS, unfit
from core.formats.write.outgoing import filtered
from core.records import Labels
from core.store.project import Project

State = tuple[int, int, int]
NAMED: dict[str | type[Any], Callable[[Any], Any]] = {
    Project: lambda project: str(project.folder)
}  # what tells projects apart in the caches


@dataclass(frozen=True)
class Filter:
    """What is left out."""

    confirmed: bool = False
    min_confidence: float = 0.0
    without_nobody: bool = False
    source: int | None = None


def labels_of(project: Project, wanted: Filter) -> Labels:
    """The labels that the filter leaves."""
    return _filtered(project, _state(project), wanted)


def reasons(project: Project) -> dict[str, str]:
    """By format, why nothing of the project can be written in it."""
    return _reasons(project, _state(project))


def forget() -> None:
    """Takes what was gathered out of memory, as when somebody was deleted for good."""
    for gathered in (_labels, _filtered, _reasons):
        gathered.clear()


def _state(project: Project) -> State:
    solved = project.solved()
    return project.log().version, -1 if solved is None else solved.run.id, project.count("face")


@st.cache_resource(show_spinner="Gathering the faces", max_entries=4, hash_funcs=NAMED)
def _labels(project: Project, state: State) -> Labels:
    return project.labels()


@st.cache_resource(show_spinner=False, max_entries=4, hash_funcs=NAMED)
def _filtered(project: Project, state: State, wanted: Filter) -> Labels:
    every = _labels(project, state)
    return filtered(every, wanted.confirmed, wanted.min_confidence, wanted.without_nobody, wanted.source)


@st.cache_resource(show_spinner=False, max_entries=20, hash_funcs=NAMED)
def _reasons(project: Project, state: State) -> dict[str, str]:
    every = _labels(project, state)
    return {name: unfit(every, name) for name in EXPORTS}
