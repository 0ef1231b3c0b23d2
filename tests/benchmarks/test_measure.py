"""What a benchmark says about a child process is that child's own."""

import pytest

from benchmarks import measure
from benchmarks.measure import Report, Row, duration, load, ran


def test_a_childs_peak_memory_is_its_own() -> None:
    small, large = ran("-c", "pass"), ran("-c", "b = bytearray(b'1') * 300_000_000; print(len(b))")
    assert large.json() == 300_000_000
    assert large.memory_mb > small.memory_mb + 250


def test_a_failing_child_ends_the_benchmark_unless_its_output_is_shown() -> None:
    with pytest.raises(SystemExit, match="code 3"):
        ran("-c", "raise SystemExit(3)")
    assert ran("-c", "raise SystemExit(3)", echo=True).code == 3


def test_rows_are_saved_as_they_come(tmp_path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(measure, "RESULTS", tmp_path)
    report = Report("some")
    report.add(Row("naming", 1.5, 3.0, accuracy=0.75, reach="2 s"))
    report.add(Row("dense", None, note="does not fit"))
    assert load("some") == report.rows
    assert load("other") == []
    naming, dense = capsys.readouterr().out.splitlines()
    assert naming == "naming: 1.50 s, 3.00 times products and passes, accuracy 0.750 (to reach: 2 s)"
    assert dense == "dense: does not fit"


def test_durations() -> None:
    assert [duration(s) for s in (0.0123, 0.5, 90, 2700)] == ["12 ms", "0.50 s", "90.00 s", "45.0 min"]
