from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from core import intake
from core.errors import BadInput
from core.intake import Offer, Sorted
from core.project import Project
from tests.core.media.films import film, noisy

SRT = "1\n00:00:00,000 --> 00:00:01,000\nAnna waits.\n"


@pytest.fixture
def video(tmp_path: Path) -> Path:
    return film(tmp_path / "film.mp4", [noisy(0)] * 5)


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["film.MP4", "film.srt"], Sorted("video", ("film.MP4",), "film.srt")),
        (["film.mkv"], Sorted("video", ("film.mkv",), None)),
        (["b.jpg", "table.csv", "a.PNG"], Sorted("pictures", ("b.jpg", "a.PNG"), "table.csv")),
        (["all.zip", "table.json"], Sorted("pictures", ("all.zip",), "table.json")),
        (["bbt.npz"], Sorted("problem", ("bbt.npz",), None)),
        (["Lost.mat"], Sorted("problem", ("Lost.mat",), None)),
    ],
)
def test_files_are_told_by_their_names(names: list[str], expected: Sorted) -> None:
    assert intake.sort_out(names) == expected


@pytest.mark.parametrize(
    ("names", "message"),
    [
        ([], "nothing here yet"),
        (["film.srt"], "captions alone are not enough"),
        (["film.mp4", "a.jpg"], "film.mp4 and a.jpg do not go together"),
        (["a.mp4", "b.mp4"], "a.mp4 and b.mp4 are two"),
        (["film.mp4", "a.srt", "b.vtt"], "a.srt and b.vtt are both captions"),
        (["bbt.npz", "a.srt"], "holds its names itself"),
        (["letter.docx"], "letter.docx: this kind of file is not known"),
    ],
)
def test_what_does_not_go_together_is_refused(names: list[str], message: str) -> None:
    with pytest.raises(BadInput, match=message):
        intake.sort_out(names)


def test_paths_on_this_machine(tmp_path: Path, video: Path) -> None:
    offer = intake.on_this_machine(f' "{video}" ', captions=str(tmp_path / "film.srt"))
    assert (offer.kind, offer.main, offer.captions, offer.cast) == ("video", video, tmp_path / "film.srt", None)
    assert intake.on_this_machine(str(tmp_path)).kind == "pictures"
    with pytest.raises(BadInput, match="no such file"):
        intake.on_this_machine(str(tmp_path / "none.mp4"))
    with pytest.raises(BadInput, match="no path is given"):
        intake.on_this_machine("  ")
    Image.new("RGB", (8, 8)).save(tmp_path / "a.jpg")
    with pytest.raises(BadInput, match="give the folder that it lies in"):
        intake.on_this_machine(str(tmp_path / "a.jpg"))


def test_a_good_offer_passes_and_a_bad_part_is_told_at_once(tmp_path: Path, video: Path) -> None:
    captions, cast = tmp_path / "film.srt", tmp_path / "cast.txt"
    captions.write_text(SRT)
    cast.write_text("Anna Karenina, Anna\n")
    intake.check(Offer("video", video, captions, cast))
    captions.write_text("no times at all")
    with pytest.raises(BadInput, match=r"film\.srt: no line"):
        intake.check(Offer("video", video, captions))
    cast.write_text("")
    with pytest.raises(BadInput, match=r"cast\.txt"):
        intake.check(Offer("video", video, cast=cast))
    with pytest.raises(BadInput, match="cannot be taken"):
        intake.check(Offer("video", video, every=0.0))
    with pytest.raises(BadInput, match=r"film\.srt: this is no video"):
        intake.check(Offer("video", captions))


def test_pictures_and_problems_are_checked(tmp_path: Path) -> None:
    folder, table = tmp_path / "pictures", tmp_path / "table.csv"
    folder.mkdir()
    with pytest.raises(BadInput, match="no picture in it"):
        intake.check(Offer("pictures", folder))
    Image.new("RGB", (8, 8)).save(folder / "a.jpg")
    table.write_text("image,caption\na.jpg,Anna waits.\n")
    intake.check(Offer("pictures", folder, table))
    table.write_text("picture,words\na.jpg,Anna waits.\n")
    with pytest.raises(BadInput, match=r"table\.csv: .*image"):
        intake.check(Offer("pictures", folder, table))
    problem = tmp_path / "p.npz"
    np.savez(problem, features=np.zeros((2, 3)))
    with pytest.raises(BadInput, match=r"p\.npz"):
        intake.check(Offer("problem", problem))
    with pytest.raises(BadInput, match="holds its names itself"):
        intake.check(Offer("problem", problem, table))


def test_the_command_line_says_what_was_chosen(tmp_path: Path) -> None:
    with Project.create(tmp_path / "p") as project:
        offer = Offer("video", Path("/f/film.mp4"), Path("/f/film.srt"), Path("/f/cast.txt"))
        words = intake.with_sampling(offer, "every", 2.5, 1.0).words(project, "Eva")
        assert words[:3] == ["ingest", "--project", str(tmp_path / "p")]
        options = "--video /f/film.mp4 --captions /f/film.srt --cast /f/cast.txt --every 2.5 --window 1 --as Eva"
        assert " ".join(words[3:]) == options
        assert "--per-shot" in intake.with_sampling(offer, "shot", 2.5, 0.0).words(project, "Eva")
        pictures = intake.with_sampling(Offer("pictures", Path("/f/all.zip")), "every", 2.0, 1.0)
        assert pictures.words(project, "Eva")[3:] == ["--images", "/f/all.zip", "--as", "Eva"]
        assert Offer("problem", Path("/f/p.npz")).words(project, "Eva")[3:] == ["--problem", "/f/p.npz"]


@pytest.mark.parametrize(
    "name",
    ["../../secret.jpg", "/etc/passwd", "a/../../b.jpg", "..\\..\\b.jpg", ".hidden", "...", "", "a\x00b.jpg", "é" * 300],
)
def test_no_uploaded_name_leads_out_of_its_folder(tmp_path: Path, name: str) -> None:
    place = tmp_path / "uploads"
    path = intake.put(place, name, b"content")
    assert path.resolve().is_relative_to(place)
    assert path.read_bytes() == b"content"
    assert not path.name.startswith(".")


def test_uploads_of_one_name_both_stay_and_folders_are_kept(tmp_path: Path) -> None:
    paths = [intake.put(tmp_path, "Ross Geller/01.jpg", text) for text in (b"a", b"b", b"c")]
    assert [path.relative_to(tmp_path).as_posix() for path in paths] == [
        "Ross Geller/01.jpg", "Ross Geller/01 2.jpg", "Ross Geller/01 3.jpg",
    ]  # fmt: skip
    assert [path.read_bytes() for path in paths] == [b"a", b"b", b"c"]


def test_folders_for_projects_read_well_and_are_new(tmp_path: Path) -> None:
    assert intake.new_folder(tmp_path, "Große Pause: Teil 2!").name == "groe-pause-teil-2"
    assert intake.new_folder(tmp_path, "../..").name == "project"
    assert intake.new_folder(tmp_path, "映画").name == "project"
    (tmp_path / "film").mkdir()
    assert intake.new_folder(tmp_path, "Film").name == "film-2"


def test_titles_and_messages_are_for_people(tmp_path: Path) -> None:
    assert intake.title_for(["/films/the_big-film.2019.mkv"]) == "The big film 2019"
    assert intake.title_for(["a.jpg", "b.jpg"]) == "Pictures"
    assert intake.in_short(f"{tmp_path}/3/film.srt: no text; see {tmp_path}/a.b", tmp_path) == "film.srt: no text; see a.b"
