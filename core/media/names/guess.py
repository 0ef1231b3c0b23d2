"""Finding people's names in text without a cast list.

Every capitalised word collects evidence: what spaCy takes it for, how much its vector is like a first name, its place in the
sentence, the words beside it, and whether it is a name elsewhere in the captions. Words with enough of it, and the
capitalised words that belong to them, are names.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from core.media.captions.speakers import TITLES
from core.media.names.language import Token, is_ordinary, is_stop_word, likeness, read
from core.media.names.words import words

ENOUGH = 0.65  # evidence that makes a word a name
# an initial, or a word that is no part of an address
WORD = re.compile(r"(?:[^\W\d_]\.){1,3}(?=\s|$)|(?<![\w@/])[^\W\d_]+(?:['’\-][^\W\d_]+)*(?![\w@/]|\.\w)")
ENDING = re.compile(r"['’](?:s|m|re|ve|ll|d)$|(?<=s)['’]$", re.IGNORECASE)
NEGATED = re.compile(r"n['’]t$", re.IGNORECASE)
MIXED = re.compile(r"([A-Z][a-z]{1,2})([A-Z]{2,})")  # McCOY, DeWITT
OPENING = frozenset('.!?…:;"“”‘([{-–—*#/>')
MODALS = frozenset(("will", "may", "can", "might"))
TOWARDS = frozenset(("in", "at", "near", "from", "since", "until", "to", "through", "across", "into", "on"))
DOING = frozenset(("VBZ", "VBD", "POS", "CC", ",", "NNS"))
PLAIN_AFTER = frozenset(("PRP", "PRP$", "DT", "NN", "NNS", "RB", "JJ", "EX", "TO", "VB", "IN"))
LESSER = words("particles") - {"of", "the", "and", "y"}
FIRM = words("firm titles")  # after which any capitalised word is a name
KINDS = {"PERSON": 1.0, "": 0.0, "ORG": -0.4, "GPE": -0.8, "PRODUCT": -0.3, "WORK_OF_ART": -0.3, "EVENT": -0.8, "FAC": -0.8}


@dataclass(frozen=True)
class Spot:
    """A name in a text: its words without a title, the span with it, and the title in lower case."""

    name: str
    start: int
    stop: int
    title: str = ""


@dataclass(frozen=True)
class Word:
    """A word and what it is seen to be where it stands."""

    text: str
    start: int
    stop: int
    tag: str
    kind: str
    initial: bool
    before: str  # the token before it
    after: str  # the token after it, its tag, and the tag of the next
    after_tag: str
    then_tag: str

    @property
    def capital(self) -> bool:
        if NEGATED.search(self.text) or (
            self.text.isupper() and sum(map(str.isalpha, self.text)) > 1 and "." not in self.text
        ):
            return False  # "Don't"; what is left in capitals is stressed or an abbreviation
        return self.text[0].isupper()


def guess_names(texts: Sequence[str], known: Collection[str] = ()) -> list[list[Spot]]:
    """The names in each text; ``known`` are single words that are names by other evidence, as they are best written."""
    cased = [even_case(text, known) for text in texts]
    read_words = [_words(text, tokens) for text, tokens in zip(cased, read(cased), strict=True)]
    small = Counter(word.text.lower() for line in read_words for word in line if not word.capital)
    weights = [[_evidence(word, small) if word.capital else -9.0 for word in line] for line in read_words]
    support = _support(read_words, weights, known)
    found = []
    for text, line, weight in zip(cased, read_words, weights, strict=True):
        sure = [have + support.get(word.text, 0.0) * _free(word) >= ENOUGH for word, have in zip(line, weight, strict=True)]
        found.append(_spots(text, line, sure))
    return found


def even_case(text: str, known: Collection[str] = ()) -> str:
    """A shouted line in the case it would be written in, letter by letter; any other line as it is."""
    letters = [c for c in text if c.isalpha()]
    if len(letters) < 2 or sum(c.isupper() for c in letters) < 0.7 * len(letters):
        return WORD.sub(lambda match: _unshouted(match[0], known), text)
    parts, at, opening = [], 0, True
    for match in WORD.finditer(text):
        word, gap = match[0], text[at : match.start()]
        opening = opening or bool(set(gap) & OPENING)
        best = titled(word)
        name = best in known or (likeness(ENDING.sub("", best)) > 0.3 and not is_ordinary(ENDING.sub("", word)))
        keep = opening or name or word == "I" or word.lower() in TITLES
        parts += [gap, best if keep else word.lower()]
        at, opening = match.end(), False
    even = "".join(parts) + text[at:]
    return even if len(even) == len(text) else text


def _unshouted(word: str, known: Collection[str]) -> str:
    """A word in capitals in a line that is not shouted, as in screenplays: a name if its vector or the captions say so."""
    if MIXED.fullmatch(word):
        return titled(word)
    if len(word) < 2 or not word.isupper() or word.endswith("."):
        return word
    best = titled(word)
    return best if len(best) == len(word) and (best in known or likeness(ENDING.sub("", best)) > 0.3) else word


def titled(word: str) -> str:
    """A word in capitals as a name is written: O'Brien, McCoy, Jean-Luc; words of mixed case keep their small letters."""
    if re.fullmatch(r"(?:[^\W\d_]\.)+", word):
        return word
    parts = re.split(r"(['’\-])", word)
    whole = "".join(_capitalised(part) for part in parts)
    return re.sub(r"(['’])(S|T|M|D|Re|Ve|Ll)$", lambda m: m[1] + m[2].lower(), whole)


