"""Other processors and numbers of threads, as far as this machine can stand in for them.

Libraries choose their code by the processor, and sum in another order on each. Environment variables, read when they are
loaded, make them choose as on another one. Instructions that this processor does not have end the process with SIGILL.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PROCESSORS: dict[str, dict[str, str]] = {
    "Nehalem": {
        "OPENBLAS_CORETYPE": "Nehalem",
        "NPY_DISABLE_CPU_FEATURES": "X86_V3 X86_V4",
        "ATEN_CPU_CAPABILITY": "default",
        "MKL_ENABLE_INSTRUCTIONS": "SSE4_2",
        "ONEDNN_MAX_CPU_ISA": "SSE41",
    },
    "Haswell": {
        "OPENBLAS_CORETYPE": "Haswell",
        "NPY_DISABLE_CPU_FEATURES": "X86_V4",
        "ATEN_CPU_CAPABILITY": "avx2",
        "MKL_ENABLE_INSTRUCTIONS": "AVX2",
        "ONEDNN_MAX_CPU_ISA": "AVX2",
    },
    "SkylakeX": {"OPENBLAS_CORETYPE": "SkylakeX"},
}
THREADS = (1, 2)


@dataclass(frozen=True)
class Machine:
    """A processor that this one stands in for, and how many threads it works with."""

    processor: str
    threads: int

    def __str__(self) -> str:
        return f"{self.processor}, {self.threads} thread{'s' * (self.threads > 1)}"

    @property
    def environment(self) -> Mapping[str, str]:
        many = {name: str(self.threads) for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")}
        return {**os.environ, **PROCESSORS[self.processor], **many}

    def run(self, *command: str) -> subprocess.CompletedProcess[str] | None:
        """Runs Python with these words as on that machine. None where this processor cannot stand in for it."""
        words = [sys.executable, *command]
        done = subprocess.run(words, cwd=ROOT, env=self.environment, capture_output=True, text=True)
        return None if done.returncode == -signal.SIGILL else done


def every_machine() -> Sequence[Machine]:
    return [Machine(processor, threads) for processor in PROCESSORS for threads in THREADS]
