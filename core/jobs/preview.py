"""What would come in, told before anything is computed: what was found, what has a caption, and what becomes of the rest."""

from __future__ import annotations

import hashlib
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from core.errors import BadInput
from core.formats import read_problem
from core.formats.content import content_key
from core.formats.read.boxes import FaceLabels
from core.formats.read.labels import read_labels
from core.jobs.intake import Kind, Offer
from core.jobs.recaption import known_film, with_captions_beside
from core.jobs.requests import IngestPictures, IngestProblem, IngestVideo
from core.media.captions.lines import Line
from core.media.captions.sources import embedded_captions, read_captions
from core.media.captions.streams import has_pictures
from core.media.captions.tables import read_table
from core.media.found import Notes, Table, labels_inside, people_folders, spelt_as, table_of
from core.media.ingest import check_fit, none_usable
from core.media.pictures import Shelf, Unreadable, opened, shelf
from core.media.video.reader import probe
from core.records import clock
from core.store.project import Project

PATIENCE = 8.0  # seconds to look into pictures; what is left by then is told
SHOWN = 8  # names told
COVERED = 0.5  # share of a film that its captions reach at least


@dataclass(frozen=True)
class Preview:
    """What was found. Counts of pictures are of all that can be seen; those of tags, of the pictures ``looked`` into."""

    kind: Kind
    title: str
    captions_from: str = ""  # where captions come from, in words; "" where there are none
    lines: int = 0  # of a film's captions
    seconds: float | None = None  # of a film
    pictures: int = 0
    captioned: int = 0
    known: int = 0  # pictures that the project has already, or 1 for a whole film or problem file
    missing: int = 0  # that the table lists and that are not there
    looked: int = 0
    tagged: int = 0  # faces with a name in the pictures' own notes
    tagged_pictures: int = 0
    people: tuple[str, ...] = ()  # who are named there, the most frequent first
    programs: tuple[str, ...] = ()  # that wrote the notes
    folders: dict[str, int] = field(default_factory=dict)  # that may be called after people, with their pictures
    groups: int = 0  # of a problem file
    faces: int = 0
    labels: str = ""  # what a label file holds, in words
    notes: tuple[str, ...] = ()  # what is wrong with some of it

    @property
    def uncaptioned(self) -> int:
        return self.pictures - self.captioned

    def said(self) -> Iterator[tuple[str, str]]:
        """All of it for people, as pairs of a heading and a sentence."""
        if self.kind == "problem":
            yield "Problem file", f"{_many(self.faces, 'face')} in {_many(self.groups, 'group')}, with its names inside"
        elif self.kind == "video":
            yield "Film", f"{self.title}, {clock(self.seconds or 0)} long"
            none = "none found: its people have no names yet"
            yield "Captions", f"{_many(self.lines, 'line')} from {self.captions_from}" if self.lines else none
        else:
            yield from self._of_pictures()
        if self.labels:
            yield "Labels", f"{self.labels}. They become decisions"
        if self.known:
            what = {"pictures": _many(self.known, "picture"), "video": "this film", "problem": "this file"}[self.kind]
            verb = "are" if self.kind == "pictures" and self.known > 1 else "is"
            yield "Known", f"{what} {verb} in the project already and will not be added again"
        for note in self.notes:
            yield "Note", note

    def _of_pictures(self) -> Iterator[tuple[str, str]]:
        yield "Pictures", _many(self.pictures, "picture")
        if self.captioned:
            yield "Captions", f"{_many(self.captioned, 'picture')} with a caption, from {self.captions_from}"
            if self.uncaptioned:
                they = "it comes" if self.uncaptioned == 1 else "they come"
                yield "Without", f"{_many(self.uncaptioned, 'picture')} without a caption: {they} in without one"
        else:
            yield "Captions", "none found: all pictures come in without one"
        if self.tagged:
            by = f" by {', '.join(self.programs)}" if self.programs else ""
            yield (
                "Face tags",
                f"{_many(self.tagged, 'face')} in {_many(self.tagged_pictures, 'picture')} named{by}: {_few(self.people)}."
                " They become decisions",
            )
        elif self.people:
            yield "Names", f"named as being on {_many(self.tagged_pictures, 'picture')}: {_few(self.people)}"
        if self.folders:
            yield "Folders", f"{_many(len(self.folders), 'folder')} may be called after people: {_few(tuple(self.folders))}"
        if self.missing:
            yield "Missing", f"{_many(self.missing, 'row')} of the table without a picture"
        if self.looked < self.pictures:
            yield "Note", f"only {self.looked} of {self.pictures} pictures were looked into for tags; all will be"


def preview(offer: Offer, project: Project | None = None) -> Preview:
    """Looks at what is offered, and says what would come of it; nothing is computed and nothing is kept."""
    match offer:
        case IngestProblem():
            problem = read_problem(offer.problem)
            there = project is not None and content_key(offer.problem) in {source.content for source in project.sources()}
            return Preview("problem", offer.problem.name, groups=problem.groups, faces=problem.faces, known=int(there))
        case IngestVideo():
            return _film(offer, project)
        case IngestPictures():
            return _pictures(offer, project)


