"""The projects page without a browser."""

from __future__ import annotations

import json
import os
import re
import signal
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from core.jobs import engine as jobs
from core.jobs import uploads
from core.jobs.engine import Job
from core.jobs.requests import IngestPictures, IngestProblem, IngestVideo, Request, RunMethod, encode
from core.store.first_start import MARK
from core.store.project import Change, Project
from tests.core.media.films import film, noisy
from tests.known import known_run
from tests.made import made_project
from tests.ui.opened import opened
from ui.pages import projects as page
from ui.widgets.progress import bar, numbers


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """A folder for projects, where the first start is long past."""
    place = tmp_path / "projects"
    place.mkdir()
    (place / MARK).touch()
    yield place
    for path in place.glob("*/project.sqlite"):
        try:
            with Project.open(path.parent) as project:
                pids = [job.pid for job in jobs.jobs(project) if job.active and job.pid]
        except ValueError:
            continue
        for pid in pids:
            os.kill(pid, signal.SIGKILL)


def text(app: AppTest) -> str:
    """All that the page says in HTML of its own."""
    return "\n".join(str(element.proto.body) for element in app.get("html"))


def buttons(app: AppTest) -> dict[str, str]:
    return {str(button.key): button.label for button in app.button}


def test_without_projects_it_says_how_to_begin(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    app = opened(monkeypatch, folder, "projects")
    assert not app.exception
    assert "No projects yet" in text(app)
    assert app.button(key="new-make").disabled


def test_a_card_tells_how_far_a_project_is(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with made_project(folder / "film", frames=6) as project:
        project.retitle("<b>Winter</b>")
        faces = project.count("face")
        project.decide("Eva", Change("nobody", face=0), Change("not a face", face=1))
    app = opened(monkeypatch, folder, "projects")
    assert not app.exception
    said = text(app)
    assert "&lt;b&gt;Winter&lt;/b&gt;" in said
    assert "<b>Winter</b>" not in said
    assert f"{faces - 1} faces · 6 frames · 4 names" in said
    assert f"1 of {faces - 1} faces settled" in said
    assert "just now" in said
    assert "data:image/jpeg" in said
    assert buttons(app)["open-film"] == "Open"
    assert not app.button(key="delete-film").disabled


def test_a_disk_that_is_nearly_full_is_told_before_anything_is_dropped(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not opened(monkeypatch, folder, "projects").warning
    monkeypatch.setattr(uploads, "LARGEST", 10**12)  # MB: no disk has as much room
    app = opened(monkeypatch, folder, "projects")
    assert not app.exception
    assert re.fullmatch(
        r"Only files of up to \d+ MB can be dropped, since the disk of .* is nearly full\. Free some space there and"
        r" reload, or use On this machine\.",
        app.warning[0].value,
    )


def test_a_project_that_cannot_be_opened_says_why_and_the_others_work(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made_project(folder / "good", frames=2, cropped=False).close()
    made_project(folder / "newer", frames=2).close()
    with sqlite3.connect(folder / "newer" / "project.sqlite") as database:
        database.execute("PRAGMA user_version = 99")
    (folder / "broken").mkdir()
    (folder / "broken" / "project.sqlite").write_bytes(b"this is no database" * 300)
    Project.create(folder / "empty").close()
    app = opened(monkeypatch, folder, "projects")
    assert not app.exception
    said = text(app)
    assert "newer: this project was made by a newer Rollcall; update Rollcall to open it" in said
    assert "broken: the project&#x27;s database is damaged" in said
    assert "Nothing in it yet" in said
    keys = buttons(app)
    assert {"open-good", "delete-newer", "delete-broken", "rename-empty"} <= keys.keys()
    assert "open-broken" not in keys
    assert "open-empty" not in keys


def test_a_project_opens_with_its_groups_until_somebody_has_begun(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROLLCALL_PROJECTS", str(folder))
    seen: list[str] = []
    monkeypatch.setattr(page, "go", lambda name, **_: seen.append(name))
    made_project(folder / "unrun", frames=4, run=False).close()
    with made_project(folder / "film", frames=16, run=False) as project:
        known_run(project, doubt=0.8)
        page._go_on("film")
        project.decide("Ann", Change("nobody", face=0))
        page._go_on("film")
    page._go_on("unrun")
    assert seen == ["who", "review", "review"]


def test_a_failed_import_can_be_tried_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    missing = folder / "film" / "uploads" / "1" / "film.npz"
    with Project.create(folder / "film") as project:
        first = jobs.start(project, IngestProblem(missing))
        ended(project)
    app = opened(monkeypatch, folder, "projects")
    assert "<b>Taking it in failed.</b> film.npz: there is no such file; check the path" in text(app)
    assert buttons(app)["again-film"] == "Try again"
    app.button(key="again-film").click().run()
    assert not app.exception
    with Project.open(folder / "film") as project:
        again = next(job for job in jobs.jobs(project)[::-1] if job.id > first.id)
        assert (again.kind, again.request) == ("ingest", first.request)
        ended(project)


def test_a_running_import_shows_its_stage_and_can_be_stopped(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with made_project(folder / "film", frames=6, run=False) as project:
        assert buttons(opened(monkeypatch, folder, "projects"))["run-film"] == "Name the faces"
        jobs.start(project, RunMethod("dbgae"))
        app = opened(monkeypatch, folder, "projects")
        assert not app.exception
        assert 'role="progressbar"' in text(app)
        assert app.button(key="delete-film").disabled
        assert "run-film" not in buttons(app)
        app.button(key="card-film-stop").click().run()
        assert jobs.jobs(project)[0].stop
        ended(project)


def test_a_path_on_this_machine_becomes_a_project(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    captions = tmp_path / "film.srt"
    captions.write_text("1\n00:00:00,000 --> 00:00:01,000\nAnna waits.\n")
    video = film(tmp_path / "grey_day.mp4", [noisy(0)] * 5)
    app = named(opened(monkeypatch, folder, "projects"), video, captions)
    app.button(key="new-make").click().run()
    assert not app.exception
    assert [error.value for error in app.error] == []
    with Project.open(folder / "grey-day") as project:
        assert project.title == "Grey day"
        first = jobs.jobs(project)[-1]
        assert first.kind == "ingest"
        asked = json.loads(first.request)["work"]
        assert (asked["video"], asked["captions"]) == (str(video), str(captions))
        ended(project)
        assert "no face was found" in jobs.jobs(project)[0].message


def test_what_cannot_be_used_is_said_at_the_form_and_leaves_nothing(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    captions = tmp_path / "film.srt"
    captions.write_text("nothing that has a time")
    video = film(tmp_path / "film.mp4", [noisy(0)] * 5)
    app = named(opened(monkeypatch, folder, "projects"), video, captions)
    assert "film.srt: no line of this file has a time" in app.error[0].value
    app = named(app, captions, captions)
    assert "captions alone are not enough" in app.error[0].value
    app = named(app, tmp_path / "none.mp4", captions)
    assert "there is no such file or folder" in app.error[0].value
    assert app.button(key="new-make").disabled
    assert [path.name for path in folder.iterdir()] == [MARK]


def named(app: AppTest, main: Path, captions: Path) -> AppTest:
    app.segmented_control(key="new-where-0").set_value("On this machine").run()
    app.text_input(key="new-main-0").set_value(str(main)).run()
    return app.text_input(key="new-captions-0").set_value(str(captions)).run()


def test_rename_and_delete_for_good(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made_project(folder / "film", frames=2).close()
    app = opened(monkeypatch, folder, "projects")
    app.button(key="rename-film").click().run()
    app.text_input(key="title-film").set_value("Summer *1*").run()
    app.button(key="rename-now").click().run()
    with Project.open(folder / "film") as project:
        assert project.title == "Summer *1*"
    app.button(key="delete-film").click().run()
    assert app.button(key="delete-now").disabled
    app.text_input(key="typed-film").set_value("Summer").run()
    assert app.button(key="delete-now").disabled
    app.text_input(key="typed-film").set_value("Summer *1*").run()
    app.button(key="delete-now").click().run()
    assert not app.exception
    assert not (folder / "film").exists()
    assert "No projects yet" in text(app)


def test_what_is_empty_is_deleted_without_typing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Project.create(folder / "empty").close()
    app = opened(monkeypatch, folder, "projects")
    app.button(key="delete-empty").click().run()
    assert "has nothing in it" in text(app)
    app.button(key="delete-now").click().run()
    assert not app.exception
    assert not (folder / "empty").exists()


def test_the_first_start_shows_the_demo_in_review(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made_project(tmp_path / "shipped", frames=4).close()
    (tmp_path / "fresh").mkdir()
    monkeypatch.setattr(page, "SHIPPED", tmp_path / "shipped")
    app = opened(monkeypatch, tmp_path / "fresh", "projects")
    assert not app.exception
    assert (tmp_path / "fresh" / "demo" / "project.sqlite").is_file()
    assert app.query_params["project"] in ("demo", ["demo"])
    app.button(key="got-it").click().run()
    assert "got-it" not in buttons(app)
    assert "shipped" in text(opened(monkeypatch, tmp_path / "fresh", "projects"))


@pytest.mark.parametrize(
    ("stage", "done", "total", "said"),
    [
        ("starting", 0, 0, ""),
        ("shots", 5, 100, "5 of 100 · 3 min left"),
        ("faces", 5, 100, "5 of 100 · 30 pictures a minute · 3 min left"),
    ],
)
def test_progress_in_words(stage: str, done: int, total: int, said: str) -> None:
    job = Job(1, "ingest", "running", stage, done, total, 0, 0, 10, "", 1, False, (), "")
    assert numbers(job) == said
    assert ("unknown" in bar(job)) == (total == 0)


@pytest.mark.parametrize(("work", "shots"), [(IngestVideo(Path("a.mp4")), True), (IngestPictures(Path("a")), False)])
def test_only_a_film_has_shots_among_its_steps(work: Request, shots: bool) -> None:
    asked = json.dumps({"project": "p", "work": encode(work)})
    job = Job(1, "ingest", "running", "faces", 1, 2, 0, 0, 1, "", 1, False, (), asked)
    assert ("Shots" in bar(job)) == shots
    assert '<li class="here">Faces</li>' in bar(job)
    assert "Name the faces" in bar(job, more=True)


def test_a_stage_that_nobody_knows_is_text() -> None:
    assert "<script>" not in bar(Job(1, "compare", "running", "<script>", 0, 1, 0, 0, 1, "", 1, False, (), ""))


def ended(project: Project) -> None:
    end = time.monotonic() + 120
    while jobs.active(project) is not None:
        assert time.monotonic() < end
        time.sleep(0.05)


def test_a_project_of_an_earlier_version_offers_to_find_its_faces_again(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with made_project(folder / "film", frames=3, run=False) as project:
        project.database.run("UPDATE project SET embedder = 'facenet-vggface2'")
    with made_project(folder / "other", frames=3, run=False):
        pass
    app = opened(monkeypatch, folder, "projects")
    assert not app.exception
    assert text(app).count(page.DATED) == 1
    assert buttons(app)["find-film"] == "Find faces again"
    assert "find-other" not in buttons(app)
    app.button(key="find-film").click().run()
    with Project.open(folder / "film") as project:
        assert [job.kind for job in jobs.jobs(project)] == ["ingest"]
