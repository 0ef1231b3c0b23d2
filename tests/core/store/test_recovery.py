"""A damaged project: what can be saved is shown, nothing is changed, and it can be rescued into a new one."""

from __future__ import annotations

import json
import shutil
import sqlite3
import struct
from pathlib import Path

import numpy as np
import pytest

from core.cli.main import main
from core.errors import BadInput
from core.store import sqlite_pages as pages
from core.store.project import Change, Project
from core.store.recovery import salvage
from core.store.tables.database import FILE, Database
from tests.known import known_run
from tests.made import made_project

PAGE = 4096
FACES = 419


@pytest.fixture
def folder(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(made, tmp_path / "film"))


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project of many pages with two people's decisions."""
    folder = tmp_path_factory.mktemp("salvage") / "film"
    with made_project(folder, frames=200, cropped=False, run=False) as project:
        for face in range(40):
            project.decide("Ann" if face % 2 else "Bob", Change("is", face=face, name=f"Somebody with a long name {face}"))
        project.database.run("PRAGMA wal_checkpoint(TRUNCATE)")
    return folder


def salvaged(folder: Path) -> Database:
    return Database(folder, salvage(folder / FILE))


def spoil(path: Path, page: int, content: bytes = b"\xa5" * PAGE) -> None:
    whole = bytearray(path.read_bytes())
    whole[(page - 1) * PAGE : page * PAGE] = content
    path.write_bytes(whole)


def pages_of(path: Path, table: str) -> list[int]:
    """The pages that hold rows of a table."""
    found = []
    with sqlite3.connect(path) as connection:
        root = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (table,)).fetchone()[0]
    whole, waiting = path.read_bytes(), [root]
    while waiting:
        number = waiting.pop()
        page = whole[(number - 1) * PAGE : number * PAGE]
        if page[0] == pages.LEAF:
            found.append(number)
        else:
            cells = struct.unpack_from(f">{int.from_bytes(page[3:5], 'big')}H", page, 12)
            waiting += [int.from_bytes(page[8:12], "big"), *(int.from_bytes(page[at : at + 4], "big") for at in cells)]
    return sorted(found)


def test_every_row_of_a_sound_file_is_found(folder: Path) -> None:
    saved = salvaged(folder)
    with Project.open(folder) as project:
        assert project.damage == ""
        for table in ("project", "source", "frame", "name", "mention", "face", "decision", "run", "setting"):
            question = f"SELECT * FROM {table} ORDER BY 1, 2"
            assert saved.rows(question) == project.database.rows(question), table
            assert saved.rows(question) or table in ("setting", "run")
    saved.close()


def test_what_only_the_journal_holds_is_found(folder: Path, tmp_path: Path) -> None:
    """A crash leaves the last decisions in the journal beside the file."""
    copy = tmp_path / "copy"
    with Project.open(folder) as project:
        project.decide("Ann", Change("is", face=50, name="In the journal"))
        project.decide("Ann", Change("nobody", face=51))
        project.set_setting("long", "x" * 20_000)  # goes on over several pages
        shutil.copytree(folder, copy)
    assert (copy / f"{FILE}-wal").stat().st_size > 0
    before = len(salvaged(folder).rows("SELECT 1 FROM decision"))
    found = salvaged(copy)
    assert len(found.rows("SELECT 1 FROM decision")) == before == 42
    assert found.rows("SELECT 1 FROM name WHERE text = 'In the journal'")
    assert found.rows("SELECT 1 FROM setting WHERE length(value) = 20000")


