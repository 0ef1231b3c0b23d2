"""Puts the measured table and the plot into docs/performance.md: ``python -m benchmarks.table`` after ``make bench``."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from pathlib import Path

from benchmarks.measure import RESULTS, ROOT, Row, duration
from benchmarks.solving import SIZES

BENCH = RESULTS / "bench.json"
PAGE = ROOT / "docs" / "performance.md"
PICTURE = ROOT / "docs" / "pictures" / "growth.svg"
HEAD = ["work", "time", "multiple of the yardstick", "peak memory", "accuracy", "to reach"]
PIECES = {  # what stands between which markers of the page
    "naming": ("start", "solving", "dbgae"),
    "compared": ("compared",),
    "rest": ("project", "app", "export", "ingest"),
}


def markdown(rows: Sequence[Row]) -> str:
    lines = [HEAD, ["---"] * len(HEAD)]
    for row in rows:
        times = f"{row.times:.0f}" if row.times >= 100 else f"{row.times:.2g}"
        lines.append(
            [
                row.work,
                row.note if row.seconds is None else duration(row.seconds),
                "–" if row.seconds is None else f"{times} × {row.against}",
                f"{row.memory_mb / 1000:.2g} GB" if row.memory_mb else "–",
                "–" if row.accuracy is None else f"{row.accuracy:.3f}",
                row.reach or "–",
            ]
        )
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def exponent(rows: Sequence[Row], what: str) -> float:
    """The slope of log cost over log faces, from the first to the last: 1 is linear growth."""
    first, last = rows[0], rows[-1]
    return math.log(getattr(last, what) / getattr(first, what)) / math.log((last.faces or 1) / (first.faces or 1))


def growing(rows: Sequence[Row]) -> list[Row]:
    """The default method's series, the smallest first."""
    return sorted((row for row in rows if row.series == "rollcall"), key=lambda row: row.faces or 0)


def growth_text(rows: Sequence[Row]) -> str:
    rows = [row for row in rows if (row.faces or 0) <= SIZES[-1]]  # those with as many faces a name
    if len(rows) < 2:
        return ""
    time, memory = (exponent(rows, what) for what in ("seconds", "memory_mb"))
    return (
        f"![Seconds and memory against the number of faces, both on logarithmic axes](pictures/{PICTURE.name})\n\n"
        f"From {rows[0].faces:,} to {rows[-1].faces:,} faces time grew like n^{time:.2f}, peak memory like n^{memory:.2f}."
    )


def put(page: str, piece: str, text: str) -> str:
    """The page with the text between the markers of a piece."""
    between = re.compile(rf"(<!-- {piece} -->).*?(<!-- /{piece} -->)", re.DOTALL)
    return between.sub(lambda found: f"{found[1]}\n{text}\n{found[2]}", page, count=1)


# --- The plot, drawn as SVG by hand: two panels, a point a size, the bound as a dashed line -----------------------------

ACCENT, INK, FAINT = "#1a8f86", "#7a838b", "#80889038"
WIDTH, HEIGHT, LEFT, TOP, PANEL_WIDTH, PANEL_HEIGHT, GAP = 720, 270, 60, 34, 270, 180, 80


def plot(rows: Sequence[Row]) -> str:
    panels = (("seconds", "seconds", 1.2), ("memory_mb", "peak memory, MB", 1.0))
    drawn = "".join(
        _panel(rows, what, title, slope, LEFT + k * (PANEL_WIDTH + GAP)) for k, (what, title, slope) in enumerate(panels)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
        f'font-family="sans-serif" font-size="12" fill="{INK}">{drawn}</svg>\n'
    )


def _panel(rows: Sequence[Row], what: str, title: str, slope: float, left: float) -> str:
    sizes = [float(row.faces or 1) for row in rows]
    costs = [float(getattr(row, what)) for row in rows]
    bound = [costs[0], costs[0] * (sizes[-1] / sizes[0]) ** slope]
    low, high = math.log10(min(costs + bound)) - 0.1, math.log10(max(costs + bound)) + 0.1
    start, end = math.log10(sizes[0]) - 0.06, math.log10(sizes[-1]) + 0.06

    def at(size: float, cost: float) -> tuple[float, float]:
        across = (math.log10(size) - start) / (end - start)
        up = (math.log10(cost) - low) / (high - low)
        return left + across * PANEL_WIDTH, TOP + (1 - up) * PANEL_HEIGHT

    drawn = [f'<text x="{left}" y="{TOP - 14}" font-weight="bold">{title}</text>']
    for cost in _ticks(low, high):
        _, y = at(sizes[0], cost)
        drawn.append(f'<path d="M{left} {y:.1f}h{PANEL_WIDTH}" stroke="{FAINT}"/>')
        drawn.append(f'<text x="{left - 6}" y="{y + 4:.1f}" text-anchor="end">{cost:,.10g}</text>')
    for size in sizes:
        x, _ = at(size, costs[0])
        drawn.append(f'<text x="{x:.1f}" y="{TOP + PANEL_HEIGHT + 18}" text-anchor="middle">{size / 1000:,.3g}k</text>')
    (x0, y0), (x1, y1) = at(sizes[0], bound[0]), at(sizes[-1], bound[1])
    drawn.append(f'<path d="M{x0:.1f} {y0:.1f}L{x1:.1f} {y1:.1f}" stroke="{INK}" stroke-dasharray="4 4"/>')
    drawn.append(f'<text x="{x1:.1f}" y="{y1 - 6:.1f}" text-anchor="end">at most n^{slope:g}</text>')
    points = [at(size, cost) for size, cost in zip(sizes, costs, strict=True)]
    line = "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
    drawn.append(f'<path d="M{line}" stroke="{ACCENT}" stroke-width="2" fill="none"/>')
    drawn += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{ACCENT}"/>' for x, y in points]
    middle, y = left + PANEL_WIDTH / 2, TOP + PANEL_HEIGHT + 40
    drawn.append(f'<text x="{middle}" y="{y}" text-anchor="middle">faces</text>')
    return "".join(drawn)


def _ticks(low: float, high: float) -> list[float]:
    """1, 2 and 5 of every power of ten between two logarithms."""
    steps = [step * 10.0**power for power in range(math.floor(low), math.ceil(high) + 1) for step in (1, 2, 5)]
    return [step for step in steps if low <= math.log10(step) <= high]


def main(page: Path = PAGE, picture: Path = PICTURE) -> None:
    bench = json.loads(BENCH.read_text())
    found = {name: [Row(**row) for row in rows] for name, rows in bench["rows"].items()}
    text = page.read_text()
    for piece, names in PIECES.items():
        text = put(text, piece, markdown([row for name in names for row in found.get(name, [])]))
    text = put(text, "machine", f"Measured on {bench['at']}, {bench['machine']}.")
    rows = growing(found.get("solving", []))
    if len(rows) > 1:
        text = put(text, "growth", growth_text(rows))
        picture.write_text(plot(rows))
    page.write_text(text)
    print(f"{page.relative_to(ROOT)} and {picture.relative_to(ROOT)} are made anew from {BENCH.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
