"""Opens a project's folder: makes a new one, or examines what is there and saves what can be saved."""

from __future__ import annotations

from pathlib import Path

from core.errors import BadInput
from core.store.files import check_links
from core.store.recovery import salvage
from core.store.tables import project_table
from core.store.tables.database import FILE, Damaged, Database


def create_folder(folder: Path) -> Database:
    """An empty database in a folder which must not hold anything yet."""
    try:
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise BadInput(f"{folder}: there is something here already; choose a new folder for the project")
        folder.mkdir(parents=True, exist_ok=True)
        folder.chmod(0o700)  # faces are nobody else's business
    except OSError as error:
        raise BadInput(f"{folder}: cannot be made ({error.strerror}); choose another place") from error
    return Database(folder)


def open_folder(folder: Path) -> Database:
    """The database in a folder; of a damaged one what can be saved, to be read and not written."""
    if not (folder / FILE).is_file():
        what = "this is no project" if folder.exists() else "there is no such folder"
        raise BadInput(f"{folder}: {what}; make one with `rollcall ingest --project`")
    check_links(folder)
    try:
        database = _sound(folder)
    except Damaged:
        database = Database(folder, salvage(folder / FILE))
    if not project_table.exists(database):
        database.close()
        raise BadInput(f"{folder}: the project was never finished being made; remove the folder and make it again")
    return database


def sweep_unfinished(folder: Path) -> None:
    """Removes what is left of a project whose making was cut short, before there was anything in it."""
    if not folder.is_dir() or any(not path.name.startswith(FILE) for path in folder.iterdir()):
        return
    if (folder / FILE).is_file():
        database = Database(folder)
        try:
            if project_table.exists(database):
                return
        finally:
            database.close()
    for path in folder.iterdir():
        path.unlink()


def _sound(folder: Path) -> Database:
    database = Database(folder)
    try:
        database.examine()
    except BaseException:
        database.close()
        raise
    return database
