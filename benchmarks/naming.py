"""How many clicks and keys it takes, in a real browser, from dropping one's files to everybody named.

``python -m benchmarks.naming DATA [--seeds 0,1,2] [--only scene_a|photos]``: somebody who knows the truth drops the film
with its captions, or a zip of the pictures with their table, and answers on *Who?* what is not right yet. Every click and
every key counts one; dropping the files counts none. A group is named, its names being among those offered, else typed
letter by letter; a person who is not in the truth is called nobody. A face of somebody else is clicked out of a group first.
"""

from __future__ import annotations

import argparse
import re
import shutil
import tempfile
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from playwright.sync_api import Page, sync_playwright

from benchmarks.film_truth import Truth, films
from core.store.first_start import MARK
from core.store.project import Project
from tests.browser.conftest import ROOT, serve
from tests.browser.install import installed
from tests.conftest import FLAGS

LONG = 580_000  # ms for an ingest
Names = dict[int, str | None]  # by face: who it is, "" for nobody of the cast, None where nobody knows


class Hand:
    """Somebody at the mouse and the keyboard who counts."""

    def __init__(self, page: Page) -> None:
        self.page, self.count = page, 0

    def click(self, selector: str) -> None:
        self.page.locator(selector).first.click()
        self.count += 1

    def type(self, text: str) -> None:
        self.page.keyboard.type(text)
        self.count += len(text)

    def press(self, key: str) -> None:
        self.page.keyboard.press(key)
        self.count += 1


def dropped(hand: Hand, app: str, files: list[Path], title: str) -> None:
    """From the files to the first page that shows itself."""
    hand.page.goto(app)
    hand.page.locator(".st-key-new-project input[type=file]").first.set_input_files([str(file) for file in files])
    hand.page.locator(".kinds.foretold").wait_for(timeout=LONG)
    hand.click(".st-key-new-make button")
    hand.page.wait_for_url(re.compile(rf"/(who|review)\?project={title}"), timeout=LONG)
    print(f"{title}: {hand.count} to {hand.page.url.rsplit('/', 1)[1].split('?')[0]}", flush=True)


def wrong(project: Project, truth: Names) -> int:
    """How many faces of known people do not have their name."""
    labels, log = project.current_labels(), project.log()
    called = {f: log.text(n) if n >= 0 else "" for f, n in zip(labels.face.tolist(), labels.name.tolist(), strict=True)}
    return sum(bool(name) and called.get(face, "") != name for face, name in truth.items())


def answered(hand: Hand, project: Project, truth: Names) -> None:
    """Answers on Who? what is not right yet, the first card first, until all known people have their names."""
    page, seen = hand.page, set[tuple[int, ...]]()
    page.locator(".group").first.wait_for()
    while wrong(project, truth):
        cards = ((card, tuple(_faces(project, card))) for card in _cards(page))
        card, faces = next(((c, f) for c, f in cards if f not in seen and _matters(project, f, truth)), ("", ()))
        if not card:
            break
        seen.add(faces)
        name = Counter(truth[face] for face in faces if truth[face] is not None).most_common(1)[0][0] or ""
        before, place = project.log().version, f".group[data-group='{card}']"
        for stray in (face for face in faces if truth[face] and truth[face] != name):
            if page.locator(f"{place} .crop[data-face='{stray}']").count():
                hand.click(f"{place} .crop[data-face='{stray}']")
        if not name:
            hand.click(f"{place} .small:has-text('Nobody I know')")
        elif page.locator(f"{place} .offer[data-name='{name}']").count():
            hand.click(f"{place} .offer[data-name='{name}']")
        else:
            hand.click(f"{place} input")
            hand.type(name)
            hand.press("Enter")
        while project.log().version == before:
            page.wait_for_timeout(50)
        page.locator('.groups[data-pending="0"]').wait_for()


def _cards(page: Page) -> list[str]:
    return [str(card.get_attribute("data-group")) for card in page.locator(".group").all()]


