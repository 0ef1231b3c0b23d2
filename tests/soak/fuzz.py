"""Damaged files by the thousand for every reader: ``python -m tests.soak.fuzz --inputs 20000 --keep DIR``.

Each batch is read in a process of its own with 2 GB of memory; one that dies or hangs is noticed, and its input kept.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import selectors
import shutil
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.soak.mutate import mutate
from tests.soak.readers import READERS
from tests.soak.strategies import SOURCES

ROOT = Path(__file__).resolve().parents[2]
SILENCE = 40.0  # seconds without a word after which an input counts as hanging; the child itself counts ten of work
STARTING = 300.0
ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MALLOC_ARENA_MAX": "2", "PYTHONDONTWRITEBYTECODE": "1"}


@dataclass
class Tally:
    """How a reader did."""

    reader: str
    tried: int = 0
    how: Counter[str] = field(default_factory=Counter)
    wrong: list[tuple[str, Path | None]] = field(default_factory=list)  # what was wrong, and the input where it was kept

    def __str__(self) -> str:
        read, refused = self.how["read"], self.how["refused"]
        return f"{self.reader:14} {self.tried:7} tried, {read} read, {refused} refused, {len(self.wrong)} wrong"


def fuzz(
    readers: Sequence[str], many: int, seed: int = 0, source: str = "mutated", keep: Path | None = None
) -> dict[str, Tally]:
    """Tries ``many`` bad files on each reader, fewer on slow ones. ``source``: "mutated" good files, or "hypothesis"."""
    tallies = {reader: Tally(reader) for reader in readers}
    with tempfile.TemporaryDirectory(prefix="rollcall-soak-") as place:
        left, start = list(readers), 0
        while left:
            reader, number = _batch(tallies, left, source, seed, start, many, Path(place), keep)
            left = left[left.index(reader) :] if reader else []
            start = number + 1
    return tallies


def _batch(
    tallies: dict[str, Tally],
    left: list[str],
    source: str,
    seed: int,
    start: int,
    many: int,
    folder: Path,
    keep: Path | None,
) -> tuple[str, int]:
    """Lets one process read on until it is done or dies; gives the reader and the input that it died of."""
    command = [
        sys.executable,
        "-m",
        "tests.soak.child",
        ",".join(left),
        source,
        str(seed),
        str(start),
        str(many),
        str(folder),
    ]
    environment = os.environ | ONE_THREAD | {"HOME": str(folder), "TMPDIR": str(folder)}
    with (folder / "errors").open("w+b") as errors:
        process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=errors)
        reader, number = "", -1
        for line in _lines(process):
            if line.startswith("{"):
                _note(tallies, json.loads(line), seed, source, folder, keep)
                continue
            reader, word = line.split(" ")
            number = -1 if word == "done" else int(word)
        code = process.wait()
    if code == 0:
        return "", 0
    last = (folder / "errors").read_text(errors="replace").strip().split("\n")[-1]
    if number < 0:
        raise RuntimeError(f"the process that reads {left} did not begin or end well (exit code {code}): {last}")
    what = "hangs" if code == -signal.SIGKILL else f"the process died ({code}) {last}"
    tallies[reader].tried += 1
    tallies[reader].wrong.append((f"input {number}: {what}", _kept(reader, seed, number, source, folder, keep)))
    return reader, number


def _lines(process: subprocess.Popen[bytes]) -> Iterator[str]:
    """What the process says; it is killed when it has nothing more to say for too long."""
    assert process.stdout is not None
    buffer, patience = b"", STARTING
    with selectors.DefaultSelector() as selector, process.stdout as out:
        selector.register(out, selectors.EVENT_READ)
        while True:
            if not selector.select(patience):
                process.kill()
                return
            chunk = os.read(out.fileno(), 1 << 16)
            if not chunk:
                return
            *lines, buffer = (buffer + chunk).split(b"\n")
            yield from (line.decode() for line in lines)
            patience = STARTING if lines and lines[-1].endswith(b"done") else SILENCE


def _note(tallies: dict[str, Tally], said: dict[str, Any], seed: int, source: str, folder: Path, keep: Path | None) -> None:
    tally, number = tallies[said["reader"]], said["input"]
    if number == -1:
        raise RuntimeError(f"a good file of {tally.reader} is not read: {said['wrong']}")
    tally.tried += 1
    tally.how[said["how"]] += 1
    if said["wrong"]:
        kept = _kept(tally.reader, seed, number, source, folder, keep)
        tally.wrong.append((f"input {number}: {said['wrong']}", kept))


def _kept(reader: str, seed: int, number: int, source: str, folder: Path, keep: Path | None) -> Path | None:
    """The input that did it: a mutated one is made again by its number, another is the one that was last written."""
    if keep is None:
        return None
    keep.mkdir(parents=True, exist_ok=True)
    one = READERS[reader]
    path = keep / f"{reader}-{source}-{seed}-{number}{Path(one.file).suffix}"
    if source == "mutated":
        path.write_bytes(mutate(random.Random(f"{reader} {seed} {number}"), one.good(), one.inside))
    else:
        shutil.copy(folder / one.file, path)
    return path


def _kind(what: str) -> str:
    """What two findings of one cause have in common."""
    return re.sub(r"\d+", "", what.strip().split("\n")[-1])[:120]


def main() -> int:
    parser = argparse.ArgumentParser(description="reads damaged files by the thousand")
    parser.add_argument("--inputs", type=int, default=2000, help="a reader and a source")
    parser.add_argument("--readers", default=",".join(READERS))
    parser.add_argument("--sources", default="mutated,hypothesis")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--keep", type=Path, help="where to put the inputs that did harm")
    parsed = parser.parse_args()
    found = tried = 0
    for source in parsed.sources.split(","):
        known = READERS if source == "mutated" else SOURCES
        for reader in [reader for reader in parsed.readers.split(",") if reader in known]:
            tally = fuzz([reader], parsed.inputs, parsed.seed, source, parsed.keep)[reader]
            found, tried = found + len(tally.wrong), tried + tally.tried
            print(f"{source:10} {tally}", flush=True)
            kinds = Counter(_kind(what) for what, _ in tally.wrong)
            for kind, many in kinds.most_common():
                what, path = next((what, path) for what, path in tally.wrong if _kind(what) == kind)
                print(f"  {many} like {path or ''} {what}", flush=True)
    print(f"{tried} inputs tried, {found} of them did harm")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
