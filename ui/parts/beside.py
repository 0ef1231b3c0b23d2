"""XMP files beside the pictures: a list of what would change first, then one button that writes it."""

from __future__ import annotations

from html import escape
from pathlib import Path

import streamlit as st

from core.errors import BadInput
from core.formats.write.beside import Sidecar, in_words, plan, write_beside
from core.records import Labels
from ui import access
from ui.parts.words import counted, plain

BESIDE, DONE = "export_beside_asked", "export_beside_done"
SHOWN = 300  # files in the list


def _dismissed() -> None:
    st.session_state.pop(BESIDE, None)
    st.session_state.pop(DONE, None)


@st.dialog("Write beside the pictures", width="large", on_dismiss=_dismissed)
def beside_dialog(labels: Labels) -> None:
    done: str = st.session_state.get(DONE, "")
    if done:
        st.success(plain(done))
        return
    try:
        access.check_owner("write beside the pictures")
        for place in {frame.source.path for frame in labels.frames if frame.source.kind == "pictures"}:
            access.check_path(Path(place))
        planned = plan(labels)
    except BadInput as error:
        st.error(plain(str(error)))
        return
    st.caption("Files that are there keep all but face regions and names. Nothing is written before you say so.")
    st.html(_list(planned))
    many = sum(one.kind in ("new", "changed") for one in planned)
    if st.button(f"Write {counted(many, 'file')}", type="primary", key="beside-now", disabled=not many):
        try:
            st.session_state[DONE] = f"Written: {in_words(write_beside(labels))}."
        except BadInput as error:
            st.error(plain(str(error)))
            return
        st.rerun(scope="fragment")


def _list(planned: list[Sidecar]) -> str:
    rows = "".join(_row(one) for one in planned[:SHOWN])
    more = f"<p class='quiet'>and {len(planned) - SHOWN} more</p>" if len(planned) > SHOWN else ""
    head = "<tr><th>File</th><th></th><th>Names</th></tr>"
    table = f"<table class='team'><thead>{head}</thead><tbody>{rows}</tbody></table>"
    return f"<div class='preview-list' tabindex='0'>{table}{more}</div>"


def _row(one: Sidecar) -> str:
    gone = f" <s>{escape(', '.join(one.gone))}</s>" if one.gone else ""
    folder = one.picture.rpartition("/")[0]
    place = f"{folder}/{one.path.name}" if folder else one.path.name
    said = escape(one.why) if one.kind == "left alone" else escape(", ".join(one.names)) + gone
    return f"<tr><td>{escape(place)}</td><td>{one.kind}</td><td dir='auto'>{said}</td></tr>"
