"""A worker's own folder, which may be deleted at any time."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from core.errors import BadInput

SCRATCH = "ROLLCALL_SCRATCH"  # in the environment


def scratch() -> Path:
    """The worker's own folder, for nobody else to read."""
    folder = Path(os.environ.get(SCRATCH) or Path(tempfile.gettempdir()) / f"rollcall-{os.getuid()}")
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if folder.stat().st_uid != os.getuid() or folder.is_symlink():
        raise BadInput(f"{folder}: belongs to somebody else; name another folder in {SCRATCH}")
    return folder
