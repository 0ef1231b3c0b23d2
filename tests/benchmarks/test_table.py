"""The tables and the plot of docs/performance.md come from what was measured."""

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from benchmarks import table
from benchmarks.measure import Row
from benchmarks.table import PAGE, PIECES, exponent, growing, markdown, plot, put

SERIES = [Row(f"{n} faces", n**1.1 / 1e3, memory_mb=n // 10, faces=n, series="rollcall") for n in (5_000, 20_000, 80_000)]


def test_a_line_a_row() -> None:
    lines = markdown([Row("a", 4.0, 250.4, "bare", 1500, 0.9, "5 s"), Row("b", None, note="does not fit 6 GB")]).splitlines()
    assert lines[2] == "| a | 4.00 s | 250 × bare | 1.5 GB | 0.900 | 5 s |"
    assert lines[3] == "| b | does not fit 6 GB | – | – | – | – |"
    assert len({line.count("|") for line in lines}) == 1


def test_growth_is_the_slope_of_the_series() -> None:
    rows = growing([SERIES[2], Row("other", 1.0), SERIES[0], SERIES[1]])
    assert [row.faces for row in rows] == [5_000, 20_000, 80_000]
    assert exponent(rows, "seconds") == pytest.approx(1.1)
    assert exponent(rows, "memory_mb") == pytest.approx(1.0)


def test_the_plot_has_a_point_for_each_size_in_both_panels() -> None:
    drawn = ElementTree.fromstring(plot(SERIES))
    points = drawn.findall("{*}circle")
    assert len(points) == 6
    across = [float(point.get("cx", "")) for point in points]
    assert across == sorted(across)
    assert len(plot(SERIES)) < 8_000


def test_only_what_stands_between_the_markers_changes() -> None:
    page = "a\n<!-- one -->\nold\n<!-- /one -->\nb\n<!-- two -->\n<!-- /two -->\n"
    assert put(page, "one", "new") == page.replace("old", "new")
    assert put(page, "three", "new") == page


def test_the_page_is_made_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page, picture, bench = tmp_path / "performance.md", tmp_path / "growth.svg", tmp_path / "bench.json"
    page.write_text(PAGE.read_text())
    monkeypatch.setattr(table, "ROOT", tmp_path)
    monkeypatch.setattr(table, "BENCH", bench)
    rows = {"solving": [row.__dict__ for row in SERIES], "compared": [Row("dense", 7.0, 2.0, "ours").__dict__]}
    bench.write_text(json.dumps({"at": "2026-01-02", "machine": "9 cores", "rows": rows}))
    table.main(page, picture)
    text = page.read_text()
    assert "| dense | 7.00 s | 2 × ours | – | – | – |" in text
    assert "time grew like n^1.10, peak memory like n^1.00" in text
    assert "Measured on 2026-01-02, 9 cores." in text
    assert picture.read_text() == plot(SERIES)


def test_the_page_has_a_place_for_every_piece() -> None:
    page = PAGE.read_text()
    for piece in (*PIECES, "growth", "machine"):
        assert page.count(f"<!-- {piece} -->") == page.count(f"<!-- /{piece} -->") == 1
