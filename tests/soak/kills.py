"""Kills at random moments, again and again: ingest of tables, pictures and films, the worker, the app itself.

Each time nothing may be half done, and nothing that was acknowledged may be lost. ``tests/soak/faults.py`` starts them.
"""

from __future__ import annotations

import multiprocessing
import os
import random
import shutil
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import ModuleType
from unittest.mock import patch

from PIL import Image
from playwright.sync_api import Browser, Page, expect, sync_playwright

from benchmarks.app import ROOT_NODE
from core.errors import BadInput
from core.jobs import engine as jobs
from core.jobs.requests import RunMethod
from core.store.project import Change, Project
from tests.browser.conftest import ROOT, serve
from tests.browser.install import installed
from tests.conftest import FLAGS
from tests.core.media.drawn import drawn_picture
from tests.core.media.films import film
from tests.made import made_project
from tests.soak import seeds

PATIENCE = 300.0  # seconds to wait for anything, however busy the machine
# Each ingest that is killed is a process without a past: a copy of this one would wait for threads it does not have. What
# it imports is there already, so that the kill comes while it works.
FRESH = multiprocessing.get_context("forkserver")
FRESH.set_forkserver_preload(["tests.soak.kills", "core.cli.main", "core.jobs.ingest", "core.media.faces.finder", "torch"])
SRT = "1\n00:00:00,100 --> 00:00:00,900\nANN: Hi, Bob.\n\n2\n00:00:01,100 --> 00:00:01,900\nBOB: Hi, Ann.\n"
# Clicks one name after the other, each when the one before was answered, and counts the answers until the app is gone.
CLICKING = """
() => {
  const find = () => ROOT_NODE;
  window.answered = 0;
  let waiting = false, turn = 0;
  window.clicking = setInterval(() => {
    const root = find();
    if (!root) return;
    if (root.dataset.pending !== '0') { waiting = true; return; }
    if (waiting) window.answered += 1;
    waiting = false;
    const names = root.querySelectorAll('button.name');
    names[turn++ % names.length]?.click();
  }, 5);
}
""".replace("ROOT_NODE", ROOT_NODE)


def sound(folder: Path) -> Project:
    """The project, which must be whole."""
    project = Project.open(folder)
    assert project.damage == ""
    assert project.database.one("PRAGMA integrity_check") == "ok"
    return project


class Moments:
    """When to kill the next one: at any time of what the work takes, rather late than early, because the end is where it
    writes. How long it takes is what it last took when it was not killed: the machine may have been busy before."""

    def __init__(self, chance: random.Random, kills: int) -> None:
        self.chance, self.wanted, self.tries = chance, kills, 0
        self.took, self.killed = 0.0, 0

    def drawn(self) -> Iterator[float]:
        """Moments, until as many as wanted came in time. A late one tells anew how long the work takes."""
        while self.killed < self.wanted:
            self.tries += 1
            assert self.tries <= 20 + 10 * self.wanted, f"{self.killed} kills in time of {self.tries}"
            yield self.took * max(self.chance.random(), self.chance.random())

    def tell(self, done: bool, lived: float) -> None:
        self.killed += not done
        self.took = lived if done else self.took


def kill_ingest(place: Path, kills: int, chance: random.Random) -> int:
    """Kills a process that takes in a problem file, so many times before its end; what it left is whole or nothing. Gives
    how many processes that took."""
    problem = place / "problem.npz"
    problem.write_bytes(seeds.problems()[0])
    folder, moments = place / "ingested", Moments(chance, kills)
    moments.tell(*_cut_short(PATIENCE, ingest_problem, place / "whole", problem))
    for moment in moments.drawn():
        shutil.rmtree(folder, ignore_errors=True)
        moments.tell(*_cut_short(moment, ingest_problem, folder, problem))
        _all_of_it(folder, (seeds.GROUPS, seeds.FACES))
    return moments.tries


