"""The subtitle streams inside a video."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import av
from av.container import InputContainer
from av.subtitles.stream import SubtitleStream
from av.subtitles.subtitle import AssSubtitle

from core.errors import BadInput
from core.media.captions.lines import Event

ENGLISH = ("eng", "en", "und", "")
TEXT = ("subrip", "srt", "ass", "ssa", "mov_text", "webvtt", "text")
PICTURES = ("hdmv_pgs_subtitle", "pgssub", "dvd_subtitle", "dvdsub", "dvb_subtitle", "dvbsub", "xsub")  # pictures of text
FIELDS = 8  # that come before the text of an event: order, layer, style, name, three margins, effect


def subtitle_events(video: Path) -> list[Event]:
    """Start, stop, text with its markup and name field of what a video's subtitles show; nothing if it has none of text."""
    try:
        with av.open(str(video)) as container:
            chosen = _chosen([stream for stream in container.streams.subtitles if stream.codec_context.name in TEXT])
            return list(_events(container, chosen)) if chosen else []
    except FileNotFoundError as error:
        raise BadInput(f"{video}: there is no such file; check the path") from error
    except IsADirectoryError as error:
        raise BadInput(f"{video}: this is a folder; name a video in it") from error
    except (av.FFmpegError, OSError, ValueError) as error:
        raise BadInput(f"{video}: this video's subtitles cannot be read; name a captions file instead") from error


def _chosen(streams: list[SubtitleStream]) -> list[SubtitleStream]:
    """The stream that tells most, and the described pictures."""
    described = [stream for stream in streams if "descriptions" in (stream.disposition.name or "")]
    spoken = [stream for stream in streams if stream not in described]
    return [best_stream(kind) for kind in (spoken, described) if kind]


def best_stream(streams: list[SubtitleStream]) -> SubtitleStream:
    """The stream that tells most: English, whole, with speakers for the hard of hearing."""

    def worth(stream: SubtitleStream) -> tuple[bool, bool, bool, bool, int]:
        about, title = stream.disposition.name or "", stream.metadata.get("title", "").lower()
        hearing = "hearing_impaired" in about or "sdh" in title or "hearing" in title
        forced = "forced" in about or "forced" in title
        return (stream.language or "") in ENGLISH, not forced, hearing, "default" in about, -stream.index

    return max(streams, key=worth)


def has_pictures(video: Path) -> bool:
    """Whether a video has subtitles that are pictures of text."""
    try:
        with av.open(str(video.resolve()), options={"protocol_whitelist": "file"}) as container:
            return any(stream.codec_context.name in PICTURES for stream in container.streams.subtitles)
    except (av.FFmpegError, OSError, ValueError):
        return False


def _events(container: InputContainer, streams: list[SubtitleStream]) -> Iterator[Event]:
    for packet in container.demux(streams):
        if packet.pts is None or packet.time_base is None or not packet.size:
            continue
        start = float(packet.pts * packet.time_base)
        stop = start + float(packet.duration * packet.time_base) if packet.duration else None
        for subtitle in packet.decode():
            if isinstance(subtitle, AssSubtitle):
                fields = subtitle.ass.decode("utf-8", errors="replace").split(",", FIELDS)
                if len(fields) > FIELDS:
                    yield start, stop, fields[FIELDS], fields[3]
