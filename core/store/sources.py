"""Where a source lies: a video that was moved since it was added is found again by its content."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from core.errors import BadInput
from core.formats.content import content_key
from core.records import NewLine, Source
from core.store import files
from core.store.tables import line_table, source_table
from core.store.tables.database import Database

LOOKED_AT = 2000  # files looked at in one folder at the most


def locate(database: Database, folder: Path, source: Source) -> Path:
    """Where the source lies now. A moved video is looked for near where it was and near the project, and its new place is
    noted."""
    path = Path(source.path)
    if path.is_absolute() and path.exists():
        return path
    if source.kind == "video" and source.content:
        near = [folder / files.UPLOADS, path.parent, folder, folder.parent, path.parent.parent]
        for place in dict.fromkeys(near):
            found = _same_content(place, source)
            if found is not None:
                source_table.set_path(database, source.id, str(found))
                return found
    raise BadInput(f"{path}: is no longer there; say where {source.title} lies now, or put it back")


def locate_to_play(database: Database, folder: Path, source: Source) -> Path:
    """Where a film lies, only if it is the one that was added: a project may come from somebody else, and what it names
    must not be handed out to whoever looks at it."""
    path = locate(database, folder, source)
    about = path.stat()
    if source.kind != "video" or not source.content or _key(path, about.st_mtime_ns, about.st_size) != source.content:
        raise BadInput(f"{path}: is not the file that was added; say where {source.title} lies now")
    return path


@lru_cache(maxsize=64)
def _key(path: Path, changed: int, size: int) -> str:
    return content_key(path)


def relocate(database: Database, number: int, path: Path) -> None:
    """Notes where a person says that a source lies; a video must be the same file."""
    source = next((source for source in source_table.read(database) if source.id == number), None)
    if source is None:
        raise BadInput(f"{database.path.parent}: there is no source {number}; reload the project")
    path = path.expanduser().absolute()
    if not path.exists():
        raise BadInput(f"{path}: there is no such file; check the path")
    if source.kind == "video" and source.content and (not path.is_file() or content_key(path) != source.content):
        raise BadInput(f"{path}: this is not the video that the project was made from; choose {source.title}")
    source_table.set_path(database, number, str(path))


def set_summary(database: Database, number: int, summary: dict[str, object]) -> None:
    """Keeps with a source what came in with it."""
    source_table.set_summary(database, number, json.dumps(summary, ensure_ascii=False))


def set_heard(database: Database, number: int, lines: Sequence[NewLine]) -> None:
    """Keeps what was heard in a source, in place of what was heard before."""
    with database.transaction():
        line_table.remove_source(database, number, ("speech",))
        line_table.insert(database, number, lines, {})


def _same_content(folder: Path, source: Source) -> Path | None:
    suffix = Path(source.path).suffix.lower()
    try:
        near = [path for path in sorted(folder.iterdir())[:LOOKED_AT] if path.suffix.lower() == suffix and path.is_file()]
    except OSError:
        return None
    near.sort(key=lambda path: path.name != source.title)  # it usually kept its name
    return next((path for path in near if content_key(path) == source.content), None)