def ingest_problem(folder: Path, problem: Path) -> None:
    from core.cli.main import main

    assert main(["ingest", "--project", str(folder), "--problem", str(problem)]) == 0


def _cut_short(seconds: float, work: Callable[..., None], *arguments: object) -> tuple[bool, float]:
    """Lets a process of its own work for so long, then kills it. Whether it was done by then, and how long it lived."""
    process = FRESH.Process(target=work, args=arguments)
    with patch.dict(sys.modules, {"__main__": ModuleType("__main__")}):  # a page that a test ran here is not run there
        process.start()
    begun = time.monotonic()
    process.join(seconds)
    lived = time.monotonic() - begun
    process.kill()
    process.join()
    assert process.exitcode in (0, -signal.SIGKILL), f"it failed by itself ({process.exitcode})"
    return process.exitcode == 0, lived


def kill_worker(place: Path, kills: int, chance: random.Random) -> int:
    """Kills the process that runs the model, so many times before its end; the job is known to have failed, decisions stay,
    the next run works. Gives how many runs that took."""
    folder, moments = place / "run", Moments(chance, kills)
    made_project(folder, frames=6, run=False).close()
    with Project.open(folder) as project:
        moments.tell(*_run_cut_short(project, 0, PATIENCE))
        for number, moment in enumerate(moments.drawn(), start=1):
            moments.tell(*_run_cut_short(project, number, moment))
    with sound(folder) as project:
        assert len(project.log().entries) == moments.tries + 1
        run = project.run()
        assert project.solved() is not None
        assert run.answered == min(moments.tries + 1, 10)
    return moments.tries


def _run_cut_short(project: Project, number: int, seconds: float) -> tuple[bool, float]:
    """Decides, and lets a worker run for so long. Whether it was done by then, and how long it lived."""
    project.decide("Ann", Change("is", face=number % 10, name=f"Name {number}"))
    job = jobs.start(project, RunMethod())
    job = _until(project, job.id, lambda job: job.pid > 0)
    begun = time.monotonic()
    job = _until(project, job.id, lambda job: not job.active, seconds)
    lived = time.monotonic() - begun
    if job.active:
        with suppress(ProcessLookupError):  # it has just ended
            os.kill(job.pid, signal.SIGKILL)
        job = _until(project, job.id, lambda job: not job.active)
    assert job.state == "done" or job.message == jobs.LOST, job
    return job.state == "done", lived


def _until(project: Project, number: int, true: Callable[[jobs.Job], bool], seconds: float = PATIENCE) -> jobs.Job:
    """The job once this is true of it, or it has ended, or so much time is over."""
    end = time.monotonic() + seconds
    while True:
        jobs.jobs(project)
        job = jobs.job(project, number)
        left = end - time.monotonic()
        if true(job) or not job.active or left <= 0:
            return job
        time.sleep(min(0.02, left))


# --- Films and pictures ------------------------------------------------------------------------------------------------


def kill_media(place: Path, kills: int, chance: random.Random, kinds: Sequence[bool] = (False, True)) -> int:
    """Kills an ingest of pictures, then one of a film (``kinds``: whether it is one), each so many times before its end;
    what it left is whole or nothing, and the next goes on from there. Gives how many processes that took."""
    _material(place)
    tries, folder = 0, place / "media"
    for filmed in kinds:
        moments = Moments(chance, kills)
        moments.tell(*_cut_short(PATIENCE, ingest_media, place, place / f"whole-{filmed}", filmed))
        with sound(place / f"whole-{filmed}") as project:
            whole = project.count("frame"), project.count("face")
        assert all(whole)
        shutil.rmtree(folder, ignore_errors=True)
        for moment in moments.drawn():
            moments.tell(*_cut_short(moment, ingest_media, place, folder, filmed))
            if _all_of_it(folder, whole):
                shutil.rmtree(folder)
        _cut_short(PATIENCE, ingest_media, place, folder, filmed)  # what the last kill left is no hindrance
        assert _all_of_it(folder, whole)
        tries += moments.tries
    return tries


