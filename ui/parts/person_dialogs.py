"""What can be done with a name: rename, merge, split, delete for good. Each asks in a dialog of its own."""

from __future__ import annotations

from collections.abc import Callable
from html import escape

import streamlit as st

from core.errors import BadInput
from core.jobs import engine as jobs
from core.jobs.archive.search import forget_removed
from core.jobs.requests import RunMethod
from core.store.project import Change, Project
from ui import access
from ui.parts import export_labels
from ui.parts.people import IN_DIALOG, covers, decided, existing, message, names_to_choose, where
from ui.parts.pictures import forget_pictures, thumbnail
from ui.parts.shell import focus_in_dialog
from ui.parts.words import counted, plain

ASKED = "person_asked"
FRAMES = 4  # shown in which two people meet


def ask(what: str, name: str) -> None:
    """A button's callback: which dialog to open, and about whom. It stays asked until it is answered or dismissed, so that
    a page drawn once more meanwhile does not close it."""
    st.session_state[ASKED] = (what, name)


def answered() -> None:
    st.session_state.pop(ASKED, None)


def show(project: Project, name: str) -> None:
    """Opens the dialog that was asked for."""
    what, about = st.session_state.get(ASKED, ("", ""))
    dialogs: dict[str, Callable[[Project, str], None]] = {"rename": rename, "merge": merge, "split": split, "delete": delete}
    st.session_state[IN_DIALOG] = what in dialogs and about == name
    if st.session_state[IN_DIALOG]:
        dialogs[what](project, name)
    else:
        answered()


def _decide(project: Project, change: Change, said: str, then: str) -> None:
    """Writes the decision and shows the person as they are called now; or says in the dialog why not."""
    if decided(project, [change], said):
        answered()
        st.query_params["person"] = then
        st.rerun()
    st.error(plain(message()))


@st.dialog("Rename", on_dismiss=answered)
def rename(project: Project, name: str) -> None:
    with st.form("rename", border=False):
        typed = st.text_input("New name", value=name, key="rename_typed", max_chars=200)
        focus_in_dialog()
        sent = st.form_submit_button("Rename", type="primary")
    new = " ".join(typed.split())
    other = existing(project, new)
    taken = other in project.names() and other != name and other.casefold() != name.casefold()
    if taken:
        st.warning(f"There is somebody called {plain(other)} already. If they are one person, merge the two.")
        st.html(_pair(project, name, other))
        _seen_together(project, name, other)
        if st.button(f"Merge into {plain(other)}", key="rename_merge", type="primary"):
            _decide(project, Change("merge", name=name, other=other), f"{name} is now {other}.", other)
    elif sent and new == name:
        st.caption("That is the name already.")
    elif sent:
        _decide(project, Change("rename", name=name, other=new), f"{name} is now called {new}.", new)


@st.dialog("Merge with another name", on_dismiss=answered)
def merge(project: Project, name: str) -> None:
    st.caption("Both names are one person. All faces and mentions go together; you can split them again.")
    others = names_to_choose(project, without=name)
    other = st.selectbox("One person with", others, index=None, placeholder="Choose a name", key="merge_other")
    if other is None:
        return
    st.html(_pair(project, name, other))
    _seen_together(project, name, other)
    if st.button(f"Merge, and call them {plain(other)}", key="merge_do", type="primary"):
        _decide(project, Change("merge", name=name, other=other), f"{name} is now {other}.", other)


@st.dialog("Split again", on_dismiss=answered)
def split(project: Project, name: str) -> None:
    log = project.log()
    root = log.find_name(name)
    st.caption("These names were taken to be the same person. Split off whoever is somebody else.")
    for number, spelling in [(k, log.original[k]) for k, now in log.merged().items() if now == root]:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.html(f'<b dir="auto">{escape(spelling)}</b>', width="stretch")
            if st.button("Split off", key=f"split_{number}"):
                _decide(
                    project, Change("split", name=name, other=spelling), f"{spelling} is a person of their own again.", name
                )


@st.dialog("Delete this person for good", on_dismiss=answered)
def delete(project: Project, name: str) -> None:
    faces = next((len(person.faces) for person in project.people.named() if person.name == name), 0)
    st.html(
        f'<p>Everything about <b dir="auto">{escape(name)}</b> leaves this project:</p><ul>'
        f"<li>{counted(faces, 'face')} with crops and vectors; in the frames they are painted over</li>"
        "<li>the name and all its spellings, in captions and in the log of decisions</li>"
        "<li>their faces in your people library, whichever project gave them</li>"
        "<li>the answers of earlier runs; Rollcall runs anew in the background</li></ul>"
        "<p><b>This cannot be undone.</b> The film or the pictures themselves are not touched.</p>"
    )
    with st.form("delete", border=False):
        typed = st.text_input("Type the name to delete them", key="delete_typed")
        sent = st.form_submit_button("Delete for good", type="primary")
    if not sent:
        return
    if " ".join(typed.split()).casefold() != name.casefold():
        st.error("That is not the name. Nothing was deleted.")
        return
    _delete(project, name)


def _delete(project: Project, name: str) -> None:
    ran = bool(project.runs())
    try:
        access.check_owner("delete people")
        gone = project.remove_person(name)
        forget_removed(project.folder)
        forget_pictures()
        export_labels.forget()
        st.toast(f"The person and {counted(gone, 'face')} were deleted for good.")
        if ran and project.count("face"):
            jobs.start(project, RunMethod())
    except BadInput as error:
        st.toast(plain(str(error)))
    answered()
    st.query_params.pop("person", None)
    st.rerun()


def _seen_together(project: Project, name: str, other: str) -> None:
    """Two who are in one frame are hardly one person: says so, and shows the frames."""
    people = {person.name: person.faces.tolist() for person in project.people.named()}
    frames = project.groups.together(people.get(name, []), people.get(other, []))
    if not frames:
        return
    both = f"{plain(name)} and {plain(other)} are seen together in {counted(len(frames), 'frame')}"
    st.warning(f"{both}. One person cannot be, unless there is a mirror.", icon=":material/warning:")
    shown = [(frame, thumbnail(frame.picture)) for frame in project.frames(frames[:FRAMES])]
    figures = [
        f'<figure><img src="{src}" alt=""><figcaption>{escape(where(frame))}</figcaption></figure>'
        for frame, src in shown
        if src
    ]
    st.html(f'<div class="person-frames">{"".join(figures)}</div>')


def _pair(project: Project, name: str, other: str) -> str:
    """Both people side by side, so that one sees whether they are one."""
    people = {person.name: person for person in project.people.named()}
    both = [people[one] for one in (name, other) if one in people]
    pictures = covers(project, [person.faces for person in both])
    figures = [
        f'<figure><img src="{cover}" alt=""><figcaption dir="auto"><b>{escape(person.name)}</b><br>'
        f"{counted(len(person.faces), 'face')}, {person.settled:,} settled</figcaption></figure>"
        for person, cover in zip(both, pictures, strict=True)
    ]
    return f'<div class="person-pair">{"<span>→</span>".join(figures)}</div>'