def _capitalised(part: str) -> str:
    mixed = MIXED.fullmatch(part)
    if mixed:
        return mixed[1] + mixed[2].capitalize()
    if not part.isupper():
        return part
    scots = re.fullmatch(r"(MC)([A-Z]{3,})", part)
    return "Mc" + scots[2].capitalize() if scots else part.capitalize()


def _words(text: str, tokens: Sequence[Token]) -> list[Word]:
    """The words of a text, hyphened ones whole and without the endings of possessives, with what spaCy says of them."""
    found, at = [], 0
    for match in WORD.finditer(text):
        ending = ENDING.search(match[0])
        stop = match.start() + (ending.start() if ending else len(match[0]))
        while at < len(tokens) - 1 and tokens[at + 1].start <= match.start():
            at += 1
        next_at = next((k for k in range(at + 1, len(tokens)) if tokens[k].start >= stop), len(tokens))
        before = tokens[at - 1].text if at else ""
        initial = not before or before[-1] in OPENING
        token = tokens[at]
        after, after_tag = (tokens[next_at].text, tokens[next_at].tag) if next_at < len(tokens) else ("", "")
        then_tag = tokens[next_at + 1].tag if next_at + 1 < len(tokens) else ""
        seen = (token.tag, token.entity, initial, before, after, after_tag, then_tag)
        found.append(Word(text[match.start() : stop], match.start(), stop, *seen))
    return [word for word in found if word.text]


def _evidence(word: Word, small: Counter[str]) -> float:
    """How much speaks for a capitalised word being a name, from the word and its sentence alone."""
    lower = word.text.lower()
    parts = [part for part in re.split(r"['’\-]", word.text) if len(part) > 1]
    like = max((likeness(word.text), sum(map(likeness, parts)) / max(len(parts), 1)), key=abs)
    if lower in words("called") or len(word.text) < 2 or (lower in TITLES and like < 0.5):
        return -2.0
    if any(part.islower() and (is_ordinary(part) or part in words("called")) for part in parts):
        return -2.0  # "Ki-taek" is a name, "Twenty-one" is none
    ordinary = is_ordinary(word.text) or small[lower] > 0 or lower in words("words too")
    likely = like > 0.3 and not ordinary
    kind = 0.0 if word.kind == "ORG" and like > 0.3 else KINDS.get(word.kind, -1.0)  # lists of names are taken for firms
    have = like + kind + (0.4 if word.tag in ("NNP", "NNPS") else 0.0 if likely else -0.3)
    have += 0.4 if not word.initial else -0.6 if ordinary else 0.0
    if lower in words("months"):
        have -= 0.6
    elif is_stop_word(lower) and lower not in MODALS:
        have -= 1.5
    if word.before.lower() in ("the", "a", "an", "this", "every", "no"):
        have -= 0.8
    elif word.before.lower() in TOWARDS and word.kind != "PERSON" and like < 0.3:
        have -= 0.5
    return have + _beside(word, lower, ordinary)


def _beside(word: Word, lower: str, ordinary: bool) -> float:
    """What the next word says: people do things and own things; a verb or a noun with a capital begins a sentence."""
    if lower in MODALS:
        third = word.after_tag in ("VBZ", "VBD", "POS", ",", "CC", "NNS", "VBG") and not word.after.lower().startswith("n")
        return 2.0 if third and word.after != "," else 1.4 if not word.initial else 1.0 if word.after == "," else -1.0
    if ordinary and word.initial and not _acts(word):
        return -2.5 if word.after_tag in ("PRP", "PRP$", "DT") or word.then_tag[:1] in ("V", "M") else -0.9
    if _acts(word) and word.after_tag in DOING and word.after.lower() not in ("is", "was", "has", "had"):
        return 0.4 if ordinary else 0.6
    return 0.4 if _acts(word) and word.after_tag in DOING else 0.2 if _acts(word) else 0.0


