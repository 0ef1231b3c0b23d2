"""The team page: frames for annotators, differing answers side by side, and how far people agree over time."""

from __future__ import annotations

from html import escape
from itertools import combinations

import streamlit as st

from core.errors import BadInput
from core.store.project import Change, Difference, Member, Project, answering
from ui import access
from ui.parts.pictures import SILHOUETTE, picture
from ui.parts.portraits import portraits
from ui.parts.shell import this_project, top_bar, who
from ui.parts.words import KAPPA, ago, counted, plain
from ui.widgets.run_charts import CONFIG, agreement_figure

SHOWN = 12  # differences on one page
NO_FACE, NOBODY = "no face", "nobody"


def page() -> None:
    project = this_project()
    top_bar("team", project)
    st.html('<h1 class="page-title">Team</h1>')
    members = project.team.members()
    left, right = st.columns([10, 11], gap="large")
    with left:
        _differences(project)
    with right:
        _members(project, members)
        if access.is_owner():
            _assign(project, members)
        _agreement(project, members)


# --- Where people differ -----------------------------------------------------------------------------------------------


def _differences(project: Project) -> None:
    found = project.team.differences()
    st.html(f"<h2 class='team-title'>Differing answers <span class='quiet'>{len(found)}</span></h2>")
    if not found:
        st.caption("Nobody differs. Answers that do are put side by side here, with who said what.")
    for one in found[:SHOWN]:
        _difference(project, one)
    if len(found) > SHOWN:
        st.caption(f"{len(found) - SHOWN} more follow when these are settled.")


def _difference(project: Project, one: Difference) -> None:
    frame = project.frames([one.face.frame])[0]
    with st.container(key=f"differ-{one.face.id}", border=True, gap="small"):
        caption = escape(frame.caption) or "<i>no caption</i>"
        st.html(
            f"<div class='differ'><img src='{picture(one.face.crop)}' alt=''>"
            f"<img class='whole' src='{picture(frame.picture)}' alt=''><p dir='auto'>{caption}</p></div>"
        )
        known = portraits(project, [said.name for said in one.answers if said.name])
        with st.container(horizontal=True, gap="small"):
            for k, said in enumerate(one.answers):
                name = NO_FACE if said.name is None else said.name or NOBODY
                with st.container(width="stretch", gap=None):
                    looks = f"<img src='{known.get(said.name, SILHOUETTE)}' alt=''>" if said.name else ""
                    st.html(f"<div class='who-face'>{looks}</div>")
                    st.button(
                        plain(name), key=f"settle-{one.face.id}-{k}", width="stretch",
                        on_click=_settle, args=(project, one.face.id, said.name),
                    )  # fmt: skip
                    st.html(f"<p class='quiet who'>{escape(said.who)}, {escape(ago(said.at))}</p>")
        other = st.selectbox(
            "Neither", ["", *project.names()], key=f"other-{one.face.id}", format_func=lambda name: name or "Neither: …",
            label_visibility="collapsed",
        )  # fmt: skip
        if other and st.button(f"It is {plain(other)}", key=f"settle-{one.face.id}-other", type="primary"):
            _settle(project, one.face.id, other)
            st.rerun()


def _settle(project: Project, face: int, name: str | None) -> None:
    try:
        access.check_listed()
        change = Change("not a face", face=face) if name is None else answering.answer_of(face, name)
        project.decide(who(), change)
    except BadInput as error:
        st.session_state["team_wrong"] = str(error)


# --- Who has what ------------------------------------------------------------------------------------------------------


def _members(project: Project, members: list[Member]) -> None:
    wrong = st.session_state.pop("team_wrong", "")
    if wrong:
        st.error(plain(wrong))
    st.html("<h2 class='team-title'>Annotators</h2>")
    if not members:
        st.caption("Nobody has answered or been given anything yet.")
        return
    rows = "".join(_row(one) for one in members)
    head = "<tr><th>Who</th><th>Frames</th><th>Done</th><th>Blind</th><th>Faces answered</th></tr>"
    st.html(f"<table class='team'><thead>{head}</thead><tbody>{rows}</tbody></table>")
    given = [one.who for one in members if one.frames]
    if given and access.is_owner():
        with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
            whose = st.selectbox("Take back all frames of", given, key="team-back")
            st.button("Take back", key="team-back-now", on_click=_take_back, args=(project, whose))


