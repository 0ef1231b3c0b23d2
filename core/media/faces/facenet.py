"""Tells people apart: FaceNet's embedding of a face, 512 numbers whose distance is small for one person.

Schroff et al., *FaceNet* (2015); the network is facenet-pytorch's InceptionResnetV1, the weights are vggface2's. Set-up
exports it for ONNX Runtime, which needs half the time (``export.py``); without that file torch runs it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from core.media.faces.facenet_weights import WEIGHTS, facenet_state
from core.media.faces.kinds import Picture
from core.media.faces.known_file import KnownFile
from core.media.faces.native_ops import make_ready
from core.problem import FloatArray
from core.solvers.embeddings import FACENET, FACENET_BARE

Network = Callable[[FloatArray], FloatArray]  # pictures × 3 × 160 × 160, values about -1 to 1 -> one row a picture
PROVIDERS = ("CUDAExecutionProvider", "CPUExecutionProvider")


def exported_path() -> Path:
    """Where set-up puts the exported network: into the virtual environment, named after the weights that are in it."""
    return Path(sys.prefix) / "share" / "rollcall" / f"facenet-{WEIGHTS.sha256[:12]}.onnx"


class FaceNet:
    """Loads in a second or two; ``embed`` may then be called from several threads at once."""

    kind = FACENET
    replaces: tuple[str, ...] = (FACENET_BARE,)
    dimension = 512
    weights: tuple[KnownFile, ...] = (WEIGHTS,)

    def __init__(self) -> None:
        path = exported_path()
        self._network = onnx_network(path) if path.is_file() else torch_network()

    def embed(self, crops: Sequence[Picture]) -> FloatArray:
        """The embeddings, each of unit length, of faces cut out to squares of 160 pixels."""
        if not len(crops):
            return np.zeros((0, self.dimension), np.float32)
        pixels = (np.stack(crops).astype(np.float32) - 127.5) / 128.0
        return self._network(np.ascontiguousarray(pixels.transpose(0, 3, 1, 2)))


def onnx_network(path: Path) -> Network:
    """The exported network; each call computes on one core."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    there = onnxruntime.get_available_providers()
    providers = [provider for provider in PROVIDERS if provider in there]
    session = onnxruntime.InferenceSession(str(path), options, providers=providers)
    return lambda pixels: np.asarray(session.run(None, {"faces": pixels})[0])


def torch_network() -> Network:
    """The network as torch runs it."""
    import torch

    network = built()

    def run(pixels: FloatArray) -> FloatArray:
        with torch.inference_mode():
            embeddings: FloatArray = network(torch.from_numpy(pixels)).numpy()
        return embeddings

    return run


def built() -> Any:
    """facenet-pytorch's network with the known weights."""
    state = facenet_state()
    make_ready()
    import torch
    from facenet_pytorch.models.inception_resnet_v1 import BasicConv2d, InceptionResnetV1

    network = InceptionResnetV1().eval()
    network.load_state_dict({name: torch.tensor(values) for name, values in state.items()}, strict=False)
    for module in network.modules():
        if isinstance(module, BasicConv2d):  # a normalisation less to compute in each of 111 layers
            module.conv = torch.nn.utils.fusion.fuse_conv_bn_eval(module.conv, module.bn)
            module.bn = torch.nn.Identity()
    # pixels before channels is a fifth faster on a processor
    return network.to(memory_format=torch.channels_last)
