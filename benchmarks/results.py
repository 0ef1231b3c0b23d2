"""Makes the tables and figures of ``docs/results.md`` anew, from the problems in the folder that ROLLCALL_TEST_DATA names.

``python benchmarks/results.py`` measures what is missing and writes everything. Measurements are kept in
``benchmarks/results/``, so it can be run in pieces and stopped at any time:

    python benchmarks/results.py --only table1 --sets lost,films --methods ipal,sure   # one piece
    python benchmarks/results.py --methods dbgae --sets films --measure                # measure, write nothing
    python benchmarks/results.py --write                                               # write from what was measured
    python benchmarks/results.py --only effort --again                                 # measure anew

A piece stands in the page between ``<!-- piece -->`` and ``<!-- /piece -->``; the words around are kept. A measurement is
taken again when ``--again`` says so, not when the code changes; so each is kept with the commit that made it, and each piece
ends with the commits of its measurements.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Collection
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks import measured
from benchmarks.measured import ROOT, Bench
from benchmarks.pieces import PIECES
from core.solve import METHODS

SETS = ("lost", "tv_bbt", "lfw_news", "films", "films_hard", "lfw_strangers", "tv_strangers")
RESULTS = Path(__file__).parent / "results"


def stamp(commits: set[str]) -> str:
    """The line that says which commits made a piece."""
    return f"Commit{'s' * (len(commits) > 1)} {', '.join(f'`{one}`' for one in sorted(commits))}."


def put(page: str, piece: str, text: str) -> str:
    """The page with the text between the markers of a piece; a page without the markers gets them at its end."""
    block = f"<!-- {piece} -->\n{text}\n<!-- /{piece} -->"
    between = re.compile(rf"<!-- {piece} -->.*?<!-- /{piece} -->", re.DOTALL)
    if between.search(page):
        return between.sub(lambda _: block, page, count=1)
    return f"{page.rstrip()}\n\n## {piece.capitalize()}\n\n{block}\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", metavar="a,b", help=f"pieces: {', '.join(PIECES)} (default: all)")
    parser.add_argument("--sets", metavar="a,b", default=",".join(SETS), help="default: %(default)s")
    parser.add_argument("--methods", metavar="a,b", default=",".join(METHODS), help="default: %(default)s")
    parser.add_argument("--seeds", type=int, default=5, metavar="N", help="how many, from 0 (default: 5)")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--measure", action="store_true", help="only measure what is missing")
    what.add_argument("--write", action="store_true", help="only write what was measured")
    parser.add_argument("--again", action="store_true", help="measure also what was measured before")
    parser.add_argument("--page", type=Path, default=ROOT / "docs/results.md", help="default: docs/results.md")
    parser.add_argument("--cache", type=Path, default=RESULTS, help="default: benchmarks/results")
    parsed = parser.parse_args()
    data = os.environ.get("ROLLCALL_TEST_DATA")
    if not data:
        parser.error("set ROLLCALL_TEST_DATA to the folder with the problems")
    bench = Bench(
        data=Path(data),
        sets=_listed(parser, parsed.sets, SETS),
        methods=_listed(parser, parsed.methods, METHODS),
        seeds=parsed.seeds,
        results=parsed.cache,
        pictures=parsed.page.parent / "pictures",
        again=parsed.again,
        measuring=not parsed.write,
        writing=not parsed.measure,
    )
    for piece in _listed(parser, parsed.only or ",".join(PIECES), PIECES):
        bench.commits.clear()
        text = PIECES[piece](bench)
        if bench.writing:
            text = f"{text}\n\n{stamp(bench.commits or {measured.commit()})}"
            page = parsed.page.read_text() if parsed.page.exists() else "# Results\n"
            parsed.page.write_text(put(page, piece, text))
            print(f"{piece}: written to {parsed.page}", file=sys.stderr, flush=True)


def _listed(parser: argparse.ArgumentParser, text: str, known: Collection[str]) -> list[str]:
    listed = [one.strip() for one in text.split(",") if one.strip()]
    for one in listed:
        if one not in known:
            parser.error(f"there is no {one!r}; choose from {', '.join(known)}")
    return listed


if __name__ == "__main__":
    main()
