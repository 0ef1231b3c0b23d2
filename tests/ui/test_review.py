"""The review page without a browser: it opens on anything, and takes each event once."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from core.store.project import Change, Project
from core.store.views.frame_queue import ORDERS
from tests import unkind
from tests.known import known_run
from tests.made import made_project
from ui.parts.shell import open_project
from ui.widgets.review import data as frame_data
from ui.widgets.review.editor import Event, heard
from ui.widgets.review.events import Here, Note, shared

APP = str(Path(__file__).with_name("review_app.py"))


@pytest.fixture
def projects(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ROLLCALL_PROJECTS", str(tmp_path))
    return tmp_path


def opened(**url: str) -> AppTest:
    app = AppTest.from_file(APP, default_timeout=60)
    for key, value in url.items():
        app.query_params[key] = value
    return app.run()


def data(project: Project, frame: int, **more: Any) -> dict[str, Any]:
    tab = Here("film", None, **more)
    return frame_data.page_data(project, "ann", tab, frame, "help", "")


# --- The page ---


@pytest.mark.parametrize("frame", ["", "0", "3", "-1", "999999", "99999999999999999999", "x", "<script>", "²"])
def test_any_frame_in_the_url_opens_and_the_url_says_which(projects: Path, frame: str) -> None:
    made_project(projects / "film", frames=4, run=False).close()
    app = opened(project="film", frame=frame)
    assert not app.exception
    assert not app.error
    assert app.query_params["frame"] in ("0", "1", "2", "3")


@pytest.mark.parametrize("frame", range(8))
def test_every_unkind_frame_opens(projects: Path, frame: int) -> None:
    unkind.unkind_project(projects / "unkind", run=frame % 2 == 0).close()
    app = opened(project="unkind", frame=str(frame))
    assert not app.exception
    assert not app.error


@pytest.mark.parametrize(
    ("order", "person"), [*((order, "") for order in ORDERS), ("?", "=Anna"), ("time", "=Nobody at all"), ("", "nobody")]
)
def test_any_order_and_filter_in_the_url_open(projects: Path, order: str, person: str) -> None:
    made_project(projects / "film", frames=4).close()
    assert not opened(project="film", order=order, person=person).exception


def test_an_empty_project_says_so(projects: Path) -> None:
    Project.create(projects / "empty").close()
    app = opened(project="empty")
    assert not app.exception
    assert app.header[0].value == "Nothing to review yet"


def test_a_project_that_is_not_there_is_no_traceback(projects: Path) -> None:
    app = opened(project="gone")
    assert not app.exception
    assert "there is no project called 'gone'" in app.error[0].value


def test_a_damaged_run_is_said_in_a_sentence(projects: Path) -> None:
    made_project(projects / "film", frames=4).close()
    for run in (projects / "film" / "runs").iterdir():
        run.write_bytes(b"nothing")
    app = opened(project="film")
    assert not app.exception
    assert not app.error
    assert "lost or damaged; run again" in app.warning[0].value


def test_a_damaged_project_can_be_looked_at_and_is_not_changed(projects: Path) -> None:
    made_project(projects / "film", frames=4).close()
    database = projects / "film" / "project.sqlite"
    content = bytearray(database.read_bytes())
    content[0:4096] = bytes(4096)  # without its first page SQLite opens nothing
    database.write_bytes(content)
    app = opened(project="film")
    assert not app.exception
    assert "damaged" in app.warning[0].value
    assert "4 frames" in app.warning[0].value
    assert database.read_bytes() == bytes(content)


def test_a_database_that_breaks_under_the_app_is_said_and_then_read(projects: Path) -> None:
    made_project(projects / "film", frames=4).close()
    app = opened(project="film")
    database = projects / "film" / "project.sqlite"
    content = bytearray(database.read_bytes())
    content[4096 : 20 * 4096] = b"\xa5" * (19 * 4096)
    with database.open("r+b") as file:  # the same file, as the app has it open
        file.write(content)
    open_project("film").database.rows("PRAGMA shrink_memory")  # what SQLite still knew
    app.run()
    assert not app.exception
    said = [one.value for one in (*app.error, *app.warning)]
    assert any("damaged" in one for one in said)
    app.run()
    assert not app.exception
    assert any("could be saved" in one.value or "beyond saving" in one.value for one in (*app.error, *app.warning))


def test_a_project_that_is_removed_under_the_app_is_said(projects: Path) -> None:
    made_project(projects / "film", frames=4).close()
    app = opened(project="film")
    assert not app.exception
    shutil.rmtree(projects / "film")
    app.run()
    assert not app.exception
    assert "there is no project called 'film'" in app.error[0].value


# --- What it shows ---


def test_the_data_of_a_frame(projects: Path) -> None:
    with made_project(projects / "film", frames=8) as project:
        project.decide("ben", Change("is", face=0, name="Dev"), Change("is not", face=1, name="Boris"))
        shown = data(project, 0)
        view = shown["views"][0]
        assert view["title"] == "Frame 1 · 0:00"
        assert view["caption"] == [("Anna", "Anna"), (" and ", ""), ("Boris", "Boris"), (" talk.", "")]
        assert [(name["name"], name["here"]) for name in view["names"]] == [("Anna", True), ("Boris", True), ("Dev", False)]
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


def test_what_changed_is_news_only_to_whom_it_happened_under_the_eyes(projects: Path) -> None:
    with made_project(projects / "film", frames=12, noise=1.2) as project:
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


def test_why_is_there_before_and_after_a_run(projects: Path) -> None:
    with made_project(projects / "film", frames=6, run=False) as project:
        assert data(project, 0, why=0)["why"] == {"face": 0, "considered": [], "alike": [], "ruled": []}
        known_run(project)
        project.decide("ann", Change("is not", face=0, name="Dev"))
        found = data(project, 0, why=0)["why"]
        assert found["considered"][0]["name"] == "Anna"
        assert "Dev — refused by hand" in found["ruled"]
        assert found["alike"]
        assert all(other["caption"] for other in found["alike"])


# --- Events ---


def event(number: int, kind: str, **more: Any) -> dict[str, Any]:
    return {"client": "tab", "number": number, "kind": kind, "frame": 0, "seen": 0, **more}


WRONG: list[dict[str, Any]] = [{"face": "0"}, {"face": True}, {"name": 3}, {"frame": None}, {"number": 1.5}, {"seen": "1"}]
WRONG += [
    {"to": "4"},
    {"client": 7},
    {"client": "a b"},
    {"answers": [[1]]},
    {"answers": [["1", "Anna"]]},
    {"answers": 4},
    {"share": "half"},
]


@pytest.mark.parametrize(
    "state",
    [None, {}, {"events": None}, {"events": "is"}, {"events": [None, 3, "x", [], {}]}]
    + [{"events": [event(1, "is") | wrong]} for wrong in WRONG],
)
def test_nonsense_from_the_browser_is_not_heard(state: object) -> None:
    assert heard(state) == []


def test_events_are_heard_in_their_order() -> None:
    sent = [event(2, "frame", answers=[[0, "Anna"], [1, ""]], to=4), event(1, "box", box=[0.1, -1, 0.5, 7])]
    assert heard({"events": sent}) == [
        Event("tab", 1, "box", 0, 0, box=(0.1, 0.0, 0.5, 1.0)),
        Event("tab", 2, "frame", 0, 0, to=4, answers=((0, "Anna"), (1, ""))),
    ]
    assert heard({"events": [event(1, "box", box=[0.5, 0, 0.5, 1])]})[0].box is None


def applied(projects: Path, *events: dict[str, Any]) -> AppTest:
    """A page in which these events come in."""

    def script(folder: str, sent: list[object]) -> None:
        from pathlib import Path

        from core.store.project import Project
        from ui.widgets.review.editor import heard
        from ui.widgets.review.events import apply

        with Project.open(Path(folder)) as project:
            apply(project, "ann", heard({"events": sent}))

    app = AppTest.from_function(script, kwargs={"folder": str(projects / "film"), "sent": list(events)}, default_timeout=60)
    app.run()
    assert not app.exception
    return app


def note(app: AppTest) -> Note:
    """What was said to the person last."""
    tab: Here = app.session_state["review"]
    return tab.note


@pytest.fixture(autouse=True)
def _nothing_heard_yet() -> None:
    shared().done.clear()


def test_each_event_is_applied_once_and_what_cannot_be_done_is_said_and_done_with(projects: Path) -> None:
    made_project(projects / "film", frames=6, run=False).close()
    first = event(1, "is", face=0, name="Anna")
    applied(projects, first)
    wrong = event(3, "is", face=999, name="Anna")
    app = applied(projects, first, event(2, "is", face=1, name=""), wrong, event(4, "go", to=5))
    assert "there is no face 999" in note(app).text
    assert note(app).wrong
    assert app.query_params["frame"] == "5"
    assert note(applied(projects, wrong)).number == 0
    with Project.open(projects / "film") as project:
        assert [(entry.kind, entry.face) for entry in project.log().entries] == [("is", 0), ("nobody", 1)]
        assert project.review.place("ann") == 5


def test_events_that_come_again_after_a_restart_are_known(projects: Path) -> None:
    made_project(projects / "film", frames=6, run=False).close()
    sent = [
        event(1, "is", face=0, name="Anna"),
        event(2, "is", face=1, name="Boris"),
        event(3, "undo"),
        event(4, "go", to=3),
    ]
    applied(projects, *sent)
    shared().done.clear()  # what a new server knows of its clients
    app = applied(projects, *sent)
    assert note(app).number == 0
    assert app.query_params["frame"] == "3"
    assert shared().done == {"tab": 4}
    with Project.open(projects / "film") as project:
        assert [entry.kind for entry in project.log().entries] == ["is", "is", "undo"]
        assert project.log().settled == {0}


def test_every_kind_of_event_does_its_work(projects: Path) -> None:
    made_project(projects / "film", frames=6).close()
    sent = [
        event(1, "confirm", face=0, name="Anna"),
        event(2, "refuse", face=1, name="Boris"),
        event(3, "no face", face=2),
        event(4, "mention", name="Zoe"),
        event(5, "undo"),
        event(6, "redo"),
        event(7, "take back", face=0),
        event(8, "allow", face=1, name="Boris"),
        event(9, "frame", answers=[[0, "Anna"], [1, "Boris"]], to=1),
        event(10, "skip", to=2),
        event(11, "order", name="time"),
        event(12, "person", name="=Anna"),
        event(13, "jump", share=1.0),
        event(14, "same person", face=0),
    ]
    app = applied(projects, *sent)
    assert [app.query_params[key] for key in ("order", "person")] == ["time", "=Anna"]
    with Project.open(projects / "film") as project:
        log = project.log()
        assert log.hidden == {2}
        assert [mention.name for mention in project.mentions(0)] == ["Anna", "Boris", "Zoe"]
        assert [log.standing(face).answers[-1].kind for face in (0, 1)] == ["confirm", "confirm"]
        assert log.standing(1).refused == frozenset()
        assert project.review.queue("help", "ann").skipped.sum() == 1
        annas = [face.id for face in project.faces() if face.truth == "Anna"]
        assert set(annas) <= set(log.settled)
