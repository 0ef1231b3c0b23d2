"""An archive: one folder with the projects of many films. The front door of ``core/store/archives``.

folder/archive.sqlite   its films and how far each is: ``states.py``
folder/projects         a project a film or series, each as any other
folder/incoming         what was found in films that are not in their project yet; may be deleted when nothing runs
folder/search           the index of faces: ``search.py``
"""

from __future__ import annotations

import os
import platform
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType

from filelock import FileLock, Timeout

from core.errors import BadInput, shown
from core.store.archives.states import FILE, STATES, Film, NewFilm, ProjectState, State, States, Unusable
from core.store.files import check_links, crop_path

__all__ = ["STATES", "Archive", "Film", "NewFilm", "ProjectState", "State", "Unusable", "is_archive"]

PROJECTS, INCOMING, SEARCH, LOCK, HOLDER = "projects", "incoming", "search", "archive.lock", "archive.holder"


def is_archive(folder: Path) -> bool:
    return (folder / FILE).is_file()


class Archive:
    """Make or open it with ``Archive.at``, look at it with ``Archive.open``."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.states = States(folder)

    @staticmethod
    def at(folder: Path) -> Archive:
        """The archive in a folder, made if there is nothing in it yet."""
        folder = folder.expanduser().absolute()
        try:
            if not is_archive(folder) and folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
                raise BadInput(f"{folder}: there is something here that is no archive; choose a new folder")
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            for inner in (PROJECTS, INCOMING):
                (folder / inner).mkdir(mode=0o700, exist_ok=True)
        except OSError as error:
            raise BadInput(f"{folder}: cannot be made ({error.strerror}); choose another place") from error
        return Archive(folder)

    @staticmethod
    def open(folder: Path) -> Archive:
        folder = folder.expanduser().absolute()
        if not is_archive(folder):
            what = "this is no archive" if folder.exists() else "there is no such folder"
            raise BadInput(f"{folder}: {what}; make one with `rollcall archive`")
        return Archive(folder)

    def close(self) -> None:
        self.states.close()

    def __enter__(self) -> Archive:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    @contextmanager
    def coordinated(self) -> Iterator[None]:
        """Whoever coordinates an archive does so alone; a second one is refused."""
        lock = FileLock(self.folder / LOCK, mode=0o600)
        holder = self.folder / HOLDER
        try:
            lock.acquire(timeout=0)
        except Timeout as error:
            by = shown(holder.read_text(encoding="utf-8", errors="replace")[:200]) if holder.is_file() else "another program"
            raise BadInput(f"{self.folder}: {by} works on this archive already; wait for it or stop it") from error
        except OSError as error:
            raise BadInput(f"{self.folder}: cannot be written ({error.strerror}); make the folder writable") from error
        try:
            holder.write_text(f"process {os.getpid()} on {platform.node()}", encoding="utf-8")
            yield
        finally:
            holder.unlink(missing_ok=True)
            lock.release()

    def is_coordinated(self) -> bool:
        """Whether somebody works on it now."""
        try:
            with FileLock(self.folder / LOCK, mode=0o600).acquire(timeout=0):
                return False
        except Timeout:
            return True
        except OSError:
            return False

    def project_folder(self, name: str) -> Path:
        """Where a project of the archive lies, and nowhere else."""
        place = self.folder / PROJECTS / name
        if place.parent != self.folder / PROJECTS or name in ("", ".", "..") or place.is_symlink():
            raise BadInput(f"{self.folder}: there is no project {name!r} in this archive; choose one from its list")
        return place

    def crop(self, project: str, face: int) -> Path | None:
        """Where a face's picture lies. The project is not opened for it, which takes milliseconds each; None where its
        files are links."""
        folder = self.project_folder(project)
        try:
            check_links(folder)
        except BadInput:
            return None
        return crop_path(folder, face)

    def incoming(self, film: int) -> Path:
        """Where what was found in a film lies until the film is in its project."""
        return self.folder / INCOMING / f"{film:06}"

    def forget_incoming(self, film: int) -> None:
        shutil.rmtree(self.incoming(film), ignore_errors=True)

    def search_folder(self) -> Path:
        return self.folder / SEARCH
