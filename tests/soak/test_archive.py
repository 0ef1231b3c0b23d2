"""A few kills; a hundred are in ``make soak``."""

from pathlib import Path

from core.jobs.archive.flights import Tally
from tests.soak.archive import kill_workers


def test_an_archive_whose_workers_are_killed_is_whole(tmp_path: Path) -> None:
    tally, killed = kill_workers(tmp_path, films=1, kills=1, seed=1)
    assert tally == Tally(done=1, failed=0, left=0, projects=1)
    assert killed == 1
