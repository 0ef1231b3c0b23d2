"""How long work tells how far it is: one small kind of function, and a printer for the command line."""

from __future__ import annotations

import sys
import time
from typing import Protocol, TextIO

BAR = 24  # characters
PLAIN_SECONDS = 5.0  # at most one plain line in this time ...
SAME_SECONDS = 60.0  # ... and as long as nothing moves, one in this


class Progress(Protocol):
    """Called again and again; ``value`` is what a curve of the work shows: a loss, or how sure the answers are."""

    def __call__(self, stage: str, done: int, total: int, value: float | None = None) -> None: ...


class Stopped(Exception):
    """Raised out of a progress call when a person stopped the work."""


def silent(stage: str, done: int, total: int, value: float | None = None) -> None:
    """Tells nobody."""


class Printer:
    """A progress bar on a terminal, a plain line every few seconds elsewhere; always on standard error."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self.stream = stream or sys.stderr
        self.stage = "", 0  # with its total: a second round of a stage has another one
        self.before = 0  # what was done when the stage was begun here, by an earlier command
        self.told = -1  # what was done at the last plain line
        self.started = self.printed = time.monotonic()

    def __call__(self, stage: str, done: int, total: int, value: float | None = None) -> None:
        now = time.monotonic()
        if (stage, total) != self.stage:
            self.stage, self.before, self.started, self.printed, self.told = (stage, total), done, now, now, -1
        last = done >= total
        told = self._told(done - self.before, total - done, now - self.started)
        if self.stream.isatty():
            if now - self.printed > 0.1 or last:
                filled = BAR * done // max(total, 1)
                bar = "█" * filled + "·" * (BAR - filled)
                end = "\n" if last else ""
                self.stream.write(f"\r\x1b[K{stage} {bar} {done}/{total}  {told}{end}")
                self.printed = now
        elif now - self.printed > (SAME_SECONDS if done == self.told else PLAIN_SECONDS):
            self.stream.write(f"{stage}: {done} of {total}{', ' * bool(told)}{told}\n")
            self.printed, self.told = now, done
        self.stream.flush()

    def _told(self, done: int, left: int, seconds: float) -> str:
        """How fast it goes and how long it will take; nothing where nobody can know yet."""
        if done <= 0 or seconds <= 0:
            return "" if left > 0 else "0 s left"
        pace = f"{done / seconds:.3g} a second" if done / seconds >= 0.1 else f"{60 * done / seconds:.2g} a minute"
        return f"{pace}, {_duration(seconds / done * left)} left"


def _duration(seconds: float) -> str:
    """
    >>> _duration(90), _duration(600), _duration(90_000)
    ('90 s', '10 min', '25 h')
    """
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.0f} h"
