"""What the components share: how they are put together from their files, and how Python hears of their events."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import streamlit as st

HERE = Path(__file__).parent
IMPORT = re.compile(r'^import [^;"]* from "([^"]+)";\n', re.MULTILINE)
EXPORT = re.compile(r"^export (?!default )", re.MULTILINE)


@st.cache_resource(show_spinner=False)
def component(name: str) -> Any:
    """The component whose script and style lie beside this file as ``name``.js and ``name``.css."""
    return st.components.v2.component(
        f"rollcall_{name}",
        html=f'<div class="widget {name}"></div>',
        css=styles(HERE / "widget.css", HERE / f"{name}.css"),
        js=script(HERE / f"{name}.js"),
    )


def styles(*files: Path) -> str:
    return "".join(file.read_text(encoding="utf-8") for file in files)


def script(entry: Path) -> str:
    """One script of a module and all that it imports, each after what it needs, as a browser would load them.

    Streamlit takes one script a component. Ours are several modules, so that each says what it needs and the linter
    can check that. In the one script they share a scope: no two of its modules may give the same name at their top.
    """
    return "\n".join(_modules(entry.resolve(), set()))


def _modules(file: Path, seen: set[Path]) -> list[str]:
    if file in seen:
        return []
    seen.add(file)
    text = file.read_text(encoding="utf-8")
    needed = [part for other in IMPORT.findall(text) for part in _modules((file.parent / other).resolve(), seen)]
    return [*needed, EXPORT.sub("", IMPORT.sub("", text))]


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
