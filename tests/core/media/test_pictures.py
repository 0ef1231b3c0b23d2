"""Pictures of all kinds come out upright and in RGB; what is dangerous or broken does not come in."""

import io
import zipfile
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from core.errors import BadInput
from core.media import pictures as module
from core.media.pictures import Unreadable, decode, encode, leads_out, locate, shelf

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning:PIL", "ignore::PIL.Image.DecompressionBombWarning")


def stored(picture: Image.Image, kind: str, **options: object) -> bytes:
    out = io.BytesIO()
    picture.save(out, kind, **options)
    return out.getvalue()


def halves(mode: str, left: object, right: object) -> Image.Image:
    picture = Image.new(mode, (20, 10), left)  # type: ignore[arg-type]
    picture.paste(right, (10, 0, 20, 10))  # type: ignore[arg-type]
    return picture


def colours(content: bytes) -> tuple[list[int], list[int]]:
    pixels = decode(content)
    assert pixels.shape == (10, 20, 3)
    assert pixels.dtype == np.uint8
    return pixels[5, 4].tolist(), pixels[5, 15].tolist()


RED, BLUE, WHITE, BLACK = [255, 0, 0], [0, 0, 255], [255, 255, 255], [0, 0, 0]


@pytest.mark.parametrize(
    ("content", "left", "right"),
    [
        (stored(halves("RGB", "red", "blue"), "PNG"), RED, BLUE),
        (stored(halves("RGB", "red", "blue").convert("P"), "GIF"), RED, BLUE),
        (stored(halves("RGB", "red", "blue").quantize(4), "PNG"), RED, BLUE),
        (stored(halves("RGB", "red", "blue"), "WEBP", lossless=True), RED, BLUE),
        (stored(halves("RGB", "red", "blue"), "BMP"), RED, BLUE),
        (stored(halves("CMYK", (0, 255, 255, 0), (255, 255, 0, 0)), "TIFF"), RED, BLUE),
        (stored(halves("L", 51, 204), "PNG"), [51] * 3, [204] * 3),
        (stored(halves("1", 0, 1), "PNG"), BLACK, WHITE),
        (stored(halves("I;16", 51 * 257, 204 * 257), "PNG"), [51] * 3, [204] * 3),
        (stored(halves("I", 51 * 257, 204 * 257), "TIFF"), [51] * 3, [204] * 3),
        (stored(halves("F", 0.2, 0.8), "TIFF"), [51] * 3, [204] * 3),
        (stored(halves("RGBA", (255, 0, 0, 255), (0, 0, 255, 0)), "PNG"), RED, WHITE),
        (stored(halves("LA", (0, 255), (0, 0)), "PNG"), BLACK, WHITE),
        (stored(halves("RGB", "red", "blue"), "PNG", transparency=(0, 0, 255)), RED, WHITE),
        (
            stored(halves("RGB", "red", "blue"), "GIF", save_all=True, append_images=[halves("RGB", "lime", "lime")]),
            RED,
            BLUE,
        ),
    ],
    ids=[
        "RGB",
        "GIF",
        "palette",
        "WebP",
        "BMP",
        "CMYK",
        "grey",
        "1 bit",
        "16 bit",
        "32 bit",
        "float",
        "RGBA",
        "LA",
        "tRNS",
        "animated",
    ],
)
def test_every_kind_of_picture_becomes_rgb(content: bytes, left: list[int], right: list[int]) -> None:
    assert colours(content) == (left, right)


def test_half_transparent_pixels_lie_on_white() -> None:
    pixels = decode(stored(Image.new("RGBA", (4, 4), (0, 0, 0, 128)), "PNG"))
    assert pixels[0, 0].tolist() == [127, 127, 127]


@pytest.mark.parametrize("orientation", range(1, 9))
def test_pictures_are_turned_upright(orientation: int) -> None:
    upright = np.zeros((10, 20, 3), np.uint8)
    upright[:5, :10, 0] = upright[:5, 10:, 1] = upright[5:, :10, 2] = 255
    lying = {  # how a camera stores it: what Pillow's transposition undoes
        1: upright,
        2: upright[:, ::-1],
        3: upright[::-1, ::-1],
        4: upright[::-1],
        5: upright.transpose(1, 0, 2),
        6: np.rot90(upright, 1),
        7: upright[::-1, ::-1].transpose(1, 0, 2),
        8: np.rot90(upright, -1),
    }[orientation]
    exif = Image.Exif()
    exif[0x0112] = orientation
    content = stored(Image.fromarray(np.ascontiguousarray(lying)), "PNG", exif=exif)
    assert np.array_equal(decode(content), upright)


def test_a_broken_note_about_a_picture_does_not_matter() -> None:
    content = stored(halves("RGB", "red", "blue"), "PNG", exif=b"Exif\x00\x00MM\x00*\xff\xff\xff\xff")
    assert colours(content) == (RED, BLUE)


