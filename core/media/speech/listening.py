"""Listens to a film: where somebody speaks, a clip at a time, each kept by content, so that a stop loses nothing."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import av
import numpy as np

from core.errors import BadInput
from core.media.cache import Cache
from core.media.captions.lines import Line
from core.media.names.cast import Cast
from core.media.speech.fitting import fits
from core.media.speech.kinds import RATE, Listener, Said, Samples
from core.media.speech.registry import LISTENER, LISTENERS
from core.media.speech.sound import blocks
from core.progress import Progress
from core.records import NewLine

VERSION = 1  # of how films are listened to: what another version kept is not used
CLIP = 25.0  # seconds that are heard at once, at the most
APART = 3.0  # seconds of silence that end a clip
SHORTEST = 0.4  # seconds of a clip
DOUBT = "hardly any name that is said is on the cast list, so only its full names count; is it this film's?"
UNREADABLE = "the sound of this film cannot be read"


@dataclass(frozen=True)
class Heard:
    """What was said in a film. ``finished`` is False where listening was stopped."""

    said: Sequence[Said] = ()
    language: str = ""
    finished: bool = True
    wrong: str = ""  # why nothing could be heard
    doubted: bool = False  # the names to expect are hardly this film's: it was heard without them

    def lines(self) -> list[Line]:
        return [Line(one.start, one.stop, one.text) for one in self.said]

    def records(self) -> tuple[NewLine, ...]:
        return tuple(
            NewLine("speech", round(one.start, 3), round(one.stop, 3), one.text, score=round(one.score, 3))
            for one in self.said
        )

    def by(self, cast: Cast | None) -> Cast | None:
        """The cast list as far as it counts: of one that is hardly this film's, whole names alone."""
        return replace(cast, in_full=True) if cast and self.doubted else cast

    def told(self) -> list[str]:
        """In words, what was heard."""
        if self.wrong:
            return [f"nothing was listened to: {self.wrong}"]
        many = len(self.said)
        return [f"{many} line{'' if many == 1 else 's'} heard" if many else "nothing was heard that is speech"]


@dataclass(frozen=True)
class Ear:
    """How films are listened to: by ``listener`` if there is one, else by the first of the registry, with the model in the
    folder ``model`` or its own."""

    model: Path | None = None
    listener: Listener | None = None

    def made(self) -> Listener:
        return self.listener or LISTENERS[LISTENER](self.model)


def listen(
    ear: Ear,
    cache: Cache,
    video: Path,
    content: str,
    duration: float,
    hints: Sequence[str],
    progress: Progress,
    stop: Callable[[], bool],
) -> Heard:
    """What is said in a film; ``hints`` are names that may be in it. It is heard once more without them where they seem to
    be another film's, as names are heard that were expected and not said."""
    try:
        listener = ear.made()
    except BadInput as error:
        return Heard(wrong=str(error))

    def heard(names: Sequence[str]) -> Heard:
        return _listen(listener, cache, video, content, duration, names, progress, stop)

    first = heard(hints)
    if not first.finished or first.wrong or fits([one.text for one in first.said], hints):
        return first
    return replace(heard(()), doubted=True)


def _listen(
    listener: Listener,
    cache: Cache,
    video: Path,
    content: str,
    duration: float,
    hints: Sequence[str],
    progress: Progress,
    stop: Callable[[], bool],
) -> Heard:
    told = hashlib.sha256("\n".join(hints).encode()).hexdigest()[:12]
    whole, total = (f"speech {VERSION} {listener.kind}", f"{content}:whole:{told}"), max(1, int(duration))
    if (known := _noted(cache, *whole)) is not None:
        return Heard(*known)
    found: list[Said] = []
    language = ""
    progress("listening", 0, total)
    try:
        for start, sound in clips(listener, blocks(video)):
            if stop():
                return Heard(found, language, finished=False)
            key = f"{content}:{start:.2f}:{len(sound)}:{told}"
            said, language = _clip(listener, cache, key, sound, hints, language)
            found += [Said(start + one.start, min(start + one.stop, duration), one.text, one.score) for one in said]
            progress("listening", min(int(start + len(sound) / RATE), total), total)
    except BadInput as error:
        return Heard(wrong=str(error))
    except (av.FFmpegError, OSError, ValueError):
        return Heard(found, language, wrong="" if found else UNREADABLE)
    progress("listening", total, total)
    found = [one for one in found if one.stop > one.start]
    _keep(cache, *whole, found, language)
    return Heard(found, language)


def _clip(
    listener: Listener, cache: Cache, key: str, sound: Samples, hints: Sequence[str], language: str
) -> tuple[Sequence[Said], str]:
    """What is said in a clip, from the cache where it was heard before."""
    kind = f"speech {VERSION} {listener.kind}"
    known = _noted(cache, kind, key)
    if known is not None:
        return known[0], language or known[1]
    said, spoken = listener.words(sound, hints, language)
    _keep(cache, kind, key, said, spoken)
    return said, language or (spoken if said else "")


def _noted(cache: Cache, kind: str, key: str) -> tuple[list[Said], str] | None:
    """What was heard before, and in which language."""
    note = cache.note(kind, key)
    kept = {} if note is None else json.loads(note)
    return ([Said(**one) for one in kept["said"]], str(kept["language"])) if kept else None


def _keep(cache: Cache, kind: str, key: str, said: Sequence[Said], language: str) -> None:
    cache.put_note(kind, key, json.dumps({"said": [asdict(one) for one in said], "language": language}))


def clips(listener: Listener, sound: Iterator[tuple[float, Samples]]) -> Iterator[tuple[float, Samples]]:
    """The speech in blocks of sound, as clips with the times at which they begin. Somebody who speaks on over the end of a
    block is heard with the next one."""
    rest: Samples = np.zeros(0, np.float32)
    after = next(sound, None)
    while after is not None:
        (at, block), after = after, next(sound, None)
        whole, start = np.concatenate([rest, block]), at - len(rest) / RATE
        length = len(whole) / RATE
        groups = list(_grouped(listener.voices(whole)))
        rest = whole[:0]
        for first, last in groups:
            if after is not None and last > length - 1.0 and last - first < CLIP and (first, last) == groups[-1]:
                rest = whole[int(first * RATE) :]
            elif last - first >= SHORTEST:
                yield start + first, whole[int(first * RATE) : int(last * RATE)]


def _grouped(voices: Sequence[tuple[float, float]]) -> Iterator[tuple[float, float]]:
    """Voices that follow each other, up to the length of a clip; a longer one is cut."""
    first = last = -1.0
    for start, stop in voices:
        if first >= 0 and (start - last > APART or stop - first > CLIP):
            yield first, last
            first = -1.0
        first = start if first < 0 else first
        last = stop
        while last - first > CLIP:
            yield first, first + CLIP
            first += CLIP
    if first >= 0 and last > first:
        yield first, last
