"""Names in German, French, Spanish and Italian captions, with a cast list and without."""

import pytest

from core.media.names.cast import Cast
from core.media.names.mentions import find_names
from tests.core.media.names.foreign import TUNED, UNSEEN
from tests.core.media.names.further import LAST, THIRD
from tests.core.media.names.headed import FIFTH, FOURTH
from tests.core.media.names.lastly import SEVENTH, SIXTH
from tests.core.media.names.marked import ENGLISH, FIRST, SECOND
from tests.core.media.names.opening import HELD_OUT, LAST_OPENING, LOOKED_AT
from tests.core.media.names.told import EIGHTH, NINTH

WRITTEN_LAST = {language: SIXTH[language] + SEVENTH[language] for language in SIXTH}
OTHERS = ("Rosa", "Sol", "Stern", "Marina", "Wolf", "Luna", "Bianca", "Hope", "Will")


def score(items: list[tuple[str, str]], cast: Cast | None = None) -> tuple[float, float]:
    """Recall and precision."""
    found = find_names([text for text, _ in items], cast).mentions
    pairs = [({m.name for m in some}, set(names.split("; ")) - {""}) for some, (_, names) in zip(found, items, strict=True)]
    right = sum(len(got & wanted) for got, wanted in pairs)
    return right / sum(len(wanted) for _, wanted in pairs), right / max(sum(len(got) for got, _ in pairs), 1)


@pytest.mark.parametrize(
    "captions",
    [TUNED, UNSEEN, FIRST, SECOND, THIRD, LAST, FOURTH, FIFTH, WRITTEN_LAST, EIGHTH, NINTH],
    ids=["tuned", "unseen", "first", "second", "third", "last", "fourth", "fifth", "written last", "eighth", "ninth"],
)
@pytest.mark.parametrize("language", ["de", "fr", "es", "it"])
def test_names_are_found(language: str, captions: dict[str, list[tuple[str, str]]]) -> None:
    recall, precision = score(captions[language])
    assert recall >= 0.8
    assert precision >= 0.9


@pytest.mark.parametrize(
    "captions",
    [TUNED, UNSEEN, FIRST, SECOND, THIRD, LAST, FOURTH, FIFTH, SIXTH, SEVENTH, EIGHTH, NINTH],
    ids=["tuned", "unseen", "first", "second", "third", "last", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth"],
)
@pytest.mark.parametrize("language", ["de", "fr", "es", "it"])
def test_names_of_a_cast_list_are_found(language: str, captions: dict[str, list[tuple[str, str]]]) -> None:
    listed = {name: (name,) for _, names in captions[language] for name in names.split("; ") if name}
    recall, precision = score(captions[language], Cast(listed | {name: (name,) for name in OTHERS}))
    assert recall >= 0.98
    assert precision >= 0.98


@pytest.mark.parametrize("language", ["es", "it"])
def test_a_lone_surname_that_opens_a_sentence_is_found(language: str) -> None:
    for captions in (LOOKED_AT, HELD_OUT, LAST_OPENING):
        recall, precision = score(captions[language])
        assert recall >= 0.8
        assert precision >= 0.9


@pytest.mark.parametrize("captions", [ENGLISH, FOURTH["en"], FIFTH["en"], WRITTEN_LAST["en"]])
def test_english_captions(captions: list[tuple[str, str]]) -> None:
    recall, precision = score(captions)
    assert recall >= 0.9
    assert precision >= 0.9


HEADED = [
    "Natación: Hugo González gana el oro en los 200 metros.",
    "Tráfico: retenciones en la A7 antes del túnel.",
    "Cultura: la película se estrena hoy en Madrid.",
    "Minuto 67: la pelota pega en el larguero.",
    "Berlín: el Senado se reúne esta tarde.",
]


def test_a_heading_is_no_speaker() -> None:
    found = find_names(HEADED).mentions
    assert [[m.name for m in some] for some in found] == [["Hugo González"], [], [], [], []]


def test_tags_are_speakers_where_half_of_them_may_be_people() -> None:
    said = [
        "Mavi: ¿Dónde estás ahora?",
        "Lucía: Estoy en la cocina.",
        "Javier: No la veo por aquí.",
        "Lucía: Pues mira bien.",
    ]
    found = find_names(said).mentions
    assert [[m.name for m in some] for some in found] == [["Mavi"], ["Lucía"], ["Javier"], ["Lucía"]]
    voices = find_names(["HOMBRE 2: ¡Fuera de aquí ahora mismo!", "Hombre: No quiero que vengas nunca más."]).mentions
    assert voices == [[], []]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Die Kapitänin Alexandra Popp verlässt das Feld.", ["Alexandra Popp"]),
        ("Mein Bruder Arne hat uns nicht gesehen, aber er war da.", ["Arne"]),
        ("Mémé Germaine nourrit les poules dans la cour.", ["Germaine"]),
        ("Ferran Torres toma carrerilla y marca.", ["Ferran Torres"]),
        ("La abuela en la playa, Vigo 1961.", []),
    ],
)
def test_what_somebody_is_is_no_part_of_a_name(text: str, names: list[str]) -> None:
    assert [m.name for m in find_names([text]).mentions[0]] == names


