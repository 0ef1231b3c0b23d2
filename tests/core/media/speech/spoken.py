"""Sound made for tests: sentences that espeak-ng speaks, and noise, music and silence in which nobody speaks; a listener."""

import ctypes
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import av
import espeakng_loader
import numpy as np
from numpy.typing import NDArray

from core.media.speech.kinds import RATE, Said, Samples

Sound = NDArray[np.float32]
SYNCHRONOUS, UTF8 = 0x02, 1


class Pretended:
    """A listener for whom everything loud is speech."""

    kind = "pretended"

    def __init__(self) -> None:
        self.heard: list[float] = []

    def voices(self, sound: Samples) -> Sequence[tuple[float, float]]:
        loud = np.r_[False, np.abs(sound) > 0.1, False]
        edges = np.flatnonzero(np.diff(loud.astype(np.int8)))
        return [(start / RATE, stop / RATE) for start, stop in edges.reshape(-1, 2).tolist()]

    def words(self, sound: Samples, hints: Sequence[str], language: str) -> tuple[Sequence[Said], str]:
        self.heard.append(len(sound) / RATE)
        return [Said(0.0, len(sound) / RATE, f"clip {len(self.heard)}", 0.9)], "en"


@cache
def _espeak() -> tuple[ctypes.CDLL, int]:
    library = ctypes.CDLL(espeakng_loader.get_library_path())
    rate = library.espeak_Initialize(SYNCHRONOUS, 0, espeakng_loader.get_data_path().encode(), 0)
    return library, rate


@cache
def spoken(text: str, voice: str = "en-us") -> Sound:
    """A sentence; voices are called as espeak-ng calls them ("en-gb-scotland", "en-us+f2")."""
    library, rate = _espeak()
    if library.espeak_SetVoiceByName(voice.encode()):
        raise ValueError(f"espeak-ng has no voice {voice}")
    pieces: list[bytes] = []

    def heard(samples: ctypes._Pointer, count: int, _: object) -> int:  # type: ignore[type-arg]
        if count > 0:
            pieces.append(ctypes.string_at(samples, 2 * count))
        return 0

    callback = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_short), ctypes.c_int, ctypes.c_void_p)(heard)
    library.espeak_SetSynthCallback(callback)
    content = text.encode() + b"\0"
    library.espeak_Synth(content, len(content), 0, 1, 0, UTF8, None, None)
    library.espeak_Synchronize()
    samples = np.frombuffer(b"".join(pieces), np.int16).astype(np.float32) / 32768
    wanted = np.arange(0, len(samples) / rate, 1 / RATE)
    return np.asarray(np.interp(wanted, np.arange(len(samples)) / rate, samples), np.float32)


def silence(seconds: float) -> Sound:
    return np.zeros(round(seconds * RATE), np.float32)


def noise(seconds: float) -> Sound:
    """As of the sea: white and brown."""
    random = np.random.default_rng(3)
    white = random.normal(0, 0.1, round(seconds * RATE))
    brown = np.cumsum(random.normal(0, 0.02, len(white)))
    brown -= np.convolve(brown, np.ones(800) / 800, mode="same")
    return np.clip(white + brown, -1, 1).astype(np.float32)


def music(seconds: float) -> Sound:
    """Chords with a melody above and a drum below."""
    time = np.arange(round(seconds * RATE)) / RATE
    whole = np.zeros_like(time)
    chords = ((220, 277, 330), (196, 247, 294), (175, 220, 262), (196, 247, 330))
    for k in range(int(seconds * 2) + 1):
        here = (time >= k / 2) & (time < (k + 1) / 2)
        at = time[here] - k / 2
        fade = np.exp(-3 * at)
        for tone in (*chords[k // 2 % 4], chords[k % 4][k % 3] * 2):
            whole[here] += 0.12 * fade * sum(np.sin(2 * np.pi * tone * n * at) / n for n in (1, 2, 3))
        whole[here] += 0.3 * np.exp(-30 * at) * np.sin(2 * np.pi * 80 * at)
    return whole.astype(np.float32)


def film_with(path: Path, sound: Sound, faces: NDArray[np.uint8] | None = None, rate: int = 5) -> Path:
    """A film with this sound, and one picture for as long as it lasts."""
    picture = np.full((96, 160, 3), 90, np.uint8) if faces is None else faces
    with av.open(str(path), "w") as out:
        video = out.add_stream("libx264", rate=rate, options={"crf": "28", "preset": "ultrafast"})
        video.height, video.width, video.pix_fmt = *picture.shape[:2], "yuv420p"
        audio = out.add_stream("aac", rate=RATE, layout="mono")
        for _ in range(max(1, round(len(sound) / RATE * rate))):
            out.mux(video.encode(av.VideoFrame.from_ndarray(picture)))
        out.mux(video.encode())
        for start in range(0, len(sound), 1024):
            frame = av.AudioFrame.from_ndarray(sound[None, start : start + 1024].copy(), format="fltp", layout="mono")
            frame.sample_rate, frame.pts = RATE, start
            out.mux(audio.encode(frame))
        out.mux(audio.encode())
    return path
