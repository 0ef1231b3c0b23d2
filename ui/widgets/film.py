"""A small made-up film: captions written by hand, faces as vectors that scatter around their person's."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from core import NOBODY, Problem

ASSETS = Path(__file__).resolve().parents[2] / "assets"
DIMENSIONS = 512  # as FaceNet's, so that the paper's distances hold
NOISE = 0.7  # two pictures of one person lie about 0.8 apart, two people 1.4
SEED = 1


@dataclass(frozen=True)
class Frame:
    scene: str
    caption: str
    people: tuple[int, ...]  # who is seen: an index into the cast, or NOBODY for an extra
    first_face: int

    @property
    def faces(self) -> range:
        return range(self.first_face, self.first_face + len(self.people))


@dataclass(frozen=True)
class Film:
    source: str
    title: str
    cast: tuple[str, ...]
    frames: tuple[Frame, ...]

    @staticmethod
    def read(path: Path = ASSETS / "first_film.json") -> Film:
        return Film.parse(path.read_text(encoding="utf-8"))

    @staticmethod
    def parse(source: str) -> Film:
        script = json.loads(source)
        cast = tuple(script["cast"])
        frames: list[Frame] = []
        faces = 0
        for frame in script["frames"]:
            people = tuple(NOBODY if name is None else cast.index(name) for name in frame["faces"])
            frames.append(Frame(frame["scene"], frame["caption"], people, faces))
            faces += len(people)
        return Film(source, script["title"], cast, tuple(frames))

    @property
    def truth(self) -> tuple[int, ...]:
        return tuple(person for frame in self.frames for person in frame.people)

    def caption_parts(self, frame: Frame) -> list[tuple[str, bool]]:
        """The caption cut into (text, is it a name of the cast)."""
        longest_first = sorted(self.cast, key=len, reverse=True)
        names = "|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in longest_first)
        return [(part, place % 2 == 1) for place, part in enumerate(re.split(f"({names})", frame.caption)) if part]

    def mentioned(self, frame: Frame) -> list[str]:
        return list(dict.fromkeys(text for text, is_name in self.caption_parts(frame) if is_name))

    def problem(self) -> Problem:
        rng = np.random.default_rng(SEED)
        cast = _directions(rng, len(self.cast))
        truth = np.array(self.truth)
        person = np.where((truth == NOBODY)[:, None], _directions(rng, len(truth)), cast[truth])
        features = person + NOISE * _directions(rng, len(truth))
        return Problem.build(
            features=features / np.linalg.norm(features, axis=1, keepdims=True),
            group=[g for g, frame in enumerate(self.frames) for _ in frame.people],
            candidates=[self.mentioned(frame) for frame in self.frames],
            names=self.cast,
            captions=[frame.caption for frame in self.frames],
            truth=self.truth,
        )


def _directions(rng: np.random.Generator, count: int) -> np.ndarray:
    rows = rng.normal(size=(count, DIMENSIONS))
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True))
