"""How quickly the review page and the page of groups answer, with 20,000 faces in the project, and whether it loses a click.

``python benchmarks/app.py [--faces N] [--clicks N] [--project FOLDER]`` makes a project, or copies one that was made, opens
it in a real browser and clicks. A click is answered when the decision is on the disk and Python's answer to it is on the
screen; what the page draws at once, before that, is measured too. The yardstick is a click in an empty Streamlit page, timed
turn by turn with the others, so that a busy machine slows both. Prints lines for people and saves JSON in
``benchmarks/results/``.
"""

from __future__ import annotations

import argparse
import json
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1]))

from core.evaluation.generate import films
from core.records import Box, NewFace, NewFrame, NewMention, NewSource
from core.store.project import Project
from tests.browser.conftest import ROOT, serve
from tests.browser.install import installed
from tests.conftest import FLAGS
from tests.made import drawn_face

RESULTS = Path(__file__).parent / "results"
FACES_A_FRAME = 1.9  # of made-up films
GROUPS = 15  # named on the page of groups
EMPTY = """
import streamlit as st
st.session_state.setdefault("n", 0)
def more(): st.session_state["n"] += 1
st.button("more", on_click=more)
st.html(f"<p id='n'>{st.session_state['n']}</p>")
"""
ROOT_NODE = "[...document.querySelectorAll('*')].map((e) => e.shadowRoot?.querySelector('.review')).find(Boolean)"
# Clicks, and waits until what was clicked is answered; gives milliseconds until the first and the last change.
CLICK = """
(name) => new Promise((resolve) => {
  const root = ROOT_NODE;
  const chips = [...root.querySelectorAll('button.name')];
  const chip = chips[name % chips.length];
  const began = performance.now();
  let drawn = null;
  const look = new MutationObserver(() => {
    drawn ??= performance.now() - began;
    if (root.dataset.pending === '0') { look.disconnect(); resolve([drawn, performance.now() - began]); }
  });
  look.observe(root, { attributes: true, childList: true, subtree: true });
  chip.click();
})
""".replace("ROOT_NODE", ROOT_NODE)
NEXT = CLICK.replace("chips[name % chips.length]", "root.querySelector('.bar button:nth-child(2)')")
GROUP = CLICK.replace("'.review'", "'.groups'").replace("chips[name % chips.length]", "root.querySelector('.offer.best')")
FAST = """
(clicks) => {
  const root = ROOT_NODE;
  const chips = () => root.querySelectorAll('button.name');
  for (let k = 0; k < clicks; k++) chips()[k % chips().length].click();
}
""".replace("ROOT_NODE", ROOT_NODE)
MORE = """
() => new Promise((resolve) => {
  const text = document.querySelector('#n').textContent;
  const began = performance.now();
  const look = new MutationObserver(() => {
    if (document.querySelector('#n')?.textContent !== text) { look.disconnect(); resolve(performance.now() - began); }
  });
  look.observe(document.body, { childList: true, subtree: true, characterData: true });
  [...document.querySelectorAll('button')].find((b) => b.textContent === 'more').click();
})
"""


def make(folder: Path, faces: int) -> None:
    """A project of about so many faces, with crops and pictures, run once."""
    problem = films(films=40, groups=int(faces / FACES_A_FRAME), names=600, dimensions=128)
    captions, crops = problem.candidates(), [drawn_face(k) for k in range(40)]
    of_group: dict[int, list[int]] = {}
    for face, group in enumerate(problem.group.tolist()):
        of_group.setdefault(group, []).append(face)
    frames = [
        NewFrame(
            caption=" and ".join(names),
            mentions=[NewMention(name) for name in names],
            faces=[
                NewFace(problem.features[face], Box(20 + 120 * k, 40, 100 + 120 * k, 140), crops[face % len(crops)])
                for k, face in enumerate(of_group.get(group, []))
            ],
            time=4.0 * group,
            picture=crops[group % len(crops)],
            width=480,
            height=270,
        )
        for group, names in enumerate(captions)
    ]
    with Project.create(folder, "Twenty thousand") as project:
        project.add(NewSource("video", "/films/many.mp4", "many.mp4", duration=4.0 * len(frames)), frames, "made")
        project.run()
        print(f"{project.count('face')} faces in {project.count('frame')} frames, {project.runs()[-1].seconds:.0f} s to run")


