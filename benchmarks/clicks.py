"""How many clicks and keys a film takes until every visible person has a name: ``python benchmarks/clicks.py [FILM]``.

A simulated person who knows the truth (``films/*.truth.json`` of the test data) works in a real browser: drops the film and
its captions, makes the project, and answers group after group on the page *Who are these people?*: a number where the name
is offered, else its letters; a key for strangers. After all named people were met once, the model runs again. Prints what it
took until 95 % of the known screen time were right, and saves JSON in ``benchmarks/results/``.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from pathlib import Path

import numpy as np
from playwright.sync_api import Page, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.film_scores import ENOUGH
from benchmarks.film_truth import Film, Truth, films, most, scored
from core.store.project import Project
from tests.browser.conftest import ROOT, serve
from tests.browser.install import installed
from tests.conftest import FLAGS

RESULTS = Path(__file__).parent / "results"
LONG = 900_000  # milliseconds
HERE = ".group.here"


class Counting:
    """A person at the browser: every click and key counts."""

    def __init__(self, page: Page, project: Project, film: Film) -> None:
        self.page, self.project, self.made = page, project, 0
        tracks = project.tracks(project.sources()[0].id)
        faces = scored(tracks, Truth(film))
        names = [most([faces.name[row] for row in np.flatnonzero(faces.track == k)]) for k in range(len(tracks))]
        self.name = {track.id: name for track, name in zip(tracks, names, strict=True)}
        self.seconds = {track.id: sum(stop - start for start, stop in track.spans()) for track in tracks}

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)
        self.made += len(keys)
        self.page.wait_for_timeout(300)
        self.page.locator('.groups[data-pending="0"]').wait_for(timeout=LONG)

    def right(self) -> float:
        """The share of the known screen time whose name is right."""
        labels, log = self.project.current_labels(), self.project.log()
        known = {track: name for track, name in self.name.items() if name is not None}
        total = sum(self.seconds[track] for track in known)
        good = 0.0
        for track, name in known.items():
            given = labels.name[labels.track == track]
            said = {log.text(int(one)) if one >= 0 else "" for one in given if one != -2}
            good += self.seconds[track] * (len(given) > 0 and said == {name} and not (given == -2).any())
        return good / total

    def answer(self) -> None:
        """The group that the keyboard is at."""
        key = int(self.page.locator(HERE).get_attribute("data-group") or -1)
        group = next(group for group in self.project.groups.overview().groups if group.key == key)
        faces = self.project.faces(ids=group.faces.tolist())
        name = most([self.name.get(face.track) if face.track is not None else None for face in faces])
        offered = [one.name for one in group.suggestions]
        if not name:
            self.press("n")
        elif name in offered:
            self.press(str(offered.index(name) + 1))
        else:
            self.press("/", *name, "Enter")


def measure(film: Film) -> dict[str, object]:
    with tempfile.TemporaryDirectory() as place, sync_playwright() as playwright:
        (Path(place) / ".demo").touch()  # the demo is not wanted here
        browser = playwright.chromium.launch(executable_path=installed(), args=FLAGS)
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.set_default_timeout(LONG)
        with serve(ROOT / "streamlit_app.py", {"ROLLCALL_PROJECTS": place}) as app:
            page.goto(app)
            page.locator('input[type="file"]').first.set_input_files([str(film.video), str(film.captions)])
            page.get_by_role("button", name="Make the project").click()
            page.wait_for_url("**/who?*")
            page.locator(HERE).wait_for()
            (folder,) = (path.parent for path in Path(place).glob("*/project.sqlite"))
            with Project.open(folder) as project:
                person = Counting(page, project, film)
                person.made = 2  # the drop and the button
                told = named(person)
        browser.close()
    return {"film": film.name, **told}


def named(person: Counting) -> dict[str, object]:
    first, at = person.right(), 0
    people, ran = {name for name in person.name.values() if name}, False
    while person.page.locator(HERE).count() and person.made < 200:
        person.answer()
        if not at and person.right() >= ENOUGH:
            at = person.made
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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("film", nargs="?", default="scene_a")
    asked = parser.parse_args().film
    data = os.environ.get("ROLLCALL_TEST_DATA")
    film = next((film for film in films(Path(data) if data else None) if film.name == asked and film.truth), None)
    if film is None:
        sys.exit(f"there is no film {asked!r} with its truth; set ROLLCALL_TEST_DATA to the test data")
    found = measure(film)
    print(json.dumps(found, indent=1))
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "clicks.json").write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