def _acts(word: Word) -> bool:
    """Whether a word is followed as people are; a noun may be a verb that was not seen: "Dawn slaps Xander"."""
    if word.after_tag == "NNS":
        return word.then_tag in ("DT", "PRP", "PRP$", "NNP", "IN", "TO", "RP", ".", ",", "RB")
    return word.after_tag not in PLAIN_AFTER or word.after in ("&", "")


def _support(
    lines: Sequence[Sequence[Word]], weights: Sequence[Sequence[float]], known: Collection[str]
) -> dict[str, float]:
    """What a word's other places add: it is a name there, or it recurs with a capital where only names have one."""
    names: Counter[str] = Counter()
    recurs: Counter[str] = Counter()
    places: Counter[str] = Counter()
    for line, weight in zip(lines, weights, strict=True):
        seen = {word.text: (have, word) for word, have in zip(line, weight, strict=True) if word.capital}
        for text, (have, word) in seen.items():
            names[text] += have >= ENOUGH
            recurs[text] += not word.initial and word.tag == "NNP" and not is_ordinary(text)
            places[text] += word.kind in ("GPE", "LOC", "NORP", "FAC", "DATE") or (
                word.kind == "ORG" and likeness(text) < 0.3
            )
    support = {text: 1.0 for text in names if names[text] and names[text] >= places[text]}
    support.update(
        {text: 1.2 for text in recurs if recurs[text] > 1 and recurs[text] > 2 * places[text] and text not in support}
    )
    support.update(dict.fromkeys(known, 2.0))
    return support


def _free(word: Word) -> float:
    """How far evidence from elsewhere counts here: little for an ordinary word that begins a sentence."""
    if not word.initial or not is_ordinary(word.text):
        return 1.0
    return 0.3 if word.after_tag in PLAIN_AFTER or word.text.lower() in MODALS else 0.8


def _spots(text: str, line: Sequence[Word], sure: Iterable[bool]) -> list[Spot]:
    """Names as runs of words: a sure word, the capitalised words joined to it, small particles, and its title."""
    sure = list(sure)
    spots, at = [], 0
    while at < len(line):
        first, last = _run(text, line, sure, at)
        at = last + 1
        title = ""
        while first <= last and line[first].text.lower().strip(".") in TITLES:
            title, first = line[first].text.lower().strip("."), first + 1
        run = line[first:at]
        if not run or not (any(sure[first:at]) or (title in FIRM and run[0].capital)):
            continue
        if line[first].before.lower() == "the" and run[-1].tag == "NNPS":
            continue  # a family is no person
        start = line[first - 1].start if title else run[0].start
        spots.append(Spot(text[run[0].start : run[-1].stop], start, run[-1].stop, title))
    return spots


def _run(text: str, line: Sequence[Word], sure: Sequence[bool], at: int) -> tuple[int, int]:
    last = at
    while last + 1 < len(line) and _belongs(text, line, sure, last, last + 1):
        last += 1
    while last > at and not line[last].capital:
        last -= 1
    return at, last


def _belongs(text: str, line: Sequence[Word], sure: Sequence[bool], left: int, right: int) -> bool:
    """Whether two neighbours are parts of one name."""
    one, two = line[left], line[right]
    gap = text[one.stop : two.start]
    title = one.text.lower() in TITLES and one.capital
    if gap != " " and not (gap == ". " and (title or len(one.text) == 1)):
        return False
    if not one.capital and one.text.lower() not in LESSER:
        return False
    if not two.capital:
        return two.text in LESSER and right + 1 < len(line) and line[right + 1].capital and (sure[left] or sure[right + 1])
    if title:
        return sure[right] or one.text.lower() in FIRM or (two.tag == "NNP" and two.kind == "PERSON")
    if one.text in LESSER:
        return sure[right] or (left > 0 and sure[left - 1])
    named = [sure[left], sure[right]]
    fits = two.tag in ("NNP", "NNPS") and not is_stop_word(two.text.lower()) and two.kind in ("PERSON", "", one.kind)
    if one.initial and is_ordinary(one.text) and not sure[left] and one.kind != "PERSON":
        return False
    return all(named) or (any(named) and fits and one.tag in ("NNP", "NNPS"))
