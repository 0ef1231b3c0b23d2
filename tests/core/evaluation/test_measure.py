"""Methods compared on problems whose truth is known."""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core import BadInput, solve
from core.cli.main import main
from core.evaluation import Measured, evaluate, metrics, table, tables
from core.evaluation.generate import MEASURED, films
from core.evaluation.measure import SEEDLESS
from core.formats import read_problem
from core.formats.write.npz import write_problem
from core.prediction import Scores
from core.solve import METHODS, Task
from tests.private import private_cases

CHEAP = ["dbgae-no-autoencoder", "cluster-voting"]


def saved(path: Path, seed: int = 0) -> Path:
    path.parent.mkdir(exist_ok=True)
    write_problem(films(films=2, groups=20, names=8, dimensions=16, seed=seed), path)
    return path


def test_every_method_on_every_problem_with_every_seed(tmp_path: Path) -> None:
    paths = [saved(tmp_path / "one.npz"), saved(tmp_path / "two.npz", seed=1)]
    told: list[tuple[str, int, int]] = []
    measured = evaluate(paths, CHEAP, range(2), lambda *step: told.append(step))
    order = [(row.problem, row.method, row.seed) for row in measured]
    assert order == [(problem, method, seed) for problem in ("one", "two") for method in CHEAP for seed in (0, 1)]
    assert told == [("evaluate", done, len(told)) for done in range(1, len(told) + 1)]
    assert len(told) >= 4
    for row in measured:
        problem = read_problem(tmp_path / f"{row.problem}.npz")
        assert problem.truth is not None
        answer = solve(problem, row.method, seed=row.seed).name
        assert row.accuracy == metrics.accuracy(answer, problem.truth)
        assert row.f1 == metrics.f1(answer, problem.truth)
        assert row.seconds >= 0


def test_a_problem_without_truth_is_refused_before_anything_runs(tmp_path: Path) -> None:
    blind = tmp_path / "blind.npz"
    write_problem(replace(films(films=1, groups=5, names=3), truth=None), blind)
    told: list[tuple[str, int, int]] = []
    with pytest.raises(BadInput, match=r"blind\.npz: .*no truth"):
        evaluate([saved(tmp_path / "one.npz"), blind], CHEAP, [0], lambda *step: told.append(step))
    assert told == []


def test_an_unknown_method_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no method 'magic'"):
        evaluate([saved(tmp_path / "one.npz")], ["magic"], [0])


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"nowhere\.npz: there is no such file"):
        evaluate([tmp_path / "nowhere.npz"], CHEAP, [0])


def test_problems_of_one_name_in_two_folders_stay_two(tmp_path: Path) -> None:
    paths = [saved(tmp_path / folder / "film.npz", seed) for seed, folder in enumerate(("a", "b"))]
    measured = evaluate(paths, CHEAP[:1], [0])
    assert measured[0].accuracy != measured[1].accuracy
    assert measured[0].problem != measured[1].problem


def test_table_by_hand() -> None:
    rows = [
        Measured("film", "one", 0, 0.5, 0.25, 1.0),
        Measured("film", "one", 1, 0.7, 0.25, 1.0),
        Measured("film", "two", 0, 1.0, 0.125, 1.0),
        Measured("film", "two", 1, 1.0, 0.375, 1.0),
        Measured("news", "one", 0, 0.0, 0.0, 1.0),
        Measured("news", "one", 1, 0.0, 0.0, 1.0),
        Measured("news", "two", 0, 0.123456, 0.9, 1.0),
        Measured("news", "two", 1, 0.123456, 0.9, 1.0),
    ]
    assert table(rows).splitlines() == [
        "| accuracy / F1 | film | news |",
        "| --- | --- | --- |",
        "| one | 0.600 ± 0.141 / **0.250 ± 0.000** | 0.000 ± 0.000 / 0.000 ± 0.000 |",
        "| two | **1.000 ± 0.000** / **0.250 ± 0.177** | **0.123 ± 0.000** / **0.900 ± 0.000** |",
    ]


def test_one_seed_has_no_spread() -> None:
    assert table([Measured("film", "one", 0, 0.5, 0.25, 1.0)]).splitlines()[-1] == "| one | 0.500 / 0.250 |"


