"""MPII-MD, on small files in the form its public readers take."""

from pathlib import Path

import numpy as np
import pytest

from core.errors import BadInput
from core.formats.read import mpii
from core.records import NewMention

A, B, C = (
    "1005_Signs_00.04.43.000-00.04.45.829",
    "1005_Signs_01.00.00.500-01.00.02.000",
    "0033_Amadeus_00.00.51.926-00.00.54.129",
)
BLANKED = f"{A}\tSOMEONE looks at [...].\n{A}\tSOMEONE nods.\n{B}\tRain falls.\n{C}\tSomeone sings.\n"
PEOPLE = f"{A}\t[1005_PERSON3],[1005_PERSON7]\n{A}\t[1005_PERSON7]\n{B}\t_\n{C}\t[0033_PERSON1]\n"


def written(folder: Path, annotations: str = BLANKED, people: str = PEOPLE) -> tuple[Path, Path, Path]:
    (folder / "a.csv").write_text(annotations, encoding="utf-8")
    (folder / "ids.csv").write_text(people, encoding="utf-8")
    for clip, faces in ((A, 2), (B, 1), (C, 0)):
        path = folder / "faces" / clip[: clip.rfind("_")] / f"{clip}.npy"
        path.parent.mkdir(parents=True, exist_ok=True)
        np.save(path, np.eye(faces, 512) * 3)
    return folder / "a.csv", folder / "faces", folder / "ids.csv"


def test_clips_are_frames_and_their_films_sources(tmp_path: Path) -> None:
    (signs, frames), (amadeus, others) = mpii.read(*written(tmp_path))
    assert (signs.title, amadeus.title, signs.kind) == ("1005_Signs", "0033_Amadeus", "problem")
    assert [(frame.path, frame.time, len(frame.faces)) for frame in (*frames, *others)] == [
        (A, 283.0, 2),
        (B, 3600.5, 1),
        (C, 51.926, 0),
    ]
    np.testing.assert_array_equal(frames[0].faces[1].embedding, np.eye(2, 512)[1])
    assert frames[0].faces[0].truth is None


def test_persons_stand_where_the_sentences_have_gaps(tmp_path: Path) -> None:
    (_, frames), (_, others) = mpii.read(*written(tmp_path))
    assert frames[0].caption == "SOMEONE looks at [...].\nSOMEONE nods."
    assert list(frames[0].mentions) == [
        NewMention("1005_PERSON3", ((0, 7),)),
        NewMention("1005_PERSON7", ((17, 22), (24, 31))),
    ]
    assert list(frames[1].mentions) == []
    assert list(others[0].mentions) == [NewMention("0033_PERSON1", ((0, 7),))]


def test_gaps_that_do_not_count_up_leave_the_places_open(tmp_path: Path) -> None:
    people = PEOPLE.replace("[1005_PERSON3],[1005_PERSON7]", "[1005_PERSON3]")
    (_, frames), _ = mpii.read(*written(tmp_path, people=people))
    assert list(frames[0].mentions) == [NewMention("1005_PERSON3", ()), NewMention("1005_PERSON7", ((24, 31),))]


def test_the_challenges_six_columns_and_names_in_sentences(tmp_path: Path) -> None:
    times = "00.04.43.000\t00.04.45.829\t00.04.43.000\t00.04.45.829"
    annotations, faces, _ = written(tmp_path, f"{A}\t{times}\tGraham Hess sees Merrill.\n")
    ((_, frames),) = mpii.read(annotations, faces, names=["Merrill", "Graham Hess", "Bo"])
    assert list(frames[0].mentions) == [NewMention("Graham Hess", ((0, 11),)), NewMention("Merrill", ((17, 24),))]


def test_published_face_files_begin_with_six_other_numbers(tmp_path: Path) -> None:
    annotations, faces, people = written(tmp_path)
    np.save(faces / "1005_Signs" / f"{A}.npy", np.hstack([np.full((1, 6), 9.0), np.eye(1, 512)]))
    (_, frames), _ = mpii.read(annotations, faces, people)
    np.testing.assert_array_equal(frames[0].faces[0].embedding, np.eye(1, 512)[0])


def test_clips_without_a_face_file_are_left_out(tmp_path: Path) -> None:
    annotations, faces, people = written(tmp_path)
    (faces / "1005_Signs" / f"{B}.npy").unlink()
    (_, frames), _ = mpii.read(annotations, faces, people)
    assert [frame.path for frame in frames] == [A]


def test_old_files_that_are_no_utf8_are_read(tmp_path: Path) -> None:
    annotations, faces, people = written(tmp_path)
    annotations.write_bytes(BLANKED.replace("Rain", "Caf\xe9").encode("cp1252"))
    (_, frames), _ = mpii.read(annotations, faces, people)
    assert frames[1].caption == "Café falls."


def test_what_is_missing_is_named(tmp_path: Path) -> None:
    annotations, faces, people = written(tmp_path)
    with pytest.raises(BadInput, match=r"a\.csv: nothing says who is meant.*onlyIDs"):
        mpii.read(annotations, faces)
    with pytest.raises(BadInput, match=r"nowhere: there is no such folder"):
        mpii.read(annotations, tmp_path / "nowhere", people)
    with pytest.raises(BadInput, match=rf"no faces for any clip.*{A}\.npy"):
        mpii.read(annotations, tmp_path, people)
    with pytest.raises(BadInput, match=r"gone\.csv: cannot be read"):
        mpii.read(tmp_path / "gone.csv", faces, people)


@pytest.mark.parametrize(
    ("annotations", "people", "words"),
    [
        ("no tabs here\n", PEOPLE, "line 1 has 1 fields, not 2 or 6"),
        ("1005_Signs\tText.\n", "1005_Signs\t_\n", "line 1 begins with 1005_Signs, which is no clip"),
        (BLANKED, PEOPLE.replace(B, C), "from line 3 on"),
        (BLANKED, PEOPLE + f"{B}\t_\n", "from line 5 on"),
        ("", "", "no faces for any clip"),
    ],
)
def test_other_content_is_refused(tmp_path: Path, annotations: str, people: str, words: str) -> None:
    with pytest.raises(BadInput, match=words) as caught:
        mpii.read(*written(tmp_path, annotations, people))
    assert "\n" not in str(caught.value)


def test_features_of_two_kinds_are_refused(tmp_path: Path) -> None:
    annotations, faces, people = written(tmp_path)
    np.save(faces / "1005_Signs" / f"{B}.npy", np.eye(1, 128))
    with pytest.raises(BadInput, match=r"different lengths \(128, 512\)"):
        mpii.read(annotations, faces, people)
