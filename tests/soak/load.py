"""Twenty annotators on one project and a run after the other: ``python -m tests.soak.load --seconds 600``.

Two of them click in real browsers, the others are scripted, in processes of their own. Afterwards every acknowledged
decision must be in the log.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, Page, expect

from benchmarks.app import ROOT_NODE, make
from core.jobs import engine as jobs
from core.jobs.requests import RunMethod
from core.store.project import Project
from tests.browser.conftest import ROOT, serve
from tests.browser.install import installed
from tests.soak.kills import listening, sound, started

PROCESSES = 2  # that the scripted annotators share
PACE = 1.0  # seconds between two clicks in a browser
# Clicks a button and waits until Python has answered; gives milliseconds and whether there was something to answer, or null
# if no answer came. What others do may draw the page anew meanwhile, so it is looked up each time.
ANSWERED = """
([selector, place]) => new Promise((resolve) => {
  const find = () => ROOT_NODE;
  const buttons = [...(find()?.querySelectorAll(selector) ?? [])];
  const began = performance.now();
  let sent = false;
  buttons[place % buttons.length]?.click();
  const look = setInterval(() => {
    const spent = performance.now() - began, pending = find()?.dataset.pending;
    sent ||= pending !== undefined && pending !== '0';
    if (pending === '0' && (sent || spent > 200)) { clearInterval(look); resolve([spent, sent]); }
    else if (spent > 120000) { clearInterval(look); resolve(null); }
  }, 5);
})
""".replace("ROOT_NODE", ROOT_NODE)
NAME, NEXT = "button.name", ".bar button:nth-child(2)"
THREADS = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}


@dataclass
class Load:
    """What was seen."""

    clicks: list[float] = field(default_factory=list)  # seconds until a browser's click was saved and answered
    moves: list[float] = field(default_factory=list)  # ... until the next frame was there
    steps: list[float] = field(default_factory=list)  # ... of the scripted ones
    acknowledged: int = 0  # decisions of the scripted ones
    decided: int = 0  # decisions of the browsers
    lost: int = 0
    runs: int = 0
    errors: list[str] = field(default_factory=list)
    memory: list[int] = field(default_factory=list)  # kilobytes of the server, second by second

    def __str__(self) -> str:
        quarter = len(self.memory) // 4
        early, late = (
            share(part, 0.5) / 1024 for part in (self.memory[quarter : 2 * quarter + 1], self.memory[-quarter - 1 :])
        )
        clicks, moves, steps = (
            f"{len(times)}, median {share(times, 0.5):.2f} s, p95 {share(times, 0.95):.2f} s"
            for times in (self.clicks, self.moves, self.steps)
        )
        return (
            f"clicks in browsers: {clicks}; moves to the next frame: {moves}; scripted steps: {steps}; "
            f"{self.acknowledged} decisions acknowledged, {self.lost} lost, {self.decided} in browsers; "
            f"{self.runs} runs; {len(self.errors)} errors; "
            f"server {self.memory[0] >> 10} MB at the start, {self.memory[-1] >> 10} MB at the end, "
            f"{max(self.memory) >> 10} MB at most, {early:.0f} MB in the second quarter, {late:.0f} MB in the last"
        )


def share(times: Sequence[float] | Sequence[int], part: float) -> float:
    """The time that so large a part of them stays under."""
    return sorted(times)[min(len(times) - 1, int(part * len(times)))] if times else 0.0


def load(
    place: Path, seconds: float, scripted: int = 18, browsers: int = 2, faces: int = 2000, running: Browser | None = None
) -> Load:
    """Lets them all work for so long, in a browser that is ``running`` already or in one of its own."""
    folder, seen = place / "many", Load()
    make(folder, faces)
    with (
        serve(ROOT / "streamlit_app.py", {"ROLLCALL_PROJECTS": str(place)}) as address,
        nullcontext(running) if running is not None else started() as chromium,
    ):
        pages = [_opened(chromium.new_context(), address, f"Browser {k}", seen) for k in range(browsers)]
        others = [
            subprocess.Popen(
                [
                    sys.executable,
                    "-m",
                    "tests.soak.annotators",
                    str(folder),
                    str(scripted // PROCESSES),
                    str(seconds),
                    str(k),
                ],
                cwd=ROOT,
                env=os.environ | THREADS,
                stdout=subprocess.PIPE,
            )
            for k in range(PROCESSES)
        ]
        with Project.open(folder) as project:
            _click(project, pages, seconds, seen, address)
            said = [person for process in others for person in json.loads(process.communicate()[0])]
            for page in pages:
                page.context.close()
            _wait_for_the_run(project)
    _check(folder, said, seen)
    return seen


def _opened(context: BrowserContext, address: str, who: str, seen: Load) -> Page:
    context.add_cookies([{"name": "rollcall_who", "value": who, "url": address}])
    page = context.new_page()
    page.on("pageerror", lambda error: seen.errors.append(f"{who}: {error}"))
    page.goto(f"{address}/review?project=many")
    expect(page.locator(".review .bar")).to_be_visible(timeout=120_000)
    return page


def _click(project: Project, pages: Sequence[Page], seconds: float, seen: Load, address: str) -> None:
    """Clicks in all browsers in turn, keeps a run going, and watches the server's memory."""
    end, turn, pid = time.monotonic() + seconds, 0, listening(address)
    seen.memory.append(_memory(pid))
    while time.monotonic() < end:
        began = time.monotonic()
        if jobs.active(project) is None:
            jobs.start(project, RunMethod())
            seen.runs += 1
        for page in pages:
            for selector, times in ((NAME, seen.clicks), (NEXT, seen.moves)):
                answer = page.evaluate(ANSWERED, [selector, turn % 2 if selector == NAME else 0])
                if answer is None:
                    seen.errors.append(f"a click on {selector} was not answered")
                elif answer[1]:
                    times.append(answer[0] / 1000)
            if page.locator('[data-testid="stException"]').count():
                seen.errors.append(page.locator('[data-testid="stException"]').first.inner_text()[:300])
        seen.memory.append(_memory(pid))
        turn += 1
        time.sleep(max(0.0, began + PACE - time.monotonic()))


