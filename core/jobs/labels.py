"""Takes the labels of a file into a project: boxes are joined with the faces that were found, and their names become
decisions of whoever gave them. A box in which no face was found becomes one; what fits nowhere is told."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

import numpy as np

from core.errors import BadInput
from core.formats.read.boxes import FaceLabels, LabelledBox
from core.formats.read.label_table import TABLE
from core.formats.read.labels import read_labels
from core.formats.read.xmp import MarkedFace
from core.jobs.missed import add_missed, can_embed
from core.media.faces.finder import FaceFinder
from core.media.faces.suppress import overlaps
from core.media.tagged import joined, scaled
from core.problem import FloatArray, IntArray
from core.records import Box, Frame, Source, Track
from core.store.project import Change, Project

CLOSE = 0.02  # seconds between a label's time and its frame's
NEAR = 0.2  # seconds between a label's time and a moment at which a face was followed
OVERLAP = 0.3  # intersection over union there
LARGEST, SMALLEST = 0.8, 8.0  # of a box that becomes a face: share of the picture, and pixels
PERCENT = (100.0, 100.0)  # the size of a picture whose boxes are in percent
SHAPE = 0.05  # by how much two shapes may differ
FEW = 3  # troubles told in full
FRAME = re.compile(r"(?P<film>.*)/\d{6,}_(?P<time>\d+\.\d+)\.jpg")  # as exports call a frame of a film


@dataclass
class Taken:
    """What came of a label file."""

    program: str
    named: int = 0  # faces that have a decision now
    added: int = 0  # of these, faces that were found by their boxes alone
    there: int = 0  # decisions that were in the project before
    guesses: int = 0  # boxes that a program only guessed
    troubles: list[str] = field(default_factory=list)

    def notes(self) -> list[str]:
        """All of it in words, a sentence each."""
        said = [f"{_many(self.named, 'face')} named by {self.program} labels"]
        said += [f"{self.added} of them found by their boxes alone"] if self.added else []
        said += [f"{_many(self.there, 'label')} in the project already"] if self.there else []
        said += [f"{_many(self.guesses, 'label')} only guessed by a program left out"] if self.guesses else []
        more = [f"and {len(self.troubles) - FEW} more like these"] if len(self.troubles) > FEW else []
        return [*said, *self.troubles[:FEW], *more]

    def text(self) -> str:
        return "; ".join(self.notes())


def take_labels(
    project: Project, labels: Path | FaceLabels, who: str, sources: Sequence[int] = (), finder: FaceFinder | None = None
) -> Taken:
    """Takes the labels in; ``who`` gives those that name no author. Only frames of ``sources`` count, if there are any.

    What people said before stands: where a label differs, both do, as where two people differ.
    """
    file = read_labels(labels) if isinstance(labels, Path) else labels
    taken = Taken(file.program, troubles=list(file.troubles))
    nameless = who if file.program == TABLE else file.program  # a table is its giver's own
    certain = [replace(box, author=box.author or nameless) for box in file.boxes if box.state != "predicted"]
    taken.guesses = len(file.boxes) - len(certain)
    places = _Places(project, sources)
    by_frame: dict[int, list[LabelledBox]] = {}
    unplaced: list[LabelledBox] = []
    for box in certain:
        frame = places.frame(box)
        if frame is None:
            unplaced.append(box)
        elif turned := _turned(box, places.frames[frame]):
            taken.troubles.append(turned)
        else:
            by_frame.setdefault(frame, []).append(box)
    changes: dict[str, list[Change]] = {}
    for frame, boxes in by_frame.items():
        for box, face in _faces(project, places.frames[frame], boxes, taken, finder):
            _say(project, box, face, changes, taken)
    for box in unplaced:
        found = places.followed(box)
        if found is None:
            taken.troubles.append(f"{box.image or 'a picture'}{_at(box)} is not in the project, nor is its label")
        else:
            _say(project, box, found, changes, taken)
    for author, some in changes.items():
        project.decide(author, *some, seen=0)
    return taken


def _turned(box: LabelledBox, frame: Frame) -> str:
    """Why a label cannot be about a picture: it was drawn in one of another shape, such as one that lies on its side."""
    width, height = box.size or (frame.width, frame.height)
    if (width, height) == PERCENT or abs(width * frame.height / (height * frame.width) - 1) < SHAPE:
        return ""
    sizes = f"{width:g}×{height:g}, here {frame.width}×{frame.height}"
    return f"{box.image}: the label of {box.name or 'nobody'} is of a picture of another shape ({sizes})"


def _say(project: Project, box: LabelledBox, face: int, changes: dict[str, list[Change]], taken: Taken) -> None:
    """Notes what a label says of a face, unless its author said so before."""
    log, author = project.log(), box.author
    own = [log.text(one.name) if one.name >= 0 else "" for one in log.standing(face).answers if one.who == author]
    if own and own[-1] == box.name:
        taken.there += 1
        return
    changes.setdefault(author, []).append(
        Change("nobody", face=face) if box.nobody else Change("is", face=face, name=box.name)
    )
    taken.named += 1


def _faces(
    project: Project, frame: Frame, boxes: Sequence[LabelledBox], taken: Taken, finder: FaceFinder | None
) -> Iterator[tuple[LabelledBox, int]]:
    """Each label of a frame with its face; one that was not found is added by its box."""
    size = float(frame.width), float(frame.height)
    shares = [_shares(box, size) for box in boxes]
    faces = project.faces(frame.id)
    of = joined([face.box for face in faces], [scaled(share, frame.width, frame.height) for share in shares])
    for k, (box, share) in enumerate(zip(boxes, shares, strict=True)):
        if k in of:
            yield box, faces[of[k]].id
            continue
        face = _added(project, frame, share, box.author, finder)
        if face is None:
            called = box.name or "nobody"
            taken.troubles.append(f"{box.image}{_at(box)}: in the box of {called} there is nothing that can be a face")
        else:
            taken.added += 1
            yield box, face


def _added(project: Project, frame: Frame, share: MarkedFace, who: str, finder: FaceFinder | None) -> int | None:
    """The face in a box, added to the project; None where it cannot be one."""
    box = scaled(share, frame.width, frame.height)
    area = (share.right - share.left) * (share.bottom - share.top)
    if area > LARGEST or min(box.right - box.left, box.bottom - box.top) < SMALLEST:
        return None
    if finder is None and not can_embed(project):
        return None
    try:
        return add_missed(project, who, frame.id, (share.left, share.top, share.right, share.bottom), finder=finder)
    except BadInput:
        return None


def _shares(box: LabelledBox, size: tuple[float, float]) -> MarkedFace:
    """A label as shares of its picture, cut off at its edges."""
    width, height = box.size or size
    edges = box.left / width, box.top / height, box.right / width, box.bottom / height
    left, top, right, bottom = (min(max(edge, 0.0), 1.0) for edge in edges)
    return MarkedFace(left, top, right, bottom, box.name, box.author)


# --- Where a label belongs ---------------------------------------------------------------------------------------------


class _Places:
    """The frames of a project by what label files may call them."""

    def __init__(self, project: Project, wanted: Sequence[int]) -> None:
        self.project = project
        sources = [source for source in project.sources() if not wanted or source.id in wanted]
        self.films = {_plain(source.title): source for source in sources if source.kind == "video"}
        title = {source.id: source.title for source in sources}
        self.frames = {frame.id: frame for frame in project.frames() if frame.source in title and frame.width}
        self.paths: dict[str, int] = {}
        self.ends: dict[str, int | None] = {}
        for frame in self.frames.values():
            if frame.time is None and frame.path:
                self.paths[_plain(frame.path)] = frame.id
                self.paths.setdefault(_plain(f"{title[frame.source]}/{frame.path}"), frame.id)
                self.paths.setdefault(_plain(f"{frame.source}-{frame.id}/{title[frame.source]}/{frame.path}"), frame.id)
                end = _plain(frame.path).rsplit("/", 1)[-1]
                self.ends[end] = None if end in self.ends else frame.id  # two of a name: neither is meant for certain
        self._tracks: dict[int, list[Track]] = {}
        self._times: dict[int, tuple[FloatArray, IntArray]] = {}

    def frame(self, box: LabelledBox) -> int | None:
        """The frame that a label is about."""
        film, time = self._film(box)
        if film is not None and time is not None:
            times, ids = self._moments(film)
            away = np.abs(times - time)
            return int(ids[away.argmin()]) if len(ids) and away.min() <= CLOSE else None
        image = _plain(box.image.replace("\\", "/").removeprefix("./"))
        return self.paths.get(image, self.ends.get(image.rsplit("/", 1)[-1]))

    def followed(self, box: LabelledBox) -> int | None:
        """A face of the track that is where a label of a film says, if the film is looked at in other frames now."""
        film, time = self._film(box)
        if film is None or time is None:
            return None
        sizes = [frame for frame in self.frames.values() if frame.source == film.id]
        if not sizes:
            return None
        share = _shares(box, (float(sizes[0].width), float(sizes[0].height)))
        wanted = scaled(share, sizes[0].width, sizes[0].height)
        best: tuple[float, int] = (OVERLAP, -1)
        for track in self._of_film(film):
            if not track.start - NEAR <= time <= track.stop + NEAR:
                continue
            moments = [(abs(at - time), there) for at, there in track.boxes]
            away, there = min(moments, key=lambda pair: pair[0], default=(np.inf, wanted))
            overlap = float(overlaps(_corners(wanted), _corners(there))[0, 0]) if away <= NEAR else 0.0
            best = max(best, (overlap, track.id))
        return self._shown.get(best[1])

    @cached_property
    def _shown(self) -> dict[int, int]:
        """By track, the face that shows best who it is."""
        faces = sorted(self.project.faces(), key=lambda face: face.quality)
        return {face.track: face.id for face in faces if face.track is not None}

    def _moments(self, film: Source) -> tuple[FloatArray, IntArray]:
        """When the frames of a film are, and their numbers."""
        if film.id not in self._times:
            frames = [frame for frame in self.frames.values() if frame.source == film.id and frame.time is not None]
            times = np.array([frame.time for frame in frames], np.float64)
            self._times[film.id] = times, np.array([frame.id for frame in frames], np.int64)
        return self._times[film.id]

    def _of_film(self, film: Source) -> list[Track]:
        if film.id not in self._tracks:
            self._tracks[film.id] = self.project.tracks(film.id)
        return self._tracks[film.id]

    def _film(self, box: LabelledBox) -> tuple[Source | None, float | None]:
        """The film and the time that a label is about, if it is about one."""
        image, time = box.image.replace("\\", "/"), box.time
        called = FRAME.fullmatch(image)
        if called and time is None:
            image, time = called["film"], float(called["time"])
        ends = [image, image.rsplit("/", 1)[-1]]
        return next((self.films[_plain(end)] for end in ends if _plain(end) in self.films), None), time


def _corners(box: Box) -> FloatArray:
    return np.array([(box.left, box.top, box.right, box.bottom)], np.float64)


def _plain(path: str) -> str:
    return unicodedata.normalize("NFC", path).casefold()


def _at(box: LabelledBox) -> str:
    return "" if box.time is None else f" at {box.time:.2f} s"


def _many(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