def test_what_is_no_picture_is_unreadable() -> None:
    whole = stored(Image.effect_noise((64, 64), 90), "PNG")
    for content, reason in [(b"", "empty"), (b"no picture", "no picture"), (whole[: len(whole) // 2], "damaged")]:
        with pytest.raises(Unreadable, match=reason):
            decode(content)


def test_absurd_sizes_are_refused() -> None:
    huge = stored(Image.new("1", (20_000, 8_000)), "PNG")  # 160 megapixels in 20 kB
    with pytest.raises(Unreadable, match="too many"):
        decode(huge)
    with pytest.raises(Unreadable, match="too many"):
        decode(stored(Image.new("1", (60_000, 8_000)), "PNG"))


def test_shown_pictures_are_small_jpegs() -> None:
    with Image.open(io.BytesIO(encode(np.zeros((2000, 3000, 3), np.uint8)))) as picture:
        assert (picture.format, picture.size) == ("JPEG", (1280, 853))
    with Image.open(io.BytesIO(encode(np.zeros((30, 40, 3), np.uint8)))) as picture:
        assert picture.size == (40, 30)  # never larger than it was


# --- Folders and zips --------------------------------------------------------------------------------------------------


def zipped(path: Path, files: dict[str, bytes], kind: int = zipfile.ZIP_STORED) -> Path:
    with zipfile.ZipFile(path, "w", kind) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return path


PICTURE = stored(halves("RGB", "red", "blue"), "PNG")


def test_a_folder_and_a_zip_have_the_same_pictures(tmp_path: Path) -> None:
    names = ["a.png", "b/c.JPG", "b/d.webp"]
    others = ["notes.txt", ".hidden.png", "__MACOSX/a.png"]
    for name in [*names, *others]:
        (tmp_path / "in" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "in" / name).write_bytes(PICTURE)
    archive = zipped(tmp_path / "in.zip", dict.fromkeys([*names, *others], PICTURE))
    for place in (tmp_path / "in", archive):
        found = shelf(place)
        assert sorted(found.pictures) == names
        assert found.read("b/c.JPG") == PICTURE
        found.close()


def test_paths_are_found_however_they_are_spelt() -> None:
    there = ["photos/Amy/Ame\u0301lie.png", "photos/b.JPG"]
    wanted = ["photos/b.JPG", "b.jpg", "amy/Am\u00e9lie.png", "c.jpg"]
    assert locate(there, wanted) == dict(zip(wanted, [there[1], there[1], there[0], None], strict=True))
    assert locate(["a/x.png", "b/x.png"], ["x.png"]) == {"x.png": None}


@pytest.mark.parametrize("path", ["../a.png", "/etc/a.png", "b/../../a.png", "..\\a.png", "C:\\a.png", "C:/a.png"])
def test_paths_out_of_the_folder_are_refused(tmp_path: Path, path: str) -> None:
    assert leads_out(path)
    with pytest.raises(BadInput, match="leads out of the folder"):
        shelf(zipped(tmp_path / "a.zip", {"good.png": PICTURE, path: PICTURE}))


def test_ordinary_paths_are_fine() -> None:
    assert not any(leads_out(path) for path in ["a.png", "a/b.png", "a..b/c.png", "...png", "./a.png"])


def test_links_out_of_the_folder_are_refused(tmp_path: Path) -> None:
    (tmp_path / "secret.png").write_bytes(PICTURE)
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "link.png").symlink_to(tmp_path / "secret.png")
    (tmp_path / "in" / "inside.png").write_bytes(PICTURE)
    (tmp_path / "in" / "alias.png").symlink_to(tmp_path / "in" / "inside.png")
    found = shelf(tmp_path / "in")
    with pytest.raises(Unreadable, match="outside"):
        found.read("link.png")
    assert found.read("alias.png") == PICTURE


def test_zip_bombs_are_refused(tmp_path: Path) -> None:
    bomb = zipped(tmp_path / "a.zip", {f"{k}.bmp": bytes(30_000_000) for k in range(8)}, zipfile.ZIP_DEFLATED)
    assert bomb.stat().st_size < 1_000_000
    with pytest.raises(BadInput, match="unpacked it would be 240 MB"):
        shelf(bomb)


def test_a_zip_of_too_many_entries_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    archive = zipped(tmp_path / "a.zip", {f"{k}.png": b"" for k in range(11)})
    monkeypatch.setattr(module, "MOST_ENTRIES", 10)
    with pytest.raises(BadInput, match="11 entries"):
        shelf(archive)


def test_a_file_that_is_too_large_is_unreadable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.png").write_bytes(PICTURE)
    monkeypatch.setattr(module, "MOST_BYTES", len(PICTURE) - 1)
    for place in (tmp_path / "in", zipped(tmp_path / "a.zip", {"a.png": PICTURE})):
        with pytest.raises(Unreadable, match="too large"):
            shelf(place).read("a.png")


def test_a_damaged_entry_of_a_zip_is_unreadable(tmp_path: Path) -> None:
    archive = zipped(tmp_path / "a.zip", {"a.png": PICTURE, "b.png": PICTURE})
    content = bytearray(archive.read_bytes())
    content[60] ^= 0xFF  # in the first picture
    archive.write_bytes(content)
    found = shelf(archive)
    with pytest.raises(Unreadable, match="damaged"):
        found.read("a.png")
    assert found.read("b.png") == PICTURE


def test_what_is_no_folder_or_zip_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_bytes(b"no zip")
    for path, words in [(tmp_path / "a.zip", "no zip"), (tmp_path / "missing", "no such folder")]:
        with pytest.raises(BadInput, match=words):
            shelf(path)
