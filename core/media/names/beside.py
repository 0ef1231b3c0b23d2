"""Whether a part of somebody's name stands in another person's name: "Anthony Green" is not Alice Green."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher

from core.media.captions.speakers import TITLES
from core.media.names.cast import Cast, folded
from core.media.names.first_names import all_first_names, first_names, surnames
from core.media.names.foreign import NOUNS
from core.media.names.guess import ENDING, NEGATED
from core.media.names.language import is_installed, is_ordinary
from core.media.names.tongues import stop_words
from core.media.names.words import words

WORD = r"[^\W\d_][\w'’]*"
BEFORE, AFTER = re.compile(rf"(?:{WORD}[ -]){{1,2}}$"), re.compile(rf"(?:[ -]{WORD}){{1,2}}")
REACH = 60  # letters before a name in which the two words there stand
ENDED = (*".!?…:\n", "")  # what a sentence begins behind
ALIKE = 0.53  # likeness of two words from which one may be the other, written otherwise


def in_another(caption: str, match: re.Match[str], cast: Cast, language: str) -> bool:
    """Whether the words beside a part of a name make it somebody else's."""
    part = folded(match[0])
    own = [folded(word) for word in cast.parts[part].split()]
    found = BEFORE.search(caption, max(0, match.start() - REACH), match.start())
    before = re.split("[ -]", found[0])[:-1] if found else []
    following = AFTER.match(caption, match.end())
    after = re.split("[ -]", following[0])[1:] if following else []
    if any(_is_of(word, [other for other in own if other != part]) for word in (*before, *after)):
        return False
    opening = found is not None and len(before) == 1 and caption[: found.start()].rstrip(' "“«¿¡-–')[-1:] in ENDED
    first, last = part == own[0], part == own[-1]
    return any(_is_first(word, last, opening, cast, language) for word in before[-1:]) or any(
        _is_last(word, first, cast, language) for word in after[:1]
    )


def _is_of(word: str, own: Sequence[str]) -> bool:
    """Whether a word is another of the person's own, perhaps written otherwise."""
    return word[0].isupper() and any(SequenceMatcher(None, folded(word), other).ratio() >= ALIKE for other in own)


def _is_first(word: str, surname: bool, opening: bool, cast: Cast, language: str) -> bool:
    """Whether the word before is another person's name; ``surname``: of a surname, ``opening``: it opens a sentence."""
    if folded(word) in stop_words(language):
        return False
    if surname and word in first_names(language) | all_first_names() and folded(word) not in words("words too"):
        return True
    return not opening and not _is_called(word, cast) and _is_strange(word, language)


def _is_last(word: str, first: bool, cast: Cast, language: str) -> bool:
    """Whether the word behind is another person's surname; ``first``: a first name stands before."""
    if language in NOUNS or folded(word) in stop_words(language) or _is_called(word, cast):
        return False
    listed = not surnames(language).isdisjoint((word, word.capitalize()))  # the list has Mcintosh
    return (first and listed) or _is_strange(word, language)


def _is_called(word: str, cast: Cast) -> bool:
    """Whether somebody of the cast has this first name: "Rachel Ross Joey" calls three people."""
    return any(folded(person.split()[0]) == folded(word) for person in cast.called.get(folded(word), ()))


def _is_strange(word: str, language: str) -> bool:
    """Whether an English word with a capital is a name, because it is no usual word."""
    plain = NEGATED.sub("", ENDING.sub("", word))
    if language != "en" or not is_installed() or not plain[:1].isupper() or (len(plain) > 1 and plain.isupper()):
        return False
    return folded(plain) not in TITLES | words("months") | words("called") and not is_ordinary(plain)
