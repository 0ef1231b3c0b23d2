"""torchvision without its compiled part.

The registry's torchvision is compiled for another torch than the processor-only one, and its import then fails, although
all that facenet-pytorch needs of it is non-maximum suppression. Where the compiled part is missing, that one operator is
defined here; where it is there, nothing is touched.
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.errors import BadInput
from core.media.faces.suppress import suppress

if TYPE_CHECKING:
    import torch

_held: list[object] = []  # operators live as long as their library is held


def make_ready() -> None:
    """Makes ``import torchvision``, and with it ``import facenet_pytorch``, work."""
    if "torchvision" not in sys.modules and not _compiled():
        _define()


def _compiled() -> bool:
    """Whether torchvision's compiled part loads; torchvision itself is not imported."""
    import torch

    spec = importlib.util.find_spec("torchvision")
    if spec is None or not spec.submodule_search_locations:
        raise BadInput("torchvision is not installed; run `make setup`")
    ops: Any = torch.ops
    try:
        for part in Path(next(iter(spec.submodule_search_locations))).glob("_C*.*"):
            ops.load_library(part)
    except OSError:
        return False
    return hasattr(ops.torchvision, "nms")


def _define() -> None:
    import torch

    make_library: Any = torch.library.Library
    library = make_library("torchvision", "DEF")
    for operator in ("nms", "qnms"):
        library.define(f"{operator}(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
        library.impl(operator, _nms, "CPU")
    _held.append(library)
    import torchvision.extension

    torchvision.extension._has_ops = lambda: True  # after the import, which else asks for all the other operators


def _nms(boxes: torch.Tensor, scores: torch.Tensor, threshold: float) -> torch.Tensor:
    import torch

    return torch.from_numpy(suppress(boxes.numpy(), scores.numpy(), threshold))
