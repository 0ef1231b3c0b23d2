"""Tracks in a project: read back as they were, part of the problem, of presence, of exports and of real deletion."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from core.formats.write.spans import intervals
from core.problem import MENTION_KINDS
from core.records import Box, NewFace, NewFrame, NewMention, NewSource, NewTrack, Track
from core.store.project import Change, Project
from core.store.tables import track_table

ADA, BRUNO = np.eye(4, dtype=np.float32)[:2]


def boxes(*times: float) -> tuple[tuple[float, Box], ...]:
    return tuple((time, Box(10, 20, 30.5, 40)) for time in times)


TRACKS = (
    NewTrack(0.0, 4.0, boxes(0.1, 1.0, 1.9, 2.8, 3.7), (("Ada", 0.8), ("Bruno", -1.5))),
    NewTrack(1.0, 9.0, boxes(1.1, 2.0, 7.0, 8.0)),  # away from 2 to 7
)


@pytest.fixture
def film(tmp_path: Path) -> Project:
    """Ada in view for four seconds, Bruno twice; two frames, both on both."""
    project = Project.create(tmp_path / "film")
    faces = [NewFace(ADA, track=0, quality=0.5), NewFace(BRUNO, track=1)]
    frames = [
        NewFrame(
            "Ada: Bruno?", [NewMention("Ada", ((0, 3),), "speaker"), NewMention("Bruno", ((5, 10),), "spoken")], faces, 1.5
        ),
        NewFrame("", [], [NewFace(BRUNO, track=1)], 7.5),
    ]
    project.add(NewSource("video", "/film.mp4", "film.mp4", "content", 10.0, TRACKS), frames, "made")
    return project


def test_tracks_come_back_and_later_ones_follow(film: Project) -> None:
    found = track_table.read(film.database)
    assert [(t.id, t.source, t.start, t.stop, t.boxes) for t in found] == [
        (0, 1, 0.0, 4.0, TRACKS[0].boxes),
        (1, 1, 1.0, 9.0, TRACKS[1].boxes),
    ]
    film.add(NewSource("video", "/b.mp4", "b.mp4", "other", 5.0, TRACKS[:1]), [], "made")
    assert [(t.id, t.source) for t in track_table.read(film.database, source=2)] == [(2, 2)]
    assert {face.track for face in film.faces()} == {0, 1}


def test_the_problem_has_tracks_quality_kinds_and_evidence(film: Project) -> None:
    problem, _ = film.problem()
    assert problem.track is not None
    assert problem.track.tolist() == [0, 1, 1]
    assert problem.quality is not None
    assert problem.quality.tolist() == [0.5, 1, 1]
    assert problem.mention_kind is not None
    assert [MENTION_KINDS[kind] for kind in problem.mention_kind] == ["speaker"]  # who is only spoken of may be anywhere
    links = zip(problem.evidence_face, problem.evidence_name, problem.evidence_logodds, strict=True)
    assert sorted((int(f), problem.names[n], float(o)) for f, n, o in links) == [(0, "Ada", 0.8), (0, "Bruno", -1.5)]


def test_evidence_follows_names_that_are_merged(film: Project) -> None:
    film.decide("me", Change("merge", name="Bruno", other="Ada"))
    problem, _ = film.problem()
    assert {problem.names[name] for name in problem.evidence_name} == {"Ada"}


def test_presence_is_the_whole_track_without_its_absences(film: Project) -> None:
    film.decide(
        "me", Change("is", face=0, name="Ada"), Change("is", face=1, name="Bruno"), Change("is", face=2, name="Bruno")
    )
    found = [(i.name, i.start, i.stop, i.faces) for i in intervals(film.labels())]
    assert found == [("Ada", 0.0, 4.0, 1), ("Bruno", 1.0, 2.0, 1), ("Bruno", 7.0, 9.0, 1)]


def test_a_track_with_two_answers_is_shared_half_way(film: Project) -> None:
    film.decide("me", Change("is", face=1, name="Bruno"), Change("is", face=2, name="Cleo"))
    found = {i.name: (i.start, i.stop) for i in intervals(film.labels())}
    assert (found["Bruno"], found["Cleo"]) == ((1.0, 2.0), (7.0, 9.0))


def test_the_chart_shows_people_while_their_tracks_last(film: Project) -> None:
    film.decide("me", Change("is", face=0, name="Ada"))
    shown = film.people.appearances(1)
    of_ada = shown.start[shown.person == shown.names.index("Ada")]
    assert of_ada.min() == 0.0
    assert of_ada.max() + shown.width >= 4.0


def test_a_removed_person_leaves_no_track_and_no_evidence(film: Project) -> None:
    film.decide("me", Change("is", face=0, name="Ada"))
    film.remove_person("Ada")
    assert [track.id for track in track_table.read(film.database)] == [1]
    assert track_table.read_evidence(film.database) == []


def test_absences_part_a_track() -> None:
    track = Track(0, 1, 0.0, 9.0, boxes(0.5, 1.4, 4.0, 4.9))
    assert track.spans() == [(0.0, 1.4), (4.0, 9.0)]
    assert track.spans(away=3.0) == [(0.0, 9.0)]
