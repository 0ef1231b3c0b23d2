"""What pictures say about themselves, in each of the places where programs write it."""

import io

import pytest
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from core.formats.read.picture_tags import PictureTags, read_tags, stored, turned
from core.formats.read.xmp import MarkedFace
from tests.core.formats.read.test_xmp import packet, region, regions

FACE = MarkedFace(0.1, 0.2, 0.3, 0.6)


def picture(format: str = "JPEG", size: tuple[int, int] = (400, 300), orientation: int = 1, **more: object) -> bytes:
    image, file = Image.new("RGB", size, (9, 9, 9)), io.BytesIO()
    exif = Image.Exif()
    exif[0x0112] = orientation
    for tag, value in more.pop("exif", {}).items():  # type: ignore[attr-defined]
        exif[tag] = value
    image.save(file, format, exif=exif, **more)
    return file.getvalue()


@pytest.mark.parametrize("format", ["JPEG", "PNG", "WEBP", "TIFF"])
def test_xmp_inside_of_a_picture(format: str) -> None:
    body = packet(regions(region("Ann")))
    if format == "PNG":
        from PIL.PngImagePlugin import PngInfo

        notes, file = PngInfo(), io.BytesIO()
        notes.add_itxt("XML:com.adobe.xmp", body.decode())
        Image.new("RGB", (400, 300)).save(file, "PNG", pnginfo=notes)
        content = file.getvalue()
    elif format == "TIFF":
        content = picture(format, tiffinfo={700: body})
    else:
        content = picture(format, xmp=body)
    assert [face.name for face in read_tags(content).faces] == ["Ann"]


def test_xmp_that_goes_on_in_further_parts_of_a_jpeg() -> None:
    body = packet(regions(*(region(f"Person {k}", f".{k:02}", ".5", ".01", ".01") for k in range(10, 30))))
    plain, half = picture(xmp=packet("")), len(body) // 2
    parts = []
    for at, part in ((half, body[half:]), (0, body[:half])):
        content = b"http://ns.adobe.com/xmp/extension/\0" + b"A" * 32 + len(body).to_bytes(4, "big") + at.to_bytes(4, "big")
        parts.append(b"\xff\xe1" + (len(content + part) + 2).to_bytes(2, "big") + content + part)
    assert len(read_tags(plain[:2] + b"".join(parts) + plain[2:]).faces) == 20
    cut = read_tags(plain[:2] + parts[1] + plain[2:])
    assert cut.troubles == ("the second part of its XMP cannot be read (it is damaged or cut short)",)


def test_the_file_beside_a_picture_has_the_last_word_and_the_rest_is_joined() -> None:
    inside = packet(regions(region("Ann"), region("Bo", ".1", ".1", ".1", ".1")))
    beside = packet(regions(region("Anna Lee", ".51", ".5")))
    picasa = [MarkedFace(0.8, 0.8, 0.9, 0.9, "Cleo", "Picasa"), MarkedFace(0, 0, 0, 0, "Dev", "Picasa")]
    found = read_tags(picture(xmp=inside), beside, picasa)
    assert [face.name for face in found.faces] == ["Anna Lee", "Bo", "Cleo"]
    assert found.troubles == ("a face region of Picasa lies nowhere in it",)


def test_damaged_notes_are_told_and_the_others_count() -> None:
    found = read_tags(picture(xmp=packet(regions(region("Ann")))), b"<x:xmpmeta")
    assert [face.name for face in found.faces] == ["Ann"]
    assert found.troubles == ("the XMP file beside it cannot be read (it is damaged or cut short)",)
    assert read_tags(b"no picture at all") == PictureTags()


def test_captions_in_the_places_where_they_stand() -> None:
    described = picture(exif={0x010E: "Ann and Bo."})
    assert read_tags(described).caption == "Ann and Bo."
    assert read_tags(picture(exif={0x010E: "OLYMPUS DIGITAL CAMERA         "})).caption == ""
    better = packet("<dc:description><rdf:Alt><rdf:li>Cleo \n waits.</rdf:li></rdf:Alt></dc:description>")
    assert read_tags(described, better).caption == "Cleo\nwaits."


def test_an_iptc_caption() -> None:
    text = "Zoë waits.".encode()
    block = b"\x1c\x01\x5a\x00\x03\x1b%G\x1c\x02\x78" + len(text).to_bytes(2, "big") + text
    block += b"\0" if len(block) % 2 else b""
    resource = b"Photoshop 3.0\x008BIM\x04\x04\x00\x00" + len(block).to_bytes(4, "big") + block
    segment = b"\xff\xed" + (len(resource) + 2).to_bytes(2, "big") + resource
    plain = picture()
    assert read_tags(plain[:2] + segment + plain[2:]).caption == "Zoë waits."
    profile = resource.removeprefix(b"Photoshop 3.0\0")
    for notes in (profile, block):  # as exiftool and ImageMagick write it
        texts = PngInfo()
        texts.add_text("Raw profile type iptc", f"\niptc\n{len(notes):8}\n{notes.hex()}\n", zip=True)
        assert read_tags(picture("PNG", pnginfo=texts)).caption == "Zoë waits."
    texts = PngInfo()
    texts.add_text("Raw profile type iptc", "\niptc\n 9\nno digits\n")
    assert read_tags(picture("PNG", pnginfo=texts)).troubles == ("its IPTC notes are damaged",)


@pytest.mark.parametrize("orientation", range(1, 9))
def test_regions_are_of_the_stored_picture_and_turned_with_it(orientation: int) -> None:
    there = stored(turned(FACE, orientation), orientation)
    assert (there.left, there.top, there.right, there.bottom) == pytest.approx((0.1, 0.2, 0.3, 0.6))
    size = (400, 300)
    dots = Image.new("L", size, 0)
    dots.paste(255, (40, 60, 120, 180))
    from PIL import ImageOps

    exif = Image.Exif()
    exif[0x0112] = orientation
    file = io.BytesIO()
    dots.save(file, "PNG", exif=exif)
    upright = ImageOps.exif_transpose(Image.open(file))
    left, top, right, bottom = upright.getbbox() or (0, 0, 0, 0)
    shown = turned(FACE, orientation)
    assert (shown.left, shown.right) == pytest.approx((left / upright.width, right / upright.width))
    assert (shown.top, shown.bottom) == pytest.approx((top / upright.height, bottom / upright.height))


def test_a_program_that_speaks_of_the_upright_picture_gives_it_away_by_its_size() -> None:
    body = regions(region("Ann", ".2", ".4", ".2", ".4"))
    turned_by_us = read_tags(picture(orientation=6, xmp=packet(body))).faces[0]
    assert (turned_by_us.left, turned_by_us.top) == pytest.approx((0.4, 0.1))
    body = body.replace('stDim:w="400" stDim:h="300"', 'stDim:w="300" stDim:h="400"')
    upright = read_tags(picture(orientation=6, xmp=packet(body))).faces[0]
    assert (upright.left, upright.top) == pytest.approx((0.1, 0.2))
