"""The command line as a program of its own: exit codes, one line of complaint, files whole or not at all."""

import csv
import io
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from core import Correction, Problem, solve
from core.formats import npz, prediction_csv
from core.generate import films

ROOT = Path(__file__).parents[2]
CHEAP = "dbgae-no-autoencoder"
# the program with a network small enough for a test
SMALL = """
import sys
from dataclasses import replace
import core.dbgae as d
from core.__main__ import main
sizes = dict(hidden=8, dense=4, features=3, epochs=12, rounds=2)
whole = d.Settings
d.AUTHORS = replace(d.AUTHORS, **sizes)
d.Settings = lambda **given: whole(**{**sizes, **given})
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


def complaint(*arguments: object) -> str:
    """What is said about bad input: exit code 2, nothing on standard output, one line on standard error."""
    done = run(*arguments)
    assert "Traceback" not in done.stderr
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.endswith("\n")
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("rollcall: ")
    return done.stderr.removeprefix("rollcall: ").rstrip("\n")


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("film") / "film.npz"
    npz.write(films(films=2, groups=20, names=8, dimensions=16), path)
    return path


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("tiny") / "tiny.npz"
    npz.write(Problem.build(np.eye(3), [0, 0, 1], [["Zoë", "A, B"], []], names=["Zoë", "A, B"]), path)
    return path


# --- solve ---------------------------------------------------------------------------------------------------------------


def test_solve_writes_a_row_a_face_in_their_order(film: Path) -> None:
    done = run("solve", film, "--method", CHEAP)
    assert (done.returncode, done.stderr) == (0, "")
    problem = Problem.read(film)
    assert done.stdout == prediction_csv(solve(problem, CHEAP))
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    assert list(rows[0]) == ["face", "name", "confidence"]
    assert [int(row["face"]) for row in rows] == list(range(problem.faces))
    assert {row["name"] for row in rows} <= {"", *problem.names}
    assert all(0 < float(row["confidence"]) <= 1 for row in rows)


def test_solve_writes_names_of_all_kinds_and_nobody(tiny: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    done = run("solve", tiny, "--method", CHEAP, "--out", out, PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stdout) == (0, "")
    rows = list(csv.reader(io.StringIO(out.read_text(encoding="utf-8"))))
    assert rows[1][1] in ("Zoë", "A, B")
    assert rows[3][1] == ""
    assert list(tmp_path.iterdir()) == [out]


def test_solve_to_a_stream_that_cannot_take_the_names_does_not_break(tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    npz.write(Problem.build(np.eye(2), [0, 1], [["Zoë"], ["Zoë"]]), path)
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
    done = run("solve", film, "--method", CHEAP, "--corrections", said)
    assert done.returncode == 0
    rows = list(csv.reader(io.StringIO(done.stdout)))
    assert rows[1] == ["0", "Somebody New", "1.000000"]
    assert rows[2] == ["1", "", "1.000000"]
    corrections = [Correction(0, "is", "Somebody New"), Correction(1, "nobody"), Correction(2, "is not", "Ada")]
    assert done.stdout == prediction_csv(solve(Problem.read(film), CHEAP, corrections))


def test_solve_repeats_itself_byte_for_byte(film: Path, tmp_path: Path) -> None:
    """The authors' variant draws the most random numbers; in two processes even the hashes of texts differ."""
    outs = [tmp_path / "one.csv", tmp_path / "two.csv"]
    for out in outs:
        arguments = ["solve", film, "--method", "dbgae-authors", "--seed", 7, "--out", out]
        done = run(*arguments, program=["-c", SMALL], PYTHONHASHSEED=str(outs.index(out)))
        assert (done.returncode, done.stdout) == (0, "")
    assert outs[0].read_bytes() == outs[1].read_bytes()


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
    program = began + "from core.__main__ import main; sys.exit(main(sys.argv[1:]))"
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


def test_a_reader_that_stops_early_is_no_error(film: Path) -> None:
    command = f"'{sys.executable}' -m core solve '{film}' --method {CHEAP} | head -1; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "face,name,confidence\n", "")


# --- links ---------------------------------------------------------------------------------------------------------------

ARRAYS = {
    "mention_group",
    "mention_name",
    "within_face",
    "within_mention",
    "within_weight",
    "cross_face",
    "cross_mention",
    "cross_weight",
    "cross_similarity",
}


def test_links_writes_both_graphs(film: Path, tmp_path: Path) -> None:
    out = tmp_path / "links.npz"
    done = run("links", film, "--out", out, "--pair-distance", "0.95", "--neighbour-distance", "1")
    assert (done.returncode, done.stderr) == (0, "")
    assert "0.95" in done.stdout
    with np.load(out, allow_pickle=False) as archive:
        links = dict(archive)
    assert set(links) >= ARRAYS
    problem = Problem.read(film)
    assert links["mention_group"].tolist() == problem.mention_group.tolist()
    for kind in ("within", "cross"):
        many = {len(links[name]) for name in links if name.startswith(kind)}
        assert len(many) == 1
        assert links[f"{kind}_face"].max() < problem.faces
        assert links[f"{kind}_mention"].max() < problem.mentions
        assert ((links[f"{kind}_weight"] >= 0) & (links[f"{kind}_weight"] <= 1)).all()
    assert links["within_weight"].dtype.kind == "f"
    assert list(tmp_path.iterdir()) == [out]


