"""Tells people apart: FaceNet's embedding of a face, 512 numbers whose distance is small for one person.

Schroff et al., *FaceNet* (2015); the network is facenet-pytorch's InceptionResnetV1, the weights are vggface2's.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.media.faces.facenet_weights import WEIGHTS, facenet_state
from core.media.faces.kinds import Picture
from core.media.faces.known_file import KnownFile
from core.media.faces.native_ops import make_ready
from core.problem import FloatArray


class FaceNet:
    """Loads in a second or two; ``embed`` may then be called from several threads at once."""

    kind = "facenet-vggface2"
    dimension = 512
    weights: tuple[KnownFile, ...] = (WEIGHTS,)

    def __init__(self) -> None:
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
        self._network = network.to(memory_format=torch.channels_last)

    def embed(self, crops: Sequence[Picture]) -> FloatArray:
        """The embeddings, each of unit length, of faces cut out to squares of 160 pixels."""
        import torch

        if not len(crops):
            return np.zeros((0, self.dimension), np.float32)
        pixels = (torch.from_numpy(np.stack(crops)).float() - 127.5) / 128.0
        with torch.inference_mode():
            embeddings: FloatArray = self._network(pixels.permute(0, 3, 1, 2)).numpy()
        return embeddings
