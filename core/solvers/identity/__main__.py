"""Compiles the method once, so that no run has to wait for it: ``python -m core.solvers.identity``."""

from __future__ import annotations

import numpy as np

from core.corrections import Correction
from core.problem import Problem
from core.solve import solve


def main() -> None:
    names = ["Ann", "Bob"]
    problem = Problem.build(
        np.random.default_rng(0).normal(size=(6, 4)),
        group=[0, 0, 1, 1, 2, 3],
        candidates=[names, ["Ann"], ["Bob"], names],
        track=[0, 1, 0, 1, -1, -1],
        evidence_face=[0],
        evidence_name=[0],
        evidence_logodds=[0.5],
    )
    solve(problem, "rollcall", [Correction(5, "is", "Bob")])


if __name__ == "__main__":
    main()
