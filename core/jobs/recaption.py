"""Other captions for a source that is in the project already: a table for pictures, subtitles for a film.

Frames, faces and decisions stay; only captions, and the names in them, are others afterwards.
"""

from __future__ import annotations

import errno
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np

from core.errors import BadInput
from core.formats.content import content_key
from core.jobs.requests import IngestVideo, Recaption
from core.media.captions.lines import Line
from core.media.captions.sources import embedded_captions, read_captions
from core.media.captions.tables import read_table
from core.media.found import captions_beside
from core.media.gathering import Recaption as NewText
from core.media.gathering import known_tracks
from core.media.ingest import Summary, check_fit, check_window, renamed, working
from core.media.looking import Finder
from core.media.names.cast import Cast, read_cast
from core.media.pictures import locate
from core.media.prepare import Names
from core.media.speaking import speaking
from core.media.work import Held
from core.progress import Progress, silent
from core.records import Frame, Source, SourceLine
from core.store.project import Project

SAME = 0.9  # share of a file's lines that a film shows already: these are its captions


def kept(summary: Summary) -> dict[str, object]:
    """What is kept with a source: the summary, and its one line for people."""
    return {"text": summary.text(), **asdict(summary)}


def recaption(project: Project, request: Recaption, progress: Progress = silent) -> Summary:
    """Gives the frames of a source the captions of a file."""
    source = next((source for source in project.sources() if source.id == request.source), None)
    if source is None:
        raise BadInput(f"{project.folder}: there is no source {request.source}; see which there are with `rollcall sources`")
    frames = [frame for frame in project.frames() if frame.source == source.id]
    if source.kind == "problem":
        raise BadInput(f"{source.title}: a problem file holds its names itself; captions go with films and pictures")
    if source.kind == "video":
        lines = read_captions(request.captions)
        check_fit(request.captions, lines, source.duration)
        texts = of_film(frames, lines, request.window, project.lines(source.id))
        return replaced(project, source, texts, request.captions.name, given_cast(request.cast), progress, lines=lines)
    rows = read_table(request.captions)
    spelt = locate([frame.path for frame in frames], [row.image for row in rows])
    by_path: dict[str, list[Frame]] = {}
    for frame in frames:
        by_path.setdefault(frame.path, []).append(frame)
    texts = [NewText(frame.id, row.caption, row.names) for row in rows for frame in by_path.get(spelt[row.image] or "", ())]
    if not texts:
        raise BadInput(f"{request.captions}: none of its {len(rows)} pictures is in {source.title}; check the paths")
    lost = sum(spelt[row.image] is None for row in rows)
    notes = (f"{lost} rows are about other pictures",) if lost else ()
    return replaced(project, source, texts, request.captions.name, given_cast(request.cast), progress, notes)


# --- A film that is there already --------------------------------------------------------------------------------------


def with_captions_beside(request: IngestVideo) -> tuple[IngestVideo, tuple[str, ...]]:
    """The request with the captions file that lies beside its film, where none was given, and a word about it."""
    beside = None if request.captions else captions_beside(request.video)
    if beside is None:
        return request, ()
    try:
        read_captions(beside)
    except BadInput as error:
        return request, (str(error),)
    return replace(request, captions=beside), (f"captions from {beside.name}",)


def known_film(project: Project, request: IngestVideo) -> Source | None:
    """The source of the project that is this film, unless it was left unfinished, or is to be looked at in another way."""
    if request.per_shot or request.every is not None or request.people is not None:
        return None
    films = [source for source in project.sources() if source.kind == "video" and source.content]
    try:
        content = content_key(request.video) if films else ""
    except OSError as error:
        what = "there is no such file" if error.errno == errno.ENOENT else f"cannot be read ({error.strerror})"
        raise BadInput(f"{request.video}: {what}; check the path") from error
    found = [source for source in films if source.content == content]
    return found[0] if found and not any('"stopped": true' in source.summary for source in found) else None


