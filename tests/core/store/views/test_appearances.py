"""Who appears when and with whom, counted by hand on small projects."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from core.records import NewFace, NewFrame, NewSource
from core.store.project import Change, Project
from core.store.views.appearances import appearances, together

#         who is in each frame, and when it is
FILM = [(("A", "B"), 0.0), (("A", "A", "C"), 2.0), (("B",), 4.0), ((), 6.0), (("A", "B"), 8.0)]


def film(folder: Path, frames: list[tuple[tuple[str, ...], float]], timed: bool = True) -> Project:
    """A project in which a person has said who everybody is."""
    project = Project.create(folder)
    source = NewSource("video" if timed else "pictures", "/x", "x")
    vector = np.eye(4, dtype=np.float32)[0]
    made = [NewFrame("", (), [NewFace(vector) for _ in who], time=at if timed else None, path=f"{at}") for who, at in frames]
    project.add(source, made, "made")
    said = [name for who, _ in frames for name in who]
    project.decide("me", *(Change("is", face=face, name=name) for face, name in enumerate(said)))
    return project


@pytest.mark.parametrize("timed", [True, False])
def test_each_frame_is_a_stretch_where_there_are_few(tmp_path: Path, timed: bool) -> None:
    with film(tmp_path / "film", FILM, timed) as project:
        found = project.people.appearances(1)
        assert found.names == ("A", "B", "C")
        assert (found.timed, found.width) == (timed, 2.0 if timed else 1.0)
        rows = [(found.names[p], int(f), int(n)) for p, f, n in zip(found.person, found.frame, found.faces, strict=True)]
        assert rows == [("A", 0, 1), ("A", 1, 2), ("A", 4, 1), ("B", 0, 1), ("B", 2, 1), ("B", 4, 1), ("C", 1, 1)]
        starts = [0.0, 2.0, 8.0, 0.0, 4.0, 8.0, 2.0]
        assert found.start.tolist() == (starts if timed else [1 + start / 2 for start in starts])
        assert found.said.all()
        assert found.span == (10.0 if timed else 6.0)


def test_a_long_film_is_cut_into_few_stretches_that_begin_with_their_first_frame(tmp_path: Path) -> None:
    frames = [(("A",) if k % 10 == 3 else ("B",), float(k)) for k in range(100)]
    with film(tmp_path / "film", frames) as project:
        found = appearances(project.reader, 1, stretches=10)
        assert len(np.unique(found.start)) <= 11
        of_a = found.frame[found.person == found.names.index("A")]
        assert of_a.tolist() == list(range(3, 100, 10))
        assert int(found.faces.sum()) == 100


def test_only_the_most_frequent_are_kept(tmp_path: Path) -> None:
    with film(tmp_path / "film", FILM) as project:
        assert appearances(project.reader, 1, most=1).names == ("A",)
        assert together(project.current_labels(), project.log(), most=2).names == ("A", "B")


def test_together_counts_frames_not_faces(tmp_path: Path) -> None:
    with film(tmp_path / "film", FILM) as project:
        found = project.people.together()
        assert (found.names, found.faces.tolist()) == (("A", "B", "C"), [4, 3, 1])
        pairs = {(int(a), int(b)): int(n) for a, b, n in zip(found.one, found.other, found.frames, strict=True)}
        assert pairs == {(0, 1): 2, (0, 2): 1}


def test_nothing_to_count(tmp_path: Path) -> None:
    with Project.create(tmp_path / "empty") as project:
        assert project.people.appearances(1).names == ()
        assert project.people.together().names == ()
    with film(tmp_path / "film", FILM) as project:
        project.decide("me", *(Change("nobody", face=face.id) for face in project.faces()))
        assert project.people.appearances(1).names == ()
        assert project.people.together().frames.tolist() == []