def test_links_of_the_authors_sample(data: Path, tmp_path: Path) -> None:
    out, sample = tmp_path / "links.npz", data / "mpii_md_sample.npz"
    done = run("links", sample, "--out", out, "--pair-distance", "0.95", "--neighbour-distance", "1.0")
    assert done.returncode == 0
    assert "165 within-group and 518 cross-group links" in done.stdout


def test_links_writes_whole_or_not_at_all(tiny: Path, tmp_path: Path) -> None:
    nowhere = tmp_path / "nowhere" / "links.npz"
    assert complaint("links", tiny, "--out", nowhere).startswith(f"{nowhere}: cannot be written")
    assert list(tmp_path.iterdir()) == []


def test_links_of_no_names(tmp_path: Path) -> None:
    path, out = tmp_path / "a.npz", tmp_path / "links.npz"
    npz.write(Problem.build(np.eye(2), [0, 1], [[], []]), path)
    assert run("links", path, "--out", out).returncode == 0
    with np.load(out, allow_pickle=False) as archive:
        assert {len(archive[name]) for name in archive} == {0}


@pytest.mark.parametrize("distance", ["0", "-1", "nan", "inf", "near"])
def test_links_refuses_what_is_no_distance(tiny: Path, tmp_path: Path, distance: str) -> None:
    done = run("links", tiny, "--out", tmp_path / "a.npz", f"--pair-distance={distance}")
    assert (done.returncode, done.stdout) == (2, "")
    assert f"'{distance}' is no distance" in done.stderr
    assert "Traceback" not in done.stderr


# --- evaluate ------------------------------------------------------------------------------------------------------------


def test_evaluate_prints_a_table(film: Path) -> None:
    done = run("evaluate", film, "--methods", f"cluster-voting,{CHEAP}", "--seeds", 2)
    assert (done.returncode, done.stderr) == (0, "")
    assert "film" in done.stdout
    for method in ("cluster-voting", CHEAP):
        row = next(line for line in done.stdout.splitlines() if line.startswith(f"| {method} "))
        assert "±" in row


def test_evaluate_as_json(film: Path) -> None:
    done = run("evaluate", film, "--methods", f"cluster-voting, {CHEAP}", "--seeds", 2, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    rows = json.loads(done.stdout)
    assert [(row["method"], row["seed"]) for row in rows] == [(m, s) for m in ("cluster-voting", CHEAP) for s in (0, 1)]
    for row in rows:
        assert list(row) == ["problem", "method", "seed", "accuracy", "f1", "seconds"]
        assert row["problem"] == "film"
        assert 0 <= row["f1"] <= 1
        assert 0 <= row["accuracy"] <= 1


def test_evaluate_refuses_a_problem_without_truth(tiny: Path) -> None:
    assert complaint("evaluate", tiny, "--methods", CHEAP).startswith(f"{tiny}: this problem has no truth")


def test_evaluate_refuses_an_unknown_method_in_one_line(film: Path) -> None:
    assert "'magic'" in complaint("evaluate", film, "--methods", f"{CHEAP},magic")


def test_evaluate_of_no_methods_is_refused(film: Path) -> None:
    done = run("evaluate", film, "--methods", ",")
    assert (done.returncode, done.stdout) == (2, "")


@pytest.mark.parametrize("seeds", ["0", "-1", "many", "1.5"])
def test_evaluate_refuses_a_count_that_is_none(film: Path, seeds: str) -> None:
    done = run("evaluate", film, "--methods", CHEAP, f"--seeds={seeds}")
    assert (done.returncode, done.stdout) == (2, "")
    assert f"'{seeds}'" in done.stderr


# --- doctor and the rest -------------------------------------------------------------------------------------------------


def test_doctor_tells_what_is_installed() -> None:
    done = run("doctor", "--json")
    told = json.loads(done.stdout)
    assert done.returncode == (0 if told["ok"] else 2)
    assert told["ok"] == all(check["ok"] for check in told["checks"])
    assert {"Python", "numpy", "torch", "FaceNet weights"} <= {check["what"] for check in told["checks"]}
    assert all(set(check) == {"what", "found", "ok"} for check in told["checks"])


def test_doctor_tells_what_is_missing() -> None:
    program = "import core.doctor as d, sys; d.PACKAGES = ('no-such-package',)\n"
    program += "from core.__main__ import main; sys.exit(main(['doctor']))"
    done = run(program=["-c", program])
    assert done.returncode == 2
    assert "MISSING no-such-package: not installed" in done.stdout
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("arguments", [[], ["dance"], ["solve"], ["links", "a.npz"], ["solve", "a.npz", "--seed", "x"]])
def test_a_wrong_call_is_exit_code_2_without_traceback(arguments: list[str]) -> None:
    assert "--help" in complaint(*arguments)


def test_help_names_the_commands() -> None:
    done = run("--help")
    assert done.returncode == 0
    for command in ("solve", "links", "evaluate", "doctor"):
        assert command in done.stdout


def test_help_loads_neither_torch_nor_scipy() -> None:
    """They take seconds; what is asked of help is half of one."""
    program = "import sys; from core.__main__ import main\ntry: main(['--help'])\nexcept SystemExit: pass\n"
    done = run(program=["-c", program + "print(sorted({'torch', 'scipy', 'streamlit'} & set(sys.modules)))"])
    assert done.stdout.endswith("[]\n"), done.stdout[-200:]
