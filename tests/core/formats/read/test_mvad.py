"""M-VAD Names, on small files in the form its repository describes."""

import json
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.errors import BadInput
from core.formats.read import mvad
from core.records import Box, NewMention

TRACK = [[3, 10, 20, 50, 70], [4, 11, 21, 51, 71], [5, 12, 22, 52, 72]]
FILMS: dict[str, Any] = {
    "IRON_MAN_2": {
        "characters": {"Tony": {"DVS1": [TRACK]}},
        "videos": {"DVS1": {"Tony": [TRACK], "Pepper": [[[0, 1, 2, 3, 4]], TRACK]}, "DVS7": {"Tony": [TRACK]}},
    },
    "TITANIC": {"characters": {}, "videos": {"DVS2": {"Rose": [TRACK]}}},
}
CAPTIONS = "IRON_MAN_2_DVS1.avi\tTony, tired, looks at Antony and tony.\nvideo/TITANIC/TITANIC_DVS2.avi\tRose smiles.\n"


def written(folder: Path, films: Any = FILMS, captions: str = CAPTIONS, rows: int = 5) -> tuple[Path, Path, Path]:
    annotations, features, told = folder / "names.json", folder / "features.npy", folder / "captions.tsv"
    annotations.write_text(json.dumps(films), encoding="utf-8")
    np.save(features, 3 * np.eye(rows, 8) + 1)
    told.write_text(captions, encoding="utf-8")
    return annotations, features, told


def test_films_are_sources_clips_frames_and_tracks_faces(tmp_path: Path) -> None:
    (iron, frames), (titanic, others) = mvad.read(*written(tmp_path))
    assert (iron.kind, iron.title, titanic.title) == ("problem", "IRON_MAN_2", "TITANIC")
    assert [frame.path for frame in frames] == ["IRON_MAN_2_DVS1", "IRON_MAN_2_DVS7"]
    assert [[face.truth for face in frame.faces] for frame in (*frames, *others)] == [
        ["Tony", "Pepper", "Pepper"],
        ["Tony"],
        ["Rose"],
    ]
    assert [face.box for face in frames[0].faces[:2]] == [Box(11, 21, 51, 71), Box(1, 2, 3, 4)]


def test_names_are_found_in_captions_as_words(tmp_path: Path) -> None:
    (_, frames), (_, others) = mvad.read(*written(tmp_path))
    assert list(frames[0].mentions) == [NewMention("Tony", ((0, 4), (33, 37)))]
    assert frames[0].caption[33:37] == "tony"
    assert (frames[1].caption, list(frames[1].mentions)) == ("", [])
    assert list(others[0].mentions) == [NewMention("Rose", ((0, 4),))]


def test_features_are_by_row_at_unit_length(tmp_path: Path) -> None:
    (_, frames), (_, others) = mvad.read(*written(tmp_path))
    faces = [face for frame in (*frames, *others) for face in frame.faces]
    assert [int(np.argmax(face.embedding)) for face in faces] == [0, 1, 2, 3, 4]
    np.testing.assert_allclose([np.linalg.norm(face.embedding) for face in faces], 1, atol=1e-6)


def test_a_pickle_is_never_opened(tmp_path: Path) -> None:
    class Evil:
        def __reduce__(self) -> tuple[Any, tuple[str]]:
            return (Path(tmp_path / "opened").write_text, ("ran",))

    _, features, captions = written(tmp_path)
    for protocol in (0, 4):
        (tmp_path / "a.dat").write_bytes(pickle.dumps({"film": Evil()}, protocol=protocol))
        with pytest.raises(BadInput):
            mvad.read(tmp_path / "a.dat", features, captions)
    (tmp_path / "names.pkl").write_bytes(pickle.dumps(FILMS))
    with pytest.raises(BadInput, match=r"pickle.*json\.dump"):
        mvad.read(tmp_path / "names.pkl", features, captions)
    assert not (tmp_path / "opened").exists()


@pytest.mark.parametrize(
    ("films", "words"),
    [
        ([], "not list"),
        ({}, "no tracks"),
        ({"A": []}, "'videos'"),
        ({"A": {"characters": {}}}, "'videos'"),
        ({"A": {"videos": {"DVS1": []}}}, "clip DVS1"),
        ({"A": {"videos": {"DVS1": {"X": 3}}}}, "X in DVS1 of A"),
        ({"A": {"videos": {"DVS1": {"X": [[]]}}}}, "X in DVS1 of A"),
        ({"A": {"videos": {"DVS1": {"X": [[[1, 2, 3]]]}}}}, "x_min"),
        ({"A": {"videos": {"DVS1": {"X": [[[1, 2, 3, 4, "5"]]]}}}}, "x_min"),
        ({"A": {"videos": {"DVS1": {" ": [[[1, 2, 3, 4, 5]]]}}}}, "list of boxes"),
    ],
)
def test_other_content_is_refused(tmp_path: Path, films: Any, words: str) -> None:
    with pytest.raises(BadInput, match=words) as caught:
        mvad.read(*written(tmp_path, films))
    assert "\n" not in str(caught.value)


def test_what_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"features\.npy: has 4 rows for the 5 tracks"):
        mvad.read(*written(tmp_path, rows=4))
    with pytest.raises(BadInput, match=r"captions\.tsv: has no caption for the film TITANIC"):
        mvad.read(*written(tmp_path, captions="IRON_MAN_2_DVS1.avi\tTony.\n"))
    with pytest.raises(BadInput, match="line 1 has 1 fields"):
        mvad.read(*written(tmp_path, captions="IRON_MAN_2_DVS1.avi Tony.\n"))
    with pytest.raises(BadInput, match=r"line 1 begins with x\.avi"):
        mvad.read(*written(tmp_path, captions="x.avi\tTony.\n"))
    annotations, features, captions = written(tmp_path)
    for gone in (annotations, features, captions):
        gone.rename(tmp_path / "away")
        with pytest.raises(BadInput, match="cannot be read") as caught:
            mvad.read(annotations, features, captions)
        assert str(caught.value).startswith(str(gone))
        (tmp_path / "away").rename(gone)


def test_features_without_direction_are_refused(tmp_path: Path) -> None:
    annotations, features, captions = written(tmp_path)
    for content, words in ((np.zeros((5, 8)), "row 0"), (np.ones(5), "one row a face"), (np.array([["a"]]), "numbers")):
        np.save(features, content)
        with pytest.raises(BadInput, match=words):
            mvad.read(annotations, features, captions)
    np.save(features, np.array([{}]), allow_pickle=True)
    with pytest.raises(BadInput, match="no plain"):
        mvad.read(annotations, features, captions)
