"""An order of its own for every problem, so that the order its faces, groups and names came in cannot matter."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from core.corrections import Bound
from core.problem import IntArray, Problem


def in_settled_order(problem: Problem, bound: Bound) -> tuple[Problem, Bound, IntArray, IntArray]:
    """The same problem with faces, groups and names in an order of their own, so that the order they came in cannot matter.

    Faces go by their features, names by the alphabet, groups by their first face. Also returned: which face and which name
    stands where.
    """
    name_order = np.array(sorted(range(len(problem.names)), key=problem.names.__getitem__), dtype=np.int64)
    name_rank = np.argsort(name_order)
    face_order, group_rank = _ranked(problem, bound)
    mention_group, mention_name = group_rank[problem.mention_group], name_rank[problem.mention_name]
    mentions = np.lexsort((mention_name, mention_group))
    ordered = replace(
        problem,
        features=problem.features[face_order],
        group=group_rank[problem.group[face_order]],
        names=tuple(problem.names[k] for k in name_order),
        mention_group=mention_group[mentions],
        mention_name=mention_name[mentions],
        captions=None,
        truth=None,
    )
    return ordered, bound.reordered(face_order, name_rank, group_rank), face_order, name_order


def _ranked(problem: Problem, bound: Bound) -> tuple[IntArray, IntArray]:
    """The faces in order, and each group's rank."""
    rows = np.ascontiguousarray(problem.features + 0.0)  # + 0.0: no negative zero, whose bytes differ
    found, rank = np.unique(rows.view(np.dtype((np.void, rows.itemsize * rows.shape[1]))).ravel(), return_inverse=True)
    said = np.zeros(problem.faces, dtype=np.int64)
    company = np.zeros(problem.groups, dtype=np.int64)
    if len(found) < problem.faces or len(np.unique(problem.group)) < problem.groups:
        said, company = _told_apart(problem, bound, rank)
    face_order = np.lexsort((company[problem.group], said, rank))
    first = np.full(problem.groups, problem.faces)
    np.minimum.at(first, problem.group[face_order], np.arange(problem.faces))
    return face_order, np.argsort(np.lexsort((company, first)))


def _told_apart(problem: Problem, bound: Bound, rank: IntArray) -> tuple[IntArray, IntArray]:
    """Twins (faces with the same features, groups without a face) go by what people said of them, by caption and company."""
    names = max(len(problem.names), 1)
    answers = [f"is {problem.names[k]}" if k >= 0 else str(k) for k in bound.fixed.tolist()]
    for key in bound.refused.tolist():
        answers[key // names] += f"\0is not {problem.names[key % names]}"
    _, said = np.unique(["\0".join(sorted(answer.split("\0"))) for answer in answers], return_inverse=True)
    together: list[list[tuple[int, int]]] = [[] for _ in range(problem.groups)]
    for group, face in zip(problem.group.tolist(), zip(rank.tolist(), said.tolist(), strict=True), strict=True):
        together[group].append(face)
    told = [repr((sorted(c), sorted(t))) for c, t in zip(problem.candidates(), together, strict=True)]
    _, company = np.unique(told, return_inverse=True)
    return said, company
