"""Takes a video, pictures or a problem file into a project: ``core.media`` finds, ``core.store`` keeps, this joins the two.

Everything of one ingest is added in one transaction, whole or not at all.
"""

from __future__ import annotations

import errno
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path

from core.errors import BadInput
from core.formats import read_problem
from core.formats.content import content_key
from core.formats.read import mpii, mvad
from core.formats.read.boxes import FaceLabels
from core.formats.read.frames import frames_of
from core.formats.read.labels import read_labels
from core.jobs.labels import take_labels
from core.jobs.recaption import given_cast, kept, known_film, of_film, recaption_film, replaced, with_captions_beside
from core.jobs.requests import Ingest, IngestMpii, IngestMvad, IngestPictures, IngestProblem, IngestVideo
from core.media.faces.finder import FaceFinder
from core.media.found import labels_inside
from core.media.ingest import Material, Summary, look_at_pictures, look_at_video, prepared, renamed, working
from core.media.looking import Finder
from core.media.names.cast import read_cast
from core.media.prepare import Names, Part, Prepared
from core.media.speech.listening import DOUBT, Ear, listen
from core.media.speech.whisper import NOT_INSTALLED, is_installed
from core.media.video.sampling import Sampling
from core.media.work import Held, Looking, Work
from core.progress import Progress, silent
from core.records import NewSource, Source
from core.store.project import Change, Project, system_user


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


def never() -> bool:
    return False


def ingest(
    project: Project,
    request: Ingest,
    progress: Progress = silent,
    stop: Callable[[], bool] = never,
    finder: FaceFinder | None = None,
    cache: Path | None = None,
) -> Summary:
    """Does what ``request`` asks for. When ``stop`` says so, what is done by then is added. What was found is kept in the
    project's own ``cache`` unless another folder is named."""
    if isinstance(request, IngestVideo | IngestPictures) and request.labels:
        read_labels(request.labels)  # a bad file is refused before the long work
    match request:
        case IngestProblem():
            return _problem(project, request)
        case IngestMvad() | IngestMpii():
            return _films(project, request)
        case IngestVideo():
            request, notes = with_captions_beside(request)
            known = known_film(project, request)
            check_speech(request)
            if known is not None and request.speech and request.captions is None:
                return _listened(project, known, request, progress, stop)
            if known is not None:
                return _with_labels(project, request, recaption_film(project, known, request, progress), finder)
        case IngestPictures():
            notes = ()
    with _working(project, progress, stop, finder, cache) as work:
        material = _looked_at(work, request)
        summary = _written(
            project,
            work,
            replace(material, notes=[*notes, *material.notes] if material.gathered else []),
            request.who or system_user(),
        )
    return _with_labels(project, request, summary, finder)


def _with_labels(
    project: Project, request: IngestVideo | IngestPictures, summary: Summary, finder: FaceFinder | None
) -> Summary:
    """The summary with what came of label files, given or found among the pictures; a bad one of those is told."""
    found = [(request.labels.name, request.labels)] if request.labels else []
    files: list[tuple[str, Path | FaceLabels]] = list(found)
    notes: list[str] = []
    if isinstance(request, IngestPictures) and not request.labels:
        files, notes = labels_inside(request.images)
    if not files or not project.sources():
        return replace(summary, notes=(*summary.notes, *notes))
    for path, labels in files:
        taken = take_labels(project, labels, request.who or system_user(), finder=finder)
        notes += [f"{path}: {note}" if k == 0 else note for k, note in enumerate(taken.notes())]
    summary = replace(summary, notes=(*summary.notes, *notes))
    if summary.frames:
        project.set_summary(project.sources()[-1].id, kept(summary))
    return summary


def check_speech(request: IngestVideo) -> None:
    """Refuses to listen with what is not there."""
    if request.model is not None and not request.speech:
        raise BadInput("a model that listens goes with --speech; leave it out, or listen")
    if request.speech and request.model is None and not is_installed():
        raise BadInput(NOT_INSTALLED)


def _listened(
    project: Project, source: Source, request: IngestVideo, progress: Progress, stop: Callable[[], bool]
) -> Summary:
    """Listens to a film that is in the project already; what is said becomes its captions."""
    cast = given_cast(request.cast)
    hints = list(cast.people) if cast else project.names()
    with _working(project, progress, stop, None, None) as work:
        given = (work.cache, request.video, source.content, source.duration or 0.0)
        heard = listen(Ear(request.model), *given, hints, progress, stop)
    doubt = (DOUBT,) if heard.doubted and cast else ()
    there = (f"{source.title} is in the project already", *heard.told(), *doubt)
    if not heard.said or not heard.finished:
        return Summary(notes=there, stopped=not heard.finished)
    frames = [frame for frame in project.frames() if frame.source == source.id]
    texts = of_film(frames, heard.lines(), request.window, project.lines(source.id))
    summary = replaced(project, source, texts, "its sound", heard.by(cast), progress, there, heard.lines())
    project.set_heard(source.id, heard.records())
    return summary


