"""What all pages share: which project is open, who is working, and the bar at the top.

The URL holds what a reload and a shared link need: ``?project=...&frame=...``. Who works here is a cookie of the browser.
"""

from __future__ import annotations

import base64
import json
import os
from collections.abc import Callable
from contextlib import suppress
from html import escape
from pathlib import Path
from typing import Literal
from urllib.parse import quote, unquote

import streamlit as st

from core.errors import BadInput
from core.store.project import Damaged, Project, system_user
from ui import access
from ui.parts.words import plain
from ui.sharing import login_on
from ui.widgets.component import styles, theme

ROOT = Path(__file__).resolve().parents[2]
ASSETS = ROOT / "assets"
HERE = ROOT / "ui"
STYLES = [HERE / "style.css", *sorted((HERE / "parts").glob("*.css")), HERE / "widgets" / "progress.css"]
GONE = HERE / "parts" / "gone.js"
ARCHIVE = "archive.sqlite"  # what is in the folder of an archive
COOKIE = "rollcall_who"
TITLES = {"who": "Who?"}
LONGEST_NAME = 200  # characters of whoever works here
PAGES = ("who", "review", "people", "model", "team", "sources", "export")  # of an open project; beside them "projects"
OWNERS_ALONE = ("sources", "export")


# --- Projects ----------------------------------------------------------------------------------------------------------


def projects_folder() -> Path:
    """Where projects lie: ``$ROLLCALL_PROJECTS``, or ``projects/`` beside the app."""
    folder = Path(os.environ.get("ROLLCALL_PROJECTS") or ROOT / "projects").expanduser().absolute()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder


def project_folders() -> list[Path]:
    """The folders in there that hold a project."""
    return sorted(path.parent for path in projects_folder().glob("*/project.sqlite") if not path.parent.is_symlink())


def archive_folders() -> list[Path]:
    """The folders in there that hold an archive of many films."""
    return sorted(path.parent for path in projects_folder().glob(f"*/{ARCHIVE}") if not path.parent.is_symlink())


def archive_folder(name: str) -> Path:
    """The folder of the archive of that name, which is in the folder of projects and nowhere else."""
    found = next((folder for folder in archive_folders() if folder.name == name), None)
    if found is None:
        raise BadInput(f"there is no archive called {name[:LONGEST_NAME]!r} here; choose one from the list")
    return found


def url_name(project: Project) -> str:
    """What the URL calls a project: its folder, and before it the archive that it belongs to."""
    place = project.folder.parent
    within = place.name == "projects" and (place.parent / ARCHIVE).is_file() and place.parent.parent == projects_folder()
    return f"{place.parent.name}/{project.folder.name}" if within else project.folder.name


def project_folder(name: str) -> Path:
    """The folder of the project of that name, which is in the folder of projects, or in an archive there, and nowhere
    else."""
    archive, _, inner = name.rpartition("/")
    try:
        place = archive_folder(archive) / "projects" if archive else projects_folder()
        folder = place / inner
        inside = folder.parent == place and inner not in ("", ".", "..") and not folder.is_symlink()
        if inside and (folder / "project.sqlite").is_file():
            return folder
    except BadInput:
        pass
    except OSError:  # no name that a folder can have
        pass
    raise BadInput(f"there is no project called {name[:LONGEST_NAME]!r} here; choose one from the list")


def open_project(name: str) -> Project:
    """The project of that name, kept open for all who use this app."""
    folder = project_folder(name)
    return _open(str(folder), (folder / "project.sqlite").stat().st_ino)


@st.cache_resource(show_spinner=False, max_entries=500, on_release=lambda project: project.close())
def _open(folder: str, inode: int) -> Project:
    """``inode``: a project that was removed and made anew is another."""
    return Project.open(Path(folder))


def as_seen(project: Project, name: str) -> Project:
    """The project as whoever works here may see it: without what others said on frames that both answer blind."""
    if not project.team.is_blind(name):
        return project
    return _open_as(str(project.folder), (project.folder / "project.sqlite").stat().st_ino, name)


@st.cache_resource(show_spinner=False, max_entries=200)
def _open_as(folder: str, inode: int, viewer: str) -> Project:
    return Project.open(Path(folder), viewer)


def forget_project(name: str) -> None:
    """Closes a project that is about to be removed, or that must be opened anew."""
    folder = project_folder(name)
    _open_as.clear()
    _open.clear(str(folder), (folder / "project.sqlite").stat().st_ino)


def said(show: Callable[[], None]) -> None:
    """Shows a page; what it cannot do, because a disk is gone or a database damaged, is said in its place."""
    try:
        show()
    except BadInput as error:
        _say(error)


def _say(error: BadInput) -> None:
    name = st.query_params.get("project", "")
    if isinstance(error, Damaged):
        with suppress(BadInput):
            forget_project(name)  # the next look opens what can be saved
    st.error(plain(str(error)))
    st.page_link(page("projects"), label="All projects")


def this_project() -> Project:
    """The project that the URL names. Without one, or with one that cannot be opened, the page says so and ends."""
    name = st.query_params.get("project")
    if not name:
        st.switch_page(page("projects"))
    try:
        project = open_project(name)
        if st.session_state.get("opened") != name:
            st.session_state["opened"] = name
            project.opened()
        for trouble in project.troubles():
            st.warning(plain(trouble), icon=":material/warning:")
        return as_seen(project, who())
    except BadInput as error:
        top_bar("")
        _say(error)
        st.stop()


# --- Who works here ----------------------------------------------------------------------------------------------------


