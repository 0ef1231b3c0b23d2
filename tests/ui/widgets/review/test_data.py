"""What the review page shows of a frame: its faces, names, answers and reasons."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.records import Box, NewFace, NewFrame, NewLine, NewMention, NewSource
from core.store.project import Change, Project
from tests.known import known_run
from tests.made import drawn_face, made_project
from ui.parts.pictures import picture
from ui.widgets.review import data as frame_data
from ui.widgets.review.events import Here


def data(project: Project, frame: int, **more: Any) -> dict[str, Any]:
    tab = Here("film", None, **more)
    return frame_data.page_data(project, "ann", tab, frame, "help", "")


def test_the_data_of_a_frame(tmp_path: Path) -> None:
    with made_project(tmp_path / "film", frames=8) as project:
        project.decide("ben", Change("is", face=0, name="Dev"), Change("is not", face=1, name="Boris"))
        shown = data(project, 0)
        view = shown["views"][0]
        assert view["title"] == "Frame 1 · 0:00"
        assert view["caption"] == [("Anna", "Anna"), (" and ", ""), ("Boris", "Boris"), (" talk.", "")]
        here = [(name["name"], name["here"], name["key"]) for name in view["names"]]
        assert here == [("Anna", True, 1), ("Boris", True, 2), ("Chloe", False, 3), ("Dev", False, 4)]
        assert view["faces"][0]["said"] == [{"name": "Dev", "who": "ben"}]
        assert view["faces"][1]["refused"] == ["Boris"]
        assert view["faces"][2]["box"] == pytest.approx([320 / 480, 60 / 270, 420 / 480, 180 / 270])
        assert view["around"] == [("after", project.frames([1])[0].caption)]
        assert len(shown["views"]) == 2
        assert view["next"] == shown["views"][1]["id"] == shown["queue"]["items"][0]["frame"]
        assert shown["progress"]["settled"] == 1
        assert shown["progress"]["since"] == 2
        assert sum(sum(column) for column in shown["strip"]["bins"]) == project.count("face")
        assert shown["version"] == project.log().version
        assert not shown["can_box"]


def test_what_stands_on_the_screen_is_told_apart_from_the_caption(tmp_path: Path) -> None:
    lines = (
        NewLine("screen", 1.0, 4.0, "ANNA BERG", Box(48, 216, 240, 243), "Anna Berg", 3.5),
        NewLine("screen", 1.0, 4.0, "<b>Reporter</b>", Box(48, 243, 96, 256.5)),
        NewLine("speech", 1.0, 4.0, "Good evening."),
    )
    mention = NewMention("Anna Berg", ((14, 23),), "screen")
    face = NewFace(np.eye(4, dtype=np.float32)[0])
    with Project.create(tmp_path / "news") as project:
        frame = NewFrame("Good evening.\nANNA BERG", [mention], [face], 2.0, width=480, height=270)
        project.add(NewSource("video", "/n.mp4", "n.mp4", "c", 9.0, lines=lines), [frame], "made")
        view = data(project, 0)["views"][0]
        assert view["caption"] == [("Good evening.", "")]
        assert view["screen"] == [
            {"text": "ANNA BERG", "name": "Anna Berg", "kind": "screen", "box": [0.1, 0.8, 0.5, 0.9]},
            {"text": "<b>Reporter</b>", "name": "", "kind": "screen", "box": [0.1, 0.9, 0.2, 0.95]},
        ]
        assert [(name["name"], name["here"]) for name in view["names"]] == [("Anna Berg", True)]


def test_behind_the_finish_line_there_are_no_more_questions(tmp_path: Path) -> None:
    with made_project(tmp_path / "film", frames=8) as project:
        side = data(project, 0)["queue"]
        assert side["left"] > side["rest"] == 0
        project.decide("ann", *(Change("nobody", face=one.face) for one in project.review.questions()))
        assert data(project, 0)["queue"]["left"] > 0  # no run has heard these answers yet
        known_run(project)
        side = data(project, 0)["queue"]
        assert (side["left"], side["items"]) == (0, [])
        assert side["rest"] == int(project.current_labels().waiting.sum()) > 0
        rest = frame_data.page_data(project, "ann", Here("film", None), 0, "time", "")["queue"]
        assert rest["left"] > 0
        assert rest["items"]


def test_an_upright_picture_is_not_cut_to_a_band(tmp_path: Path) -> None:
    film, photo = NewSource("video", "/a.mp4", "a.mp4"), NewSource("images", "/b", "b")
    with Project.create(tmp_path / "both") as project:
        for source, (width, height) in ((film, (160, 90)), (photo, (60, 90))):
            face = NewFace(np.eye(4, dtype=np.float32)[0], crop=drawn_face(1))
            frame = NewFrame("", [], [face], 1.0, picture=drawn_face(2), width=width, height=height)
            project.add(source, [frame, frame], "made")
        items = {item["frame"]: item for item in data(project, 0)["queue"]["items"]}
        faces = {face.frame: face for face in project.faces()}
        assert items[1]["wide"]
        assert not items[2]["wide"]
        assert items[2]["thumb"] == picture(faces[2].crop)


def test_what_changed_is_news_only_to_whom_it_happened_under_the_eyes(tmp_path: Path) -> None:
    with made_project(tmp_path / "film", frames=12, noise=1.2) as project:
        first = project.runs()[-1].id
        assert data(project, 0)["progress"]["changed"] is not None  # opened before there was a run
        truth = {face.id: face.truth or "" for face in project.faces()}
        project.decide("ann", *(Change("is", face=face, name=name) for face, name in truth.items() if name))
        known_run(project)
        tab = Here("film", first)
        changed = frame_data.page_data(project, "ann", tab, 0, "help", "")["progress"]["changed"]
        assert changed == len(project.what_changed())
        late = Here("film", project.runs()[-1].id)
        assert frame_data.page_data(project, "ann", late, 0, "help", "")["progress"]["changed"] is None


def test_why_is_there_before_and_after_a_run(tmp_path: Path) -> None:
    with made_project(tmp_path / "film", frames=6, run=False) as project:
        assert data(project, 0, why=0)["why"] == {"face": 0, "considered": [], "alike": [], "ruled": []}
        known_run(project)
        project.decide("ann", Change("is not", face=0, name="Dev"))
        found = data(project, 0, why=0)["why"]
        assert found["considered"][0]["name"] == "Anna"
        assert "Dev — refused by hand" in found["ruled"]
        assert found["alike"]
        assert all(other["caption"] for other in found["alike"])
