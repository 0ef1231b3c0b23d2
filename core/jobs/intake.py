"""What a person gives for a new project: files sorted into film, pictures, problem and captions, made a request, checked.

Everything that can be told at once is told at once; what takes long (shots, faces, names) is left to ``ingest``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path, PurePosixPath
from typing import Literal

from core.errors import BadInput, shown
from core.formats.read.labels import read_labels
from core.formats.read.picasa import FILE as PICASA
from core.jobs.requests import IngestPictures, IngestProblem, IngestVideo

VIDEOS = frozenset(
    {".mp4", ".m4v", ".mkv", ".mov", ".avi", ".webm", ".mpg", ".mpeg", ".ts", ".m2ts", ".wmv", ".flv", ".ogv"}
)
TABLES = frozenset({".csv", ".json", ".xml"})  # of captions or of labels
PROBLEMS = frozenset({".npz", ".mat"})
MAINS = ("video", "picture", "zip", "problem")
NOTES = (".xmp", *PICASA)  # how files end that say something of the pictures beside them
TOLD = 3  # files left out that are named
EXAMPLE = "give a video with its captions, pictures with a captions table, or a problem file"

Kind = Literal["video", "pictures", "problem"]
Way = Literal["caption", "shot", "every"]
Offer = IngestVideo | IngestPictures | IngestProblem  # what the app's form can ask for


@dataclass(frozen=True)
class Sorted:
    """File names by what they are."""

    kind: Kind
    main: tuple[str, ...]  # several only where they are pictures, with what lies beside them
    captions: str | None
    left: tuple[str, ...] = ()  # of a dropped folder, what is of no use

    @property
    def several(self) -> bool:
        return self.kind == "pictures" and not self.main[0].lower().endswith(".zip")

    def left_out(self) -> str:
        """What is of no use, in a sentence; "" if all is."""
        if not self.left:
            return ""
        more = len(self.left) - TOLD
        named = ", ".join(PurePosixPath(name).name for name in self.left[:TOLD]) + (f" and {more} more" if more > 0 else "")
        return f"left out, as {'it is' if len(self.left) == 1 else 'they are'} of another kind: {named}"


def sort_out(names: Sequence[str]) -> Sorted:
    """Tells by their names what the files are; refuses what does not belong together.

    Files of a folder that was dropped bear its name. One of pictures is taken as the folder itself would be: the tables
    and notes in it are found there, and other files do not matter.
    """
    found: dict[str, list[str]] = {kind: [] for kind in (*MAINS, "captions", "table", "notes", "")}
    for name in names:
        found[_kind(name)].append(name)
    strange = next((name for name in found[""] if "/" not in name), None)
    if strange is not None:
        raise BadInput(f"{shown(strange)}: this kind of file is not known here; {EXAMPLE}")
    if all("/" in name for name in names) and len(found["picture"]) > len(found["video"]):
        used, captions = [*found["picture"], *found["table"], *found["notes"]], None
        main = "picture"
    else:
        main, captions = _matched(found)
        used = found[main] + (found["notes"] if main == "picture" else [])
    kind: Kind = "video" if main == "video" else "problem" if main == "problem" else "pictures"
    return Sorted(kind, tuple(used), captions, tuple(name for name in names if name not in {*used, captions}))


def _matched(found: dict[str, list[str]]) -> tuple[str, str | None]:
    """The kind of what is to come in and its captions, if one belongs to the other."""
    mains = [kind for kind in MAINS if found[kind]]
    captions = found["captions"] + found["table"]
    if not mains:
        only = "captions alone are not enough" if captions else "there is nothing here yet"
        raise BadInput(f"{only}; {EXAMPLE}")
    if len(mains) > 1:
        raise BadInput(f"{found[mains[0]][0]} and {found[mains[1]][0]} do not go together; make one project of each")
    main = mains[0]
    if main != "picture" and len(found[main]) > 1:
        raise BadInput(f"{found[main][0]} and {found[main][1]} are two; give one at a time, more can be added later")
    if len(captions) > 1:
        raise BadInput(f"{captions[0]} and {captions[1]} are both captions; give one of them")
    if captions and main == "problem":
        raise BadInput(f"{captions[0]}: a problem file holds its names itself; leave the captions out")
    return main, captions[0] if captions else None


def _kind(name: str) -> str:
    """What a file is by its name; "" where that is not known."""
    from core.media.captions import sources
    from core.media.pictures import SUFFIXES

    path = PurePosixPath(name.replace("\\", "/").lower())
    kinds = {"video": VIDEOS, "problem": PROBLEMS, "table": TABLES, "captions": sources.SUFFIXES, "zip": {".zip"}}
    known = (kind for kind, suffixes in (kinds | {"picture": SUFFIXES}).items() if path.suffix in suffixes)
    return next(known, "notes" if path.name.endswith(NOTES) else "")


def offered(
    kind: Kind, main: Path, captions: Path | None = None, cast: Path | None = None, people: Path | None = None
) -> Offer:
    """The request to take it in. ``main`` is the film, the folder or zip of pictures, or the problem file."""
    labels = captions if captions is not None and _are_labels(captions) else None
    captions = None if labels else captions
    if kind == "video":
        return IngestVideo(main, captions, cast, people, labels=labels)
    if kind == "pictures":
        return IngestPictures(main, captions, cast, people, labels=labels)
    given = next((path for path in (captions, cast, people) if path), None)
    if given is not None:
        raise BadInput(f"{given}: a problem file holds its names itself; leave this out")
    return IngestProblem(main)


def _are_labels(path: Path) -> bool:
    """Whether a table given as captions holds boxes with names instead."""
    suffix = path.suffix.lower()
    if suffix not in TABLES or not path.is_file():
        return False
    try:
        return bool(read_labels(path).boxes)
    except BadInput:
        return suffix == ".xml"  # which holds nothing else that could be used


def check_labels(path: Path) -> None:
    """Refuses a label file that cannot be used."""
    read_labels(path)


def on_this_machine(main: str, captions: str = "", cast: str = "", people: str = "") -> Offer:
    """The same for paths that were typed."""

    def path(text: str) -> Path | None:
        return Path(text.strip().strip("\"'")).expanduser().absolute() if text.strip() else None

    place = path(main)
    if place is None:
        raise BadInput(f"no path is given; {EXAMPLE}")
    if not place.exists():
        raise BadInput(f"{place}: there is no such file or folder; check the path")
    kind = "pictures" if place.is_dir() else sort_out([place.name]).kind
    if kind == "pictures" and place.is_file() and place.suffix.lower() != ".zip":
        raise BadInput(f"{place}: this is one picture; give the folder that it lies in")
    return offered(kind, place, path(captions), path(cast), path(people))


def with_choices(
    offer: Offer, who: str, way: Way, seconds: float, window: float, screen: bool = True, speech: bool = False
) -> Offer:
    """The offer with who makes it, how often to look, and whether to read and to listen, where that can be chosen."""
    match offer:
        case IngestVideo():
            every = seconds if way == "every" else None
            shot = way == "shot"
            return replace(offer, who=who, per_shot=shot, every=every, window=window, screen=screen, speech=speech)
        case IngestPictures():
            return replace(offer, who=who)
        case IngestProblem():
            return offer


def can_listen() -> bool:
    """Whether what listens is installed."""
    from core.media.speech.whisper import is_installed

    return is_installed()


def paths(offer: Offer) -> list[Path]:
    """All files and folders that the offer names."""
    values = (getattr(offer, field.name) for field in fields(offer))
    return [value for value in values if isinstance(value, Path)]


def check(offer: Offer) -> None:
    """Refuses in one sentence what cannot be used, as far as that can be told in a moment."""
    from core.formats import read_problem
    from core.media.captions.sources import read_captions
    from core.media.captions.tables import read_table
    from core.media.names.cast import read_cast
    from core.media.people import references
    from core.media.pictures import shelf
    from core.media.speech.whisper import NOT_INSTALLED, is_installed
    from core.media.video.reader import probe
    from core.media.video.sampling import Sampling

    if isinstance(offer, IngestProblem):
        read_problem(offer.problem)
        return
    if isinstance(offer, IngestVideo) and offer.every is not None:
        Sampling.each(offer.every)
    if offer.captions:
        read_captions(offer.captions) if isinstance(offer, IngestVideo) else read_table(offer.captions)
    if offer.labels:
        read_labels(offer.labels)
    if offer.cast:
        read_cast(offer.cast)
    if offer.people:
        references(offer.people)[0].close()
    if isinstance(offer, IngestVideo):
        if offer.speech and offer.model is None and not is_installed():
            raise BadInput(NOT_INSTALLED)
        probe(offer.video)
        return
    pictures = shelf(offer.images)
    pictures.close()
    if not pictures.pictures:
        raise BadInput(f"{offer.images}: there is no picture in it; give another folder or zip")


def title_for(names: Sequence[str]) -> str:
    """What a project of these files, or of the folder around them, may be called as long as nobody says otherwise."""
    from core.media.pictures import wrapping

    around = wrapping(names).rstrip("/")
    if len(names) != 1 and not around:
        return "Pictures"
    last = PurePosixPath(names[0].replace("\\", "/"))
    name = around if len(names) != 1 else last.stem if _kind(last.name) else last.name
    text = " ".join(re.split(r"[\s_.-]+", name)).strip()
    return text[:1].upper() + text[1:] or "Project"
