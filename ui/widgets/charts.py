"""Charts about people: who appears when, and who with whom. Names are data: signs of markup in them show as text."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from io import BytesIO

import networkx as nx
import numpy as np
import plotly.graph_objects as go
import streamlit as st
from PIL import Image, ImageDraw

from core.problem import FloatArray
from core.records import clock
from core.store.project import Appearances, Together
from ui.parts.words import counted

ROW = 27  # pixels of a row of the timeline
LONGEST = 26  # letters of a name beside a row or below a portrait
HEIGHT = 600  # of the graph of people
TALL = 2.6  # ... in units of its layout
WIDE = 1.75  # how much wider than high the layout is
CONFIG = {"displayModeBar": False, "doubleClick": False, "scrollZoom": False, "showAxisDragHandles": False}
STEPS = (1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200)  # seconds between two marks of an axis


@dataclass(frozen=True)
class Ink:
    text: str
    quiet: str
    line: str
    accent: str
    thought: str
    paper: str


INKS = {
    "light": Ink("#22272b", "#6b6f70", "#d9d5cb", "#0b6e69", "#9cbfbb", "#fbfaf7"),
    "dark": Ink("#e9e7e1", "#a5a8a6", "#39424a", "#2f9e95", "#3f6f6c", "#14181b"),
}


def timeline(found: Appearances, pictures: Sequence[str], theme: str) -> go.Figure:
    """A row a person, with a portrait: thick where a person has said so, thin where the machine thinks so."""
    ink, figure = INKS[theme], go.Figure()
    for said, words, colour, thick in (
        (False, "Rollcall thinks so", ink.thought, 0.3),
        (True, "A person said so", ink.accent, 0.62),
    ):
        rows = np.flatnonzero(found.said == said)
        figure.add_bar(
            orientation="h",
            y=found.person[rows].tolist(),
            base=found.start[rows].tolist(),
            x=[found.width] * len(rows),
            width=thick,
            name=words,
            marker={"color": colour, "line": {"width": 0}},
            customdata=found.frame[rows].tolist(),
            hovertext=[_seen(found, row) for row in rows.tolist()],
            hovertemplate="%{hovertext}<extra></extra>",
        )
    height = ROW * len(found.names) + 84
    _dress(figure, ink, height)
    figure.update_layout(
        barmode="overlay", showlegend=True, legend={"orientation": "h", "x": 0, "y": 1, "yanchor": "bottom"}
    )
    for place, picture in enumerate(pictures):
        portrait = round_portrait(picture)
        if portrait:  # between the name and its row
            spot = {"xref": "paper", "x": -0.004, "xanchor": "right", "yref": "y", "y": place, "yanchor": "middle"}
            figure.add_layout_image(source=portrait, sizex=0.06, sizey=0.9, **spot)
    labels = [_short(name) + "&nbsp;" * 12 for name in found.names]
    rows_ = {
        "tickmode": "array",
        "tickvals": list(range(len(labels))),
        "ticktext": labels,
        "automargin": True,
        "ticksuffix": "  ",
    }
    figure.update_yaxes(**rows_, range=[len(labels) - 0.5, -0.5], showgrid=True, gridcolor=ink.line, zeroline=False)
    figure.update_xaxes(
        **_marks(found), range=[0, found.span], showgrid=False, zeroline=False, side="bottom", ticks="outside"
    )
    return figure


def _seen(found: Appearances, row: int) -> str:
    name = escape(found.names[int(found.person[row])])
    start = float(found.start[row])
    where = clock(start) if found.timed else f"picture {int(start):,}"
    return f"<b>{name}</b>, {where}<br>{counted(int(found.faces[row]), 'face')}. Click to open."


def _marks(found: Appearances) -> dict[str, object]:
    if not found.timed:
        return {"title": {"text": "Picture"}}
    step = next((step for step in STEPS if found.span / step <= 12), STEPS[-1])
    marks = np.arange(0, found.span, step)
    return {"tickmode": "array", "tickvals": marks.tolist(), "ticktext": [clock(mark) for mark in marks]}


def people_graph(found: Together, pictures: Sequence[str], theme: str) -> go.Figure:
    """Portraits as large as people are frequent; lines as wide as they are together often."""
    ink, figure = INKS[theme], go.Figure()
    pairs = tuple(zip(found.one.tolist(), found.other.tolist(), found.frames.tolist(), strict=True))
    place = np.array(_layout(len(found.names), pairs)).reshape(-1, 2) * [WIDE, 1.0]
    most = int(found.frames.max(initial=1))
    for level in range(1, 6):  # five widths
        chosen = [(a, b) for a, b, frames in pairs if -(-5 * frames // most) == level]
        ends = np.array([[*place[a], *place[b]] for a, b in chosen]).reshape(-1, 4)
        gap = np.full(len(ends), None)
        line = {"width": 0.6 + 1.5 * (level - 1), "color": ink.thought}
        x, y = np.c_[ends[:, 0], ends[:, 2], gap].ravel(), np.c_[ends[:, 1], ends[:, 3], gap].ravel()
        figure.add_scatter(x=x.tolist(), y=y.tolist(), mode="lines", line=line, opacity=0.35 + 0.1 * level, hoverinfo="skip")
    room = min(1.0, np.sqrt(14 / max(1, len(found.names))))  # smaller where there are many
    size = room * (26 + 50 * np.sqrt(found.faces / max(1, int(found.faces.max(initial=1)))))
    figure.add_scatter(
        x=place[:, 0].tolist(),
        y=place[:, 1].tolist(),
        mode="markers+text",
        marker={"size": (size + 5).tolist(), "color": ink.accent, "opacity": 1, "line": {"width": 2, "color": ink.paper}},
        text=[_short(name) for name in found.names],
        textposition=_beside(place, pairs),
        textfont={"size": 13, "color": ink.text, "shadow": ", ".join([f"0 0 3px {ink.paper}"] * 4)},  # lines stop before it
        customdata=list(range(len(found.names))),
        hovertext=[_company(found, k) for k in range(len(found.names))],
        hovertemplate="%{hovertext}<extra></extra>",
        selected={"marker": {"opacity": 1}},
        unselected={"marker": {"opacity": 1}},
    )
    for (x, y), pixels, picture in zip(place.tolist(), size.tolist(), pictures, strict=True):
        portrait = round_portrait(picture)
        if portrait:
            edge = TALL * pixels / HEIGHT
            spot = {
                "x": x,
                "y": y,
                "sizex": edge,
                "sizey": edge,
                "xanchor": "center",
                "yanchor": "middle",
                "xref": "x",
                "yref": "y",
            }
            figure.add_layout_image(source=portrait, **spot)
    _dress(figure, ink, HEIGHT)
    figure.update_layout(showlegend=False, margin={"l": 0, "r": 0, "t": 0, "b": 0})
    figure.update_xaxes(visible=False, range=[-WIDE * 1.15, WIDE * 1.15])
    figure.update_yaxes(visible=False, range=[-TALL / 2, TALL / 2], scaleanchor="x")
    return figure


def _beside(place: FloatArray, pairs: Sequence[tuple[int, int, int]]) -> list[str]:
    """Where each name stands: below the portrait, or above it where fewer lines leave."""
    weight = np.zeros((len(place), 2))
    for a, b, frames in pairs:
        for one, other in ((a, b), (b, a)):
            across, up = place[other] - place[one]
            weight[one, int(up > 0)] += frames * abs(up) / max(float(np.hypot(across, up)), 1e-9)
    return ["top center" if above < below else "bottom center" for below, above in weight.tolist()]


def _company(found: Together, person: int) -> str:
    with_ = [
        (int(f), int(b if a == person else a))
        for a, b, f in zip(found.one, found.other, found.frames, strict=True)
        if person in (a, b)
    ]
    most = [f"{escape(found.names[other])} ({frames})" for frames, other in sorted(with_, reverse=True)[:5]]
    company = f"<br>with {', '.join(most)}" if most else "<br>always alone"
    return f"<b>{escape(found.names[person])}</b>, {counted(int(found.faces[person]), 'face')}{company}<br>Click to open."


@st.cache_data(show_spinner=False, max_entries=50)
def _layout(many_: int, pairs: tuple[tuple[int, int, int], ...]) -> list[tuple[float, float]]:
    """Where each person stands, within one unit of the middle; the same every time."""
    if many_ < 2:
        return [(0.0, 0.0)] * many_
    most = max((frames for _, _, frames in pairs), default=1)
    apart = np.full((many_, many_), 2.0)
    for a, b, frames in pairs:
        apart[a, b] = apart[b, a] = 2.0 - 1.3 * np.sqrt(frames / most)
    distances = {a: dict(enumerate(row)) for a, row in enumerate(apart.tolist())}
    place = nx.kamada_kawai_layout(nx.complete_graph(many_), dist=distances)
    spots = np.array([place[k] for k in range(many_)])
    spots -= (spots.max(0) + spots.min(0)) / 2
    return [(float(x), float(y)) for x, y in spots / np.abs(spots).max(0).clip(1e-9)]


@st.cache_data(show_spinner=False, max_entries=400)
def round_portrait(picture: str, size: int = 96) -> str:
    """A crop as a round picture; "" where there is none."""
    kind, _, content = picture.partition(";base64,")
    if kind != "data:image/jpeg":
        return ""
    try:
        image = Image.open(BytesIO(base64.b64decode(content))).convert("RGB").resize((size, size))
    except (OSError, ValueError):
        return ""
    mask = Image.new("L", (4 * size, 4 * size))
    ImageDraw.Draw(mask).ellipse((0, 0, 4 * size - 1, 4 * size - 1), fill=255)
    image.putalpha(mask.resize((size, size), Image.Resampling.LANCZOS))
    file = BytesIO()
    image.save(file, "WEBP", quality=82)
    return "data:image/webp;base64," + base64.b64encode(file.getvalue()).decode()


def _short(name: str) -> str:
    return escape(name if len(name) <= LONGEST else name[: LONGEST - 1] + "…")


def _dress(figure: go.Figure, ink: Ink, height: int) -> None:
    """The theme's colours and fonts, and nothing that moves by accident."""
    font = {"family": '"Source Sans", "Source Sans 3", sans-serif', "size": 14, "color": ink.text}
    figure.update_layout(
        height=height,
        font=font,
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        margin={"l": 8, "r": 8, "t": 34, "b": 34},
        clickmode="event+select",
        dragmode=False,
        hovermode="closest",
        hoverlabel={"bgcolor": ink.paper, "bordercolor": ink.line, "font": font},
    )
    figure.update_xaxes(linecolor=ink.line, tickcolor=ink.line, tickfont={"color": ink.quiet}, fixedrange=True)
    figure.update_yaxes(tickfont={"color": ink.text}, fixedrange=True)