def test_a_word_that_a_place_owns_is_no_name() -> None:
    cast = Cast({"Sol": ("Sol",), "Rosa": ("Rosa",)})
    texts = [
        "Se concentran en la Puerta del Sol para cantar.",
        "La Puerta del Sol está vacía.",
        "Ayer vi a la hermana de Rosa.",
        "La amiga del Señor de la Rosa.",
    ]
    assert [[m.name for m in some] for some in find_names(texts, cast).mentions] == [[], [], ["Rosa"], ["Rosa"]]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Ils ont marché de la rue Victor Hugo à la gare avec Nicole.", ["Nicole"]),
        ("Ayer vimos a Marta en la playa de San Sebastián con los niños.", ["Marta"]),
        ("Il corteo attraversa piazza Garibaldi e poi via Anna Magnani.", []),
        ("Taufe mit Patentante Ursel und unserer Nachbarin Sabine.", ["Ursel", "Sabine"]),
    ],
)
def test_places_called_after_somebody_are_nobody(text: str, names: list[str]) -> None:
    assert [m.name for m in find_names([text]).mentions[0]] == names


def test_capital_particles_and_genitives_of_surnames() -> None:
    french = ["Le procureur Yannick Le Goff répond aux questions dans la rue."]
    assert [m.name for m in find_names(french).mentions[0]] == ["Yannick Le Goff"]
    german = ["Beckers Hund bellt, als der Postbote klingelt."]
    assert [m.name for m in find_names(german).mentions[0]] == ["Becker"]


@pytest.mark.parametrize("language", ["de", "fr", "es", "it"])
def test_a_wrong_cast_list_names_nobody(language: str) -> None:
    wrong = Cast({name: (name,) for name in ("Rosa", "Sol", "Stern", "Wolf", "Porta", "Casa", "Calle", "Libro", "Chat")})
    found = find_names([text for text, _ in UNSEEN[language]], wrong).mentions
    assert [some for some in found if some] == []


def test_words_that_open_a_sentence_are_no_names() -> None:
    cast = Cast({name: (name,) for name in ("Will", "Mia", "Anna")})
    german = ["Will er das wirklich machen?", "Ich glaube nicht, dass er das will.", "Anna und Will sind nicht da."]
    assert [[m.name for m in some] for some in find_names(german, cast).mentions] == [[], [], ["Anna", "Will"]]
    italian = ["Mia madre non lo sa ancora.", "Non ho visto Mia, ma è con la sorella."]
    assert [[m.name for m in some] for some in find_names(italian, cast).mentions] == [[], ["Mia"]]


def test_speaker_tags_and_titles_in_other_languages() -> None:
    captions = [
        "LUCÍA: ¿Dónde estás?",
        "JAVIER: Estoy en la cocina, Lucía.",
        "HOMBRE: ¡Fuera de aquí!",
        "TODOS: ¡Felicidades!",
    ]
    found = {mention.name for some in find_names(captions).mentions for mention in some}
    assert found == {"Lucía", "Javier"}
