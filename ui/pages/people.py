"""The people page: all names, unnamed people, who appears when and with whom; and a page for each name.

``?person=Name`` opens a name, ``?group=nobody`` faces without one; ``?view=`` says which of the overviews is shown.
"""

from __future__ import annotations

from html import escape

import streamlit as st

from core.problem import NOBODY
from core.store.project import UNKNOWN, Change, Joined, Person, Project
from ui.parts import people_charts, person, person_dialogs
from ui.parts.empty import empty
from ui.parts.people import IN_DIALOG, covers, decided, drawn, existing, message, names_to_choose, turned, watch, where
from ui.parts.person import Whose
from ui.parts.pictures import picture
from ui.parts.shell import go, has_page, this_project, top_bar, url_name, who
from ui.parts.shell import page as page_of
from ui.parts.words import counted
from ui.widgets.cards import Card, Cards, Look, Naming, Strip, Strips, cards, strips
from ui.widgets.component import theme

VIEWS = {"names": "Names", "unnamed": "Unnamed", "when": "When", "together": "Together"}
A_PAGE = 42  # cards
STRIPS, CROPS = 8, 13  # unnamed people at a time, and crops of each
NICKNAMES = 5  # told at a time


def page() -> None:
    project = this_project()
    wanted = st.session_state.pop(people_charts.TO_REVIEW, None)
    if wanted is not None:
        go("review", frame=wanted)
    top_bar("people", project)
    st.session_state[IN_DIALOG] = False
    whose = _whose(project)
    if whose is not None:
        person.show(project, whose)
    else:
        person_dialogs.answered()  # the back button left it open
        if project.count("face"):
            _overview(project)
        else:
            empty(project, "No faces yet", "The people in a film or in pictures stand here.")
    watch(project)


def _whose(project: Project) -> Whose | None:
    """Whose page the URL asks for, if it is there."""
    asked, group = st.query_params.get("person"), st.query_params.get("group", "")
    if asked is not None:
        number = project.log().find_name(asked)
        if number is not None and number not in project.log().removed:
            return Whose("name", project.log().text(number))
        st.warning("There is nobody of this name in the project; perhaps they were renamed or deleted.")
    if group in ("nobody", "unknown"):
        return Whose(group)  # type: ignore[arg-type]  # one of the two
    kind, _, face = group.partition("-")
    if kind == "stranger" and face.isascii() and face.isdigit() and len(face) < 10:
        return Whose("stranger", face=int(face))
    st.query_params.pop("group", None)  # the overview takes one that stands there for a click
    return None


def _this(project: Project) -> dict[str, str]:
    return {"project": url_name(project)}


def _view() -> str:
    asked = st.query_params.get("view", "names")
    return asked if asked in VIEWS else "names"


def _set_view() -> None:
    st.query_params["view"] = st.session_state.get("people_view") or "names"


def _overview(project: Project) -> None:
    view = _view()
    if st.session_state.get("people_view") != view:  # what is set anew each time would undo a click that came meanwhile
        st.session_state["people_view"] = view
    with st.container(key="people-head", horizontal=True, vertical_alignment="center", gap="small"):
        st.html("<h1>People</h1>", width="stretch")
        if has_page("who"):
            st.page_link(page_of("who"), label="Who are these?", icon=":material/groups:", query_params=_this(project))
        st.segmented_control(
            "What to see",
            list(VIEWS),
            format_func=VIEWS.__getitem__,
            key="people_view",
            required=True,
            label_visibility="collapsed",
            on_change=_set_view,
        )
    if project.solved() is None:
        with st.container(key="people-unrun", horizontal=True, vertical_alignment="center"):
            st.html(
                "<p>Rollcall has not named these faces yet. A run links them to the names in the captions.</p>",
                width="stretch",
            )
            st.page_link(page_of("model"), label="Go to the model", query_params=_this(project))
    _nicknames(project)
    {"names": _names, "unnamed": _unnamed, "when": people_charts.when, "together": people_charts.together}[view](project)


def _nicknames(project: Project) -> None:
    """Nicknames that Rollcall joined with their people, and why; one click parts them again."""
    for place, one in enumerate(project.nicknames()[:NICKNAMES]):
        with st.container(key=f"nickname-{place}", horizontal=True, vertical_alignment="center", gap="small"):
            st.html(
                f"<p class='quiet'><b dir='auto'>{escape(one.nickname)}</b> is taken for"
                f" <b dir='auto'>{escape(one.name)}</b>: {escape(one.reason)}.</p>",
                width="stretch",
            )
            st.button("Not the same", key=f"part-{place}", type="tertiary", on_click=_part, args=(project, one))


