"""Which films an archive is made of: a folder, or a table of films with their captions and casts.

In a folder, films that lie side by side in one of its folders are a series, and become one project; those that lie in the
folder itself become one project each. In a table the column ``project`` says which belong together.
"""

from __future__ import annotations

import csv
import hashlib
import io
import os
import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path

from core.errors import BadInput, shown
from core.jobs.intake import VIDEOS, title_for
from core.media.captions.text import read_text
from core.store.archives.archive import NewFilm

CASTS = ("cast.txt", "cast.csv", "cast.json")  # beside films: whoever plays in them
COLUMNS = ("film", "captions", "cast", "project")
INSTEAD = "give a folder of films, or a CSV with a first line film,captions,cast,project"


def films_of(source: Path, one_each: bool = False) -> list[NewFilm]:
    """The films in a folder or a table. ``one_each``: also films of one folder are projects of their own."""
    source = source.expanduser().absolute()
    if source.is_dir():
        found = list(_in_folder(source, one_each))
    elif source.is_file():
        found = _in_table(source)
    else:
        raise BadInput(f"{source}: there is no such folder or file; {INSTEAD}")
    if not found:
        raise BadInput(f"{source}: there is no film in it; {INSTEAD}")
    return found


def _in_folder(folder: Path, one_each: bool) -> Iterator[NewFilm]:
    for place, inner, files in os.walk(folder):
        inner.sort()
        here = Path(place)
        videos = sorted(name for name in files if Path(name).suffix.lower() in VIDEOS and not name.startswith("."))
        cast = next((here / name for name in CASTS if name in files), None)
        series = str(here.relative_to(folder)) if here != folder and not one_each and videos else ""
        for name in videos:
            path = here / name
            key = series or str(path.relative_to(folder))
            title = title_for([here.name if series else name])
            yield NewFilm(project_name(key, title), title, path, cast=cast)


def _in_table(table: Path) -> list[NewFilm]:
    text = read_text(table, "a table of films", INSTEAD)
    first = text.lstrip("\n").split("\n", 1)[0]
    try:
        rows = list(csv.DictReader(io.StringIO(text.lstrip("\n")), delimiter=max(",;\t", key=first.count), strict=True))
    except csv.Error as error:
        raise BadInput(f"{table}: this is no table that can be read ({error}); {INSTEAD}") from error
    columns = {str(name).strip().strip("\ufeff").lower(): name for name in (rows[0] if rows else {})}
    if "film" not in columns:
        found = ", ".join(shown(name)[:40] for name in columns) or "nothing"
        raise BadInput(f"{table}: the table has no column film (its first line has {found}); {INSTEAD}")
    films: dict[Path, NewFilm] = {}
    for number, row in enumerate(rows, start=2):
        cells = {name: str(row.get(columns[name]) or "").strip() if name in columns else "" for name in COLUMNS}
        if not any(cells.values()):
            continue
        if not cells["film"]:
            raise BadInput(f"{table}: line {number} names no film; fill it in or take the line out")
        path = _beside(table, cells["film"])
        if path in films:
            raise BadInput(f"{table}: line {number} names {shown(cells['film'])} a second time; take one of the lines out")
        key = cells["project"] or cells["film"]
        title = cells["project"] or title_for([path.name])
        captions, cast = (_beside(table, cells[name]) if cells[name] else None for name in ("captions", "cast"))
        films[path] = NewFilm(project_name(key, title), title, path, captions, cast)
    return list(films.values())


def _beside(table: Path, text: str) -> Path:
    """A path as the table gives it, from where the table lies."""
    return Path(os.path.normpath(table.parent / Path(text).expanduser()))


def project_name(key: str, title: str) -> str:
    """The folder of a project: its title as a URL may hold it, and a few letters that no other one has.

    >>> project_name("series/one", "Ein schöner Tag")
    'ein-schoner-tag-e8b1d21a'
    """
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    base = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:40].rstrip("-") or "film"
    return f"{base}-{hashlib.sha256(key.encode(errors='surrogatepass')).hexdigest()[:8]}"
