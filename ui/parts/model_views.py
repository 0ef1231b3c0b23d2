"""What the model page shows besides running: runs, methods compared, the truth, who decided, and the log."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from html import escape
from itertools import combinations

import numpy as np
import streamlit as st

from core.errors import BadInput
from core.evaluation import ambiguity, figures, metrics
from core.jobs import engine as jobs
from core.jobs.requests import CompareMethods
from core.problem import Problem
from core.solve import METHODS
from core.store.project import LAST, Decision, Log, Project, Run
from ui import access
from ui.parts.pictures import picture
from ui.parts.words import KAPPA, ago, plain
from ui.widgets.run_charts import CONFIG
from ui.widgets.tiles import Tile, tiles

DEFAULT = ["rollcall", "dbgae", "pair-clustering", "cluster-voting"]
A_PAGE = 50  # entries of the log
A_PAGE_OF_FACES = 24
MOST_PEOPLE = 12  # whose agreement is shown


def table(head: Sequence[str], rows: Sequence[Sequence[str]], marks: Sequence[str] = ()) -> None:
    """A small table; ``marks`` are classes of its rows. All of it is text."""
    lines = [
        f"<tr class='{mark}'>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>"
        for row, mark in zip(rows, marks or [""] * len(rows), strict=True)
    ]
    first = "".join(f"<th scope='col'>{escape(cell)}</th>" for cell in head)
    st.html(f"<table class='plain'><thead><tr>{first}</tr></thead><tbody>{''.join(lines)}</tbody></table>")


def quiet(text: str) -> None:
    st.html(f"<p class='quiet'>{escape(text)}</p>")


def when(at: str) -> str:
    """A moment in this machine's time."""
    try:
        return datetime.fromisoformat(at).astimezone().strftime("%-d %b %Y, %H:%M")
    except ValueError:
        return at


# --- Runs and methods --------------------------------------------------------------------------------------------------


def runs_view(runs: list[Run]) -> None:
    if not runs:
        quiet("No run yet.")
        return
    known = any(run.accuracy is not None for run in runs)
    rows = [
        [when(run.at), run.method, f"{run.seconds:.1f}", f"{run.faces:,}", f"{run.answered:,}"]
        + ([_share(run.accuracy)] if known else [])
        for run in reversed(runs[-50:])
    ]
    table(["when", "method", "seconds", "faces", "answered by people", *(["right"] if known else [])], rows)


def compare_view(project: Project) -> None:
    quiet("Lets other methods name the faces around what people said so far. What Review shows stays as it is.")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        chosen = st.multiselect("Methods", list(METHODS), default=DEFAULT, key="compare-methods", width="stretch")
        st.button(
            "Compare",
            key="compare-now",
            disabled=not chosen or jobs.active(project) is not None,
            on_click=_compare,
            args=(project,),
        )
    found = project.comparison.judged(*_problem(project))
    if not found:
        return
    known = found[0].accuracy is not None
    found.sort(key=lambda one: -(one.accuracy if one.accuracy is not None else one.agreement))
    rows = [
        [one.method + ("" if one.fresh else " (before later answers)")]
        + ([_share(one.accuracy), _share(one.f1)] if known else [])
        + [_share(one.agreement), _share(one.named), _share(one.confidence), f"{one.seconds:.1f}"]
        for one in found
    ]
    head = [
        "method",
        *(["right", "F1 of names"] if known else []),
        "agrees with the last run",
        "named",
        "confidence",
        "seconds",
    ]
    table(head, rows, ["ours" if one.method == "rollcall" else "" for one in found])


def _compare(project: Project) -> None:
    try:
        access.check_listed()
        methods = st.session_state["compare-methods"]  # as chosen when the button was pressed; the page may be older
        jobs.start(project, CompareMethods(tuple(methods)))
    except BadInput as error:
        st.toast(plain(str(error)))


def _share(value: float | None) -> str:
    return "–" if value is None or np.isnan(value) else f"{value:.1%}"


# --- The truth ---------------------------------------------------------------------------------------------------------


def _problem(project: Project) -> tuple[Problem, list[int]]:
    """The project as a problem, kept until somebody decides something or something is added."""
    key = (str(project.folder), project.fact("uid"), project.log().version, project.count("face"))
    if st.session_state.get("problem_key") != key:
        st.session_state["problem"], st.session_state["problem_key"] = project.problem(), key
    return st.session_state["problem"]  # type: ignore[no-any-return]


