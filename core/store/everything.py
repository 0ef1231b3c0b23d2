"""A whole project as one JSON file, from which the same project can be made again without loss.

``{"rollcall": 1, "tables": {"face": {"columns": [...], "rows": [...]}, ...}, "files": {"embeddings.f32": "base64", ...}}``
"""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

from core.errors import BadInput, shown
from core.formats import whole_file
from core.store import files
from core.store.decisions.log import KINDS
from core.store.opening import create_folder
from core.store.tables import face_table, project_table, schema
from core.store.tables.database import Database, IntegrityError, count

FORMAT = 1
KEPT = re.compile(rf"{files.EMBEDDINGS}|(?:{files.CROPS}|{files.FRAMES})/\d{{4,}}/\d{{7,}}\.jpg|{files.RUNS}/\d{{6,}}\.npz")
SINCE = ("track", "evidence", "assignment", "line")  # tables that older exports do not have
LARGEST = 4 << 30  # bytes of a file that is read


def write(database: Database, folder: Path, path: Path) -> None:
    """Writes all of the project in ``folder`` to ``path``, whole or not at all."""

    def all_of_it(file: BinaryIO) -> None:
        file.write(f'{{"rollcall": {FORMAT},\n"tables": '.encode())
        file.write(json.dumps({table: _table(database, table) for table in schema.TABLES}, ensure_ascii=False).encode())
        file.write(b',\n"files": {')
        for place, (name, found) in enumerate(_files(folder)):
            file.write(b",\n" if place else b"\n")
            file.write(json.dumps(name).encode() + b': "' + base64.b64encode(found.read_bytes()) + b'"')
        file.write(b"}}\n")

    whole_file(path, all_of_it)


def _table(database: Database, table: str) -> dict[str, Any]:
    columns = schema.tables()[table].names
    rows = database.rows(f"SELECT {', '.join(columns)} FROM {table} ORDER BY 1, 2")
    return {"columns": columns, "rows": rows}


def _files(folder: Path) -> Iterator[tuple[str, Path]]:
    for found in sorted(folder.rglob("*")):
        name = found.relative_to(folder).as_posix()
        if KEPT.fullmatch(name) and found.is_file() and not found.is_symlink():
            yield name, found


def read(path: Path, folder: Path) -> None:
    """Makes the project that ``path`` holds in ``folder``, whole or not at all."""
    content = _content(path)
    try:
        database = create_folder(folder)
        try:
            with database.transaction():
                for table in schema.TABLES:
                    _fill(database, table, content["tables"].get(table))
                _check(database)
            for name, text in content["files"].items():
                _unpack(folder, name, text)
            _check_files(database, folder)
        except BaseException:
            database.close()
            files.erase(folder)
            raise
        database.close()
    except BadInput as error:
        raise BadInput(f"{path}: {error}") from error


def _content(path: Path) -> dict[str, Any]:
    try:
        if path.stat().st_size > LARGEST:
            raise BadInput(
                f"{path}: is larger than {LARGEST >> 30} GB, which cannot be read; copy the project's folder instead"
            )
        content = json.loads(path.read_bytes())
    except OSError as error:
        raise BadInput(f"{path}: cannot be read ({error.strerror}); check the path") from error
    except (ValueError, RecursionError) as error:
        raise BadInput(f"{path}: this is not JSON, or it was cut short; export the project again") from error
    if not isinstance(content, dict) or "rollcall" not in content:
        raise BadInput(f"{path}: this is no export of a Rollcall project; write one with `export --format json`")
    if content["rollcall"] != FORMAT:
        raise BadInput(f"{path}: was written by a newer Rollcall; update Rollcall to read it")
    if not isinstance(content.get("tables"), dict) or not isinstance(content.get("files"), dict):
        raise BadInput(f"{path}: lacks its tables or files; export the project again")
    return content


def _fill(database: Database, table: str, given: Any) -> None:
    """One table, column by column as it was written; what does not fit is refused."""
    columns = schema.tables()[table].columns
    if given is None and table in SINCE:
        return
    known = given.get("columns") if isinstance(given, dict) else None
    lacking = columns[len(known) :] if isinstance(known, list) else ()  # an older version had fewer
    if (
        known != [column.name for column in columns[: len(columns) - len(lacking)]]
        or any(column.default is None for column in lacking)
        or not isinstance(given.get("rows"), list)
    ):
        raise BadInput(f"the table {table} is missing or has other columns; export the project again")
    kinds = [column.types for column in columns[: len(known)]]
    for row in given["rows"]:
        if not isinstance(row, list) or len(row) != len(known) or not all(map(isinstance, row, kinds)):
            raise BadInput(f"the table {table} has a row that cannot be used; export the project again")
    try:
        marks = ", ".join("?" * len(known))
        database.many(f"INSERT INTO {table} ({', '.join(known)}) VALUES ({marks})", given["rows"])
    except (IntegrityError, OverflowError, ValueError) as error:
        raise BadInput(f"the table {table} has rows that contradict others ({error}); export the project again") from error


def _check(database: Database) -> None:
    """Refuses what would only be noticed later."""
    if count(database, "project") != 1:
        raise BadInput("the table project must have one row; export the project again")
    for kind, replaces in database.rows("SELECT kind, replaces FROM decision"):
        if kind not in KINDS or not _texts(replaces):
            raise BadInput(f"the log holds a decision {shown(str(kind))} that cannot be used; export the project again")
    for (summary,) in database.rows("SELECT summary FROM source"):
        if not isinstance(_parsed(summary), dict):
            raise BadInput("a source's summary cannot be used; export the project again")
    for (boxes,) in database.rows("SELECT boxes FROM track"):
        if not _boxes(boxes):
            raise BadInput("a track's places cannot be used; export the project again")
    for (spans,) in database.rows("SELECT spans FROM mention"):
        if not _pairs(spans):
            raise BadInput("a mention's place in its caption cannot be used; export the project again")


def _check_files(database: Database, folder: Path) -> None:
    size = face_table.end(database) * int(project_table.fact(database, "dimension")) * 4
    embeddings = folder / files.EMBEDDINGS
    if size > (embeddings.stat().st_size if embeddings.exists() else 0):
        raise BadInput("some faces' embeddings are missing; export the project again")


def _texts(text: Any) -> bool:
    value = _parsed(text)
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _pairs(text: Any) -> bool:
    value = _parsed(text)
    return isinstance(value, list) and all(
        isinstance(pair, list) and len(pair) == 2 and all(type(place) is int for place in pair) for pair in value
    )


def _boxes(text: Any) -> bool:
    value = _parsed(text)
    return isinstance(value, list) and all(
        isinstance(row, list) and len(row) == 5 and all(type(number) in (int, float) for number in row) for row in value
    )


def _parsed(text: Any) -> Any:
    try:
        return json.loads(text)
    except (ValueError, TypeError, RecursionError):
        return None


def _unpack(folder: Path, name: str, text: Any) -> None:
    if not KEPT.fullmatch(name):  # nothing is ever written outside the project
        raise BadInput(f"the file {shown(name)} has no place in a project; export the project again")
    try:
        files.write_file(folder / name, base64.b64decode(text, validate=True))
    except (TypeError, ValueError, binascii.Error) as error:
        raise BadInput(f"the file {shown(name)} is damaged; export the project again") from error
    except OSError as error:
        raise BadInput(f"the file {shown(name)} cannot be written ({error.strerror}); free some space") from error
