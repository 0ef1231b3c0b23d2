"""Small problems whose faces lie on a line, so that their links can be worked out by hand."""

from collections.abc import Sequence

from core import Correction, Problem
from core.corrections import bind
from core.solvers.dbgae.links import Distances, Links, build_links

# Faces on a line, so that their distances can be read off: 0 and 2 are alike, 1 and 3 are alike.
#   group 0: faces 0, 1; caption A, B (mentions 0, 1)
#   group 1: face 2;     caption A    (mention 2)
#   group 2: faces 3, 4; caption B, C (mentions 3, 4)
PLACES = [0.0, 10.0, 0.5, 10.4, 20.0]
ALIKE = Distances(pair=1.0, neighbour=1.0)


def on_a_line(places: Sequence[float], group: Sequence[int], candidates: list[list[str]]) -> Problem:
    return Problem.build([[place, 1.0] for place in places], group, candidates, names=["A", "B", "C"])


def small(places: Sequence[float] = PLACES) -> Problem:
    return on_a_line(places, [0, 0, 1, 2, 2], [["A", "B"], ["A"], ["B", "C"]])


def linked(problem: Problem, corrections: Sequence[Correction] = (), distances: Distances = ALIKE) -> tuple[Problem, Links]:
    problem, constraints = bind(problem, corrections)
    return problem, build_links(problem, constraints, distances)
