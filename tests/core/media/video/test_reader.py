"""Videos of many kinds: true times, upright frames, and one sentence about what is no video."""

import os
from fractions import Fraction
from pathlib import Path

import av
import numpy as np
import pytest
from PIL import Image

from core.errors import BadInput
from core.media.video import reader as module
from core.media.video.reader import Timeline, frames_at, probe
from core.media.video.shots import scan
from tests.core.media.films import encoded, every_encoding, film, noisy, plain, sound


def scanned(path: Path) -> Timeline:
    timeline = scan(path)
    assert timeline is not None
    return timeline


def greys(number: int) -> list[module.Pixels]:
    """Frame ``k`` is grey of 4 k."""
    return [plain((4 * k,) * 3) for k in range(number)]


@pytest.mark.parametrize(
    ("name", "codec", "options"),
    [
        ("a.mp4", "libx264", {}),
        ("a.mkv", "libx264", {}),
        ("a.ts", "libx264", {}),  # starts after zero
        ("a.mp4", "mpeg4", {}),
        ("b.avi", "mpeg4", {"bf": "2"}),  # other time stamps after a seek than before
        ("c.avi", "libx264", {}),  # time stamps in the wrong order
        ("d.h264", "libx264", {}),  # no time stamps at all
        ("a.webm", "libvpx", {"crf": "4", "b": "2M"}),
    ],
)
def test_frames_of_every_container_are_found_at_their_times(
    tmp_path: Path, name: str, codec: str, options: dict[str, str]
) -> None:
    path = film(tmp_path / name, greys(50), codec=codec, options=options)
    timeline = scanned(path)
    assert len(timeline.times) == 50
    assert timeline.duration == pytest.approx(2.0, abs=0.05)
    wanted = timeline.at([0.0, 0.29, 0.82, 1.33, 1.97])
    found = dict(frames_at(path, timeline, wanted))
    assert sorted(found) == sorted(wanted.tolist())
    for position, pixels in found.items():
        assert pixels.mean() == pytest.approx(4 * position, abs=6)
    assert timeline.times[20] == pytest.approx(0.8, abs=0.041)


def check_frames_against_decoding_everything(path: Path) -> None:
    timeline = scanned(path)
    wanted = sorted(np.random.default_rng(0).choice(len(timeline.times), 25, replace=False).tolist())
    with av.open(str(path)) as container:
        stamps = set(timeline.stamps[wanted].tolist())
        true = {frame.pts: frame.to_ndarray(format="rgb24") for frame in container.decode(video=0) if frame.pts in stamps}
    found = dict(frames_at(path, timeline, wanted))
    assert list(found) == wanted
    assert all(np.array_equal(found[place], true[int(timeline.stamps[place])]) for place in wanted)


