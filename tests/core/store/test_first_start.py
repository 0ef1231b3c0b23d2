from __future__ import annotations

from pathlib import Path

import pytest

from core.store.first_start import MARK, seed_demo
from core.store.project import Project
from tests.made import made_project


@pytest.fixture
def shipped(tmp_path: Path) -> Path:
    made_project(tmp_path / "shipped", frames=4).close()
    return tmp_path / "shipped"


@pytest.fixture
def projects(tmp_path: Path) -> Path:
    (tmp_path / "projects").mkdir()
    return tmp_path / "projects"


def test_the_demo_is_there_on_the_first_start_and_whole(projects: Path, shipped: Path) -> None:
    place = seed_demo(projects, shipped)
    assert place == projects / "demo"
    with Project.open(place) as project, Project.open(shipped) as original:
        assert project.title == "shipped"
        assert original.title == "shipped"
        assert project.count("face") == original.count("face") > 0
        assert all(face.crop is not None and face.crop.is_file() for face in project.faces())
        assert project.current_labels().confidence.min() > 0
    assert sorted(path.name for path in projects.iterdir()) == [MARK, "demo"]
    assert seed_demo(projects, shipped) is None


def test_whoever_deleted_it_is_not_given_it_again(projects: Path, shipped: Path) -> None:
    place = seed_demo(projects, shipped)
    assert place is not None
    Project.remove(place)
    assert seed_demo(projects, shipped) is None
    assert [path.name for path in projects.iterdir()] == [MARK]


def test_it_is_not_put_beside_projects_that_are_there(projects: Path, shipped: Path) -> None:
    Project.create(projects / "mine").close()
    assert seed_demo(projects, shipped) is None
    assert [path.name for path in projects.iterdir()] == ["mine"]


def test_without_a_shipped_demo_nothing_happens_and_a_later_one_comes(projects: Path, shipped: Path, tmp_path: Path) -> None:
    assert seed_demo(projects, tmp_path / "none") is None
    assert list(projects.iterdir()) == []
    assert seed_demo(projects, shipped) is not None


def test_a_broken_copy_leaves_nothing_behind(projects: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    broken.mkdir()
    (broken / "project.sqlite").write_bytes(b"no database" * 500)
    with pytest.raises(ValueError, match="damaged"):
        seed_demo(projects, broken)
    assert list(projects.iterdir()) == []
