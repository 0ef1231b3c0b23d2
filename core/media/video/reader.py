"""A video: what is in it, and its frames at given moments, upright and at their true times.

Frames are read with a seek wherever a key frame lies between one and the next, and frames that nothing is predicted
from are not decoded on the way: no more than a few are ever in memory. ``shots.py`` makes the timeline this needs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import cast

import av
import numpy as np
from av.container import InputContainer
from av.packet import Packet
from av.sidedata.sidedata import SideData
from av.video.frame import VideoFrame
from av.video.stream import VideoStream
from numpy.typing import NDArray

from core.errors import BadInput
from core.problem import BoolArray, FloatArray, IntArray

Pixels = NDArray[np.uint8]  # height × width × 3, RGB

MOST_PIXELS = 150_000_000  # of a frame or a picture
NO_VIDEO = ("image2", "_pipe", "tty", "ico")  # what FFmpeg opens as a video though it is a picture or a text
EARLIER = (0.0, 5.0, 60.0)  # seconds by which a seek is moved forward when it lands behind the frame it is for
LONGEST = 7 * 24 * 3600.0  # seconds that a header can tell; a subtitle that stays "for ever" makes 50 days


@dataclass(frozen=True)
class Probe:
    """What a video's header and its first frame say. Width and height are those of the upright frame as it is shown."""

    duration: float  # seconds; 0 where the header does not say
    rate: float  # frames a second, on average
    width: int
    height: int
    rotation: int  # degrees anticlockwise by which the stored frames are turned to be upright


@dataclass(frozen=True, eq=False)
class Timeline:
    """Every frame of a video in the order of showing: its ``stamp`` in the file's own units, its time in seconds from
    the start, and whether decoding can begin there. ``cuts`` are the times at which a new shot begins."""

    stamps: IntArray
    times: FloatArray
    keys: BoolArray
    cuts: FloatArray
    duration: float  # seconds that are really there
    damaged: int  # packets that could not be decoded
    counted: bool  # the file has no usable time stamps: a stamp is the number of the frame, and all are read in one pass

    def at(self, times: Sequence[float] | FloatArray) -> IntArray:
        """The frames that are on the screen at these times, as positions in the timeline."""
        shown = np.searchsorted(self.times, np.asarray(times, dtype=np.float64) + 1e-6, side="right") - 1
        return np.asarray(np.clip(shown, 0, len(self.times) - 1), dtype=np.int64)

    def shot(self, times: Sequence[float] | FloatArray) -> IntArray:
        """The numbers of the shots that these times lie in."""
        return np.asarray(np.searchsorted(self.cuts, np.asarray(times) + 1e-6, side="right"), dtype=np.int64)

    def shots(self) -> list[tuple[float, float]]:
        """Start and stop of each shot."""
        edges = [0.0, *self.cuts.tolist(), self.duration]
        return list(pairwise(edges))


@contextmanager
def opened(path: Path) -> Iterator[tuple[InputContainer, VideoStream]]:
    """The file and its video stream; anything else than a video is refused in one sentence."""
    if not path.is_file():
        raise BadInput(f"{path}: there is no such file; give the path of a video")
    try:
        # the file itself and nothing else: a playlist must not lead into the network
        container = av.open(str(path.resolve()), options={"protocol_whitelist": "file"})
    except (av.FFmpegError, OSError, ValueError) as error:
        raise BadInput(f"{path}: this is no video that can be read, or a part is missing; give another file") from error
    with container:
        if container.format.name.endswith(NO_VIDEO):
            raise BadInput(f"{path}: this is no video; give a film, or a folder of pictures as images")
        streams = [stream for stream in container.streams.video if not _is_cover(stream)]
        if not streams:
            raise BadInput(f"{path}: there is no video stream in this file, only sound or text; give a film")
        streams[0].thread_type = "AUTO"
        yield container, streams[0]


def probe(path: Path) -> Probe:
    """What the header says, and how the first frame that decodes looks."""
    with opened(path) as (container, stream):
        frames = (frame for packet in packets(container, stream) for frame in decoded(packet) or ())
        found = next(((frame, shown) for frame in frames if (shown := upright(frame, stream)) is not None), None)
        if found is None:
            raise BadInput(f"{path}: not one frame of this video can be decoded; give another file")
        frame, (height, width) = found[0], found[1].shape[:2]
        told = float(container.duration or 0) / av.time_base
        duration = told if 0 < told <= LONGEST else 0.0
        return Probe(duration, float(rate(stream)), width, height, int(frame.rotation))


def rate(stream: VideoStream) -> Fraction:
    """Frames a second, on average."""
    found = stream.average_rate or stream.guessed_rate or Fraction(25)
    return Fraction(found) if found > 0 else Fraction(25)


def packets(container: InputContainer, stream: VideoStream) -> Iterator[Packet[VideoStream]]:
    """The stream's packets from here on; ends where the file can be read no further."""
    try:
        yield from container.demux(stream)
    except (av.FFmpegError, OSError):
        return


def decoded(packet: Packet[VideoStream]) -> list[VideoFrame] | None:
    """The frames that a packet brings out of the decoder, none or several; None for a damaged packet."""
    try:
        return packet.decode()
    except (av.FFmpegError, OSError):
        return None


