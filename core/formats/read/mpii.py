"""MPII-MD (and LSMDC, of which it is a part): sentences about clips of films, and who is meant in them.

Read as its public readers do:

- The annotations are tab-separated: ``clip, sentence`` (``annotations-original.csv``, as MovieQA's download_dvs_stories.py
  splits it) or ``clip, start, end, start, end, sentence`` (``LSMDC16_annos_*.csv``, as the challenge's README lists it). A
  clip is ``1005_Signs_00.04.43.000-00.04.45.829``: the film, then from when to when.
- Who is meant: a line ``clip, [1005_PERSON3],[1005_PERSON7]`` or ``clip, _`` for each annotation, in their order (the
  ``onlyIDs`` files that github.com/jamespark3922/lsmdc-fillin reads); each stands for a SOMEONE or [...] of the sentence, in
  order. Or a list of names, to be looked for in sentences that still have them.
- The faces are ``FILM/CLIP.npy``, a row each, as the same repository keeps them: 512 numbers of an embedding, or those
  after 6 others, the second of which is where in the clip the face is (0 to 1).

A clip becomes a frame. Nobody says which face is whom, so there is no truth.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from core.errors import BadInput, shown
from core.formats.read.benchmarks import lines, mentions_of, rows_of, unit
from core.problem import FloatArray
from core.records import NewFace, NewFrame, NewMention, NewSource

LEADING = 6  # numbers before the embedding's in the published face files

_CLOCK = r"(\d+)\.(\d\d)\.(\d\d)\.(\d+)"
_CLIP = re.compile(rf"(?P<film>.+)_{_CLOCK}-{_CLOCK}")
_BLANK = re.compile(r"\[\.\.\.\]|\bSOMEONE\b", re.IGNORECASE)
_PERSON = re.compile(r"\[([^\[\]]+)\]")


@dataclass
class _Clip:
    """The sentences about one clip, and the people in them."""

    film: str
    start: float
    sentences: list[str] = field(default_factory=list)
    people: list[list[str]] = field(default_factory=list)  # a list a sentence


def read(
    annotations: Path, faces: Path, people: Path | None = None, names: Sequence[str] = ()
) -> list[tuple[NewSource, list[NewFrame]]]:
    """The films of an annotation file for which there are faces, each as a source with its frames."""
    if people is None and not names:
        raise BadInput(
            f"{annotations}: nothing says who is meant in its sentences; give the file of persons (onlyIDs), or the names "
            "to look for"
        )
    if not faces.is_dir():
        raise BadInput(f"{faces}: there is no such folder; it must hold FILM/CLIP.npy with a clip's face features")
    clips = _clips(annotations, people)
    films: dict[str, list[NewFrame]] = {}
    for name, clip in clips.items():
        path = faces / clip.film / f"{name}.npy"
        if path.is_file():
            films.setdefault(clip.film, []).append(_frame(name, clip, path, names))
    if not films:
        first = next(iter(clips), "FILM_00.00.00.000-00.00.02.000")
        raise BadInput(f"{faces}: has no faces for any clip of {annotations}; it must hold files like FILM/{first}.npy")
    widths = {len(face.embedding) for frames in films.values() for frame in frames for face in frame.faces}
    if len(widths) > 1:
        raise BadInput(f"{faces}: the features have different lengths ({', '.join(map(str, sorted(widths)))}); use one kind")
    return [(NewSource("problem", str(annotations), film), frames) for film, frames in films.items()]


def _frame(name: str, clip: _Clip, path: Path, names: Sequence[str]) -> NewFrame:
    caption = "\n".join(clip.sentences)
    mentions = _mentions(clip) if clip.people else mentions_of(caption, names)
    found = [NewFace(row) for row in _features(path)]
    return NewFrame(caption, mentions, found, time=clip.start, path=name)


def _features(path: Path) -> FloatArray:
    table = rows_of(path)
    if table.shape[1] == 512 + LEADING:
        table = table[:, LEADING:]
    return unit(table, path) if len(table) else np.zeros((0, 0), dtype=np.float32)


def _clips(annotations: Path, people: Path | None) -> dict[str, _Clip]:
    """By clip, in the order of the file; one clip may have several sentences."""
    told = lines(annotations, (2, 6))
    meant = None if people is None else lines(people, (2,))
    if meant is not None and [fields[0] for _, fields in meant] != [fields[0] for _, fields in told]:
        at = next(
            (k for k, (a, b) in enumerate(zip(told, meant, strict=False)) if a[1][0] != b[1][0]), min(len(told), len(meant))
        )
        raise BadInput(
            f"{people}: from line {at + 1} on its clips are not those of {annotations}; give the files of one split"
        )
    clips: dict[str, _Clip] = {}
    for k, (place, fields) in enumerate(told):
        found = _CLIP.fullmatch(fields[0])
        if found is None:
            raise BadInput(
                f"{annotations}: line {place} begins with {shown(fields[0])}, which is no clip; "
                "write FILM_00.00.01.000-00.00.03.000"
            )
        hours, minutes, seconds, parts = found.groups()[1:5]
        start = int(hours) * 3600 + int(minutes) * 60 + float(f"{seconds}.{parts}")
        clip = clips.setdefault(fields[0], _Clip(found["film"], start))
        clip.sentences.append(fields[-1])
        if meant is not None:
            clip.people.append(_PERSON.findall(meant[k][1][1]))
    return clips


def _mentions(clip: _Clip) -> list[NewMention]:
    """Each person once, with the places of the words that stand for them where sentence and persons agree in number."""
    spans: dict[str, list[tuple[int, int]]] = {}
    offset = 0
    for sentence, people in zip(clip.sentences, clip.people, strict=True):
        blanks = [match.span() for match in _BLANK.finditer(sentence)]
        for k, person in enumerate(people):
            places = spans.setdefault(person, [])
            if len(blanks) == len(people):
                places.append((blanks[k][0] + offset, blanks[k][1] + offset))
        offset += len(sentence) + 1
    return [NewMention(person, tuple(places)) for person, places in spans.items()]
