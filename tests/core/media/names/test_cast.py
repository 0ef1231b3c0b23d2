"""Cast lists: how they are written, who is meant by a name, and where the cast is named."""

import json
import subprocess
import sys

import pytest

from core.errors import BadInput
from core.media.names import language
from core.media.names.mentions import Cast, find_names, read_cast


def written(folder, content, name="cast.txt", encoding="utf-8"):
    path = folder / name
    path.write_bytes(content.encode(encoding))
    return path


def people(*lines: str) -> Cast:
    return Cast({line.split(", ")[0]: tuple(line.split(", ")) for line in lines})


def named(caption: str, cast: Cast) -> set[str]:
    return {mention.name for mention in find_names([caption], cast).mentions[0]}


FRIENDS = people("Chandler Bing, Chandler, Bing", "Rachel Green, Rach", "Dr. Green", "Ross")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_text(tmp_path, encoding):
    content = "# the cast\r\nChandler Bing, Chandler,  Bing\r\n\r\nZoë\r\n"
    cast = read_cast(written(tmp_path, content, encoding=encoding))
    assert cast == Cast({"Chandler Bing": ("Chandler Bing", "Chandler", "Bing"), "Zoë": ("Zoë",)})


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("cast.csv", "name;aliases\nChandler Bing;Chandler|Bing\nRoss;\n"),
        ("cast.csv", 'Chandler Bing,"Chandler;Bing"\nRoss\n'),
        ("cast.json", json.dumps({"Chandler Bing": ["Chandler", "Bing"], "Ross": []})),
        ("cast.json", json.dumps([["Chandler Bing", "Chandler", "Bing"], "Ross"])),
        ("cast.json", json.dumps([{"name": "Chandler Bing", "aliases": ["Chandler", "Bing"]}, {"name": "Ross"}])),
        ("cast.txt", "Chandler Bing\tChandler\tBing\nRoss\n"),
        ("cast.txt", "Chandler Bing, Chandler\nRoss\nChandler Bing, Bing"),
    ],
)
def test_other_ways_to_write_it(tmp_path, name, content):
    cast = read_cast(written(tmp_path, content, name))
    assert cast == Cast({"Chandler Bing": ("Chandler Bing", "Chandler", "Bing"), "Ross": ("Ross",)})


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("cast.txt", "", "the file is empty"),
        ("cast.txt", "# nobody\n , ,\n", "names nobody"),
        ("cast.json", "[", "not JSON"),
        ("cast.json", "3", "a JSON list of people, not int"),
        ("cast.json", "[[]]", "person 1 is"),
        ("cast.json", '["Ross", {"aliases": ["R"]}]', "person 2 is"),
        ("cast.json", "[]", "names nobody"),
    ],
)
def test_refuses_in_one_sentence(tmp_path, name, content, says):
    path = written(tmp_path, content, name)
    with pytest.raises(BadInput, match=says) as error:
        read_cast(path)
    assert str(error.value).startswith(f"{path}: ")


@pytest.mark.parametrize(
    ("caption", "expected"),
    [
        ("CHANDLER: Hi.", {"Chandler Bing"}),
        ("Mr. Bing's hat is gone.", {"Chandler Bing"}),
        ("chandler sits.", {"Chandler Bing"}),
        ("Chandler Bing sits.", {"Chandler Bing"}),
        ("Chandlers are sold.", set()),
        ("Dr. Green nods.", {"Dr. Green"}),
        ("Rachel nods.", {"Rachel Green"}),
        ("Rach nods at Ross’s dog.", {"Rachel Green", "Ross"}),
        ("Monica and Phoebe wave. JOEY: Hi.", set()),
    ],
)
def test_the_cast_and_nobody_else(caption, expected):
    assert named(caption, FRIENDS) == expected


def test_mentions_have_spans_and_no_merges():
    found = find_names(["Chandler! CHANDLER BING!"], FRIENDS)
    assert found.mentions[0][0].spans == ((0, 8), (10, 23))
    assert found.merges == []


def test_an_alias_of_two_people_names_both():
    cast = people("Rachel Green, Green", "Leonard Green, Green")
    assert named("Green nods.", cast) == {"Rachel Green", "Leonard Green"}
    assert named("Leonard nods.", cast) == {"Leonard Green"}


