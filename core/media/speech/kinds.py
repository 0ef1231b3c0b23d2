"""What a listener is, and what it heard. ``registry.py`` lists the listeners there are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

Samples = NDArray[np.floating[Any]]  # one channel, RATE numbers a second, from -1 to 1
RATE = 16_000


@dataclass(frozen=True)
class Said:
    """Words from ``start`` to ``stop``, in seconds of what was listened to; how sure they are, 0 to 1."""

    start: float
    stop: float
    text: str
    score: float


class Listener(Protocol):
    """Turns speech into words."""

    kind: str  # with its version: what it heard is kept under this name

    def voices(self, sound: Samples) -> Sequence[tuple[float, float]]:
        """From when to when somebody speaks, in seconds."""

    def words(self, sound: Samples, hints: Sequence[str], language: str) -> tuple[Sequence[Said], str]:
        """What is said in some seconds of speech, and in which language; ``hints`` are names that may be in it, and
        ``language`` is the one that is spoken, "" where it is not known."""
