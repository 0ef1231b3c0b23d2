"""What all steps of one ingest share, and how a film is looked at."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core.media.cache import Cache
from core.media.looking import Finder
from core.media.speech.listening import Ear
from core.media.video.sampling import Sampling
from core.progress import Progress
from core.records import Frame, Source

Stop = Callable[[], bool]


@dataclass(frozen=True)
class Held:
    """The sources and frames that the project holds already; none of these frames is added again."""

    sources: Sequence[Source] = ()
    frames: Sequence[Frame] = ()

    def of(self, wanted: Callable[[Source], bool]) -> list[Frame]:
        """The frames of the sources for which ``wanted`` holds."""
        sources = {source.id for source in self.sources if wanted(source)}
        return [frame for frame in self.frames if frame.source in sources]


@dataclass(frozen=True, eq=False)
class Work:
    """What all steps of one ingest share. ``held`` is asked when the plan of frames is made, not before."""

    held: Callable[[], Held]
    cache: Cache
    finder: Finder
    progress: Progress
    stop: Stop


@dataclass(frozen=True)
class Looking:
    """How a film is looked at: at which moments, how far around them captions count, whether the screen is read, and with
    which ear it is listened to, if it is."""

    sampling: Sampling
    window: float = 0.0
    screen: bool = True
    ear: Ear | None = None
