"""The one data model: faces in groups, and the names their captions mention.

A *group* is a frame with its caption. Nobody says which of the caption's names belongs to which of its faces;
a face may be named by its own caption, only by other captions, or by none at all (*nobody*).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from core.errors import BadInput

FloatArray = NDArray[np.floating[Any]]
IntArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]

NOBODY = -1  # the null label: a person whom no caption names


@dataclass(frozen=True, eq=False)
class Problem:
    """Faces (``features``, ``group``), groups (``mention_group``, ``captions``) and ``names``.

    A *mention* is one name in one caption: mention ``j`` says that the caption of group ``mention_group[j]`` holds
    the name ``names[mention_name[j]]``. Mentions are distinct and ordered by group. ``truth``, where it is known, is an
    index into ``names`` for each face, or ``NOBODY``. Make one with ``Problem.build`` or ``Problem.read``, which check it.

    >>> problem = Problem.build(
    ...     features=[[1.0, 0.0], [0.0, 1.0], [1.0, 0.1]], group=[0, 0, 1], candidates=[["Ross", "Rachel"], ["Ross"]]
    ... )
    >>> problem.names
    ('Ross', 'Rachel')
    >>> problem.mention_group.tolist(), problem.mention_name.tolist()
    ([0, 0, 1], [0, 1, 0])
    """

    features: FloatArray
    group: IntArray
    names: tuple[str, ...]
    mention_group: IntArray
    mention_name: IntArray
    groups: int
    captions: tuple[str, ...] | None = None
    truth: IntArray | None = None

    @property
    def faces(self) -> int:
        return len(self.features)

    @property
    def mentions(self) -> int:
        return len(self.mention_group)

    @staticmethod
    def build(
        features: ArrayLike,
        group: ArrayLike,
        candidates: Sequence[Sequence[str]],
        names: Sequence[str] | None = None,
        truth: ArrayLike | None = None,
        captions: Sequence[str] | None = None,
    ) -> Problem:
        """A checked problem from arrays. ``candidates[g]`` lists the names in the caption of group ``g``."""
        if names is None:
            names = list(dict.fromkeys(name for caption in candidates for name in caption))
        mention_group, mention_name = _mentions(candidates, names)
        problem = Problem(
            features=np.asarray(features),
            group=_integers(group, "group"),
            names=tuple(str(name) for name in names),
            mention_group=mention_group,
            mention_name=mention_name,
            groups=len(candidates),
            captions=None if captions is None else tuple(captions),
            truth=None if truth is None else _integers(truth, "truth"),
        )
        _check(problem)
        return replace(problem, features=np.ascontiguousarray(problem.features, dtype=np.float32))

    @staticmethod
    def read(path: str | Path) -> Problem:
        """The problem in a file: Rollcall's ``.npz``, or a ``.mat`` of the partial-label benchmarks."""
        from core.formats import read_problem  # the formats need this module

        return read_problem(Path(path))

    def candidates(self) -> list[list[str]]:
        """The names in each group's caption."""
        listed: list[list[str]] = [[] for _ in range(self.groups)]
        for group, name in zip(self.mention_group.tolist(), self.mention_name.tolist(), strict=True):
            listed[group].append(self.names[name])
        return listed

    def mention_keys(self) -> IntArray:
        """One sorted-searchable number for each (group, name) that is mentioned."""
        return self.mention_group * max(len(self.names), 1) + self.mention_name


def _mentions(candidates: Sequence[Sequence[str]], names: Sequence[str]) -> tuple[IntArray, IntArray]:
    """The distinct (group, name) pairs, ordered by group and then as the caption has them."""
    index = {name: k for k, name in enumerate(names)}
    pairs: dict[tuple[int, int], None] = {}
    for group, caption in enumerate(candidates):
        if isinstance(caption, str) or not isinstance(caption, Sequence):
            raise BadInput(f"the caption of group {group} must be a list of names, not {type(caption).__name__}")
        for name in caption:
            if not isinstance(name, str) or name not in index:
                raise BadInput(f"the caption of group {group} has {name!r}, which is not in names; add it there")
            pairs[group, index[name]] = None
    flat = np.array(list(pairs), dtype=np.int64).reshape(-1, 2)
    return flat[:, 0].copy(), flat[:, 1].copy()


