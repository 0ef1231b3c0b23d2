"""The pieces of ``docs/results.md``: its tables and figures, each made from measurements and given as Markdown."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, fields
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

import numpy as np

from benchmarks import parameters as settings_of
from benchmarks.measured import Bench
from core import evaluation as experiments
from core.evaluation import ambiguity, cases, cost, figures, folds, metrics, significance
from core.evaluation import effort as efforts
from core.evaluation.measure import OURS, is_ablation, markdown
from core.progress import Printer
from core.solvers.baselines import ipal, pl_aggd, pl_leaf, sure

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

PARTIAL_LABEL = ("lost",)  # sets of the paper's second protocol: every face's name is in its own caption
TARGET = 0.99


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
    from core.solvers import identity
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
    rows.insert(0, ["rollcall", ", ".join(f"{name} {value}" for name, value in settings_of.of(identity).items())])
    rows.append(
        [
            "pair-clustering, cluster-voting",
            "the neighbour distance d of each set: published, or calibrated",
        ]
    )
    return markdown(["method", "settings"], rows)


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
