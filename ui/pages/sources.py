"""The sources page: what a project was made from, what came in with each, other captions for it, and taking it out."""

from __future__ import annotations

import json
from html import escape
from pathlib import Path
from typing import Any

import streamlit as st

from core.errors import BadInput
from core.jobs import engine as jobs
from core.jobs import uploads
from core.jobs.archive.search import forget_removed
from core.jobs.intake import check_labels
from core.jobs.requests import Recaption, RunMethod, TakeLabels
from core.records import Source
from core.store.project import UPLOADS, Project
from ui import access
from ui.parts import export_labels
from ui.parts.pictures import forget_pictures
from ui.parts.shell import page as page_of
from ui.parts.shell import this_project, top_bar, who
from ui.parts.words import ago, counted, plain
from ui.widgets.progress import watch

KINDS = {"video": "Film", "pictures": "Pictures", "problem": "Problem file"}
ASKED = "source_asked"


def page() -> None:
    project = this_project()
    top_bar("sources", project)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.html('<h1 class="page-title">Sources</h1>', width="content")
        st.space("stretch")
        if access.is_owner():
            st.button("Add labels", key="add-labels", on_click=_ask, args=("labels", 0), type="tertiary")
            st.page_link(page_of("projects"), label="Add films or pictures", icon=":material/add:")
    if not access.is_owner():
        st.caption("Only owners add and take out films and pictures; ask one of them.")
    going = any(job.active for job in jobs.jobs(project)[:2])
    with st.container(key="sources-work"):
        if going:
            watch(project, "sources")
        else:
            _last(project)
    if st.session_state.get(ASKED) == ("labels", 0):
        _labels(project)
    sources = project.sources()
    if not sources:
        st.caption("Nothing has been added yet.")
    faces = _counts(project)
    for source in sources:
        _show(project, source, faces.get(source.id, (0, 0, 0)), going)


def _last(project: Project) -> None:
    """What the last work had to say, if it was about captions or what came in."""
    last = next((job for job in jobs.jobs(project)[:3] if job.kind == "ingest"), None)
    told = [json.loads(source.summary).get("text") for source in project.sources()]
    if last is not None and last.message and last.message not in told:
        said = uploads.in_short(last.message, project.folder / UPLOADS, project.folder.parent)
        wrong = last.state == "failed"
        st.html(f"<p class='{'wrong' if wrong else 'quiet'}' role='{'alert' if wrong else 'status'}'>{escape(said)}</p>")


def _counts(project: Project) -> dict[int, tuple[int, int, int]]:
    """By source: frames, faces, and frames with a caption."""
    frames = project.frames()
    of_frame = {frame.id: frame.source for frame in frames}
    found: dict[int, list[int]] = {}
    for frame in frames:
        row = found.setdefault(frame.source, [0, 0, 0])
        row[0] += 1
        row[2] += bool(frame.caption)
    for number in project.current_labels().frame.tolist():
        found[of_frame[number]][1] += 1
    return {source: (row[0], row[1], row[2]) for source, row in found.items()}


def _show(project: Project, source: Source, counts: tuple[int, int, int], going: bool) -> None:
    frames, faces, captioned = counts
    kept: dict[str, Any] = json.loads(source.summary)
    with st.container(key=f"source-{source.id}", border=True, gap="small"):
        what = "picture" if source.kind == "pictures" else "frame"
        numbers = " · ".join((counted(frames, what), counted(faces, "face"), f"{captioned:,} with a caption"))
        st.html(
            f"<div class='source-head'><h3>{escape(source.title)}</h3><span class='quiet'>{KINDS[source.kind]}"
            f" · {escape(ago(source.added))}</span></div><p class='counts'>{numbers}</p>"
            + (
                f"<p class='quiet source-summary'>When it was added: {escape(str(kept['text']))}</p>"
                if kept.get("text")
                else ""
            )
        )
        skipped = kept.get("skipped") or []
        if skipped:
            with st.expander(f"{counted(len(skipped), 'file')} could not be used"):
                rows = "".join(f"<li>{escape(str(path))}: {escape(str(why))}</li>" for path, why in skipped[:200])
                st.html(f"<ul class='skipped'>{rows}</ul>")
        if access.is_owner():
            with st.container(horizontal=True, gap="small"):
                if source.kind != "problem":
                    words = "Replace captions" if captioned else "Add captions"
                    st.button(
                        words, key=f"captions-{source.id}", on_click=_ask, args=("captions", source.id), disabled=going
                    )
                st.button(
                    "Take out",
                    key=f"out-{source.id}",
                    on_click=_ask,
                    args=("out", source.id),
                    type="tertiary",
                    disabled=going,
                )
    asked = st.session_state.get(ASKED)
    if asked == ("captions", source.id):
        _captions(project, source)
    if asked == ("out", source.id):
        _take_out(project, source, faces)


