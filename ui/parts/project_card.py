"""A project in short, for its card on the projects page."""

from __future__ import annotations

import json
from dataclasses import dataclass
from html import escape
from pathlib import Path
from urllib.parse import urlencode

import numpy as np
import streamlit as st

from core.errors import BadInput
from core.jobs import engine as jobs
from core.jobs.engine import Job
from core.jobs.missed import is_dated
from core.jobs.uploads import in_short
from core.store.project import UPLOADS
from ui.parts.pictures import SILHOUETTE, picture
from ui.parts.shell import open_project
from ui.parts.words import ago, counted

COVER = 4  # crops on a card


@dataclass(frozen=True)
class Card:
    """What a card shows of a project; of one that cannot be opened only ``wrong``."""

    folder: Path
    title: str
    wrong: str = ""
    faces: int = 0
    frames: int = 0
    names: int = 0
    settled: int = 0
    named: int = 0  # faces that have a name,
    nobody: int = 0  # ... those of people whom no caption names,
    unknown: int = 0  # ... and those without an answer
    opened: str = ""
    runs: int = 0
    job: Job | None = None  # the last one
    going: bool = False
    dated: bool = False  # its faces were found by an earlier version
    summary: str = ""  # what came in last


def card_of(folder: Path) -> Card:
    try:
        project = open_project(folder.name)
        log = project.log()
        last = jobs.jobs(project)[:2]
        counts = project.current_labels().counts
        going = any(job.active for job in last)
        return Card(
            folder=folder,
            title=project.title,
            faces=project.count("face") - len(log.hidden),
            frames=project.count("frame"),
            names=len(project.names()),
            settled=len(log.settled - log.hidden),
            named=counts.named,
            nobody=counts.nobody,
            unknown=counts.unknown,
            opened=str(project.fact("opened")),
            runs=project.count("run"),
            job=last[0] if last else None,
            going=going,
            dated=is_dated(project),
            summary=next((str(json.loads(one.summary).get("text", "")) for one in reversed(project.sources())), ""),
        )
    except BadInput as error:
        return Card(folder, folder.name, wrong=in_short(str(error), folder.parent))


def archive_cards(folders: list[Path]) -> str:
    """Archives of many films, each with how far it is, as HTML."""
    from core.jobs.archive.search import Archive

    found = []
    for folder in folders:
        try:
            with Archive.open(folder) as archive:
                counts = archive.states.counts()
            said = f"{counts['done']:,} of {counted(sum(counts.values()), 'film')} done"
            said += f", {counts['failed']:,} failed" if counts["failed"] else ""
        except BadInput as error:
            said = in_short(str(error), folder.parent)
        where = escape(urlencode({"archive": folder.name}))
        found.append(
            f"<a href='/archive?{where}' target='_self'><b>{escape(folder.name)}</b> <span>{escape(said)}</span></a>"
        )
    return f"<div class='archive-cards'>{''.join(found)}</div>"


@st.cache_data(show_spinner=False, max_entries=200)
def _cover(folder: str, faces: int, runs: int, settled: int) -> list[str]:
    """A few crops, of as many people as possible; the surest of each."""
    project = open_project(Path(folder).name)
    now = project.current_labels()
    if not len(now.face):
        return []
    order = np.lexsort((now.face, -now.confidence, now.name))
    names, first, many = np.unique(now.name[order], return_index=True, return_counts=True)
    known = names >= 0
    chosen = order[first[known][np.argsort(-many[known], kind="stable")][:COVER]].tolist()
    rest = np.setdiff1d(order, chosen)
    step = max(1, len(rest) // COVER)
    chosen += rest[::step][: COVER - len(chosen)].tolist()
    found = project.faces(ids=now.face[chosen].tolist())
    return [str(face.crop) for face in found if face.crop is not None and face.crop.is_file()]


def head(card: Card) -> str:
    """The card above its buttons, as HTML: pictures, title, counts, how much is settled."""
    crops = _cover(str(card.folder), card.faces, card.runs, card.settled) if card.faces else []
    share = 100 * card.settled / card.faces if card.faces else 0
    counts = " · ".join(counted(*c) for c in ((card.faces, "face"), (card.frames, "frame"), (card.names, "name")))
    settled = (
        f"<div class='settled' role='img' aria-label='{card.settled} of {card.faces} faces settled'>"
        f"<i style='width:{share:.1f}%'></i></div>"
        f"<p class='quiet'>{_known(card)}</p>"
        if card.faces
        else "<p class='quiet'>Nothing in it yet</p>"
    )
    counts = f"<p class='counts'>{counts}</p>" if card.frames else ""
    came = f"<p class='quiet came' title='{escape(card.summary)}'>{escape(card.summary)}</p>" if card.summary else ""
    return (
        f"{mosaic(crops)}<div class='card-head'><h3 title='{escape(card.title)}'>{escape(card.title)}</h3>"
        f"<span class='quiet'>{escape(ago(card.opened))}</span></div>{counts}{settled}{came}"
    )


def _known(card: Card) -> str:
    """How much is known, in words."""
    if not card.runs:
        return f"{card.settled:,} of {counted(card.faces, 'face')} settled"
    rest = "".join(f", {many:,} {what}" for many, what in ((card.nobody, "nobody"), (card.unknown, "unknown")) if many)
    return f"{card.named:,} of {card.faces:,} named{rest}, {card.settled:,} settled"


def ended_words(job: Job, folder: Path) -> str:
    """How the last work ended, as HTML, if that is worth a word."""
    said = in_short(job.message, folder / UPLOADS, folder.parent)
    if job.state == "failed":
        what = "Taking it in failed" if job.kind == "ingest" else "The last run failed"
        return f"<p class='wrong' role='alert'><b>{what}.</b> {escape(said)}</p>"
    if job.state == "stopped" and job.kind == "ingest":
        return f"<p class='quiet'>{escape(said[:1].upper() + said[1:])}.</p>"
    return ""


def mosaic(crops: list[str]) -> str:
    shown = [picture(Path(crop)) for crop in crops] or [SILHOUETTE] * COVER
    pictures = "".join(f'<img src="{src}" alt="">' for src in shown)
    return f'<div class="mosaic of-{len(shown)}{"" if crops else " bare"}">{pictures}</div>'
