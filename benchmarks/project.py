"""How quick a project is at 20,000 faces, each as a multiple of the same work done bare: ``python -m benchmarks.project``.

Opening against reading the same tables with sqlite3; a decision against one bare durable insert; an export against writing
and syncing as many bytes.
"""

from __future__ import annotations

import argparse
import os
import sqlite3
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

import numpy as np

from benchmarks.measure import Report, Row
from core.prediction import Prediction, Scores
from core.problem import Problem
from core.records import Box, NewFace, NewFrame, NewMention, NewSource
from core.store import files
from core.store.project import Change, Project
from core.store.runs import answers

CROP = bytes(range(256)) * 20  # 5 KB, as a small JPEG has


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--faces", type=int, default=20_000)
    faces = parser.parse_args().faces
    with tempfile.TemporaryDirectory() as folder:
        project = made(Path(folder) / "project", faces)
        print(f"{faces} faces, {project.count('frame')} frames, {len(project.names())} names")
        report = Report("project")
        opening(report, project)
        deciding(report, project, Path(folder))
        looking(report, project)
        exporting(report, project, Path(folder))


def made(folder: Path, faces: int) -> Project:
    """A project of two faces a frame with a run's answers, half of them confirmed."""
    random = np.random.default_rng(0)
    names = [f"Person {k:03}" for k in range(200)]
    vectors = random.normal(size=(faces, 128)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    who = random.integers(0, len(names), faces)
    frames = [
        NewFrame(
            f"{names[who[k]]} and {names[who[k + 1]]} talk.",
            [NewMention(names[who[j]], ((0, 10),)) for j in (k, k + 1)],
            [NewFace(vectors[j], Box(10, 10, 60, 60), CROP) for j in (k, k + 1)],
            time=k * 2.0,
            width=640,
            height=360,
        )
        for k in range(0, faces - 1, 2)
    ]
    project = Project.create(folder)
    project.add(NewSource("video", "/film.mp4", "film.mp4"), frames, "made")
    problem, ids = project.problem()
    write_run(project, problem, ids, who)
    project.decide("Ann", *(Change("confirm", face=face, name=names[who[face]]) for face in ids[::2]))
    return project


def write_run(project: Project, problem: Problem, ids: list[int], who: np.ndarray) -> None:
    """A run's answer as if one had been made: the solver's time is not measured here."""
    known = {name: k for k, name in enumerate(problem.names)}
    name = np.array([known[f"Person {k:03}"] for k in who[ids]])
    sure = np.full(len(ids), 0.9)
    prediction = Prediction(problem.names, name, sure, Scores(np.arange(len(ids)), name, sure, 1 - sure))
    face = np.array(ids)
    numbers = np.array([project.reader.logs.name_number(text) for text in problem.names])
    number = project.database.run(
        "INSERT INTO run (method, settings, seed, at, seconds, faces, answered, version, accuracy)"
        " VALUES ('rollcall', '{}', 0, '', 0, ?, 0, 0, NULL)",
        (len(ids),),
    )
    answers.write(files.run_path(project.folder, number), face, numbers, prediction, face[:200])


def opening(report: Report, project: Project) -> None:
    def ours() -> None:
        with Project.open(project.folder) as opened:
            opened.review.queue()

    def bare() -> None:
        connection = sqlite3.connect(project.database.path)
        for table in ("face", "frame", "decision"):
            connection.execute(f"SELECT * FROM {table}").fetchall()
        connection.close()

    show(report, "open, fold the log and order the queue", "read three tables", ours, bare, 7)


def deciding(report: Report, project: Project, folder: Path) -> None:
    connection = sqlite3.connect(folder / "bare.sqlite", isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("CREATE TABLE bare (a, b, c, d, e, f)")
    turn = iter(range(1_000_000))

    def ours() -> None:
        project.decide("Bob", Change("is", face=next(turn), name="Person 007"))

    def bare() -> None:
        connection.execute("INSERT INTO bare VALUES (1, 2, 3, 'four', 'five', ?)", ("x" * 100,))

    show(report, "store one decision", "one durable insert", ours, bare, 200)


def looking(report: Report, project: Project) -> None:
    turn = iter(range(1_000_000))

    def ours() -> None:
        project.decide("Bob", Change("nobody", face=next(turn)))
        queue = project.review.queue()
        frame = int(queue.frame[0])
        project.faces(frame), project.mentions(frame), project.review.why(int(queue.face[0]))

    def bare() -> None:
        project.database.rows("SELECT id, frame, track FROM face")

    show(report, "decide, then the next frame with all that a page shows", "read one column of faces", ours, bare, 15)


def exporting(report: Report, project: Project, folder: Path) -> None:
    for format in ("csv", "json", "coco", "label-studio", "cvat"):
        path = folder / f"out-{format}"

        def ours(format: str = format, path: Path = path) -> None:
            project.export(format, path)

        ours()
        content = path.read_bytes()

        def bare(content: bytes = content) -> None:
            with (folder / "raw").open("wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())

        show(report, f"export {format}, {len(content) / 1e6:.1f} MB", "write as many bytes", ours, bare, 3)


def show(report: Report, what: str, against: str, ours: Callable[[], None], bare: Callable[[], None], times: int) -> None:
    """Both timed in turn, the medians compared."""
    mine, theirs = [], []
    for _ in range(times):
        mine.append(timed(ours))
        theirs.append(timed(bare))
    report.add(Row(what, median(mine), median(mine) / median(theirs), against))


def timed(work: Callable[[], None]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


if __name__ == "__main__":
    main()
