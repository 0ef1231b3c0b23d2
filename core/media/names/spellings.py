"""One person's spellings: which is written best, and which names are parts of others."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from core.media.names.cast import folded
from core.media.names.guess import Spot
from core.media.names.words import words
from core.records import NewMerge

SHORTEST = 3  # letters of a short form


def best_written(spots: Iterable[tuple[Spot, str]]) -> dict[str, str]:
    """For each name in lower case how it is written: as most captions have it that do not shout."""
    counts: dict[str, Counter[str]] = {}
    for spot, text in spots:
        literal = text[spot.stop - len(spot.name) : spot.stop] == spot.name
        counts.setdefault(folded(spot.name), Counter())[spot.name] += 100 if literal and not spot.name.isupper() else 1
    return {key: max(sorted(count), key=lambda name: count[name]) for key, count in counts.items()}


def two_of_a_name(spots: Iterable[Spot]) -> set[str]:
    """Surnames in lower case that a Mr. and a Mrs. share, who are then told apart by their titles."""
    his, hers = set(), set()
    for spot in spots:
        if spot.title in words("his"):
            his.add(folded(spot.name))
        elif spot.title in words("hers"):
            hers.add(folded(spot.name))
    return his & hers


def merges(lines: Sequence[Sequence[tuple[str, str]]], speakers: Collection[str]) -> list[NewMerge]:
    """Which spellings are one person's: a first name or a surname that only one full name has, a speaker's short form.

    ``lines`` hold the names of each sentence with their titles, by which two people are told apart.
    """
    names = sorted({name for line in lines for name, _ in line})
    full = _fullest([name for name in names if " " in name and not _titled(name)])
    into: dict[str, str] = {name: whole for name, whole in full.items() if name != whole}
    wholes = sorted(set(full.values()))
    for name in names:
        others = [whole for whole in wholes if whole != name and name not in into]
        first = [whole for whole in others if _words(whole)[: len(_words(name))] == _words(name)]
        last = [whole for whole in others if _words(whole)[-len(_words(name)) :] == _words(name)]
        if len({*first, *last}) == 1 and (first or not _apart(name, last[0], lines, speakers)):
            into[name] = (first or last)[0]
    for name in names:
        longer = _short_for(name, names, speakers) if name not in into else None
        if longer and not _side_by_side(name, longer, lines):
            into[name] = longer
    return [NewMerge(name, _end(name, into)) for name in sorted(into)]


def _end(name: str, into: dict[str, str]) -> str:
    """Where a name ends up: always a longer one, so that this comes to an end."""
    while name in into:
        name = into[name]
    return name


def _fullest(names: list[str]) -> dict[str, str]:
    """Each full name's longest form with the same first and last word: Rachel Karen Green for Rachel Green."""
    longest: dict[tuple[str, str], str] = {}
    for name in sorted(names, key=lambda name: (len(name.split()), name)):
        parts = name.split()
        longest[parts[0], parts[-1]] = name
    return {name: longest[name.split()[0], name.split()[-1]] for name in names}


def _words(name: str) -> list[str]:
    return folded(name).split()


def _titled(name: str) -> bool:
    return name.split()[0].strip(".").lower() in words("titles")


def _apart(name: str, whole: str, lines: Sequence[Sequence[tuple[str, str]]], speakers: Collection[str]) -> bool:
    """Whether a surname is somebody else's than this full name: both speak, or one sentence has "Mr. Green" and "Rachel"."""
    first = whole.split()[0]
    if name in speakers and (whole in speakers or first in speakers):
        return True
    for line in lines:
        here = {other for other, _ in line}
        if first in here and any(other == name and title for other, title in line):
            return True
    return False


def _short_for(name: str, names: Collection[str], speakers: Collection[str]) -> str | None:
    """The speaker whose name begins with this one, if that is one alone and this is nobody who speaks: Rach for Rachel."""
    if len(name) < SHORTEST or name in speakers or " " in name:
        return None
    longer = [other for other in names if other.split()[0] != name and other.split()[0].lower().startswith(name.lower())]
    firsts = {other.split()[0] for other in longer}
    spoken = [other for other in longer if other in speakers]
    return min(spoken, key=len) if len(firsts) == 1 and spoken else None


def _side_by_side(one: str, other: str, lines: Sequence[Sequence[tuple[str, str]]]) -> bool:
    """Whether a sentence names both, as it does with two people."""
    return any({one, other} <= {name for name, _ in line} for line in lines)


def by_sentence(text: str, spots: Iterable[Spot]) -> list[list[tuple[str, str]]]:
    """The names of a text with their titles, sentence by sentence."""
    ends = [match.start() for match in re.finditer(r"[.!?…:][\"'”’)]*\s", text)]
    sentences: dict[int, list[tuple[str, str]]] = {}
    for spot in spots:
        sentences.setdefault(sum(end < spot.stop - len(spot.name) for end in ends), []).append((spot.name, spot.title))
    return list(sentences.values())


def with_title(spot: Spot) -> str:
    """A name told apart by its title: Mrs. Stark."""
    title = spot.title.capitalize()
    return f"{title}{'.' if re.fullmatch('Mr|Mrs|Ms|Dr|Prof', title) else ''} {spot.name}"
