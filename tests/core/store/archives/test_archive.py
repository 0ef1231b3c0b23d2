"""An archive's folder."""

from pathlib import Path

import pytest

from core.errors import BadInput
from core.store.archives.archive import Archive
from tests.made import made_project


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


def test_a_crop_is_read_from_the_projects_own_files_alone(tmp_path: Path) -> None:
    with Archive.at(tmp_path / "tv") as archive:
        with made_project(archive.project_folder("one"), 2) as project:
            crop = project.faces(ids=[1])[0].crop
        assert crop is not None
        assert archive.crop("one", 1) == crop
        crop.parent.rename(tmp_path / "elsewhere")
        crop.parent.symlink_to(tmp_path / "elsewhere")
        assert archive.crop("one", 1) is None
