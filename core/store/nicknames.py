"""Nicknames and short forms that captions use for somebody: "Mon" for Monica, "Doc" for the doctor.

A name joins a person's where both agree: the captions (it is a short form of one name, or a word that people are called by,
and nobody speaks under it) and the faces (who is named so is seen where it is said, far more often than elsewhere). The
program writes it as its own decision; a person can part them again, and then they stay apart.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

import numpy as np
from scipy.special import bdtrc

from core.problem import BoolArray, IntArray
from core.store.add_source import ROLLCALL
from core.store.decisions.log import Change, Log
from core.store.decisions.log_writer import decide
from core.store.reader import Reader
from core.store.tables import project_table
from core.store.views.current_labels import CONFIRMED, CORRECTED, CurrentLabels

SHORTEST = 3  # letters of a short form
SURE = 0.5  # the least confidence of a face that counts as seen
FEWEST, SHARE, CHANCE = 2, 0.5, 0.1  # of a short form: captions, share of them with the person in view, by chance at most
CALLED_FEWEST, CALLED_SHARE, CALLED_CHANCE = 3, 0.6, 0.01  # of a word that anybody may be called by
ALIKE = 0.5  # the least cosine between the faces that a run gave to the nickname and the person's own
SETTING = "nicknames"
# words that people are called by; between commas or at the ends of a sentence they are meant for somebody
CALLED = (
    *("Doc", "Doctor", "Captain", "Cap", "Coach", "Chief", "Boss", "Professor", "Sarge", "Sergeant", "Detective", "Nurse"),
    *("Grandpa", "Grandma", "Doktor", "Chef", "Capitaine", "Docteur", "Jefe", "Capitán", "Doctora", "Capo", "Dottore"),
)
VOCATIVE = re.compile(rf"(?:^|[,;:.!?…¿¡\-–—\"“]\s*)({'|'.join(CALLED)})(?=\s*(?:[,.!?…;\"”]|$))", re.MULTILINE)


@dataclass(frozen=True)
class Joined:
    """A nickname that was taken for somebody's, in how many captions it stands, and in how many of these they are seen."""

    nickname: str
    name: str
    captions: int
    seen: int

    @property
    def reason(self) -> str:
        return f"said in {self.captions} captions, and {self.name} is in view at {self.seen} of them"


def join_nicknames(reader: Reader) -> list[Joined]:
    """Joins nicknames with their people; gives those that are new."""
    labels, log = reader.current_labels(), reader.log()
    said = _said(reader, log)
    seen = _in_view(labels)
    looked = np.unique(labels.frame)
    found = [one for one in _short_forms(reader, labels, log, said, seen, looked) if not _before(log, one)]
    calls = {word: frames for word, frames in _vocatives(reader).items() if log.find_name(word) is None}
    found += [one for one in _calls(log, calls, seen, looked) if not _before(log, one)]
    for one in found:
        mentions = [Change("mention", frame=frame, name=one.nickname) for frame in sorted(calls.get(one.nickname, ()))]
        decide(reader.logs, ROLLCALL, [*mentions, Change("merge", name=one.nickname, other=one.name)])
    if found:
        kept = {one.nickname: one for one in [*joined(reader), *found]}
        text = json.dumps([asdict(one) for one in kept.values()], ensure_ascii=False)
        project_table.set_setting(reader.database, SETTING, text)
    return found


def joined(reader: Reader) -> list[Joined]:
    """The nicknames that were joined and are still."""
    log = reader.log()
    listed = [Joined(**one) for one in json.loads(project_table.setting(reader.database, SETTING, "[]"))]
    now = {log.original[name]: log.text(root) for name, root in log.merged().items()}
    removed = {log.original[name] for name in log.removed}
    return [one for one in listed if now.get(one.nickname) == one.name and one.nickname not in removed]


def forget(reader: Reader, texts: Iterable[str]) -> None:
    """Takes a person who is removed out of the list."""
    gone = set(texts)
    kept = [asdict(one) for one in joined(reader) if not {one.nickname, one.name} & gone]
    project_table.set_setting(reader.database, SETTING, json.dumps(kept, ensure_ascii=False))


# --- What is said, and who is seen ---


def _said(reader: Reader, log: Log) -> dict[int, tuple[set[int], bool]]:
    """By name's number, the frames whose captions hold it, and whether somebody speaks under it."""
    number = {log.text(name): log.root(name) for name in log.original}
    found: dict[int, tuple[set[int], bool]] = {}
    for frame, mentions in reader.mentions().items():
        for mention in mentions:
            frames, speaks = found.get(number[mention.name], (set(), False))
            frames.add(frame)
            found[number[mention.name]] = (frames, speaks or mention.kind == "speaker")
    return found


def _in_view(labels: CurrentLabels) -> dict[int, set[int]]:
    """By name's number, the frames in which a face has it."""
    seen = (labels.name >= 0) & (labels.confidence >= SURE)
    return {name: set(labels.frame[seen & (labels.name == name)].tolist()) for name in np.unique(labels.name[seen]).tolist()}


