"""Whether a cast list is a film's, by the names that are said in it."""

from core.media.names.cast import Cast
from core.media.names.mentions import find_names
from core.media.speech.fitting import fits

SAID = [
    "I met Monica at the station yesterday evening.",
    "Good morning, Rachel, please come in.",
    "Chandler has not answered any question.",
    "We were waiting for Phoebe until midnight.",
    "The letter was written by Gunther last summer.",
    "Ask Joey where the keys are.",
]
FRIENDS = ["Monica Geller", "Rachel Green", "Chandler Bing", "Phoebe Buffay", "Joey Tribbiani"]
STRANGERS = [f"{first} Hofstadter" for first in ("Leonard", "Penny", "Sheldon", "Howard", "Amy", "Bernadette", "Monica")]


def test_a_list_fits_where_its_people_are_said() -> None:
    assert fits(SAID, FRIENDS)
    assert fits(SAID, ["Gunther"])  # all of a short list
    assert fits(SAID, [*FRIENDS, *STRANGERS])  # a series has more people than an episode
    assert fits(SAID, [])


def test_a_list_of_which_hardly_anybody_is_said_is_another_films() -> None:
    assert not fits(SAID, STRANGERS)
    assert fits(SAID[:4], STRANGERS)  # too few names to tell
    assert fits(["It rained all night.", "Nobody came."], STRANGERS)


def test_of_such_a_list_only_whole_names_count() -> None:
    people = {name: (name,) for name in STRANGERS}
    told = ["Monica is late.", "I met Monica Hofstadter."]
    parts, whole = Cast(people), Cast(people, in_full=True)
    assert [[m.name for m in some] for some in find_names(told, parts).mentions] == [["Monica Hofstadter"]] * 2
    assert [[m.name for m in some] for some in find_names(told, whole).mentions] == [[], ["Monica Hofstadter"]]