def _faces(project: Project, card: str) -> list[int]:
    return next((group.faces.tolist() for group in project.groups.overview().groups if group.key == int(card)), [])


def _matters(project: Project, faces: Sequence[int], truth: Names) -> bool:
    """Whether a group shows a known person who does not have the name yet."""
    known = {face: truth[face] for face in faces if truth[face]}
    return bool(known) and wrong(project, known) > 0


def known_in_film(project: Project, truth: Truth) -> Names:
    moment = {frame.id: frame.time or 0.0 for frame in project.frames()}
    return {face.id: truth.who(moment[face.frame], face.box)[1] for face in project.faces()}


def known_in_pictures(project: Project) -> Names:
    """By the folders of portraits; in stills, whose portraits a face is most like. Pictures without caption do not count."""
    rows = np.array(project.embeddings(), np.float64)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    frames = {frame.id: frame for frame in project.frames()}
    faces = project.faces()
    folder = {f.id: p.split("/")[-2].capitalize() for f in faces if "/" in (p := frames[f.frame].path.strip("/"))}
    mean = {name: rows[[f for f, where in folder.items() if where == name]].mean(0) for name in set(folder.values())}
    names = sorted(mean)
    like = {f.id: names[int(np.argmax([mean[name] @ rows[f.id] for name in names]))] for f in faces}
    return {f.id: folder.get(f.id, like[f.id]) if frames[f.frame].caption else None for f in faces}


def told(what: str, hand: Hand, project: Project, truth: Names) -> None:
    known = sum(bool(name) for name in truth.values())
    print(
        f"{what}: {hand.count} clicks and keys; {wrong(project, truth)} of {known} faces of known people not right",
        flush=True,
    )


@contextmanager
def hands(place: Path) -> Iterator[tuple[str, Callable[[], Hand]]]:
    (place / MARK).touch()
    with sync_playwright() as playwright, serve(ROOT / "streamlit_app.py", {"ROLLCALL_PROJECTS": str(place)}) as app:
        browser = playwright.chromium.launch(executable_path=installed(), args=FLAGS)

        def hand() -> Hand:
            page = browser.new_page(viewport={"width": 1280, "height": 800})
            page.set_default_timeout(LONG)
            return Hand(page)

        yield app, hand
        browser.close()


def film(app: str, hand: Callable[[], Hand], place: Path, data: Path, seeds: list[int]) -> None:
    one = next(found for found in films(data) if found.name == "scene_a")
    first, truth, made = hand(), Truth(one), one.name.replace("_", "-")  # as a project's folder is called
    dropped(first, app, [one.video, one.captions], made)
    for seed in seeds:
        folder = place / f"{one.name}-{seed}"
        shutil.copytree(place / made, folder)
        with Project.open(folder) as project:
            project.run(seed=seed, cold=True)
            again = hand()
            again.count = first.count
            again.page.goto(f"{app}/who?project={folder.name}")
            names = known_in_film(project, truth)
            answered(again, project, names)
            told(f"scene_a, seed {seed}", again, project, names)


def pictures(app: str, hand: Callable[[], Hand], place: Path, data: Path) -> None:
    folder, packed, one = data / "photos", place / "photos.zip", hand()
    with zipfile.ZipFile(packed, "w") as archive:
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            archive.write(path, path.relative_to(folder))
    dropped(one, app, [packed], "photos")
    with Project.open(place / "photos") as project:
        names = known_in_pictures(project)
        told("photos, nothing answered", one, project, names)
        answered(one, project, names)
        told("photos", one, project, names)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--seeds", default="0,1,2")
    parser.add_argument("--only", choices=("scene_a", "photos"))
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, hands(Path(folder)) as (app, hand):
        if asked.only != "scene_a":
            pictures(app, hand, Path(folder), asked.data)
        if asked.only != "photos":
            film(app, hand, Path(folder), asked.data, [int(seed) for seed in asked.seeds.split(",")])


if __name__ == "__main__":
    main()
