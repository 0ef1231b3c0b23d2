"""Pictured subtitles as FFmpeg's own encoders write them, for DVDs and for broadcasts."""

from fractions import Fraction
from pathlib import Path

import av
from av.codec import CodecContext
from av.subtitles.codeccontext import SubtitleCodecContext

MICROSECONDS = Fraction(1, 1_000_000)
FOR_EVER = 2**32 - 1  # milliseconds, as they are told where nobody knows


def encoded_as(codec: str, dvd: Path, path: Path, for_ever: bool = False) -> Path:
    """A copy of a film whose subtitles are encoded anew; ``for_ever``: their packets tell that they stay for ever."""
    encoder = CodecContext.create(codec, "w")
    assert isinstance(encoder, SubtitleCodecContext)
    with av.open(str(dvd)) as given, av.open(str(path), "w") as out:
        source = given.streams.subtitles[0]
        video, words = out.add_stream_from_template(given.streams.video[0]), out.add_stream(codec)
        if source.codec_context.extradata and codec == "dvdsub":
            words.codec_context.extradata = source.codec_context.extradata
        packets = []
        for packet in given.demux():
            if packet.dts is None or packet.pts is None or packet.time_base is None:
                continue
            start = float(packet.pts * packet.time_base)
            if packet.stream.type == "video":
                packets.append((float(packet.dts * packet.time_base), packet, video))
                continue
            shown = source.codec_context.decode2(packet)
            assert shown is not None
            drawn = encoder.encode_subtitle(shown)
            lasts = FOR_EVER if for_ever else shown.end_display_time - shown.start_display_time
            drawn.time_base, drawn.pts, drawn.dts = MICROSECONDS, round(start * 1e6), round(start * 1e6)
            drawn.duration = lasts * 1000
            packets.append((start, drawn, words))
        for _, packet, stream in sorted(packets, key=lambda one: one[0]):
            packet.stream = stream
            out.mux(packet)
    return path
