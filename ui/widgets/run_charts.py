"""Charts of the model page, in the house's style: clear ground, faint lines, one accent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from core.evaluation.figures import ACCENT, FAINT, GREYS
from core.jobs.engine import Job
from core.problem import BoolArray, FloatArray
from ui.widgets.component import theme

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

BINS = 20
CONFIG = {"displayModeBar": False}
INK = {"light": "#5d656c", "dark": "#a8b0b6"}  # text: at least 4.5 to 1 on the page


def curve_figure(job: Job) -> Figure:
    """The job's curve: how sure the answers are after each round, or the loss after each epoch."""
    from plotly.graph_objects import Scatter

    loss = job.stage == "autoencoder" or "dbgae" in job.stage
    steps = np.linspace(1, max(job.done, len(job.curve)), len(job.curve))
    figure = _plain("loss" if loss else "mean confidence", "epoch" if loss else "round", 190)
    line = {"color": ACCENT, "width": 2.5}
    figure.add_trace(
        Scatter(x=steps.tolist(), y=list(job.curve), mode="lines", line=line, hovertemplate="%{y:.3g}<extra></extra>")
    )
    if loss:
        figure.update_yaxes(type="log", exponentformat="power", nticks=5)
    else:
        low = min(job.curve)
        figure.update_yaxes(range=[max(0.0, low - 0.1 * (1 - low) - 0.01), 1.005], tickformat=".0%", nticks=5)
    figure.update_xaxes(range=[1, max(job.total, steps[-1], 2)])  # after a cold start, a rerun's total is less than was done
    return figure


def confidence_figure(confidence: FloatArray, settled: BoolArray) -> Figure:
    """How many faces the model is how sure of; those that people settled have the accent, as everywhere in the app."""
    from plotly.graph_objects import Bar

    edges = np.linspace(0, 1, BINS + 1)
    place = np.clip((confidence * BINS).astype(np.int64), 0, BINS - 1)
    figure = _plain("faces", "confidence", 205)
    for name, chosen, color in (("open", ~settled, GREYS[1]), ("settled by people", settled, ACCENT)):
        count = np.bincount(place[chosen], minlength=BINS)
        figure.add_trace(
            Bar(
                x=((edges[:-1] + edges[1:]) / 2).tolist(),
                y=count.tolist(),
                width=0.9 / BINS,
                name=name,
                marker={"color": color},
                hovertemplate=f"%{{y}} faces {name}, confidence %{{x:.0%}} ± 2.5 %<extra></extra>",
            )
        )
    figure.update_layout(barmode="stack", showlegend=True, legend={"orientation": "h", "y": 1.16, "x": 0, "xanchor": "left"})
    figure.update_xaxes(range=[0, 1], tickformat=".0%", dtick=0.2)
    figure.update_yaxes(nticks=4)
    return figure


def agreement_figure(lines: Mapping[str, Sequence[tuple[str, float | None]]]) -> Figure:
    """How far each two people agree, day by day."""
    from plotly.graph_objects import Scatter

    figure = _plain("Cohen's kappa", "", 220)
    for k, (name, days) in enumerate(lines.items()):
        line = {"color": (ACCENT, *GREYS)[k % (1 + len(GREYS))], "width": 2.5}
        x, y = zip(*days, strict=True)
        figure.add_trace(Scatter(x=x, y=y, mode="lines+markers", name=name, line=line, marker={"size": 8}))
    figure.update_layout(showlegend=len(lines) > 1, legend={"orientation": "h", "y": 1.16, "x": 0, "xanchor": "left"})
    figure.update_xaxes(type="category")
    figure.update_yaxes(range=[-0.2, 1.05], nticks=4)
    return figure


def _plain(y: str, x: str, height: int) -> Figure:
    from plotly.graph_objects import Figure

    figure = Figure()
    title: dict[str, Any] = {"font": {"size": 12}, "standoff": 6}
    figure.update_layout(
        template="none",
        height=height,
        margin={"l": 52, "r": 12, "t": 10, "b": 40},
        showlegend=False,
        font={"family": "system-ui, 'Segoe UI', Helvetica, Arial, sans-serif", "size": 12, "color": INK[theme()]},
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        xaxis={"title": title | {"text": x}, "showgrid": False, "zeroline": False, "linecolor": FAINT},
        yaxis={"title": title | {"text": y}, "gridcolor": FAINT, "zeroline": False},
    )
    return figure
