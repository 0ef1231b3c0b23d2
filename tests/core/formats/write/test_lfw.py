"""Faces by name, as scikit-learn's reader of Labeled Faces in the Wild takes them."""

import csv
from pathlib import Path

import pytest
from hypothesis import given
from PIL import Image

from core.errors import BadInput
from core.formats.write import lfw
from core.formats.write.folder import LONGEST, safe_part
from core.records import Labels
from tests.core.formats.made import HOSTILE, NAMES, face, frame


@pytest.fixture(scope="session")
def crop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("crops") / "0.jpg"
    Image.new("RGB", (250, 250), (200, 30, 30)).save(path)
    return path


def people(names: list[str], crop: Path | None) -> Labels:
    return Labels("", (frame(0, [face(k, name, crop=crop) for k, name in enumerate(names)]),))


def listed(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def test_pictures_are_copied_into_folders_by_name(tmp_path: Path, crop: Path) -> None:
    lfw.write(people(["Ross Geller", "", "Ross Geller"], crop), tmp_path / "out")
    assert listed(tmp_path / "out") == [
        "Ross_Geller/Ross_Geller_0001.jpg",
        "Ross_Geller/Ross_Geller_0002.jpg",
        "names.csv",
        "nobody/nobody_0001.jpg",
    ]
    copy = tmp_path / "out/Ross_Geller/Ross_Geller_0001.jpg"
    assert copy.read_bytes() == crop.read_bytes()
    copy.write_bytes(b"")  # and the project's picture is its own
    assert crop.stat().st_size


def test_scikit_learn_reads_the_folder(tmp_path: Path, crop: Path) -> None:
    from sklearn.datasets._lfw import _fetch_lfw_people  # takes a second to load

    lfw.write(people(["Ross Geller", "", "Zoë", "Ross Geller"], crop), tmp_path / "out")
    pictures, target, names = _fetch_lfw_people(str(tmp_path / "out"), resize=0.1)
    assert names.tolist() == ["Ross Geller", "Zoë", "nobody"]
    assert sorted(target.tolist()) == [0, 0, 1, 2]
    assert pictures.shape[0] == 4


def test_hostile_names_stay_inside_and_apart(tmp_path: Path, crop: Path) -> None:
    (tmp_path / "a").mkdir()
    lfw.write(people(["", *HOSTILE], crop), tmp_path / "a" / "out")
    folders = [path for path in (tmp_path / "a" / "out").iterdir() if path.is_dir()]
    assert [path.name for path in (tmp_path / "a").iterdir()] == ["out"]
    assert len(folders) == len(HOSTILE) + 1
    assert len({path.name.casefold() for path in folders}) == len(folders)
    assert all(len(list(path.iterdir())) == 1 for path in folders)
    with (tmp_path / "a/out/names.csv").open(encoding="utf-8", newline="") as file:
        rows = {row["name"]: row["folder"] for row in csv.DictReader(file)}
    assert rows["a/b"] == "a_b"
    assert rows["nobody"] == "nobody-2"
    assert rows[""] == "nobody"
    assert {rows["Ross Geller"], rows["ross geller"]} == {"Ross_Geller", "ross_geller-2"}


@given(name=NAMES)
def test_any_name_is_one_part_of_a_path(name: str) -> None:
    part = safe_part(name)
    assert part not in ("", ".", "..")
    assert not set(part) & set('/\\:*?"<>|\0')
    assert not part.startswith((".", " "))
    assert not part.endswith((".", " "))
    assert len(part.encode()) <= LONGEST + 1
    assert Path(part).name == part
    assert part.split(".")[0].upper() not in {"CON", "PRN", "AUX", "NUL", "COM1", "LPT9"}


def test_faces_without_a_picture_are_left_out(tmp_path: Path, crop: Path) -> None:
    faces = [face(0, "A", crop=crop), face(1, "B"), face(2, "C", crop=tmp_path / "gone.jpg")]
    lfw.write(Labels("", (frame(0, faces),)), tmp_path / "out")
    assert listed(tmp_path / "out") == ["A/A_0001.jpg", "names.csv"]


def test_no_pictures_at_all_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="none of the faces has a picture"):
        lfw.write(people(["A"], None), tmp_path / "out")
    assert list(tmp_path.iterdir()) == []
