"""What our own code never does, read from its source: nothing in it runs, or leads to, what data say."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from importlib.metadata import requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = ("core", "ui", "assets", "benchmarks")
SOURCES = [ROOT / "streamlit_app.py", *sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py"))]
SCRIPTS = sorted((ROOT / "ui").rglob("*.js"))

NEVER_IMPORTED = {"pickle", "cPickle", "_pickle", "dill", "cloudpickle", "joblib", "shelve", "marshal", "yaml", "telnetlib"}
NETWORK = {"urllib.request", "http.client", "requests", "httpx", "aiohttp", "ftplib", "smtplib", "xmlrpc", "websockets"}
NEVER_CALLED = {"eval", "exec", "compile", "__import__", "breakpoint"}
NEVER_METHODS = {"system", "popen", "mktemp", "fromstring", "iterparse", "XMLParser", "unpack_archive", "extractall"}
# what stands in SQL besides its own words: names of tables and columns that our own code spells out, and question marks
IN_SQL = {"columns", "where", "which", "marks", "table", "what", "COLUMNS", "TABLES", "VERSION", "known", "number + 1"}
IN_SQL |= {"size", "', '.join(columns)", "', '.join(known)", "','.join('?' * len(ids))", "column"}
IN_SQL |= {"name", "odd", "table.name", "', '.join(columns[:len(row)])"}  # of the schema that MIGRATIONS make
SQL = re.compile(r"^\s*(SELECT|INSERT|UPDATE|DELETE|PRAGMA|BEGIN|CREATE|DROP)\b| WHERE ")
SINKS = re.compile(
    r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|srcdoc|javascript:|\bfetch\("
)


def trees() -> Iterator[tuple[str, ast.AST]]:
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            yield str(path.relative_to(ROOT)), node


def test_there_is_something_to_read() -> None:
    assert len(SOURCES) > 100
    assert len(SCRIPTS) > 5


def test_nothing_is_unpickled_evaluated_or_asked_of_the_network() -> None:
    found = []
    for place, node in trees():
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [node.module or "", *(f"{node.module}.{alias.name}" for alias in node.names)]
        found += [(place, name) for name in names if name.split(".")[0] in NEVER_IMPORTED or name in NETWORK]
        if isinstance(node, ast.Call):
            called = node.func.id if isinstance(node.func, ast.Name) else ""
            method = node.func.attr if isinstance(node.func, ast.Attribute) else ""
            if called in NEVER_CALLED or method in NEVER_METHODS:
                found.append((place, called or method))
    assert found == []


def test_arrays_and_weights_are_loaded_as_data_alone() -> None:
    for place, node in trees():
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        of = node.func.value.id if isinstance(node.func.value, ast.Name) else ""
        given = {keyword.arg: ast.unparse(keyword.value) for keyword in node.keywords}
        if (of, node.func.attr) in {("np", "load"), ("numpy", "load")}:
            assert given.get("allow_pickle") == "False", place
        if (of, node.func.attr) == ("torch", "load"):
            assert given.get("weights_only") == "True", place
        assert given.get("shell", "False") == "False", place
        assert given.get("unsafe_allow_html", "False") == "False", place


def test_only_one_place_gives_the_page_a_script_of_its_own() -> None:
    """The cookie with who works here; the name in it is quoted."""
    allowed = [
        place
        for place, node in trees()
        if isinstance(node, ast.keyword) and node.arg == "unsafe_allow_javascript" and ast.unparse(node.value) == "True"
    ]
    assert allowed == ["ui/shell.py"]


def test_values_reach_the_database_as_values() -> None:
    """What is put into the text of SQL is spelt out in our code; this is what bandit's B608 asks to look at."""
    for place, node in trees():
        if isinstance(node, ast.JoinedStr):
            text = "".join(part.value for part in node.values if isinstance(part, ast.Constant))
            if SQL.search(text) and not place.startswith("benchmarks/"):
                put = {ast.unparse(part.value) for part in node.values if isinstance(part, ast.FormattedValue)}
                assert put <= IN_SQL, (place, text, put - IN_SQL)


def test_tables_and_columns_are_named_in_the_code() -> None:
    """``count`` and ``fact`` put what they are given into SQL, so they are only given words."""
    for place, node in trees():
        called = ast.unparse(node.func) if isinstance(node, ast.Call) else ""
        if re.fullmatch(r"(project|self|copy|other|made)\.(count|fact)", called):
            assert all(isinstance(given, ast.Constant) for given in node.args), (place, ast.unparse(node))


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_scripts_write_text_and_never_markup(path: Path) -> None:
    assert SINKS.findall(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("file", ["requirements.txt", "constraints.txt", "tests/requirements.txt", "tests/readers.txt"])
def test_what_is_installed_has_one_version(file: str) -> None:
    lines = [line.partition("#")[0].strip() for line in (ROOT / file).read_text(encoding="utf-8").splitlines()]
    assert [line for line in lines if line and not re.fullmatch(r"[\w.\[\]-]+==[\w.]+(; .+)?", line)] == []


def test_what_comes_along_has_one_version_too() -> None:
    pinned = {canonicalize_name(name) for name in _pins("requirements.txt") | _pins("constraints.txt")}
    wanted = {Requirement(name) for name in _pins("requirements.txt")}
    loose, seen = set(), set()
    while wanted:
        one = wanted.pop()
        name = canonicalize_name(one.name)
        if name in seen:
            continue
        seen.add(name)
        if name not in pinned:
            loose.add(name)
        asked = [Requirement(text) for text in requires(name) or ()]
        wanted |= {other for other in asked if other.marker is None or other.marker.evaluate({"extra": ""})}
    assert loose == set()  # add them to constraints.txt, in the version that is installed


def _pins(file: str) -> set[str]:
    return set(re.findall(r"^([\w.-]+)==", (ROOT / file).read_text(encoding="utf-8"), re.MULTILINE))
