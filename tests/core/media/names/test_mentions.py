"""Names in captions without a cast list."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import BadInput
from core.media.captions.lines import caption_at
from core.media.captions.sources import read_captions
from core.media.captions.tables import read_table
from core.media.names.mentions import find_names
from core.records import NewMention, NewMerge
from tests.core.media.captions.scenes import scenes, subtitles
from tests.core.media.portraits import Album


def named(*captions: str) -> set[str]:
    return {mention.name for mentions in find_names(captions).mentions for mention in mentions}


def merged(*captions: str) -> set[tuple[str, str]]:
    return {(merge.name, merge.into) for merge in find_names(captions).merges}


@pytest.mark.parametrize(
    ("caption", "expected"),
    [
        ("A portrait of Raj.", {"Raj"}),
        ("Raj.", {"Raj"}),
        ("Leonard, Sheldon and Penny sit on the couch.", {"Leonard", "Sheldon", "Penny"}),
        ("Howard, Leonard, Penny and Raj in the living room.", {"Howard", "Leonard", "Penny", "Raj"}),
        ("Bernadette looks at Howard.", {"Bernadette", "Howard"}),
        ("Will opens the door.", {"Will"}),
        ("Grace and Will wait.", {"Grace", "Will"}),
        ("Mark's car is parked outside.", {"Mark"}),
        ("Sheldon’s spot is taken.", {"Sheldon"}),
        ("Bill puts on his hat.", {"Bill"}),
        ("Ray lights a cigar.", {"Ray"}),
        ("Mr. Stark walks in.", {"Stark"}),
        ("Uncle Ben, where is Aunt May?", {"Ben", "May"}),
        ("Detective Miller flashes his badge at the clerk.", {"Miller"}),
        ("Dr. Grey, Dr. Yang and Dr. Karev scrub in.", {"Grey", "Yang", "Karev"}),
        ("O'Brien salutes.", {"O'Brien"}),
        ("Jean-Luc sips his tea.", {"Jean-Luc"}),
        ("A painting by van Gogh hangs above the bed.", {"van Gogh"}),
        ("Zoë laughs.", {"Zoë"}),
        ("Vikram and Sunita argue in Hindi.", {"Vikram", "Sunita"}),
        ("Kenji bows to Master Tanaka.", {"Kenji", "Tanaka"}),
        ("Meanwhile, Fatima and Yusuf board the train to Istanbul.", {"Fatima", "Yusuf"}),
        ("A photograph of Siobhan O'Connor stands on the desk.", {"Siobhan O'Connor"}),
        ("Legolas draws his bow. Gimli laughs.", {"Legolas", "Gimli"}),
        ("RACHEL, COME BACK!", {"Rachel"}),
        ("[Emma sighs]", {"Emma"}),
        ("In Berlin, Lola runs past the Brandenburg Gate.", {"Lola"}),
        ("She looks at Siobhan\nO'Connor.", {"Siobhan O'Connor"}),
        ("J.R. Ewing pours a drink.", {"J.R. Ewing"}),
        ("Ki-taek watches Mr. Park.", {"Ki-taek", "Park"}),
    ],
)
def test_names(caption, expected):
    assert named(caption) == expected


@pytest.mark.parametrize(
    "caption",
    [
        "May I come in?",
        "Will you marry me?",
        "Mark my words, he will be back.",
        "Grace period is over.",
        "Faith in you is all I have.",
        "Hope so.",
        "Bill me later.",
        "Frank talk is what we need.",
        "Rose petals lie on the bed.",
        "Sue them!",
        "Pat the dog.",
        "Merry Christmas!",
        "They fly to Paris on Monday.",
        "April showers bring May flowers.",
        "Oh my God! Mom, look!",
        "Doctor, he is bleeding. Yes, sir. Sir!",
        "He speaks English.",
        "I'm sorry. Don't go.",
        "Suddenly the lights go out.",
        "GET OUT!",
        "GET OUT OF MY HOUSE!",
        "HELP! SOMEBODY CALL THE POLICE!",
        "It could not BE any SOFTER.",
        "OK, turn on the TV.",
        "The FBI and NASA are here.",
        "Previously on the show...",
        "The Starks ride north.",
        "[Laughs] (CHUCKLES) (PHONE RINGING)",
        "Google is in California.",
        "Two Germans and an Italian walk into a bar.",
        "Subtitles by OpenSubtitles.org",
        "Nothing happens. Nobody moves.",
        "Geez, twenty-one? Twenty-one! Mm-hmm.",
        "",
        " \n \n",
    ],
)
def test_no_names(caption):
    assert named(caption) == set()


@pytest.mark.parametrize(
    ("caption", "expected"),
    [
        ("Ross: Rachel!", {"Ross", "Rachel"}),
        ("- ROSS: Hi.\n- RACHEL: Hello.", {"Ross", "Rachel"}),
        ("ROSS GELLER (on phone): Hi.", {"Ross Geller"}),
        ("Dr. Green: Hi.", {"Green"}),
        ("McCOY: Hi.", {"McCoy"}),
        ("DeWITT: Hi.", {"DeWitt"}),
        ("JEAN-LUC: Hi.", {"Jean-Luc"}),
        ("O'BRIEN: Hi.", {"O'Brien"}),
        ("TRINITY: Hi.", {"Trinity"}),
        ("PRINCESS LEIA: Hi.", {"Leia"}),
        ("Ross and Rachel: Hi.", {"Ross", "Rachel"}),
        ("WAITER: Are you ready to order?", {"Waiter"}),
        ("Fireman No. 1: Hi.", {"Fireman No. 1"}),
        ("NARRATOR: Once upon a time.", set()),
        ("MAN 2: Get down!", set()),
        ("ALL: Surprise!", set()),
        ("Note: the door is locked.", set()),
        ("Remember this: never look back.", set()),
        ("Idea: we sell the house.", set()),
        ("PREVIOUSLY ON: The Office", set()),
        ("Warning: high voltage.", set()),
        ("It is 12:30 now.", set()),
    ],
)
def test_speakers(caption, expected):
    assert named(caption) == expected


def test_spans_show_where_a_name_stands():
    captions = ["ROSS: Hi, Rachel.\nRACHEL: Mr. Stark, this is Ross's dog."]
    mentions = {mention.name: mention.spans for mention in find_names(captions).mentions[0]}
    shown = {name: [captions[0][start:stop] for start, stop in spans] for name, spans in mentions.items()}
    assert shown == {"Ross": ["ROSS", "Ross"], "Rachel": ["Rachel", "RACHEL"], "Stark": ["Mr. Stark"]}


def test_what_other_captions_tell():
    """A rare name that acts in one caption is known in the others; a known speaker is, too."""
    assert find_names(["Groot: I am.", "He looks up at Groot."]).mentions[1] == [NewMention("Groot", ((15, 20),))]
    assert find_names(["Legolas draws his bow.", "Legolas and Gimli run."]).mentions[1][0].name == "Legolas"
    assert find_names(["WILL: Hi.", "Will you come?", "Then Will came."]).mentions[1] == []


def test_one_casing_for_a_name():
    found = find_names(["RACHEL: Hi.", "Rachel nods.", "MCCOY: No.", "DeWITT: Yes.", "DeWitt nods."])
    assert [mentions[0].name for mentions in found.mentions] == ["Rachel", "Rachel", "McCoy", "DeWitt", "DeWitt"]
    assert found.merges == []


@pytest.mark.parametrize(
    ("captions", "expected"),
    [
        (("Rachel Green enters.", "Rachel sits."), {("Rachel", "Rachel Green")}),
        (("Rachel Green enters.", "Rachel Karen Green."), {("Rachel Green", "Rachel Karen Green")}),
        (("Tony Stark lands.", "Mr. Stark smiles."), {("Stark", "Tony Stark")}),
        (("Vincent van Gogh paints.", "Van Gogh sleeps."), {("Van Gogh", "Vincent van Gogh")}),
        (("Rachel Green enters.", "Rachel Berry sings.", "Rachel sits."), set()),
        (("Ross Geller enters.", "Monica Geller sings.", "Geller sits."), set()),
        (("RACHEL GREEN: Hi.", "DR. GREEN: Hi."), set()),
        (("Rachel Green enters.", "Mr. Green hugs Rachel."), {("Rachel", "Rachel Green")}),
        (("Rachel: Hi.", "Ross: Hey, Rach!"), {("Rach", "Rachel")}),
        (("Rachel: Hi.", "Rach: Hey!"), set()),
        (("Christine: Hi.", "Chris and Christine wave."), set()),
    ],
)
def test_merges_only_what_is_one_person(captions, expected):
    assert merged(*captions) == expected


def test_a_merge_leaves_the_mention_as_it_is_spelt():
    found = find_names(["Rachel Green enters.", "Rachel sits."])
    assert [mentions[0].name for mentions in found.mentions] == ["Rachel Green", "Rachel"]
    assert found.merges == [NewMerge("Rachel", "Rachel Green")]


def test_mr_and_mrs_are_two():
    captions = ["Mr. Geller nods.", "Mrs. Geller: Hi."]
    assert named(*captions) == {"Mr. Geller", "Mrs. Geller"}
    assert merged(*captions) == set()


def test_given_names_stand_instead_of_found_ones():
    found = find_names(["Ross, Joey and a dog.", "Rex barks."], given=[["Ross", "Rex", " "], None])
    assert found.mentions == [
        [NewMention("Ross", ((0, 4),)), NewMention("Rex", ())],
        [NewMention("Rex", ((0, 3),))],
    ]
    with pytest.raises(BadInput, match="2 captions but 1 lists"):
        find_names(["a", "b"], given=[None])
    assert find_names([]).mentions == []


@settings(max_examples=60)
@given(st.lists(st.one_of(st.text(max_size=60), st.from_regex(r"([A-Z][a-z']{0,5}[ .:\n!-]{1,2}){1,6}", fullmatch=True))))
def test_any_text_has_spans_within_it(captions):
    for caption, mentions in zip(captions, find_names(captions).mentions, strict=True):
        for mention in mentions:
            assert mention.name.strip()
            assert all(0 <= start < stop <= len(caption) for start, stop in mention.spans)
            assert all(caption[start:stop].strip() == caption[start:stop] for start, stop in mention.spans)


def test_the_captions_of_an_album_without_a_cast(album: Album) -> None:
    rows = read_table(album.captions)
    cast = {row.image.split("/")[0].title() for row in rows if "/" in row.image}
    found = find_names([row.caption for row in rows])
    for row, mentions in zip(rows, found.mentions, strict=True):
        assert {mention.name for mention in mentions} == {name for name in cast if name in row.caption}
    assert found.merges == []


@scenes
def test_every_speaker_of_a_scene(
    path: Path | None, many: int, speakers: set[str], short: tuple[str, str], tmp_path: Path
) -> None:
    lines = read_captions(subtitles(path, tmp_path))
    captions = [caption_at(lines, line.start, line.stop, 0.5) for line in lines]
    found = find_names(captions)
    assert {mention.name for mentions in found.mentions for mention in mentions} == {*speakers, short[0]}
    assert found.merges == [NewMerge(*short)]
