"""Other captions: the names in them are others, and what people said stays."""

from __future__ import annotations

from pathlib import Path

from core.records import NewCaption, NewMention, NewMerge
from core.store.project import Change
from tests.made import made_project


def test_captions_and_names_are_replaced_and_decisions_stay(tmp_path: Path) -> None:
    with made_project(tmp_path / "film", frames=3) as project:
        face = project.faces(0)[0].id
        project.decide("Ann", Change("is", face=face, name="Anna"), Change("mention", frame=0, name="Dev"))
        new = [NewCaption(0, "Zoe and Zoe Lee wait.", [NewMention("Zoe", ((0, 3),)), NewMention("Zoe Lee", ((8, 15),))])]
        project.recaption(new, [NewMerge("Zoe", "Zoe Lee")])
        assert project.frames([0])[0].caption == "Zoe and Zoe Lee wait."
        assert [(mention.name, mention.added) for mention in project.mentions(0)] == [("Zoe Lee", False), ("Dev", True)]
        assert project.mentions(1)
        answer = project.log().standing(face).answer
        assert answer is not None
        assert project.log().text(answer.name) == "Anna"
        assert [entry.who for entry in project.log().entries if entry.kind == "merge"] == ["Rollcall"]
