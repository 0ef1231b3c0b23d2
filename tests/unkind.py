"""A project that is unkind to the app: HTML in names and captions, crowds, empty frames, all kinds of writing."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from core.records import Box, NewFace, NewFrame, NewMention, NewSource
from core.store.project import Project
from tests.known import known_run
from tests.made import drawn_face

SCRIPT = "<script>window.hit=1</script>"
IMAGE = '<img src=x onerror="window.hit=2">'
LONG = "Maximiliana Wilhelmine Friederike von und zu Hohenlohe-Waldenburg-Schillingsfürst the Younger, of Nowhere"
WRITINGS = ("王小明", "佐藤 さくら", "محمد عبد الله", "נועה לוי", "Ångström Łukasiewicz", LONG)
HTML, NO_FACES, NO_NAMES, CROWD, MANY_NAMES, SCRIPTS, NO_PICTURE, LOST_CROP = range(8)  # its frames
DIMENSION = 16


def unkind_project(folder: Path, run: bool = True) -> Project:
    """One frame of each kind, by the numbers above."""
    random = np.random.default_rng(0)
    frames = [
        _frame(random, f"Here is {SCRIPT} with {IMAGE} <u>now</u>.", [SCRIPT, IMAGE], 2),
        _frame(random, "Anna leaves the room.", ["Anna"], 0),
        _frame(random, "", [], 2),
        _frame(random, "Anna, Boris and everybody they know.", ["Anna", "Boris"], 40),
        _frame(random, "A long list.", [f"Person {k}" for k in range(60)], 3),
        _frame(random, "  ".join(WRITINGS), list(WRITINGS), len(WRITINGS)),
        _frame(random, "Anna, heard but not seen.", ["Anna"], 2, pictured=False),
        _frame(random, "Boris, whose crop is lost.", ["Boris"], 1),
    ]
    project = Project.create(folder, f"{IMAGE} & **more**")
    project.add(NewSource("pictures", "/pictures/unkind", IMAGE), frames, "made")
    lost = project.faces(LOST_CROP)[0].crop
    assert lost is not None
    lost.unlink()
    if run:
        known_run(project)
    return project


def _frame(random: np.random.Generator, caption: str, names: Sequence[str], faces: int, pictured: bool = True) -> NewFrame:
    mentions = [NewMention(name, _spans(caption, name)) for name in names]
    found = []
    for k in range(faces):
        vector = random.normal(size=DIMENSION)
        left, top = 10.0 + 78 * (k % 10), 20.0 + 110 * (k // 10)
        crop = drawn_face(k % 12) if pictured else None
        features, box = (vector / np.linalg.norm(vector)).astype(np.float32), Box(left, top, left + 64, top + 80)
        found.append(NewFace(features, box, crop, truth=names[k] if k < len(names) else ""))
    picture = drawn_face(99) if pictured else None
    return NewFrame(caption, mentions, found, path=f"{IMAGE}.jpg", picture=picture, width=800, height=450)


def _spans(caption: str, name: str) -> tuple[tuple[int, int], ...]:
    start = caption.find(name)
    return ((start, start + len(name)),) if start >= 0 else ()
