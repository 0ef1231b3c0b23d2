"""``python -m benchmarks [--large] [--only a,b]``, or ``make bench``: everything that is measured, as one table.

Each benchmark runs in processes of its own and saves its rows as JSON in ``benchmarks/results/``; this prints them together
and saves them in ``bench.json``, from which ``python -m benchmarks.table`` makes the tables and the plot of
docs/performance.md.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from dataclasses import asdict
from datetime import UTC, datetime
from os import cpu_count
from platform import machine

from benchmarks.measure import RESULTS, Ran, Row, load, ran
from benchmarks.table import BENCH, markdown

FILM = "assets/demo/project/uploads/the-lighthouse-birthday.mp4"


def rows(name: str) -> Callable[[Ran], list[Row]]:
    return lambda child: load(name)


def app_rows(child: Ran) -> list[Row]:
    """The review page; its yardstick is a click in an empty page."""
    told = json.loads((RESULTS / "app.json").read_text())
    plain, note = told["milliseconds"]["empty"]["median"], f"{told['lost_of_200']} of 200 fast clicks lost"
    found = [
        Row(
            "the review page opens, 20,000 faces",
            told["opened_seconds"],
            told["opened_seconds"] * 1000 / plain,
            "a click in an empty page",
            reach="3 s",
            note=note,
        )
    ]
    for what, words in (("click", "a click on a name is answered"), ("next", "the next frame is shown and answered")):
        median = told["milliseconds"][what]["median"]
        found.append(
            Row(f"{words}, 20,000 faces", median / 1000, median / plain, "a click in an empty page", reach="0.15 s")
        )
    return found


def export_rows(child: Ran) -> list[Row]:
    told = json.loads((RESULTS / "export.json").read_text())
    return [
        Row(f"export as {one['format']}, {one['faces']:,} faces", one["seconds"], one["times_the_yardstick"], "its bytes")
        for one in told
    ]


def ingest_rows(child: Ran) -> list[Row]:
    told = json.loads((RESULTS / "ingest.json").read_text())
    note = f"{told['faces_in_both']} of the plain loop's {told['faces_plain']} faces found, {told['faces']} in all"
    return [
        Row(
            "faces of one frame of a film, found and embedded",
            1 / told["frames_a_second"],
            1 / told["times_plain"],
            "facenet-pytorch's loop",
            child.memory_mb,
            note=note,
        )
    ]


BENCHMARKS: dict[str, tuple[list[str], Callable[[Ran], list[Row]]]] = {
    "start": (["-m", "benchmarks.start"], rows("start")),
    "solving": (["-m", "benchmarks.solving"], rows("solving")),
    "dbgae": (["-m", "benchmarks.dbgae"], rows("dbgae")),
    "compared": (["-m", "benchmarks.compared"], rows("compared")),
    "project": (["-m", "benchmarks.project"], rows("project")),
    "app": (["benchmarks/app.py"], app_rows),
    "export": (["benchmarks/export.py"], export_rows),
    "ingest": (["benchmarks/ingest.py", FILM], ingest_rows),
}  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--large", action="store_true", help="also 200,000 faces and all epochs of dbgae, over an hour more")
    parser.add_argument("--only", metavar="a,b", help=f"of {', '.join(BENCHMARKS)}; the others' rows stay")
    parsed = parser.parse_args()
    chosen = parsed.only.split(",") if parsed.only else list(BENCHMARKS)
    if unknown := sorted(set(chosen) - set(BENCHMARKS)):
        parser.error(f"there is no {unknown[0]!r}; choose from {', '.join(BENCHMARKS)}")
    found = json.loads(BENCH.read_text())["rows"] if parsed.only and BENCH.exists() else {}
    failed = []
    for name in chosen:
        arguments, read = BENCHMARKS[name]
        child = ran(*arguments, *(["--large"] if parsed.large and name in ("solving", "dbgae") else []), echo=True)
        if child.code:
            failed.append(name)
            continue
        found[name] = [asdict(row) for row in read(child)]
        told = {"at": f"{datetime.now(UTC):%Y-%m-%d}", "machine": f"{cpu_count()} cores, {machine()}", "rows": found}
        BENCH.write_text(json.dumps(told, indent=1) + "\n")
    print(markdown([Row(**row) for name in BENCHMARKS for row in found.get(name, [])]))
    if failed:
        sys.exit(f"failed: {', '.join(failed)}")


if __name__ == "__main__":
    main()