def _film(offer: IngestVideo, project: Project | None) -> Preview:
    seconds = probe(offer.video).duration
    request, notes = with_captions_beside(offer)
    wrong = tuple(note for note in notes if request.captions is None)
    lines: list[Line] = []
    where = ""
    if request.captions:
        lines = read_captions(request.captions)
        where = request.captions.name if offer.captions else f"{request.captions.name} beside the film"
    else:
        try:
            lines, where = embedded_captions(offer.video), "the subtitles inside the film"
        except BadInput:
            wrong += ("the subtitles inside the film cannot be read",)
    if not lines and has_pictures(offer.video):
        wrong += ("the subtitles inside the film are pictures: they will be read",)
    check_fit(request.captions or offer.video, lines, seconds)
    wrong += _of_another(lines, seconds)
    known = project is not None and known_film(project, request) is not None
    labels = [(offer.labels.name, read_labels(offer.labels))] if offer.labels else []
    about = (offer.video.name, where, len(lines), seconds)
    return Preview("video", *about, known=int(known), labels=_labels(labels), notes=wrong)


def _of_another(lines: Sequence[Line], seconds: float | None) -> tuple[str, ...]:
    """That captions go on where the film has ended, or end long before it, as those of another film do."""
    if seconds is None or not lines:
        return ()
    beyond, end = sum(line.start >= seconds for line in lines), max(line.stop for line in lines)
    asked = "are these another film's captions?"
    if beyond:
        return (f"{beyond:,} of {_many(len(lines), 'line')} begin after the film has ended: {asked}",)
    return (f"they end at {clock(end)} of {clock(seconds)}: {asked}",) if end < seconds * COVERED else ()


def _pictures(offer: IngestPictures, project: Project | None) -> Preview:
    photos = shelf(offer.images)
    try:
        if not photos.pictures:
            raise BadInput(f"{offer.images}: there is no picture in it; give another folder or zip")
        table = Table(tuple(read_table(offer.captions))) if offer.captions else table_of(offer.images, photos)
        rows = table.rows if table else ()
        spelt = spelt_as(offer.images, photos, rows)
        listed = {spelt[row.image] for row in rows if row.caption or row.names} - {None}
        held = {frame.content for frame in project.frames() if frame.content} if project else set()
        seen = _looked_into(photos, held)
        if seen.unusable and len(seen.unusable) == len(photos.pictures):
            raise BadInput(f"{offer.images}: {none_usable(seen.looked, seen.unusable[0])}")
        described = not rows and seen.described > 0
        given = [(offer.labels.name, read_labels(offer.labels))] if offer.labels else []
        labels, broken = (given, []) if offer.labels else labels_inside(offer.images)
        where = "the pictures' own descriptions" if described else _where(offer.captions, table)
        return Preview(
            kind="pictures",
            title=offer.images.name,
            captions_from=where,
            pictures=len({*photos.pictures, *(path for path in spelt.values() if path)}),
            captioned=seen.described if described else len(listed),
            known=seen.known,
            missing=sum(path is None for path in spelt.values()),
            looked=seen.looked,
            tagged=seen.tagged,
            tagged_pictures=seen.tagged_pictures if seen.tagged else seen.named_pictures,
            people=tuple(name for name, _ in (seen.people or seen.persons).most_common()),
            programs=tuple(name for name, _ in seen.programs.most_common()),
            folders=people_folders(photos.pictures),
            labels=_labels(labels),
            notes=(*((table.wrong,) if table and table.wrong else ()), *broken, *(seen.unusable + seen.troubles)[:3]),
        )
    finally:
        photos.close()


def _where(given: Path | None, table: Table | None) -> str:
    if given is not None:
        return given.name
    return f"{table.path}, which was found there" if table and table.rows else ""


@dataclass
class _Seen:
    looked: int = 0
    known: int = 0
    described: int = 0
    tagged: int = 0
    tagged_pictures: int = 0
    people: Counter[str] = field(default_factory=Counter)  # with a face that bears their name
    named_pictures: int = 0
    persons: Counter[str] = field(default_factory=Counter)  # named in any way
    programs: Counter[str] = field(default_factory=Counter)
    unusable: list[str] = field(default_factory=list)  # pictures, each with why it cannot be used
    troubles: list[str] = field(default_factory=list)


def _looked_into(photos: Shelf, held: Collection[str], clock: Callable[[], float] = time.monotonic) -> _Seen:
    """Reads the pictures' own notes, for as long as a person may wait for it."""
    seen, notes, end, good = _Seen(), Notes(photos), clock() + PATIENCE, False
    for path in photos.pictures:
        if clock() > end:
            break
        seen.looked += 1
        try:
            content = photos.read(path)
            with opened(content) as picture:
                if not good:  # one that is whole is enough to go on
                    picture.draft("RGB", (64, 64))
                    picture.load()
                good = True
        except Unreadable as error:
            seen.unusable.append(f"{path}: {error}")
            continue
        seen.known += hashlib.sha256(content).hexdigest() in held
        tags = notes.of(path, content)
        named = [face for face in tags.faces if face.name and face.state != "predicted"]
        seen.described += bool(tags.caption)
        seen.tagged += len(named)
        seen.tagged_pictures += bool(named)
        seen.people.update({face.name for face in named})
        seen.named_pictures += bool(tags.names)
        seen.persons.update(tags.names)
        seen.programs.update(face.author for face in named)
        seen.troubles += [f"{path}: {trouble}" for trouble in tags.troubles]
    return seen


def _labels(files: Sequence[tuple[str, Path | FaceLabels]]) -> str:
    """What label files hold."""
    said = []
    for path, found in files:
        if isinstance(found, FaceLabels):
            sure = [box for box in found.boxes if box.state != "predicted"]
            names = tuple(name for name, _ in Counter(box.name for box in sure if box.name).most_common())
            pictures = _many(len({(box.image, box.time) for box in sure}), "picture")
            said.append(f"{_many(len(sure), 'face')} in {pictures}, from {path} ({found.program}): {_few(names)}")
    return "; ".join(said)


def _few(names: tuple[str, ...]) -> str:
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return ", ".join(names[:SHOWN]) + more


def _many(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"
