"""What cannot come in, dropped into the form in a real browser: one sentence each, and no project of it."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest
from PIL import Image
from playwright.sync_api import expect

from tests.browser.reviewing import App, Watch
from tests.core.media.films import film, noisy
from tests.core.media.portraits import portrait

SRT = "1\n00:00:00,000 --> 00:00:01,000\nAnna waits.\n"
LATE = SRT.replace("00:00:0", "02:00:0")


def png(who: str = "Ada") -> bytes:
    file = BytesIO()
    Image.fromarray(portrait(who)).save(file, "PNG")
    return file.getvalue()


def huge() -> bytes:
    """A PNG that says that it has sixty thousand rows of sixty thousand pixels."""

    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    head = struct.pack(">IIBBBBB", 60_000, 60_000, 8, 2, 0, 0, 0)
    parts = chunk(b"IHDR", head), chunk(b"IDAT", zlib.compress(bytes(1000))), chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


def zipped(name: str, content: bytes) -> bytes:
    file = BytesIO()
    with ZipFile(file, "w") as archive:
        archive.writestr(name, content)
    return file.getvalue()


def a_film(place: Path) -> bytes:
    return film(place / "made.mp4", [noisy(0)] * 10).read_bytes()


CASES: dict[str, tuple[dict[str, Callable[[Path], bytes]], str]] = {
    "a text called a film": ({"a.mp4": lambda _: b"no film"}, "a.mp4: this is no video that can be read"),
    "a film that is cut": ({"a.mp4": lambda p: a_film(p)[:200]}, "a.mp4: this is no video that can be read"),
    "no captions in the file": ({"a.mp4": a_film, "a.srt": lambda _: b""}, "a.srt: the file is empty"),
    "a picture as captions": ({"a.mp4": a_film, "a.srt": lambda _: png()}, "a.srt: this is not a captions file"),
    "another film's captions": ({"a.mp4": a_film, "a.srt": lambda _: LATE.encode()}, "begin at 2:00:00, but the video ends"),
    "captions alone": ({"a.srt": lambda _: SRT.encode()}, "captions alone are not enough"),
    "a table without columns": (
        {"a.png": lambda _: png(), "t.csv": lambda _: b"a,b\n1,2\n"},
        "no columns image and caption",
    ),
    "a table of others": (
        {"a.png": lambda _: png(), "t.csv": lambda _: b"image,caption\nb.png,Ann.\n"},
        "No picture of the table is there, such as b.png",
    ),
    "a broken table": ({"a.png": lambda _: png(), "t.json": lambda _: b'{"a.png'}, "t.json: this is not JSON"),
    "a picture that is cut": ({"a.png": lambda _: png()[:-2000]}, "The only picture cannot be used (a.png"),
    "a text called a picture": ({"a.jpg": lambda _: b"no picture"}, "a.jpg: this is no picture of a known kind"),
    "a huge picture": ({"a.png": lambda _: huge()}, "a.png: it has far too many pixels"),
    "a zip that is cut": ({"a.zip": lambda _: zipped("a.png", png())[:-40]}, "a.zip: this is no zip that can be read"),
    "a zip that leads out": ({"a.zip": lambda _: zipped("../../a.png", png())}, "leads out of the folder"),
    "a zip of something else": ({"a.zip": lambda _: zipped("a.txt", b"a")}, "a.zip: there is no picture in it"),
    "no problem": ({"a.npz": lambda _: b"no"}, "a.npz: this is not an .npz file"),
    "a letter": ({"a.docx": lambda _: b"PK"}, "a.docx: this kind of file is not known here"),
    "two kinds": ({"a.mp4": a_film, "a.png": lambda _: png()}, "a.mp4 and a.png do not go together"),
}


@pytest.mark.parametrize("case", CASES)
def test_what_cannot_come_in_is_refused_in_a_sentence(case: str, app: App, watch: Watch, tmp_path: Path) -> None:
    files, sentence = CASES[case]
    before = sorted(path.name for path in app.projects.iterdir())
    given = [{"name": name, "mimeType": "", "buffer": make(tmp_path)} for name, make in files.items()]
    watched = watch()
    page = watched.page
    page.goto(app.address)
    make_it = page.get_by_role("button", name="Make the project")
    expect(make_it).to_be_disabled()  # the last part of the form is there
    page.locator('[class*="st-key-new-files-"] input[type="file"]').set_input_files(given)  # type: ignore[arg-type]
    said = page.locator(".st-key-new-project").get_by_test_id("stAlert")
    expect(said).to_contain_text(sentence)
    expect(said).to_have_count(1)
    assert "\n" not in said.inner_text().strip()
    assert "/tmp" not in said.inner_text()
    expect(make_it).to_be_disabled()
    assert sorted(path.name for path in app.projects.iterdir()) == before
    assert watched.errors == []
