"""A project as a problem: who is in which group, and what is said there."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from core.records import Box, NewFace, NewFrame, NewMention, NewSource, NewTrack
from core.store.project import Change, Project


def test_everybody_in_view_during_a_line_is_in_its_group(tmp_path: Path) -> None:
    """Two are on the first frame, one on the second; a name that people add to a frame holds for the line."""
    one, two, three = np.eye(3, dtype=np.float32)
    mentions = [NewMention("Ada", ((0, 3),), "speaker")]
    frames = [
        NewFrame("Ada: Hi.", mentions, [NewFace(one, track=0), NewFace(two, track=1)], 1.0, shot=0),
        NewFrame("Ada: Hi.", mentions, [NewFace(three, track=2), NewFace(one, track=0)], 2.0, shot=0),
        NewFrame("", [], [NewFace(one, track=0)], 5.0, shot=1),
    ]
    seen = [(0.5, Box(0, 0, 9, 9)), (1.5, Box(0, 0, 9, 9)), (2.5, Box(0, 0, 9, 9))]
    tracks = (NewTrack(0, 6, tuple(seen)), NewTrack(0, 2, tuple(seen[:2])), NewTrack(1, 3, tuple(seen[1:])))
    with Project.create(tmp_path / "film") as project:
        project.add(NewSource("video", "/film.mp4", "film.mp4", "content", 6.0, tracks), frames, "made")
        project.decide("me", Change("mention", frame=1, name="Bruno"))
        problem, faces = project.problem()
    assert faces == [0, 1, 2, 3, 4]
    assert problem.group.tolist() == [0, 0, 0, 0, 1]
    assert problem.candidates() == [["Ada", "Bruno"], []]
    assert problem.mention_kinds() == [["speaker", ""], []]
    assert problem.captions == ("Ada: Hi.", "")


def test_whom_a_known_speaker_names_is_not_a_candidate_and_still_a_name(tmp_path: Path) -> None:
    one, two = np.eye(2, dtype=np.float32)
    said = [NewMention("Ada", ((0, 3),), "speaker"), NewMention("Bruno", ((9, 14),), "spoken")]
    frames = [
        NewFrame("Ada: Hi, Bruno.", said, [NewFace(one)], 1.0, shot=0),
        NewFrame("Hi, Carla.", [NewMention("Carla", ((4, 9),), "spoken")], [NewFace(two)], 2.0, shot=1),
    ]
    with Project.create(tmp_path / "film") as project:
        project.add(NewSource("video", "/film.mp4", "film.mp4", "content", 6.0), frames, "made")
        problem, _ = project.problem()
    assert problem.candidates() == [["Ada"], ["Carla"]]
    assert problem.names == ("Ada", "Bruno", "Carla")


def test_faces_that_people_call_one_person_are_one_track_unless_a_frame_shows_both(project):
    first, second = (project.faces(frame)[0].id for frame in (0, 1))
    here, beside = (face.id for face in project.faces(2)[:2])
    for pair in ((first, second), (here, beside)):
        project.decide("Ann", *(Change("same person", face=face) for face in pair))
    problem, faces = project.problem()
    track = dict(zip(faces, problem.track.tolist(), strict=True))
    assert track[first] == track[second] >= 0
    assert (track[here], track[beside]) == (-1, -1)
    assert sum(number >= 0 for number in track.values()) == 2
    project.undo("Ann")
    project.undo("Ann")
    assert set(project.problem()[0].track.tolist()) == {-1}
