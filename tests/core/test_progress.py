"""Progress on a terminal and elsewhere."""

import io
import sys

import pytest

from core import progress
from core.progress import BAR, PLAIN_SECONDS, Printer, silent


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """A clock that stands still until a test moves it."""
    now = [100.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    return now


def test_a_terminal_shows_a_bar_that_is_drawn_over(clock: list[float]) -> None:
    stream = Terminal()
    tell = Printer(stream)
    tell("autoencoder", 1, 4)
    clock[0] += 2
    tell("autoencoder", 2, 4)
    drawn = stream.getvalue()
    assert drawn.startswith("\r")
    assert drawn.count("█") == BAR // 2
    assert drawn.count("·") == BAR // 2
    assert "autoencoder" in drawn
    assert "2/4" in drawn
    assert "4 s left" in drawn  # one took two seconds
    assert "\n" not in drawn


def test_a_terminal_ends_the_line_when_all_is_done(clock: list[float]) -> None:
    stream = Terminal()
    tell = Printer(stream)
    for done in range(1, 5):
        clock[0] += 1
        tell("autoencoder", done, 4)
    last = stream.getvalue().split("\r")[-1]
    assert last.count("█") == BAR
    assert "4/4" in last
    assert last.endswith("0 s left\n")
    assert stream.getvalue().count("\n") == 1


def test_a_terminal_is_not_flooded(clock: list[float]) -> None:
    stream = Terminal()
    tell = Printer(stream)
    for done in range(1, 1000):
        clock[0] += 0.001
        tell("autoencoder", done, 1000)
    assert 0 < stream.getvalue().count("\r") < 12


def test_elsewhere_there_is_a_plain_line_every_few_seconds(clock: list[float]) -> None:
    stream = io.StringIO()
    tell = Printer(stream)
    for done in range(1, 31):
        clock[0] += 1
        tell("autoencoder", done, 40)
    lines = stream.getvalue().splitlines()
    assert lines[0] == "autoencoder: 7 of 40, 1 a second, 33 s left"  # six seconds after the first word, more than five
    assert 3 <= len(lines) <= 30 / PLAIN_SECONDS
    assert "\r" not in stream.getvalue()
    assert "\x1b" not in stream.getvalue()


def test_elsewhere_short_work_says_nothing(clock: list[float]) -> None:
    stream = io.StringIO()
    tell = Printer(stream)
    for done in range(1, 5):
        clock[0] += 1
        tell("autoencoder", done, 4)
    assert stream.getvalue() == ""


def test_every_stage_has_a_time_of_its_own(clock: list[float]) -> None:
    stream = Terminal()
    tell = Printer(stream)
    tell("first", 1, 2)
    clock[0] += 1000
    tell("second", 0, 10)
    clock[0] += 5
    tell("second", 5, 10)
    assert "5 s left" in stream.getvalue().split("\r")[-1]
    tell("second", 0, 100)  # a second round of it
    clock[0] += 5
    tell("second", 50, 100)
    assert "5 s left" in stream.getvalue().split("\r")[-1]


def test_what_an_earlier_command_did_tells_nothing_about_the_pace(clock: list[float]) -> None:
    stream = io.StringIO()
    tell = Printer(stream)
    for seconds, done in ((0, 5000), (6, 5000), (6, 5006)):
        clock[0] += seconds
        tell("films", done, 10_000)
    assert stream.getvalue().splitlines() == ["films: 5000 of 10000", "films: 5006 of 10000, 0.5 a second, 3 h left"]


def test_a_line_that_says_nothing_new_comes_once_a_minute(clock: list[float]) -> None:
    stream = io.StringIO()
    tell = Printer(stream)
    for _ in range(24):
        clock[0] += 5.5
        tell("films", 1, 4)
    clock[0] += 5.5
    tell("films", 2, 4)
    lines = stream.getvalue().splitlines()
    assert lines == ["films: 1 of 4"] * 3 + ["films: 2 of 4, 0.45 a minute, 4 min left"]


@pytest.mark.parametrize("stream", [Terminal(), io.StringIO()])
def test_nothing_to_do_is_no_error(stream: io.StringIO, clock: list[float]) -> None:
    tell = Printer(stream)
    clock[0] += 10
    tell("nothing", 0, 0)
    clock[0] += 10
    tell("nothing", 0, 0)
    assert "nothing" in stream.getvalue()


def test_progress_goes_to_standard_error(capsys: pytest.CaptureFixture[str], clock: list[float]) -> None:
    tell = Printer()
    assert tell.stream is sys.stderr
    tell("autoencoder", 1, 4)
    clock[0] += 10
    tell("autoencoder", 2, 4)
    out, err = capsys.readouterr()
    assert out == ""
    assert err == "autoencoder: 2 of 4, 0.1 a second, 20 s left\n"


def test_silent_says_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    silent("autoencoder", 1, 4)
    assert capsys.readouterr() == ("", "")