def test_a_surname_that_two_share_names_nobody_unless_it_is_an_alias():
    assert named("Geller nods.", people("Ross Geller", "Monica Geller")) == set()
    assert named("Geller nods.", people("Ross Geller", "Monica")) == {"Ross Geller"}


@pytest.mark.parametrize(
    ("caption", "expected"),
    [
        ("Will you come?", set()),
        ("I will, said Grace.", {"Grace"}),
        ("Will opens the door.", {"Will"}),
        ("WILL: You will see.", {"Will"}),
        ("I hope so. Hope so!", set()),
        ("May I?", set()),
        ("Mark my words.", set()),
        ("Grace and Will wait for Mark.", {"Grace", "Will", "Mark"}),
        ("GRACE PERIOD IS OVER.", set()),
    ],
)
def test_names_that_are_words_too(caption, expected):
    assert named(caption, people("Will", "Grace", "Mark", "Hope", "May")) == expected


@pytest.mark.parametrize(
    ("cast", "caption"),
    [
        ("Анна", "Там АННА открывает дверь."),
        ("太郎", "部屋に太郎が入る。"),
        ("철수", "그리고 철수가 온다."),
        ("أحمد", "دخل وأحمد الغرفة"),
        ("דוד", "אז דוד נכנס."),
        ("สมชาย", "คุณสมชายมาแล้ว"),
        ("Zoë", "Here is ZOË."),
        ("Jean-Luc", "Here is Jean-Luc's tea."),
    ],
)
def test_other_scripts(cast, caption):
    assert named(caption, people(cast)) == {cast}


def test_a_word_that_only_holds_the_name_is_no_mention():
    assert named("Маннаяна. Rossini sings.", people("Анна", "Ross")) == set()


def test_names_of_a_table_become_the_cast_s():
    found = find_names(["Rach and a dog."], FRIENDS, given=[["Rach", "Rex"]])
    assert [(mention.name, mention.spans) for mention in found.mentions[0]] == [("Rachel Green", ()), ("Rex", ())]


def test_a_cast_needs_no_language_model(monkeypatch):
    monkeypatch.setattr(language, "_folder", lambda: None)
    language._model.cache_clear()
    try:
        cast = people("Ross", "Will")
        assert named("ROSS: Will you? Will opens it.", cast) == {"Ross", "Will"}
        assert named("Will you?", cast) == set()
        with pytest.raises(BadInput, match="make setup"):
            find_names(["Ross sits."])
    finally:
        language._model.cache_clear()


def test_importing_names_does_not_import_spacy():
    code = "import sys, core.media.names.mentions; sys.exit('spacy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_part_of_a_name_in_another_persons_name_is_not_meant() -> None:
    cast = Cast({name: (name,) for name in ("Alice Green", "Luke Glazier", "Ross Geller")})
    texts = [
        "I met Anthony Glazier.",
        "Luke Smith left.",
        "Luke McIntosh left.",
        "Mr. Glazier came.",
        "Will Glazier come?",
        "Ross Gellar is here.",
        "It was written by Luke Carrigan last summer.",
        "I met Luke-Angus at the station.",
        "Ask Marigold Ross where it is.",
        "Then Luke Edward Glazier came.",
        "Come here, Luke Ross Alice!",
        "Tell Alice I'm late.",
    ]
    found = [[m.name for m in some] for some in find_names(texts, cast).mentions]
    assert found[:6] == [[], [], [], ["Luke Glazier"], ["Luke Glazier"], ["Ross Geller"]]
    assert found[6:9] == [[], [], []]
    assert found[9:] == [["Luke Glazier"], ["Luke Glazier", "Ross Geller", "Alice Green"], ["Alice Green"]]


def test_a_part_of_a_name_that_is_a_usual_word_needs_sense() -> None:
    cast = Cast({"Odhran Good": ("Odhran Good",)})
    texts = ["Good morning, please come in.", "Odhran Good is late.", "She was good to me."]
    assert [[m.name for m in some] for some in find_names(texts, cast).mentions] == [[], ["Odhran Good"], []]