def answer(page: Page, clicks: int, empty: Page) -> dict[str, list[float]]:
    """Times, in milliseconds, of clicks on names and of moves to the next frame, and of the empty page's in between."""
    times: dict[str, list[float]] = {"drawn": [], "click": [], "next drawn": [], "next": [], "empty": []}
    for turn in range(clicks):
        drawn, done = page.evaluate(CLICK, turn % 2)
        times["drawn"].append(drawn)
        times["click"].append(done)
        drawn, done = page.evaluate(NEXT)
        times["next drawn"].append(drawn)
        times["next"].append(done)
        times["empty"].append(empty.evaluate(MORE))
    return times


def lost(page: Page, folder: Path, clicks: int) -> int:
    """How many of so many clicks, as fast as the browser can make them, did not become decisions."""
    with Project.open(folder) as project:
        before = len(project.log().entries)
        page.evaluate(FAST, clicks)
        page.wait_for_timeout(500)
        page.locator('.review[data-pending="0"]').wait_for(timeout=60_000)
        return clicks - (len(project.log().entries) - before)


def told(times: Sequence[float]) -> dict[str, float]:
    ordered = sorted(times)
    return {"median": statistics.median(ordered), "p95": ordered[int(0.95 * (len(ordered) - 1))]}


def measure(faces: int, clicks: int, made: Path | None = None) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as place:
        folder, script = Path(place) / "many", Path(place) / "empty.py"
        script.write_text(EMPTY)
        if made is None:
            make(folder, faces)
        else:
            shutil.copytree(made, folder)
        with (
            sync_playwright() as playwright,
            serve(ROOT / "streamlit_app.py", {"ROLLCALL_PROJECTS": place}) as app,
            serve(script) as other,
        ):
            browser = playwright.chromium.launch(executable_path=installed(), args=FLAGS)
            page, empty = (browser.new_page(viewport={"width": 1280, "height": 800}) for _ in range(2))
            empty.goto(other)
            empty.locator("#n").wait_for(timeout=60_000)
            began = time.monotonic()
            page.goto(f"{app}/review?project=many")
            page.locator("button.face").first.wait_for(timeout=60_000)
            opened = time.monotonic() - began
            print(f"opened in {opened:.1f} s", flush=True)
            answer(page, 5, empty)  # what is slow once
            times = answer(page, clicks, empty)
            found = {what: told(values) for what, values in times.items()}
            print(f"{clicks} clicks on names and as many moves to the next frame", flush=True)
            gone = lost(page, folder, 200)
            print(f"{gone} of 200 fast clicks lost", flush=True)
            page.goto(f"{app}/who?project=many")
            page.locator(".offer.best").first.wait_for(timeout=60_000)
            named = [page.evaluate(GROUP, 0) for _ in range(GROUPS)]
            found["group drawn"], found["group"] = (told([one[k] for one in named]) for k in (0, 1))
            browser.close()
    return {"faces": faces, "clicks": clicks, "opened_seconds": opened, "milliseconds": found, "lost_of_200": gone}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--faces", type=int, default=20_000)
    parser.add_argument("--clicks", type=int, default=60)
    parser.add_argument("--project", type=Path, help="a project that was made before, to be copied")
    arguments = parser.parse_args()
    result = measure(arguments.faces, arguments.clicks, arguments.project)
    yard = result["milliseconds"]["empty"]
    for what, words in (
        ("drawn", "click to drawn"),
        ("click", "click to answered"),
        ("next drawn", "next frame to drawn"),
        ("next", "next frame to answered"),
        ("group drawn", "group named to drawn"),
        ("group", "group named to answered"),
        ("empty", "empty page"),
    ):
        found = result["milliseconds"][what]
        times = f"{found['median'] / yard['median']:.2f} and {found['p95'] / yard['p95']:.2f} times the empty page"
        print(f"{words}: median {found['median']:.0f} ms, 95 % within {found['p95']:.0f} ms; {times}")
    print(f"lost: {result['lost_of_200']} of 200 fast clicks; opened in {result['opened_seconds']:.1f} s")
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "app.json").write_text(json.dumps(result, indent=1) + "\n")


if __name__ == "__main__":
    main()
