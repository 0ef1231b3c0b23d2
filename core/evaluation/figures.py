"""The experiments as Plotly figures, for the app and for ``docs/``.

Ours is drawn in the accent colour and above the rest, the others in greys; lines are labelled where they end. Backgrounds
are clear and all colours are of middle lightness, so that a figure reads on white and on near-black alike.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from core.evaluation.ambiguity import Curve, Levels, histogram
from core.evaluation.effort import Trace
from core.problem import FloatArray

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

ACCENT = "#1a8f86"
INK = "#7a838b"  # text: 3.9 to 1 on white, 4.6 to 1 on the app's dark ground
FAINT = "rgba(128, 136, 144, 0.22)"
GREYS = ("#848c94", "#9aa1a7", "#747c84")
DASHES = ("solid", "dot", "dash", "dashdot", "longdash", "longdashdot")


def histogram_figure(levels: Mapping[str, Levels]) -> Figure:
    """How many names of each problem are how ambiguous (the paper's Figure 3); one small chart a problem."""
    from plotly.graph_objects import Bar

    title = next(iter(levels.values())).title
    figure = _grid(list(levels), "names", title)
    for place, one in enumerate(levels.values()):
        row, column = divmod(place, _columns(len(levels)))
        count = histogram(one)
        figure.add_trace(
            Bar(
                x=list(range(len(count))),
                y=count.tolist(),
                text=[str(n) if n else "" for n in count.tolist()],
                textposition="outside",
                textfont={"size": 10},
                textangle=0,
                constraintext="none",
                cliponaxis=False,
                marker={"color": ACCENT},
                customdata=list(one.labels),
                hovertemplate="%{customdata}: %{y} names<extra></extra>",
            ),
            row=row + 1,
            col=column + 1,
        )
        _ticks(figure, one, row + 1, column + 1, every=2)
        top = 1.18 * max(1, int(count.max()))
        figure.update_yaxes(showticklabels=False, showgrid=False, range=[0, top], row=row + 1, col=column + 1)
    return figure


def curve_figure(curves: Sequence[Curve], levels: Levels, ours: str) -> Figure:
    """Accuracy and F1 of each method over the bins of ``levels`` (the paper's Figures 4 to 6), side by side."""
    figure = _grid(["accuracy", "F1 of names"], "", levels.title, columns=2, right=112, gap=0.2)
    figure.update_layout(height=360)
    held = ~np.all([np.isnan(curve.accuracy) for curve in curves], axis=0)
    shown_bins = np.flatnonzero(held).tolist() or [0]
    for column, what in enumerate(("accuracy", "f1"), start=1):
        ends = []
        for place, one in enumerate(sorted(curves, key=lambda curve: curve.method == ours)):  # ours is drawn last, on top
            value: FloatArray = getattr(one, what)
            shown = np.flatnonzero(~np.isnan(value))
            if not len(shown):
                continue
            color = ACCENT if one.method == ours else GREYS[place % len(GREYS)]
            figure.add_trace(
                _line(shown.tolist(), value[shown].tolist(), one.method, color, one.method == ours, place, levels.labels),
                row=1,
                col=column,
            )
            ends.append((one.method, float(value[shown[-1]]), color))
        _end_labels(figure, ends, column)
        _ticks(figure, levels, 1, column, every=1)
        figure.update_yaxes(range=[-0.02, 1.04], tickformat=".1f", dtick=0.2, row=1, col=column)
        first, last = shown_bins[0], shown_bins[-1]
        figure.update_xaxes(range=[first - 0.3, last + 0.3], row=1, col=column)
    return figure


def effort_figure(traces: Mapping[str, tuple[Trace, Trace]], target: float) -> Figure:
    """Accuracy against the share of faces a person has touched, with the queue and in random order; one chart a problem."""
    figure = _grid(list(traces), "accuracy", "share of faces touched", right=20)
    columns = _columns(len(traces))
    for place, (queue, random) in enumerate(traces.values()):
        row, column = divmod(place, columns)
        where: dict[str, Any] = {"row": row + 1, "col": column + 1}
        lowest = min(float(queue.accuracy.min()), float(random.accuracy.min()), target)
        pad = 0.05 * max(1 - lowest, 0.01)
        longest = max(int(queue.touched[-1]), int(random.touched[-1]), 1) / queue.faces
        for name, one, color in (("random order", random, GREYS[0]), ("queue", queue, ACCENT)):
            share = one.touched / one.faces
            figure.add_trace(_line(share.tolist(), one.accuracy.tolist(), name, color, name == "queue", 0, None), **where)
            figure.add_annotation(
                x=float(share[-1]),
                y=float(one.accuracy[-1]),
                text=f"{name} {one.share(target):.1%}",
                font={"color": color},
                showarrow=False,
                xanchor="left" if share[-1] < 0.5 * longest else "right",
                yanchor="bottom" if name == "queue" else "top",
                yshift=4 if name == "queue" else -34,  # below the last steep piece of the line
                **where,
            )
        figure.add_hline(y=target, line={"color": FAINT, "width": 2}, **where)
        figure.update_yaxes(range=[lowest - pad, 1 + 3 * pad], tickformat=".2f", **where)
        figure.update_xaxes(range=[0, longest * 1.02], tickformat=".0%", nticks=5, **where)
    return figure


def spread_apart(values: Sequence[float], gap: float, low: float = 0.0, high: float = 1.0) -> list[float]:
    """The values moved as little as it takes to be at least ``gap`` apart, in their order, and between low and high.

    The least-squares answer: with the k-th value lowered by k gaps it is a regression that may not fall.
    """
    from sklearn.isotonic import IsotonicRegression

    if not len(values):
        return []
    order = np.argsort(values, kind="stable")
    step = gap * np.arange(len(order))
    fit = IsotonicRegression(y_min=low, y_max=max(low, high - step[-1]))
    placed = fit.fit_transform(np.arange(len(order)), np.asarray(values, dtype=float)[order] - step) + step
    moved = np.empty(len(order))
    moved[order] = placed
    return [float(value) for value in moved]


def _line(x: list[Any], y: list[float], name: str, color: str, bold: bool, place: int, labels: Sequence[str] | None) -> Any:
    from plotly.graph_objects import Scatter

    where = "%{customdata}" if labels is not None else "%{x:.1%}"
    return Scatter(
        x=x,
        y=y,
        name=name,
        mode="lines+markers" if labels is not None else "lines",
        line={"color": color, "width": 3 if bold else 1.5, "dash": "solid" if bold else DASHES[place % len(DASHES)]},
        marker={"size": 7 if bold else 4},
        customdata=None if labels is None else [labels[k] for k in x],
        hovertemplate=f"{name}, {where}: %{{y:.3f}}<extra></extra>",
    )


def _end_labels(figure: Figure, ends: Sequence[tuple[str, float, str]], column: int) -> None:
    """Each line's name to the right of its chart, at the height where the line ends."""
    heights = spread_apart([value for _, value, _ in ends], 0.06)
    for (method, _, color), height in zip(ends, heights, strict=True):
        figure.add_annotation(
            x=1.015,
            xref=f"x{column if column > 1 else ''} domain",
            y=height,
            yref=f"y{column if column > 1 else ''}",
            text=f"<b>{method}</b>" if color == ACCENT else method,
            font={"color": color, "size": 11},
            xanchor="left",
            showarrow=False,
        )


def _columns(many: int) -> int:
    return min(many, 4 if many > 6 or many == 4 else 3)


def _grid(titles: list[str], y: str, x: str, columns: int | None = None, right: int = 20, gap: float = 0.07) -> Figure:
    """Empty small charts in the house's style: clear ground, faint lines, no legend."""
    from plotly.subplots import make_subplots

    columns = columns or _columns(len(titles))
    rows = -(-len(titles) // columns)
    figure = make_subplots(
        rows=rows, cols=columns, subplot_titles=titles, x_title=x, y_title=y, horizontal_spacing=gap,
        vertical_spacing=0.32 / rows,
    )  # fmt: skip
    figure.update_layout(
        template="none",
        width=920,
        height=90 + 220 * rows,
        margin={"l": 60, "r": right, "t": 40, "b": 64},
        showlegend=False,
        font={"family": "system-ui, 'Segoe UI', Helvetica, Arial, sans-serif", "size": 12, "color": INK},
        paper_bgcolor="rgba(0,0,0,0)",
        plot_bgcolor="rgba(0,0,0,0)",
        bargap=0.15,
    )
    figure.update_annotations(font={"size": 13, "color": INK})
    figure.update_xaxes(showgrid=False, zeroline=False, linecolor=FAINT, ticks="")
    figure.update_yaxes(gridcolor=FAINT, zeroline=False, showline=False)
    return figure


def _ticks(figure: Figure, levels: Levels, row: int, column: int, every: int) -> None:
    """The bins' names below the axis, or their lower ends where there are too many to fit."""
    fits = len(levels.labels) <= 8
    short = [label if fits else label.split("–")[0] for label in levels.labels][::every]
    places = list(range(0, len(levels.labels), every))
    figure.update_xaxes(tickmode="array", tickvals=places, ticktext=short, tickangle=0, row=row, col=column)
