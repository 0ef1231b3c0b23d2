"""What a person gives for a new project: files sorted into film, pictures, problem and captions, checked, put in place.

Everything that can be told at once is told at once; what takes long (shots, faces, names) is left to ``ingest``.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Literal

from core.errors import BadInput, shown
from core.project import Project

VIDEOS = frozenset(
    {".mp4", ".m4v", ".mkv", ".mov", ".avi", ".webm", ".mpg", ".mpeg", ".ts", ".m2ts", ".wmv", ".flv", ".ogv"}
)
SUBTITLES = frozenset({".srt", ".vtt", ".ass", ".ssa", ".txt"})
TABLES = frozenset({".csv", ".json"})
PROBLEMS = frozenset({".npz", ".mat"})
LONGEST = 120  # characters of a file's name
EXAMPLE = "give a video with its captions, pictures with a captions table, or a problem file"

Kind = Literal["video", "pictures", "problem"]


@dataclass(frozen=True)
class Offer:
    """What a project is to be made from. ``main`` is the film, the folder or zip of pictures, or the problem file."""

    kind: Kind
    main: Path
    captions: Path | None = None
    cast: Path | None = None
    people: Path | None = None  # folder or zip of reference photos
    per_shot: bool = False
    every: float | None = None
    window: float | None = None

    def words(self, project: Project, who: str) -> list[str]:
        """The command line that takes it into a project."""
        words = ["ingest", "--project", str(project.folder)]
        words += [{"video": "--video", "pictures": "--images", "problem": "--problem"}[self.kind], str(self.main)]
        for option in ("captions", "cast", "people"):
            path = getattr(self, option)
            words += [f"--{option}", str(path)] if path is not None else []
        if self.kind == "video":
            words += ["--per-shot"] if self.per_shot else []
            words += ["--every", f"{self.every:g}"] if self.every is not None else []
            words += ["--window", f"{self.window:g}"] if self.window is not None else []
        return words if self.kind == "problem" else [*words, "--as", who]


@dataclass(frozen=True)
class Sorted:
    """File names by what they are."""

    kind: Kind
    main: tuple[str, ...]  # several only where they are pictures
    captions: str | None


def sort_out(names: Sequence[str]) -> Sorted:
    """Tells by their names what the files are; refuses what does not belong together."""
    found: dict[str, list[str]] = {"video": [], "picture": [], "zip": [], "problem": [], "captions": []}
    for name in names:
        found[_kind(name)].append(name)
    mains = [kind for kind in ("video", "picture", "zip", "problem") if found[kind]]
    if not mains:
        only = "captions alone are not enough" if names else "there is nothing here yet"
        raise BadInput(f"{only}; {EXAMPLE}")
    if len(mains) > 1:
        raise BadInput(f"{found[mains[0]][0]} and {found[mains[1]][0]} do not go together; make one project of each")
    main, captions = mains[0], found["captions"]
    if main != "picture" and len(found[main]) > 1:
        raise BadInput(f"{found[main][0]} and {found[main][1]} are two; give one at a time, more can be added later")
    if len(captions) > 1:
        raise BadInput(f"{captions[0]} and {captions[1]} are both captions; give one of them")
    if captions and main == "problem":
        raise BadInput(f"{captions[0]}: a problem file holds its names itself; leave the captions out")
    kind: Kind = "video" if main == "video" else "problem" if main == "problem" else "pictures"
    return Sorted(kind, tuple(found[main]), captions[0] if captions else None)


def _kind(name: str) -> str:
    from core.media.pictures import SUFFIXES

    suffix = PurePosixPath(name.replace("\\", "/")).suffix.lower()
    for kind, suffixes in (("video", VIDEOS), ("problem", PROBLEMS), ("captions", SUBTITLES | TABLES), ("zip", {".zip"})):
        if suffix in suffixes:
            return kind
    if suffix in SUFFIXES:
        return "picture"
    raise BadInput(f"{shown(name)}: this kind of file is not known here; {EXAMPLE}")


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
    return Offer(kind, place, path(captions), path(cast), path(people))


def check(offer: Offer) -> None:
    """Refuses in one sentence what cannot be used, as far as that can be told in a moment."""
    from core.media.captions import read_captions
    from core.media.cast import read_cast
    from core.media.people import references
    from core.media.pictures import shelf
    from core.media.sampling import Sampling
    from core.media.tables import read_table
    from core.media.video import probe

    if offer.every is not None:
        Sampling.each(offer.every)
    if offer.kind == "problem":
        from core.problem import Problem

        given = next((path for path in (offer.captions, offer.cast, offer.people) if path), None)
        if given is not None:
            raise BadInput(f"{given}: a problem file holds its names itself; leave this out")
        Problem.read(offer.main)
        return
    if offer.captions:
        read_captions(offer.captions) if offer.kind == "video" else read_table(offer.captions)
    if offer.cast:
        read_cast(offer.cast)
    if offer.people:
        references(offer.people)[0].close()
    if offer.kind == "video":
        probe(offer.main)
        return
    pictures = shelf(offer.main)
    pictures.close()
    if not pictures.pictures:
        raise BadInput(f"{offer.main}: there is no picture in it; give another folder or zip")


def in_short(message: str, *folders: Path) -> str:
    """A message without the folders in front of file names that people know by their names alone."""
    for folder in folders:
        message = re.sub(rf"{re.escape(str(folder))}/(?:\d+/)?", "", message)  # uploads lie in numbered folders
    return message


# --- Into the project's folder -----------------------------------------------------------------------------------------


def safe_path(name: str) -> PurePosixPath:
    """A file's name as it came from a browser, perhaps with folders, without any way out of the place it is put in.

    >>> str(safe_path("../../etc/passwd")), str(safe_path("C:\\\\My films\\\\film.mp4")), str(safe_path(".hidden"))
    ('etc/passwd', 'C_/My films/film.mp4', 'hidden')
    """
    parts = [_safe(part) for part in name.replace("\\", "/").split("/") if part.strip(". ")]
    return PurePosixPath(*parts) if parts else PurePosixPath("file")


def _safe(part: str) -> str:
    text = unicodedata.normalize("NFC", part)
    text = "".join("_" if unicodedata.category(c)[0] == "C" or c in '<>:"|?*' else c for c in text).strip(". ")
    stem, dot, suffix = text.rpartition(".")
    kept = stem[: LONGEST - len(suffix)] + dot + suffix if dot and len(suffix) < 10 else text[:LONGEST]
    while len(kept.encode()) > 240:  # what file systems take
        kept = kept[1:]
    return kept or "file"


def put(folder: Path, name: str, content: bytes | memoryview) -> Path:
    """Writes an uploaded file into ``folder``; one of the same name there gets a sibling."""
    first = path = folder / safe_path(name)
    number = 2
    while path.exists():
        path, number = first.with_name(f"{first.stem} {number}{first.suffix}"), number + 1
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    except OSError as error:
        raise BadInput(f"{name}: cannot be kept ({error.strerror}); free some space or name its path instead") from error
    return path


def new_folder(projects: Path, title: str) -> Path:
    """A folder for a project of that title, with a name that reads well in a URL and that nothing has yet."""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    base = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:40].rstrip("-") or "project"
    name, number = base, 2
    while (projects / name).exists():
        name, number = f"{base}-{number}", number + 1
    return projects / name


def title_for(names: Sequence[str]) -> str:
    """What a project of these files may be called as long as nobody says otherwise."""
    if len(names) != 1:
        return "Pictures"
    text = " ".join(re.split(r"[\s_.-]+", PurePosixPath(names[0].replace("\\", "/")).stem)).strip()
    return text[:1].upper() + text[1:] or "Project"


def with_sampling(offer: Offer, way: Literal["caption", "shot", "every"], seconds: float, window: float) -> Offer:
    """The offer with how often to look, where that can be chosen."""
    if offer.kind != "video":
        return offer
    return replace(
        offer, per_shot=way == "shot", every=seconds if way == "every" else None, window=window if window > 0 else None
    )
