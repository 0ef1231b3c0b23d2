"""Every format through the one door: written whole or not at all, refused in one sentence."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core.errors import BadInput
from core.formats.write.exports import EXPORTS, export
from core.records import Box, Labels, SourceLine
from tests.core.formats.made import album, face, film, frame, source

EMBEDDINGS = np.eye(40, 48, dtype=np.float32)
OF_LABELS = {name: chosen for name, chosen in EXPORTS.items() if not chosen.needs_project}
FORMATS = pytest.mark.parametrize("name", OF_LABELS)


@pytest.fixture
def labels(tmp_path: Path) -> Labels:
    """Something for every format: a picture and a video, with boxes and crops."""
    crop = tmp_path / "crop.jpg"
    crop.write_bytes(b"jpeg")
    pictures = source(1, "pictures", "p")
    video = frame(0, [face(0, "Ross", crop=crop)], time=1.0)
    read = SourceLine(1, 0, "screen", 1.0, 2.0, "Ross Geller", Box(1, 2, 30, 9), "Ross", 3.5, 0.9)
    both = (video, frame(1, [face(1, "Ross", frame=1, crop=crop)], of=pictures, path="a.jpg"))
    return Labels("t", both, lines=(replace(read, source=video.source.id),))


def target(name: str, folder: Path) -> Path:
    return folder / f"out{EXPORTS[name].suffix}"


@FORMATS
def test_every_format_is_written(tmp_path: Path, labels: Labels, name: str) -> None:
    path = target(name, tmp_path)
    export(labels, name, path, EMBEDDINGS)
    assert path.is_dir() if not EXPORTS[name].suffix else path.stat().st_size > 0
    assert sorted(entry.name for entry in tmp_path.iterdir()) == sorted(["crop.jpg", path.name])


@FORMATS
def test_no_labels_are_refused(tmp_path: Path, name: str) -> None:
    for nothing in (Labels("", ()), film([[], []])):
        with pytest.raises(BadInput, match=r"no face is left.*filter less") as caught:
            export(nothing, name, target(name, tmp_path), EMBEDDINGS)
        assert str(caught.value).startswith(str(target(name, tmp_path)))
    assert list(tmp_path.iterdir()) == []


@FORMATS
def test_a_failure_leaves_nothing_behind(tmp_path: Path, labels: Labels, name: str) -> None:
    """What cannot be written: a place that is not there, and a folder or file in the way."""
    suffix = EXPORTS[name].suffix
    in_the_way = tmp_path / f"way{suffix}"
    if suffix:
        in_the_way.mkdir()
    else:
        in_the_way.mkdir()
        (in_the_way / "precious.txt").write_text("keep me", encoding="utf-8")
    before = sorted(tmp_path.rglob("*"))
    for path in (tmp_path / "nowhere" / f"out{suffix}", in_the_way, tmp_path / "crop.jpg" / f"out{suffix}"):
        with pytest.raises(BadInput) as caught:
            export(labels, name, path, EMBEDDINGS)
        said = str(caught.value)
        assert said.startswith(str(path))
        assert "\n" not in said
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.parametrize("name", [name for name, chosen in OF_LABELS.items() if not chosen.suffix])
def test_a_folder_may_be_there_if_it_is_empty_but_a_file_may_not(tmp_path: Path, labels: Labels, name: str) -> None:
    (tmp_path / "empty").mkdir()
    export(labels, name, tmp_path / "empty", EMBEDDINGS)
    assert any((tmp_path / "empty").iterdir())
    with pytest.raises(BadInput, match="this is a file"):
        export(labels, name, tmp_path / "crop.jpg", EMBEDDINGS)
    assert (tmp_path / "crop.jpg").read_bytes() == b"jpeg"


@pytest.mark.parametrize("name", [name for name, chosen in OF_LABELS.items() if chosen.suffix])
def test_a_file_takes_the_place_of_an_older_one(tmp_path: Path, labels: Labels, name: str) -> None:
    path = target(name, tmp_path)
    path.write_bytes(b"old")
    export(labels, name, path, EMBEDDINGS)
    assert path.read_bytes() != b"old"


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("coco", "not known where"),
        ("label-studio", "not known where"),
        ("cvat", "not known where"),
        ("xmp", "no faces in pictures"),
        ("webvtt", "no face with a name is in a film"),
        ("srt", "no face with a name is in a film"),
        ("intervals", "no face with a name is in a film"),
        ("elan", "no face with a name is in a film"),
        ("lfw", "none of the faces has a picture"),
    ],
)
def test_labels_without_what_a_format_needs_are_refused(tmp_path: Path, name: str, words: str) -> None:
    nowhere = replace(frame(0, [face(0, "A", Box(0, 0, 0, 0))], of=source(kind="problem"), size=(0, 0)))
    with pytest.raises(BadInput, match=f"{words}.*choose"):
        export(Labels("", (nowhere,)), name, target(name, tmp_path))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["csv", "graphml", "npz"])
def test_a_problem_without_boxes_still_leaves(tmp_path: Path, name: str) -> None:
    nowhere = frame(0, [face(0, "A", Box(0, 0, 0, 0))], of=source(kind="problem"), size=(0, 0))
    export(Labels("", (nowhere,)), name, target(name, tmp_path), EMBEDDINGS)
    assert target(name, tmp_path).is_file()


def test_an_unknown_format_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"'x\\ny' is not known; choose one of csv, "):
        export(album(["A"]), "x\ny", tmp_path / "a")


def test_a_problem_file_needs_embeddings(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="needs the faces' embeddings"):
        export(album(["A"]), "npz", tmp_path / "a.npz")


def test_a_whole_project_is_more_than_labels(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="holds a whole project"):
        export(album(["A"]), "json", tmp_path / "a.json")
    assert list(tmp_path.iterdir()) == []


def test_every_format_says_what_it_is() -> None:
    for name, chosen in EXPORTS.items():
        assert chosen.name == name
        assert chosen.what
        assert "\n" not in chosen.what
        assert (chosen.write is None) == (chosen.needs_project or chosen.needs_embeddings)
