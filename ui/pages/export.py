"""The export page: a format, what to leave out, what will be written, and where to."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from pathlib import Path

import streamlit as st

from core.errors import BadInput
from core.formats.write.exports import EXPORTS, ONE_VIDEO, Export, export, unfit
from core.formats.write.outgoing import Beginning, Counted, begin, counted, file_name, packed
from core.records import Labels
from core.store.project import Project
from ui import access
from ui.parts.beside import BESIDE, beside_dialog
from ui.parts.empty import empty
from ui.parts.export_labels import Filter, labels_of, reasons
from ui.parts.people import drawn, watch
from ui.parts.shell import this_project, top_bar
from ui.parts.words import plain
from ui.widgets.choices import Choice, choices

STATES = {"confirmed": "confirmed", "corrected": "corrected", "predicted": "predicted only"}
WRITTEN = "export_written"


def _ask_beside() -> None:
    st.session_state[BESIDE] = True


def page() -> None:
    project = this_project()
    top_bar("export", project)
    st.html('<div class="export-head"><h1>Export</h1></div>')
    if not access.is_owner():
        st.caption("Only owners hand over labels; ask one of them.")
        return
    if not project.count("face"):
        return empty(project, "Nothing to export yet", "The faces of a film or of pictures are handed over here.")
    drawn(project)
    watch(project)
    left, right = st.columns([10, 11], gap="large")
    with right:
        chosen, wanted = _chosen(), _filter(project)
        labels = labels_of(project, wanted)
    with left:
        _formats(reasons(project), labels, chosen)
    with right:
        _hand_over(project, EXPORTS[chosen], labels, wanted)


# --- What to write -----------------------------------------------------------------------------------------------------


def _chosen() -> str:
    asked = st.query_params.get("format", "csv")
    return asked if asked in EXPORTS else "csv"


def _choose(name: str) -> None:
    st.query_params["format"] = name


def _formats(why: dict[str, str], labels: Labels, chosen: str) -> None:
    options = []
    for one in EXPORTS.values():
        reason = why[one.name]
        if one.name in ONE_VIDEO and reason:
            reason = unfit(labels, one.name)  # choosing a source may help
        what = f"{one.what[0].upper()}{one.what[1:]}."
        options.append(Choice(one.name, one.title, what, one.suffix or "folder", reason))
    choices("Format", options, chosen, "export_formats", _choose)


def _filter(project: Project) -> Filter:
    whole = EXPORTS[_chosen()].needs_project
    with st.container(key="export-filter", border=True, gap="small"):
        with st.container(horizontal=True, gap="medium", vertical_alignment="center"):
            confirmed = st.toggle("Only what people said", key="export_confirmed", disabled=whole)
            without = st.toggle("Only faces with a name", key="export_without_nobody", disabled=whole)
        sure = st.slider("Confidence of at least", 0, 100, 0, 5, format="%d %%", key="export_sure", disabled=whole)
        sources = project.sources()
        source = None
        if len(sources) > 1:
            titles = {None: "All sources"} | {one.id: one.title for one in sources}
            source = st.selectbox("From", list(titles), format_func=titles.__getitem__, key="export_source", disabled=whole)
        if whole:
            st.caption("The whole project goes into the file, so nothing can be left out.")
            return Filter()
    return Filter(confirmed, sure / 100, without, source)


# --- What will be written, and where to --------------------------------------------------------------------------------


def _hand_over(project: Project, chosen: Export, labels: Labels, wanted: Filter) -> None:
    found = counted(labels)
    st.html(_counts(found))
    said = unfit(labels, chosen.name)
    if said:
        hint = " Leave less out." if wanted != Filter() else ""
        st.warning(f"{chosen.title} cannot be written: {plain(said)}.{hint}")
        return
    embeddings = project.embeddings() if chosen.needs_embeddings else None

    def write(path: Path) -> None:  # a download runs without the page: all it needs is caught here
        if chosen.needs_project:
            project.export(chosen.name, path)
        else:
            export(labels, chosen.name, path, embeddings)

    _places(project, chosen, (chosen.name, wanted), write)
    if chosen.name == "xmp" and st.session_state.get(BESIDE):
        beside_dialog(labels)
    if chosen.needs_project:
        st.caption("The file holds the sources' frames and crops, all vectors, all runs and the whole log of decisions.")
        return
    try:
        st.html(_preview(begin(labels, chosen.name, embeddings)))
    except BadInput as error:
        st.error(plain(str(error)))


def _counts(found: Counted) -> str:
    numbers = [(found.faces, "face"), (found.frames, "frame"), (found.names, "name")]
    blocks = [f"<div><b>{number:,}</b><span>{what}{'' if number == 1 else 's'}</span></div>" for number, what in numbers]
    blocks.append(f"<div><b>{found.nobody:,}</b><span>nobody</span></div>")
    blocks.append(f"<div><b>{found.unknown:,}</b><span>unknown</span></div>")
    total = max(1, found.faces)
    shares = [(state, found.states.get(state, 0)) for state in STATES]  # type: ignore[call-overload]
    bar = "".join(f'<i class="{state}" style="width:{100 * number / total:.2f}%"></i>' for state, number in shares)
    words = " · ".join(f"{number:,} {STATES[state]}" for state, number in shares)
    return (
        f'<div class="export-counts" role="status">{"".join(blocks)}</div>'
        f'<div class="export-states"><div class="bar">{bar}</div><span>{words}</span></div>'
    )


def _places(project: Project, chosen: Export, what: tuple[str, Filter], write: Callable[[Path], None]) -> None:
    name = file_name(project.title, chosen.name)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.download_button(
            "Download",
            data=lambda: packed(write, chosen.suffix),
            file_name=name,
            mime="application/octet-stream",
            on_click="ignore",
            type="primary",
            icon=":material/download:",
            key="export_download",
        )
        with st.popover("Write to a folder", icon=":material/folder:"):
            place = Path.home() / file_name(project.title, chosen.name, packed=False)
            typed = st.text_input("Where to, on this machine", value=str(place), key=f"export_path_{chosen.name}")
            over = st.checkbox("Replace what is there", key="export_over", disabled=not chosen.suffix)
            if st.button("Write", key="export_write", type="primary"):
                st.session_state[WRITTEN] = (what, *_written(Path(typed.strip()), chosen, over, write))
        if chosen.name == "xmp":
            st.button("Beside the pictures", icon=":material/photo_library:", key="export_beside", on_click=_ask_beside)
        st.html(f'<small class="export-name">{escape(name)}</small>', width="content")
    of_what, done, said = st.session_state.get(WRITTEN, (None, False, ""))
    if of_what == what:  # stays until something else is chosen, however often the page is drawn
        (st.success if done else st.error)(plain(said))


def _written(path: Path, chosen: Export, over: bool, write: Callable[[Path], None]) -> tuple[bool, str]:
    """Writes the export, whole or not at all; gives whether it did, and what to say."""
    try:
        access.check_path(path)
        path = path.expanduser()
        if not path.is_absolute():
            raise BadInput(f"{path}: give the whole path, from the root on")
        if chosen.suffix and path.is_dir():
            path = path / f"export{chosen.suffix}"
        if chosen.suffix and path.exists() and not over:
            raise BadInput(f"{path}: there is a file already; choose another name, or tick that it may be replaced")
        write(path)
    except (BadInput, RuntimeError) as error:  # a home that is not there
        return False, str(error)
    return True, f"Written to {path}"


def _preview(first: Beginning) -> str:
    """The first rows, lines or files. All of it is data and shown as text."""
    if first.kind == "table":
        head, *rows = first.rows
        cells = "".join(f"<th>{escape(cell)}</th>" for cell in head)
        lines = "".join("<tr>" + "".join(f'<td dir="auto">{escape(cell)}</td>' for cell in row) + "</tr>" for row in rows)
        body = f"<table><thead><tr>{cells}</tr></thead><tbody>{lines}</tbody></table>"
    elif first.kind == "files":
        body = f"<ul>{''.join(_file(row[0]) for row in first.rows)}</ul>"
    else:
        body = f"<pre>{escape(chr(10).join(row[0] for row in first.rows))}</pre>"
    more = "<p>… and so on</p>" if first.more else ""
    return f'<div class="export-preview" tabindex="0" aria-label="How it begins">{body}{more}</div>'


def _file(path: str) -> str:
    folder, _, name = path.rpartition("/")
    return f"<li>{f'<span>{escape(folder)}/</span>' if folder else ''}{escape(name)}</li>"
