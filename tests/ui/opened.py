"""Opens one page of the app without a browser."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

SCRIPT = """
import streamlit as st
from ui.pages import archive, export, library, model, people, projects, review, sources, team, who
modules = {{"projects": projects, "review": review, "people": people, "model": model, "export": export}}
modules |= {{"sources": sources, "team": team, "library": library, "archive": archive, "who": who}}
st.session_state["pages"] = {{
    name: st.Page(module.page, title=name, url_path=name, default=name == {page!r}) for name, module in modules.items()
}}
st.navigation(list(st.session_state["pages"].values()), position="hidden").run()
"""


SECONDS = 60  # for a page on a busy machine


def page(name: str, **query: str | int) -> AppTest:
    """The page as it is after its first run."""
    app = AppTest.from_string(SCRIPT.format(page=name), default_timeout=SECONDS)
    for key, value in query.items():
        app.query_params[key] = str(value)
    return app.run()


def opened(monkeypatch: pytest.MonkeyPatch, projects: Path, name: str, **query: str | int) -> AppTest:
    """The page with the projects of a folder."""
    monkeypatch.setenv("ROLLCALL_PROJECTS", str(projects))
    return page(name, **query)


def words(app: AppTest) -> str:
    """All text of the page that is not within a component."""
    shown = [*app.subheader, *app.caption, *app.warning, *app.error]
    return " ".join([*(str(one.value) for one in shown), *(str(one.proto.body) for one in app.get("html"))])