def test_a_method_that_was_not_run_on_a_problem_leaves_a_gap() -> None:
    rows = [Measured("film", "one", 0, 0.5, 0.25, 1.0), Measured("news", "two", 0, 0.5, 0.25, 1.0)]
    assert table(rows).splitlines()[2:] == ["| one | **0.500** / **0.250** | – |", "| two | – | **0.500** / **0.250** |"]


def test_methods_and_ablations_are_two_tables() -> None:
    rows = [Measured("film", method, 0, 0.5, 0.25, 1.0) for method in ("ipal", "dbgae-no-cross", "dbgae")]
    first, second = tables(rows).split("**Table 2. Ablations**")
    assert re.findall(r"^\| (\S+) \| \*", first, re.MULTILINE) == ["ipal", "dbgae"]
    assert re.findall(r"^\| (\S+) \| \*", second, re.MULTILINE) == ["dbgae-no-cross", "dbgae"]
    assert tables(rows[:1]) == table(rows[:1])


def test_only_methods_with_chance_in_them_run_for_each_seed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    runs: list[tuple[str, int]] = []

    def method(name: str) -> Callable[[Task], Scores]:
        def answer(task: Task) -> Scores:
            runs.append((name, task.seed))
            return Scores(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0))

        return answer

    for name in ("ipal", "dbgae"):
        monkeypatch.setitem(METHODS, name, method(name))
    measured = evaluate([saved(tmp_path / "one.npz")], ["ipal", "dbgae"], range(3))
    assert runs == [("ipal", 0), ("dbgae", 0), ("dbgae", 1), ("dbgae", 2)]
    assert [(row.method, row.seed) for row in measured] == [(m, s) for m in ("ipal", "dbgae") for s in range(3)]


@pytest.mark.parametrize("method", sorted(SEEDLESS))
def test_methods_without_chance_do_not_heed_the_seed(method: str) -> None:
    problem = films(films=2, groups=30, names=8, dimensions=16)
    assert (solve(problem, method, seed=0).scores.score == solve(problem, method, seed=7).scores.score).all()


def test_the_command_prints_the_keys_of_the_contract(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = saved(tmp_path / "one.npz")
    assert main(["evaluate", str(path), "--methods", "ipal,sure", "--seeds", "2", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [(row["problem"], row["method"], row["seed"]) for row in rows] == [
        ("one", "ipal", 0), ("one", "ipal", 1), ("one", "sure", 0), ("one", "sure", 1),
    ]  # fmt: skip
    assert all(set(row) == {"problem", "method", "seed", "accuracy", "f1", "seconds", "unknown"} for row in rows)
    assert main(["evaluate", str(path), "--methods", "ipal", "--seeds", "2"]) == 0
    assert capsys.readouterr().out.startswith("| accuracy / F1 | one |\n| --- | --- |\n| ipal | 0.")


@pytest.mark.parametrize("path", [pytest.param(None, id="made"), *private_cases("lfw_news.npz")])
def test_the_links_alone_name_most_faces(path: Path | None, tmp_path: Path) -> None:
    """The initial links and pooling reach 0.96 and 0.95; much less would be a mistake somewhere."""
    if path is None:
        path = tmp_path / "film.npz"
        write_problem(films(films=2, groups=150, names=30, scatter=MEASURED, named=0.8, extras=0.0), path)
    found = evaluate([path], ["dbgae-no-autoencoder"], [0])[0]
    assert found.accuracy > 0.88


def test_the_share_of_unknown_faces_is_told(tmp_path: Path) -> None:
    path = saved(tmp_path / "one.npz")
    (row,) = evaluate([path], ["cluster-voting"], [0])
    assert row.unknown == float(np.mean(solve(read_problem(path), "cluster-voting").confidence < 0.5))
    unsure = [replace(row, unknown=0.25), replace(row, seed=1, unknown=0.75)]
    assert tables(unsure).splitlines()[-1].endswith("cluster-voting on one 50.0%")
    assert "nknown" not in tables([replace(row, unknown=0.0)])
