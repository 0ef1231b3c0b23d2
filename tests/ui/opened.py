"""Opens one page of the app without a browser."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

SCRIPT = """
import streamlit as st
from ui.pages import export, model, people, projects, review, sources, team
modules = {{"projects": projects, "review": review, "people": people, "model": model, "export": export}}
modules |= {{"sources": sources, "team": team}}
st.session_state["pages"] = {{
    name: st.Page(module.page, title=name, url_path=name, default=name == {page!r}) for name, module in modules.items()
}}
st.navigation(list(st.session_state["pages"].values()), position="hidden").run()
"""


def opened(monkeypatch: pytest.MonkeyPatch, projects: Path, page: str, **query: str | int) -> AppTest:
    """The page as it is after its first run, with the projects of a folder."""
    monkeypatch.setenv("ROLLCALL_PROJECTS", str(projects))
    app = AppTest.from_string(SCRIPT.format(page=page), default_timeout=60)
    for key, value in query.items():
        app.query_params[key] = str(value)
    return app.run()
