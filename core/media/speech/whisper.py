"""Listens with Whisper, run by faster-whisper: the base model of set-up, or one in a folder that the user names.

Radford et al., *Robust Speech Recognition via Large-Scale Weak Supervision* (2022). It invents words where nobody speaks, so
it hears only what the voice detector (Silero) takes for speech, and what it is not sure of is left out.
"""

from __future__ import annotations

import importlib.util
import math
import sys
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from core.errors import BadInput
from core.formats.content import content_key
from core.media.faces.known_file import KnownFile
from core.media.speech.kinds import RATE, Said, Samples

FOLDER = "whisper-base"
FILES = {
    "model.bin": "d01c3014881c9c6f3133c182f3d2887eb6ca1c789a7538c5c007196857a0a6a9",
    "config.json": "56a6d8110d311f19c8f0471e562832c7527f146b567275bfca59fcf7c184da9a",
    "tokenizer.json": "fb7b63191e9bb045082c79fd742a3106a12c99513ab30df4a0d47fa6cb6fd0ab",
    "vocabulary.txt": "34ce3fe1c5041027b3f8d42912270993f986dbc4bb34cf27f951e34a1e453913",
}
NEEDED = ("model.bin", "config.json", "tokenizer.json")  # of another model; its vocabulary has several names
NOT_INSTALLED = "listening needs packages that are not installed; run `make speech`"
VOICE = 0.6  # probability of speech in a moment of it
PAUSE, PADDED = 500, 200  # milliseconds of silence between two voices, and kept around one
NO_SPEECH = 0.6  # what Whisper itself takes for no speech
LEAST = -0.9  # mean log-probability of the words
REPEATED = 2.2  # what compresses better repeats itself
ONLY_NAMES = -0.5  # mean log-probability at the least of what is nothing but hints, which it likes to repeat
HINTS = 60  # names that it can be told


def folder() -> Path:
    """Where set-up puts the weights: into the virtual environment."""
    return Path(sys.prefix) / "share" / "rollcall" / FOLDER


def known_files() -> list[KnownFile]:
    """The files of the model that set-up fetches."""
    return [
        KnownFile(f"Whisper's {name}", "fetched by `make speech`", digest, lambda name=name: folder() / name)  # type: ignore[misc]
        for name, digest in FILES.items()
    ]


def is_installed() -> bool:
    """Whether the packages and the model of set-up are there; nothing is loaded."""
    return importlib.util.find_spec("faster_whisper") is not None and all((folder() / name).is_file() for name in FILES)


class Whisper:
    """Loads in a second or two, when there is something to listen to; one call at a time."""

    def __init__(self, own: Path | None = None) -> None:
        if importlib.util.find_spec("faster_whisper") is None:
            raise BadInput(NOT_INSTALLED)
        place = _checked(own) if own else _fetched()
        self.kind = f"whisper {content_key(place / 'model.bin')[:16]}"
        self._place = place

    @cached_property
    def _model(self) -> Any:
        return _loaded(self._place)

    def voices(self, sound: Samples) -> Sequence[tuple[float, float]]:
        """From when to when somebody speaks."""
        from faster_whisper.vad import VadOptions, get_speech_timestamps

        options = VadOptions(
            threshold=VOICE, min_silence_duration_ms=PAUSE, speech_pad_ms=PADDED, min_speech_duration_ms=250
        )
        return [(one["start"] / RATE, one["end"] / RATE) for one in get_speech_timestamps(sound, options)]

    def words(self, sound: Samples, hints: Sequence[str], language: str) -> tuple[Sequence[Said], str]:
        """What is said in some seconds of speech."""
        segments, about = self._model.transcribe(
            sound,
            language=language or None,
            temperature=[0.0, 0.2],
            condition_on_previous_text=False,
            hotwords=", ".join(hints[:HINTS]) or None,
            no_speech_threshold=NO_SPEECH,
            log_prob_threshold=LEAST,
            compression_ratio_threshold=REPEATED,
        )
        kept = [one for one in segments if _is_sure(one, hints)]
        said = [Said(float(one.start), float(one.end), one.text.strip(), math.exp(one.avg_logprob)) for one in kept]
        return [one for one in said if one.text], str(about.language)


def _is_sure(segment: Any, hints: Sequence[str]) -> bool:
    """Whether these are words that were said."""
    if segment.avg_logprob < LEAST or segment.compression_ratio > REPEATED or segment.no_speech_prob > NO_SPEECH:
        return False
    words = {word.strip(".,!?¿¡…'\"").casefold() for word in segment.text.split()} - {""}
    named = {word.casefold() for hint in hints for word in hint.split()}
    return bool(words) and (segment.avg_logprob >= ONLY_NAMES or not words <= named)


def _fetched() -> Path:
    for file in known_files():
        try:
            file.read()
        except BadInput as error:
            raise BadInput(f"{error}".replace("make setup", "make speech")) from error
    return folder()


def _checked(own: Path) -> Path:
    if not own.is_dir():
        raise BadInput(f"{own}: there is no such folder; name the folder of a Whisper model for CTranslate2")
    missing = [name for name in NEEDED if not (own / name).is_file()]
    if missing:
        raise BadInput(f"{own}: holds no {missing[0]}; name the folder of a Whisper model for CTranslate2")
    return own


def _loaded(place: Path) -> Any:
    from faster_whisper import WhisperModel

    try:
        return WhisperModel(str(place), device="cpu", compute_type="int8", cpu_threads=0, local_files_only=True)
    except (RuntimeError, ValueError, OSError, TypeError, KeyError) as error:
        raise BadInput(f"{place}: this model cannot be loaded ({error}); name another, or run `make speech`") from error
