"""Scripted annotators on one project, as the app's threads work on it.

``python -m tests.soak.annotators FOLDER N SECONDS SEED``

Prints, as JSON, the steps that were acknowledged to each, and how long each took with all that a page then shows.
"""

from __future__ import annotations

import json
import random
import sys
import threading
import time
from pathlib import Path

from core.store.project import Change, Project

PACE = (0.5, 2.0)  # seconds between two clicks of one person


class Annotator(threading.Thread):
    def __init__(self, project: Project, who: str, end: float, chance: random.Random) -> None:
        super().__init__(daemon=True)
        self.project, self.who, self.end, self.chance = project, who, end, chance
        self.steps: list[str] = []
        self.times: list[float] = []
        self.errors: list[str] = []

    def run(self) -> None:
        names = self.project.names()
        while time.monotonic() < self.end:
            time.sleep(min(self.chance.uniform(*PACE), max(0.0, self.end - time.monotonic())))
            began = time.perf_counter()
            try:
                self._click(names)
            except Exception as error:  # told at the end; the others go on
                self.errors.append(f"{type(error).__name__}: {error}")
            self.times.append(time.perf_counter() - began)

    def _click(self, names: list[str]) -> None:
        project, chance = self.project, self.chance
        queue = project.review.queue(who=self.who)
        frame = int(queue.frame[chance.randrange(min(len(queue.frame), 200))])
        faces = project.faces(frame)
        if not faces:
            return
        face = chance.choice(faces).id
        change = chance.choice(
            [
                Change("is", face=face, name=chance.choice(names)),
                Change("nobody", face=face),
                Change("is not", face=face, name=chance.choice(names)),
            ]
        )
        self.steps.append(project.decide(self.who, change))
        if chance.random() < 0.1:
            project.undo(self.who)
        project.review.set_place(self.who, frame)
        project.review.queue(who=self.who)
        project.review.graph(frame)


def main() -> None:
    folder, many, seconds, seed = Path(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]), int(sys.argv[4])
    with Project.open(folder) as project:
        end = time.monotonic() + seconds
        people = [Annotator(project, f"Person {seed}-{k}", end, random.Random(f"{seed} {k}")) for k in range(many)]
        for one in people:
            one.start()
        for one in people:
            one.join()
    found = [{"who": one.who, "steps": one.steps, "times": one.times, "errors": one.errors} for one in people]
    print(json.dumps(found))


if __name__ == "__main__":
    main()
