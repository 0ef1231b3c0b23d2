"""Exit codes and what is said: one line about bad input, never a traceback, quick help."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.core.cli.program import CHEAP, ROOT, complaint, run


def test_exit_codes_of_the_program(tiny: Path) -> None:
    """As a script sees them; that what is said about bad input is one line is tried for each command in this process."""
    done = run("solve", tiny.with_name("none.npz"))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"rollcall: {tiny.with_name('none.npz')}: there is no such file; check the path\n"
    broken = "import core.formats\ndef read(path): raise ZeroDivisionError\ncore.formats.read_problem = read\n"
    done = run(
        "solve", tiny, program=["-c", broken + "from core.cli.main import main; import sys; sys.exit(main(sys.argv[1:]))"]
    )
    assert done.returncode == 1
    assert "ZeroDivisionError" in done.stderr


def test_a_reader_that_stops_early_is_no_error(film: Path) -> None:
    command = f"'{sys.executable}' -m core solve '{film}' --method {CHEAP} | head -1; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", command], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "face,name,confidence,answer\n", "")


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
    program = "import sys; from core.cli.main import main\ntry: main(['--help'])\nexcept SystemExit: pass\n"
    done = run(program=["-c", program + "print(sorted({'torch', 'scipy', 'streamlit'} & set(sys.modules)))"])
    assert done.stdout.endswith("[]\n"), done.stdout[-200:]
