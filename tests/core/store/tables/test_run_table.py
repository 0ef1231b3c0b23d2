"""The table of runs."""

from __future__ import annotations

from dataclasses import replace

from core.store.project import Project
from core.store.tables import run_table


def test_runs_come_in_order_and_a_number_is_never_given_again(project: Project) -> None:
    (first,) = run_table.read(project.database)
    second = run_table.insert(project.database, replace(first, method="dbgae", accuracy=None))
    assert run_table.last(project.database) == second
    assert run_table.last(project.database, before=second) == first.id
    assert run_table.last(project.database, before=first.id) is None
    assert run_table.read(project.database, second) == [replace(first, id=second, method="dbgae", accuracy=None)]
    run_table.remove(project.database, second)
    assert run_table.insert(project.database, first) == second + 1
