"""The archive page: the films of an archive and how far each is, who is in them, and who a face is in all of them.

``?archive=Name`` is the archive; ``?view=`` says what is shown, ``?person=`` whose times, ``?face=project:number`` who is
looked for.
"""

from __future__ import annotations

import time
from datetime import datetime
from pathlib import Path

import streamlit as st

from core.errors import BadInput
from core.formats.write.exports import EXPORTS
from core.jobs.archive.search import (
    STATES,
    Archive,
    begin,
    changed,
    faces_in,
    find,
    names,
    on_screen,
    people,
    portraits,
    somebody,
    vector_of,
)
from core.problem import FloatArray
from core.store.project import Project
from ui import access
from ui.parts import archive_views as views
from ui.parts.shell import archive_folder, top_bar
from ui.parts.words import counted, plain

VIEWS = {"films": "Films", "people": "On screen", "find": "Who is this?", "export": "Export all"}
A_PAGE = 50  # films, and people
TIMES = 400  # that somebody is on screen, on one page
LOOK = 2.0  # seconds between two looks at an archive that somebody works on
HITS = 48
LARGEST = 20  # megabytes of a picture that is looked for


def page() -> None:
    top_bar("archive")
    name = st.query_params.get("archive", "")
    folder = archive_folder(name)
    with Archive.open(folder) as archive:
        view = _head(archive)
        {"films": _films, "people": _people, "find": _find, "export": _export}[view](archive)


def _head(archive: Archive) -> str:
    asked = st.query_params.get("view", "films")
    view = asked if asked in VIEWS else "films"
    if st.session_state.get("archive_view") != view:  # what is set anew each time would undo a click that came meanwhile
        st.session_state["archive_view"] = view
    with st.container(key="archive-head", horizontal=True, vertical_alignment="center", gap="small"):
        st.html(f"<h1>{views.text(archive.folder.name)}</h1>", width="stretch")
        st.segmented_control(
            "What to see",
            list(VIEWS),
            format_func=VIEWS.__getitem__,
            key="archive_view",
            required=True,
            label_visibility="collapsed",
            on_change=_set_view,
        )
    return view


def _set_view() -> None:
    for other in ("person", "face"):
        st.query_params.pop(other, None)
    st.query_params["view"] = st.session_state.get("archive_view") or "films"


# --- Films -------------------------------------------------------------------------------------------------------------


def _films(archive: Archive) -> None:
    with st.container(key="archive-filter", horizontal=True, vertical_alignment="center", gap="small"):
        state = st.pills("State", STATES, key="archive_state", label_visibility="collapsed")
        typed = st.text_input(
            "Search", key="archive_text", placeholder="Film or project", label_visibility="collapsed", width=320
        )
    going = archive.is_coordinated()
    st.fragment(_list, run_every=LOOK if going else None)(archive.folder, state, typed)


def _list(folder: Path, state: str | None, typed: str) -> None:
    with Archive.open(folder) as archive:
        counts = archive.states.counts()
        st.html(views.progress(counts, archive.is_coordinated()))
        wanted = state if state in STATES else None
        start, pages = _page("archive_page", archive.states.many(wanted, typed), A_PAGE)
        films = archive.states.films(wanted, start, A_PAGE, typed)
        titles = {one.name: one for one in archive.states.projects_named({film.project for film in films})}
        st.html(views.films(archive.folder.name, films, titles))
        _turn("archive_page", pages)


