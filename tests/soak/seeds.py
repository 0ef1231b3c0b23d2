"""Good files of every kind that Rollcall reads, small, and made here."""

from __future__ import annotations

import io
import json
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image
from scipy.io import savemat
from scipy.sparse import csc_array

from tests.core.media.films import film, noisy
from tests.made import made_project
from tests.soak.mutate import zipped

NAMES = ["Ross", "Rachel", "Joey"]
FACES, GROUPS, WIDTH = 12, 5, 6
SRT = """1\n00:00:01,000 --> 00:00:03,500\nROSS: Hi, <i>Rachel</i>.\n
2\n00:00:04,000 --> 00:00:06,000\n- Where is Joey?\n- [RACHEL] Here!\n
3\n00:01:00,000 --> 00:01:02,000\n{\\an8}♪ music ♪\n"""
VTT = """WEBVTT - a film\nKind: captions\n\nNOTE no text\n\nSTYLE\n::cue { color: red }\n
first\n00:01.000 --> 00:03.500 align:start position:10%\n<v Ross Geller>Hi, <b>Rachel</b> &amp; Joey.</v>\n
00:00:04.000 --> 00:00:06.000\n<00:00:04.500><c.loud>Joey!</c>\n"""
ASS = """[Script Info]\nScriptType: v4.00+\n\n[V4+ Styles]\nFormat: Name, Fontname\nStyle: Default,Arial\n
[Events]\nFormat: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
Dialogue: 0,0:00:01.00,0:00:03.50,Default,Ross,0,0,0,,{\\pos(1,2)}Hi, Rachel.\\NJoey is late.
Comment: 0,0:00:02.00,0:00:03.00,Default,,0,0,0,,nothing
Dialogue: 0,0:00:04.00,0:00:06.00,Default,,0,0,0,,{\\p1}m 0 0 l 1 1{\\p0}\n"""
DESCRIBED = """[00:00:01] Ross enters.\n00:00:04 - 00:00:06 Rachel and Joey sit,\nlaughing.\n01:02:03.5\tJoey leaves.\n"""
SECONDS = "1.0\t3.5\tRoss enters.\n4.0\t6.0\tRachel sits.\n"
CAST = 'Ross Geller, Ross, Dr. Geller\nRachel Green;Rachel\n# nobody\n"Joey ""J"" Tribbiani", Joey|J\n'
CAST_JSON = json.dumps([["Ross Geller", "Ross"], {"name": "Rachel Green", "aliases": ["Rachel"]}, "Joey"])
CAST_OBJECT = json.dumps({"Ross Geller": ["Ross"], "Joey": "J"})
TABLE = 'image,caption,names\na.jpg,"Ross and Rachel, at home",Ross;Rachel\nsub/b.png,Joey,\n'
TABLE_JSON = json.dumps([{"image": "a.jpg", "caption": "Ross", "names": ["Ross"]}, {"image": "b.png", "caption": "Joey"}])
TABLE_OBJECT = json.dumps({"a.jpg": "Ross and Rachel", "b.png": "Joey"})
CORRECTIONS = json.dumps(
    [{"face": 3, "kind": "is", "name": "Ross"}, {"face": 4, "kind": "is not", "name": "Joey"}, {"face": 5, "kind": "nobody"}]
)
MVAD = json.dumps({"TITANIC": {"videos": {"DVS1": {"Rose": [[[1, 10, 10, 60, 60]]], "Jack": [[[2, 5, 5, 30.5, 40]]]}}}})
MVAD_CAPTIONS = "TITANIC_DVS1.avi\tRose looks at Jack.\n"
CLIP = "1005_Signs_00.04.43.000-00.04.45.829"
MPII = f"{CLIP}\tSOMEONE looks at SOMEONE.\n"
MPII_PERSONS = f"{CLIP}\t[1005_PERSON3],[1005_PERSON7]\n"
LABELS = """source,time,face,left,top,right,bottom,name,confidence,state,annotator,frame,caption,track
film.mp4,1.5,0,10,20,60.5,80,Ross,0.98,predicted,,0,Ross sits.,3\nfilm.mp4,,1,10,20,60,80,,1,corrected,'=Ann,0,"a, b",\n"""


COCO = """{"images": [{"id": 1, "file_name": "a.jpg", "width": 99, "height": 70, "time": 1.5, "source": "film.mp4"}],
"categories": [{"id": 1, "name": "Ann", "supercategory": "person"}, {"id": 2, "name": "face"}], "annotations": [
{"id": 1, "image_id": 1, "category_id": 1, "bbox": [1, 2, 30, 40], "annotator": "Bo", "state": "confirmed"},
{"id": 2, "image_id": 1, "category_id": 2, "bbox": [1, 2, 30, 40], "attributes": {"name": "Cleo"}, "score": 0.5}]}"""
LABEL_STUDIO = """[{"data": {"image": "/data/local-files/?d=a.jpg", "time": null},
"annotations": [{"completed_by": {"email": "a@b"}, "result": [{"id": "r", "meta": {"text": ["confirmed Bo"]},
"value": {"x": 1, "y": 2, "width": 3, "height": 4, "rotation": 0, "rectanglelabels": ["Ann"]}}]}],
"predictions": [{"model_version": "m", "result": [{"id": "s",
"value": {"x": 1, "y": 2, "width": 3, "height": 4, "rectanglelabels": ["Cleo"]}}]}]},
{"image": "b.jpg", "label": [{"x": 1, "y": 1, "width": 9, "height": 9, "rectanglelabels": ["Dev"]}]}]"""
CVAT = """<annotations><meta><task><labels><label><name>Ann</name></label></labels>
<owner><username>bo</username></owner></task></meta>
<image id="0" name="a.jpg" width="99" height="70"><box label="Ann" xtl="1" ytl="2" xbr="30" ybr="40" source="manual">
<attribute name="state">confirmed</attribute><attribute name="annotator">Cleo</attribute></box></image></annotations>"""


