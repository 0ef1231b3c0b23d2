"""M-VAD Names: face tracks of films with the name of each character.

Read as the README and ``visualize.py`` of github.com/aimagelab/mvad-names-dataset describe it: for each film ``videos``, in
it each clip ("DVS123"), in it each character, and for each a list of tracks, a track being a list of ``(frame, x_min, y_min,
x_max, y_max)``. There it is a pickle, which could run code and is never opened: save it as JSON first. The captions are
lines of a clip's file and a sentence, tab between, as M-VAD's corpus files have them ("TITANIC_DVS123.avi", "He nods.").

A clip becomes a frame, a track a face. The features come as an ``.npy`` with a row for each track, in the order of the file.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.errors import BadInput, shown
from core.formats.read.benchmarks import lines, mentions_of, rows_of, unit
from core.problem import FloatArray
from core.records import Box, NewFace, NewFrame, NewSource

FARTHEST = 1e9  # pixels from the corner
_CLIP = re.compile(r"(?:.*[/\\])?(?P<film>[^/\\]*?)_?(?P<clip>DVS\d+)(?:\.\w+)?")


@dataclass(frozen=True)
class _Track:
    film: str
    clip: str
    character: str
    box: Box


def read(annotations: Path, features: Path, captions: Path) -> list[tuple[NewSource, list[NewFrame]]]:
    """The films of an annotation file, each as a source with its frames; a character's name is its faces' truth."""
    tracks = list(_tracks(_films(annotations), annotations))
    if not tracks:
        raise BadInput(f"{annotations}: there are no tracks in it; check that it is the whole file")
    table = unit(rows_of(features), features)
    if len(table) != len(tracks):
        raise BadInput(
            f"{features}: has {len(table)} rows for the {len(tracks)} tracks of {annotations}; give one row a track"
        )
    said = _captions(captions)
    by_film: dict[str, dict[str, list[int]]] = {}
    for row, track in enumerate(tracks):
        by_film.setdefault(track.film, {}).setdefault(track.clip, []).append(row)
    missing = sorted({track.film for track in tracks} - {film for film, _ in said})
    if missing:
        raise BadInput(f"{captions}: has no caption for the film {shown(missing[0])}; add lines like {missing[0]}_DVS1.avi")
    return [_film(annotations, film, clips, tracks, table, said) for film, clips in by_film.items()]


def _film(
    path: Path,
    film: str,
    clips: dict[str, list[int]],
    tracks: list[_Track],
    table: FloatArray,
    said: dict[tuple[str, str], str],
) -> tuple[NewSource, list[NewFrame]]:
    cast = list(dict.fromkeys(tracks[row].character for rows in clips.values() for row in rows))
    frames = []
    for clip, rows in clips.items():
        caption = said.get((film, clip), "")
        faces = [NewFace(table[row], tracks[row].box, truth=tracks[row].character) for row in rows]
        frames.append(NewFrame(caption, mentions_of(caption, cast), faces, path=f"{film}_{clip}"))
    return NewSource("problem", str(path), film), frames


def _films(path: Path) -> dict[str, Any]:
    try:
        content = path.read_bytes()
        if content[:1] in (b"\x80", b"(") or path.suffix.lower() in (".pkl", ".pickle"):
            raise BadInput(
                f"{path}: this is a pickle, which could run code and is never opened; save it as JSON where you trust it "
                '(json.dump(pickle.load(open("mvad-names.pkl", "rb")), open("mvad-names.json", "w")))'
            )
        films = json.loads(content.decode("utf-8-sig"))
    except OSError as error:
        raise BadInput(f"{path}: cannot be read ({error.strerror}); check the path") from error
    except (ValueError, RecursionError) as error:
        if isinstance(error, BadInput):
            raise
        raise BadInput(f"{path}: this is not JSON ({error}); save the annotations as JSON") from error
    if not isinstance(films, dict):
        raise BadInput(f"{path}: must hold an object with a film each, not {type(films).__name__}")
    return films


def _tracks(films: dict[str, Any], path: Path) -> Iterator[_Track]:
    for film, content in films.items():
        clips = content.get("videos") if isinstance(content, dict) else None
        if not isinstance(clips, dict):
            raise BadInput(f"{path}: the film {shown(film)} has no 'videos' with its clips; save the whole annotations")
        for clip, characters in clips.items():
            if not isinstance(characters, dict):
                raise BadInput(f"{path}: the clip {shown(clip)} of {shown(film)} must be an object with its characters")
            for character, tracks in characters.items():
                where = f"{path}: a track of {shown(character)} in {shown(clip)} of {shown(film)}"
                if not isinstance(tracks, list) or not character.strip():
                    raise BadInput(f"{where} is no list of boxes; write (frame, x_min, y_min, x_max, y_max)")
                yield from (_Track(film, clip, character, _box(track, where)) for track in tracks)


def _box(track: Any, where: str) -> Box:
    """The box half-way through a track, where a face is most likely to be well in view."""
    middle = track[len(track) // 2] if isinstance(track, list) and track else None
    numbers = isinstance(middle, list) and len(middle) == 5 and all(_is_edge(edge) for edge in middle)
    if not isinstance(middle, list) or not numbers:
        raise BadInput(f"{where} is no list of boxes; write (frame, x_min, y_min, x_max, y_max)")
    return Box(*(float(edge) for edge in middle[1:]))


def _is_edge(edge: Any) -> bool:
    return type(edge) in (int, float) and abs(edge) < FARTHEST  # which what is no number is not


def _captions(path: Path) -> dict[tuple[str, str], str]:
    """By film and clip; the sentences of one clip are joined."""
    said: dict[tuple[str, str], list[str]] = {}
    for place, fields in lines(path, (2,)):
        found = _CLIP.fullmatch(fields[0])
        if found is None:
            raise BadInput(f"{path}: line {place} begins with {shown(fields[0])}, which is no clip; write FILM_DVS1.avi")
        said.setdefault((found["film"], found["clip"]), []).append(fields[1])
    return {clip: "\n".join(sentences) for clip, sentences in said.items()}