def _vocatives(reader: Reader) -> dict[str, set[int]]:
    """Words that somebody is called by, and the frames whose captions hold them so."""
    found: dict[str, set[int]] = {}
    for frame in reader.frames():
        for match in VOCATIVE.finditer(frame.caption):
            found.setdefault(match[1], set()).add(frame.id)
    return found


def _agree(
    frames: set[int], view: set[int], looked: IntArray, fewest: int, share: float, chance: float
) -> tuple[int, int] | None:
    """In how many captions the word stands and in how many of these the person is seen, if that is no chance."""
    there = frames & set(looked.tolist())
    others = set(looked.tolist()) - there
    both = len(there & view)
    usual = (len(others & view) + 1) / (len(others) + 2)
    if both < fewest or both < share * len(there) or float(bdtrc(both - 1, len(there), usual)) > chance:
        return None
    return len(there), both


# --- Who is meant ---


def _short_forms(
    reader: Reader,
    labels: CurrentLabels,
    log: Log,
    said: Mapping[int, tuple[set[int], bool]],
    seen: Mapping[int, set[int]],
    looked: IntArray,
) -> list[Joined]:
    found = []
    for short, (frames, speaks) in said.items():
        text = log.text(short)
        if speaks or " " in text or short in log.removed or _settled(labels, short):
            continue
        people = [one for one in said if one != short and is_short_for(text, log.text(one)) and one not in log.removed]
        if len(people) != 1 or frames & said[people[0]][0] & _both_in_one_sentence(reader, text, log.text(people[0])):
            continue
        person = people[0]
        own = labels.name == short
        if own.any() and not _alike(reader, labels, own, labels.name == person):
            continue
        view = seen.get(person, set()) | seen.get(short, set())
        agreed = _agree(frames, view, looked, FEWEST, SHARE, CHANCE)
        if agreed:
            found.append(Joined(text, log.text(person), *agreed))
    return found


def _calls(log: Log, calls: Mapping[str, set[int]], seen: Mapping[int, set[int]], looked: IntArray) -> list[Joined]:
    found = []
    for word, frames in calls.items():
        fit = []
        for person, view in seen.items():
            agreed = _agree(frames, view, looked, CALLED_FEWEST, CALLED_SHARE, CALLED_CHANCE)
            if agreed and person not in log.removed:
                fit.append(Joined(word, log.text(person), *agreed))
        if len(fit) == 1:  # where two people agree it may be either
            found += fit
    return found


def is_short_for(short: str, name: str) -> bool:
    """Whether a word is a short form or nickname of a name's first word.

    >>> is_short_for("Mon", "Monica Geller"), is_short_for("Bill", "William"), is_short_for("Anna", "Anna")
    (True, True, False)
    """
    one, first = short.casefold(), name.casefold().split()[0]
    if one == first or len(one) < 2:
        return False
    return (len(one) >= SHORTEST and first.startswith(one)) or first in _nicknames().get(one, ())


@cache
def _nicknames() -> dict[str, tuple[str, ...]]:
    rows = Path(__file__).with_name("nicknames.txt").read_text(encoding="utf-8").split("\n\n", 1)[1].splitlines()
    return {words[0]: tuple(words[1:]) for words in map(str.split, rows) if words}


def _both_in_one_sentence(reader: Reader, one: str, other: str) -> set[int]:
    """The frames with a sentence that names both, as it does with two people."""
    found = set()
    first = other.split()[0]
    for frame in reader.frames():
        for sentence in re.split(r"[.!?…\n]", frame.caption):
            words = set(re.findall(r"\w+", sentence))
            if {one, first} <= words:
                found.add(frame.id)
    return found


def _settled(labels: CurrentLabels, name: int) -> bool:
    """Whether people said of some face that it has this name: then it is somebody."""
    return bool(((labels.name == name) & ((labels.state == CONFIRMED) | (labels.state == CORRECTED))).any())


def _alike(reader: Reader, labels: CurrentLabels, one: BoolArray, other: BoolArray) -> bool:
    """Whether the faces of two names are alike."""
    if not other.any():
        return False
    vectors = reader.embeddings()
    means = []
    for rows in (one, other):
        some = np.asarray(vectors[labels.face[rows][:60]], np.float64)
        mean = (some / np.maximum(np.linalg.norm(some, axis=1, keepdims=True), 1e-12)).mean(axis=0)
        means.append(mean / max(float(np.linalg.norm(mean)), 1e-12))
    return float(means[0] @ means[1]) >= ALIKE


def _before(log: Log, one: Joined) -> bool:
    """Whether the two were joined before, and so were parted since."""
    pairs = {
        (log.original[entry.name], log.text(entry.other))
        for entry in log.entries
        if entry.kind == "merge" and entry.name is not None and entry.other is not None
    }
    return (one.nickname, one.name) in pairs