def who() -> str:
    """Who logged in; without a login the name typed once in this browser, else the system's user."""
    if login_on():
        access.check_listed()
        return access.email()
    typed = st.session_state.get("who") or unquote(st.context.cookies.get(COOKIE, ""))
    return " ".join(str(typed).split())[:LONGEST_NAME] or system_user()


def set_who(name: str) -> None:
    """Remembers who works here, beyond a reload."""
    st.session_state["who"] = name.strip()
    st.session_state["who_cookie"] = name.strip()


def _about_me() -> None:
    if login_on():
        st.caption(f"You are logged in as an {access.role()}. Your address stands beside every decision you make.")
        st.button("Log out", key="log-out", on_click=access.leave)
        return
    st.text_input("Your name", value=who(), key="who_typed", on_change=_typed, max_chars=LONGEST_NAME)
    st.caption("Stands beside every decision you make. Kept in this browser.")


def _typed() -> None:
    set_who(st.session_state["who_typed"])


def _write_cookie() -> None:
    place = st.empty()  # it is always there: what comes after it stays in its place
    name = st.session_state.pop("who_cookie", None)
    if name is not None:
        cookie = json.dumps(f"{COOKIE}={quote(name)}; path=/; max-age=31536000; SameSite=Strict")
        place.html(f"<script>document.cookie = {cookie};</script>", unsafe_allow_javascript=True)


def focus_in_dialog() -> None:
    """The first field of the open dialog has the focus, its text selected."""
    scripted("", "setTimeout(() => document.querySelector('[data-testid=stDialog] input')?.select(), 60);")


def scripted(html: str, script: str, width: Literal["stretch", "content"] = "stretch") -> None:
    """HTML with a script of ours for the whole page."""
    st.html(f"{html}<script>{script}</script>", width=width, unsafe_allow_javascript=True)


# --- Pages -------------------------------------------------------------------------------------------------------------


def page(name: str) -> st.Page:
    """One of the app's pages; the router puts them here."""
    return st.session_state["pages"][name]  # type: ignore[no-any-return]


def has_page(name: str) -> bool:
    """Whether the router knows a page."""
    return name in st.session_state["pages"]


def go(name: str, **parameters: str | int) -> None:
    """Switches to another page, with the project and what else the URL should hold."""
    kept = {"project": st.query_params.get("project", "")} | {key: str(value) for key, value in parameters.items()}
    st.switch_page(page(name), query_params={key: value for key, value in kept.items() if value != ""})


def top_bar(current: str, project: Project | None = None) -> None:
    """The bar at the top: the logo, the project, its pages, and who works here."""
    _write_cookie()
    with st.container(key="topbar", horizontal=True, vertical_alignment="center", gap="small"):
        # with the logo: a style sheet alone would share its place with toasts, and the first of those would replace it
        brand = (
            f'<a class="brand" href="/" target="_self" title="All projects"><img src="{_logo()}" alt=""><b>Rollcall</b></a>'
        )
        scripted(f"{brand}<style>{_colours()}{styles(*STYLES)}</style>", GONE.read_text(encoding="utf-8"), "content")
        if project is not None:
            st.html(f'<span class="project" title="{escape(project.title)}">{escape(project.title)}</span>', width="content")
            name = url_name(project)
            with st.container(key="tabs", horizontal=True, gap="small", width="content"):
                mine = [one for one in PAGES if access.is_owner() or one not in OWNERS_ALONE]
                for other in filter(has_page, mine):
                    with st.container(key=f"tab-{'here' if other == current else other}", width="content"):
                        st.page_link(
                            page(other), label=TITLES.get(other, other.capitalize()), query_params={"project": name}
                        )
        st.space("stretch")
        if has_page("guide"):
            st.page_link(page("guide"), label="Guide", icon=":material/help:")
        with st.popover(plain(who()), type="tertiary", icon=":material/person:"):
            _about_me()
    below = st.empty()  # what stands under it keeps its place when the steps go
    if current == "review" and st.session_state.get("first_steps"):
        with below:
            _first_steps()


def _colours() -> str:
    """The theme's colours for our own style sheet, called as components call them."""
    colours = {
        name: st.get_option(f"theme.{theme()}.{name}")
        for name in ("primaryColor", "secondaryBackgroundColor", "borderColor")
    }
    css = {
        "primaryColor": "primary-color",
        "secondaryBackgroundColor": "secondary-background-color",
        "borderColor": "border-color",
    }
    return f":root {{{''.join(f'--st-{css[name]}: {colour};' for name, colour in colours.items() if colour)}}}"


def _first_steps() -> None:
    """Three steps for somebody who has never seen this, until they say that they have."""
    with st.container(key="first-steps", horizontal=True, wrap=False, vertical_alignment="center", gap="small"):
        st.html(
            "<ol><li>Dashed links are what Rollcall thinks.</li>"
            "<li>Wrong? Click the face, then the right name. Right? Confirm the frame.</li>"
            "<li>Run again: what you said is kept, and the rest gets better.</li>"
            "<li>Your own film or photos? <a href='/' target='_self'>All projects</a></li></ol>",
            width="stretch",
        )
        st.button("Got it", key="got-it", type="tertiary", on_click=_seen_first_steps)


def _seen_first_steps() -> None:
    del st.session_state["first_steps"]


@st.cache_data(show_spinner=False)
def _logo() -> str:
    return "data:image/svg+xml;base64," + base64.b64encode((ASSETS / "logo.svg").read_bytes()).decode()
