from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from core.errors import BadInput
from core.jobs import intake
from core.jobs.intake import Sorted
from core.jobs.requests import IngestPictures, IngestProblem, IngestVideo
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
        (["a.jpg", "a.jpg.xmp", "t.csv"], Sorted("pictures", ("a.jpg", "a.jpg.xmp"), "t.csv")),
        (["clip/a.mp4", "clip/a.srt", "clip/a.nfo"], Sorted("video", ("clip/a.mp4",), "clip/a.srt", ("clip/a.nfo",))),
        (["one/a.jpg", "t.csv"], Sorted("pictures", ("one/a.jpg",), "t.csv")),
        (
            ["our/ann/1.jpg", "our/t.csv", "our/more.csv", "our/bob/1.jpg", "our/.picasa.ini", "our/a.mp4", "our/why.docx"],
            Sorted(
                "pictures",
                ("our/ann/1.jpg", "our/bob/1.jpg", "our/t.csv", "our/more.csv", "our/.picasa.ini"),
                None,
                ("our/a.mp4", "our/why.docx"),
            ),
        ),
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
        (["our/film.mp4", "our/poster.jpg"], "our/film.mp4 and our/poster.jpg do not go together"),
    ],
)
def test_what_does_not_go_together_is_refused(names: list[str], message: str) -> None:
    with pytest.raises(BadInput, match=message):
        intake.sort_out(names)


def test_what_a_dropped_folder_holds_besides_is_told() -> None:
    pictures = [f"our/{number}.jpg" for number in range(3)]
    assert intake.sort_out(pictures).left_out() == ""
    assert intake.sort_out([*pictures, "our/a.mp4"]).left_out() == "left out, as it is of another kind: a.mp4"
    others = ["our/1.pdf", "our/2.pdf", "our/x/3.pdf", "our/4.pdf"]
    told = "left out, as they are of another kind: 1.pdf, 2.pdf, 3.pdf and 1 more"
    assert intake.sort_out([*pictures, *others]).left_out() == told


def test_paths_on_this_machine(tmp_path: Path, video: Path) -> None:
    offer = intake.on_this_machine(f' "{video}" ', captions=str(tmp_path / "film.srt"))
    assert offer == IngestVideo(video, tmp_path / "film.srt")
    assert intake.on_this_machine(str(tmp_path)) == IngestPictures(tmp_path)
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
    intake.check(IngestVideo(video, captions, cast))
    captions.write_text("no times at all")
    with pytest.raises(BadInput, match=r"film\.srt: no line"):
        intake.check(IngestVideo(video, captions))
    cast.write_text("")
    with pytest.raises(BadInput, match=r"cast\.txt"):
        intake.check(IngestVideo(video, cast=cast))
    with pytest.raises(BadInput, match="cannot be taken"):
        intake.check(IngestVideo(video, every=0.0))
    with pytest.raises(BadInput, match=r"film\.srt: this is no video"):
        intake.check(IngestVideo(captions))


def test_pictures_and_problems_are_checked(tmp_path: Path) -> None:
    folder, table = tmp_path / "pictures", tmp_path / "table.csv"
    folder.mkdir()
    with pytest.raises(BadInput, match="no picture in it"):
        intake.check(IngestPictures(folder))
    Image.new("RGB", (8, 8)).save(folder / "a.jpg")
    table.write_text("image,caption\na.jpg,Anna waits.\n")
    intake.check(IngestPictures(folder, table))
    table.write_text("picture,words\na.jpg,Anna waits.\n")
    with pytest.raises(BadInput, match=r"table\.csv: .*image"):
        intake.check(IngestPictures(folder, table))
    problem = tmp_path / "p.npz"
    np.savez(problem, features=np.zeros((2, 3)))
    with pytest.raises(BadInput, match=r"p\.npz"):
        intake.check(IngestProblem(problem))
    with pytest.raises(BadInput, match="holds its names itself"):
        intake.offered("problem", problem, table)


def test_the_request_says_what_was_chosen() -> None:
    offer = IngestVideo(Path("/f/film.mp4"), Path("/f/film.srt"), Path("/f/cast.txt"))
    chosen = intake.with_choices(offer, "Eva", "every", 2.5, 1.0)
    assert chosen == replace(offer, every=2.5, window=1.0, who="Eva")
    assert intake.with_choices(offer, "Eva", "shot", 2.5, 0.0) == replace(offer, per_shot=True, who="Eva")
    assert intake.with_choices(offer, "", "caption", 2.5, 0.0) == offer
    pictures = IngestPictures(Path("/f/all.zip"))
    assert intake.with_choices(pictures, "Eva", "every", 2.0, 1.0) == replace(pictures, who="Eva")
    problem = IngestProblem(Path("/f/p.npz"))
    assert intake.with_choices(problem, "Eva", "every", 2.0, 1.0) == problem


def test_every_path_of_an_offer_is_known() -> None:
    offer = IngestVideo(Path("/f/film.mp4"), people=Path("/f/people"), who="Eva")
    assert intake.paths(offer) == [Path("/f/film.mp4"), Path("/f/people")]
    assert intake.paths(IngestProblem(Path("/f/p.npz"))) == [Path("/f/p.npz")]


def test_titles_are_for_people() -> None:
    assert intake.title_for(["/films/the_big-film.2019.mkv"]) == "The big film 2019"
    assert intake.title_for(["a.jpg", "b.jpg"]) == "Pictures"
    assert intake.title_for(["2010.05 trip/a.jpg", "2010.05 trip/b.jpg"]) == "2010 05 trip"
    assert intake.title_for(["/photos/2010.05 trip"]) == "2010 05 trip"
