"""One pass over a video: the true time of every frame, and the shots.

Every packet is read, so that frame times are exact also where the frame rate varies; shots are found on small pictures of
those frames that others are predicted from, which is about half of the work of decoding everything.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
from av.container import InputContainer
from av.video.frame import VideoFrame
from av.video.reformatter import VideoReformatter
from av.video.stream import VideoStream

from core.errors import BadInput
from core.media.video.reader import Timeline, decoded, opened, packets, rate
from core.progress import Progress, silent

WIDTH = 160  # pixels that the shot detector sees: enough for cuts, and quick
SHORTEST = 0.5  # seconds of a shot
CHANGE = 8.0  # of 255, by which a picture must change at a cut; half the detector's own, for cuts before one background
CLOCK = Fraction(1, 90_000)  # the detector's units of time
LOST = 1.0  # seconds behind the last frame that decodes, after which packets count as missing


class _Stopped(Exception):
    pass


def scan(path: Path, progress: Progress = silent, stop: Callable[[], bool] = lambda: False) -> Timeline | None:
    """The times of all frames and the shots; None if it was told to stop. Progress counts seconds of film."""
    try:
        with opened(path) as (container, stream):
            found = _Pass(container, stream, counted=False).run(progress, stop)
        if found is None:
            with opened(path) as (container, stream):
                found = _Pass(container, stream, counted=True).run(progress, stop)
    except _Stopped:
        return None
    if found is None:
        raise BadInput(f"{path}: not one frame of this video can be decoded; give another file")
    return found


class _Pass:
    """What one pass gathers. ``counted`` takes a frame's number for its time, for files with no usable time stamps."""

    def __init__(self, container: InputContainer, stream: VideoStream, counted: bool) -> None:
        from scenedetect.detectors import AdaptiveDetector  # OpenCV comes with it: half a second

        self.container, self.stream, self.counted = container, stream, counted
        self.rate = rate(stream)
        self.base = 1 / self.rate if counted else Fraction(stream.time_base or 1)
        self.start = 0.0 if counted else float(container.start_time or 0) / av.time_base
        self.detector = AdaptiveDetector(min_scene_len=SHORTEST, min_content_val=CHANGE)
        self.shrink = VideoReformatter()  # one for all frames is four times as quick as one a frame
        self.stamps: dict[int, bool] = {}  # whether it is a key frame
        self.seen: list[int] = []
        self.cuts: list[float] = []
        self.height = 0  # of the small pictures; that of the first for all, as the detector compares them
        if not counted:
            stream.codec_context.skip_frame = "NONREF"

    def run(self, progress: Progress, stop: Callable[[], bool]) -> Timeline | None:
        """None where there is nothing to go by."""
        total, damaged = max(1, int(float(self.container.duration or 0) / av.time_base)), 0
        for packet in packets(self.container, self.stream):
            if stop():
                raise _Stopped
            if packet.pts is not None and not packet.is_discard and not self.counted:
                self.stamps[packet.pts] = packet.is_keyframe
            frames = decoded(packet)
            damaged += frames is None
            for frame in frames or ():
                if frame.pts is None and not self.counted:
                    return None
                self._see(frame)
            if self.seen:
                progress("shots", min(int(self._time(self.seen[-1])), total), total)
        progress("shots", total, total)
        return self._timeline(damaged)

    def _time(self, stamp: int) -> float:
        return float(stamp * self.base) - self.start

    def _see(self, frame: VideoFrame) -> None:
        from scenedetect.common import FrameTimecode, Timecode

        stamp = len(self.seen) if self.counted else int(frame.pts or 0)
        self.seen.append(stamp)
        self.height = self.height or min(max(16, round(WIDTH * frame.height / frame.width)), 8 * WIDTH)
        try:
            small = self.shrink.reformat(frame, WIDTH, self.height, "bgr24", interpolation="FAST_BILINEAR").to_ndarray()
        except (av.FFmpegError, OSError, ValueError):  # its time is known, which is enough
            return
        time = FrameTimecode(Timecode(max(0, round(self._time(stamp) / CLOCK)), CLOCK), fps=self.rate)
        self.cuts += [cut.seconds for cut in self.detector.process_frame(time, small)]

    def _timeline(self, damaged: int) -> Timeline | None:
        seen = np.array(self.seen, dtype=np.int64)
        if not len(seen) or (np.diff(seen) <= 0).any() or (not self.stamps and not self.counted):
            return None
        if self.counted:
            self.stamps = {number: number == 0 for number in self.seen}
        stamps = np.array(sorted(self.stamps), dtype=np.int64)
        times = stamps * float(self.base) - self.start
        last = self._time(int(seen[-1]))
        kept = times <= last + LOST
        keys = np.array([self.stamps[stamp] for stamp in stamps.tolist()])
        duration = max(last, float(times[kept][-1])) + float(1 / self.rate)
        cuts = np.array(self.cuts, dtype=np.float64)
        return Timeline(stamps[kept], times[kept], keys[kept], cuts, duration, damaged, self.counted)
