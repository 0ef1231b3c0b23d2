"""The one data model: faces in groups, and the names their captions mention.

A *group* is a frame with its caption. Nobody says which of the caption's names belongs to which of its faces;
a face may be named by its own caption, only by other captions, or by none at all (*nobody*).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from core.arrays import chunks
from core.errors import BadInput

FloatArray = NDArray[np.floating[Any]]
IntArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]

NOBODY = -1  # the null label: a person whom no caption names
NO_TRACK = -1
MENTION_KINDS = (
    "",
    "speaker",
    "spoken",
    "described",
    "screen",
    "absent",
)  # how a caption came to mention a name; "" is not known


def _no_ints() -> IntArray:
    return np.zeros(0, dtype=np.int64)


def _no_floats() -> FloatArray:
    return np.zeros(0)


@dataclass(frozen=True, eq=False)
class Problem:
    """Faces (``features``, ``group``), groups (``mention_group``, ``captions``) and ``names``.

    A *mention* is one name in one caption: mention ``j`` says that the caption of group ``mention_group[j]`` holds
    the name ``names[mention_name[j]]``. Mentions are distinct and ordered by group. ``truth``, where it is known, is an
    index into ``names`` for each face, or ``NOBODY``. All that stands below ``truth`` is optional, too, and used by every
    method that can. Make a problem with ``Problem.build`` or ``core.read_problem``, which check it.

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
    track: IntArray | None = None  # a face: equal numbers are one person for certain, NO_TRACK is in no track
    quality: FloatArray | None = None  # a face: 0 (useless) to 1
    evidence_face: IntArray = field(default_factory=_no_ints)  # links that speak for themselves, such as a speaking mouth:
    evidence_name: IntArray = field(default_factory=_no_ints)  # for this face to have this name
    evidence_logodds: FloatArray = field(default_factory=_no_floats)  # there are these log-odds; those of one link add up
    mention_kind: IntArray | None = None  # a mention: an index into MENTION_KINDS
    film: IntArray | None = None  # a group: equal numbers are one film
    embedder: str = ""  # the kind of network that made the features; "" is not known

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
        *,
        track: ArrayLike | None = None,
        quality: ArrayLike | None = None,
        evidence_face: ArrayLike = (),
        evidence_name: ArrayLike = (),
        evidence_logodds: ArrayLike = (),
        mention_kind: Sequence[Sequence[str]] | None = None,
        film: ArrayLike | None = None,
        embedder: str = "",
    ) -> Problem:
        """A checked problem from arrays. ``candidates[g]`` lists the names in the caption of group ``g``, and
        ``mention_kind[g]`` the kinds of those mentions."""
        if names is None:
            names = list(dict.fromkeys(name for caption in candidates for name in caption))
        mention_group, mention_name, kind = _mentions(candidates, names, mention_kind)
        problem = Problem(
            features=np.asarray(features),
            group=_integers(group, "group"),
            names=tuple(str(name) for name in names),
            mention_group=mention_group,
            mention_name=mention_name,
            groups=len(candidates),
            captions=None if captions is None else tuple(captions),
            truth=None if truth is None else _integers(truth, "truth"),
            track=None if track is None else _integers(track, "track"),
            quality=None if quality is None else _numbers(quality, "quality"),
            evidence_face=_integers(evidence_face, "evidence_face", "link"),
            evidence_name=_integers(evidence_name, "evidence_name", "link"),
            evidence_logodds=_numbers(evidence_logodds, "evidence_logodds", "link"),
            mention_kind=kind,
            film=None if film is None else _integers(film, "film", "group"),
            embedder=embedder,
        )
        _check(problem)
        _check_optional(problem)
        return replace(problem, features=np.ascontiguousarray(problem.features, dtype=np.float32))

    def candidates(self) -> list[list[str]]:
        """The names in each group's caption."""
        listed: list[list[str]] = [[] for _ in range(self.groups)]
        for group, name in zip(self.mention_group.tolist(), self.mention_name.tolist(), strict=True):
            listed[group].append(self.names[name])
        return listed

    def mention_kinds(self) -> list[list[str]] | None:
        """The kinds of each group's mentions, as ``candidates`` lists their names; None if none is known."""
        if self.mention_kind is None:
            return None
        listed: list[list[str]] = [[] for _ in range(self.groups)]
        for group, kind in zip(self.mention_group.tolist(), self.mention_kind.tolist(), strict=True):
            listed[group].append(MENTION_KINDS[kind])
        return listed

    def mention_keys(self) -> IntArray:
        """One sorted-searchable number for each (group, name) that is mentioned."""
        return self.mention_group * max(len(self.names), 1) + self.mention_name


