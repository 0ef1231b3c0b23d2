"""What the Markdown files say about the code holds: paths, links, stamps, parameters."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from benchmarks import parameters
from core.solvers import identity

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])
REFERENCE = re.compile(r"(?<![\w/.])(?:core|ui|tests|benchmarks|assets|docs)/[\w./-]*[\w/]")
MODULE = re.compile(r"python -m ((?:core|ui|tests|benchmarks)[\w.]*)")
LINK = re.compile(r"\]\(([^)#:\s]+)(#[^)]*)?\)")
MADE = {"benchmarks/results/"}  # by running a command; not kept
STAMP = re.compile(r"^Commits? `[0-9a-f]{7,}(-dirty)?`", re.MULTILINE)
PAGE_LINES = 55  # of a printed page


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_path_that_a_page_names_exists(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    named = set(REFERENCE.findall(text)) - MADE
    assert {path for path in named if not (ROOT / path).exists()} == set()
    modules = {name.replace(".", "/") for name in MODULE.findall(text)}
    assert {name for name in modules if not ((ROOT / name).is_dir() or (ROOT / f"{name}.py").exists())} == set()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_test_that_a_page_names_exists(page: Path) -> None:
    there = {path.name for path in (ROOT / "tests").rglob("test_*.py")}
    assert set(re.findall(r"\btest_\w+\.py", page.read_text(encoding="utf-8"))) - there == set()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_of_a_page_leads_somewhere(page: Path) -> None:
    for path, _ in LINK.findall(page.read_text(encoding="utf-8")):
        assert (page.parent / path).exists(), path


def test_the_pattern_finds_paths_as_pages_write_them() -> None:
    text = "See `core/solve.py`, ui/pages/, (tests/soak/fuzz.py). Not /tmp/core/x.py, hardcore/y.py."
    assert REFERENCE.findall(text) == ["core/solve.py", "ui/pages/", "tests/soak/fuzz.py"]


def test_every_table_of_results_is_followed_by_the_commit_that_made_it() -> None:
    lines = (ROOT / "docs/results.md").read_text(encoding="utf-8").split("\n## ", 1)[1].splitlines()
    ends = [k for k, (line, after) in enumerate(pairwise(lines)) if line.startswith("|") and not after.startswith("|")]
    assert len(ends) > 10
    for end in ends:
        stop = next((k for k in range(end, len(lines)) if lines[k].startswith(("## ", "<!-- /"))), len(lines))
        assert STAMP.search("\n".join(lines[end:stop])), lines[end]


def test_the_method_takes_at_most_three_pages() -> None:
    assert len((ROOT / "docs/method.md").read_text(encoding="utf-8").splitlines()) <= 3 * PAGE_LINES


def test_the_table_of_parameters_lists_every_setting_of_the_default_method_with_its_value() -> None:
    text = (ROOT / "docs/method.md").read_text(encoding="utf-8").split("## Parameters", 1)[1]
    listed: dict[str, str] = {}
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("| `"):
            names = [name.strip("`") for name in cells[0].split(", ")]
            listed |= dict(zip(names, cells[1].split(", "), strict=True))
            assert cells[2], line
    assert listed == parameters.of(identity)


def test_the_example_of_the_readme_runs_and_gives_what_it_says() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    told: dict[str, Any] = {}
    exec(example, told)
    label, confidence = re.search(r"# \('(\w+)', ([\d.]+)\)", example).groups()  # type: ignore[union-attr]
    assert told["prediction"].label(0) == label
    assert told["prediction"].confidence[0] == pytest.approx(float(confidence), abs=0.06)
