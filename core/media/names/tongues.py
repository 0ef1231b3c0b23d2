"""Which language a caption is in: by the small words of each, the rarer among languages the better they tell.

English is what a caption is in unless something speaks against it; a caption that says too little by itself goes with the
others of its film.
"""

from __future__ import annotations

import importlib.util
import math
import re
import runpy
from collections.abc import Sequence
from functools import cache
from pathlib import Path

# spaCy keeps lists of small words for these; captions in others are read as English ones are
LANGUAGES = ("en", "de", "fr", "es", "it", "pt", "nl", "sv", "da", "nb", "fi", "pl", "cs", "ro", "hu", "hr", "ca", "tr")
SIGNS = {  # letters, and whose they are
    "ß": ("de",), "ä": ("de", "sv", "fi"), "ü": ("de", "tr", "hu"), "¿": ("es",), "¡": ("es",), "ñ": ("es",),
    "í": ("es", "pt", "cs", "hu", "ca"), "á": ("es", "pt", "cs", "hu"), "ã": ("pt",), "õ": ("pt",), "œ": ("fr",),
    "ê": ("fr", "pt"), "ç": ("fr", "pt", "ca", "tr"), "û": ("fr",), "à": ("fr", "it", "ca"), "è": ("fr", "it", "ca"),
    "ì": ("it",), "ù": ("it", "fr"), "ò": ("it", "ca"), "å": ("sv", "da", "nb"), "ø": ("da", "nb"), "ł": ("pl",),
    "ő": ("hu",), "ř": ("cs",), "ğ": ("tr",), "ț": ("ro",), "ș": ("ro",),
}  # fmt: skip
NOT_TOLD = frozenset({"van", "von"})  # stand in names; so do initials, and "l'" leaves a letter behind
SIGN = 1.0  # what such a letter is worth
WORD = re.compile(r"[^\W\d_]+")
SPOKEN = re.compile(r"(?<!['’\w])[^\W\d_]+")  # without the endings of "Ross's" and "don't"
ONE_WORD = 1.5  # what a small word tells at the most: "hi" is French, too
ENOUGH = 2.5  # by how much a language must be likelier than English
MANY = 5  # captions that speak for themselves
TOGETHER = 8.0  # what the other captions are worth


def languages_of(texts: Sequence[str]) -> list[str]:
    """The language of each text, as two letters."""
    scores = [_score(text) for text in texts]
    whole = {language: sum(score[language] for score in scores) for language in LANGUAGES}
    total = sum(max(score.values(), default=0.0) for score in scores)
    told = max(sum(max(score.values()) > 0 for score in scores) - 1, 0)  # beside the text itself
    weight = TOGETHER * told / (told + MANY) / max(total, 1e-9)
    share = {language: weight * value for language, value in whole.items()}
    return [_best(score, share) for score in scores]


def _best(score: dict[str, float], share: dict[str, float]) -> str:
    likely = {language: score.get(language, 0.0) + share.get(language, 0.0) for language in LANGUAGES}
    best = max(LANGUAGES, key=lambda language: likely[language])
    return best if likely[best] >= likely["en"] + ENOUGH else "en"


def _score(text: str) -> dict[str, float]:
    found = dict.fromkeys(LANGUAGES, 0.0)
    for word in {word.lower() for word in SPOKEN.findall(text)}:
        listed = _listed_in(word)
        for language in listed:
            found[language] += min(math.log(len(LANGUAGES) / len(listed)) + 0.1, ONE_WORD)
    for sign in SIGNS.keys() & set(text.lower()):
        for language in SIGNS[sign]:
            found[language] += SIGN
    return found


@cache
def _listed_in(word: str) -> tuple[str, ...]:
    if (len(word) == 1 and word not in "aeioyàèé") or word in NOT_TOLD:
        return ()
    return tuple(language for language in LANGUAGES if word in stop_words(language))


@cache
def stop_words(language: str) -> frozenset[str]:
    """The small words of a language: spaCy's list alone, as the rules beside it take seconds to load."""
    spacy = importlib.util.find_spec("spacy")
    assert spacy is not None  # see ``is_installed``
    assert spacy.origin is not None
    listed = runpy.run_path(str(Path(spacy.origin).parent / "lang" / language / "stop_words.py"))["STOP_WORDS"]
    return frozenset(word for word in listed if WORD.fullmatch(word))
