"""What the face widgets share: how they are put together from their files, and how Python hears of their events."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import streamlit as st

HERE = Path(__file__).parent


@st.cache_resource(show_spinner=False)
def component(name: str) -> Any:
    """The widget whose script and style lie beside this file as ``name``.js and ``name``.css."""
    return st.components.v2.component(
        f"rollcall_{name}",
        html=f'<div class="widget {name}"></div>',
        css=_read("parts.css") + _read(f"{name}.css"),
        js=_read("parts.js") + _read(f"{name}.js"),
    )


def _read(file: str) -> str:
    return (HERE / file).read_text(encoding="utf-8")


def heard(key: str, event: str) -> Mapping[str, Any]:
    """What the widget said with its event; nothing if that is not what it should look like."""
    state = st.session_state.get(key)
    said = state.get(event) if isinstance(state, Mapping) else None
    return said if isinstance(said, Mapping) else {}


def whole(value: Any) -> int | None:
    """A whole number that JavaScript knows exactly, or None for anything else that a browser may send."""
    return value if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**53 else None


def theme() -> str:
    """Whether the page is "light" or "dark"."""
    return "dark" if st.context.theme.type == "dark" else "light"