def _wait_for_the_run(project: Project) -> None:
    while (job := jobs.active(project)) is not None:
        jobs.stop(project, job.id)
        time.sleep(0.2)


def _check(folder: Path, said: Sequence[dict[str, list[str]]], seen: Load) -> None:
    with sound(folder) as project:
        written = {entry.step for entry in project.log().entries}
        clicked = sum(entry.who.startswith("Browser") for entry in project.log().entries)
        failed = [job.message for job in jobs.jobs(project) if job.state == "failed"]
    acknowledged = [step for person in said for step in person["steps"]]
    seen.steps += [float(seconds) for person in said for seconds in person["times"]]
    seen.errors += [error for person in said for error in person["errors"]] + failed
    seen.acknowledged, seen.decided = len(acknowledged), clicked
    seen.lost = len(set(acknowledged) - written) + max(0, len(seen.clicks) - clicked)


def _memory(pid: int) -> int:
    text = Path(f"/proc/{pid}/status").read_text()
    return next(int(line.split()[1]) for line in text.splitlines() if line.startswith("VmRSS"))


def main() -> int:
    parser = argparse.ArgumentParser(description="twenty annotators at once")
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--faces", type=int, default=2000)
    parsed = parser.parse_args()
    if installed() is None:
        print("there is no browser here; see tests/browser/install.py")
        return 1
    with tempfile.TemporaryDirectory(prefix="rollcall-load-") as place:
        seen = load(Path(place), parsed.seconds, faces=parsed.faces)
    print(seen)
    print("\n".join(dict.fromkeys(seen.errors)))
    return 1 if seen.lost or seen.errors else 0


if __name__ == "__main__":
    sys.exit(main())
