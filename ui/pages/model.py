"""The model page: run it, see what changed, compare methods, and read who decided what."""

from __future__ import annotations

from collections.abc import Callable
from html import escape

import numpy as np
import streamlit as st

from core.errors import BadInput
from core.jobs import engine as jobs
from core.jobs.requests import RunMethod
from core.problem import NOBODY
from core.solve import METHODS
from core.store.project import OPEN, UNKNOWN, Project, Run, Solved
from ui import access
from ui.parts.empty import empty
from ui.parts.model_views import compare_view, log_view, people_view, runs_view, truth_view
from ui.parts.pictures import picture
from ui.parts.shell import go, this_project, top_bar
from ui.parts.words import ago, duration, plain
from ui.widgets.progress import watch
from ui.widgets.run_charts import CONFIG, confidence_figure
from ui.widgets.tiles import Tile, tiles

LOOK = 2.0  # seconds between two looks at what others do, while nothing runs
A_PAGE = 24  # faces that changed
RERUN = {"0": "never", "1": "after each answer", "5": "after 5", "10": "after 10", "25": "after 25", "50": "after 50"}
OFFERED = [method for method in METHODS if "-no-" not in method]  # ablations are for comparing


def page() -> None:
    project = this_project()
    top_bar("model", project)
    if (frame := st.session_state.pop("look_at", None)) is not None:
        go("review", frame=frame)
    st.session_state.pop("ended", None)
    jobs.keep_ready()
    if not project.count("face"):
        return empty(project, "Nothing to run on yet", "A run names the faces of a film or of pictures.")
    drawn = _state(project)
    left, right = st.columns([1.15, 1], gap="large")
    runs = project.runs()
    with left, st.container(key="run-panel"):
        _run_panel(project, runs)
    with right:
        _facts(project, runs)
    _views(project, runs)
    if jobs.active(project) is None:  # at the end, so that nothing moves when it comes and goes
        st.fragment(_look_for_others, run_every=LOOK)(project, drawn)


def _views(project: Project, runs: list[Run]) -> None:
    views: dict[str, Callable[[], None]] = {
        "What changed": lambda: _changes(project, runs),
        "Runs": lambda: runs_view(runs),
        "Compare methods": lambda: compare_view(project),
        "Truth": lambda: truth_view(project),
        "Who decided": lambda: people_view(project),
        "Log": lambda: log_view(project),
    }
    # not st.tabs: while the page is drawn anew, it loses a click or goes back to the tab before
    view = st.segmented_control(
        "What to see", list(views), default="What changed", key="model-view", required=True, label_visibility="collapsed"
    )
    views[view or "What changed"]()


# --- What others do ----------------------------------------------------------------------------------------------------


def _state(project: Project) -> tuple[int, int, int]:
    """What the page shows of others' work: the last job, the last run and the last decision."""
    return max((job.id for job in jobs.jobs(project)), default=0), project.count("run"), project.log().version


def _look_for_others(project: Project, drawn: tuple[int, int, int]) -> None:
    """Draws the page anew when somebody else started a run, ended one, or decided something."""
    try:
        changed = _state(project) != drawn
    except BadInput:  # the project was removed meanwhile
        changed = True
    if changed:
        st.rerun()


# --- Running -----------------------------------------------------------------------------------------------------------


def _run_panel(project: Project, runs: list[Run]) -> None:
    st.html("<h2 class='model-h'>Run</h2>")
    if jobs.active(project) is not None:
        watch(project, "model", curve=True)
        _rerun_setting(project)
    else:
        _idle(project, runs)


def _idle(project: Project, runs: list[Run]) -> None:
    since = project.review.corrected_since()
    now = project.current_labels()
    aside = int((now.doubtful & (now.state == OPEN)).sum())
    st.html(f"<p class='run-words'>{_last(runs, project.solved(), aside)}</p>")
    if runs and since:
        said = f"{since} face{'s' if since != 1 else ''} answered since then." if since else ""
        st.html(f"<p class='nudge'>{said} Run again, and the other faces follow from what was said.</p>")
    _how_it_ended(project)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.selectbox("Method", OFFERED, key="run-method", width=170)
        st.button(
            "Run again" if runs else "Run",
            key="run-now",
            type="primary" if since or not runs else "secondary",
            icon=":material/play_arrow:",
            on_click=_start,
            args=(project,),
        )
        st.space("stretch")
        _rerun_setting(project)


def _last(runs: list[Run], solved: Solved | None, aside: int) -> str:
    """What the last run did; ``aside`` faces were left out, for they may be none."""
    if not runs:
        return "No run yet. The first one names the faces from the captions alone."
    run = runs[-1]
    came_to, _, rest = (f"named {run.faces:,} faces" if solved is None else solved.counts.text()).partition("; ")
    around = f"around {run.answered:,} answers of people" if run.answered else "from the captions alone"
    said = f"<b>{escape(run.method)}</b> {came_to} {around} ({duration(run.seconds)}, {ago(run.at)})."
    said += f" {rest[:1].upper()}{rest[1:]}." if rest else ""
    return f"{said} {aside:,} more may be no face{'' if aside == 1 else 's'} at all." if aside else said


