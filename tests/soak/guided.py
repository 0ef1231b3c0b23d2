"""Bad texts that are led by the code they reach, with atheris: ``python -m tests.soak.guided READER SECONDS CORPUS``.

Only for what is read in Python, since that is what atheris sees. It ends with the first input that does harm, and keeps it.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["core", "pysubs2", "json"]):
    from core.errors import BadInput

from tests.soak.readers import READERS

READABLE = ("srt", "vtt", "ass", "described", "cast", "cast-json", "table", "table-json", "labels", "corrections")
MEMORY_MB = 2048


def main() -> None:
    import resource  # not on every system

    name, seconds, kept = sys.argv[1], sys.argv[2], Path(sys.argv[3])
    reader = READERS[name]
    with tempfile.TemporaryDirectory(prefix="rollcall-guided-") as place:
        folder = Path(place)
        corpus = folder / "corpus"
        corpus.mkdir()
        for number, content in enumerate(reader.good()):
            (corpus / str(number)).write_bytes(content)
        file = folder / reader.file
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115
        errors, sys.stderr = sys.stderr, sys.stdout  # the sentences about thousands of files

        def one(content: bytes) -> None:
            file.write_bytes(content)
            try:
                reader.use(file, folder)
            except BadInput:
                return

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        kept.mkdir(parents=True, exist_ok=True)
        limits = [f"-max_total_time={seconds}", "-timeout=10", f"-rss_limit_mb={MEMORY_MB}", "-max_len=20000"]
        atheris.Setup([sys.argv[0], *limits, f"-artifact_prefix={kept}/{name}-", "-print_final_stats=1", str(corpus)], one)
        sys.stderr = errors
        atheris.Fuzz()


if __name__ == "__main__":
    main()
