"""An archive's folder."""

from pathlib import Path

import pytest

from core.errors import BadInput
from core.store.archives.archive import Archive


def test_an_archive_is_made_in_an_empty_folder_alone(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no such folder"):
        Archive.open(tmp_path / "a")
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").touch()
    with pytest.raises(BadInput, match="no archive"):
        Archive.at(tmp_path / "mine")
    Archive.at(tmp_path / "a").close()
    Archive.at(tmp_path / "a").close()
    assert (tmp_path / "a").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("name", ["", ".", "..", "../x", "a/b", "/etc"])
def test_a_projects_name_leads_nowhere_else(name: str, tmp_path: Path) -> None:
    with Archive.at(tmp_path / "a") as archive, pytest.raises(BadInput, match="no project"):
        archive.project_folder(name)
