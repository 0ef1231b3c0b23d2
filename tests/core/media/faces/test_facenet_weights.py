"""The known weights are read whole; any other file, or none, is one sentence."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core.errors import BadInput
from core.media.faces.facenet_weights import WEIGHTS, _constants, _fields, facenet_state
from core.media.faces.native_ops import make_ready


def test_every_weight_of_the_network_is_there_in_its_shape() -> None:
    make_ready()
    from facenet_pytorch import InceptionResnetV1

    wanted = {
        name: tuple(values.shape)
        for name, values in InceptionResnetV1().state_dict().items()
        if not name.endswith("num_batches_tracked")
    }
    assert {name: values.shape for name, values in facenet_state().items()} == wanted


def test_another_file_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "graph_final.pb").write_bytes(b"other weights")
    with pytest.raises(BadInput, match=r"graph_final\.pb: not the known FaceNet weights .* run `make setup`"):
        replace(WEIGHTS, place=lambda: tmp_path / "graph_final.pb").read()


def test_fields_of_a_message_written_by_hand() -> None:
    message = bytes([0x08, 0x96, 0x01, 0x12, 0x03]) + b"cat" + bytes([0x1D, 1, 2, 3, 4])
    read = [(number, value if isinstance(value, int) else bytes(value)) for number, value in _fields(memoryview(message))]
    assert read == [(1, 150), (2, b"cat"), (3, b"\x01\x02\x03\x04")]


def test_constants_of_a_graph_written_by_hand() -> None:
    def part(number: int, content: bytes) -> bytes:
        return bytes([number << 3 | 2, len(content)]) + content

    values = np.array([[1.5, -2.0], [0.25, 4.0]], "<f4")
    shape = part(2, bytes([0x08, 2])) * 2
    tensor = bytes([0x08, 1]) + part(2, shape) + part(4, values.tobytes())
    attribute = part(5, part(1, b"value") + part(2, part(8, tensor)))
    other = part(5, part(1, b"dtype") + part(2, bytes([0x30, 1])))
    graph = part(1, part(1, b"w") + part(2, b"Const") + attribute + other) + part(1, part(1, b"x") + part(2, b"Placeholder"))
    read = dict(_constants(graph))
    assert list(read) == ["w"]
    np.testing.assert_array_equal(read["w"], values)
