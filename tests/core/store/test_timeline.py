"""When each frame is, and what the queue makes of it."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from core.project import Change, Project
from core.records import NewFrame, NewSource
from core.store.review import corrected_since, frame_of, recent_names
from tests.made import SECONDS, made_project


def settle(project: Project, frame: int) -> None:
    project.decide("ann", *(Change("nobody", face=face.id) for face in project.faces(frame)))


def test_one_video_runs_by_its_clock(tmp_path: Path) -> None:
    with made_project(tmp_path / "film", frames=5, run=False) as project:
        timeline = project.timeline()
        assert timeline.seconds == 5 * SECONDS
        assert timeline.share.tolist() == [0.0, 0.2, 0.4, 0.6, 0.8]
        assert (timeline.at(0.0), timeline.at(0.44), timeline.at(1.0)) == (0, 2, 4)
        assert (timeline.before(0), timeline.before(3), timeline.after(3), timeline.after(4)) == (None, 2, 4, None)
        assert timeline.where(3) == 0.6


def test_pictures_and_several_sources_run_by_their_order_and_new_ones_are_seen(tmp_path: Path) -> None:
    with made_project(tmp_path / "film", frames=3, kind="pictures", run=False) as project:
        assert project.timeline().share.tolist() == [0.0, 0.5, 1.0]
        later = [NewFrame("", [], [], time=9.0), NewFrame("", [], [], time=1.0)]
        project.add(NewSource("video", "/films/b.mp4", "b.mp4", duration=10.0), later)
        timeline = project.timeline()
        assert timeline.frame.tolist() == [0, 1, 2, 4, 3]
        assert timeline.seconds is None
        assert np.allclose(timeline.share, [0, 0.25, 0.5, 0.75, 1])


def test_in_the_order_of_time_the_queue_goes_on_from_where_one_is(tmp_path: Path) -> None:
    with made_project(tmp_path / "film", frames=6) as project:
        settle(project, 2)
        queue = project.queue("time", "ann")
        assert queue.after(2) == 3  # though 0 and 1 are open, too
        assert queue.after(5) == 0
        project.skip("ann", 3)
        assert project.queue("time", "ann").after(2) == 4
        assert project.queue("time", "ben").after(2) == 3
        for frame in (0, 1, 4, 5):
            settle(project, frame)
        assert project.queue("time", "ann").after(2) == 3  # what was skipped comes last, but comes
        settle(project, 3)
        assert project.queue("time", "ann").after(2) is None


def test_corrections_are_counted_by_face_since_the_last_run(tmp_path: Path) -> None:
    with made_project(tmp_path / "film", frames=6) as project:
        assert corrected_since(project) == 0
        project.decide("ann", Change("is", face=0, name="Dev"))
        project.decide("ann", Change("is", face=0, name="Anna"))
        project.decide("ben", Change("is not", face=1, name="Anna"))
        project.decide("ben", Change("mention", frame=0, name="Zoe"))
        assert corrected_since(project) == 2
        project.undo("ben")
        project.undo("ben")
        assert corrected_since(project) == 1
        project.run()
        assert corrected_since(project) == 0


def test_a_step_leads_to_its_frame_unless_it_is_about_several(tmp_path: Path) -> None:
    with made_project(tmp_path / "film", frames=6) as project:
        first, last = project.faces(1)[0].id, project.faces(4)[0].id
        project.decide("ann", Change("nobody", face=last))
        assert frame_of(project, project.undo("ann")) == 4
        project.decide("ann", Change("mention", frame=3, name="Zoe"))
        assert frame_of(project, project.undo("ann")) == 3
        project.decide("ann", Change("nobody", face=first), Change("nobody", face=last))
        assert frame_of(project, project.undo("ann")) is None
        project.decide("ann", Change("rename", name="Anna", other="Annabel"))
        assert frame_of(project, project.undo("ann")) is None


def test_the_names_somebody_gave_last_come_first(tmp_path: Path) -> None:
    with made_project(tmp_path / "film", frames=6) as project:
        for face, name in enumerate(("Dev", "Anna", "Zoe", "Dev")):
            project.decide("ann", Change("is", face=face, name=name))
        project.decide("ben", Change("is", face=5, name="Boris"))
        assert recent_names(project, "ann") == ["Dev", "Zoe", "Anna"]
        assert recent_names(project, "ann", many=1) == ["Dev"]
        assert recent_names(project, "cat") == []
