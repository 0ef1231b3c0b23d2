"""Looks at pictures or reference photos that were given, and plans the frames that come of them.

A picture is known by its content: one that the project has is not added again, but may get another caption.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from core.errors import BadInput
from core.formats.read.picture_tags import PictureTags
from core.media.found import Notes, Table, folder_person, spelt_as
from core.media.gathering import Gathered, Held, Recaption, Work
from core.media.looking import View, look
from core.media.people import references
from core.media.pictures import Shelf, Unreadable, decode, leads_out, shelf, wrapping
from core.media.prepare import Moment, Part
from core.media.tagged import Said, answers, boxes_to_add, with_boxes
from core.records import Frame, NewSource

NO_TAGS = PictureTags()
FEW = 3  # troubles told in full


@dataclass(frozen=True)
class _Photo:
    """A picture that is to be looked at: ``path`` as people know it, ``file`` as it is spelt on the shelf."""

    path: str
    file: str | None
    caption: str
    given: tuple[str, ...] | None = None
    folder: str = ""  # whom its folder is called after


@dataclass
class _Read:
    """What was read of the pictures, by path."""

    contents: dict[str, str] = field(default_factory=dict)
    tags: dict[str, PictureTags] = field(default_factory=dict)
    skipped: dict[str, str] = field(default_factory=dict)
    known: dict[str, Sequence[Frame]] = field(default_factory=dict)  # the project has them


def gather_pictures(work: Work, images: Path, table: Table | None, folders: bool = False) -> Gathered:
    """All pictures, with the captions that a table or, where there is none, their own notes give them.

    ``folders``: the folders around them are called after the people on them.
    """
    photos = shelf(images)
    try:
        wanted = _wanted(images, photos, table, folders)
        if not wanted:
            raise BadInput(f"{images}: there are no pictures in it; give a folder or zip of JPEG or PNG files")
        described = table is None or not table.rows
        return _gather(work, images, photos, wanted, Notes(photos), described)
    finally:
        photos.close()


def gather_people(work: Work, people: Path) -> Gathered:
    """Reference photos; each one's caption is the name of the person on it."""
    photos, found = references(people)
    try:
        wanted = [_Photo(photo.path, photo.path, photo.name, (photo.name,)) for photo in found]
        gathered = _gather(work, people, photos, wanted, None, described=False)
    finally:
        photos.close()
    faceless = [moment for moment in gathered.part.moments if not work.cache.faces(moment.content)]
    kept = [moment for moment in gathered.part.moments if moment not in faceless]
    skipped = (*gathered.skipped, *((moment.path, "no face was found on it") for moment in faceless))
    return Gathered(Part(gathered.part.source, kept, reference=True), skipped, gathered.there, stopped=gathered.stopped)


def _wanted(images: Path, photos: Shelf, table: Table | None, folders: bool) -> list[_Photo]:
    """Those that the table lists, in its order, and then all others."""
    rows = table.rows if table else ()
    spelt = spelt_as(images, photos, rows)
    there = [row for row in rows if spelt[row.image] is not None]
    listed = set(spelt.values())
    wrap = wrapping(photos.files) if any(spelt[row.image] != row.image for row in there) else ""
    others = [path for path in photos.pictures if path not in listed]

    def person(path: str | None) -> str:
        return folder_person(path) if folders and path else ""

    wanted = [_Photo(row.image, spelt[row.image], row.caption, row.names, person(spelt[row.image])) for row in rows]
    return wanted + [_Photo(path.removeprefix(wrap), path, "", None, person(path)) for path in others]


