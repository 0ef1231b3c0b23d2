"""A project as a problem: its faces, the groups that they are in, and what captions and mouths say of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from core.errors import BadInput
from core.problem import NO_TRACK, NOBODY, IntArray, Problem
from core.records import Face, Frame, Mention, Track
from core.store.decisions.blind import waiting_faces
from core.store.decisions.persons import judged
from core.store.reader import Reader
from core.store.runs.lines import grouped
from core.store.runs.screen_evidence import screen_evidence
from core.store.runs.told_order import Evidence, told_in_order
from core.store.tables import project_table, track_table


def problem(reader: Reader) -> tuple[Problem, IntArray]:
    """The project as a problem, and the faces' numbers in its order."""
    faces: Sequence[Face] = reader.faces()
    if not faces:
        raise BadInput(f"{reader.folder}: the project has no faces yet; add a video or pictures with `ingest`")
    faces = _sure(reader, faces)
    frames, mentions = reader.frames(), reader.mentions()
    tracks = track_table.read(reader.database)
    looks = {one.id: dict(one.boxes) for one in tracks}
    groups, group = grouped(frames, faces, looks, mentions)
    mentioned = [_mentions([mentions.get(frame.id, ()) for frame in some]) for some in groups]
    candidates = [list(kinds) for kinds in mentioned]
    truths = _truths(reader, faces)
    names = dict.fromkeys(mention.name for some in groups for frame in some for mention in mentions.get(frame.id, ()))
    names |= dict.fromkeys(truth for truth in truths or () if truth)
    index = {name: k for k, name in enumerate(names)} | {"": NOBODY}
    numbers = np.array([face.id for face in faces], np.int64)
    built = Problem.build(
        features=np.asarray(reader.embeddings()[numbers]),
        group=group,
        candidates=candidates,
        names=list(names),
        truth=None if truths is None else [index[truth] for truth in truths],
        captions=[some[0].caption for some in groups],
        track=_tracks(reader, faces),
        quality=[face.quality for face in faces],
        mention_kind=[list(kinds.values()) for kinds in mentioned],
        film=_films(reader, groups),
        **_evidence(reader, faces, index, tracks, told_in_order(frames, faces, mentions)),
        embedder=str(project_table.fact(reader.database, "embedder")),
    )
    return built, numbers


def _tracks(reader: Reader, faces: Sequence[Face]) -> IntArray:
    """By face, its track; tracks and faces that people call one person are one, unless a frame shows both of them."""
    track = np.array([NO_TRACK if face.track is None else face.track for face in faces], np.int64)
    frame, row = np.array([face.frame for face in faces], np.int64), {face.id: k for k, face in enumerate(faces)}
    hidden = waiting_faces(reader.database, reader.log())  # what is said blind must not show in what a run says
    for one, other in judged(reader.log()).same:
        if one not in row or other not in row or hidden & {one, other}:
            continue
        here = [_with(track, row[face]) for face in (one, other)]
        if not np.intersect1d(frame[here[0]], frame[here[1]]).size:
            number = max(int(track[here[0][0]]), int(track[here[1][0]]))
            track[np.r_[here[0], here[1]]] = number if number >= 0 else track.max() + 1
    return track


def _with(track: IntArray, row: int) -> IntArray:
    """The rows of a face's track."""
    return np.flatnonzero(track == track[row]) if track[row] >= 0 else np.array([row])


def _doubtful(reader: Reader) -> set[int]:
    """Tracks of which nobody knows whether they are faces."""
    marked = {face.track for face in reader.faces() if face.mark == "doubtful" and face.track is not None}
    return marked - {face.track for face in _sure(reader, reader.faces())}


def _sure(reader: Reader, faces: Sequence[Face]) -> Sequence[Face]:
    """Those that are faces, and doubtful ones of which people said who they are; all where nothing else is left."""
    said = {*reader.log().answered, *reader.by_track()}
    return [face for face in faces if face.mark != "doubtful" or face.id in said] or faces


def _mentions(listed: Sequence[Sequence[Mention]]) -> dict[str, str]:
    """The names that a group's frames mention, each with the kind of its first mention; not those who are said to be away.

    Where it is known who speaks, those whom the speaker names are left out: they are in view no more often than at any other
    time. Of a sitcom's lines that name somebody beside the speaker, 29 in 100 show that person, and 31 in 100 of all lines.
    """
    found: dict[str, str] = {}
    for mention in (one for some in listed for one in some if one.kind != "absent"):
        found.setdefault(mention.name, mention.kind)
    tagged = "speaker" in found.values()
    return {name: kind for name, kind in found.items() if not (tagged and kind == "spoken")}


def _truths(reader: Reader, faces: Sequence[Face]) -> list[str] | None:
    """Who each face is ("" for nobody), as people are called now; None where that is not known of all."""
    log = reader.log()
    called = {was: log.text(name) for name, was in log.original.items()}  # the truth knows nothing of renames and merges
    truths = [called.get(face.truth, face.truth) for face in faces if face.truth is not None]
    return truths if len(truths) == len(faces) else None


def _films(reader: Reader, groups: Sequence[Sequence[Frame]]) -> list[int] | None:
    """The film of each group where there are several; reference photos and other pictures belong to all films."""
    kinds = [source.kind for source in reader.sources()]
    return [group[0].source for group in groups] if len(kinds) > 1 and set(kinds) == {"video"} else None


def _evidence(
    reader: Reader, faces: Sequence[Face], index: Mapping[str, int], tracks: Sequence[Track], told: Evidence
) -> dict[str, Any]:
    """What speaks for names by itself, mouths, names on the screen and the order in which they are told: a track's holds for
    its first face."""
    log, first = reader.log(), {face.track: k for k, face in reversed(list(enumerate(faces)))}
    spoken = [(track, log.text(name), logodds) for track, name, logodds in track_table.read_evidence(reader.database)]
    lines = reader.lines()
    shown = screen_evidence(lines, tracks, _doubtful(reader) if lines else ())
    said = [*spoken, *((*link, logodds) for some in (shown, told) for link, logodds in sorted(some.items()))]
    links = [(first[track], index[name], logodds) for track, name, logodds in said if track in first and name in index]
    return {
        "evidence_face": [face for face, _, _ in links],
        "evidence_name": [name for _, name, _ in links],
        "evidence_logodds": [logodds for _, _, logodds in links],
    }
