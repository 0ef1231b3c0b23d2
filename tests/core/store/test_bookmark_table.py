"""Where people left off, and what they put off."""

from __future__ import annotations

from core.store import bookmark_table
from core.store.project import Project


def test_work_resumes_where_one_left_off(project):
    assert project.place("Ann") is None
    project.set_place("Ann", 5)
    project.set_place("Ann", 7)
    with Project.open(project.folder) as again:
        assert again.place("Ann") == 7
        assert again.place("Bob") is None


def test_each_person_skips_for_themselves_and_a_skip_is_noticed(project: Project) -> None:
    database, before = project.database, project.skips_state("Ann")
    project.skip("Ann", 3)
    project.skip("Ann", 5)
    assert sorted(bookmark_table.skipped(database, "Ann").tolist()) == [3, 5]
    assert bookmark_table.skipped(database, "Bob").tolist() == []
    after = project.skips_state("Ann")
    assert after != before
    project.skip("Ann", 3)  # once more, after others
    assert project.skips_state("Ann") != after
    assert project.skips_state("Bob") == 0