def truth_view(project: Project) -> None:
    """The paper's table and figures on this project."""
    problem, ids = _problem(project)
    if problem.truth is None:
        quiet(
            "The truth is not known here: it comes with problem files that hold it. What people settle is"
            " taken as right everywhere else."
        )
        return
    answers = project.comparison.answers(problem, ids)
    if not answers:
        quiet("No run yet.")
        return
    kinds = ambiguity.kinds(problem)
    rows = []
    for method, answer in answers.items():
        right = answer == problem.truth
        figures_ = [f"{metrics.accuracy(answer, problem.truth):.1%}", f"{metrics.f1(answer, problem.truth):.1%}"]
        rows.append([method, *figures_, *(f"{right[k].mean():.1%}" if k.any() else "–" for k in kinds.values())])
    head = ["method", "right", "F1 of names", *(f"{kind} ({int(k.sum()):,})" for kind, k in kinds.items())]
    table(head, rows, ["ours" if method == LAST else "" for method in answers])
    levels = ambiguity.ratio_levels(problem)
    curves = [ambiguity.curve(method, [answer], problem, levels) for method, answer in answers.items()]
    st.html("<h3 class='model-h'>How ambiguous the names are</h3>")
    st.plotly_chart(
        figures.histogram_figure({escape(project.title): levels}).update_layout(width=None),
        theme=None,
        key="ratios",
        config=CONFIG,
        alt="Histogram of the names' ambiguity ratios",
    )
    st.html("<h3 class='model-h'>How well ambiguous names are told apart</h3>")
    st.plotly_chart(
        figures.curve_figure(curves, levels, LAST).update_layout(width=None), theme=None, key="curves", config=CONFIG,
        alt="Accuracy and F1 of each method by ambiguity ratio",
    )  # fmt: skip


# --- People and the log ------------------------------------------------------------------------------------------------


def people_view(project: Project) -> None:
    log = project.log()
    people = project.review.annotators()
    if not people:
        quiet("Nobody has decided anything yet.")
        return
    last: dict[str, Decision] = {}
    many: dict[str, int] = {}
    for entry in log.entries:
        last[entry.who] = entry
        many[entry.who] = many.get(entry.who, 0) + 1
    people.sort(key=lambda who: -many[who])
    table(
        ["who", "decisions", "faces answered", "last"],
        [[who, f"{many[who]:,}", f"{len(log.last_word(who)):,}", ago(last[who].at)] for who in people],
    )
    pairs = [(a, b, *project.review.agreement(a, b)) for a, b in combinations(people[:MOST_PEOPLE], 2)]
    shared = [(a, b, both, kappa) for a, b, both, kappa in pairs if both]
    if shared:
        st.html("<h3 class='model-h'>Agreement</h3>")
        table(
            ["two people", "faces both answered", "Cohen's kappa"],
            [[f"{a} and {b}", f"{both:,}", "–" if kappa is None else f"{kappa:.2f}"] for a, b, both, kappa in shared],
        )
        st.caption(KAPPA)
    _conflicts(project, log)


def _conflicts(project: Project, log: Log) -> None:
    """The faces on which people differ, each with who says what."""
    faces = sorted(log.conflicts - log.hidden)
    if not faces:
        return
    st.html(f"<h3 class='model-h'>{len(faces):,} face{'s' if len(faces) != 1 else ''} on which people differ</h3>")
    page = min(st.session_state.get("conflicts-page", 0), (len(faces) - 1) // A_PAGE_OF_FACES)
    shown = project.faces(ids=faces[page * A_PAGE_OF_FACES : (page + 1) * A_PAGE_OF_FACES])

    def words(face: int) -> list[str]:
        said = log.standing(face).answers
        return [f"{answer.who}: {'no face or nobody' if answer.name < 0 else log.text(answer.name)}" for answer in said]

    tiles(
        [Tile((f"Face {face.id}",), words(face.id), picture(face.crop), face.frame) for face in shown],
        "conflicts",
        page,
        -(-len(faces) // A_PAGE_OF_FACES),
        on_open=_look_at,
        on_page=lambda number: st.session_state.update({"conflicts-page": number}),
    )


def log_view(project: Project) -> None:
    """All decisions, the latest first."""
    log = project.log()
    if not log.entries:
        quiet("Nobody has decided anything yet.")
        return
    everybody = "everybody"
    people = [everybody, *sorted({entry.who for entry in log.entries})]
    who = st.selectbox("Decisions of", people, key="log-who", width=220)
    entries = [entry for entry in log.entries if who in (everybody, entry.who)]
    pages = -(-len(entries) // A_PAGE)
    page = min(st.session_state.get("log-page", 0), max(pages - 1, 0))
    shown = entries[::-1][page * A_PAGE : (page + 1) * A_PAGE]
    frames = {face.id: face for face in project.faces(ids=[entry.face for entry in shown if entry.face is not None])}
    tiles(
        [
            Tile(
                (log.said(entry) + ("" if log.in_force(entry) else " (undone)"),),
                (entry.who, when(entry.at)),
                picture(frames[entry.face].crop) if entry.face in frames else "",
                frames[entry.face].frame if entry.face in frames else entry.frame,
            )
            for entry in shown
        ],
        "log",
        page,
        pages,
        on_open=_look_at,
        on_page=lambda number: st.session_state.update({"log-page": number}),
        rows=True,
    )


def _look_at(frame: int) -> None:
    st.session_state["look_at"] = frame
