"""facenet-pytorch can be imported whatever torchvision's compiled part does, and its suppression is the right one."""

import subprocess
import sys

import numpy as np
import torch

from core.media.faces.native_ops import make_ready
from core.media.faces.suppress import suppress


def test_a_fresh_process_can_import_facenet_pytorch() -> None:
    code = (
        "from core.media.faces.native_ops import make_ready; make_ready(); make_ready(); import facenet_pytorch, torchvision"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_torchvision_suppresses_as_we_do() -> None:
    make_ready()
    from torchvision.ops import batched_nms, nms

    random = np.random.default_rng(0)
    corner = random.uniform(0, 100, (300, 2))
    boxes = np.concatenate([corner, corner + random.uniform(5, 40, (300, 2))], axis=1).astype(np.float32)
    scores = random.uniform(size=300).astype(np.float32)
    kept = nms(torch.from_numpy(boxes), torch.from_numpy(scores), 0.5).tolist()
    assert kept == suppress(boxes, scores, 0.5).tolist()
    assert 0 < len(kept) < 300
    halves = batched_nms(torch.from_numpy(boxes), torch.from_numpy(scores), torch.arange(300) % 2, 0.5)
    own = [2 * suppress(boxes[k::2], scores[k::2], 0.5) + k for k in (0, 1)]
    assert sorted(halves.tolist()) == sorted(np.concatenate(own).tolist())
