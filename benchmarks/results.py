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
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field, fields, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from core import evaluation as experiments
from core.evaluation import ambiguity, cases, cost, figures, folds, metrics, significance
from core.evaluation import effort as efforts
from core.evaluation.measure import OURS, SEEDLESS, Measured, is_ablation, markdown, measure, with_truth
from core.problem import IntArray, Problem
from core.progress import Printer
from core.solve import METHODS
from core.solvers.baselines import ipal, pl_aggd, pl_leaf, sure

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

ROOT = Path(__file__).resolve().parents[1]
SETS = ("lost", "tv_bbt", "lfw_news", "films", "films_hard", "lfw_strangers", "tv_strangers")
PARTIAL_LABEL = ("lost",)  # sets of the paper's second protocol: every face's name is in its own caption
RESULTS = Path(__file__).parent / "results"
TARGET = 0.99


@dataclass
class Store:
    """Measurements by key in one JSON file, each with the commit that made it, saved after each."""

    path: Path
    again: bool
    measuring: bool  # without it, what is missing stays missing
    commits: set[str]  # those of all measurements that were asked for
    found: dict[str, Any] = field(default_factory=dict)
    fresh: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        if self.path.exists():
            self.found = json.loads(self.path.read_text())

    def get(self, key: str, take: Callable[[], Any]) -> Any:
        """The measurement of this name, taken if it is missing; None where it may not be taken."""
        if key not in self.found or (self.again and self.measuring and key not in self.fresh):
            if not self.measuring:
                return None
            print(f"measuring {key}", file=sys.stderr, flush=True)
            self._save(key, {"commit": commit(), "value": take()})
        self.commits.add(self.found[key]["commit"])
        return self.found[key]["value"]

    def _save(self, key: str, measured: dict[str, Any]) -> None:
        # another run of another piece may have saved meanwhile
        self.found = (json.loads(self.path.read_text()) if self.path.exists() else {}) | {key: measured}
        self.fresh.add(key)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        part = self.path.with_suffix(f".{os.getpid()}")
        part.write_text(json.dumps(self.found) + "\n")
        part.replace(self.path)


@dataclass(eq=False)
class Bench:
    """What to run on, and what was measured."""

    data: Path
    sets: list[str]
    methods: list[str]
    seeds: int
    results: Path
    pictures: Path
    again: bool
    measuring: bool
    writing: bool
    commits: set[str] = field(default_factory=set)  # that made the measurements of the present piece

    @cache  # noqa: B019  one bench lives as long as the program
    def store(self, name: str) -> Store:
        return Store(self.results / f"{name}.json", self.again, self.measuring, self.commits)

    @cache  # noqa: B019
    def problem(self, name: str) -> Problem:
        return with_truth(self.data / f"{name}.npz")

    def answered(self, wanted: Callable[[str], bool] = lambda method: True) -> Iterator[tuple[Measured, IntArray]]:
        """Every measurement asked for, with its answers, in the order of sets, methods, seeds."""
        for name in self.sets:
            for method in filter(wanted, self.methods):
                for seed in range(self.seeds):
                    found = self._one(name, method, 0 if method in SEEDLESS else seed)
                    if found is not None:
                        measured = replace(Measured(**found["measured"]), seed=seed)
                        yield measured, np.array(found["answer"], dtype=np.int64)

    def answers(self) -> dict[str, dict[str, list[IntArray]]]:
        """The answers of all methods but ablations: problem -> method -> seeds."""
        found: dict[str, dict[str, list[IntArray]]] = {}
        for measured, answer in self.answered(lambda method: not is_ablation(method)):
            found.setdefault(measured.problem, {}).setdefault(measured.method, []).append(answer)
        return found

    def _one(self, name: str, method: str, seed: int) -> Any:
        def take() -> Any:
            found = measure(name, self.problem(name), method, seed)
            return {"measured": asdict(found.measured), "answer": found.answer.tolist()}

        return self.store(f"answers-{name}").get(f"{name} {method} {seed}", take)


# --- The pieces: each returns Markdown -----------------------------------------------------------------------------------


def table1(bench: Bench) -> str:
    return experiments.table([measured for measured, _ in bench.answered(lambda method: not is_ablation(method))])


def table2(bench: Bench) -> str:
    whole = {method.split("-no-")[0] for method in bench.methods if is_ablation(method)}
    wanted = [measured for measured, _ in bench.answered(lambda method: is_ablation(method) or method in whole)]
    return experiments.table(sorted(wanted, key=lambda row: (row.method.split("-no-")[0], is_ablation(row.method))))


