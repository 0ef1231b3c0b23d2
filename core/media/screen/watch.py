"""Watches a film for writing, cheaply, and has it read only where it may stand and only when it is new.

Writing is dense in upright strokes, and what is laid over a film stands still while the film moves. A look keeps the edges
that were there a moment ago, too; cells full of such edges, side by side in a row, may be a line of text. They are read
once. As long as the same edges stay, the text stays, and is not read again. Text that rolls over a plain ground, as credits
do, is read from time to time. No more is read than ``SHARE`` allows, whatever the film shows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from core.media.screen.kinds import Reader, Written
from core.media.video.reader import Pixels
from core.problem import BoolArray, IntArray
from core.records import Box

WIDTH = 640  # pixels of the picture that is watched
CELL = 8  # pixels of a cell
EDGE = 96  # of a horizontal Sobel filter, at the least, on an edge
DENSE = 0.16  # share of edge pixels in a cell of text
GAP, RUN, RUN_ABOVE = 3, 5, 8  # cells: between words, of a short line, of one in the upper part of the picture
LOWER = 0.55  # from here down captions stand
SETTLED, SETTLED_ABOVE = 2, 4  # looks for which a text must stand before it is read
STAYS = 0.6  # share of a text's edges that are still there while it is
GONE = 2  # looks without them until it is gone
BRIEF = 1.0  # seconds; what stood no longer runs by, or was no text
AGAIN, RARELY = 8, 64  # looks until a place where nothing was read is read again, at first and at last
PLAIN, NEAR = 0.7, 16  # share of pixels as bright as the median, give or take, on a plain ground
ROLLS = 10  # looks between two readings of text that rolls
ROWS = 3  # lines of text at the least where it rolls
FULL = 960  # pixels of a picture's width that are read; larger ones are reduced
SURE, LETTERS = 0.7, 3  # of the reader, and that a line has at the least; less is a pattern
CUT = 2  # pixels from the edge of what was read, where a line is cut off
# Pictures that may be read: at first, a look (a small part of one), and that can be saved up. So reading costs less than
# half of what finding faces does, whatever the film shows. What rolls counts for less: credits do not last.
FIRST, SHARE, SAVED, LIGHT = 1.5, 0.025, 4.0, 0.4
Cells = tuple[int, int, int, int]  # top, bottom, left, right
Mask = NDArray[np.uint8]  # 0 and 1


@dataclass
class Shown:
    """A line of text on the screen, and from when to when it stood there."""

    start: float
    stop: float
    text: str
    box: Box
    score: float
    rolls: bool = False
    cut: bool = False  # it goes on beyond what was read, as a line that runs does


@dataclass(eq=False)
class _Patch:
    """A place that was read: its cells, its edges, and what it said."""

    cells: Cells
    edges: Mask
    texts: list[Shown]
    since: float
    strokes: int = 0  # edge pixels
    missing: int = 0


@dataclass(eq=False)
class Watch:
    """Watches one stretch of a film; ``see`` takes its looks in their order, ``texts`` holds what was read."""

    reader: Reader
    texts: list[Shown] = field(default_factory=list)
    readings: int = 0
    _before: Sequence[Mask] = ()
    _patches: list[_Patch] = field(default_factory=list)
    _settled: IntArray = field(default_factory=lambda: np.zeros((0, 0), np.int64))  # by cell, for how many looks
    _wait: IntArray = field(default_factory=lambda: np.zeros((0, 0), np.int64))  # by cell, looks until it may be read
    _waited: IntArray = field(default_factory=lambda: np.zeros((0, 0), np.int64))  # ... and how many that were
    _budget: float = FIRST
    _rolled: int = ROLLS  # looks since text that rolls was read ...
    _next: int = ROLLS  # ... and until it is read again

    def see(self, time: float, pixels: Pixels) -> None:
        """One look."""
        grey = _grey(pixels)
        edges = _edges(grey)
        cells = edges.shape[0] // CELL, edges.shape[1] // CELL
        if self._settled.shape != cells:
            self._before, self._patches = (), []
            self._settled, self._wait, self._waited = (np.zeros(cells, np.int64) for _ in range(3))
        self._budget = min(self._budget + SHARE, SAVED)
        wide = _wider(edges)
        self._follow(time, wide)
        if len(self._before) == 2:
            self._look_for_new(time, pixels, edges & self._before[0] & self._before[1])
        self._look_for_rolling(time, pixels, grey, edges)
        self._before = (wide, *self._before[:1])

    # --- What stays ---

    def _follow(self, time: float, wide: Mask) -> None:
        """Texts whose edges are still there last until now."""
        for patch in self._patches:
            top, bottom, left, right = (CELL * edge for edge in patch.cells)
            there = cv2.countNonZero(cv2.bitwise_and(patch.edges, wide[top:bottom, left:right]))
            if there >= STAYS * patch.strokes:
                patch.missing = 0
                for text in patch.texts:
                    text.stop = time
            else:
                patch.missing += 1
        for patch in self._patches:
            if patch.missing >= GONE and time - patch.since < BRIEF:  # it runs, or was no text
                self._put_off(patch.cells)
        self._patches = [patch for patch in self._patches if patch.missing < GONE]

    def _put_off(self, cells: Cells) -> None:
        """The lines of these cells are not read for a while, and for longer each time."""
        top, bottom, left, right = cells
        here = (slice(top, bottom), slice(left, right))
        self._wait[here] = self._waited[here] = min(RARELY, max(AGAIN, 2 * int(self._waited[here].max())))

    # --- What is new ---

    def _look_for_new(self, time: float, pixels: Pixels, lasting: Mask) -> None:
        lines = _lines(lasting)
        self._wait = np.maximum(self._wait - 1, 0)
        self._hide(lines, [patch for patch in self._patches if not patch.missing])
        self._settled = np.where(lines, self._settled + 1, 0)
        low = np.arange(len(lines))[:, None] >= LOWER * len(lines)
        ready = (self._settled >= np.where(low, SETTLED, SETTLED_ABOVE)) & (self._wait == 0)
        if not ready.any():
            return
        for region in _regions(ready, lines):
            if not self._read(time, pixels, lasting, region):
                break

    @staticmethod
    def _hide(lines: BoolArray, patches: Sequence[_Patch]) -> None:
        for patch in patches:
            top, bottom, left, right = patch.cells
            lines[max(0, top - 1) : bottom + 1, max(0, left - 1) : right + 1] = False

    def _read(self, time: float, pixels: Pixels, lasting: Mask, cells: Cells) -> bool:
        """Reads a region; False where that is more than may be read now."""
        top, bottom, left, right = cells
        found = self._lines_in(pixels, cells, lasting.shape)
        if found is None:
            return False
        texts = [Shown(time, time, line.text, line.box, line.score, cut=cut) for line, cut in found]
        self.texts += texts
        edges = np.ascontiguousarray(lasting[CELL * top : CELL * bottom, CELL * left : CELL * right])
        self._patches = [patch for patch in self._patches if not (patch.missing and _overlap(patch.cells, cells))]
        self._patches.append(_Patch(cells, edges, texts, time, cv2.countNonZero(edges)))
        if texts:
            self._waited[top:bottom, left:right] = 0
        else:
            self._put_off(cells)
        return True

    def _lines_in(
        self, pixels: Pixels, cells: Cells, shape: tuple[int, ...], weight: float = 1.0
    ) -> list[tuple[Written, bool]] | None:
        """What is written in some cells, and whether it is cut off; None where that is more than may be read now."""
        part, corner, scale = _cut(pixels, cells, shape)
        share = weight * (cells[1] - cells[0]) * (cells[3] - cells[2]) * CELL**2 / (shape[0] * shape[1])
        if share > self._budget:
            return None
        self._budget -= share
        self.readings += 1
        wide = part.shape[1] - CUT
        read = [line for line in self.reader.read(part) if line.score >= SURE and _letters(line.text) >= LETTERS]
        return [(_placed(line, corner, scale), line.box.left < CUT or line.box.right > wide) for line in read]

    # --- What rolls ---

    def _look_for_rolling(self, time: float, pixels: Pixels, grey: Pixels, edges: Mask) -> None:
        self._rolled += 1
        if self._rolled < self._next:
            return
        plain = np.abs(grey.astype(np.int16) - int(np.median(grey[::4, ::4]))) < NEAR
        if plain.mean() < PLAIN:
            return
        lines = _lines(edges)
        self._hide(lines, [patch for patch in self._patches if patch.texts])
        if sum(bottom - top for top, bottom, *_ in _regions(lines, lines)) < 2 * ROWS:
            return
        rows, columns = np.flatnonzero(lines.any(axis=1)), np.flatnonzero(lines.any(axis=0))
        left, right = max(0, int(columns[0]) - 3), min(lines.shape[1], int(columns[-1]) + 4)
        around = max(0, int(rows[0]) - 1), min(lines.shape[0], int(rows[-1]) + 2), left, right
        found = self._lines_in(pixels, around, edges.shape, LIGHT)
        if found is not None:
            self._rolled, self._next = 0, ROLLS if found else min(RARELY, 2 * self._next)
            self.texts += [Shown(time, time, line.text, line.box, line.score, rolls=True, cut=cut) for line, cut in found]


def _grey(pixels: Pixels) -> Pixels:
    """The picture in grey, as large as it is watched, its sides multiples of a cell."""
    height, width = pixels.shape[:2]
    grey = cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY)
    scale = min(1.0, WIDTH / width)
    size = max(CELL, int(width * scale) // CELL * CELL), max(CELL, int(height * scale) // CELL * CELL)
    return np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA), np.uint8)


def _edges(grey: Pixels) -> Mask:
    strong = cv2.convertScaleAbs(cv2.Sobel(grey, cv2.CV_16S, 1, 0))
    return np.asarray(cv2.threshold(strong, EDGE, 1, cv2.THRESH_BINARY)[1], np.uint8)


def _wider(edges: Mask) -> Mask:
    return np.asarray(cv2.dilate(edges, np.ones((3, 3), np.uint8)), np.uint8)


def _lines(edges: Mask) -> BoolArray:
    """By cell, whether it may be part of a line of text: dense in edges, in a row of such cells."""
    height, width = edges.shape
    share = cv2.resize(edges * np.uint8(255), (width // CELL, height // CELL), interpolation=cv2.INTER_AREA)
    dense = (share > 255 * DENSE).astype(np.uint8)
    joined = cv2.morphologyEx(dense, cv2.MORPH_CLOSE, np.ones((1, GAP), np.uint8))
    short = cv2.morphologyEx(joined, cv2.MORPH_OPEN, np.ones((1, RUN), np.uint8))
    long = cv2.morphologyEx(joined, cv2.MORPH_OPEN, np.ones((1, RUN_ABOVE), np.uint8))
    low = np.arange(len(short))[:, None] >= LOWER * len(short)
    return np.asarray(np.where(low, short, long), bool)


def _regions(ready: BoolArray, lines: BoolArray) -> list[Cells]:
    """The lines in which some cell is ready, with their neighbours, as rectangles with some room; the lowest first."""
    near = cv2.dilate(lines.astype(np.uint8), np.ones((3, 5), np.uint8))
    many, labels, stats, _ = cv2.connectedComponentsWithStats(near, connectivity=8)
    found = []
    for k in range(1, many):
        left, top, wide, high = stats[k, :4].tolist()
        if (ready & (labels == k)).any():
            found.append((top, min(top + high, lines.shape[0]), max(0, left - 2), min(left + wide + 2, lines.shape[1])))
    return sorted(found, reverse=True)


def _letters(text: str) -> int:
    return sum(map(str.isalpha, text))


def _overlap(one: Cells, other: Cells) -> bool:
    return one[0] < other[1] and other[0] < one[1] and one[2] < other[3] and other[2] < one[3]


def _cut(pixels: Pixels, cells: Cells, shape: tuple[int, ...]) -> tuple[Pixels, tuple[float, float], float]:
    """A part of the picture, reduced where it is large; its corner, and the pixels of the whole to one of the part."""
    height, width = pixels.shape[:2]
    down, across = CELL * height / shape[0], CELL * width / shape[1]
    top, bottom, left, right = cells
    y, x = int(top * down), int(left * across)
    part = pixels[y : min(height, round(bottom * down)), x : min(width, round(right * across))]
    scale = max(1.0, width / FULL)
    if scale > 1.0:
        size = max(1, round(part.shape[1] / scale)), max(1, round(part.shape[0] / scale))
        part = np.asarray(cv2.resize(part, size, interpolation=cv2.INTER_AREA), np.uint8)
    return part, (float(x), float(y)), scale


def _placed(line: Written, corner: tuple[float, float], scale: float) -> Written:
    """A line with its place in the whole picture."""
    x, y = corner
    box = Box(x + line.box.left * scale, y + line.box.top * scale, x + line.box.right * scale, y + line.box.bottom * scale)
    return Written(line.text, box, line.score)
