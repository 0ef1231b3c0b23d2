"""Small films made for tests: frames of one colour or a few faces' pictures, in any container."""

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
from numpy.typing import NDArray

Pixels = NDArray[np.uint8]


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
        stream = out.add_stream(codec, rate=rate, options={"qp": "4", "g": "10", **(options or {})})
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