def arrays() -> dict[str, Any]:
    chance = np.random.default_rng(0)
    group = np.sort(chance.integers(0, GROUPS, FACES))
    return {
        "features": chance.normal(size=(FACES, WIDTH)).astype(np.float32),
        "group": group,
        "names": np.array(NAMES),
        "candidates_json": np.array(json.dumps([["Ross", "Rachel"], ["Ross"], [], ["Joey"], ["Joey", "Rachel"]])),
        "truth": chance.integers(-1, 3, FACES),
    }


@cache
def problems() -> list[bytes]:
    found = []
    for save in (np.savez, np.savez_compressed):
        for extra in ({}, {"captions_json": np.array(json.dumps(["a caption"] * GROUPS))}):
            out = io.BytesIO()
            save(out, **arrays(), **extra)
            found.append(out.getvalue())
    return found


@cache
def benchmarks() -> list[bytes]:
    found = []
    chance = np.random.default_rng(1)
    partial = (chance.random((3, FACES)) < 0.6).astype(float)
    target = np.eye(3)[:, np.arange(FACES) % 3]
    for form, packed in (("5", False), ("5", True), ("4", False)):
        for table in (np.asarray, csc_array):
            out = io.BytesIO()
            content = {"data": arrays()["features"].astype(float), "partial_target": table(partial), "target": table(target)}
            savemat(out, content | ({"note": "text"} if form == "5" else {}), format=form, do_compression=packed)
            found.append(out.getvalue())
    return found


def features(rows: int = 2, width: int = 8) -> bytes:
    out = io.BytesIO()
    np.save(out, np.random.default_rng(2).normal(size=(rows, width)).astype(np.float32))
    return out.getvalue()


@cache
def pictures() -> list[bytes]:
    """One of each kind that people have, with an orientation, transparency, a palette, 16 bits, an animation."""
    image = Image.fromarray(noisy(0, 48, 64))
    found = []
    exif = Image.Exif()
    exif[0x0112] = 6
    for kind, mode, options in (
        *(("JPEG", "RGB", {"exif": exif}), ("JPEG", "CMYK", {}), ("JPEG", "L", {"progressive": True})),
        *(("PNG", "RGBA", {}), ("PNG", "P", {"transparency": 3}), ("PNG", "I;16", {}), ("GIF", "P", {}), ("BMP", "RGB", {})),
        *(("WEBP", "RGB", {"exif": exif}), ("TIFF", "RGB", {"compression": "tiff_lzw"}), ("TIFF", "F", {})),
        *(("TIFF", "RGB", {"compression": "jpeg"}), ("PPM", "RGB", {}), ("TGA", "RGB", {}), ("ICO", "RGBA", {})),
        *(("JPEG2000", "RGB", {}), ("PCX", "RGB", {}), ("SGI", "RGB", {}), ("DDS", "RGBA", {}), ("ICNS", "RGBA", {})),
    ):
        out = io.BytesIO()
        picture = image.convert("L").convert(mode) if mode in ("I;16", "F") else image.convert(mode)
        picture.save(out, kind, **options)
        found.append(out.getvalue())
    out = io.BytesIO()
    image.save(out, "GIF", save_all=True, append_images=[image.rotate(90)], duration=100)
    return [*found, out.getvalue()]


@cache
def zips() -> list[bytes]:
    many = pictures()
    return [
        zipped({"a.jpg": many[0], "sub/b.png": many[3]}),
        zipped(
            {"wrap/Ross Geller/1.jpg": many[0], "wrap/Joey.webp": many[8], "wrap/notes.txt": b"none", ".hidden.jpg": many[0]}
        ),
    ]


@cache
def films() -> list[bytes]:
    """A few frames in each container that people have."""
    found = []
    frames = [noisy(k // 3, 48, 64) for k in range(9)]
    with tempfile.TemporaryDirectory() as folder:
        for name, codec in (
            *(("a.mp4", "libx264"), ("a.mkv", "libx264"), ("a.avi", "mpeg4"), ("a.webm", "libvpx"), ("a.ts", "mpeg2video")),
            *(("a.flv", "flv1"), ("a.mov", "mpeg4"), ("a.wmv", "wmv2")),
        ):
            options = {"qp": "30"} if codec == "libx264" else None
            found.append(film(Path(folder) / name, frames, codec=codec, options=options).read_bytes())
        found.append(film(Path(folder) / "turned.mp4", frames, rotation=90, mirrored=True).read_bytes())
    return found


@cache
def project() -> dict[str, bytes]:
    """A small project, file by file."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "film"
        with made_project(folder, frames=6) as made:
            from core.store.project import Change

            made.decide("Ann", Change("is", face=0, name="Anna"), Change("is not", face=1, name="Boris"))
            made.decide("Ann", Change("merge", name="Dev", other="Chloe"))
            made.decide("Bob", Change("nobody", face=0))
            made.undo("Bob")
            made.run(seed=1)
            made.database.run("PRAGMA wal_checkpoint(TRUNCATE)")
            made.export("json", Path(place) / "all.json")
        files = {file.relative_to(folder).as_posix(): file.read_bytes() for file in folder.rglob("*") if file.is_file()}
        return {name: content for name, content in files.items() if not name.endswith(("-wal", "-shm"))} | {
            "all.json": (Path(place) / "all.json").read_bytes()
        }