def _row(one: Member) -> str:
    share = 100 * one.done / one.frames if one.frames else 0
    bar = f"<div class='settled'><i style='width:{share:.0f}%'></i></div>" if one.frames else ""
    return (
        f"<tr><td dir='auto'>{escape(one.who)}</td><td>{one.frames or '–'}</td>"
        f"<td>{one.done if one.frames else '–'}{bar}</td><td>{one.double or '–'}</td><td>{one.answers:,}</td></tr>"
    )


def _take_back(project: Project, whose: str) -> None:
    try:
        access.check_owner("take frames back")
        project.team.take_back(whose)
    except BadInput as error:
        st.session_state["team_wrong"] = str(error)


def _assign(project: Project, members: list[Member]) -> None:
    st.html("<h2 class='team-title'>Give frames</h2>")
    known = sorted({who(), *(one.who for one in members), *access.listed()})
    sources = {None: "All sources"} | {source.id: source.title for source in project.sources()}
    with st.form("team-assign", border=True):
        people = st.multiselect("To", known, key="team-people", accept_new_options=True, placeholder="Names of annotators")
        one, two = st.columns(2)
        source = one.selectbox("From", list(sources), format_func=sources.__getitem__, key="team-source")
        person = two.selectbox(
            "Where this person is", ["", *project.names()], key="team-person", format_func=lambda n: n or "Anybody"
        )
        double = st.slider("Answered blind by two", 0, 100, 10, 5, format="%d %% of the frames", key="team-double")
        settled = st.checkbox("Also frames whose faces are all answered", key="team-all")
        if st.form_submit_button("Give them", type="primary"):
            try:
                access.check_owner("give frames to others")
                frames = project.team.frames(source, person or None, not settled)
                share = double / 100 if len(people) > 1 else 0.0
                many = project.team.assign(who(), frames, people, share)
            except BadInput as error:
                st.error(plain(str(error)))
                return
            st.session_state["team_given"] = f"{counted(many, 'frame')} given to {', '.join(people)}."
            st.rerun()
    said = st.session_state.pop("team_given", "")
    if said:
        st.success(plain(said))


# --- How far they agree ------------------------------------------------------------------------------------------------


def _agreement(project: Project, members: list[Member]) -> None:
    people = [one.who for one in members if one.answers]
    found = {(a, b): project.team.over_time(a, b) for a, b in combinations(people, 2)}
    found = {pair: days for pair, days in found.items() if days}
    st.html("<h2 class='team-title'>Agreement</h2>")
    if not found:
        st.caption("Two people have to answer the same faces without seeing each other's answers. Give some frames to two.")
        return
    rows = []
    for (a, b), days in found.items():
        last = days[-1]
        kappa = "–" if last.kappa is None else f"{last.kappa:.2f}"
        rows.append(
            f"<tr><td dir='auto'>{escape(a)} and {escape(b)}</td><td>{last.same:,} of {last.faces:,}</td>"
            f"<td>{kappa}</td></tr>"
        )
    head = "<tr><th>Who</th><th>The same answer</th><th>Cohen's kappa</th></tr>"
    st.html(f"<table class='team'><thead>{head}</thead><tbody>{''.join(rows)}</tbody></table>")
    st.caption(KAPPA)
    lines = {f"{escape(a)} and {escape(b)}": [(day.day, day.kappa) for day in days] for (a, b), days in found.items()}
    said = "Cohen's kappa of each two people, day by day"
    st.plotly_chart(agreement_figure(lines), theme=None, width="stretch", key="team-agreement", config=CONFIG, alt=said)
