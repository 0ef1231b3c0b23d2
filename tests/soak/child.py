"""The process that reads bad files, within limits of memory and under watch: ``python -m tests.soak.child``.

Before each input it says its number, so that whoever started it knows which one it died of.
"""

from __future__ import annotations

import io
import json
import os
import random
import sys
import time
import traceback
import warnings
from pathlib import Path
from typing import Any, TextIO

from core.errors import BadInput
from tests.soak.mutate import mutate
from tests.soak.readers import READERS, Reader, inputs

MEMORY = 2 << 30
MEMORY_MOST = 3 << 30  # while a reader is imported
SECONDS = 10.0  # of work for one input
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
CHANGING = {
    "os.mkdir",
    "os.rename",
    "os.remove",
    "os.rmdir",
    "os.symlink",
    "os.link",
    "os.truncate",
    "os.chmod",
    "sqlite3.connect",
}
NEVER = {"socket.connect", "subprocess.Popen", "os.system", "os.exec", "pickle.find_class", "os.posix_spawn"}


class Watch:
    """Notes what no reader may do: write outside of its folder, start programs, reach for the network, open pickles."""

    def __init__(self, folder: Path) -> None:
        self.folder = str(folder.resolve())
        self.seen: list[str] = []
        self.on = False
        sys.addaudithook(self._note)

    def _note(self, event: str, words: tuple[Any, ...]) -> None:
        if not self.on:
            return
        if event in NEVER:
            self.seen.append(f"{event} {words!r:.200}")
        elif (event == "open" and isinstance(words[2], int) and words[2] & WRITING) or event in CHANGING:
            path = os.fsdecode(words[0]) if isinstance(words[0], str | bytes | os.PathLike) else ""
            beneath = event in ("os.remove", "os.rmdir") and words[1] != -1  # of a folder that is open already
            if (
                path
                and not beneath
                and path not in (os.devnull, ":memory:")
                and not os.path.realpath(path).startswith(self.folder)
            ):
                self.seen.append(f"{event} {path!r:.200}")


class Trial:
    """Reads one input after the other; ``wrong`` says what was wrong with the last one, if anything."""

    def __init__(self, reader: Reader, folder: Path, watch: Watch) -> None:
        self.reader, self.folder, self.watch = reader, folder, watch
        self.file = folder / reader.file
        self.said = (folder / "said").open("w+b")
        os.dup2(self.said.fileno(), 1)
        os.dup2(self.said.fileno(), 2)
        for stream in (sys.stdout, sys.stderr):
            assert isinstance(stream, io.TextIOWrapper)
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")

    def __call__(self, content: bytes) -> tuple[str, str]:
        """("read" or "refused", what was wrong)."""
        self.file.write_bytes(content)
        os.ftruncate(1, 0)
        os.lseek(1, 0, os.SEEK_SET)
        self.watch.seen.clear()
        start, how, wrong = time.process_time(), "read", ""
        self.watch.on = True
        try:
            self.reader.use(self.file, self.folder)
        except BadInput as error:
            how, wrong = "refused", _unfit(str(error))
        except BaseException:
            wrong = traceback.format_exc()
        self.watch.on = False
        sys.stdout.flush()
        sys.stderr.flush()
        spent = time.process_time() - start
        if spent > SECONDS:
            wrong += f"took {spent:.1f} s"
        said = (self.folder / "said").read_bytes().decode("utf-8", "replace")
        errors = [line for line in said.split("\n") if line.strip()]
        if how == "refused" and len(errors) > 1 and any(line.startswith("rollcall: ") for line in errors):
            wrong += f"more than one sentence: {said[:2000]}"
        if "Traceback" in said or "Warning" in said:
            wrong += f"shown: {said[:2000]}"
        return how, "; ".join([wrong, *self.watch.seen]) if self.watch.seen else wrong


def _unfit(sentence: str) -> str:
    return f"no sentence: {sentence!r:.300}" if not sentence.strip() or "\n" in sentence or len(sentence) > 1000 else ""


def main() -> None:
    names, source, seed, start, many, folder = sys.argv[1].split(","), *sys.argv[2:6], Path(sys.argv[6])
    out = os.fdopen(os.dup(1), "w", buffering=1)
    watch = Watch(folder)
    for name in names:
        _try(name, source, int(seed), int(start), int(many), folder, watch, out)
        start = "0"
    out.flush()
    os._exit(0)


def _try(name: str, source: str, seed: int, start: int, many: int, folder: Path, watch: Watch, out: TextIO) -> None:
    import resource  # not on every system

    reader = READERS[name]
    good = reader.good()
    trial = Trial(reader, folder, watch)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_MOST, MEMORY_MOST))
    for content in good:
        trial(content)  # imports everything
    for content in good:
        _, wrong = trial(content)
        if wrong:
            print(json.dumps({"reader": name, "input": -1, "wrong": wrong}), file=out)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY_MOST))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    warnings.simplefilter("always", RuntimeWarning)  # numpy would show only the first of a kind

    def attempt(number: int, content: bytes) -> None:
        print(f"{name} {number}", file=out)
        how, wrong = trial(content)
        print(json.dumps({"reader": name, "input": number, "how": how, "wrong": wrong}), file=out)

    stop = inputs(reader, many)
    if source == "mutated":
        for number in range(start, stop):
            attempt(number, mutate(random.Random(f"{name} {seed} {number}"), good, reader.inside))
    elif start < stop:
        from tests.soak.strategies import each

        each(name, seed, start, stop, attempt)
    print(f"{name} done", file=out)


if __name__ == "__main__":
    main()