def seconds(bench: Bench) -> str:
    """Mean seconds of a run."""
    found: dict[str, dict[str, list[float]]] = {}
    for measured, _ in bench.answered():
        found.setdefault(measured.method, {}).setdefault(measured.problem, []).append(measured.seconds)
    rows = [[m, *(f"{np.mean(row[p]):.1f}" if p in row else "–" for p in bench.sets)] for m, row in found.items()]
    return markdown(["seconds", *bench.sets], rows)


def kinds(bench: Bench) -> str:
    found = bench.answers().items()
    return "\n\n".join(f"`{name}`:\n\n{ambiguity.kind_table(bench.problem(name), answers)}" for name, answers in found)


def histogram(bench: Bench) -> str:
    levels = {name: ambiguity.ratio_levels(bench.problem(name)) for name in bench.sets}
    rows = []
    for name in bench.sets:
        ratio = ambiguity.ambiguity_ratio(bench.problem(name))
        frequency = ambiguity.ground_truth_frequency(bench.problem(name))
        rows.append([name, f"{np.nanmean(ratio):.2f}", f"{np.nanmedian(ratio):.2f}", f"{np.median(frequency):.0f}"])
    picture = save(bench, figures.histogram_figure(levels), "ambiguity-histogram", "How many names are how ambiguous")
    head = ["set", "ambiguity ratio, mean over names", "median", "ground-truth frequency, median"]
    return f"{picture}\n\n{markdown(head, rows)}"


def conditions(bench: Bench) -> str:
    """Accuracy and F1 against ambiguity ratio and ground-truth frequency."""
    told = []
    for name, methods in bench.answers().items():
        problem = bench.problem(name)
        for levels in (ambiguity.ratio_levels(problem), ambiguity.frequency_levels(problem)):
            curves = [ambiguity.curve(method, answers, problem, levels) for method, answers in methods.items()]
            file = f"{levels.title.replace(' ', '-')}-{name}"
            title = f"{name}: accuracy and F1 against {levels.title}"
            told.append(save(bench, figures.curve_figure(curves, levels, OURS), file, title))
    return "\n\n".join(told)


def ten_folds(bench: Bench) -> str:
    told = []
    for name in [name for name in PARTIAL_LABEL if name in bench.sets]:
        rows: list[folds.Fold] = []
        for method in [method for method in bench.methods if not is_ablation(method)]:

            def take(name: str = name, method: str = method) -> Any:
                found = folds.cross_validate(bench.problem(name), [method], progress=Printer())
                return [asdict(row) for row in found]

            rows += [folds.Fold(**row) for row in bench.store("folds").get(f"{name} {method}", take) or []]
        told.append(f"`{name}`, {folds.FOLDS} folds:\n\n{folds.fold_table(rows)}")
    return "\n\n".join(told)


def significant(bench: Bench) -> str:
    problems = {name: bench.problem(name) for name in bench.sets}
    return significance.significance_table(problems, bench.answers(), OURS)


def growth(bench: Bench) -> str:
    rows: list[cost.Timed] = []
    for method in [method for method in bench.methods if not is_ablation(method)]:
        for series in cost.SERIES:

            def take(method: str = method, series: str = series) -> Any:
                repeats = 1 if method.startswith("dbgae") else 3
                return [asdict(row) for row in cost.time_growth([method], [series], repeats, Printer())]

            rows += [cost.Timed(**row) for row in bench.store("cost").get(f"{method} {series}", take) or []]
    return cost.cost_table(rows)


def effort(bench: Bench) -> str:
    """The share of faces a person touches until the target, and the curves."""
    shown: dict[str, tuple[efforts.Trace, efforts.Trace]] = {}
    for name in bench.sets:

        def take(name: str = name) -> Any:
            both = efforts.traces(bench.problem(name), efforts.by_method(OURS), target=TARGET, progress=Printer())
            return [{"faces": one.faces, "touched": one.touched.tolist(), "accuracy": one.accuracy.tolist()} for one in both]

        found = bench.store("effort").get(f"{name} {OURS} {TARGET}", take)
        if found is None:
            continue
        queue, random = (efforts.Trace(one["faces"], np.array(one["touched"]), np.array(one["accuracy"])) for one in found)
        shown[name] = queue, random
    if not shown:
        return ""
    picture = save(bench, figures.effort_figure(shown, TARGET), "effort", "Accuracy against the share of faces touched")
    return f"{efforts.effort_table(shown, TARGET)}\n\n{picture}"