def test_half_a_transaction_in_the_journal_is_not_found(folder: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    with Project.open(folder) as project:
        project.decide("Ann", Change("is", face=50, name="whole"))
        project.decide("Ann", Change("is", face=51, name="torn"))
        shutil.copytree(folder, copy)
    journal = copy / f"{FILE}-wal"
    journal.write_bytes(journal.read_bytes()[: -PAGE // 2])
    found = salvaged(copy)
    assert found.rows("SELECT 1 FROM name WHERE text = 'whole'")
    assert not found.rows("SELECT 1 FROM name WHERE text = 'torn'")


@pytest.mark.parametrize("table", ["frame", "face", "decision", "name", "mention"])
def test_one_damaged_page_loses_its_own_rows_and_no_others(folder: Path, table: str) -> None:
    with Project.open(folder) as project:
        before = {name: project.count(name) for name in ("frame", "face", "decision")}
    where = pages_of(folder / FILE, table)
    spoil(folder / FILE, where[-1])
    with Project.open(folder) as project:
        assert project.damage
        assert "\n" not in project.damage
        after = {name: project.count(name) for name in before}
        assert {name: many for name, many in after.items() if name != table} == {
            name: many for name, many in before.items() if name != table
        }
        if table in ("face", "decision"):  # a frame that is lost has a stand-in, if it has faces
            assert 0 < after[table] < before[table]
        queue = project.review.queue()
        assert len(queue.frame) > 0
        for frame in queue.frame[:20].tolist():
            project.review.graph(frame)
        assert project.labels().frames
        assert project.people.named()


def test_the_first_page_may_be_the_damaged_one(folder: Path) -> None:
    """Without it nothing says which tables there are, or where."""
    spoil(folder / FILE, 1)
    with Project.open(folder) as project:
        assert project.count("face") == FACES
        assert len(project.log().entries) == 40
        assert project.title


def test_a_damaged_project_is_not_changed(folder: Path) -> None:
    spoil(folder / FILE, pages_of(folder / FILE, "face")[0])
    before = {
        file: file.read_bytes() for file in folder.rglob("*") if file.is_file() and not file.name.endswith(("-shm", "-wal"))
    }
    with Project.open(folder) as project:
        project.opened()
        project.review.set_place("Ann", 3)
        for change in (
            lambda: project.decide("Ann", Change("nobody", face=1)),
            lambda: project.undo("Ann"),
            lambda: project.review.skip("Ann", 1),
            lambda: project.retitle("other"),
            project.run,
            lambda: project.remove_person("Anna"),
            lambda: project.merge(project),
        ):
            with pytest.raises(BadInput) as refused:
                change()
            assert "\n" not in str(refused.value)
        with pytest.raises(BadInput, match=r"reading alone.*export"):
            project.decide("Ann", Change("nobody", face=1))
    after = {
        file: file.read_bytes() for file in folder.rglob("*") if file.is_file() and not file.name.endswith(("-shm", "-wal"))
    }
    assert after == before


def test_a_damaged_project_is_rescued_by_the_command_line(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spoil(folder / FILE, pages_of(folder / FILE, "frame")[0])
    assert main(["export", "--project", str(folder), "--format", "json", "--out", str(tmp_path / "all.json")]) == 0
    said = capsys.readouterr().err
    assert "damaged" in said
    assert said.count("\n") == 1
    assert main(["import", "--project", str(tmp_path / "new"), str(tmp_path / "all.json")]) == 0
    assert main(["run", "--project", str(tmp_path / "new")]) == 0
    assert main(["correct", "--project", str(folder), "--corrections", _corrections(tmp_path)]) == 2
    with Project.open(tmp_path / "new") as project:
        assert project.damage == ""
        assert len(project.log().entries) == 40
        assert project.log().standing(3).answer is not None
        project.decide("Ann", Change("nobody", face=60))


def _corrections(tmp_path: Path) -> str:
    path = tmp_path / "corrections.json"
    path.write_text(json.dumps([{"face": 1, "kind": "nobody"}]))
    return str(path)


def test_what_cannot_be_saved_is_said(folder: Path) -> None:
    (folder / FILE).write_bytes(np.random.default_rng(0).bytes(50_000))
    with pytest.raises(BadInput, match="beyond saving"):
        Project.open(folder)


def test_a_row_that_only_sqlite_takes_for_sound_is_noticed(folder: Path) -> None:
    """SQLite lets any value into any column; such a row comes from damage, and must not stop a page later."""
    with sqlite3.connect(folder / FILE) as connection:
        connection.execute("UPDATE face SET left_ = 'damage' WHERE id = 3")
    with Project.open(folder) as project:
        assert project.damage
        assert project.count("face") == FACES - 1


def test_a_decision_that_makes_no_sense_is_left_out_of_what_is_saved(folder: Path) -> None:
    with sqlite3.connect(folder / FILE) as connection:
        connection.execute("UPDATE decision SET replaces = '[' WHERE id = 1")
        connection.execute("UPDATE decision SET kind = 'iz' WHERE id = 2")
    with Project.open(folder) as project:
        assert project.damage
        assert len(project.log().entries) == 38


def test_a_damaged_answer_of_a_run_gives_way_to_the_one_before(folder: Path) -> None:
    with Project.open(folder) as project:
        first = known_run(project)
        second = known_run(project)
    (folder / "runs" / f"{second.id:06}.npz").write_bytes(b"PK damaged")
    with Project.open(folder) as project:
        solved = project.solved()
        assert solved is not None
        assert solved.run == first
        assert project.what_changed() == []
        assert project.review.queue("time").left
        third = known_run(project)
        assert project.solved() is not None
        assert project.solved().run == third  # type: ignore[union-attr]


def test_lost_vectors_do_not_stop_the_rest(folder: Path) -> None:
    (folder / "embeddings.f32").write_bytes(b"short")
    with Project.open(folder) as project:
        assert project.review.queue().left
        project.decide("Ann", Change("nobody", face=60))
        with pytest.raises(BadInput, match="vectors are lost or cut short"):
            project.run()