def check_writable(name: str) -> None:
    """Refuses a name that no file could hold."""
    try:
        name.encode()
    except UnicodeEncodeError as error:
        raise BadInput(f"the name {name!r} holds half a character, which cannot be written; spell it anew") from error


def _integers(values: ArrayLike, what: str) -> IntArray:
    array = np.asarray(values)
    if array.ndim != 1:
        raise BadInput(f"{what} must have one number a face, but its shape is {array.shape}")
    if array.dtype.kind not in "iu" and array.size:
        raise BadInput(f"{what} must hold whole numbers, but its type is {array.dtype}")
    return array.astype(np.int64)


def _norms(features: FloatArray) -> FloatArray:
    """In float64, so that large float32 do not overflow into a false "not a number"; a few rows at a time, as that is twice
    the memory."""
    step = max(1, (1 << 22) // features.shape[1])
    with np.errstate(over="ignore", invalid="ignore"):
        blocks = (features[k : k + step].astype(np.float64) for k in range(0, len(features), step))
        return np.concatenate([np.linalg.norm(block, axis=1) for block in blocks])


def _check(problem: Problem) -> None:
    features, group, truth = problem.features, problem.group, problem.truth
    if features.ndim != 2:
        raise BadInput(f"features must be a table, one row a face, but its shape is {features.shape}")
    if features.dtype.kind not in "fiu":
        raise BadInput(f"features must be numbers, but their type is {features.dtype}")
    if 0 in features.shape:
        what = "there are no faces" if not len(features) else "the faces have no features"
        raise BadInput(f"{what}: the shape of features is {features.shape}")
    norms = _norms(features)
    if not np.isfinite(norms).all():
        raise BadInput(f"the features of face {int(np.argmin(np.isfinite(norms)))} hold a value that is no finite number")
    if (norms < 1e-12).any() or (norms > 1e18).any():
        face = int(np.argmax((norms < 1e-12) | (norms > 1e18)))
        wrong = "all zero" if norms[face] < 1e-12 else "too large"
        raise BadInput(f"the features of face {face} are {wrong}, so it cannot be compared; leave that face out")
    if len(group) != len(features):
        raise BadInput(f"group has {len(group)} entries for {len(features)} faces")
    if group.size and (group.min() < 0 or group.max() >= problem.groups):
        face = int(np.argmax((group < 0) | (group >= problem.groups)))
        raise BadInput(f"face {face} is in group {group[face]}, but there are only groups 0 to {problem.groups - 1}")
    if len(set(problem.names)) != len(problem.names):
        twice = Counter(problem.names).most_common(1)[0][0]
        raise BadInput(f"names has {twice!r} twice; each name must stand there once")
    if any(not name.strip() for name in problem.names):
        raise BadInput("names has an empty name; an empty name means nobody, leave it out")
    for name in problem.names:
        check_writable(name)
    if problem.captions is not None and len(problem.captions) != problem.groups:
        raise BadInput(f"captions has {len(problem.captions)} entries for {problem.groups} groups")
    if truth is None:
        return
    if len(truth) != len(features):
        raise BadInput(f"truth has {len(truth)} entries for {len(features)} faces")
    if (truth < NOBODY).any() or (truth >= len(problem.names)).any():
        face = int(np.argmax((truth < NOBODY) | (truth >= len(problem.names))))
        raise BadInput(
            f"the truth of face {face} is {truth[face]}, which is no name: it must be -1 (nobody) "
            f"or an index below {len(problem.names)}"
        )
