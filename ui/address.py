"""Tells the page where its server is.

Streamlit's script in the browser guesses that from the path, and asks ``/review/_stcore/health`` first, which is not there:
two failed requests before a page opens. A page that says its address needs no guess.
"""

from __future__ import annotations

import json
from collections.abc import MutableMapping
from functools import partial
from pathlib import Path
from typing import Any

import streamlit as st
from starlette.responses import HTMLResponse, Response
from starlette.staticfiles import StaticFiles
from streamlit.web.server.starlette import starlette_static_routes as routes

INDEX = "index.html"


def tell_address() -> None:
    """Has the app's HTML page tell its address, for every server that starts from now on."""
    made = routes.create_streamlit_static_handler

    def handler(directory: str, base_url: str | None) -> StaticFiles:
        files = made(directory, base_url)
        page = _with_address((Path(directory) / INDEX).read_text(encoding="utf-8"))
        files.get_response = partial(_answer, files.get_response, page)  # type: ignore[method-assign]
        return files

    routes.create_streamlit_static_handler = handler


async def _answer(asked: Any, page: str, path: str, scope: MutableMapping[str, Any]) -> Response:
    found: Response = await asked(path, scope)
    if Path(getattr(found, "path", "")).name != INDEX:
        return found
    return HTMLResponse(page, headers={"Cache-Control": found.headers["Cache-Control"]})


def _with_address(page: str) -> str:
    base = json.dumps(f"/{(st.get_option('server.baseUrlPath') or '').strip('/')}")
    script = f"<script>window.__streamlit = {{ BACKEND_BASE_URL: new URL({base}, location.origin).href }};</script>"
    return page.replace("<head>", f"<head>{script}", 1)
