"""What was measured for ``docs/results.md``: kept in JSON files, each measurement with the commit that made it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from core.evaluation.measure import SEEDLESS, Measured, is_ablation, measure, with_truth
from core.problem import IntArray, Problem

ROOT = Path(__file__).resolve().parents[1]


@cache
def commit() -> str:
    """The commit of the code that runs, short; with "-dirty" behind it where files differ from that commit."""
    asked = ["git", "-C", str(ROOT), "describe", "--always", "--dirty", "--exclude=*"]
    return subprocess.run(asked, check=True, capture_output=True, text=True).stdout.strip()


@dataclass
class Store:
    """Measurements by key in one JSON file, each with the commit that made it, saved after each."""

    path: Path
    again: bool
    measuring: bool  # without it, what is missing stays missing
    commits: set[str]  # those of all measurements that were asked for
    found: dict[str, Any] = field(default_factory=dict)
    fresh: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        if self.path.exists():
            self.found = json.loads(self.path.read_text())

    def get(self, key: str, take: Callable[[], Any]) -> Any:
        """The measurement of this name, taken if it is missing; None where it may not be taken."""
        if key not in self.found or (self.again and self.measuring and key not in self.fresh):
            if not self.measuring:
                return None
            print(f"measuring {key}", file=sys.stderr, flush=True)
            self._save(key, {"commit": commit(), "value": take()})
        self.commits.add(self.found[key]["commit"])
        return self.found[key]["value"]

    def _save(self, key: str, measured: dict[str, Any]) -> None:
        # another run of another piece may have saved meanwhile
        self.found = (json.loads(self.path.read_text()) if self.path.exists() else {}) | {key: measured}
        self.fresh.add(key)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        part = self.path.with_suffix(f".{os.getpid()}")
        part.write_text(json.dumps(self.found) + "\n")
        part.replace(self.path)


@dataclass(eq=False)
class Bench:
    """What to run on, and what was measured."""

    data: Path
    sets: list[str]
    methods: list[str]
    seeds: int
    results: Path
    pictures: Path
    again: bool
    measuring: bool
    writing: bool
    commits: set[str] = field(default_factory=set)  # that made the measurements of the present piece

    @cache  # noqa: B019  one bench lives as long as the program
    def store(self, name: str) -> Store:
        return Store(self.results / f"{name}.json", self.again, self.measuring, self.commits)

    @cache  # noqa: B019
    def problem(self, name: str) -> Problem:
        return with_truth(self.data / f"{name}.npz")

    def answered(self, wanted: Callable[[str], bool] = lambda method: True) -> Iterator[tuple[Measured, IntArray]]:
        """Every measurement asked for, with its answers, in the order of sets, methods, seeds."""
        for name in self.sets:
            for method in filter(wanted, self.methods):
                for seed in range(self.seeds):
                    found = self._one(name, method, 0 if method in SEEDLESS else seed)
                    if found is not None:
                        measured = replace(Measured(**found["measured"]), seed=seed)
                        yield measured, np.array(found["answer"], dtype=np.int64)

    def answers(self) -> dict[str, dict[str, list[IntArray]]]:
        """The answers of all methods but ablations: problem -> method -> seeds."""
        found: dict[str, dict[str, list[IntArray]]] = {}
        for measured, answer in self.answered(lambda method: not is_ablation(method)):
            found.setdefault(measured.problem, {}).setdefault(measured.method, []).append(answer)
        return found

    def _one(self, name: str, method: str, seed: int) -> Any:
        def take() -> Any:
            found = measure(name, self.problem(name), method, seed)
            return {"measured": asdict(found.measured), "answer": found.answer.tolist()}

        return self.store(f"answers-{name}").get(f"{name} {method} {seed}", take)
