"""What a run from nothing leaves behind for reruns: to which problem it belongs, and the state to take up, as a file."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from core.corrections import OPEN, Bound
from core.evidence import Picture, Rates
from core.formats import whole_file
from core.formats.arrays import Arrays
from core.lookalikes import LookAlikes
from core.members import Sparse, sparse
from core.problem import IntArray, Problem
from core.rollcall import DEFAULTS
from core.scoring import Belief
from core.warm import State, View, changed, few

KIND = 6  # counted up when the file or the method changes: what older versions wrote is not taken up


@dataclass(frozen=True, eq=False)
class Memory:
    """The end of a run from nothing on the problem with this ``key``, its faces in this order."""

    key: str
    face_order: IntArray
    state: State

    def is_of(self, problem: Problem, method: str, seed: int, face_order: IntArray) -> bool:
        """Whether it was of the same problem, but for what people said, and of the same method."""
        return np.array_equal(self.face_order, face_order) and self.key == _key(problem, method, seed)

    def suits(self, ordered: Problem, bound: Bound) -> bool:
        """Whether little else is said now, so that a rerun can take it up."""
        return changed(self.state, ordered, bound) is not None


def is_better_settled_first(ordered: Problem, bound: Bound) -> bool:
    """Whether a run from nothing is to find its way before it hears what people said: they said little.

    A single answer can send a run that has yet to find its way elsewhere, with faces that the answer does not speak of. And
    so a rerun gives what a run from nothing gives. Not among faces that are the very same: those are told apart by answers.
    """
    twins = (ordered.features[1:] == ordered.features[:-1]).all(1).any()
    said = len(np.union1d(np.flatnonzero(bound.fixed != OPEN), bound.refused // max(bound.names, 1)))
    return said > 0 and few(said, ordered) and not twins


def remember(problem: Problem, method: str, seed: int, face_order: IntArray, state: State) -> Memory:
    """The memory of a run that ended so."""
    return Memory(_key(problem, method, seed), face_order, state)


def _key(problem: Problem, method: str, seed: int) -> str:
    about = (KIND, method, seed, DEFAULTS, problem.names, problem.groups)
    told = hashlib.blake2b(repr(about).encode(errors="surrogatepass"), digest_size=16)
    for array in (problem.features, problem.group, problem.mention_group, problem.mention_name):
        told.update(repr((array.shape, array.dtype.str)).encode())
        told.update(np.ascontiguousarray(array).data)
    return told.hexdigest()


def write(path: Path, memory: Memory) -> None:
    state, bound, alike = memory.state, memory.state.bound, memory.state.alike
    arrays: dict[str, Any] = {"key": memory.key, "face_order": memory.face_order}
    arrays["names"] = json.dumps(state.names)
    arrays |= {"fixed": bound.fixed, "group": bound.group, "refused": bound.refused}
    arrays |= {"taken": bound.taken, "brought": bound.brought}
    arrays["many_names"] = bound.names
    arrays |= {"faces": state.faces, "index": alike.index.astype(np.int32), "cosine": alike.cosine, "reach": alike.reach}
    arrays["views"] = len(state.views)
    for number, view in enumerate(state.views):
        arrays |= {f"{key}_{number}": value for key, value in _packed(view).items()}
    path.parent.mkdir(parents=True, exist_ok=True)
    whole_file(path, lambda file: np.savez(file, **arrays))


def _packed(view: View) -> dict[str, Any]:
    members, picture, rate = view.belief.members, view.picture, view.rate
    packed = {"value": members.data, "column": members.indices, "row": members.indptr, "shape": members.shape}
    return packed | {"new": view.belief.new, "y": picture.y, "psi": picture.psi} | asdict(rate)


def _unpacked(a: dict[str, Any], number: int) -> View:
    def of(key: str) -> Any:
        return a[f"{key}_{number}"]

    members: Sparse = sparse((of("value"), of("column"), of("row")))
    members.resize(*of("shape").tolist())
    rate = Rates(of("rho"), of("beta"), float(of("common")))
    return View(Belief(members, of("new")), Picture(of("y"), of("psi")), rate)


def read(path: Path) -> Memory | None:
    """What ``write`` wrote; None if there is nothing, or nothing that can be read."""
    try:
        with Arrays(path) as archive:
            a: dict[str, Any] = dict(archive)
        state = State(
            names=tuple(json.loads(str(a["names"]))),
            bound=Bound(a["fixed"], a["group"], a["refused"], a["taken"], a["brought"], int(a["many_names"])),
            faces=a["faces"],
            alike=LookAlikes.within(tuple(a["reach"].tolist()), a["index"].astype(np.int64), a["cosine"]),
            views=tuple(_unpacked(a, number) for number in range(int(a["views"]))),
        )
        return Memory(str(a["key"]), a["face_order"], state)
    except (OSError, ValueError, KeyError):
        return None