def _how_it_ended(project: Project) -> None:
    last = next((job for job in jobs.jobs(project) if job.kind in ("run", "compare")), None)
    if last is None or last.state not in ("failed", "stopped"):
        return
    what = "The last run" if last.kind == "run" else "The last comparison"
    if last.state == "failed":
        st.html(f"<p class='wrong' role='alert'><b>{what} failed.</b> {escape(last.message)}</p>")
    else:
        st.html(f"<p class='quiet' role='status'>{what} was {escape(last.message)}.</p>")


def _start(project: Project) -> None:
    try:
        access.check_listed()
        method = st.session_state["run-method"]  # as chosen when the button was pressed; the page may be older
        jobs.start(project, RunMethod(method))
    except BadInput as error:
        st.toast(plain(str(error)))


def _rerun_setting(project: Project) -> None:
    def chosen() -> None:
        try:
            access.check_owner("change a project's settings")
            project.set_setting("rerun_after", st.session_state["rerun-after"])
        except BadInput as error:
            st.toast(plain(str(error)))

    now = project.setting("rerun_after", "0")
    options = list(RERUN) if now in RERUN else [*RERUN, now]
    st.selectbox(
        "Run again by itself",
        options,
        index=options.index(now),
        format_func=lambda many: RERUN.get(many, f"after {many}"),
        key="rerun-after",
        on_change=chosen,
        disabled=not access.is_owner(),
        width=190,
        help="After so many answers in Review. A setting of this project, for all who work on it.",
    )


# --- What is known -----------------------------------------------------------------------------------------------------


def _facts(project: Project, runs: list[Run]) -> None:
    now = project.current_labels()
    counts = now.counts
    facts = {"faces": f"{counts.faces:,}", "with a name": f"{counts.named:,}"}
    facts |= {"nobody": f"{counts.nobody:,}", "unknown": f"{counts.unknown:,}"}
    facts["settled by people"] = f"{now.settled:,}"
    if runs and runs[-1].accuracy is not None:
        facts["right, by the truth"] = f"{runs[-1].accuracy:.1%}"
    st.html(f"<dl class='facts'>{''.join(f'<div><dd>{v}</dd><dt>{k}</dt></div>' for k, v in facts.items())}</dl>")
    solved = project.solved()
    if solved is None:
        return
    known = now.guess != UNKNOWN
    figure = confidence_figure(now.confidence[known], now.state[known] != OPEN)
    sure = float(np.mean(now.confidence[known] >= 0.95)) if known.any() else 0.0
    st.plotly_chart(
        figure,
        theme=None,
        key="confidence",
        config=CONFIG,
        alt=f"Histogram of confidence: {sure:.0%} of the faces are above 95 %",
    )


def _changes(project: Project, runs: list[Run]) -> None:
    """The faces that the last two runs see differently; those that people answered themselves come last."""
    if len(runs) < 2:
        st.html("<p class='quiet'>After the second run, the faces whose name changed are shown here.</p>")
        return
    log = project.log()
    changed = project.what_changed()
    changed.sort(key=lambda change: change.face in log.settled)
    if not changed:
        st.html("<p class='quiet'>The last run gave every face the name it had before.</p>")
        return
    itself = sum(change.face not in log.settled for change in changed)
    told = len(changed) - itself
    words = f"{itself:,} faces changed by themselves" if itself != 1 else "1 face changed by itself"
    st.html(f"<p class='quiet'>{words}{f', {told:,} because people said so' if told else ''}.</p>")
    page = min(st.session_state.get("changed-page", 0), (len(changed) - 1) // A_PAGE)
    shown = changed[page * A_PAGE : (page + 1) * A_PAGE]
    faces = {face.id: face for face in project.faces(ids=[change.face for change in shown])}

    def called(name: int) -> str:
        return log.text(name) if name >= 0 else "nobody" if name == NOBODY else "unknown"

    tiles(
        [
            Tile(
                (called(change.before), called(change.after)),
                ["said by people"]
                if change.face in log.settled
                else [f"{change.confidence_before:.0%} sure before, {change.confidence_after:.0%} now"],
                picture(faces[change.face].crop),
                faces[change.face].frame,
            )
            for change in shown
            if change.face in faces
        ],
        "changed",
        page,
        -(-len(changed) // A_PAGE),
        on_open=_look_at,
        on_page=lambda number: st.session_state.update({"changed-page": number}),
    )


def _look_at(frame: int) -> None:
    st.session_state["look_at"] = frame
