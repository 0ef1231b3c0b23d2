"""What workers do with problem files: name their faces."""

from __future__ import annotations

import json
import tempfile
import time
from pathlib import Path

from core.corrections import read_corrections
from core.formats import read_problem
from core.jobs.archive.messages import Answer, Solution, Solve
from core.jobs.archive.scratch import scratch
from core.solve import solve_from
from core.solvers.checkpoint import write_checkpoint
from core.store.runs import answers


def solve(task: Solve) -> Answer:
    with tempfile.TemporaryDirectory(dir=scratch()) as place:
        folder = Path(place)
        (folder / "problem.npz").write_bytes(task.problem)
        (folder / "corrections.json").write_text(task.corrections, encoding="utf-8")
        problem = read_problem(folder / "problem.npz")
        said = read_corrections(folder / "corrections.json", problem.faces) if json.loads(task.corrections) else []
        began = time.perf_counter()
        solution = solve_from(None, problem, task.method, said, task.seed)
        seconds = time.perf_counter() - began
        answers.write_prediction(folder / "answer.npz", solution.prediction)
        checkpoint = b""
        if solution.checkpoint is not None:
            write_checkpoint(folder / "checkpoint.npz", solution.checkpoint)
            checkpoint = (folder / "checkpoint.npz").read_bytes()
        answer = (folder / "answer.npz").read_bytes()
        return Solution(seconds, solution.prediction.names, answer, checkpoint)
