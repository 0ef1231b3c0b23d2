"""A worker's own folder, which may be deleted at any time."""

from __future__ import annotations

import getpass
import os
import tempfile
from pathlib import Path

from core.errors import BadInput

SCRATCH = "ROLLCALL_SCRATCH"  # in the environment


def scratch() -> Path:
    """The worker's own folder, for nobody else to read."""
    folder = Path(os.environ.get(SCRATCH) or Path(tempfile.gettempdir()) / f"rollcall-{getpass.getuser()}")
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    mine = Path(tempfile.mkdtemp(dir=folder)) if os.access(folder, os.W_OK) else None  # its owner is this process
    owned = mine is not None and mine.stat().st_uid == folder.stat().st_uid
    if mine is not None:
        mine.rmdir()
    if not owned or folder.is_symlink():
        raise BadInput(f"{folder}: belongs to somebody else; name another folder in {SCRATCH}")
    return folder
