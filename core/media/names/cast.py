"""The cast list: who may be named, and by which names."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from core.errors import BadInput, shown
from core.media.captions.speakers import PARTICLES, TITLES
from core.media.captions.text import read_text

WHAT = "a cast list"
INSTEAD = 'write one person a line with all their names, such as "Chandler Bing, Chandler, Bing"'
HEADER = ("name", "names", "person", "character")


@dataclass(frozen=True)
class Cast:
    """Each person's name and all the names they go by, that name among them."""

    people: Mapping[str, tuple[str, ...]]
    in_full: bool = False  # only whole names count, no parts of them: the list is hardly one of this film

    @cached_property
    def called(self) -> dict[str, tuple[str, ...]]:
        """Who may be meant by a name in lower case. The parts of a full name count where they are one person's alone."""
        meant: dict[str, list[str]] = {}
        for person, aliases in self.people.items():
            for alias in aliases:
                meant.setdefault(folded(alias), []).append(person)
        alone = {part: [person] for part, person in self.parts.items()}
        return {alias: tuple(dict.fromkeys(people)) for alias, people in {**alone, **meant}.items()}

    @cached_property
    def parts(self) -> dict[str, str]:
        """First and last names in lower case that one person alone has, and whose they are."""
        found: dict[str, list[str]] = {}
        for person in () if self.in_full else self.people:
            words = [word for word in person.split() if folded(word).strip(".") not in TITLES | PARTICLES]
            if len(words) > 1:
                for word in {words[0], words[-1]}:
                    found.setdefault(folded(word), []).append(person)
        given = {folded(alias) for aliases in self.people.values() for alias in aliases}
        return {part: who[0] for part, who in found.items() if part not in given and len(who) == 1 and len(part) > 1}


def folded(name: str) -> str:
    """A name as it is compared: in lower case, with plain apostrophes and single spaces."""
    return " ".join(name.replace("’", "'").casefold().split())


def read_cast(path: Path) -> Cast:
    """A cast list: text or CSV with one person a line, or JSON: a list of those, or an object of names and aliases."""
    text = read_text(path, WHAT, INSTEAD)
    try:
        is_json = path.suffix.lower() == ".json" or text.lstrip()[:1] in ("[", "{")
        rows = _json(text) if is_json else _rows(text)
    except BadInput as error:
        raise BadInput(f"{path}: {error}") from error
    people: dict[str, tuple[str, ...]] = {}
    for row in rows:
        names = [" ".join(name.split()) for name in row if name.strip()]
        if names:
            people[names[0]] = tuple(dict.fromkeys([*people.get(names[0], ()), *names]))
    if not people:
        raise BadInput(f"{path}: the cast list names nobody; {INSTEAD}")
    return Cast(people)


def _rows(text: str) -> list[list[str]]:
    rows = [row for row in text.split("\n") if row.strip() and not row.lstrip().startswith("#")]
    separator = max("\t,;", key=lambda mark: sum(mark in row.split('"')[0] for row in rows))
    try:
        cells = list(csv.reader(io.StringIO("\n".join(rows)), delimiter=separator, skipinitialspace=True))
    except csv.Error as error:
        raise BadInput(f"the cast list cannot be read ({error}); {INSTEAD}") from error
    if cells and cells[0] and cells[0][0].strip().lower() in HEADER:
        cells = cells[1:]
    return [[name for cell in row for name in re.split(r"[|;]", cell)] for row in cells]


def _json(text: str) -> list[list[str]]:
    try:
        content: Any = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadInput(f"this is not JSON ({error}); {INSTEAD}") from error
    if isinstance(content, dict):
        content = [[name, *_listed(aliases)] for name, aliases in content.items()]
    if not isinstance(content, list):
        raise BadInput(f"must hold a JSON list of people, not {type(content).__name__}; {INSTEAD}")
    return [_person(entry, place) for place, entry in enumerate(content, start=1)]


def _person(entry: Any, place: int) -> list[str]:
    if isinstance(entry, dict):
        entry = [entry.get("name"), *_listed(entry.get("aliases", []))]
    names = [entry] if isinstance(entry, str) else entry
    if not isinstance(names, list) or not names or not all(isinstance(name, str) for name in names):
        raise BadInput(
            f"person {place} is {shown(json.dumps(entry))[:60]}; write a name, or a list of a name and its aliases"
        )
    return names


def _listed(aliases: Any) -> Sequence[Any]:
    return aliases if isinstance(aliases, list) else [aliases]
