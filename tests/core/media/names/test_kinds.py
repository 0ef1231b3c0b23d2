"""How captions mention names: as the speaker, in what is said, in what is described."""

import re

import pytest

from core.media.captions.lines import Line
from core.media.names.kinds import is_dialogue, with_kinds
from core.records import NewMention


def lines(*texts: str) -> list[Line]:
    return [Line(float(k), k + 1.0, text) for k, text in enumerate(texts)]


@pytest.mark.parametrize(
    ("texts", "dialogue"),
    [
        (["Rachel hugs Ross. Monica laughs at Joey.", "Chandler talks to Joey. Gunther is not there."], False),
        (["Where is Joey?", "He left with Ross.", "All right."], True),
        (["I told you so.", "Ross knows."], True),
        (["- Nein, Ross.", "- Doch."], True),
        ([], False),
    ],
)
def test_what_people_say_and_what_is_described(texts: list[str], dialogue: bool) -> None:
    assert is_dialogue(lines(*texts)) is dialogue


def test_speaker_tags_are_dialogue() -> None:
    assert is_dialogue([Line(0, 1, "The house is old.", "Ross"), Line(1, 2, "The garden is new.", "Monica")])


def test_a_name_in_a_tag_speaks_whatever_else_is_said_of_it() -> None:
    caption = "Ross: Joey, it's Ross!\nMonica: Hm."
    mentions = [
        NewMention("Ross", ((0, 4), (17, 21))),
        NewMention("Joey", ((6, 10),)),
        NewMention("Monica", ((23, 29),)),
        NewMention("Rachel"),
    ]
    found = with_kinds(caption, mentions, "spoken")
    assert [(mention.name, mention.kind) for mention in found] == [
        ("Ross", "speaker"),
        ("Joey", "spoken"),
        ("Monica", "speaker"),
        ("Rachel", "spoken"),
    ]


@pytest.mark.parametrize(
    ("caption", "away"),
    [
        ("Ross is not there.", True),
        ("Ross isn't in the room.", True),
        ("Ross and Joey are gone.", True),
        ("They sit without Ross.", True),
        ("Where's Ross?", True),
        ("Ross is not sure.", False),
        ("Ross isn't happy here.", False),
        ("Ross is there.", False),
        ("Ross is not there. Ross comes in.", False),
    ],
)
def test_somebody_may_be_named_because_they_are_away(caption: str, away: bool) -> None:
    spans = tuple((one.start(), one.end()) for one in re.finditer("Ross", caption))
    found = with_kinds(caption, [NewMention("Ross", spans)], "described")
    assert found[0].kind == ("absent" if away else "described")


@pytest.mark.parametrize(
    ("caption", "kind"),
    [
        ("[Ross] Hi there.", "speaker"),
        ("- (Ross) Hi there.", "speaker"),
        ("Hm.\n[Ross and Joey] Hi there.", "speaker"),
        ("[Ross laughs] Hi there.", "spoken"),
        ("[Ross]", "spoken"),
        ("Hi there, [Ross] you know.", "spoken"),
    ],
)
def test_a_line_may_begin_with_its_speaker_in_brackets(caption: str, kind: str) -> None:
    names = [NewMention(name, tuple(one.span() for one in re.finditer(name, caption))) for name in ("Ross", "Joey")]
    found = with_kinds(caption, [mention for mention in names if mention.spans], "spoken")
    assert {mention.kind for mention in found} == {kind}


def test_brackets_name_no_speaker_in_a_description() -> None:
    assert with_kinds("(Ross) He sits.", [NewMention("Ross", ((1, 5),))], "described")[0].kind == "described"
