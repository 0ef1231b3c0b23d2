"""The listeners, one row each: a new one is a file and its row. The first is used."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from core.media.speech.kinds import Listener
from core.media.speech.whisper import Whisper

# each takes the folder of another model, or None for its own
LISTENERS: dict[str, Callable[[Path | None], Listener]] = {"whisper": Whisper}
LISTENER = next(iter(LISTENERS))
