"""Small films made for tests: frames of one colour or a few faces' pictures, in any container."""

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest
from numpy.typing import NDArray

Pixels = NDArray[np.uint8]

# Codec and options: what encoders of other machines, or with other settings and threads, make of the same pictures.
ENCODINGS: dict[str, tuple[str, dict[str, str]]] = {
    "x264, fine": ("libx264", {"qp": "4"}),
    "x264, fast and coarse": ("libx264", {"crf": "30", "preset": "ultrafast", "threads": "1"}),
    "x264, slow, in four threads": ("libx264", {"crf": "23", "preset": "slow", "tune": "animation", "threads": "4"}),
    "x264, without assembly": ("libx264", {"crf": "23", "preset": "veryfast", "x264-params": "asm=0"}),
    "mpeg4": ("mpeg4", {"qmin": "4", "qmax": "4"}),
    "vp8": ("libvpx", {"crf": "10", "b": "1M", "deadline": "realtime", "cpu-used": "8"}),
}
every_encoding = pytest.mark.parametrize("encoding", ENCODINGS)


def plain(colour: Sequence[int], height: int = 96, width: int = 160) -> Pixels:
    return np.broadcast_to(np.array(colour, dtype=np.uint8), (height, width, 3)).copy()


def noisy(seed: int, height: int = 96, width: int = 160) -> Pixels:
    """A picture unlike that of any other seed, in blocks that compression leaves alone."""
    blocks = np.random.default_rng(seed).integers(0, 256, (height // 16, width // 16, 3), dtype=np.uint8)
    return np.repeat(np.repeat(blocks, 16, axis=0), 16, axis=1)


def film(
    path: Path,
    frames: Sequence[Pixels],
    times: Sequence[float] | None = None,
    rate: int = 25,
    codec: str = "libx264",
    rotation: float | None = None,
    mirrored: bool = False,
    aspect: Fraction | None = None,
    options: dict[str, str] | None = None,
    container: dict[str, str] | None = None,
) -> Path:
    """Writes ``frames``, at a steady rate or at ``times`` in seconds."""
    base = Fraction(1, 1000)
    with av.open(str(path), "w", options=container or {}) as out:
        stream = out.add_stream(codec, rate=rate, options={"g": "10", **(options or ENCODINGS["x264, fine"][1])})
        stream.height, stream.width = frames[0].shape[:2]
        stream.pix_fmt = "yuv420p"
        if times is not None:
            stream.codec_context.time_base = base
        if aspect is not None:
            stream.codec_context.sample_aspect_ratio = aspect
        if rotation is not None:
            stream.set_display_rotation(rotation, hflip=mirrored)
        for k, pixels in enumerate(frames):
            frame = av.VideoFrame.from_ndarray(pixels)
            frame.pts = k if times is None else round(times[k] * 1000)
            frame.time_base = Fraction(1, rate) if times is None else base
            out.mux(stream.encode(frame))
        out.mux(stream.encode())
    return path


def sound(path: Path, seconds: float = 0.5) -> Path:
    """A file with nothing to see."""
    with av.open(str(path), "w") as out:
        stream = out.add_stream("aac", rate=16_000)
        frame = av.AudioFrame.from_ndarray(np.zeros((1, int(16_000 * seconds)), np.float32), format="fltp", layout="mono")
        frame.sample_rate = 16_000
        out.mux(stream.encode(frame))
        out.mux(stream.encode())
    return path


def encoded(folder: Path, encoding: str, frames: Sequence[Pixels], rate: int = 25) -> Path:
    """Writes ``frames`` in one of the ``ENCODINGS``."""
    codec, options = ENCODINGS[encoding]
    return film(folder / f"film{'.webm' if codec == 'libvpx' else '.mp4'}", frames, rate=rate, codec=codec, options=options)
