"""From a video, pictures or a problem file to a project's frames, faces and names. The front door of ``core.media``.

Shots, then faces, then names, then one transaction that adds everything. What was found is kept by content on the way, so a
second ingest of the same film is quick, and one that was stopped or crashed goes on where it was.
"""

from __future__ import annotations

import errno
import re
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from core.errors import BadInput
from core.media.adding import add
from core.media.cache import Cache
from core.media.captions import Line, embedded_captions, read_captions
from core.media.cast import Cast, read_cast
from core.media.faces import FaceFinder
from core.media.gathering import Gathered, Stop, Work, clock, gather_people, gather_pictures, gather_video
from core.media.looking import Finder
from core.media.sampling import Sampling
from core.media.shots import scan
from core.media.tables import read_table
from core.media.video import Timeline, content_key, probe
from core.problem import Problem
from core.progress import Progress, silent
from core.project import Project, system_user
from core.records import NewFace, NewFrame, NewMention, NewSource

WINDOW = 0.0  # seconds; a frame that was taken for a caption has that caption anyway
MISSING = 2.0  # seconds that a video may be shorter than its header says before it counts as cut off
BY_CAPTION = Sampling()


def never() -> bool:
    return False


@dataclass(frozen=True)
class Summary:
    """What came in."""

    frames: int = 0
    faces: int = 0
    names: tuple[str, ...] = ()  # as they are called after merging
    tracks: int = 0
    skipped: tuple[tuple[str, str], ...] = ()  # what could not be used, and why
    left_out: int = 0  # pictures that the table does not list
    merges: tuple[tuple[str, str], ...] = ()  # spellings, and the names that they were taken for
    stopped: bool = False
    notes: tuple[str, ...] = ()

    def text(self) -> str:
        """All of it in one line for people."""
        counted = [_many(self.frames, "frame"), _many(self.faces, "face"), _many(len(self.names), "name")]
        counted += [_many(self.tracks, "track")] if self.tracks else []
        said = [", ".join(counted)]
        said += [f"{len(self.skipped)} skipped"] if self.skipped else []
        said += [f"{self.left_out} not listed and left out"] if self.left_out else []
        said += ["stopped before the end"] if self.stopped else []
        return "; ".join([*said, *self.notes])


@contextmanager
def project_at(folder: Path, title: str = "") -> Iterator[Project]:
    """The project in ``folder``, made anew if there is none. One that was made here and got nothing is removed again."""
    folder = folder.expanduser().absolute()
    if (folder / "project.sqlite").is_file():
        with Project.open(folder) as project:
            yield project
        return
    missing = [place for place in folder.parents if not place.exists()]
    project = Project.create(folder, title)
    try:
        yield project
    finally:
        empty = not project.sources()
        project.close()
        if empty:
            shutil.rmtree(folder, ignore_errors=True)
            for place in missing:
                place.rmdir()


def ingest_video(
    project: Project,
    video: Path,
    captions: Path | None = None,
    *,
    cast: Path | None = None,
    people: Path | None = None,
    sampling: Sampling = BY_CAPTION,
    window: float = WINDOW,
    progress: Progress = silent,
    stop: Stop = never,
    finder: FaceFinder | None = None,
    who: str = "",
) -> Summary:
    """Adds a video. Without a captions file the subtitles inside it are taken; without those its people have no names yet.

    ``people`` is a folder of reference photos by name, and ``who`` the one who gives them. When ``stop`` says so, what is
    done by then is added.
    """
    if not 0 <= window <= 3600:
        raise BadInput(f"a window of {window:g} seconds cannot be used; give from 0 to 3600 seconds")
    declared = probe(video).duration
    lines, notes = (read_captions(captions), []) if captions else _inside(video)
    listed = read_cast(cast) if cast else None
    with _working(project, finder, progress, stop) as work:
        content = content_key(video)
        timeline = work.cache.timeline(content)
        if timeline is None:
            timeline = scan(video, progress, stop)
            if timeline is None:
                return Summary(stopped=True)
            work.cache.put_timeline(content, timeline)
        notes += [*_cut_off(declared, timeline), *_fitting(captions or video, lines, timeline)]
        known = [gather_people(work, people)] if people else []
        seen = gather_video(work, video, content, timeline, lines, sampling, window)
        return _added(work, video, [*known, seen], listed, who, bool(lines), notes)


def ingest_pictures(
    project: Project,
    images: Path,
    captions: Path | None = None,
    *,
    cast: Path | None = None,
    people: Path | None = None,
    progress: Progress = silent,
    stop: Stop = never,
    finder: FaceFinder | None = None,
    who: str = "",
) -> Summary:
    """Adds the pictures of a folder or zip that a table lists; all of them, without captions, where there is no table."""
    table = read_table(captions) if captions else None
    listed = read_cast(cast) if cast else None
    with _working(project, finder, progress, stop) as work:
        known = [gather_people(work, people)] if people else []
        seen = gather_pictures(work, images, table)
        return _added(work, images, [*known, seen], listed, who, table is not None, [])