def _looked_at(work: Work, request: IngestVideo | IngestPictures) -> Material:
    if isinstance(request, IngestPictures):
        given = (request.images, request.captions, request.cast, request.people)
        return look_at_pictures(work, *given, request.folders)
    every = None if request.every is None else Sampling.each(request.every)
    sampling = every or Sampling("shot" if request.per_shot else "caption")
    how = Looking(sampling, request.window, request.screen, Ear(request.model) if request.speech else None)
    return look_at_video(work, request.video, request.captions, request.cast, request.people, how)


@contextmanager
def _working(
    project: Project, progress: Progress, stop: Callable[[], bool], finder: FaceFinder | None, cache: Path | None
) -> Iterator[Work]:
    """What the steps share; a full disk is told in one sentence."""
    try:
        lazy = Finder(finder, str(project.fact("embedder")))
        yield working(cache or project.cache, lambda: Held(project.sources(), project.frames()), progress, stop, lazy)
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
        raise BadInput(f"{project.folder}: the disk is full, so nothing was added; free some space and try again") from error


def _written(project: Project, work: Work, material: Material, who: str) -> Summary:
    """Adds what was looked at, all of it or nothing. ``who`` gave the reference photos, and so said who is on them."""
    work.finder.rest()
    names = Names(project.names(), project.log().original.values())
    added = prepared(work, material, names)
    again = [caption for one in material.gathered for caption in one.captions]
    if again:
        captions, merges, _ = renamed(again, material.cast, names)
        project.recaption(captions, merges)
    if added is None:
        return replace(material.summary(), captions=len(again))
    # One part is a transaction by itself, and locks other writers out only at its end.
    whole = project.database.transaction() if len(added.parts) > 1 or added.parts[-1].said else nullcontext()
    with whole:
        numbers = _write(project, added, work.finder.embedder, who)
        tagged = sum(_take_over(project, number, part) for number, part in zip(numbers, added.parts, strict=True))
    summary = replace(material.summary(added), captions=len(again), tagged=tagged)
    project.set_summary(numbers[-1], kept(summary))
    return summary


def _write(project: Project, added: Prepared, embedder: str, who: str) -> list[int]:
    """Adds all parts; gives the numbers of their sources."""
    numbers = []
    for part in added.parts:
        merges = added.merges if part is added.parts[-1] else ()
        numbers.append(project.add(added.source(part), added.frames(part), embedder, merges))
        if part.reference:
            _confirm(project, numbers[-1], who)
    return numbers


def _take_over(project: Project, source: int, part: Part) -> int:
    """Names that were in the pictures become decisions of whoever gave them; gives how many."""
    said = {(one.path, one.box): one for one in part.said}
    if not said:
        return 0
    frames = {frame.id: frame.path for frame in project.frames() if frame.source == source}
    by_author: dict[str, list[Change]] = {}
    for face in project.faces():
        one = said.get((frames.get(face.frame, ""), face.box))
        if one is not None:
            change = Change("is", face=face.id, name=one.name) if one.name else Change("nobody", face=face.id)
            by_author.setdefault(one.who, []).append(change)
    for who, changes in by_author.items():
        project.decide(who, *changes)
    return sum(map(len, by_author.values()))


def _confirm(project: Project, source: int, who: str) -> None:
    """Who is on a reference photo is an answer of the person who gave it."""
    frames = [frame.id for frame in project.frames() if frame.source == source]
    names = {frame: mentions[0].name for frame, mentions in project.reader.mentions(frames).items()}
    changes = [Change("is", face=face.id, name=names[face.frame]) for face in project.faces() if face.frame in names]
    if changes:
        project.decide(who, *changes)


# --- What holds its names itself ---------------------------------------------------------------------------------------


def _problem(project: Project, request: IngestProblem) -> Summary:
    """Adds a problem file: a frame for each of its groups, and its faces in their order, with truth where it is known."""
    path = request.problem
    problem = read_problem(path)
    content = content_key(path)
    if any(source.content == content for source in project.sources()):
        return Summary(notes=(f"{path.name} is in the project already",))
    source = NewSource("problem", str(path.absolute()), path.name, content)
    number = project.add(source, frames_of(problem), problem.embedder)
    summary = Summary(problem.groups, problem.faces, problem.names)
    project.set_summary(number, kept(summary))
    return summary


def _films(project: Project, request: IngestMvad | IngestMpii) -> Summary:
    """Adds the films of one of the paper's data sets, each a source of its own."""
    if isinstance(request, IngestMvad):
        films = mvad.read(request.annotations, request.features, request.captions)
    else:
        names = list(read_cast(request.cast).people) if request.cast else []
        films = mpii.read(request.annotations, request.features, request.persons, names)
    for source, frames in films:
        project.add(source, frames, "features")
    return Summary(project.count("frame"), project.count("face"), tuple(project.names()))