def _gather(
    work: Work, images: Path, photos: Shelf, wanted: Sequence[_Photo], notes: Notes | None, described: bool
) -> Gathered:
    place = str(images.absolute())
    read = _Read()
    views = _views(work, photos, wanted, notes, read, _known(work.held(), place, reference=notes is None))
    finished = look(work.finder, work.cache, views, len(wanted), work.progress, work.stop)
    moments, said = [], list[Said]()
    troubles = [f"{path}: {trouble}" for path, tags in read.tags.items() for trouble in tags.troubles]
    for photo in wanted:
        content = read.contents.get(photo.path)
        if content is None or not work.cache.has(content):
            continue
        tags = read.tags.get(photo.path, NO_TAGS)
        key = _marked(work, photos, photo, content, tags, troubles)
        said += answers(photo.path, work.cache.get(key), tags) if tags.faces else []
        named = tuple(dict.fromkeys([*tags.names, *([photo.folder] if photo.folder else [])]))
        caption = photo.caption or (tags.caption if described else "")
        moments.append(Moment(key, caption, photo.given, path=photo.path, picture=content, named=named))
    whole = hashlib.sha256("\n".join(sorted(moment.picture for moment in moments)).encode()).hexdigest()
    source = NewSource("pictures", place, images.name or place, whole)
    return Gathered(
        Part(source, moments, said=said),
        tuple(read.skipped.items()),
        there=len(read.known),
        uncaptioned=sum(not moment.caption and moment.given is None for moment in moments),
        stopped=not finished,
        captions=tuple(_recaptions(wanted, read.known)),
        notes=(*_told(troubles), *_told(notes.troubles if notes else ())),
    )


def _known(held: Held, place: str, reference: bool) -> Callable[[_Photo, str], Sequence[Frame]]:
    """What tells the frames of the project that show a picture of some content."""
    pictures = held.of(lambda source: source.kind == "pictures")
    by_content: dict[str, list[Frame]] = {}
    for frame in pictures:
        if frame.content:
            by_content.setdefault(frame.content, []).append(frame)
    same = held.of(lambda source: source.kind == "pictures" and source.path == place)
    earlier = {frame.path: [frame] for frame in same if not frame.content}  # added by a version that did not note contents

    def frames(photo: _Photo, content: str) -> Sequence[Frame]:
        found = by_content.get(content) or earlier.get(photo.path, [])
        return [frame for frame in found if frame.caption == photo.caption] if reference else found

    return frames


def _views(
    work: Work,
    photos: Shelf,
    wanted: Sequence[_Photo],
    notes: Notes | None,
    read: _Read,
    known: Callable[[_Photo, str], Sequence[Frame]],
) -> Iterator[View]:
    """The pictures that are new, one after the other; what cannot be used goes into ``skipped``."""
    for photo in wanted:
        try:
            if leads_out(photo.path):
                raise Unreadable("it lies outside of the folder")
            if photo.file is None:
                raise Unreadable("it is not there")
            data = photos.read(photo.file)
            content = hashlib.sha256(data).hexdigest()
            frames = known(photo, content)
            if frames:
                read.known[photo.path] = frames
                continue
            pixels = None if work.cache.has(content) else decode(data)
        except Unreadable as error:
            read.skipped[photo.path] = str(error)
            continue
        if notes is not None:
            read.tags[photo.path] = notes.of(photo.file, data)
        read.contents[photo.path] = content
        yield View(content, pixels)


def _marked(work: Work, photos: Shelf, photo: _Photo, content: str, tags: PictureTags, troubles: list[str]) -> str:
    """Where the cache has what was seen in a picture together with the marked faces that the detector did not find."""
    if not tags.faces or photo.file is None:
        return content
    seen = work.cache.get(content)
    boxes, odd = boxes_to_add(seen, tags)
    troubles += [
        f"{photo.path}: the face region of {face.name or 'nobody'} is too large or too small for a face" for face in odd
    ]
    if not boxes:
        return content
    places = ";".join(f"{box.left:.1f},{box.top:.1f},{box.right:.1f},{box.bottom:.1f}" for box in boxes)
    key = f"{content}+{places}"
    if not work.cache.has(key):
        pixels = decode(photos.read(photo.file))
        work.cache.put([(key, with_boxes(work.finder, seen, pixels, boxes))])
    return key


def _recaptions(wanted: Sequence[_Photo], known: Mapping[str, Sequence[Frame]]) -> Iterator[Recaption]:
    """Captions that a table gives to pictures of the project, where they are others than they have."""
    for photo in wanted:
        if photo.caption or photo.given:
            for frame in known.get(photo.path, ()):
                if frame.caption != photo.caption:
                    yield Recaption(frame.id, photo.caption, photo.given)


def _told(troubles: Sequence[str]) -> list[str]:
    more = [f"and {len(troubles) - FEW} more like these"] if len(troubles) > FEW else []
    return [*troubles[:FEW], *more]
