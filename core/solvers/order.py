"""The canonical order of a problem, so that the order in which faces, groups and names came cannot matter."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from core.corrections import Constraints
from core.problem import NO_TRACK, IntArray, Problem


def canonical_order(problem: Problem, constraints: Constraints) -> tuple[Problem, Constraints, IntArray, IntArray]:
    """The same problem with faces ordered by their features, names by the alphabet, groups by their first face.

    Tracks and films are numbered by their first face and group. Also returned: which face and which name stands where.
    """
    name_order = np.array(sorted(range(len(problem.names)), key=problem.names.__getitem__), dtype=np.int64)
    name_rank = np.argsort(name_order)
    face_order, group_rank = _ranked(problem, constraints)
    mention_group, mention_name = group_rank[problem.mention_group], name_rank[problem.mention_name]
    mentions = np.lexsort((mention_name, mention_group))
    evidence_face, evidence_name = np.argsort(face_order)[problem.evidence_face], name_rank[problem.evidence_name]
    links = np.lexsort((problem.evidence_logodds, evidence_name, evidence_face))
    ordered = replace(
        problem,
        features=problem.features[face_order],
        group=group_rank[problem.group[face_order]],
        names=tuple(problem.names[k] for k in name_order),
        mention_group=mention_group[mentions],
        mention_name=mention_name[mentions],
        captions=None,
        truth=None,
        track=None if problem.track is None else _renumbered(problem.track[face_order]),
        quality=None if problem.quality is None else problem.quality[face_order],
        evidence_face=evidence_face[links],
        evidence_name=evidence_name[links],
        evidence_logodds=problem.evidence_logodds[links],
        mention_kind=None if problem.mention_kind is None else problem.mention_kind[mentions],
        film=None if problem.film is None else _renumbered(problem.film[np.argsort(group_rank)]),
    )
    return ordered, constraints.reordered(face_order, name_rank, group_rank), face_order, name_order


def _renumbered(number: IntArray) -> IntArray:
    """Other numbers for the same sets: 0, 1, ... in the order in which they first stand there; no track stays none."""
    _, first, place = np.unique(number, return_index=True, return_inverse=True)
    return np.where(number == NO_TRACK, NO_TRACK, np.argsort(np.argsort(first))[place])


def _ranked(problem: Problem, constraints: Constraints) -> tuple[IntArray, IntArray]:
    """The faces in order, and each group's rank."""
    rows = np.ascontiguousarray(problem.features + 0.0)  # + 0.0: no negative zero, whose bytes differ
    found, rank = np.unique(rows.view(np.dtype((np.void, rows.itemsize * rows.shape[1]))).ravel(), return_inverse=True)
    told = np.zeros(problem.faces, dtype=np.int64)
    company = np.zeros(problem.groups, dtype=np.int64)
    if len(found) < problem.faces or len(np.unique(problem.group)) < problem.groups:
        told, company = _told_apart(problem, constraints, rank)
    face_order = np.lexsort((company[problem.group], told, rank))
    first = np.full(problem.groups, problem.faces)
    np.minimum.at(first, problem.group[face_order], np.arange(problem.faces))
    return face_order, np.argsort(np.lexsort((company, first)))


def _told_apart(problem: Problem, constraints: Constraints, rank: IntArray) -> tuple[IntArray, IntArray]:
    """Ranks that tell twins apart: faces of the same features by what else is known of them, groups by what is in them."""
    _, told = np.unique(_facts(problem, constraints, rank), return_inverse=True)
    together: list[list[tuple[int, int]]] = [[] for _ in range(problem.groups)]
    for group, face in zip(problem.group.tolist(), zip(rank.tolist(), told.tolist(), strict=True), strict=True):
        together[group].append(face)
    kinds = problem.mention_kinds() or problem.candidates()
    captions = [sorted(zip(*caption, strict=True)) for caption in zip(problem.candidates(), kinds, strict=True)]
    facts = [repr((caption, sorted(faces))) for caption, faces in zip(captions, together, strict=True)]
    _, company = np.unique(facts, return_inverse=True)
    return told, company


def _facts(problem: Problem, constraints: Constraints, rank: IntArray) -> list[str]:
    """What is known of each face besides its features: answers, track, quality and evidence."""
    names = max(len(problem.names), 1)
    facts = [[f"is {problem.names[k]}" if k >= 0 else str(k)] for k in constraints.fixed.tolist()]
    for key in constraints.refused.tolist():
        facts[key // names].append(f"is not {problem.names[key % names]}")
    links = zip(problem.evidence_face, problem.evidence_name, problem.evidence_logodds, strict=True)
    for face, name, logodds in links:
        facts[face].append(f"{problem.names[name]} by {logodds!r}")
    if problem.quality is not None:
        for fact, quality in zip(facts, problem.quality.tolist(), strict=True):
            fact.append(f"quality {quality!r}")
    if problem.track is not None:
        tracks: dict[int, list[int]] = {}
        for track, face in zip(problem.track.tolist(), rank.tolist(), strict=True):
            tracks.setdefault(track, []).append(face)
        shown = {track: f"track {sorted(faces) if track != NO_TRACK else ''}" for track, faces in tracks.items()}
        for fact, track in zip(facts, problem.track.tolist(), strict=True):
            fact.append(shown[track])
    return ["\0".join(sorted(fact)) for fact in facts]
