"""Times as people write them into captions: ``1:02:05,5``, ``00:05``, ``01:02:05:12`` (the last is a frame)."""

from __future__ import annotations

from collections.abc import Sequence

CLOCK = r"(?:(\d{1,3}):)?(\d{1,2}):(\d{1,2})(?:[.,](\d{1,3})|:(\d{2}))?"  # hours, minutes, seconds, fraction or frame
FRAMES = 25.0  # a second, where a time counts frames


def seconds(clock: Sequence[str | None]) -> float:
    """The five groups of ``CLOCK`` as seconds.

    >>> seconds(["1", "02", "05", "5", None]), seconds([None, "2", "5", None, "05"])
    (3725.5, 125.2)
    """
    hours, minutes, whole, fraction, frame = clock
    part = int(fraction) / 10 ** len(fraction) if fraction else int(frame) / FRAMES if frame else 0.0
    return 3600.0 * int(hours or 0) + 60.0 * int(minutes or 0) + int(whole or 0) + part
