"""All formats that a project's labels can leave in."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from core.errors import BadInput, shown
from core.formats.write import (
    captions,
    coco,
    csv,
    cvat,
    elan,
    graphml,
    intervals,
    label_studio,
    lfw,
    npz,
    srt,
    webvtt,
    xmp,
)
from core.formats.write.text import has_box
from core.problem import FloatArray
from core.records import Labels

Needs = Literal["boxes", "pictures", "video times", "captions", ""]


@dataclass(frozen=True)
class Export:
    """A format: what people call it, what it is for, and what labels must have for it to make sense."""

    name: str
    title: str
    what: str
    suffix: str  # "" for a folder
    write: Callable[[Labels, Path], None] | None = None  # all but a problem file and a whole project need labels alone
    needs: Needs = ""
    needs_embeddings: bool = False
    needs_project: bool = False  # written by the store


_ALL = (
    Export("csv", "CSV", "a table with one row a face, for spreadsheets and scripts", ".csv", csv.write),
    Export("json", "Whole project", "everything, to be imported again without loss", ".json", needs_project=True),
    Export("coco", "COCO", "boxes in images with names as categories, for training detectors", ".json", coco.write, "boxes"),
    Export(
        "label-studio", "Label Studio", "tasks to go on annotating in Label Studio", ".json", label_studio.write, "boxes"
    ),
    Export("cvat", "CVAT for images 1.1", "annotations to go on with in CVAT", ".xml", cvat.write, "boxes"),
    Export("lfw", "Faces by name", "a folder of face pictures for each person, as LFW has them", "", lfw.write),
    Export("webvtt", "WebVTT", "who is on screen when, as subtitles for a web page", ".vtt", webvtt.write, "video times"),
    Export("srt", "SubRip", "who is on screen when, as subtitles for any player", ".srt", srt.write, "video times"),
    Export(
        "intervals", "Intervals", "a table of who is on screen from when to when", ".csv", intervals.write, "video times"
    ),
    Export("elan", "ELAN", "who is on screen when, a tier a person, for researchers", ".eaf", elan.write, "video times"),
    Export(
        "captions", "Captions", "what was heard and read off the screen, as subtitles", ".srt", captions.write, "captions"
    ),
    Export("texts", "Texts", "the same as a table, with places and names", ".csv", captions.write_table, "captions"),
    Export(
        "xmp", "XMP face regions", "files beside the pictures that digiKam and Lightroom read", "", xmp.write, "pictures"
    ),
    Export("graphml", "GraphML", "the graph of faces and names, for network tools", ".graphml", graphml.write),
    Export("npz", "Problem file", "faces and captions for Rollcall's solver", ".npz", needs_embeddings=True),
)
EXPORTS: dict[str, Export] = {export.name: export for export in _ALL}
ONE_VIDEO = frozenset({"webvtt", "srt", "elan", "captions"})  # one such file is about one video


def export(labels: Labels, format: str, path: Path, embeddings: FloatArray | None = None) -> None:
    """Writes the labels in a format, whole or not at all; refuses what would come out empty."""
    if format not in EXPORTS:
        raise BadInput(f"the format '{shown(format)}' is not known; choose one of {', '.join(EXPORTS)}")
    chosen = EXPORTS[format]
    if chosen.needs_project:
        raise BadInput(f"{path}: the format {format} holds a whole project, not labels alone; export it from a project")
    missing = _missing(labels, chosen.needs)
    if missing:
        raise BadInput(f"{path}: {missing}, so there is nothing to write as {chosen.title}; {_instead(labels)}")
    try:
        if chosen.write is not None:
            chosen.write(labels, path)
        elif embeddings is None:
            raise BadInput(f"the format {format} needs the faces' embeddings; export it from a project")
        else:
            npz.write(labels, path, embeddings)
    except BadInput as error:
        said = str(error)
        raise BadInput(said if said.startswith((str(path), str(path.resolve()))) else f"{path}: {said}") from error


def unfit(labels: Labels, format: str) -> str:
    """Why these labels cannot be written in a format, in words; "" where they can."""
    chosen = EXPORTS[format]
    if chosen.needs_project:
        return ""
    said = _missing(labels, chosen.needs)
    if not said and format in ONE_VIDEO:
        videos = {f.source.id for f in labels.frames if f.frame.time is not None and any(face.name for face in f.faces)}
        said = "it is about one video; choose one of them" if len(videos) > 1 else ""
    return said


def _missing(labels: Labels, needs: Needs) -> str:
    """What the labels do not have, in words; "" where they have it."""
    frames = [frame for frame in labels.frames if frame.faces]
    if not frames:
        return "no face is left"
    if needs == "captions" and not {line.source for line in labels.lines} & {frame.source.id for frame in labels.frames}:
        return "nothing was heard, or read off the screen"
    if needs == "boxes" and not any(has_box(frame, face) for frame in frames for face in frame.faces):
        return "it is not known where in its frame any face is"
    pictures = (frame for frame in frames if frame.source.kind == "pictures")
    if needs == "pictures" and not any(has_box(frame, face) for frame in pictures for face in frame.faces):
        return "there are no faces in pictures"
    moments = (frame for frame in frames if frame.frame.time is not None)
    if needs == "video times" and not any(face.name for frame in moments for face in frame.faces):
        return "no face with a name is in a film"
    return ""


def _instead(labels: Labels) -> str:
    return "choose csv" if any(frame.faces for frame in labels.frames) else "filter less, or name faces first"
