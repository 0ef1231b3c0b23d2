"""The first start: a demo project is there. Whoever deletes it is not given it again."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from core.store.opening import open_folder
from core.store.tables import project_table

MARK = ".demo"  # in the projects' folder: the demo was here once
NAME = "demo"


def seed_demo(projects: Path, shipped: Path) -> Path | None:
    """Copies the shipped demo project into an empty folder of projects, once and for all; gives where it is now."""
    if not (shipped / "project.sqlite").is_file() or any(projects.glob("*/project.sqlite")):
        return None
    try:
        os.close(os.open(projects / MARK, os.O_CREAT | os.O_EXCL, 0o644))  # of two at once, one does it
    except OSError:
        return None
    copying, place = projects / f".{NAME}-{os.getpid()}", projects / NAME
    try:
        shutil.copytree(shipped, copying)
        copying.chmod(0o700)
        database = open_folder(copying)
        project_table.set_opened(database)
        database.close()
        copying.rename(place)
    except BaseException:
        shutil.rmtree(copying, ignore_errors=True)
        (projects / MARK).unlink(missing_ok=True)
        raise
    return place
