"""Finds a video or a folder of pictures again that was moved since it was taken in."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from core.errors import BadInput
from core.records import Source
from core.store import files

if TYPE_CHECKING:
    from core.project import Project

LOOKED_AT = 2000  # files looked at in one folder at the most


def find(project: Project, source: Source) -> Path:
    """Where the source lies now. One that was moved is known by its content; its new place is remembered."""
    path = Path(source.path)
    if path.is_absolute() and path.exists():
        return path
    if source.kind == "video" and source.content:
        near = [project.folder / files.UPLOADS, path.parent, project.folder, project.folder.parent, path.parent.parent]
        for folder in dict.fromkeys(near):
            found = _same_content(folder, source)
            if found is not None:
                _remember(project, source.id, found)
                return found
    raise BadInput(f"{path}: is no longer there; say where {source.title} lies now, or put it back")


def to_play(project: Project, source: Source) -> Path:
    """Where a film lies, only if it is the one that was taken in: a project may come from somebody else, and what it names
    must not be handed out to whoever looks at it."""
    path = find(project, source)
    about = path.stat()
    if source.kind != "video" or not source.content or _key(path, about.st_mtime_ns, about.st_size) != source.content:
        raise BadInput(f"{path}: is not the file that was taken in; say where {source.title} lies now")
    return path


@lru_cache(maxsize=64)
def _key(path: Path, changed: int, size: int) -> str:
    return _content(path)


def relocate(project: Project, number: int, path: Path) -> None:
    """Takes a person's word on where a source lies, if it is the same file."""
    source = next((source for source in project.sources() if source.id == number), None)
    if source is None:
        raise BadInput(f"{project.folder}: there is no source {number}; reload the project")
    path = path.expanduser().absolute()
    if not path.exists():
        raise BadInput(f"{path}: there is no such file; check the path")
    if source.kind == "video" and source.content and (not path.is_file() or _content(path) != source.content):
        raise BadInput(f"{path}: this is not the video that the project was made from; choose {source.title}")
    _remember(project, number, path)


def _same_content(folder: Path, source: Source) -> Path | None:
    suffix = Path(source.path).suffix.lower()
    try:
        near = [path for path in sorted(folder.iterdir())[:LOOKED_AT] if path.suffix.lower() == suffix and path.is_file()]
    except OSError:
        return None
    near.sort(key=lambda path: path.name != source.title)  # it usually kept its name
    return next((path for path in near if _content(path) == source.content), None)


def _content(path: Path) -> str:
    from core.media.video import content_key

    return content_key(path)


def _remember(project: Project, number: int, path: Path) -> None:
    project.database.run("UPDATE source SET path = ? WHERE id = ?", (str(path), number))
