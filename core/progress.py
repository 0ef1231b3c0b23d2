"""How long work tells how far it is: one small kind of function, and a printer for the command line."""

from __future__ import annotations

import sys
import time
from typing import Protocol, TextIO

BAR = 24  # characters
PLAIN_SECONDS = 5.0  # at most one plain line in this time


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
        self.stage = ""
        self.started = self.printed = time.monotonic()

    def __call__(self, stage: str, done: int, total: int, value: float | None = None) -> None:
        now = time.monotonic()
        if stage != self.stage:
            self.stage, self.started, self.printed = stage, now, now
        last = done >= total
        left = (now - self.started) / done * (total - done) if done else 0.0
        rate = f"{done / (now - self.started):.3g} a second, " if done and now > self.started else ""
        if self.stream.isatty():
            if now - self.printed > 0.1 or last:
                filled = BAR * done // max(total, 1)
                bar = "█" * filled + "·" * (BAR - filled)
                end = "\n" if last else ""
                self.stream.write(f"\r\x1b[K{stage} {bar} {done}/{total}  {rate}{left:.0f} s left{end}")
                self.printed = now
        elif now - self.printed > PLAIN_SECONDS:
            self.stream.write(f"{stage}: {done} of {total}, {rate}{left:.0f} s left\n")
            self.printed = now
        self.stream.flush()
