"""A file of weights that is known by its checksum. Nothing in another file is believed."""

from __future__ import annotations

import hashlib
import importlib.util
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from core.errors import BadInput


@dataclass(frozen=True)
class KnownFile:
    """``what`` and ``carrier`` are for people; ``place`` gives where the file should lie, None where it cannot."""

    what: str
    carrier: str
    sha256: str
    place: Callable[[], Path | None]

    def read(self) -> bytes:
        """What is in the file, if it is there and the known one."""
        path = self.place()
        if path is None or not path.is_file():
            raise BadInput(f"the {self.what} ({self.carrier}) are not installed; run `make setup`")
        content = path.read_bytes()
        digest = hashlib.sha256(content).hexdigest()
        if digest != self.sha256:
            raise BadInput(f"{path}: not the known {self.what} (sha256 {digest[:12]}…); remove .venv and run `make setup`")
        return content


def in_package(package: str, file: str) -> Path | None:
    """Where an installed package has a file; the package is not imported."""
    spec = importlib.util.find_spec(package)
    places = spec.submodule_search_locations if spec else None
    return Path(next(iter(places))) / file if places else None
