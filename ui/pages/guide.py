"""The guide, as it lies in docs/: one click away from every page."""

from __future__ import annotations

import re
from pathlib import Path

import streamlit as st

from ui.parts.shell import ROOT, top_bar
from ui.widgets.component import theme

GUIDE = ROOT / "docs" / "guide.md"
PICTURE = re.compile(r"^!\[([^\]]*)\]\(([\w./-]+)\)\s*$", re.MULTILINE)
LINK = re.compile(r"\[([^\]]+)\]\((?!https?:)[^)]*\)")  # to other pages of docs/, which the app does not show


def page() -> None:
    top_bar("guide")
    with st.container(key="guide"):
        if not GUIDE.is_file():
            st.write("The guide is not part of this installation.")
            return
        parts = PICTURE.split(LINK.sub(r"\1", PICTURE.sub("\0\\1\0\\2\0", GUIDE.read_text(encoding="utf-8"))))
        text = parts[0].split("\0")
        for place in range(0, len(text), 3):
            st.markdown(text[place])
            if place + 2 < len(text) and (picture := _themed(GUIDE.parent / text[place + 2])).is_file():
                st.image(str(picture), caption=text[place + 1])


def _themed(picture: Path) -> Path:
    """The picture in the colours that the page has, if there is one."""
    dark = picture.with_stem(f"{picture.stem}-dark")
    return dark if theme() == "dark" and dark.is_file() else picture
