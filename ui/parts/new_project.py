"""The form for a new project: drop files, or name where they lie on this machine."""

from __future__ import annotations

import shutil
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import streamlit as st

from core.errors import BadInput
from core.jobs import engine as jobs
from core.jobs import intake, uploads
from core.jobs.intake import Offer
from core.jobs.requests import IngestPictures, RunMethod
from core.store.project import UPLOADS, Project, erase
from ui import access
from ui.parts.foretold import dropped_preview, foretell, typed_preview
from ui.parts.shell import open_project, project_folder, project_folders, projects_folder, scripted, who
from ui.parts.words import plain

FOLDERS = Path(__file__).with_name("folders.js")
WAYS: dict[str, Literal["caption", "shot", "every"]] = {
    "Each caption": "caption",
    "Each shot": "shot",
    "Every few seconds": "every",
}


@st.fragment
def new_project() -> None:
    """The form; when a project was made from it, the page runs again and shows it."""
    turn = st.session_state.setdefault("new_turn", 0)  # a new number empties the form
    with st.container(key="new-project", gap="small"):
        scripted("<h2>New project</h2>", FOLDERS.read_text(encoding="utf-8"))
        with st.container(key="new-source", gap="small"):  # what comes and goes in it leaves the fields below as they are
            where = st.segmented_control(
                "From", ["Drop files", "On this machine"], default="Drop files", required=True, key=f"new-where-{turn}",
                label_visibility="collapsed",
            )  # fmt: skip
            if where == "On this machine":
                typed, ready = _typed(turn)
                files: list[Any] = []
                suggested = intake.title_for([typed["main"].strip().strip("\"'")]) if typed["main"].strip() else ""
            else:
                typed = {}
                files, suggested, ready = _dropped(turn)
        title = st.text_input("Title", key=f"new-title-{turn}", placeholder=suggested or "My film", max_chars=200)
        with st.expander("More"):
            more = _more(turn, bool(typed))
        if st.button("Make the project", key="new-make", type="primary", width="stretch", disabled=not ready):
            try:
                _make(title or suggested, files, typed, more)
            except BadInput as error:
                st.error(plain(str(error)))
                return
            st.session_state["new_turn"] = turn + 1
            st.rerun()


# --- What is asked -----------------------------------------------------------------------------------------------------


def _dropped(turn: int) -> tuple[list[Any], str, bool]:
    """The files, what a project of them may be called, and whether they can come in."""
    room = _room(turn)
    files = st.file_uploader(
        "Drop a film with its captions, a folder of pictures, or a problem file",
        accept_multiple_files=True,
        key=f"new-files-{turn}",
        max_upload_size=max(1, room),
    )
    if not files:
        st.html(
            "<dl class='kinds'><dt>Film</dt><dd>with captions as SRT, VTT, ASS or text with times</dd>"
            "<dt>Pictures</dt><dd>several or a zip, with a table of captions as CSV or JSON, or labels of COCO, CVAT or"
            " Label Studio</dd>"
            "<dt>Problem file</dt><dd>NPZ or MAT</dd></dl>"
        )
        return [], "", False
    try:
        found = intake.sort_out([file.name for file in files])
    except BadInput as error:
        st.error(plain(str(error)))
        return list(files), "", False
    ready = foretell(turn, lambda project: dropped_preview(tuple(file.file_id for file in files), files, project))
    return list(files), intake.title_for(found.main), ready


def _room(turn: int) -> int:
    """How many MB may be dropped; told where the disk leaves less than usual. It stays while the form is filled in."""
    place = tempfile.gettempdir()
    room: int = st.session_state.setdefault(f"new-room-{turn}", uploads.room(shutil.disk_usage(place).free))
    if room < uploads.LARGEST:
        fits = f"Only files of up to {room} MB can be dropped" if room else "Nothing can be dropped"
        why = f"since the disk of {place} is nearly full"
        st.warning(plain(f"{fits}, {why}. Free some space there and reload, or use On this machine."))
    return room


def _typed(turn: int) -> tuple[dict[str, str], bool]:
    main = st.text_input(
        "Film, folder or zip of pictures, or problem file", key=f"new-main-{turn}", placeholder="/home/me/films/film.mkv"
    )
    captions = st.text_input("Captions, if not inside or beside it", key=f"new-captions-{turn}", placeholder="…/film.srt")
    ready = bool(main.strip()) and foretell(turn, lambda project: typed_preview(main, captions, project))
    return {"main": main, "captions": captions}, ready