@every_encoding
def test_every_frame_is_what_decoding_everything_gives(encoding: str, tmp_path: Path) -> None:
    moving = [np.roll(noisy(k // 40), 3 * k, axis=1) for k in range(100)]
    check_frames_against_decoding_everything(encoded(tmp_path, encoding, moving))


def test_the_frame_on_the_screen_is_taken_with_a_variable_frame_rate(tmp_path: Path) -> None:
    times = [0.0, 0.1, 1.5, 1.54, 4.0]
    path = film(tmp_path / "a.mkv", [plain((50 * k,) * 3) for k in range(5)], times=times)
    timeline = scanned(path)
    assert timeline.times == pytest.approx(times, abs=1e-3)
    assert timeline.at([0.05, 0.1, 1.4, 1.52, 3.9, 4.0, 99.0, -1.0]).tolist() == [0, 1, 1, 2, 3, 4, 4, 0]
    assert [round(pixels.mean() / 50) for _, pixels in frames_at(path, timeline, [1, 3])] == [1, 3]


@pytest.mark.parametrize(
    ("rotation", "mirrored", "corners"),
    [
        (0, False, "RG/BK"),
        (90, False, "GK/RB"),
        (-90, False, "BR/KG"),
        (180, False, "KB/GR"),
        (0, True, "GR/KB"),
        (90, True, "KG/BR"),
    ],
)
def test_frames_are_upright(tmp_path: Path, rotation: float, mirrored: bool, corners: str) -> None:
    picture = plain((0, 0, 0))
    picture[:48, :80, 0] = picture[:48, 80:, 1] = picture[48:, :80, 2] = 255
    path = film(tmp_path / "a.mp4", [picture] * 3, rotation=rotation, mirrored=mirrored)
    ((_, pixels),) = frames_at(path, scanned(path), [1])
    height, width = pixels.shape[:2]
    four = [pixels[y, x] for y in (10, height - 10) for x in (10, width - 10)]
    letters = ["RGB"[int(colour.argmax())] if colour.max() > 128 else "K" for colour in four]
    assert f"{letters[0]}{letters[1]}/{letters[2]}{letters[3]}" == corners
    assert (probe(path).width, probe(path).height) == (width, height) == ((160, 96) if rotation in (0, 180) else (96, 160))


def test_pixels_become_square(tmp_path: Path) -> None:
    path = film(tmp_path / "a.mkv", [plain((90, 90, 90))] * 3, aspect=Fraction(2))
    assert (probe(path).width, probe(path).height) == (320, 96)


@pytest.mark.parametrize(("rate", "size"), [(24, (96, 160)), (30, (128, 64))])
def test_a_header_is_read(rate: int, size: tuple[int, int], tmp_path: Path) -> None:
    probed = probe(film(tmp_path / "a.mp4", [plain((90, 90, 90), *size)] * 36, rate=rate))
    assert (probed.height, probed.width, probed.rotation) == (*size, 0)
    assert probed.duration == pytest.approx(36 / rate, abs=0.01)
    assert probed.rate == pytest.approx(rate, abs=0.01)


# --- What is no video --------------------------------------------------------------------------------------------------


def test_what_is_no_video_is_refused(tmp_path: Path) -> None:
    (tmp_path / "empty.mp4").write_bytes(b"")
    (tmp_path / "text.mp4").write_text("This is no video.\n" * 50)
    (tmp_path / "noise.mp4").write_bytes(os.urandom(5000))
    (tmp_path / "list.m3u8").write_text("#EXTM3U\n#EXTINF:1,\nhttp://127.0.0.1:9/a.ts\n#EXT-X-ENDLIST\n")
    Image.new("RGB", (64, 64)).save(tmp_path / "picture.png")
    Image.new("RGB", (64, 64)).save(tmp_path / "picture.jpg")
    for path in [*sorted(tmp_path.iterdir()), tmp_path, tmp_path / "missing.mp4"]:
        with pytest.raises(BadInput, match=r": .*; give") as error:
            probe(path)
        assert str(error.value).startswith(f"{path}: ")
        assert "\n" not in str(error.value)


def test_sound_is_no_video(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no video stream"):
        probe(sound(tmp_path / "a.m4a"))


def test_the_cover_of_a_piece_of_music_is_no_video(tmp_path: Path) -> None:
    path = tmp_path / "a.mp4"
    with av.open(str(path), "w") as out:
        stream = out.add_stream("aac", rate=16_000)
        cover = out.add_stream("mjpeg", rate=1)
        cover.width, cover.height, cover.pix_fmt = 64, 64, "yuvj420p"
        cover.disposition = av.stream.Disposition.attached_pic
        frame = av.VideoFrame.from_ndarray(plain((9, 9, 9), 64, 64))
        out.mux(cover.encode(frame))
        out.mux(cover.encode())
        samples = av.AudioFrame.from_ndarray(np.zeros((1, 16_000), np.float32), format="fltp", layout="mono")
        samples.sample_rate = 16_000
        out.mux(stream.encode(samples))
        out.mux(stream.encode())
    with pytest.raises(BadInput, match="no video stream"):
        probe(path)


def test_of_a_truncated_video_what_is_there_is_used(tmp_path: Path) -> None:
    whole = film(tmp_path / "a.mkv", [noisy(k // 10) for k in range(100)])
    cut = tmp_path / "cut.mkv"
    cut.write_bytes(whole.read_bytes()[: whole.stat().st_size // 2])
    timeline = scanned(cut)
    assert 1.0 < timeline.duration < 3.0
    assert probe(cut).duration == pytest.approx(4.0, abs=0.1)
    found = dict(frames_at(cut, timeline, [0, 20, 30]))
    assert sorted(found) == [0, 20, 30]


def test_a_video_whose_index_is_cut_off_is_refused(tmp_path: Path) -> None:
    whole = film(tmp_path / "a.mp4", [noisy(k) for k in range(20)])
    cut = tmp_path / "cut.mp4"
    cut.write_bytes(whole.read_bytes()[: whole.stat().st_size // 2])
    with pytest.raises(BadInput, match="a part is missing"):
        probe(cut)


def test_frames_that_do_not_decode_are_left_out(tmp_path: Path) -> None:
    path = film(tmp_path / "a.mkv", [noisy(k // 10) for k in range(100)])
    timeline = scanned(path)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])  # after the timeline was made
    found = dict(frames_at(path, timeline, [0, 20, 99]))
    assert {0, 20} <= set(found) <= {0, 20}
