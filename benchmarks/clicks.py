"""How many clicks and keys it takes until everybody has the right name: ``python benchmarks/clicks.py [FILM | photos]``.

A simulated person who knows the truth works in a real browser: drops the files, makes the project, and answers group after
group on the page *Who are these people?*: the key of the name where it is offered, else its letters; a key for strangers.
After all named people were met once, the model runs again. Where the names are sure enough that Review opens instead, the
person goes through its queue: the right name for a face that is wrong, Enter for the next frame. The drop counts as one
click. Prints what it took until 95 % of the known screen time were right, and until all of it was or nothing was left to
answer, and saves JSON in ``benchmarks/results/``.

Films are those of the test data (``films/*.truth.json``). ``photos`` is its folder of pictures, put into a zip file with its
captions: a portrait's folder says who it is, and a face in a still is whose portraits it is most like, or nobody where it is
not clearly more like one person's than another's (looked at once, and right).
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from zipfile import ZipFile

import numpy as np
from playwright.sync_api import Page, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.film_scores import ENOUGH
from benchmarks.film_truth import Film, Truth, films, most, scored
from core.store.first_start import MARK
from core.store.project import UNKNOWN, Project
from tests.browser.conftest import ROOT, serve
from tests.browser.install import installed
from tests.conftest import FLAGS

RESULTS = Path(__file__).parent / "results"
LONG = 900_000  # milliseconds
CLEARLY = 0.1  # cosine
MOST = 200  # clicks and keys after which it gives up
HERE = ".group.here"


@dataclass(frozen=True)
class Known:
    """Who each face is (None: not known), and by what right answers are counted: tracks, or faces."""

    name: Mapping[int, str | None]
    unit: Mapping[int, int]
    weight: Mapping[int, float]  # by unit: seconds, or 1


def film_truth(film: Film) -> Callable[[Project], Known]:
    def known(project: Project) -> Known:
        tracks = project.tracks(project.sources()[0].id)
        faces = scored(tracks, Truth(film))
        names = [most([faces.name[row] for row in np.flatnonzero(faces.track == k)]) for k in range(len(tracks))]
        by_track = {track.id: name for track, name in zip(tracks, names, strict=True)}
        of = {face.id: face.track for face in project.faces() if face.track is not None}
        seconds = {track.id: sum(stop - start for start, stop in track.spans()) for track in tracks}
        return Known({face: by_track[track] for face, track in of.items()}, of, seconds)

    return known


def photo_truth(project: Project) -> Known:
    """A portrait's folder, and in pictures of several whose portraits a face is most like."""
    path = {frame.id: Path(frame.path) for frame in project.frames()}
    called = {name.casefold(): name for name in project.names()}
    faces, vectors = project.faces(), np.asarray(project.embeddings(), np.float64)
    folder = {face.id: called.get(path[face.frame].parent.name.casefold()) for face in faces}
    people = sorted({name for name in folder.values() if name})
    middle = np.stack([vectors[[face for face, name in folder.items() if name == person]].mean(0) for person in people])
    middle /= np.linalg.norm(middle, axis=1, keepdims=True)
    vectors = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
    like = {face.id: np.sort(middle @ vectors[face.id])[::-1] for face in faces}
    nearest = {
        face.id: people[int((middle @ vectors[face.id]).argmax())] if like[face.id][0] - like[face.id][1] > CLEARLY else ""
        for face in faces
    }
    names = {face: name or nearest[face] for face, name in folder.items()}
    return Known(names, {face: face for face in names}, dict.fromkeys(names, 1.0))


class Counting:
    """A person at the browser: every click and key counts."""

    def __init__(self, page: Page, project: Project, known: Known) -> None:
        self.page, self.project, self.known, self.made = page, project, known, 0

    def press(self, *keys: str, where: str = ".groups") -> None:
        for key in keys:
            self.page.keyboard.press(key)
        self.made += len(keys)
        self.page.wait_for_timeout(300)
        self.page.locator(f'{where}[data-pending="0"]').wait_for(timeout=LONG)

    def wrong(self) -> set[int]:
        """The known faces that do not have their name."""
        labels, log = self.project.current_labels(), self.project.log()
        called = {
            face: None if name == UNKNOWN else log.text(name) if name >= 0 else ""
            for face, name in zip(labels.face.tolist(), labels.name.tolist(), strict=True)
        }
        return {face for face, name in self.known.name.items() if name is not None and called.get(face, name) != name}

    def right(self) -> float:
        """The share of what is known whose name is right, by screen time where there are tracks."""
        due = {self.known.unit[face] for face, name in self.known.name.items() if name is not None}
        wrong = {self.known.unit[face] for face in self.wrong()}
        total = sum(self.known.weight[unit] for unit in due)
        return sum(self.known.weight[unit] for unit in due - wrong) / total

    def answer(self) -> None:
        """The group that the keyboard is at."""
        key = int(self.page.locator(HERE).get_attribute("data-group") or -1)
        group = next(group for group in self.project.groups.overview().groups if group.key == key)
        name = most([self.known.name.get(face) for face in group.faces.tolist()])
        number = self.page.locator(f"{HERE} .offer[data-name='{name}'] kbd")
        if not name:
            self.press("n")
        elif number.count() and number.inner_text()[:1].isdigit():
            self.press(number.inner_text()[:1])
        else:
            self.press("/", *name, "Enter")


