"""Who are these people? Groups of look-alikes without a name, the most seen first: one click names a group."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import streamlit as st

from core.errors import BadInput
from core.jobs import engine as jobs
from core.jobs.requests import RunMethod
from core.store.project import Change, Group, Known, Library, Overview, Pair, Project, Suggestion
from ui import access
from ui.parts.empty import empty
from ui.parts.number_keys import number_keys
from ui.parts.people import covers, drawn, existing, message, names_to_choose, say, turned, watch, where
from ui.parts.pictures import SILHOUETTE, Sheet, data_url, picture, thumbnail
from ui.parts.portraits import portraits
from ui.parts.shell import go, this_project, top_bar, who
from ui.parts.words import counted, duration
from ui.widgets.component import theme
from ui.widgets.groups import Card, Met, Offer, Portrait, Said, SamePerson, View, groups, there_already
from ui.widgets.progress import STAGES

CROPS = 7  # of a card
SIDE = 4  # of each side of a pair
MET = 6  # frames that show two people who were called one
DONE, LEAVE, RUNNING, TOGETHER = "groups_done", "groups_leave", "groups_running", "groups_together"
LOOK = 1.0  # seconds between two looks at a run


def page() -> None:
    project = this_project()
    top_bar("who", project)
    if not project.count("face"):
        return empty(project, "Nobody to name yet", "The faces of a film or of pictures stand here, for you to name.")
    jobs.keep_ready()
    there_already()  # a page that opens has no pictures yet
    with st.container(key="whopage"):
        _screen(project)
    if jobs.active(project) is not None:
        st.fragment(_wait, run_every=LOOK)(project)
    watch(project)


def _wait(project: Project) -> None:
    if jobs.active(project) is None:
        st.rerun()


@st.fragment
def _screen(project: Project) -> None:
    leave = st.session_state.pop(LEAVE, None)
    if leave is not None:
        go(*leave) if isinstance(leave, tuple) else go("review", frame=leave)
    if bool(st.session_state.pop(RUNNING, False)):
        st.rerun()
    drawn(project)
    groups(_view(project), "groups", lambda events: _apply(project, events))


def _lead(project: Project, found: Overview) -> str:
    counts = project.current_labels().counts
    rest = [f", {many:,} {what}" for many, what in ((counts.nobody, "nobody"), (counts.unknown, "unknown")) if many]
    said = f"{counts.named:,} of {counts.faces:,} faces named{''.join(rest)}."
    names = any(group.suggestions for group in found.groups)
    how = "One click names a group." if names else "Type the name of each group." if found.groups else ""
    return f"{said} {how}".strip()


# --- What is shown -----------------------------------------------------------------------------------------------------


def _view(project: Project) -> View:
    found, log, sheet = project.groups.overview(), project.log(), Sheet()
    job = jobs.active(project)
    seen = sheet.marks(covers(project, [k.faces for k in found.known]))
    named = dict(zip((one.name for one in found.known), seen, strict=True))
    suggested = dict.fromkeys(one.name for group in found.groups for one in group.suggestions)
    offered = {name: sheet.mark(one) for name, one in (_from_library(found) | portraits(project, suggested)).items()}
    crops = {face: sheet.mark(crop) for face, crop in _crops(project, found).items()}
    keys = _keys(project, found.groups)
    met = _met(project, sheet)
    return View(
        pictures=sheet.without(there_already()),
        cards=[_card(group, crops, own) for group, own in zip(found.groups, keys, strict=True)],
        portraits=offered | {name: cover for name, cover in named.items() if name in suggested},
        left=found.left,
        known=[_portrait(one, named[one.name]) for one in found.known],
        pairs=[_pair(pair, found, crops) for pair in found.pairs],
        names=names_to_choose(project),
        counts=_lead(project, found),
        since=project.review.corrected_since(),
        running="" if job is None else STAGES.get(job.stage, job.stage) or "Running",
        version=log.version,
        undo=log.step_back(who()) is not None,
        redo=log.step_forward(who()) is not None,
        message=message(),
        met=met,
        project=project.folder.name,
        ack=dict(st.session_state.get(DONE, {})),
        theme=theme(),
    )


def _met(project: Project, sheet: Sheet) -> list[Met]:
    """The frames that show both of two groups that were just called one person."""
    frames = project.frames(list(st.session_state.get(TOGETHER, ()))[:MET])
    return [Met(frame.id, sheet.mark(thumbnail(frame.picture) or SILHOUETTE), where(frame)) for frame in frames]


def _from_library(found: Overview) -> dict[str, str]:
    """Portraits of people whom the library knows."""
    names = {one.name for group in found.groups for one in group.suggestions if one.reason}
    library = Library()
    crops = {name: library.crops(name)[:1] for name in names}
    return {name: data_url(crop[0]) for name, crop in crops.items() if crop}


def _crops(project: Project, found: Overview) -> dict[int, str]:
    wanted = [face for group in found.groups for face in group.faces[:CROPS].tolist()]
    wanted += [face for one in found.known for face in one.faces[:SIDE].tolist()]
    return {face.id: picture(face.crop) for face in project.faces(ids=wanted)}


def _keys(project: Project, found: Sequence[Group]) -> list[dict[str, int]]:
    """For each group the names that have a number key of their own where its first face is."""
    labels = project.current_labels()
    frames = labels.frame[labels.rows(np.array([group.faces[0] for group in found], np.int64))].tolist()
    sources = {frame.id: frame.source for frame in project.frames(frames)}
    own = {source: project.review.number_keys(source) for source in set(sources.values())}
    return [own[sources[frame]] for frame in frames]


def _card(group: Group, crops: dict[int, str], own: dict[str, int]) -> Card:
    keys = number_keys([one.name for one in group.suggestions], own, {})
    offers = [
        Offer(
            one.name,
            _spoken(one, group.frames),
            str(one.captions or ""),
            keys[one.name],
            one.sure,
            best=k == 0 and one.founded,
        )
        for k, one in enumerate(group.suggestions)
    ]
    faces = group.faces.tolist()
    seen = f"{duration(group.seconds)} · " if group.seconds else ""
    words = f"{seen}{counted(len(faces), 'face')} in {counted(group.frames, 'frame')}"
    shown = faces[:CROPS] if len(faces) <= CROPS else faces[: CROPS - 1]  # else the last place says how many more there are
    return Card(group.key, faces, [crops[face] for face in shown], words, group.seconds, offers)


def _spoken(one: Suggestion, frames: int) -> str:
    """What speaks for a name, in a few words."""
    said = [f"{one.captions} of {counted(frames, 'caption')}"] if one.captions else []
    known = [one.reason] if one.reason else []
    sure = [f"{one.chance:.0%}"] if one.chance >= (0.5 if known else 0.01) else []  # 2 % would speak against the looks
    return " · ".join([*known, *said, *sure]) or "in no caption here"


def _portrait(one: Known, cover: str) -> Portrait:
    seen = f"{duration(one.seconds)} · " if one.seconds else ""
    return Portrait(one.name, cover, f"{seen}{counted(len(one.faces), 'face')}", [int(one.faces.min())])


def _pair(pair: Pair, found: Overview, crops: dict[int, str]) -> SamePerson:
    faces = {group.key: group.faces for group in found.groups}
    known = {one.name: one.faces for one in found.known}
    both = faces[pair.one], known[pair.name] if pair.name else faces[pair.other]
    sides = [[crops[face] for face in some[:SIDE].tolist() if face in crops] for some in both]
    return SamePerson(pair.one, pair.other, pair.name, (sides[0], sides[1]))


# --- What people do ----------------------------------------------------------------------------------------------------


def _apply(project: Project, events: Sequence[Said]) -> None:
    """Applies what was not applied yet, each once and in order; what cannot be done is said."""
    done: dict[str, int] = st.session_state.setdefault(DONE, {})
    settled = []
    for event in events:
        if event.number <= done.get(event.client, 0):
            continue
        done[event.client] = event.number
        try:
            if not project.log().knows(event.step):
                _say(_applied(project, event))
                settled += [event] if event.kind == "name" else []
        except BadInput as error:
            _say(str(error))
    if len(settled) > 1:
        faces = sum(len(event.faces) for event in settled)
        _say(f"{len(settled)} groups named, {counted(faces, 'face')} settled; undo takes them back one by one.")


def _say(text: str) -> None:
    if text:
        say(text)


def _applied(project: Project, event: Said) -> str:
    st.session_state[TOGETHER] = ()
    if event.kind in ("name", "ignore", "no face"):
        project.decide(who(), *_changes(project, event), seen=event.seen, step=event.step)
        return _settled(project, event)
    if event.kind in ("join", "apart"):
        return _judge(project, event)
    if event.kind in ("undo", "redo"):
        turned(project, event.kind, event.step)
    elif event.kind == "run":
        access.check_listed()
        jobs.start(project, RunMethod())
        st.session_state[RUNNING] = True
    elif event.kind == "review":
        st.session_state[LEAVE] = ("review",)
    elif event.kind == "frame" and project.frames([event.one]):
        st.session_state[LEAVE] = event.one
    elif event.kind == "open" and (found := project.faces(ids=[event.one])):
        st.session_state[LEAVE] = found[0].frame
    return ""


def _judge(project: Project, event: Said) -> str:
    """Two groups are one person, or two; where a frame shows both, that is said and the frames are shown."""
    found = {group.key: group.faces.tolist() for group in project.groups.overview().groups}
    changes = project.groups.judge(event.one, event.other, event.kind == "join", event.name)
    project.decide(who(), *changes, seen=event.seen, step=event.step)
    if event.kind == "apart":
        return f"Noted: not {event.name}." if event.name else "Kept apart: two people."
    met = project.groups.together(found.get(event.one, []), found.get(event.other, []))
    st.session_state[TOGETHER] = tuple(met)
    if met:
        show = f"{counted(len(met), 'frame')} {'shows' if len(met) == 1 else 'show'}"
        return f"Merged into one group, but {show} both: is one of them in a mirror?"
    return "Merged into one group; name it to settle it."


def _changes(project: Project, event: Said) -> list[Change]:
    if event.kind == "name":
        return project.groups.name(event.faces, existing(project, event.name), event.without)
    kind = "ignore" if event.kind == "ignore" else "not a face"
    return [Change(kind, face=face) for face in event.faces]  # type: ignore[arg-type]  # one of the two


def _settled(project: Project, event: Said) -> str:
    """What a click settled, in words."""
    what = {"ignore": "Nobody you know", "no face": "Not a face"}.get(event.kind, existing(project, event.name))
    seconds = project.groups.seconds(event.faces) if event.kind != "no face" else 0.0
    lasts = f", {duration(seconds)}" if seconds else ""
    return f"{what}: {counted(len(event.faces), 'face')}{lasts} settled."
