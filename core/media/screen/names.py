"""Which texts on the screen name somebody: lower thirds and credits. Headlines, places and firms do not.

A line that is nothing but a name, perhaps with a title before it and a role behind it, names a person. It must look like a
name: words with capitals, none of them small, and by their vectors more like names than like other words. With a cast list
only its people count, and a letter that was read wrongly does no harm.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

from core.media.captions.speakers import PARTICLES, TITLES
from core.media.names.cast import Cast, folded
from core.media.names.guess import guess_names, titled
from core.media.names.language import is_installed, is_ordinary, is_role, likeness
from core.media.screen.texts import cards
from core.media.screen.watch import Shown

Kind = Literal["screen", "credits", "subtitles"]
WORD = re.compile(r"[^\W\d_]+(?:['’\-][^\W\d_]+)*\.?")
ROLE = re.compile(r"\s*(?:[,|•·/:;(]|\s[-–—]\s).*$")  # what stands behind a name on its line
BY = re.compile(
    r"^(?:(?:executive|associate|co-)?\s*(?:directed|written|produced|edited|filmed|photographed|narrated|presented|hosted|"
    r"composed|designed|music|screenplay|story|cinematography|photography|film|starring|featuring|introducing|cast|with|and)"
    r"(?:\s+by|\s+of\s+photography)?|director|producer|editor|writer|camera|sound|music)\b[\s:.]*",
    re.IGNORECASE,
)
READ_AS = str.maketrans("015|8", "OlSlB")  # digits that a reader takes letters for
JOINED = re.compile(r"((?!Mac)[A-Z][a-zà-ÿ]{2,})([A-Z][a-zà-ÿ]{2,})\.?")  # MathieuGirard
SURE = 0.8  # of the reader
LIKE = 0.3  # likeness to names of a word that is one
UNLIKE = -0.3
CAST_ALIKE = 0.84  # of a reading and a name of the cast list
SMALLER = 0.85  # of the name's height: what stands below it says what the person is
SAME = 0.88  # of two readings of one name
NEAR = 45.0  # seconds around a credit in which lone names are credits, too
SUBTITLES = 6  # lines in the middle below that make a film's subtitles
MIDDLE, BELOW = 0.06, 0.65  # of a subtitle: how far from the middle, and from where down, as shares of the picture


@dataclass(frozen=True)
class Read:
    """A text on the screen, what it is, and whom it names ("" for nobody)."""

    shown: Shown
    kind: Kind
    name: str = ""
    role: bool = False  # it says what the person is


def understood(texts: Sequence[Shown], size: tuple[int, int], cast: Cast | None) -> list[Read]:
    """What the texts of a film are, in the order of their times; ``size`` is that of its pictures, width first. Parts of
    lines that run by are left out."""
    texts = [text for text in texts if not text.cut]
    found = _subtitles(texts, size)
    left = [text for text in texts if id(text) not in {id(one.shown) for one in found}]
    credit_times = [text.start for text in left if text.rolls or _is_credit(text.text)]
    for card in cards(left):
        found += _card(card, cast, credit_times)
    return _same_spelling(sorted(found, key=lambda one: (one.shown.start, one.shown.box.top)))


def _card(card: Sequence[Shown], cast: Cast | None, credits: Sequence[float]) -> list[Read]:
    names = [name_in(text, cast) for text in card]
    if cast is None:
        names = ["" if name and _is_role(card, names, k) else name for k, name in enumerate(names)]
    described = [bool(name) and (_has_role(card[k].text) or _role_below(card, names, k)) for k, name in enumerate(names)]
    found = []
    for text, name, role in zip(card, names, described, strict=True):
        listed = text.rolls or (bool(name) and not role and any(abs(at - text.start) < NEAR for at in credits))
        found.append(Read(text, "credits" if listed or _is_credit(text.text) else "screen", name, role))
    return found


def _is_role(card: Sequence[Shown], names: Sequence[str], k: int) -> bool:
    """Whether a line is written smaller than the name above it: it says what that person is, however it was read."""
    above = card[k - 1].box if k and names[k - 1] and not card[k].rolls else None
    return above is not None and (card[k].box.bottom - card[k].box.top) < SMALLER * (above.bottom - above.top)


def _role_below(card: Sequence[Shown], names: Sequence[str], k: int) -> bool:
    return k + 1 < len(card) and not names[k + 1] and not card[k + 1].rolls and len(card) <= 3


def _has_role(text: str) -> bool:
    return bool(ROLE.search(text))


def _is_credit(text: str) -> bool:
    found = BY.match(text)
    alone = text.lower().startswith(("directed", "written", "produced", "starring"))
    return found is not None and (alone or found.end() < len(text))


# --- A name ------------------------------------------------------------------------------------------------------------


def name_in(text: Shown, cast: Cast | None) -> str:
    """The person whom a line names; "" where it names nobody."""
    if text.score < SURE:
        return ""
    plain = BY.sub("", ROLE.sub("", text.text.strip()))
    words = [_mended(word) for word in plain.split()]
    while len(words) > 1 and words[0].strip(".").lower() in TITLES:
        words = words[1:]
    words = _parted(words)
    if cast is not None:
        return _of_cast(" ".join(words), cast)
    return " ".join(map(_written, words)) if _is_name(words) else ""


def _mended(word: str) -> str:
    """A word in which a digit stands among letters was read wrongly."""
    letters = sum(map(str.isalpha, word))
    return word.translate(READ_AS) if letters > 1 and letters < len(word) and word[:1].isalpha() else word


def _parted(words: list[str]) -> list[str]:
    """A name that was read as one word, in two; and without a full stop behind it that is no initial's."""
    if len(words) == 1 and (joined := JOINED.fullmatch(words[0])):
        return [joined[1], joined[2]]
    return [*words[:-1], words[-1].rstrip(".") if len(words[-1]) > 3 else words[-1]] if words else words


