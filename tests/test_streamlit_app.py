"""The router: what opening Review need not wait for, and which doors the app goes through."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from tests.made import made_project
from ui.parts.shell import PAGES

ROOT = Path(__file__).resolve().parents[1]
SLOW = ("torch", "spacy", "av", "cv2", "sklearn", "scipy.stats", "networkx", "faiss", "scenedetect")
SCRIPT = """
import streamlit as st
from ui.pages import review

pages = {name: st.Page(lambda: None, title=name, url_path=name) for name in ("projects", "people", "model", "export")}
pages["review"] = st.Page(review.page, title="review", default=True)
st.session_state["pages"] = pages
st.navigation(list(pages.values()), position="hidden").run()
"""
OPENED = f"""
import sys
from streamlit.testing.v1 import AppTest

app = AppTest.from_string({SCRIPT!r}, default_timeout=60)
app.query_params["project"] = "film"
app.run()
assert not app.exception, app.exception
assert app.get("bidi_component"), "Review was not drawn"
print(*(name for name in sys.argv[1:] if name in sys.modules))
"""


def test_review_loads_nothing_that_only_others_need(tmp_path: Path) -> None:
    made_project(tmp_path / "film", frames=4).close()
    command, around = [sys.executable, "-c", OPENED, *SLOW], os.environ | {"ROLLCALL_PROJECTS": str(tmp_path)}
    done = subprocess.run(command, cwd=ROOT, env=around, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.split() == []


def test_the_app_asks_the_project_and_never_its_insides() -> None:
    texts = {str(file): file.read_text(encoding="utf-8") for file in (ROOT / "ui").rglob("*.py")}
    asked = {(file, module) for file, text in texts.items() for module in re.findall(r"core\.store[\w.]*", text)}
    assert {module for _, module in asked} == {"core.store.project"}, sorted(asked)


def test_every_file_of_pages_is_a_page_and_nothing_else_asks_for_one() -> None:
    pages = [file for file in (ROOT / "ui" / "pages").glob("*.py") if file.stem != "__init__"]
    assert {file.stem for file in pages} == {"projects", "guide", "archive", "library", *PAGES}
    assert [file.stem for file in pages if "\ndef page() -> None:\n" not in file.read_text(encoding="utf-8")] == []
    texts = {str(file): file.read_text(encoding="utf-8") for file in (ROOT / "ui").rglob("*.py")}
    assert [file for file, text in texts.items() if re.search(r"^\s*(from|import) ui\.pages", text, re.MULTILINE)] == []