def _page(key: str, many: int, on_one: int) -> tuple[int, int]:
    """Where the page begins that somebody turned to, and how many there are."""
    pages = max(1, -(-many // on_one))
    return (min(int(st.session_state.get(key) or 1), pages) - 1) * on_one, pages


def _turn(key: str, pages: int) -> None:
    if pages > 1:
        st.number_input(f"Page of {pages}", 1, pages, min(int(st.session_state.get(key) or 1), pages), key=key, width=160)


# --- On screen ---------------------------------------------------------------------------------------------------------


def _people(archive: Archive) -> None:
    _up_to_date(archive)
    person = st.query_params.get("person", "")
    if person:
        _person(archive, person)
        return
    with st.container(key="archive-names", horizontal=True):
        typed = st.text_input("Name", key="archive_name", placeholder="Name", label_visibility="collapsed", width=320)
    start, pages = _page("archive_people", people(archive, typed), A_PAGE)
    found = names(archive, typed, A_PAGE, start)
    if not found:
        st.caption("Nobody of this name has been found." if typed else "Nobody has a name yet; it comes with the films.")
        return
    st.html(views.people(archive, found, portraits(archive, [(one.name, "") for one in found])))
    _turn("archive_people", pages)


def _person(archive: Archive, name: str) -> None:
    st.html(views.back(archive.folder.name, "people", "Everybody"))
    who, many = somebody(archive, name)
    start, pages = _page("archive_times", many, TIMES)
    seen = on_screen(archive, name, start, TIMES)
    faces = portraits(archive, [(name, ""), *{(name, one.project) for one in seen}])
    st.html(views.on_screen(archive, name, who, seen, faces))
    _turn("archive_times", pages)


def _up_to_date(archive: Archive) -> None:
    """Says what the search does not know yet; an owner can let it be taken in."""
    many = changed(archive)
    if not many:
        return
    with st.container(key="archive-stale", horizontal=True, vertical_alignment="center", gap="small"):
        st.html(f"<p>{counted(many, 'project')} changed since the search was brought up to date.</p>", width="stretch")
        if access.is_owner():
            st.button("Update the search", key="archive-update", on_click=_update, args=(archive.folder,))


def _update(folder: Path) -> None:
    access.check_owner("update the search")
    with Archive.open(folder) as archive:
        begin(archive, "archive-find", "--update")
        end = time.monotonic() + 20  # what takes longer goes on by itself
        while changed(archive) and time.monotonic() < end:
            time.sleep(0.2)


# --- Who is this? ------------------------------------------------------------------------------------------------------


def _find(archive: Archive) -> None:
    _up_to_date(archive)
    given = st.file_uploader(
        "A picture of somebody", ["jpg", "jpeg", "png", "webp"], key="archive_picture", max_upload_size=LARGEST
    )
    asked = st.query_params.get("face", "")
    try:
        if given is not None:
            faces = faces_in(given.getvalue())
            if not faces:
                raise BadInput("no face was found in this picture; give one in which it is larger")
            looked_for = [(face.embedder, face.vector, views.data_url(face.crop)) for face in faces]
        elif asked:
            looked_for = [_asked_for(archive, asked)]
        else:
            st.caption("Give a picture, or click a face below On screen: everybody who looks alike is shown, in all films.")
            return
    except BadInput as error:
        st.error(plain(str(error)))
        return
    for embedder, vector, crop in looked_for:  # of a picture with several faces the largest first
        began = time.perf_counter()
        hits = find(archive, embedder, vector, HITS)
        took = time.perf_counter() - began
        st.html(views.asked(crop, len(hits), took))
        st.html(views.hits(archive, hits))


def _asked_for(archive: Archive, asked: str) -> tuple[str, FloatArray, str]:
    """The embedder, the vector and the picture of a face that the address names."""
    name, _, number = asked.rpartition(":")
    folder = archive.project_folder(name)
    if number.isascii() and number.isdigit() and len(number) < 12 and folder.is_dir():
        with Project.open(folder) as project:
            if there := project.faces(ids=[int(number)]):
                return *vector_of(project, int(number)), views.crop(there[0].crop)
    raise BadInput("there is no such face in this archive; choose one from a film")


# --- Export all --------------------------------------------------------------------------------------------------------


def _export(archive: Archive) -> None:
    access.check_owner("export an archive")
    titles = {name: one.title for name, one in EXPORTS.items()}
    with st.container(key="archive-export", horizontal=True, vertical_alignment="bottom", gap="small"):
        chosen = st.selectbox("Format", list(titles), format_func=titles.__getitem__, key="archive_format", width=280)
        st.button(
            "Export all projects", type="primary", key="archive-go", on_click=_begin_export, args=(archive.folder, chosen)
        )
    st.caption("Each project becomes a file or a folder of its own, in the archive's folder on this machine.")
    st.fragment(_exports, run_every=LOOK)(archive.folder)


def _begin_export(folder: Path, format: str) -> None:
    access.check_owner("export an archive")
    out = folder / "exports" / f"{format}-{datetime.now():%Y-%m-%d-%H%M%S}"
    out.parent.mkdir(mode=0o700, exist_ok=True)
    with Archive.open(folder) as archive:
        begin(archive, "archive-export", "--format", format, "--out", str(out))


def _exports(folder: Path) -> None:
    with Archive.open(folder) as archive:
        total = sum(one.state == "done" for one in archive.states.projects())
    found = sorted((folder / "exports").glob("*"), key=lambda path: path.stat().st_mtime, reverse=True)
    if found:
        st.html(views.exports([(path, sum(1 for _ in path.iterdir())) for path in found[:10]], total))
