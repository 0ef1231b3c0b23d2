"""The front door: whatever the store can do is asked of the project, and the project is asked of nobody inside."""

from __future__ import annotations

from pathlib import Path

from core.store import project as front_door
from core.store.project import Project, system_user
from tests.import_graph import modules


def test_no_function_of_the_store_takes_a_project() -> None:
    inside = {name: path for name, path in modules("core.store".replace(".", "/")).items() if name != "core.store.project"}
    assert len(inside) > 25
    assert [name for name, path in inside.items() if "Project" in words(path)] == []


def words(path: Path) -> set[str]:
    return set(path.read_text(encoding="utf-8").replace("(", " ").replace(")", " ").replace(":", " ").split())


def test_everything_that_the_front_door_offers_is_there() -> None:
    assert [name for name in front_door.__all__ if not hasattr(front_door, name)] == []


def test_a_project_is_closed_when_its_block_ends(tmp_path: Path) -> None:
    with Project.create(tmp_path / "p", "Title") as project:
        assert project.title == "Title"
        assert project.cache == tmp_path / "p" / "cache"
    with Project.open(tmp_path / "p") as again:
        assert (again.title, again.damage, again.troubles()) == ("Title", "", [])


def test_who_decides_has_a_name() -> None:
    assert system_user()