def _mentions(
    candidates: Sequence[Sequence[str]], names: Sequence[str], kinds: Sequence[Sequence[str]] | None
) -> tuple[IntArray, IntArray, IntArray | None]:
    """The distinct (group, name) pairs, ordered by group and then as the caption has them, and their kinds.

    A name that a caption mentions twice has the kind of its first mention.
    """
    index = {name: k for k, name in enumerate(names)}
    if kinds is not None and len(kinds) != len(candidates):
        raise BadInput(f"mention_kind has {len(kinds)} entries for {len(candidates)} groups")
    pairs: dict[tuple[int, int], int] = {}
    for group, caption in enumerate(candidates):
        if isinstance(caption, str) or not isinstance(caption, Sequence):
            raise BadInput(f"the caption of group {group} must be a list of names, not {type(caption).__name__}")
        codes = [0] * len(caption) if kinds is None else _kind_codes(group, kinds[group], len(caption))
        for name, code in zip(caption, codes, strict=True):
            if not isinstance(name, str) or name not in index:
                raise BadInput(f"the caption of group {group} has {name!r}, which is not in names; add it there")
            pairs.setdefault((group, index[name]), code)
    flat = np.array(list(pairs), dtype=np.int64).reshape(-1, 2)
    kind = None if kinds is None else np.array(list(pairs.values()), dtype=np.int64)
    return flat[:, 0].copy(), flat[:, 1].copy(), kind


def _kind_codes(group: int, kinds: Sequence[str], mentions: int) -> list[int]:
    if isinstance(kinds, str) or not isinstance(kinds, Sequence) or len(kinds) != mentions:
        raise BadInput(f"mention_kind of group {group} must be a list of {mentions} kinds, one for each name of its caption")
    for kind in kinds:
        if kind not in MENTION_KINDS:
            known = ", ".join(repr(one) for one in MENTION_KINDS)
            raise BadInput(f"mention_kind of group {group} has {kind!r}; a kind must be one of {known}")
    return [MENTION_KINDS.index(kind) for kind in kinds]


def check_writable(name: str) -> None:
    """Refuses a name that no file could hold."""
    try:
        name.encode()
    except UnicodeEncodeError as error:
        raise BadInput(f"the name {name!r} holds half a character, which cannot be written; spell it anew") from error


def _integers(values: ArrayLike, what: str, each: str = "face") -> IntArray:
    array = np.asarray(values)
    if array.ndim != 1:
        raise BadInput(f"{what} must have one number a {each}, but its shape is {array.shape}")
    if array.dtype.kind not in "iu" and array.size:
        raise BadInput(f"{what} must hold whole numbers, but its type is {array.dtype}")
    return array.astype(np.int64)


def _numbers(values: ArrayLike, what: str, each: str = "face") -> FloatArray:
    array = np.asarray(values)
    if array.ndim != 1 or array.dtype.kind not in "iuf":
        raise BadInput(f"{what} must have one number a {each}, but it is {array.dtype} of shape {array.shape}")
    array = array.astype(np.float64)
    if not np.isfinite(array).all():
        raise BadInput(f"{what} of {each} {int(np.argmin(np.isfinite(array)))} is no finite number")
    return array


def _norms(features: FloatArray) -> FloatArray:
    """In float64, so that large float32 do not overflow into a false "not a number"; in chunks, as that is twice the
    memory."""
    with np.errstate(over="ignore", invalid="ignore"):
        parts = (features[part].astype(np.float64) for part in chunks(*features.shape))
        return np.concatenate([np.linalg.norm(part, axis=1) for part in parts])


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


def _check_optional(problem: Problem) -> None:
    """Checks what stands below ``truth``."""
    for what, array in (("track", problem.track), ("quality", problem.quality)):
        if array is not None and len(array) != problem.faces:
            raise BadInput(f"{what} has {len(array)} entries for {problem.faces} faces")
    if problem.track is not None and (problem.track < NO_TRACK).any():
        face = int(np.argmax(problem.track < NO_TRACK))
        raise BadInput(f"the track of face {face} is {problem.track[face]}; it must be -1 (none) or a number from 0")
    quality = problem.quality
    if quality is not None and ((quality < 0) | (quality > 1)).any():
        face = int(np.argmax((quality < 0) | (quality > 1)))
        raise BadInput(f"the quality of face {face} is {quality[face]:g}; it must be from 0 to 1")
    lengths = [len(problem.evidence_face), len(problem.evidence_name), len(problem.evidence_logodds)]
    if len(set(lengths)) > 1:
        raise BadInput(f"evidence_face, evidence_name and evidence_logodds have {lengths} entries; give one of each a link")
    for what, array, many in (
        ("face", problem.evidence_face, problem.faces),
        ("name", problem.evidence_name, len(problem.names)),
    ):
        wrong = (array < 0) | (array >= many)
        if wrong.any():
            raise BadInput(f"evidence_{what} has {array[np.argmax(wrong)]}, but there are only {what}s 0 to {many - 1}")
    if problem.film is not None and len(problem.film) != problem.groups:
        raise BadInput(f"film has {len(problem.film)} entries for {problem.groups} groups")
    if not isinstance(problem.embedder, str):
        raise BadInput(f"embedder must be a text, not {type(problem.embedder).__name__}")