def ingest_problem(project: Project, problem: Path) -> Summary:
    """Adds a problem file: a frame for each of its groups, and its faces in their order, with truth where it is known."""
    read = Problem.read(problem)
    source = NewSource("problem", str(problem.absolute()), problem.name, content_key(problem))
    project.add(source, _groups(read))
    return Summary(read.groups, read.faces, read.names)


# --- The parts ---------------------------------------------------------------------------------------------------------


@contextmanager
def _working(project: Project, finder: FaceFinder | None, progress: Progress, stop: Stop) -> Iterator[Work]:
    """What the steps share; a full disk is told in one sentence."""
    lazy = Finder(finder)
    try:
        with Cache(project.cache, lazy.kind) as cache:
            yield Work(project, cache, lazy, progress, stop)
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
        raise BadInput(f"{project.folder}: the disk is full, so nothing was added; free some space and try again") from error


def _added(
    work: Work, what: Path, gathered: Sequence[Gathered], cast: Cast | None, who: str, captioned: bool, notes: list[str]
) -> Summary:
    """Adds what was gathered and says so; nothing is added that nobody could work with."""
    main = gathered[-1]
    stopped = any(one.stopped for one in gathered)
    skipped = tuple(entry for one in gathered for entry in one.skipped)
    parts = [one.part for one in gathered if one.part.moments]
    if main.there:
        notes.append(f"{_many(main.there, 'frame')} of {what.name} in the project already")
    if not main.part.moments and (stopped or main.there):
        return Summary(skipped=skipped, left_out=main.left_out, stopped=stopped, notes=tuple(notes))
    if not main.part.moments:
        path, reason = skipped[0] if skipped else (what.name, "nothing could be read")
        raise BadInput(f"{what}: none of {_many(len(skipped), 'picture')} can be used ({path}: {reason}); check the paths")
    if not any(work.cache.faces(moment.content) for moment in main.part.moments):
        if stopped:
            return Summary(skipped=skipped, left_out=main.left_out, stopped=True, notes=tuple(notes))
        looked = _many(len(main.part.moments), "picture")
        raise BadInput(f"{what}: no face was found in {looked}; give one in which faces are larger or turned to the camera")
    added = add(work.project, work.cache, parts, cast, work.finder.kind, who or system_user(), work.progress)
    if captioned and not added.names:
        notes.append("the captions name nobody: give a cast list or reference photos, or name people by hand")
    merges = tuple((merge.name, merge.into) for merge in added.merges)
    return Summary(
        added.frames, added.faces, added.names, added.tracks, skipped, main.left_out, merges, stopped, tuple(notes)
    )


def _inside(video: Path) -> tuple[list[Line], list[str]]:
    """The subtitles in the video itself; where they are damaged the pictures may still be good."""
    try:
        return embedded_captions(video), []
    except BadInput:
        return [], ["the subtitles inside the video cannot be read"]


def _cut_off(declared: float, timeline: Timeline) -> list[str]:
    notes = []
    if timeline.duration < declared - MISSING:
        notes.append(f"the video breaks off at {clock(timeline.duration)} of {clock(declared)}")
    elif timeline.damaged:
        notes.append(f"the video is damaged in {_many(timeline.damaged, 'place')}")
    return notes


def _fitting(captions: Path, lines: Sequence[Line], timeline: Timeline) -> list[str]:
    """Refuses captions that belong to another video, and tells of those behind the end."""
    late = [line for line in lines if line.start >= timeline.duration]
    if lines and len(late) == len(lines):
        raise BadInput(
            f"{captions}: the captions begin at {clock(lines[0].start)}, but the video ends at {clock(timeline.duration)};"
            " give the captions of this video"
        )
    return [f"{_many(len(late), 'caption')} after the end of the video"] if late else []


def _groups(problem: Problem) -> Iterator[NewFrame]:
    """A frame for each group."""
    order = np.argsort(problem.group, kind="stable")
    edges = np.searchsorted(problem.group[order], np.arange(problem.groups + 1))
    for group, names in enumerate(problem.candidates()):
        caption = problem.captions[group] if problem.captions is not None else ""
        caption = caption or ", ".join(names)
        faces = [
            NewFace(problem.features[face], truth=_truth(problem, face), number=face)
            for face in order[edges[group] : edges[group + 1]].tolist()
        ]
        yield NewFrame(caption, [NewMention(name, _spans(name, caption)) for name in names], faces)


def _truth(problem: Problem, face: int) -> str | None:
    if problem.truth is None:
        return None
    name = int(problem.truth[face])
    return problem.names[name] if name >= 0 else ""


def _spans(name: str, caption: str) -> tuple[tuple[int, int], ...]:
    return tuple(match.span() for match in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", caption))


def _many(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
