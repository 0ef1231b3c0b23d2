"""Finding people's names in other languages than English.

Every capitalised word collects evidence: lists of first names, surnames and places, titles before it, its place in the
sentence, what the language's model takes it for where there is one, and whether it is a name elsewhere in the captions.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cache

from core.media.captions.speakers import TITLES
from core.media.names.first_names import all_first_names, first_names, places, surnames
from core.media.names.guess import OPENING, Spot, titled
from core.media.names.models import tagged
from core.media.names.tongues import stop_words
from core.media.names.words import words

ENOUGH = 0.65  # evidence that makes a word a name
NOUNS = frozenset({"de"})  # languages that write all nouns with a capital
GENITIVE = frozenset({"de", "sv", "da", "nb", "nl"})  # that write an s onto names: "Annas Bruder"
LESSER = frozenset(words("particles") - {"the", "of", "and"}) | {"dalla", "dos", "das", "do", "zu", "zum", "af", "av", "d"}
CAPITAL_JOINING = frozenset(words("surname particles"))  # "Yannick Le Goff", "Bart De Wever"
JOINING = frozenset({*("von", "van", "zu", "der", "del", "della", "di", "da", "dos", "d", "le", "la", "du", "bin", "al")})
ELIDED = r"(?:[dlmtsjcn]|qu|jusqu|lorsqu|puisqu|dell|all|nell|dall|sull|quest|un)['’]"
WORD = re.compile(
    rf"(?:\b{ELIDED}(?=[^\W\d_]))?((?:[^\W\d_]\.){{1,3}}(?=\s|$)|[^\W\d_]+(?:['’\-][^\W\d_]+)*)", re.IGNORECASE
)
YEAR = re.compile(r" (?:1[89]|20)\d\d\b")
FOLLOWING = re.compile(r" ([^\W\d_]+)(?: ([^\W\d_]+))?")
KINDS = {"PER": 1.0, "PERSON": 1.0, "": 0.0, "LOC": -0.8, "ORG": -0.5, "MISC": -0.4}
ENDS = ".!?…:\n"  # of a sentence
LINKS = r"(?:(?:de|di|del|du|des|della|dello|dei|delle|do|da|dos|das)(?: l[aeo]s?)? |d['’]|dell['’])"
NO_SUBJECTS = {  # how words end that open a sentence, are followed by a verb, and are nobody: "Vivere è caro"
    "es": ("ar", "er", "ir", "mente", "ción", "sión", "dad", "ando", "endo"),
    "it": ("are", "ere", "ire", "mente", "zione", "sione", "tà", "ando", "endo"),
}
OWNER_LENGTH = 60  # characters in which an owner is looked for
OWNER = re.compile(rf"(?:(\w+) )?\b([^\W\d_a-zß-ÿ][^\W\d_]+) {LINKS}$")


@dataclass(frozen=True)
class Word:
    """A word, whether it opens a sentence, the word before it in small letters, what a model takes it for, and whether a
    proper noun owns it ("Puerta del Sol"), and the text behind it."""

    text: str
    start: int
    stop: int
    initial: bool
    before: str
    tag: str = ""
    kind: str = ""
    owned: bool = False
    behind: str = ""

    @property
    def capital(self) -> bool:
        return self.text[0].isupper() and not (self.text.isupper() and sum(map(str.isalpha, self.text)) > 1)


def guess_foreign(texts: Sequence[str], language: str, known: Collection[str] = ()) -> list[list[Spot]]:
    """The names in each text; ``known`` are single words that are names by other evidence, as they are best written."""
    even = [_even_case(text, language, known) for text in texts]
    lines = _read(even, language)
    small = Counter(word.text for line in lines for word in line if not word.capital)
    weights = [[_evidence(word, language, small) if word.capital else -9.0 for word in line] for line in lines]
    support = _support(lines, weights, known)
    found = []
    for text, line, weight in zip(even, lines, weights, strict=True):
        sure = [have + support.get(word.text, 0.0) >= ENOUGH for word, have in zip(line, weight, strict=True)]
        found.append(_spots(text, line, sure, language))
    return found


def _even_case(text: str, language: str, known: Collection[str]) -> str:
    """A shouted line in the case it would be written in; any other line as it is."""
    letters = [c for c in text if c.isalpha()]
    if len(letters) < 2 or sum(c.isupper() for c in letters) < 0.7 * len(letters):
        return text

    def cased(match: re.Match[str]) -> str:
        best = titled(match[1])
        name = best in known or best in first_names(language)
        return match[0][: match.start(1) - match.start()].lower() + (best if name else match[1].lower())

    even = WORD.sub(cased, text)
    return even if len(even) == len(text) else text


# --- Words and what they are ---


def _read(texts: Sequence[str], language: str) -> list[list[Word]]:
    lines = []
    for text, tags in zip(texts, tagged(texts, language), strict=True):
        line: list[Word] = []
        for match in WORD.finditer(text):
            word, start = match[1], match.start(1)
            gap = text[line[-1].stop if line else 0 : start]
            initial = not line or bool(set(gap) & (OPENING | set("¿¡«»")) - {"-"})
            if gap.strip(" ") == "." and line and (line[-1].text.lower() in _titles() or len(line[-1].text) == 1):
                initial = False  # "Dr. Weber"
            bare = _bare(word, language)
            before = line[-1].text.lower() if line and gap.strip(" .") == "" else ""
            owned = is_owned(text, start, language)
            line.append(
                Word(bare, start, start + len(bare), initial, before, *tags.get(start, ("", "")), owned, text[match.end() :])
            )
        lines.append(line)
    return lines


def is_owned(text: str, start: int, language: str) -> bool:
    """Whether the word at ``start`` ends a proper noun that is no person's: "Puerta del Sol", "Stade de France"."""
    match = OWNER.search(text, max(0, start - OWNER_LENGTH), start) if language not in NOUNS else None
    if match is None or text[: match.start(2)].rstrip(' "“«¿¡-–')[-1:] in ("", *ENDS):
        return False
    before, head = match[1] or "", match[2]
    return head.lower() not in _titles() and head not in first_names(language) and before not in first_names(language)


