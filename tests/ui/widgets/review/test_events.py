"""What people do on the review page comes in as events: each is heard as it is meant, and applied once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from core.store.project import Project
from tests.made import made_project
from ui.widgets.review.editor import Event, heard
from ui.widgets.review.events import Here, Note, shared


@pytest.fixture(autouse=True)
def _nothing_heard_yet() -> None:
    shared().done.clear()


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


def applied(tmp_path: Path, *events: dict[str, Any]) -> AppTest:
    """A page in which these events come in."""

    def script(folder: str, sent: list[object]) -> None:
        from pathlib import Path

        from core.store.project import Project
        from ui.widgets.review.editor import heard
        from ui.widgets.review.events import apply

        with Project.open(Path(folder)) as project:
            apply(project, "ann", heard({"events": sent}))

    app = AppTest.from_function(script, kwargs={"folder": str(tmp_path / "film"), "sent": list(events)}, default_timeout=60)
    app.run()
    assert not app.exception
    return app


def note(app: AppTest) -> Note:
    """What was said to the person last."""
    tab: Here = app.session_state["review"]
    return tab.note


def test_each_event_is_applied_once_and_what_cannot_be_done_is_said_and_done_with(tmp_path: Path) -> None:
    made_project(tmp_path / "film", frames=6, run=False).close()
    first = event(1, "is", face=0, name="Anna")
    applied(tmp_path, first)
    wrong = event(3, "is", face=999, name="Anna")
    app = applied(tmp_path, first, event(2, "is", face=1, name=""), wrong, event(4, "go", to=5))
    assert "there is no face 999" in note(app).text
    assert note(app).wrong
    assert app.query_params["frame"] == "5"
    assert note(applied(tmp_path, wrong)).number == 0
    with Project.open(tmp_path / "film") as project:
        assert [(entry.kind, entry.face) for entry in project.log().entries] == [("is", 0), ("nobody", 1)]
        assert project.review.place("ann") == 5


def test_events_that_come_again_after_a_restart_are_known(tmp_path: Path) -> None:
    made_project(tmp_path / "film", frames=6, run=False).close()
    sent = [
        event(1, "is", face=0, name="Anna"),
        event(2, "is", face=1, name="Boris"),
        event(3, "undo"),
        event(4, "go", to=3),
    ]
    applied(tmp_path, *sent)
    shared().done.clear()  # what a new server knows of its clients
    app = applied(tmp_path, *sent)
    assert note(app).number == 0
    assert app.query_params["frame"] == "3"
    assert shared().done == {"tab": 4}
    with Project.open(tmp_path / "film") as project:
        assert [entry.kind for entry in project.log().entries] == ["is", "is", "undo"]
        assert project.log().settled == {0}


def test_every_kind_of_event_does_its_work(tmp_path: Path) -> None:
    made_project(tmp_path / "film", frames=6).close()
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
    app = applied(tmp_path, *sent)
    assert [app.query_params[key] for key in ("order", "person")] == ["time", "=Anna"]
    with Project.open(tmp_path / "film") as project:
        log = project.log()
        assert log.hidden == {2}
        assert [mention.name for mention in project.mentions(0)] == ["Anna", "Boris", "Zoe"]
        assert [log.standing(face).answers[-1].kind for face in (0, 1)] == ["confirm", "confirm"]
        assert log.standing(1).refused == frozenset()
        assert project.review.queue("help", "ann").skipped.sum() == 1
        annas = [face.id for face in project.faces() if face.truth == "Anna"]
        assert set(annas) <= set(log.settled)