def upright(frame: VideoFrame, stream: VideoStream) -> Pixels | None:
    """The frame as it is shown: RGB, square pixels, turned and mirrored as the file says; None if it makes no picture."""
    aspect = stream.sample_aspect_ratio or Fraction(1)
    width = round(frame.width * aspect) if Fraction(1, 8) < aspect < 8 else frame.width
    if width * frame.height > MOST_PIXELS:
        return None
    try:
        pixels = np.asarray(frame.reformat(width=width, format="rgb24").to_ndarray(), dtype=np.uint8)
    except (av.FFmpegError, OSError, ValueError):
        return None
    return np.ascontiguousarray(_turned(pixels, frame))


def frames_at(path: Path, timeline: Timeline, positions: Sequence[int] | IntArray) -> Iterator[tuple[int, Pixels]]:
    """The wanted frames, each with its position, as good as always in the order of showing; what cannot be decoded is
    left out."""
    wanted = np.unique(np.asarray(positions, dtype=np.int64))
    with opened(path) as (container, stream):
        missing = set(wanted.tolist())
        if not timeline.counted:
            for position, frame in _sought(container, stream, timeline, wanted):
                missing.discard(position)
                if (pixels := upright(frame, stream)) is not None:
                    yield position, pixels
    if missing:
        # some old files give other time stamps after a seek than before: what was not found is looked for in one pass
        with opened(path) as (container, stream):
            for position, frame in _passed(container, stream, timeline, missing):
                if (pixels := upright(frame, stream)) is not None:
                    yield position, pixels


# --- The parts ---------------------------------------------------------------------------------------------------------


def _is_cover(stream: VideoStream) -> bool:
    """Whether it is the cover of a piece of music rather than a film."""
    return bool(stream.disposition & av.stream.Disposition.attached_pic)


def _turned(pixels: Pixels, frame: VideoFrame) -> Pixels:
    """Turned by the nearest quarter and mirrored as the display matrix says."""
    matrix = next((data for data in cast(Iterable[SideData], frame.side_data) if data.type.name == "DISPLAYMATRIX"), None)
    if matrix is None:
        return pixels
    a, b, _, c, d = np.frombuffer(bytes(matrix), dtype=np.int32)[:5].tolist()
    if a * d - b * c < 0:  # the matrix mirrors first, then turns
        pixels, a, b = pixels[:, ::-1], -a, -b
    quarters = round(np.arctan2(-b, a) / (np.pi / 2)) if a or b else 0
    return np.rot90(pixels, quarters)


def _passed(
    container: InputContainer, stream: VideoStream, timeline: Timeline, missing: set[int]
) -> Iterator[tuple[int, VideoFrame]]:
    """One pass from the start, where a frame is known by its number or its time stamp."""
    by_stamp = {int(timeline.stamps[position]): position for position in missing}
    number = 0
    for packet in packets(container, stream):
        for frame in decoded(packet) or ():
            position = by_stamp.pop(number if timeline.counted else _stamp(frame), None)
            number += 1
            if position is not None:
                yield position, frame
        if not by_stamp:
            return


def _sought(
    container: InputContainer, stream: VideoStream, timeline: Timeline, wanted: IntArray
) -> Iterator[tuple[int, VideoFrame]]:
    """A seek for each frame that has a key frame between it and the last one; else decoding goes on."""
    stamps = timeline.stamps[wanted]
    keys = np.flatnonzero(timeline.keys)
    nearest = np.searchsorted(keys, wanted, side="right") - 1  # the key frame that decoding a wanted frame begins at
    frames: Iterator[VideoFrame] = iter(())
    ahead: VideoFrame | None = None
    for k, (position, stamp) in enumerate(zip(wanted.tolist(), stamps.tolist(), strict=True)):
        if k == 0 or nearest[k] != nearest[k - 1]:
            frames, ahead = _from(container, stream, stamp, set(stamps[k:].tolist())), None
        while ahead is None or _stamp(ahead) < stamp:
            ahead = next(frames, None)
            if ahead is None:
                break
        if ahead is not None and _stamp(ahead) == stamp:
            yield position, ahead


def _from(container: InputContainer, stream: VideoStream, stamp: int, wanted: set[int]) -> Iterator[VideoFrame]:
    """The frames from the key frame before ``stamp`` on; some files need several attempts to get there."""
    base = float(stream.time_base or 1)
    for attempt in EARLIER:
        try:
            container.seek(stamp - round(attempt / base), stream=stream)
        except (av.FFmpegError, OSError):
            continue
        frames = _onwards(container, stream, wanted)
        first = next(frames, None)
        if first is not None and _stamp(first) <= stamp:
            yield first
            yield from frames
            return


def _onwards(container: InputContainer, stream: VideoStream, wanted: set[int]) -> Iterator[VideoFrame]:
    for packet in packets(container, stream):
        # what nothing is predicted from needs no decoding on the way to a wanted frame
        stream.codec_context.skip_frame = "DEFAULT" if packet.pts in wanted else "NONREF"
        yield from decoded(packet) or ()


def _stamp(frame: VideoFrame) -> int:
    return -1 if frame.pts is None else frame.pts