def _bare(word: str, language: str) -> str:
    """A word without the ending of a genitive: "Jonas'", "Annas", "Beckers"."""
    short = re.sub(r"['’]s?$", "", word)
    plain = short[:-1]
    if language not in GENITIVE or not short.endswith("s"):
        return short or word
    lists = (first_names(language), surnames(language))
    is_genitive = any(plain in one for one in lists) and not any(short in one for one in lists)
    return plain if is_genitive else short


def _evidence(word: Word, language: str, small: Counter[str]) -> float:
    """How much speaks for a capitalised word being a name, from the word and its sentence alone."""
    lower = word.text.lower()
    if len(word.text) < 2 or lower in words("foreign small words") or lower in _titles() or _is_office(word.text, language):
        return -2.0
    firm = word.before in _titles()
    is_name = word.text in first_names(language)
    have = 1.0 if is_name else 0.8 if word.text in all_first_names() else 0.3 if word.text in surnames(language) else 0.0
    parts = word.text.split("-")
    have = max(have, 0.9) if len(parts) > 1 and all(part in first_names(language) for part in parts) else have
    have += KINDS.get(word.kind, -0.4) * (0.4 if is_name and word.kind != "PER" else 1.0)
    have += 0.2 if word.tag in ("NE", "PROPN") else -0.6 if word.tag and not is_name else 0.0
    if lower in stop_words(language) and not is_name and (word.initial or word.text not in all_first_names()):
        have -= 1.5
    elif small[lower] and word.initial:
        have -= 0.8
    elif word.initial and is_subject(word, language):
        have += 0.7
    if not word.initial and language not in NOUNS:
        elsewhere = word.text in places(language) or word.before in words("towards")
        have += 0.4 if elsewhere or have >= ENOUGH else 0.7  # who stands there is no noun, and no place that is known
    if word.text in places(language) or (YEAR.match(word.behind) and not is_name):
        have -= 0.8  # albums tell where and when: "Vigo 1961"
    elif word.before in words("towards") and not is_name:
        have -= 0.5
    if word.owned:
        have -= 0.7
    elif word.before in words("articles") and not firm:
        have -= 0.4 if is_name else 0.9
    return have + (2.0 if firm else 0.0)


def is_subject(word: Word, language: str) -> bool:
    """Whether a word that opens a sentence may be who does what a verb behind it says: "Sinner non chiude il set"."""
    match = FOLLOWING.match(word.behind)
    if match is None or language not in NO_SUBJECTS or word.text.endswith(NO_SUBJECTS[language]):
        return False
    listed = word.text in words("other words") or word.text.lower() in words("no subjects")
    verbs = words(f"verbs {language}")
    return not listed and (match[1] in verbs or (match[1] in words("before verbs") and match[2] in verbs))


