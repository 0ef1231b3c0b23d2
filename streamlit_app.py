"""The app's router: which page. Start it with ``make run``."""

from collections.abc import Callable
from importlib import import_module

import streamlit as st

from ui.access import admit
from ui.parts.shell import ASSETS, PAGES, TITLES, said


def lazily(page: str) -> Callable[[], None]:
    """A page that is loaded when it is first opened: Review need not wait for the charts of others."""
    return lambda: import_module(f"ui.pages.{page}").page()


st.set_page_config(page_title="Rollcall", page_icon=str(ASSETS / "logo.svg"), layout="wide")
admit()
first = st.Page(lazily("projects"), title="Projects", url_path="first", default=True)
same = st.Page(lazily("projects"), title="Projects", url_path="projects")  # the first page has no path of its own
others = {name: st.Page(lazily(name), title=TITLES.get(name, name.capitalize()), url_path=name) for name in PAGES}
guide = st.Page(lazily("guide"), title="Guide", url_path="guide")
library = st.Page(lazily("library"), title="People library", url_path="library")
archive = st.Page(lazily("archive"), title="Archive", url_path="archive")
st.session_state["pages"] = {"projects": first, "guide": guide, "library": library, "archive": archive, **others}
said(st.navigation([first, same, guide, library, archive, *others.values()], position="hidden").run)
