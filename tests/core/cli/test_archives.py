"""The commands for many films, as far as they need no workers; those are in tests/core/jobs/archive and tests/soak."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from core.cli.main import main
from core.jobs.archive import search
from core.media.speech import whisper
from core.records import Box
from core.store.archives.archive import Archive, NewFilm
from core.store.project import Project
from tests.made import made_project


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """An archive with one film that is in, and one that failed."""
    with Archive.at(tmp_path / "tv") as made:
        made.states.add([NewFilm(name, name.title(), Path("/films") / f"{name}.mp4") for name in ("one", "two")])
        made_project(made.project_folder("one"), 6).close()
        made.states.set_state(1, "done", "6 frames")
        made.states.set_project("one", "done", "named 9 of 9 faces")
        made.states.set_state(2, "failed", "/films/two.mp4: cannot be read")
    return tmp_path / "tv"


def test_status_tells_how_far_it_is(archive: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["archive", "--archive", str(archive), "--status"]) == 0
    out, err = capsys.readouterr()
    assert "1 done, 1 failed; 1 of 2 projects named" in out
    assert "failed: /films/two.mp4: cannot be read" in err
    assert main(["archive", "--archive", str(archive), "--status", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["counts"] == {"waiting": 0, "running": 0, "done": 1, "failed": 1}
    assert [film["state"] for film in told["films"]] == ["done", "failed"]


def test_what_is_left_is_done_and_what_failed_is_said(archive: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["archive", "--archive", str(archive)]) == 2  # nothing is left, but one film is not in
    assert "1 of 2 films failed; mend them and give --retry" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--films", "nowhere"], "there is no such folder"),
        (["--certificates", "x"], "goes with --scheduler"),
        (["--gpu"], "goes with --scheduler"),
        (["--speech"], "run `make speech`"),
        (["--method", "guess"], "there is no method"),
        (["--scheduler", "10.0.0.1:8786"], "certificates"),
    ],
)
def test_what_does_not_go_together_is_said(
    archive: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, words: list[str], said: str
) -> None:
    monkeypatch.setattr(whisper, "is_installed", lambda: False)
    assert main(["archive", "--archive", str(archive), *words]) == 2
    err = capsys.readouterr().err
    assert said in err
    assert err.count("\n") == 1


def test_a_second_coordinator_is_refused_in_one_line(archive: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The first is a process of its own; when it dies, whatever way, the next one may work."""
    program = (
        "import sys, time; from pathlib import Path; from core.store.archives.archive import Archive\n"
        "with Archive.open(Path(sys.argv[1])) as archive, archive.coordinated(): print(flush=True); time.sleep(600)"
    )
    command = [sys.executable, "-c", program, str(archive)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=Path(__file__).parents[3]) as first:
        assert first.stdout is not None
        first.stdout.readline()
        assert main(["archive", "--archive", str(archive)]) == 2
        said = capsys.readouterr().err
        assert f"process {first.pid} on" in said
        assert "works on this archive already" in said
        assert said.count("\n") == 1
        first.kill()
    assert main(["archive", "--archive", str(archive)]) == 2  # one film is not in, see above
    assert "works on this archive" not in capsys.readouterr().err


def test_no_archive_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for command in ("archive", "archive-find"):
        assert main([command, "--archive", str(tmp_path / "none")]) == 2
        assert "there is no such folder" in capsys.readouterr().err


def test_people_are_found(archive: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["archive-find", "--archive", str(archive)]) == 0
    assert "Anna: " in capsys.readouterr().out
    assert main(["archive-find", "--archive", str(archive), "--name", "Anna", "--json"]) == 0
    seen = json.loads(capsys.readouterr().out)
    assert seen
    assert {one["source"] for one in seen} == {"one.mp4"}
    assert main(["archive-find", "--archive", str(archive), "--name", "Nemo"]) == 0
    assert capsys.readouterr().out == "nobody\n"
    assert main(["archive-find", "--archive", str(archive), "--picture", str(archive / "none.jpg")]) == 2


def test_every_face_of_a_picture_is_looked_for(
    archive: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with Project.open(archive / "projects" / "one") as project:
        by_name = {face.truth: face.id for face in project.faces()}
        asked = [search.vector_of(project, by_name[name]) for name in ("Boris", "Anna")]
    faces = [search.InPicture(Box(90 * k, 10, 90 * k + 40, 50), b"", *one) for k, one in enumerate(asked)]
    monkeypatch.setattr(search, "faces_in", lambda content: faces)
    picture = archive / "two.jpg"
    picture.touch()
    assert main(["archive-find", "--archive", str(archive), "--picture", str(picture), "--most", "1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [lines[0], lines[2]] == ["face 1 of 2, at 0, 10:", "face 2 of 2, at 90, 10:"]
    assert lines[1].startswith("1.00 Boris: one.mp4")
    assert lines[3].startswith("1.00 Anna: one.mp4")
    assert main(["archive-find", "--archive", str(archive), "--picture", str(picture), "--most", "1", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [(one["name"], one["asked"]) for one in told] == [("Boris", [0, 10, 40, 50]), ("Anna", [90, 10, 130, 50])]


def test_all_is_exported(archive: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["archive-export", "--archive", str(archive), "--out", str(tmp_path / "out")]) == 0
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["one.csv"]


def test_a_removed_person_leaves_the_search(archive: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["archive-find", "--archive", str(archive)]) == 0
    assert main(["remove", "--project", str(archive / "projects" / "one"), "--person", "Anna"]) == 0
    files = [path for path in (archive / "search").rglob("*") if path.is_file()]
    assert not [path for path in files if b"Anna" in path.read_bytes()]