def _more(turn: int, typed: bool) -> dict[str, Any]:
    """Cast, reference photos and how often to look."""
    more: dict[str, Any] = {"into": st.selectbox("Into", ["", *_titles()], format_func=_title, key=f"new-into-{turn}")}
    if typed:
        more["cast"] = st.text_input("Cast list", key=f"new-cast-path-{turn}", help=CAST_HELP)
        more["people"] = st.text_input("Folder of reference photos", key=f"new-people-path-{turn}", help=PEOPLE_HELP)
    else:
        more["cast"] = st.file_uploader("Cast list", type=["txt", "csv", "json"], key=f"new-cast-{turn}", help=CAST_HELP)
        more["people"] = st.file_uploader(
            "Reference photos", accept_multiple_files="directory", key=f"new-people-{turn}", help=PEOPLE_HELP
        )
    way = st.segmented_control(
        "Look at a film once for", list(WAYS), default="Each caption", required=True, key=f"new-way-{turn}"
    )
    more["way"] = WAYS[way or "Each caption"]
    more["seconds"] = 2.0
    if more["way"] == "every":
        more["seconds"] = st.number_input("Seconds between two frames", 0.1, 3600.0, 2.0, key=f"new-seconds-{turn}")
    more["screen"] = st.toggle("Read names on the screen", True, key=f"new-screen-{turn}", help=SCREEN_HELP)
    listens = intake.can_listen()
    more["speech"] = st.toggle(
        "Listen to a film without captions",
        key=f"new-speech-{turn}",
        help=SPEECH_HELP if listens else f"{SPEECH_HELP} It is not installed: run `make speech` first.",
        disabled=not listens,
    )
    more["window"] = st.number_input(
        "Captions count for a frame this many seconds around it", 0.0, 3600.0, 0.0, 0.5, key=f"new-window-{turn}"
    )
    return more


def _titles() -> list[str]:
    """The projects that can take more."""
    return [folder.name for folder in project_folders() if _title(folder.name)]


def _title(name: str) -> str:
    if not name:
        return "A new project"
    try:
        return open_project(name).title
    except BadInput:
        return ""


CAST_HELP = "One person a line, with other spellings: Chandler Bing, Chandler, Bing. Also CSV or JSON."
SCREEN_HELP = "Lower thirds, title cards, credits and pictured subtitles. Takes about a quarter longer."
SPEECH_HELP = "What is said becomes captions, with the cast list's names. An hour of film takes about half an hour."
PEOPLE_HELP = "A folder with Name.jpg, or one folder a person. The faces in them are taken as confirmed."


# --- What comes of it --------------------------------------------------------------------------------------------------


def _make(title: str, files: list[Any], typed: dict[str, str], more: dict[str, Any]) -> None:
    """Checks what was given and begins to take it in, into a new project or an old one; what is refused leaves nothing."""
    access.check_owner("add films and pictures")
    if not typed:
        intake.sort_out([file.name for file in files])
    new = not more["into"]
    folder = uploads.new_folder(projects_folder(), title) if new else project_folder(more["into"])
    project = Project.create(folder, title) if new else Project.open(folder)
    place = _next(folder / UPLOADS)
    try:
        offer = _named(typed, more) if typed else _kept(place, files, more)
        ways = (more["way"], more["seconds"], more["window"], more["screen"], more["speech"])
        offer = intake.with_choices(offer, who(), *ways)
        if isinstance(offer, IngestPictures):
            offer = replace(offer, folders=bool(st.session_state.get(f"new-folders-{st.session_state['new_turn']}")))
        intake.check(offer)
        jobs.start(project, offer, RunMethod())
    except BaseException as error:
        project.close()
        Project.remove(folder) if new else erase(place)
        if isinstance(error, BadInput):
            raise BadInput(uploads.in_short(str(error), place)) from error
        raise
    project.close()
    st.session_state["made"] = folder.name


def _next(folder: Path) -> Path:
    """A folder of its own for the files of one form."""
    number = 1
    while (folder / str(number)).exists():
        number += 1
    return folder / str(number)


def _named(typed: dict[str, str], more: dict[str, Any]) -> Offer:
    offer = intake.on_this_machine(typed["main"], typed["captions"], more["cast"] or "", more["people"] or "")
    for path in intake.paths(offer):
        access.check_path(path)
    return offer


def _kept(folder: Path, files: list[Any], more: dict[str, Any]) -> Offer:
    """The uploaded files, put into the project's folder."""
    found = intake.sort_out([file.name for file in files])
    main, captions = uploads.lay_out(folder, files)
    cast = more["cast"] and uploads.put(folder / "cast", more["cast"].name, more["cast"].getbuffer())
    for photo in more["people"] or ():
        uploads.put(folder / "people", photo.name, photo.getbuffer())
    people = _inner(folder / "people") if more["people"] else None
    return intake.offered(found.kind, main, captions, cast or None, people)


def _inner(folder: Path) -> Path:
    """The uploaded folder itself: a browser puts its name before those of all files in it."""
    inside = list(folder.iterdir())
    return inside[0] if len(inside) == 1 and inside[0].is_dir() else folder
