"""Long work on the screen: how far it is, how fast, how long it takes yet, and a way to stop it.

While a job goes on, a fragment looks at it a few times a second; the rest of the page stays as it is and usable.
"""

from __future__ import annotations

from html import escape

import streamlit as st

from core.errors import BadInput
from core.jobs import engine as jobs
from core.jobs.engine import Job
from core.jobs.requests import IngestVideo
from core.store.project import Project
from ui import access
from ui.parts.words import duration, plain

LOOK = 0.4  # seconds between two looks at a job
STAGES = {
    "starting": "Starting",
    "shots": "Finding shots",
    "faces": "Looking for faces",
    "names": "Reading names",
    "saving": "Saving",
    "people": "Telling people apart",
    "autoencoder": "Training the autoencoder",
}
INGEST = ("shots", "faces", "names", "saving")
UNITS = {"faces": "picture", "saving": "frame"}  # what is counted in a stage; elsewhere a rate says nothing


def watch(project: Project, key: str, curve: bool = False) -> None:
    """Shows the job that goes on; the whole page runs again when it has ended."""
    st.fragment(_watched, run_every=LOOK)(project, key, curve)


def _watched(project: Project, key: str, curve: bool) -> None:
    try:
        job = jobs.active(project)
    except BadInput:  # the project was removed meanwhile
        job = None
    if job is None:
        st.session_state["ended"] = project.folder.name
        st.rerun()
    assert job is not None
    waiting = any(other.state == "waiting" for other in jobs.jobs(project))
    with st.container(key=f"{key}-job", gap="small"):
        st.html(bar(job, waiting), width="stretch")
        if curve and len(job.curve) > 1:
            from ui.widgets.run_charts import CONFIG, curve_figure

            st.plotly_chart(curve_figure(job), theme=None, key=f"{key}-curve", config=CONFIG, alt=_curve_words(job))
        st.button(
            "Stopping" if job.stop else "Stop",
            key=f"{key}-stop",
            disabled=job.stop,
            on_click=_stop,
            args=(project, job.id),
            icon=":material/stop_circle:",
        )


def _stop(project: Project, number: int) -> None:
    try:
        access.check_listed()
        jobs.stop(project, number)
    except BadInput as error:
        st.toast(plain(str(error)))


def _curve_words(job: Job) -> str:
    return f"{len(job.curve)} values, the last is {job.curve[-1]:.3g}"


def bar(job: Job, more: bool = False) -> str:
    """The job's stages, bar and numbers as HTML; ``more``: another job waits for this one."""
    share = job.done / job.total if job.total else None
    width = "" if share is None else f' style="width:{100 * share:.1f}%"'
    value = "" if share is None else f' aria-valuenow="{100 * share:.0f}"'
    stage = STAGES.get(job.stage, job.stage)
    line = f'<div class="job-line"><b>{escape(stage)}</b><span>{escape(numbers(job))}</span></div>'
    role = f'role="progressbar" aria-valuemin="0" aria-valuemax="100"{value} aria-label="{escape(stage)}"'
    unknown = "" if share is not None else " unknown"
    return f'<div class="job">{line}<div class="job-bar{unknown}" {role}><i{width}></i></div>{_steps(job, more)}</div>'


def _steps(job: Job, more: bool) -> str:
    """What comes before and after the present stage of an ingest."""
    if job.kind != "ingest":
        return ""
    film = f'"request": "{IngestVideo.__name__}"' in job.request  # nothing else has shots
    steps = [step for step in (*INGEST, "people") if (film or step != "shots") and (more or step != "people")]
    here = steps.index(job.stage) if job.stage in steps else -1
    words = {"shots": "Shots", "faces": "Faces", "names": "Names", "saving": "Save", "people": "Name the faces"}
    marks = [
        f'<li class="{"past" if k < here else "here" if k == here else ""}">{words[step]}</li>'
        for k, step in enumerate(steps)
    ]
    return f'<ol class="job-steps">{"".join(marks)}</ol>'


def numbers(job: Job) -> str:
    """How far, how fast, how long yet.

    >>> numbers(Job(1, "ingest", "running", "faces", 30, 90, 0, 0, 15, "", 1, False, (), ""))
    '30 of 90 · 2 pictures a second · 30 s left'
    """
    said = [f"{job.done:,} of {job.total:,}"] if job.total > 1 else []
    if job.rate and job.stage in UNITS:
        said.append(f"{_rate(job.rate, UNITS[job.stage])}")
    if job.left is not None and job.done < job.total:
        said.append(f"{duration(job.left)} left")
    return " · ".join(said)


def _rate(rate: float, unit: str) -> str:
    many, per = (rate, "second") if rate >= 1 else (60 * rate, "minute")
    return f"{many:.0f} {unit}{'' if round(many) == 1 else 's'} a {per}"
