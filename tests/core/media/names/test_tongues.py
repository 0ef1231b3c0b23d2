"""Which language captions are in."""

import subprocess
import sys

import pytest

from core.media.names.tongues import languages_of
from tests.core.media.names.foreign import TUNED, UNSEEN
from tests.core.media.names.marked import FIRST, SECOND

ENGLISH = [
    "Will opens the door.",
    "May I come in?",
    "Sheldon’s spot is taken.",
    "J.R. Ewing pours a drink.",
    "RACHEL: Hi.",
    "",
]


@pytest.mark.parametrize("captions", [TUNED, UNSEEN, FIRST, SECOND], ids=["tuned", "unseen", "first", "second"])
@pytest.mark.parametrize("language", ["de", "fr", "es", "it"])
def test_captions_of_a_film(language: str, captions: dict[str, list[tuple[str, str]]]) -> None:
    assert set(languages_of([text for text, _ in captions[language]])) == {language}


def test_english_is_what_a_caption_is_in_unless_something_speaks_against_it() -> None:
    assert languages_of(ENGLISH) == ["en"] * len(ENGLISH)
    assert [languages_of([text])[0] for text in ENGLISH] == ["en"] * len(ENGLISH)
    mixed = [*ENGLISH, "Ich habe das nicht gewusst, aber wir können es dir sagen."]
    assert languages_of(mixed) == ["en"] * len(ENGLISH) + ["de"]


def test_the_lists_are_read_and_nothing_else_of_spacy_is_loaded() -> None:
    code = "from core.media.names.tongues import languages_of; print(*languages_of(['Ich habe das nicht gewusst.']))"
    done = subprocess.run([sys.executable, "-X", "importtime", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["de"]
    assert "core.media.names.tongues" in done.stderr
    assert "spacy" not in done.stderr
