"""Where people left off, and what they put off."""

from __future__ import annotations

from core.store.project import Project
from core.store.tables import bookmark_table


def test_work_resumes_where_one_left_off(project):
    assert project.review.place("Ann") is None
    project.review.set_place("Ann", 5)
    project.review.set_place("Ann", 7)
    with Project.open(project.folder) as again:
        assert again.review.place("Ann") == 7
        assert again.review.place("Bob") is None


def test_each_person_skips_for_themselves_and_a_skip_is_noticed(project: Project) -> None:
    database, before = project.database, project.review.skips_state("Ann")
    project.review.skip("Ann", 3)
    project.review.skip("Ann", 5)
    assert sorted(bookmark_table.skipped(database, "Ann").tolist()) == [3, 5]
    assert bookmark_table.skipped(database, "Bob").tolist() == []
    after = project.review.skips_state("Ann")
    assert after != before
    project.review.skip("Ann", 3)  # once more, after others
    assert project.review.skips_state("Ann") != after
    assert project.review.skips_state("Bob") == 0
