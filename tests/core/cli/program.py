"""The command line as a program of its own, and called here; both tell exit codes and what was printed."""

import io
import os
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

from core.cli.main import main

ROOT = Path(__file__).parents[3]
CHEAP = "dbgae-no-autoencoder"
SIZES = {"hidden": 8, "dense": 4, "features": 3, "epochs": 12, "rounds": 2}
# the program with a network small enough for a test
SMALL = f"""
import sys
from dataclasses import dataclass, replace
import core.solvers.dbgae.method as method
from core.cli.main import main
sizes = {SIZES}
method.AUTHORS = replace(method.AUTHORS, **sizes)
fields = {{"__annotations__": dict.fromkeys(sizes, int), **sizes}}
method.Settings = dataclass(frozen=True)(type("Small", (method.Settings,), fields))
sys.exit(main(sys.argv[1:]))
"""


def run(*arguments: object, program: list[str] | None = None, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *(program or ["-m", "core"]), *map(str, arguments)],
        cwd=ROOT,
        env={**os.environ, "OMP_NUM_THREADS": "1", **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def called(*arguments: object) -> subprocess.CompletedProcess[str]:
    """The same without a process of its own, which costs seconds."""
    out, error = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
    with redirect_stdout(out), redirect_stderr(error):
        code = main([str(argument) for argument in arguments])
    said = [stream.buffer.getvalue().decode() for stream in (out, error)]
    return subprocess.CompletedProcess(arguments, code, *said)


def complaint(*arguments: object) -> str:
    """What is said about bad input: exit code 2, nothing on standard output, one line on standard error."""
    done = called(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.endswith("\n")
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("rollcall: ")
    return done.stderr.removeprefix("rollcall: ").rstrip("\n")