def ingest_media(place: Path, folder: Path, filmed: bool) -> None:
    """Takes in what ``_material`` put into a place."""
    from core.jobs.ingest import ingest, project_at
    from core.jobs.requests import IngestPictures, IngestVideo

    with project_at(folder) as project:
        if filmed:
            ingest(project, IngestVideo(place / "film.mp4", place / "film.srt"))
        else:
            ingest(project, IngestPictures(place / "pictures", place / "pictures" / "table.csv"))


def _material(place: Path) -> None:
    """Pictures with their table, and a film with its captions; drawn, so that they may be handed on."""
    table, video, captions = place / "pictures" / "table.csv", place / "film.mp4", place / "film.srt"
    table.parent.mkdir()
    for number in range(2):
        Image.fromarray(drawn_picture(number, number + 1)).save(table.parent / f"{number}.png")
    table.write_text("image,caption,names\n" + "".join(f"{k}.png,Ann and Bob,Ann;Bob\n" for k in range(2)))
    film(video, [drawn_picture(k // 25, k // 25 + 1) for k in range(50)])
    captions.write_text(SRT)


def _all_of_it(folder: Path, whole: tuple[int, int]) -> bool:
    """Whether all was added; else nothing was, and the folder can be used again."""
    if not (folder / "project.sqlite").exists():
        return False
    try:
        with sound(folder) as project:
            found = project.count("frame"), project.count("face")
            assert found in ((0, 0), whole), found
            assert bool(project.sources()) == (found == whole)
            assert len(project.embeddings()) == found[1]
            return found == whole
    except BadInput as error:
        if "never finished" not in str(error):  # it was killed before the folder was a project
            raise
        shutil.rmtree(folder)
        return False


# --- The app -----------------------------------------------------------------------------------------------------------


def kill_app(place: Path, kills: int, chance: random.Random, browser: Browser) -> int:
    """Kills the app's server while somebody clicks in a browser, and starts it again. Every answered click must be in the
    log. Gives how many were."""
    folder, answered = place / "apps" / "film", 0
    made_project(folder, frames=12).close()
    context = browser.new_context()
    page = context.new_page()
    for number in range(kills):
        with serve(ROOT / "streamlit_app.py", {"ROLLCALL_PROJECTS": str(folder.parent)}) as address:
            context.add_cookies([{"name": "rollcall_who", "value": "Browser", "url": address}])
            page.goto(f"{address}/review?project=film", wait_until="commit")
            clicking = number % 4 != 3  # the fourth is killed while it makes the page
            if clicking:
                expect(page.locator(".review .bar")).to_be_visible(timeout=1000 * PATIENCE)
                page.evaluate(CLICKING)
                enough = (number + 1) % 3  # answers; after that the kill comes while a click is on its way, or not
                page.wait_for_function("(many) => window.answered >= many", arg=enough, timeout=1000 * PATIENCE)
            page.wait_for_timeout(chance.uniform(0.0, 300.0))
            os.kill(listening(address), signal.SIGKILL)
            answered += _answers(page) if clicking else 0
        with sound(folder) as project:
            written = sum(entry.who == "Browser" for entry in project.log().entries)
        assert written >= answered, f"{answered} clicks were answered, {written} are written"
    context.close()
    return answered


def _answers(page: Page) -> int:
    page.wait_for_timeout(300)  # what was on its way has come
    return int(page.evaluate("() => { clearInterval(window.clicking); return window.answered; }"))


@contextmanager
def started() -> Iterator[Browser]:
    """A browser of one's own."""
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=installed(), args=FLAGS)
        yield chromium
        chromium.close()


def listening(address: str) -> int:
    """The process that serves this address."""
    port = address.rsplit(":", 1)[1]
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and f"--server.port\0{port}\0".encode() in _words(entry):
            return int(entry.name)
    raise AssertionError("the server is gone")


def _words(entry: Path) -> bytes:
    try:
        return (entry / "cmdline").read_bytes()
    except OSError:
        return b""
