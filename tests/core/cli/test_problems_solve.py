"""The command solve: a row a face, corrections held, files whole or not at all."""

import csv
import io
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from core import Correction, Problem, solve
from core.formats import read_problem
from core.formats.write.csv import prediction_csv
from core.formats.write.npz import write_problem
from core.solvers.dbgae import method
from tests.core.cli.program import CHEAP, SIZES, SMALL, called, complaint, run


def test_solve_writes_a_row_a_face_in_their_order(film: Path) -> None:
    done = called("solve", film, "--method", CHEAP)
    assert (done.returncode, done.stderr) == (0, "")
    problem = read_problem(film)
    assert done.stdout == prediction_csv(solve(problem, CHEAP))
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    assert list(rows[0]) == ["face", "name", "confidence", "answer"]
    assert [int(row["face"]) for row in rows] == list(range(problem.faces))
    assert {row["name"] for row in rows} <= {"", *problem.names}
    assert all(0 < float(row["confidence"]) <= 1 for row in rows)


def test_solve_writes_names_of_all_kinds_and_nobody(tiny: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    done = called("solve", tiny, "--method", CHEAP, "--out", out)
    assert (done.returncode, done.stdout) == (0, "")
    rows = list(csv.reader(io.StringIO(out.read_text(encoding="utf-8"))))
    assert rows[1][1] in ("Zoë", "A, B")
    assert rows[3][1] == ""
    assert list(tmp_path.iterdir()) == [out]


def test_solve_to_a_stream_that_cannot_take_the_names_does_not_break(tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    write_problem(Problem.build(np.eye(2), [0, 1], [["Zoë"], ["Zoë"]]), path)
    done = run("solve", path, "--method", CHEAP, PYTHONIOENCODING="ascii")
    assert "Traceback" not in done.stderr
    assert done.returncode in (0, 2)


def test_solve_holds_corrections(film: Path, tmp_path: Path) -> None:
    said = tmp_path / "said.json"
    content = [
        {"face": 0, "kind": "is", "name": "Somebody New"},
        {"face": 1, "kind": "nobody"},
        {"face": 2, "kind": "is not", "name": "Ada"},
    ]
    said.write_text(json.dumps(content))
    done = called("solve", film, "--method", CHEAP, "--corrections", said)
    assert done.returncode == 0
    rows = list(csv.reader(io.StringIO(done.stdout)))
    assert rows[1] == ["0", "Somebody New", "1.000000", "name"]
    assert rows[2] == ["1", "", "1.000000", "nobody"]
    corrections = [Correction(0, "is", "Somebody New"), Correction(1, "nobody"), Correction(2, "is not", "Ada")]
    assert done.stdout == prediction_csv(solve(read_problem(film), CHEAP, corrections))


def test_solve_repeats_itself_byte_for_byte(film: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The authors' variant draws the most random numbers; in another process even the hashes of texts differ."""
    arguments = ["solve", film, "--method", "dbgae-authors", "--seed", 7]
    there = run(*arguments, program=["-c", SMALL], PYTHONHASHSEED="7")
    monkeypatch.setattr(method, "AUTHORS", replace(method.AUTHORS, **SIZES))
    here = called(*arguments)
    assert (here.returncode, there.returncode) == (0, 0)
    assert here.stdout == there.stdout != ""


def test_solve_refuses_an_unknown_method(film: Path, tmp_path: Path) -> None:
    said = complaint("solve", film, "--method", "magic")
    assert "'magic'" in said
    assert CHEAP in said
    corrections = tmp_path / "said.json"
    corrections.write_text("[]")
    said = complaint("solve", film, "--method", "magic", "--corrections", corrections)
    assert "said.json" not in said  # there is nothing wrong with that file


def test_solve_refuses_bad_problems(tmp_path: Path) -> None:
    assert complaint("solve", tmp_path / "nowhere.npz") == f"{tmp_path}/nowhere.npz: there is no such file; check the path"
    assert complaint("solve", tmp_path).startswith(f"{tmp_path}: this is a folder")
    bad = tmp_path / "bad.npz"
    bad.write_text("no npz")
    assert complaint("solve", bad).startswith(f"{bad}: this is not an .npz file")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("[{", ["not JSON"]),
        ('[{"face": 999, "kind": "nobody"}]', ["face 999"]),
        ('[{"face": 0, "kind": "is", "name": "A"}, {"face": 0, "kind": "is", "name": "B"}]', ["face 0", "contradict"]),
        ('[{"face": 0, "kind": "is", "name": "A\\nB"}, {"face": 0, "kind": "nobody"}]', ["face 0", "contradict"]),
        ('[{"face": 0, "kind": "is", "name": "\\ud800"}]', []),  # half a character, which no file can hold
    ],
)
def test_solve_refuses_bad_corrections(film: Path, tmp_path: Path, content: str, words: list[str]) -> None:
    path = tmp_path / "said.json"
    path.write_text(content)
    out = tmp_path / "out.csv"
    said = complaint("solve", film, "--method", CHEAP, "--corrections", path, "--out", out)
    assert said.startswith(f"{path}: ")
    for word in words:
        assert word in said
    assert not out.exists()


def test_solve_writes_whole_or_not_at_all(tiny: Path, tmp_path: Path) -> None:
    nowhere = tmp_path / "nowhere" / "out.csv"
    assert complaint("solve", tiny, "--method", CHEAP, "--out", nowhere).startswith(f"{nowhere}: cannot be written")
    assert complaint("solve", tiny, "--method", CHEAP, "--out", tmp_path).startswith(f"{tmp_path}: this is a folder")
    assert list(tmp_path.iterdir()) == []


def test_solve_says_at_once_that_it_cannot_write(film: Path, tmp_path: Path) -> None:
    """Not after minutes of work: a method that would take long must not have begun."""
    began = "import core.solve, sys; sys.modules['core.solve'].solve = lambda *a, **k: sys.exit('began')\n"
    program = began + "from core.cli.main import main; sys.exit(main(sys.argv[1:]))"
    done = run("solve", film, "--out", tmp_path / "nowhere" / "out.csv", program=["-c", program])
    assert "began" not in done.stderr
    assert done.returncode == 2


@pytest.mark.usefixtures("permissions")
def test_solve_into_a_folder_without_permission(tiny: Path, tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    assert "Permission denied" in complaint("solve", tiny, "--method", CHEAP, "--out", tmp_path / "out.csv")
    tmp_path.chmod(0o700)


@pytest.mark.parametrize("seed", ["-1", str(2**64)])
def test_solve_takes_or_refuses_any_seed_but_never_breaks(tiny: Path, seed: str) -> None:
    done = run("solve", tiny, "--method", "dbgae", "--seed", seed, program=["-c", SMALL])
    assert "Traceback" not in done.stderr
    assert done.returncode in (0, 2)
