"""Filters, counts, beginnings and bytes of an export."""

from __future__ import annotations

import csv
import zipfile
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pytest

from core.errors import BadInput
from core.formats.write.exports import EXPORTS, export, unfit
from core.formats.write.outgoing import BEGINNING, begin, counted, file_name, filtered, packed
from core.records import Labels
from core.store.project import Change, Project
from tests.made import made_project


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    made = made_project(tmp_path_factory.mktemp("made") / "film", frames=12)
    made.decide("me", Change("confirm", face=0, name="Anna"), Change("nobody", face=1), Change("is", face=2, name="Zoë"))
    return made


@pytest.fixture(scope="module")
def labels(project: Project) -> Labels:
    return project.labels()


@pytest.mark.parametrize("confirmed", [False, True])
@pytest.mark.parametrize("sure", [0.0, 0.9999, 1.0])
@pytest.mark.parametrize("without", [False, True])
def test_the_filters_are_those_of_the_project(
    project: Project, labels: Labels, confirmed: bool, sure: float, without: bool
) -> None:
    assert filtered(labels, confirmed, sure, without) == project.labels(confirmed, sure, without)


def test_one_source_is_kept(project: Project, labels: Labels) -> None:
    assert filtered(labels, source=1) == labels
    assert filtered(labels, source=2).frames == ()


def test_what_is_counted(project: Project, labels: Labels) -> None:
    found = counted(filtered(labels, confirmed=True))
    assert (found.faces, found.names, found.nobody) == (3, 2, 1)
    assert found.states == {"confirmed": 1, "corrected": 2}
    assert found.frames == len({project.faces(ids=[face])[0].frame for face in (0, 1, 2)})


def test_the_beginning_is_how_the_whole_file_begins(project: Project, labels: Labels, tmp_path: Path) -> None:
    export(labels, "csv", tmp_path / "all.csv")
    with (tmp_path / "all.csv").open(encoding="utf-8", newline="") as file:
        rows = [tuple(row) for row in csv.reader(file)]
    first = begin(labels, "csv")
    assert first.rows == tuple(rows[: BEGINNING + 1])
    assert first.more
    assert not begin(filtered(labels, confirmed=True), "csv").more


@pytest.mark.parametrize(
    "format", [name for name, one in EXPORTS.items() if not one.needs_project and one.needs not in ("pictures", "captions")]
)
def test_every_format_has_a_beginning(project: Project, labels: Labels, format: str) -> None:
    first = begin(labels, format, project.embeddings())
    assert first.rows
    assert first.kind == (
        "files" if not EXPORTS[format].suffix else "table" if format in ("csv", "intervals", "npz") else "text"
    )


def test_why_a_format_does_not_fit(labels: Labels) -> None:
    assert unfit(labels, "csv") == ""
    assert unfit(labels, "json") == ""
    assert "no faces in pictures" in unfit(labels, "xmp")
    assert "no face is left" in unfit(filtered(labels, source=9), "csv")


def test_a_subtitle_file_is_about_one_video(tmp_path: Path) -> None:
    one, other = (made_project(tmp_path / name, frames=12).labels() for name in ("one", "other"))
    second = tuple(replace(frame, source=replace(frame.source, id=7)) for frame in other.frames)
    both = Labels("both", one.frames + second)
    assert unfit(both, "srt") == "it is about one video; choose one of them"
    with pytest.raises(BadInput):
        export(both, "srt", tmp_path / "both.srt")
    assert unfit(filtered(both, source=7), "srt") == ""
    assert unfit(both, "intervals") == ""


def test_a_file_is_packed_as_it_is_and_a_folder_as_a_zip(labels: Labels, tmp_path: Path) -> None:
    export(labels, "csv", tmp_path / "all.csv")
    assert packed(lambda path: export(labels, "csv", path), ".csv") == (tmp_path / "all.csv").read_bytes()
    export(labels, "lfw", tmp_path / "faces")
    with zipfile.ZipFile(BytesIO(packed(lambda path: export(labels, "lfw", path), ""))) as archive:
        files = {
            str(file.relative_to(tmp_path / "faces")): file for file in (tmp_path / "faces").rglob("*") if file.is_file()
        }
        assert set(archive.namelist()) == set(files)
        assert all(archive.read(name) == file.read_bytes() for name, file in files.items())


def test_file_names_are_safe_and_tell_formats_apart() -> None:
    assert file_name("../My film", "csv") == "My film.csv"
    assert file_name("a/b", "lfw") == "a_b-lfw.zip"
    assert file_name("a", "lfw", packed=False) == "a-lfw"
    assert len({file_name("film", format) for format in EXPORTS}) == len(EXPORTS)