def side_by_side(bench: Bench) -> str:
    """Frames where we are right and the best baseline is not, and frames where we fail."""
    told = []
    for name, methods in bench.answers().items():
        problem = bench.problem(name)
        assert problem.truth is not None
        if OURS not in methods or len(methods) < 2:
            continue
        rivals = {m: metrics.accuracy(a[0], problem.truth) for m, a in methods.items() if not m.startswith((OURS, "dbgae"))}
        best = max(rivals or {m: 0.0 for m in methods if m != OURS}, key=lambda m: rivals.get(m, 0.0))
        ours, other = methods[OURS][0], methods[best][0]
        wins = cases.choose(problem, ours, other, "wins", 3)
        failures = cases.choose(problem, ours, other, "failures", 3)
        told.append(f"`{name}`: right where `{best}`, the best baseline, is wrong\n\n{cases.case_table(wins, OURS, best)}")
        if failures:
            told.append(f"`{name}`: our failures\n\n{cases.case_table(failures, OURS, best)}")
    return "\n\n".join(told)


def parameters(bench: Bench) -> str:
    """Every setting of every method with its value."""
    from benchmarks import parameters
    from core.solvers import mixture
    from core.solvers.dbgae import settings as dbgae

    sources: dict[str, Any] = {
        "dbgae": dbgae.Settings(),
        "dbgae-authors": dbgae.AUTHORS,
        **{name: module.PUBLISHED for name, module in
           {"ipal": ipal, "pl-leaf": pl_leaf, "sure": sure, "pl-aggd": pl_aggd}.items()},
    }  # fmt: skip
    rows = [
        [name, ", ".join(f"{one.name} {getattr(settings, one.name)}" for one in fields(settings))]
        for name, settings in sources.items()
    ]
    rows.insert(0, ["rollcall", ", ".join(f"{name} {value}" for name, value in parameters.of(mixture).items())])
    rows.append(["pair-clustering, cluster-voting", "the calibrated neighbour distance d of each set (1 for FaceNet)"])
    return markdown(["method", "settings"], rows)


PIECES: dict[str, Callable[[Bench], str]] = {
    "table1": table1,
    "table2": table2,
    "seconds": seconds,
    "kinds": kinds,
    "histogram": histogram,
    "conditions": conditions,
    "folds": ten_folds,
    "significance": significant,
    "cost": growth,
    "effort": effort,
    "cases": side_by_side,
    "parameters": parameters,
}


# --- The page ----------------------------------------------------------------------------------------------------------


@cache
def commit() -> str:
    """The commit of the code that runs, short; with "-dirty" behind it where files differ from that commit."""
    asked = ["git", "-C", str(ROOT), "describe", "--always", "--dirty", "--exclude=*"]
    return subprocess.run(asked, check=True, capture_output=True, text=True).stdout.strip()


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


def save(bench: Bench, figure: Figure, file: str, title: str) -> str:
    """Draws a figure as SVG beside the page, with Chromium and the plotly.js of the plotly package; returns Markdown."""
    told = f"![{title}](pictures/{file}.svg)"
    if not bench.writing:
        return told
    from playwright.sync_api import sync_playwright
    from plotly.offline import get_plotlyjs

    from tests.browser.install import installed
    from tests.conftest import FLAGS

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=installed(), args=FLAGS)
        page = browser.new_page()
        page.set_content("<div id='figure'></div>")
        page.add_script_tag(content=get_plotlyjs())
        drawn = page.evaluate(
            """async figure => {
                const {width, height} = figure.layout
                await Plotly.newPlot('figure', figure.data, figure.layout, {staticPlot: true})
                return await Plotly.toImage('figure', {format: 'svg', width, height})
            }""",
            json.loads(figure.to_json()),
        )
        browser.close()
    bench.pictures.mkdir(parents=True, exist_ok=True)
    (bench.pictures / f"{file}.svg").write_text(unquote(drawn.split(",", 1)[1]) + "\n")
    return told


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
            text = f"{text}\n\n{stamp(bench.commits or {commit()})}"
            page = parsed.page.read_text() if parsed.page.exists() else "# Results\n"
            parsed.page.write_text(put(page, piece, text))
            print(f"{piece}: written to {parsed.page}", file=sys.stderr, flush=True)


def _listed(parser: argparse.ArgumentParser, text: str, known: Any) -> list[str]:
    listed = [one.strip() for one in text.split(",") if one.strip()]
    for one in listed:
        if one not in known:
            parser.error(f"there is no {one!r}; choose from {', '.join(known)}")
    return listed


if __name__ == "__main__":
    main()
