"""The model page without a browser."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core.jobs import engine as jobs
from core.jobs.requests import RunMethod
from core.store.project import Change, Project
from tests.known import known_run
from tests.made import made_project
from tests.ui.opened import opened

VIEWS = ["What changed", "Runs", "Compare methods", "Truth", "Who decided", "Log"]


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    with made_project(tmp_path / "film", frames=8) as made:
        yield made


def text(app: AppTest) -> str:
    return "\n".join(str(element.proto.body) for element in app.get("html"))


def seen(monkeypatch: pytest.MonkeyPatch, project: Project, view: str = "What changed") -> AppTest:
    app = opened(monkeypatch, project.folder.parent, "model", project=project.folder.name)
    if view != "What changed":
        app.session_state["model-view"] = view
        app.run()
    return app


def every_view(monkeypatch: pytest.MonkeyPatch, project: Project) -> Iterator[AppTest]:
    """The page, once with each view; none may fail."""
    app = seen(monkeypatch, project)
    for view in VIEWS:
        app.session_state["model-view"] = view
        app.run()
        assert not app.exception, view
        yield app


def tiles(app: AppTest, key: str) -> list[dict[str, object]]:
    """What a grid of tiles was given."""
    for element in app.get("bidi_component"):
        data = json.loads(element.proto.json)
        if "tiles" in data and key in element.proto.id:
            return list(data["tiles"])
    return []


def test_every_view_opens_on_a_project_and_on_one_without_decisions(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    for decided in (False, True):
        if decided:
            project.decide("Eva", Change("nobody", face=0))
            known_run(project)
        for app in every_view(monkeypatch, project):
            assert "<b>rollcall</b> named" in text(app)


def test_every_view_opens_before_the_first_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with made_project(tmp_path / "film", frames=3, run=False) as project:
        for app in every_view(monkeypatch, project):
            assert "No run yet" in text(app)
            assert app.button(key="run-now").label == "Run"


def test_the_last_run_says_what_it_left_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with made_project(tmp_path / "film", frames=4, run=False) as project:
        known_run(project, doubt=0.8)
        solved = project.solved()
        assert solved is not None
        assert solved.counts.unknown > 0
        said = text(seen(monkeypatch, project))
        assert "faces from the captions alone (" in said
        assert f". {solved.counts.unknown} unknown: name a group to go on." in said


def test_an_empty_project_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Project.create(tmp_path / "empty") as project:
        app = seen(monkeypatch, project)
        assert not app.exception
        assert "Nothing to run on" in text(app)


def test_corrections_ask_for_a_run_and_a_run_in_the_background_answers(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = seen(monkeypatch, project)
    assert "answered since then" not in text(app)
    project.decide("Eva", Change("nobody", face=0), Change("nobody", face=1))
    app.run()
    assert "2 faces answered since then." in text(app)
    app.button(key="run-now").click().run()
    assert not app.exception
    ended(project)
    assert [run.answered for run in project.runs()] == [0, 2]
    app.run()
    said = text(app)
    assert "around 2 answers of people" in said
    assert "2 because people said so" in said
    changed = tiles(app, "changed")
    assert [tile["what"][1] for tile in changed][-2:] == ["nobody", "nobody"]  # type: ignore[index]
    assert {tile["frame"] for tile in changed} <= {frame.id for frame in project.frames()}


def test_a_running_job_shows_itself_and_stops(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    app = seen(monkeypatch, project)
    app.selectbox(key="run-method").set_value("dbgae").run()
    app.button(key="run-now").click().run()
    assert 'role="progressbar"' in text(app)
    app.button(key="model-stop").click().run()
    ended(project)
    app.run()
    assert "The last run was stopped; nothing was changed." in text(app)
    assert len(project.runs()) == 1


def test_a_failed_run_says_why(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    jobs.start(project, RunMethod("guessing"))
    ended(project)
    assert "<b>The last run failed.</b> there is no method &#x27;guessing&#x27;" in text(seen(monkeypatch, project))


def test_rerun_by_itself_is_a_setting_of_the_project(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    app = seen(monkeypatch, project)
    app.selectbox(key="rerun-after").set_value("10").run()
    assert project.setting("rerun_after", "0") == "10"
    assert seen(monkeypatch, project).selectbox(key="rerun-after").value == "10"
    project.set_setting("rerun_after", "7")
    assert seen(monkeypatch, project).selectbox(key="rerun-after").value == "7"


def test_methods_are_compared_in_a_table_with_the_truth(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    project.comparison.compare(["rollcall", "cluster-voting"])
    said = text(seen(monkeypatch, project, "Compare methods"))
    assert "<td>cluster-voting</td>" in said
    assert "<td>100.0%</td>" in said
    assert "F1 of names" in said
    project.decide("Eva", Change("nobody", face=0))
    assert "cluster-voting (before later answers)" in text(seen(monkeypatch, project, "Compare methods"))
    assert "named in its own caption" in text(seen(monkeypatch, project, "Truth"))


def test_without_truth_nothing_is_claimed(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    project.database.run("UPDATE face SET truth = NULL")
    project.comparison.compare(["cluster-voting"])
    assert "The truth is not known here" in text(seen(monkeypatch, project, "Truth"))
    assert "F1 of names" not in text(seen(monkeypatch, project, "Compare methods"))


def test_annotators_their_agreement_and_conflicts(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    seen_by_both = project.log().version
    project.decide("Eva", *(Change("is", face=face, name="Anna") for face in range(3)))
    project.decide("<i>Otto</i>", Change("is", face=0, name="Anna"), Change("is", face=1, name="Dev"), seen=seen_by_both)
    app = seen(monkeypatch, project, "Who decided")
    said = text(app)
    assert "<td>Eva</td><td>3</td><td>3</td>" in said
    assert "&lt;i&gt;Otto&lt;/i&gt;" in said
    assert "1 face on which people differ" in said
    assert "Cohen&#x27;s kappa" in said
    assert tiles(app, "conflicts")[0]["lines"] == ["Eva: Anna", "<i>Otto</i>: Dev"]


def test_the_log_tells_who_said_what_the_latest_first(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    project.decide("Eva", Change("is", face=0, name="Anna"))
    project.decide("Otto", Change("nobody", face=1))
    project.undo("Otto")
    app = seen(monkeypatch, project, "Log")
    rows = [(tile["what"][0], tile["lines"][0]) for tile in tiles(app, "log")]  # type: ignore[index]
    assert rows == [
        ("undo: face 1 is nobody", "Otto"), ("face 1 is nobody (undone)", "Otto"), ("face 0 is Anna", "Eva"),
    ]  # fmt: skip
    app.selectbox(key="log-who").set_value("Eva").run()
    assert [tile["what"] for tile in tiles(app, "log")] == [["face 0 is Anna"]]


def ended(project: Project) -> None:
    end = time.monotonic() + 120
    while jobs.active(project) is not None:
        assert time.monotonic() < end
        time.sleep(0.05)
