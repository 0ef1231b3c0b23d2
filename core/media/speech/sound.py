"""The sound of a film, a block at a time: one channel, 16,000 samples a second, at its true times."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import av
import numpy as np
from av.audio.frame import AudioFrame
from av.audio.resampler import AudioResampler
from av.container import InputContainer

from core.media.speech.kinds import RATE, Samples

BLOCK = 120.0  # seconds
GAP = 0.25  # seconds by which samples may be late before silence is put in
LONGEST_GAP = 600.0


def blocks(video: Path) -> Iterator[tuple[float, Samples]]:
    """The film's sound in blocks, each with the time at which it begins; nothing where there is no sound. What is damaged
    is left out, and silence stands in its place."""
    with av.open(str(video.resolve()), options={"protocol_whitelist": "file"}) as container:
        if not container.streams.audio:
            return
        held: list[Samples] = []
        count = start = 0
        for at, samples in _pieces(container):
            late = at - (start + count) / RATE
            if GAP < late < LONGEST_GAP:
                held.append(np.zeros(round(late * RATE), np.float32))
                count += len(held[-1])
            held.append(samples)
            count += len(samples)
            if count >= BLOCK * RATE:
                yield start / RATE, np.concatenate(held)
                start, count, held = start + count, 0, []
        if held:
            yield start / RATE, np.concatenate(held)


def _pieces(container: InputContainer) -> Iterator[tuple[float, Samples]]:
    """Decoded pieces and their times."""
    stream = container.streams.best("audio") or container.streams.audio[0]
    begin = float(container.start_time or 0) / av.time_base
    resampler = AudioResampler(format="s16", layout="mono", rate=RATE)
    last = 0.0
    try:
        for packet in container.demux(stream):
            try:
                frames = [
                    whole for one in packet.decode() if isinstance(one, AudioFrame) for whole in resampler.resample(one)
                ]
            except (av.FFmpegError, OSError, ValueError):
                continue
            for frame in frames:
                last = max(0.0, float(frame.time) - begin) if frame.time is not None else last
                samples = frame.to_ndarray().reshape(-1).astype(np.float32) / np.float32(32768)
                yield last, samples
                last += len(samples) / RATE
    except (av.FFmpegError, OSError):
        return  # the file can be read no further