def _support(
    lines: Sequence[Sequence[Word]], weights: Sequence[Sequence[float]], known: Collection[str]
) -> dict[str, float]:
    """What a word's other places add: it is a name there."""
    names: Counter[str] = Counter()
    for line, weight in zip(lines, weights, strict=True):
        names.update({word.text for word, have in zip(line, weight, strict=True) if have >= ENOUGH})
    return dict.fromkeys(names, 0.6) | dict.fromkeys(known, 2.0)


# --- Names as runs of words ---


def _spots(text: str, line: Sequence[Word], sure: Sequence[bool], language: str) -> list[Spot]:
    spots, at = [], 0
    while at < len(line):
        last = at
        while last + 1 < len(line) and _belongs(text, line, sure, last, last + 1, language):
            last += 1
        while last > at and not line[last].capital:
            last -= 1
        run, first = line[at : last + 1], at
        at = last + 1
        while run and (not run[0].capital or run[0].text.lower() in _titles() or _is_what_they_are(run, language)):
            run, first = run[1:], first + 1
        if not run or not any(sure[first : first + len(run)]) or _is_place(text, line, first):
            continue
        title = line[first - 1] if first and run[0].before in _titles() else None
        start = title.start if title and text[title.stop : run[0].start].strip(" .") == "" else run[0].start
        word = title.text.lower().strip(".") if title and start == title.start else ""
        spots.append(Spot(text[run[0].start : run[-1].stop], start, run[-1].stop, word))
    return spots


def _is_what_they_are(run: Sequence[Word], language: str) -> bool:
    """Whether the first word of a name tells what somebody is: in no list, before a first name ("Mémé Germaine")."""
    word = run[0].text
    if len(run) < 2 or not (run[0].initial or language in NOUNS) or run[1].text not in first_names(language):
        return False
    return "-" not in word and word not in first_names(language) | all_first_names() | surnames(language)


def _belongs(text: str, line: Sequence[Word], sure: Sequence[bool], left: int, right: int, language: str) -> bool:
    """Whether two neighbours are parts of one name."""
    one, two = line[left], line[right]
    gap = text[one.stop : two.start]
    if gap != " " and not (gap == ". " and len(one.text) <= 2):
        return False
    if not one.capital:
        return one.text in LESSER and left > 0 and sure[left - 1] and two.capital
    goes_on = right + 1 < len(line) and line[right + 1].capital and text[two.stop : line[right + 1].start] == " "
    if two.text in CAPITAL_JOINING and sure[left] and goes_on:
        return True
    if one.text in CAPITAL_JOINING and left > 0 and sure[left - 1] and two.capital:
        return True
    if not two.capital:
        return two.text in LESSER and sure[left] and goes_on and _joins(two.text, language)
    if one.text.lower() in _titles() or _is_office(one.text, language):
        return False
    if sure[left] and sure[right]:
        return True
    other = two if sure[left] else one
    if not (sure[left] or sure[right]) or (other is one and one.initial and not _opens(one, two, language)):
        return False
    if other.text.lower() in stop_words(language) or other.text.lower() in words("foreign small words"):
        return False
    return other.tag in ("", "NE", "PROPN") if language not in NOUNS else other.tag == "NE" or other.kind == "PER"


def _opens(one: Word, two: Word, language: str) -> bool:
    """Whether the first word of a sentence belongs to the surname behind it: "Ferran Torres marca"."""
    if one.text in first_names(language):
        return True
    lone = language in NO_SUBJECTS and two.text in surnames(language) and not one.text.endswith(NO_SUBJECTS[language])
    return lone and one.text not in places(language) | words("other words") and one.text.lower() not in words("no subjects")


def _is_place(text: str, line: Sequence[Word], first: int) -> bool:
    """Whether the words from ``first`` on name a place that is called after somebody: "rue Victor Hugo", "San Sebastián"."""
    if line[first].text.lower() in words("foreign places"):
        return True
    before = line[first - 1] if first else None
    follows = before is not None and text[before.stop : line[first].start] == " "
    return follows and before is not None and before.text.lower() in words("foreign places")


def _joins(particle: str, language: str) -> bool:
    """Whether a small word joins names; "Pablo de Sevilla" may be from there, but "Ursula von Berg" is called so."""
    return particle in JOINING or (particle == "de" and language in ("fr", "nl", "es"))


def _is_office(word: str, language: str) -> bool:
    """Whether a word is what somebody is, in languages that write such words together: "Patentante", "Außenminister"."""
    ends = tuple(words("ends of titles")) if language in NOUNS else ()
    return bool(ends) and word.lower().endswith(ends) and word not in surnames(language)


@cache
def _titles() -> frozenset[str]:
    return frozenset(TITLES | words("foreign titles"))
