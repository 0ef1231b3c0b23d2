"""From a video or pictures to records of frames, faces and names. The front door of ``core.media``.

``look_at_video`` and ``look_at_pictures`` find the faces, and keep what they found by content in the cache on the way: a
second look at the same film is quick, and one that was stopped or crashed goes on where it was. ``prepared`` then finds the
names and gives the records. Nothing here knows where the records go; ``core/jobs/ingest.py`` writes them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from core.errors import BadInput
from core.formats.content import content_key
from core.media.cache import Cache
from core.media.captions.lines import Line
from core.media.captions.sources import embedded_captions, read_captions
from core.media.captions.streams import has_pictures
from core.media.captions.tables import read_table
from core.media.found import Table, table_of
from core.media.gather_pictures import gather_people, gather_pictures
from core.media.gathering import Gathered, Given, Recaption, gather_video, timeline_of
from core.media.looking import Finder
from core.media.names.cast import Cast, read_cast
from core.media.pictures import shelf
from core.media.prepare import Moment, Names, Part, Prepared, names_of, prepare
from core.media.screen.pictured import pictured_lines
from core.media.screen.texts import LazyReader
from core.media.video.reader import Timeline, probe
from core.media.work import Held, Looking, Stop, Work
from core.progress import Progress
from core.records import NewCaption, NewLine, NewMerge, NewSource, clock

MISSING = 2.0  # seconds that a video may be shorter than its header says before it counts as cut off


@dataclass(frozen=True)
class Summary:
    """What came in."""

    frames: int = 0
    faces: int = 0
    names: tuple[str, ...] = ()  # as they are called after merging
    tracks: int = 0
    skipped: tuple[tuple[str, str], ...] = ()  # what could not be used, and why
    uncaptioned: int = 0  # pictures that came in without a caption
    merges: tuple[tuple[str, str], ...] = ()  # spellings, and the names that they were taken for
    stopped: bool = False
    notes: tuple[str, ...] = ()
    captions: int = 0  # captions that frames of the project got anew
    tagged: int = 0  # faces that tags in the pictures name

    def text(self) -> str:
        """All of it in one line for people."""
        counted = [_many(self.frames, "frame"), _many(self.faces, "face"), _many(len(self.names), "name")]
        counted += [_many(self.tracks, "track")] if self.tracks else []
        said = [", ".join(counted)]
        said += [f"{len(self.skipped)} skipped"] if self.skipped else []
        said += [f"{self.uncaptioned} without a caption"] if self.uncaptioned else []
        said += [f"{_many(self.tagged, 'face')} named by tags in the pictures"] if self.tagged else []
        said += [f"{_many(self.captions, 'caption')} replaced"] if self.captions else []
        said += ["stopped before the end"] if self.stopped else []
        return "; ".join([*said, *self.notes])


@dataclass(frozen=True)
class Material:
    """What was looked at: ``gathered`` holds the reference photos, if there are any, and then the video or the pictures.

    It is empty where the work was stopped before the first frame was looked at.
    """

    what: Path
    gathered: Sequence[Gathered] = ()
    cast: Cast | None = None
    captioned: bool = False
    notes: Sequence[str] = ()

    @property
    def stopped(self) -> bool:
        return not self.gathered or any(one.stopped for one in self.gathered)

    def parts(self, cache: Cache) -> list[Part]:
        """What is to be added: nothing if it was stopped too early or is in the project already.

        Refuses material of which no picture can be read, and material without a face.
        """
        if not self.gathered:
            return []
        main = self.gathered[-1].part
        skipped = self.summary().skipped
        if not main.moments and not (self.stopped or self.gathered[-1].there):
            path, reason = skipped[0] if skipped else (self.what.name, "nothing could be read")
            raise BadInput(f"{self.what}: {none_usable(len(skipped), f'{path}: {reason}')}")
        if not any(_has_faces(cache, main, moment) for moment in main.moments):
            if self.stopped or not main.moments:
                return []
            looked = _many(len(main.moments), "picture" if main.moments[0].time is None else "frame")
            advice = "give one in which faces are larger or turned to the camera"
            raise BadInput(f"{self.what}: no face was found in {looked}; {advice}")
        return [one.part for one in self.gathered if one.part.moments]

    def summary(self, added: Prepared | None = None) -> Summary:
        """What came in once ``added`` was written; without it, nothing did."""
        notes = list(self.notes)
        there = self.gathered[-1].there if self.gathered else 0
        notes += [note for one in self.gathered for note in one.notes]
        notes += [f"{_many(there, 'frame')} of {self.what.name} in the project already"] if there else []
        if added and self.captioned and not added.names:
            notes.append("the captions name nobody: give a cast list or reference photos, or name people by hand")
        return Summary(
            frames=added.done if added else 0,
            faces=added.faces if added else 0,
            names=added.names if added else (),
            tracks=added.tracks if added else 0,
            skipped=tuple(entry for one in self.gathered for entry in one.skipped),
            uncaptioned=self.gathered[-1].uncaptioned if added else 0,
            merges=tuple((merge.name, merge.into) for merge in added.merges) if added else (),
            stopped=self.stopped,
            notes=tuple(notes),
        )


def working(cache: Path, held: Callable[[], Held], progress: Progress, stop: Stop, finder: Finder) -> Work:
    """What the steps share. When ``stop`` says so, what is done by then is kept."""
    return Work(held, Cache(cache, f"{finder.detector} {finder.embedder}"), finder, progress, stop)


def look_at_video(
    work: Work,
    video: Path,
    captions: Path | None,
    cast: Path | None,
    people: Path | None,
    how: Looking,
) -> Material:
    """Finds the faces of a video. Without a captions file the subtitles inside it are taken, and names that stand on the
    screen; without those its people have no names yet. ``people`` is a folder of reference photos by name."""
    check_window(how.window)
    declared = probe(video).duration
    lines, notes = (read_captions(captions), []) if captions else _inside(video)
    listed = read_cast(cast) if cast else None
    content = content_key(video)
    timeline = timeline_of(work, video, content)
    if timeline is None:
        return Material(video)
    notes += [*_cut_off(declared, timeline), *_late(captions or video, lines, timeline)]
    given = Given(lines)
    if not lines and how.screen and has_pictures(video):
        pictured, said = _pictured(work, video, content, timeline)
        if pictured is None:
            return Material(video)
        given, notes = Given([Line(one.start, one.stop, one.text) for one in pictured], pictured), [*notes, *said]
    known = [gather_people(work, people)] if people else []
    seen = gather_video(work, video, content, timeline, given, how, listed)
    return Material(video, [*known, seen], seen.cast, bool(seen.part.lines), notes)


def look_at_pictures(
    work: Work, images: Path, captions: Path | None, cast: Path | None, people: Path | None, folders: bool = False
) -> Material:
    """Finds the faces in all pictures. Without a table of captions the one inside or beside them is taken, and without that
    what the pictures say of themselves. ``folders``: the folders around them are called after the people on them."""
    table = Table(tuple(read_table(captions))) if captions else _table_found(images)
    listed = read_cast(cast) if cast else None
    known = [gather_people(work, people)] if people else []
    seen = gather_pictures(work, images, table, folders)
    notes = [] if table is None or not table.path else [table.wrong or f"captions from {table.path}"]
    return Material(images, [*known, seen], listed, bool(table and table.rows), notes)


def prepared(work: Work, material: Material, names: Names) -> Prepared | None:
    """The records of what was looked at; None where there is nothing to add."""
    parts = material.parts(work.cache)
    return prepare(work.cache, parts, material.cast, names, work.progress) if parts else None


def check_window(window: float) -> None:
    """Refuses a span around frames that makes no sense."""
    if not 0 <= window <= 3600:
        raise BadInput(f"a window of {window:g} seconds cannot be used; give from 0 to 3600 seconds")


def renamed(
    changes: Sequence[Recaption], cast: Cast | None, names: Names, lines: Sequence[Line] = ()
) -> tuple[list[NewCaption], Sequence[NewMerge], Sequence[Sequence[str]]]:
    """Other captions for frames of a project, with the names in them; ``lines`` are those of a film, whose speakers come
    last."""
    nowhere = NewSource("pictures", "", "")
    part = Part(nowhere, [one.moment for one in changes], lines=lines)
    named, merges = names_of(part, cast, names)
    found = [NewCaption(one.frame, one.moment.written, some) for one, some in zip(changes, named.mentions, strict=True)]
    return found, merges, named.speakers


# --- The parts ---------------------------------------------------------------------------------------------------------


def _has_faces(cache: Cache, part: Part, moment: Moment) -> bool:
    return bool(part.tracked.at(moment.place) if part.tracked else cache.faces(moment.content))


def _table_found(images: Path) -> Table | None:
    photos = shelf(images)
    try:
        return table_of(images, photos)
    finally:
        photos.close()


def _inside(video: Path) -> tuple[list[Line], list[str]]:
    """The subtitles in the video itself; where they are damaged the pictures may still be good."""
    try:
        return embedded_captions(video), []
    except BadInput:
        return [], ["the subtitles inside the video cannot be read"]


def _pictured(work: Work, video: Path, content: str, timeline: Timeline) -> tuple[Sequence[NewLine] | None, list[str]]:
    """The subtitles inside the video that are pictures, read; None if it was told to stop."""
    try:
        found = pictured_lines(LazyReader(), work.cache, video, content, timeline.duration, work.progress, work.stop)
    except BadInput as error:
        return [], [str(error)]
    kept = None if found is None else [line for line in found if line.start < timeline.duration]
    return kept, [f"{_many(len(kept), 'line')} read from the pictured subtitles inside the video"] if kept else []


def _cut_off(declared: float, timeline: Timeline) -> list[str]:
    notes = []
    if timeline.duration < declared - MISSING:
        notes.append(f"the video breaks off at {clock(timeline.duration)} of {clock(declared)}")
    elif timeline.damaged:
        notes.append(f"the video is damaged in {_many(timeline.damaged, 'place')}")
    return notes


def _late(captions: Path, lines: Sequence[Line], timeline: Timeline) -> list[str]:
    """Tells of captions behind the end."""
    check_fit(captions, lines, timeline.duration)
    late = sum(line.start >= timeline.duration for line in lines)
    return [f"{_many(late, 'caption')} after the end of the video"] if late else []


def check_fit(captions: Path, lines: Sequence[Line], seconds: float | None) -> None:
    """Refuses captions that all begin when the video has ended: they belong to another one."""
    if seconds is not None and lines and lines[0].start >= seconds:
        when = f"{clock(lines[0].start)}, but the video ends at {clock(seconds)}"
        raise BadInput(f"{captions}: the captions begin at {when}; give the captions of this video")


def none_usable(pictures: int, why: str) -> str:
    """That nothing can come in, with what is wrong with the first of the pictures."""
    return (
        f"the only picture cannot be used ({why})" if pictures == 1 else f"none of {pictures} pictures can be used ({why})"
    )


def _many(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