def _ask(what: str, source: int) -> None:
    st.session_state[ASKED] = (what, source)


def _answered() -> None:
    st.session_state.pop(ASKED, None)


@st.dialog("Captions", on_dismiss=_answered)
def _captions(project: Project, source: Source) -> None:
    kind = "a table with the columns image and caption" if source.kind == "pictures" else "SRT, VTT, ASS or text with times"
    st.caption(f"Captions for {plain(source.title)}: {kind}. Your decisions stay as they are.")
    file = st.file_uploader("Captions file", key="captions-file")
    typed = st.text_input("Or where it lies on this machine", key="captions-path", placeholder="/home/me/captions.csv")
    if st.button("Use these captions", type="primary", key="captions-now", disabled=not (file or typed.strip())):
        try:
            access.check_owner("replace captions")
            jobs.start(project, Recaption(source.id, _kept(project, file, typed)), RunMethod())
        except BadInput as error:
            st.error(plain(uploads.in_short(str(error), project.folder / UPLOADS)))
            return
        _answered()
        st.rerun()


@st.dialog("Labels of another program", on_dismiss=_answered)
def _labels(project: Project) -> None:
    st.caption("Boxes with names: COCO, Label Studio, CVAT for images 1.1, or a CSV table. They become decisions.")
    file = st.file_uploader("Label file", key="labels-file", type=["json", "xml", "csv"])
    typed = st.text_input("Or where it lies on this machine", key="labels-path", placeholder="/home/me/labels.json")
    if st.button("Take these labels", type="primary", key="labels-now", disabled=not (file or typed.strip())):
        try:
            access.check_owner("add labels")
            path = _kept(project, file, typed)
            check_labels(path)
            jobs.start(project, TakeLabels(path, who()), RunMethod())
        except BadInput as error:
            st.error(plain(uploads.in_short(str(error), project.folder / UPLOADS)))
            return
        _answered()
        st.rerun()


def _kept(project: Project, file: Any, typed: str) -> Path:
    """The file that was given, as a path; an uploaded one is kept with the project."""
    if file is None:
        path = Path(typed.strip().strip("\"'")).expanduser().absolute()
        access.check_path(path)
        if not path.is_file():
            raise BadInput(f"{path}: there is no such file; check the path")
        return path
    return uploads.put(project.folder / UPLOADS / "captions", file.name, file.getbuffer())


@st.dialog("Take out for good", on_dismiss=_answered)
def _take_out(project: Project, source: Source, faces: int) -> None:
    st.html(
        f"<p><b>{escape(source.title)}</b> goes out of this project with {counted(faces, 'face')}, their pictures and"
        " vectors. What was said about them no longer counts. Nothing can bring it back; the files on your disk stay where"
        " they are.</p>"
    )
    if st.button("Take it out for good", type="primary", key="out-now"):
        try:
            access.check_owner("take out films and pictures")
            project.remove_source(who(), source.id)
            forget_removed(project.folder)
            forget_pictures()
            export_labels.forget()
        except (BadInput, OSError) as error:
            st.error(plain(str(error)))
            return
        _answered()
        st.rerun()