def recaption_film(project: Project, source: Source, request: IngestVideo, progress: Progress) -> Summary:
    """A film that is there already is not added again; where its captions are others now, it gets these."""
    check_window(request.window)
    lines = read_captions(request.captions) if request.captions else _inside(request.video)
    frames = [frame for frame in project.frames() if frame.source == source.id]
    there = (f"{source.title} is in the project already",)
    written = {part for line in lines for part in line.written.split("\n")}
    shown = {part for frame in frames for part in frame.caption.split("\n") if part}
    shown -= {line.text for line in project.lines(source.id)}
    if not lines or (shown <= written and len(shown) >= SAME * len(written)):
        return Summary(notes=there)
    check_fit(request.captions or request.video, lines, source.duration)
    texts = of_film(frames, lines, request.window, project.lines(source.id))
    name = request.captions.name if request.captions else "the film"
    return replaced(project, source, texts, name, given_cast(request.cast), progress, there, lines)


def _inside(video: Path) -> list[Line]:
    try:
        return embedded_captions(video)
    except BadInput:
        return []


def of_film(frames: Sequence[Frame], lines: Sequence[Line], window: float, written: Sequence[SourceLine]) -> list[NewText]:
    """Each frame with the lines that are shown over it; a line over none goes to the frame that is nearest to its middle.
    Names that stand on the screen (among ``written``) stay."""
    check_window(window)
    if not frames:
        return []
    times = np.array([frame.time or 0.0 for frame in frames])
    starts, stops = np.array([line.start for line in lines]), np.array([line.stop for line in lines])
    over = (starts[None] <= times[:, None] + window) & (stops[None] >= times[:, None] - window)
    nearest = np.abs(times[:, None] - (starts + stops)[None] / 2).argmin(axis=0)
    alone = np.flatnonzero(~over.any(axis=0))
    over[nearest[alone], alone] = True
    return [
        NewText(
            frame.id,
            "\n".join(lines[k].written for k in np.flatnonzero(here).tolist()),
            screen=_on_screen(frame, written),
        )
        for frame, here in zip(frames, over, strict=True)
    ]


def _on_screen(frame: Frame, written: Sequence[SourceLine]) -> tuple[tuple[str, str], ...]:
    """What names somebody on a frame, as its caption has it already."""
    there = set(frame.caption.split("\n"))
    naming = [line for line in written if line.kind == "screen" and line.name and line.text in there]
    time = frame.time or 0.0
    return tuple(dict.fromkeys((line.text, line.name) for line in naming if line.start - 1 <= time <= line.stop + 1))


def given_cast(path: Path | None) -> Cast | None:
    return read_cast(path) if path else None


def replaced(
    project: Project,
    source: Source,
    texts: Sequence[NewText],
    name: str,
    cast: Cast | None,
    progress: Progress,
    notes: Sequence[str] = (),
    lines: Sequence[Line] = (),
) -> Summary:
    """Gives frames of a source other captions, and finds the names in them."""
    before = {frame.id: frame.caption for frame in project.frames([one.frame for one in texts])}
    changed = [one for one in texts if before[one.frame] != one.moment.written or one.given is not None]
    progress("names", 0, 1)
    called = Names(project.names(), project.log().original.values())
    captions, merges, speakers = renamed(changed, cast, called, lines)
    spoken = {source.id: _spoken(project, source, lines, speakers)} if source.kind == "video" else {}
    project.recaption(captions, merges, spoken)
    progress("names", 1, 1)
    found = {mention.name for caption in captions for mention in caption.mentions}
    into = {merge.name: merge.into for merge in merges}
    names = tuple(dict.fromkeys(into.get(one, one) for one in sorted(found)))
    frames = [frame for frame in project.frames() if frame.source == source.id]
    empty = sum(not frame.caption for frame in frames)
    told = (*notes, f"captions from {name}")
    return Summary(names=names, captions=len(changed), uncaptioned=empty if source.kind == "pictures" else 0, notes=told)


def _spoken(
    project: Project, source: Source, lines: Sequence[Line], speakers: Sequence[Sequence[str]]
) -> dict[int, list[tuple[str, float]]]:
    """By track, for whose lines its mouth speaks, as far as the cache still shows the mouths."""
    finder = Finder(None, str(project.fact("embedder")))
    work = working(project.cache, Held, silent, lambda: False, finder)
    tracked = known_tracks(work, Path(source.path), source.content)
    if tracked is None:
        return {}
    number = {(one.start, one.boxes[:1]): one.id for one in project.tracks(source.id)}
    seen = [number.get((one.start, one.boxes[:1])) for one in tracked.records()]
    said = speaking(tracked, lines, speakers)
    return {track: said[k] for k, track in enumerate(seen) if track is not None and k in said}
