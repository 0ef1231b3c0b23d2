"""The process that ``local.py`` feeds: messages come on standard input, answers go to standard output, until its end."""

from __future__ import annotations

import os
import sys
from typing import IO

from core.jobs.archive.carry import carry_out
from core.jobs.archive.local import read, write


def main(tasks: IO[bytes], answers: IO[bytes]) -> None:
    while (message := read(tasks)) is not None:
        write(answers, carry_out(message))


if __name__ == "__main__":
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints is no answer
    main(sys.stdin.buffer, out)
    os._exit(0)  # taking PyTorch down in good order takes seconds
