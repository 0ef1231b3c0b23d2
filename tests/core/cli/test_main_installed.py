"""The installed command."""

import shutil
import subprocess
import sys
import tomllib
from importlib.metadata import entry_points
from pathlib import Path

import pytest

from core.cli.main import main, parser

ROOT = Path(__file__).parents[3]


def test_set_up_installs_the_command() -> None:
    command = shutil.which("rollcall", path=str(Path(sys.executable).parent))
    assert command is not None, "run `make setup`"
    done = subprocess.run([command, "--help"], capture_output=True, text=True, check=False, cwd=ROOT / "docs")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("usage: rollcall ")


def test_the_command_is_the_parser_of_python_m_core() -> None:
    (script,) = entry_points(group="console_scripts", name="rollcall")
    assert script.load() is main
    assert parser().prog == "rollcall"


def test_everything_that_is_imported_is_installed() -> None:
    packages = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["packages"]["find"]["include"]
    assert packages == ["core*", "ui*", "assets*"]
    folders = {path.parent for name in ("core", "ui", "assets") for path in (ROOT / name).rglob("*.py")}
    assert [folder for folder in folders if not (folder / "__init__.py").is_file()] == []


def test_a_wrong_call_names_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["run"]) == 2
    assert capsys.readouterr().err.endswith("see rollcall run --help\n")
