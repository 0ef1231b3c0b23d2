"""Nicknames join their person where captions and faces agree, and stay apart once a person parted them."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from core.records import NewFace, NewFrame, NewMention, NewSource
from core.store.nicknames import is_short_for
from core.store.project import Change, Project

LOOKS = np.eye(4, dtype=np.float32)
Scene = tuple[str, Sequence[str], Sequence[str]]  # caption, names in it, who is seen (and confirmed)


def film(folder: Path, scenes: Sequence[Scene]) -> Project:
    project = Project.create(folder)
    people = sorted({who for _, _, seen in scenes for who in seen})
    frames = [
        NewFrame(
            caption,
            [NewMention(name, kind="speaker" if f"{name.upper()}:" in caption else "spoken") for name in named],
            [NewFace(LOOKS[people.index(who)]) for who in seen],
            time=float(k),
        )
        for k, (caption, named, seen) in enumerate(scenes)
    ]
    project.add(NewSource("video", "/f.mp4", "f.mp4", "f", 99.0), frames, "made")
    shown = [who for _, _, seen in scenes for who in seen]
    project.decide("me", *[Change("is", face=face.id, name=who) for face, who in zip(project.faces(), shown, strict=True)])
    return project


SCENES: list[Scene] = [
    ("MONICA: Hello.", ["Monica"], ["Monica"]),
    ("Mon, wait!", ["Mon"], ["Monica"]),
    ("ROSS: Mon, come here.", ["Ross", "Mon"], ["Ross", "Monica"]),
    ("Thanks, Mon.", ["Mon"], ["Monica"]),
    *[(f"ROSS: Line {k}.", ["Ross"], ["Ross"]) for k in range(6)],
]


def test_a_short_form_joins_and_can_be_parted_for_good(tmp_path: Path) -> None:
    with film(tmp_path / "p", SCENES) as project:
        (one,) = project.join_nicknames()
        assert (one.nickname, one.name, one.captions, one.seen) == ("Mon", "Monica", 3, 3)
        assert one.reason == "said in 3 captions, and Monica is in view at 3 of them"
        assert "Mon" not in project.names()
        assert project.nicknames() == [one]
        assert [entry.who for entry in project.log().entries if entry.kind == "merge"] == ["Rollcall"]
        project.decide("me", Change("split", name="Monica", other="Mon"))
        assert "Mon" in project.names()
        assert project.nicknames() == []
        assert project.join_nicknames() == []
        project.undo("me")
        assert project.nicknames() == [one]


def test_faces_that_disagree_keep_names_apart(tmp_path: Path) -> None:
    elsewhere = [(text, names, ["Ross"] if "Mon" in names else seen) for text, names, seen in SCENES]
    with film(tmp_path / "p", elsewhere) as project:
        assert project.join_nicknames() == []
    both = [*SCENES, ("Mon and Monica are here.", ["Mon", "Monica"], ["Monica"])]
    with film(tmp_path / "q", both) as project:
        assert project.join_nicknames() == []
    speaks = [*SCENES, ("MON: I am somebody else.", ["Mon"], ["Monica"])]
    with film(tmp_path / "r", speaks) as project:
        assert project.join_nicknames() == []


def test_what_somebody_is_called_joins_with_its_captions(tmp_path: Path) -> None:
    scenes: list[Scene] = [("Great, Doc!", [], ["Emmett"]) for _ in range(4)]
    scenes += [("Doc, look out!", [], ["Emmett", "Marty"])]
    scenes += [("MARTY: Nothing.", ["Marty"], ["Marty"]) for _ in range(8)]
    with film(tmp_path / "p", scenes) as project:
        (one,) = project.join_nicknames()
        assert (one.nickname, one.name, one.captions, one.seen) == ("Doc", "Emmett", 5, 5)
        assert [mention.name for mention in project.mentions(project.frames()[0].id)] == ["Emmett"]
        assert project.remove_person("Emmett") == 5
        assert project.nicknames() == []


def test_short_forms() -> None:
    assert is_short_for("Rach", "Rachel Green")
    assert is_short_for("Bob", "Robert")
    assert not is_short_for("Mo", "Monica")
    assert not is_short_for("Monica", "Monica")
    assert not is_short_for("Ross", "Monica")