def _part(project: Project, one: Joined) -> None:
    words = f"{one.nickname} is a person of their own again."
    decided(project, [Change("split", name=one.name, other=one.nickname)], words)


# --- Names -------------------------------------------------------------------------------------------------------------


def _names(project: Project) -> None:
    drawn(project)
    look = _look()
    found = _found(project.people.named(), look)
    pages = max(1, -(-len(found) // A_PAGE))
    look = Look(look.search, look.sort, min(look.page, pages - 1))
    shown = found[look.page * A_PAGE : (look.page + 1) * A_PAGE]
    pictures = covers(project, [one.faces for one in shown])
    now = project.current_labels()
    others = [
        ("nobody", "Nobody", int((now.name == NOBODY).sum())),
        ("unknown", "Unknown", int((now.name == UNKNOWN).sum())),
    ]
    view = Cards(
        cards=[
            Card(one.name, cover, len(one.faces), one.settled, one.doubtful)
            for one, cover in zip(shown, pictures, strict=True)
        ],
        look=look,
        found=len(found),
        pages=pages,
        others=[other for other in others if other[2]],
        theme=theme(),
    )
    cards(view, "people_cards", on_look=_set_look, on_open=_open)


def _look() -> Look:
    """What of the names the URL asks for, so that the browser's back button leads to the place in the list."""
    asked = st.query_params
    page = asked.get("page", "0")
    number = int(page) if page.isascii() and page.isdigit() and len(page) < 6 else 0
    return Look(asked.get("search", ""), asked.get("sort", "faces"), number)


def _set_look(look: Look) -> None:
    for key, value, usual in (("search", look.search, ""), ("sort", look.sort, "faces"), ("page", str(look.page), "0")):
        if value != usual:
            st.query_params[key] = value
        else:
            st.query_params.pop(key, None)


def _found(people: list[Person], look: Look) -> list[Person]:
    words = look.search.casefold().split()
    found = [one for one in people if all(word in one.name.casefold() for word in words)]
    if look.sort == "name":
        return sorted(found, key=lambda one: one.name.casefold())
    if look.sort == "doubtful":
        return sorted(found, key=lambda one: (-one.doubtful, -len(one.faces), one.name))
    return found


def _open(name: str, other: bool) -> None:
    st.query_params["group" if other else "person"] = name


# --- Unnamed people ----------------------------------------------------------------------------------------------------


@st.fragment
def _unnamed(project: Project) -> None:
    if "group" in st.query_params:
        st.rerun()
    drawn(project)
    found, log = project.people.strangers(), project.log()
    shown = found[:STRIPS]
    first = [one.faces[:CROPS].tolist() for one in shown]
    faces = {face.id: face for face in project.faces(ids=[face for some in first for face in some])}
    view = Strips(
        strips=[
            Strip(one.faces.tolist(), [picture(faces[face].crop) for face in some], _seen(project, one))
            for one, some in zip(shown, first, strict=True)
        ],
        left=len(found) - len(shown),
        names=names_to_choose(project),
        version=log.version,
        undo=log.step_back(who()) is not None,
        redo=log.step_forward(who()) is not None,
        message=message(),
        theme=theme(),
    )
    strips(
        view, "people_strips", on_say=lambda said: _say(project, said), on_open=lambda face: _open(f"stranger-{face}", True)
    )


def _seen(project: Project, one: Person) -> str:
    now = project.current_labels()
    frames = sorted(set(now.frame[now.rows(one.faces)].tolist()))
    ends = [where(frame) for frame in project.frames([frames[0], frames[-1]])]
    return f"in {counted(len(frames), 'frame')}, {ends[0]} to {ends[-1]}" if len(ends) > 1 else f"in one frame, {ends[0]}"


def _say(project: Project, said: Naming) -> None:
    """One step for all faces of somebody unnamed, written before the screen changes."""
    if said.action in ("undo", "redo"):
        turned(project, said.action)
    elif said.action == "ignore":
        words = f"{counted(len(said.faces), 'face')} of a stranger ignored everywhere."
        decided(project, [Change("ignore", face=face) for face in said.faces], words, said.version)
    else:
        name = existing(project, said.name)
        changes = [Change("is", face=face, name=name) for face in said.faces]
        decided(project, changes, f"{counted(len(said.faces), 'face')} named {name}.", said.version)