def _written(word: str) -> str:
    return word.lower() if word.lower() in PARTICLES and word.isupper() and len(word) < 4 else titled(word)


def _is_name(words: Sequence[str]) -> bool:
    if not 2 <= len(words) <= 4 or not all(WORD.fullmatch(word) for word in words) or not is_installed():
        return False
    if any(word.lower() in ("of", "the", "and", "in", "at", "by", "for") for word in words):
        return False
    whole = [titled(word) for word in words if word.lower() not in PARTICLES]
    if len(whole) < 2 or not all(word[0].isupper() for word in whole) or len(whole[-1].strip(".")) < 2:
        return False
    first, last = whole[0], whole[-1]
    if any(is_role(word) and likeness(word) < LIKE for word in whole):
        return False
    like = [likeness(word) for word in (first, last)]
    strange = [not is_ordinary(word) and likeness(word) > UNLIKE for word in (first, last)]
    if like[0] >= LIKE and (not is_ordinary(first) or strange[1]):
        return True
    if all(map(is_ordinary, whole)):
        return False
    return (all(strange) and max(like) >= 0) or (max(like) > UNLIKE and _said_to_be(" ".join(whole)))


def _said_to_be(name: str) -> bool:
    """Whether a sentence about it is taken to be about a person, all words of it."""
    text = f"Yesterday {name} told us about it."
    return any(spot.name == name for spot in guess_names([text])[0])


def _of_cast(text: str, cast: Cast) -> str:
    """The one person of the cast list whose name this is, or nearly is."""
    plain = folded(text)
    people = cast.called.get(plain)
    if people is None and len(plain.split()) > 1:
        alike = [(SequenceMatcher(None, plain, name, autojunk=False).ratio(), name) for name in cast.called if " " in name]
        best = max(alike, default=(0.0, ""))
        people = cast.called[best[1]] if best[0] >= CAST_ALIKE else None
    return people[0] if people and len(people) == 1 else ""


def _same_spelling(found: list[Read]) -> list[Read]:
    """Names that differ by a letter are one name, as the surest reading has it."""
    best: dict[str, float] = {}
    for one in found:
        if one.name:
            best[one.name] = best.get(one.name, 0.0) + one.shown.score
    spelt: dict[str, str] = {}
    for name in sorted(best, key=lambda name: -best[name]):
        same = (other for other in spelt.values() if len(other.split()) == len(name.split()))
        spelt[name] = next((other for other in same if SequenceMatcher(None, other, name).ratio() >= SAME), name)
    return [one if not one.name else Read(one.shown, one.kind, spelt[one.name], one.role) for one in found]


# --- Subtitles that are part of the picture ----------------------------------------------------------------------------


def _subtitles(texts: Sequence[Shown], size: tuple[int, int]) -> list[Read]:
    """Lines of speech in the middle below, if there are enough of them."""
    found = [text for text in texts if _is_spoken(text, size)]
    return [Read(text, "subtitles") for text in found] if len(found) >= SUBTITLES else []


def _is_spoken(text: Shown, size: tuple[int, int]) -> bool:
    width, height = size
    words = text.text.split()
    small = sum(word[0].islower() for word in words)
    centred = abs((text.box.left + text.box.right) / 2 - width / 2) < MIDDLE * width
    return centred and text.box.top > BELOW * height and len(words) >= 3 and 2 * small >= len(words) and not text.rolls
