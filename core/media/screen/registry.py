"""The readers of pictures, one row each: a new one is a file and its row. The first is used."""

from __future__ import annotations

from core.media.screen.kinds import Reader
from core.media.screen.ppocr import PpOcr

READERS: dict[str, type[Reader]] = {one.kind: one for one in (PpOcr,)}
READER = next(iter(READERS))