def measure(what: str, files: Sequence[Path], truth: Callable[[Project], Known]) -> dict[str, object]:
    with tempfile.TemporaryDirectory() as place, sync_playwright() as playwright:
        (Path(place) / MARK).touch()  # the demo is not wanted here
        browser = playwright.chromium.launch(executable_path=installed(), args=FLAGS)
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.set_default_timeout(LONG)
        with serve(ROOT / "streamlit_app.py", {"ROLLCALL_PROJECTS": place}) as app:
            page.goto(app)
            page.locator('input[type="file"]').first.set_input_files([str(file) for file in files])
            page.get_by_role("button", name="Make the project").click()
            page.wait_for_url("**/*project=*")
            page.locator(f"{HERE}, button.face").first.wait_for()
            (folder,) = (path.parent for path in Path(place).glob("*/project.sqlite"))
            with Project.open(folder) as project:
                person = Counting(page, project, truth(project))
                person.made = 2  # the drop and the button
                told = named(person) if "/who" in page.url else reviewed(person)
        browser.close()
    return {"what": what, **told}


def named(person: Counting) -> dict[str, object]:
    first, at = person.right(), 0
    people, ran = {name for name in person.known.name.values() if name}, False
    at = person.made if first >= ENOUGH else 0
    while person.page.locator(HERE).count() and person.made < MOST:
        person.answer()
        at = at or (person.made if person.right() >= ENOUGH else 0)
        met = {known.name for known in person.project.groups.overview().known}
        if not ran and people <= met and person.page.locator(HERE).count():
            ran, runs = True, len(person.project.runs())
            person.press("a")
            while len(person.project.runs()) == runs:
                person.page.wait_for_timeout(500)
            person.page.wait_for_timeout(3000)
            at = at or (person.made if person.right() >= ENOUGH else 0)
    share = {"right_before": round(first, 3), "right_after": round(person.right(), 3)}
    return {"people": len(people), "until_enough": at or None, "until_everybody": person.made, **share}


def reviewed(person: Counting) -> dict[str, object]:
    """Review's queue, frame after frame, until everything is right."""
    first, page, at = person.right(), person.page, 0
    at = person.made if first >= ENOUGH else 0
    while person.right() < 1.0 and person.made < MOST:
        frame = int(page.locator(".review[data-frame]").get_attribute("data-frame") or -1)
        wrong = person.wrong()
        for face in sorted(face.id for face in person.project.faces(frame) if face.id in wrong):
            if not page.locator(f'button.face.picked[data-face="{face}"]').count():
                page.locator(f'button.face[data-face="{face}"]').click()
                person.made += 1
            name = person.known.name[face]
            key = page.locator(f'button.name[data-name="{name}"] kbd')
            person.press(*((key.inner_text(),) if key.count() else ("/", *(name or ""), "Enter")), where=".review")
            at = at or (person.made if person.right() >= ENOUGH else 0)
        if person.right() < 1.0:
            person.press("Enter", where=".review")
    share = {"right_before": round(first, 3), "right_after": round(person.right(), 3)}
    people = {name for name in person.known.name.values() if name}
    return {"people": len(people), "until_enough": at or None, "until_everybody": person.made, **share}


def zipped(folder: Path, into: Path) -> Path:
    """The folder's captioned pictures with its captions, as a zip file."""
    with ZipFile(into, "w") as file:
        for path in sorted([*folder.glob("*/*.png"), *folder.glob("bbt*.jpg"), folder / "captions.csv"]):
            file.write(path, path.relative_to(folder))
    return into


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", nargs="?", default="scene_a")
    asked = parser.parse_args().what
    data = Path(os.environ.get("ROLLCALL_TEST_DATA") or sys.exit("set ROLLCALL_TEST_DATA to the test data"))
    film = next((film for film in films(data) if film.name == asked and film.truth), None)
    if film is not None:
        found = measure(asked, [film.video, film.captions], film_truth(film))
    elif asked == "photos":
        with tempfile.TemporaryDirectory() as place:
            found = measure(asked, [zipped(data / "photos", Path(place) / "photos.zip")], photo_truth)
    else:
        sys.exit(f"there is no film {asked!r} with its truth in {data}")
    print(json.dumps(found, indent=1))
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / f"clicks-{asked}.json").write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
