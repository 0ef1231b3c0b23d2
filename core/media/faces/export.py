"""Exports FaceNet for ONNX Runtime once, at set-up: ``python -m core.media.faces.export``.

The weights come from the file that ``facenet_weights.py`` checks. What is exported must compute the same as torch does.
"""

from __future__ import annotations

import os
import sys
import warnings
from pathlib import Path

import numpy as np

from core.errors import BadInput
from core.media.faces.crop import SIDE
from core.media.faces.facenet import built, exported_path, onnx_network, torch_network

SAME = 1e-5  # by which the two may differ in one number of a vector of unit length


def export(path: Path | None = None) -> bool:
    """Puts the network into the virtual environment; False if it is there already."""
    path = path or exported_path()
    if path.is_file():
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        _write(part)
        check(part)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
    return True


def _write(path: Path) -> None:
    import torch

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # the newer exporter needs one more package
        torch.onnx.export(
            built(),
            (torch.zeros(2, 3, SIDE, SIDE),),
            str(path),
            input_names=["faces"],
            output_names=["vectors"],
            dynamic_axes={"faces": {0: "many"}, "vectors": {0: "many"}},
            dynamo=False,
        )


def check(path: Path) -> None:
    """Refuses a file that computes something else than torch."""
    pixels = np.random.default_rng(0).uniform(-1, 1, (3, 3, SIDE, SIDE)).astype(np.float32)
    apart = float(np.abs(onnx_network(path)(pixels) - torch_network()(pixels)).max())
    if not apart < SAME:
        raise BadInput(f"the exported FaceNet differs from torch's by {apart:g}; remove .venv and run `make setup`")


if __name__ == "__main__":
    try:
        export()
    except BadInput as error:
        sys.exit(str(error))
