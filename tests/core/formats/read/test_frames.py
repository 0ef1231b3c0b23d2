"""A problem's groups become frames with the same faces."""

import numpy as np

from core.formats.read.frames import frames_of
from core.problem import Problem


def test_each_group_becomes_a_frame_with_its_faces_and_names() -> None:
    problem = Problem.build(
        features=np.eye(4),
        group=[1, 0, 1, 3],
        candidates=[["Ross"], ["Rachel", "Ross"], [], ["Ann"]],
        truth=[1, 0, -1, 2],
        track=[700, -1, 900, 700],
    )
    frames = list(frames_of(problem))
    assert [[face.number for face in frame.faces] for frame in frames] == [[1], [0, 2], [], [3]]
    assert [frame.caption for frame in frames] == ["Ross", "Rachel, Ross", "", "Ann"]
    assert [(mention.name, mention.spans) for mention in frames[1].mentions] == [("Rachel", ((0, 6),)), ("Ross", ((8, 12),))]
    assert [face.truth for frame in frames for face in frame.faces] == ["Ross", "Rachel", "", "Ann"]
    tracks = {face.number: face.track for frame in frames for face in frame.faces}
    assert tracks[1] is None
    assert tracks[0] == tracks[3] != tracks[2]
    assert np.array_equal(frames[1].faces[1].embedding, problem.features[2])


def test_a_caption_of_its_own_is_kept_and_names_are_found_as_whole_words() -> None:
    problem = Problem.build([[1.0]], [0], [["Ann"]], captions=["Annabel and Ann."])
    (frame,) = frames_of(problem)
    assert frame.caption == "Annabel and Ann."
    assert frame.mentions[0].spans == ((12, 15),)
    assert frame.faces[0].truth is None
    assert frame.faces[0].track is None
