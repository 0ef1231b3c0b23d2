"""What people said: this face *is* a name, *is not* a name, or is *nobody*; and the constraints on links that follow.

A correction is never overruled. "is" clamps its link to 1, all other links of the face to 0, and the links of that name to
other faces of the frame to 0, unless a person gave those the same name too (a mirror). "is not" clamps one link to
0, "nobody" all links of the face.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np

from core.arrays import find, join
from core.errors import BadInput, shown
from core.problem import NOBODY, BoolArray, IntArray, Problem, check_writable

OPEN = -2  # no person has answered for this face
Kind = Literal["is", "is not", "nobody"]


@dataclass(frozen=True)
class Correction:
    """One answer of a person about one face. ``name`` may come from another caption, or be new; it is empty for nobody."""

    face: int
    kind: Kind
    name: str = ""


@dataclass(frozen=True, eq=False)
class Constraints:
    """Corrections in terms of one problem: ``fixed`` holds each face's given name, ``NOBODY`` or ``OPEN``.

    Sets of (face, name) and of (group, name) are sorted keys: face or group times ``names``, plus name.
    """

    fixed: IntArray
    group: IntArray
    refused: IntArray  # (face, name) that a person refused
    taken: IntArray  # (group, name) that a person gave to a face
    injected: IntArray  # (group, name) among those that no caption mentions: the corrections' own mentions
    injected_names: IntArray  # names that the problem did not have
    names: int

    def reordered(self, face_order: IntArray, name_rank: IntArray, group_rank: IntArray) -> Constraints:
        """The same constraints for faces, names and groups in another order."""
        fixed = self.fixed[face_order]
        named = fixed >= 0
        fixed[named] = name_rank[fixed[named]]
        face_rank, names = np.argsort(face_order), max(self.names, 1)
        refused = face_rank[self.refused // names] * names + name_rank[self.refused % names]
        taken, injected = (group_rank[k // names] * names + name_rank[k % names] for k in (self.taken, self.injected))
        return Constraints(
            fixed=fixed,
            group=group_rank[self.group[face_order]],
            refused=np.sort(refused),
            taken=np.sort(taken),
            injected=np.sort(injected),
            injected_names=np.sort(name_rank[self.injected_names]),
            names=self.names,
        )

    def is_empty(self) -> bool:
        """Whether people said nothing about this problem."""
        return bool((self.fixed == OPEN).all()) and not len(self.refused)

    def given(self, face: IntArray, name: IntArray) -> BoolArray:
        """Whether a person gave this name to this face."""
        return np.asarray(self.fixed[face] == name)

    def allows(self, face: IntArray, name: IntArray) -> BoolArray:
        """Whether what people said leaves this name possible for this face."""
        fixed = self.fixed[face]
        free = (fixed == OPEN) & (find(self.refused, face * self.names + name) < 0)
        free &= find(self.taken, self.group[face] * self.names + name) < 0
        return np.asarray((fixed == name) | free)

    def ruled_out(self) -> tuple[IntArray, IntArray]:
        """Every (face, name) of open faces that is impossible: the name was refused, or another face of the frame has it."""
        names = max(self.names, 1)
        order = np.argsort(self.group, kind="stable")
        taken, place = join(self.group[order], self.taken // names)
        face = np.r_[self.refused // names, order[place]]
        name = np.r_[self.refused % names, self.taken[taken] % names]
        is_open = self.fixed[face] == OPEN
        return face[is_open], name[is_open]


def bind(problem: Problem, corrections: Iterable[Correction]) -> tuple[Problem, Constraints]:
    """The problem with the names and mentions that the corrections inject, and the corrections as its constraints."""
    corrections = list(dict.fromkeys(corrections))
    _refuse_contradictions(problem, corrections)
    names = list(dict.fromkeys([*problem.names, *(c.name for c in corrections if c.kind == "is")]))
    index = {name: k for k, name in enumerate(names)}
    fixed = np.full(problem.faces, OPEN, dtype=np.int64)
    fixed[[c.face for c in corrections if c.kind == "nobody"]] = NOBODY
    given = [(c.face, index[c.name]) for c in corrections if c.kind == "is"]
    face, name = np.array(given, dtype=np.int64).reshape(-1, 2).T
    fixed[face] = name
    refusals = [c.face * len(names) + index[c.name] for c in corrections if c.kind == "is not" and c.name in index]
    refused = np.unique(np.array(refusals, dtype=np.int64))
    # a given name is a mention of its frame from now on, whether or not the caption held it
    mentioned, taken = problem.mention_group * len(names) + problem.mention_name, problem.group[face] * len(names) + name
    injected = np.setdiff1d(taken, mentioned)
    keys = np.r_[mentioned, injected]
    order = np.argsort(keys // max(len(names), 1), kind="stable")
    kind = problem.mention_kind
    constraints = Constraints(
        fixed=fixed,
        group=problem.group,
        refused=refused,
        taken=np.unique(taken),
        injected=injected,
        injected_names=np.arange(len(problem.names), len(names)),
        names=len(names),
    )
    problem = replace(
        problem,
        names=tuple(names),
        mention_group=keys[order] // max(len(names), 1),
        mention_name=keys[order] % max(len(names), 1),
        mention_kind=None if kind is None else np.r_[kind, np.zeros(len(injected), dtype=np.int64)][order],
    )
    return problem, constraints


def unbind(problem: Problem, constraints: Constraints) -> tuple[Problem, Constraints]:
    """The problem as it was before ``bind``, in the order it has now, and no constraints."""
    kept = np.setdiff1d(np.arange(len(problem.names)), constraints.injected_names)
    rank = np.zeros(len(problem.names), dtype=np.int64)
    rank[kept] = np.arange(len(kept))
    mentioned = ~np.isin(problem.mention_keys(), constraints.injected)
    bare = replace(
        problem,
        names=tuple(problem.names[k] for k in kept.tolist()),
        mention_group=problem.mention_group[mentioned],
        mention_name=rank[problem.mention_name[mentioned]],
        mention_kind=None if problem.mention_kind is None else problem.mention_kind[mentioned],
        evidence_name=rank[problem.evidence_name],  # evidence is of the problem's own names only
    )
    return bind(bare, ())


def read_corrections(path: Path, faces: int) -> list[Correction]:
    """The corrections in a JSON file: ``[{"face": 3, "kind": "is", "name": "Ross"}, ...]``."""
    try:
        entries = json.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise BadInput(f"{path}: cannot be read ({error.strerror}); check the path") from error
    except (ValueError, RecursionError) as error:
        raise BadInput(f"{path}: this is not JSON ({error}); write a list of corrections") from error
    if not isinstance(entries, list):
        raise BadInput(f"{path}: must hold a JSON list of corrections, not {type(entries).__name__}")
    try:
        corrections = [_correction(entry, place, faces) for place, entry in enumerate(entries, start=1)]
    except BadInput as error:
        raise BadInput(f"{path}: {error}") from error
    return corrections


def _correction(entry: Any, place: int, faces: int) -> Correction:
    if not isinstance(entry, dict):
        raise BadInput(f"correction {place} must be an object with face, kind and name, not {type(entry).__name__}")
    face, kind, name = entry.get("face"), entry.get("kind"), entry.get("name")
    if not isinstance(face, int) or isinstance(face, bool) or not 0 <= face < faces:
        raise BadInput(f"correction {place} has the face {face!r}; it must be a number from 0 to {faces - 1}")
    if kind not in ("is", "is not", "nobody"):
        raise BadInput(f'correction {place} has the kind {kind!r}; it must be "is", "is not" or "nobody"')
    if kind == "nobody":
        return Correction(face, "nobody")
    if not isinstance(name, str) or not name.strip():
        raise BadInput(f'correction {place} ("{kind}") needs a name; for no name use the kind "nobody"')
    check_writable(name)
    return Correction(face, "is" if kind == "is" else "is not", name)


def _refuse_contradictions(problem: Problem, corrections: list[Correction]) -> None:
    answer: dict[int, Correction] = {}
    for c in corrections:
        if not 0 <= c.face < problem.faces:
            raise BadInput(f"a correction is about face {c.face}, but there are only faces 0 to {problem.faces - 1}")
        if c.kind not in get_args(Kind) or (c.kind != "nobody" and not c.name.strip()):
            raise BadInput(f"the correction of face {c.face} has the kind {c.kind!r} and the name {c.name!r}; give both")
        if c.kind == "is not":
            continue
        before = answer.setdefault(c.face, c)
        if before != c:
            said = [f"is {shown(a.name)}" if a.kind == "is" else "is nobody" for a in (before, c)]
            raise BadInput(
                f"the corrections of face {c.face} contradict each other: it {said[0]} and it {said[1]}; keep one"
            )
    for c in corrections:
        if c.kind == "is not" and c.face in answer and answer[c.face].name == c.name:
            name = shown(c.name)
            raise BadInput(
                f"the corrections of face {c.face} contradict each other: it is {name} and it is not {name}; keep one"
            )
