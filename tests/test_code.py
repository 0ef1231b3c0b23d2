"""What our own code never does, read from its source: run or follow what data say, and import against the layers."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.import_graph import Graph, cycles, edges, import_graph, imports, modules
from tests.sources import nodes

ROOT = Path(__file__).resolve().parents[1]
FOLDERS = ("core", "ui", "assets", "benchmarks")
SOURCES = [ROOT / "streamlit_app.py", *sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py"))]
SCRIPTS = sorted((ROOT / "ui").rglob("*.js"))
STYLES = sorted((ROOT / "ui").rglob("*.css"))
LONGEST_LINE = 120  # of a script or style sheet; what the formatter leaves longer is text or a comment

NEVER_IMPORTED = {"pickle", "cPickle", "_pickle", "dill", "cloudpickle", "joblib", "shelve", "marshal", "yaml", "telnetlib"}
NETWORK = {"urllib.request", "http.client", "requests", "httpx", "aiohttp", "ftplib", "smtplib", "xmlrpc", "websockets"}
NEVER_CALLED = {"eval", "exec", "compile", "__import__", "breakpoint"}
NEVER_METHODS = {"system", "popen", "mktemp", "fromstring", "iterparse", "XMLParser", "unpack_archive", "extractall"}
# what stands in SQL besides its own words: names of tables and columns that our own code spells out, and question marks
IN_SQL = {"columns", "where", "which", "marks", "table", "what", "COLUMNS", "TABLES", "VERSION", "known", "number"}
IN_SQL |= {"size", "', '.join(columns)", "', '.join(known)", "','.join('?' * len(ids))", "column"}
IN_SQL |= {
    "self.name",
    "odd",
    "table.name",
    "schema.tables()[table].name",
    "', '.join(columns[:len(row)])",
}  # of the schema that MIGRATIONS make
SQL = re.compile(r"^\s*(SELECT|INSERT|UPDATE|DELETE|PRAGMA|BEGIN|CREATE|DROP)\b| WHERE ")
SINKS = re.compile(
    r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|srcdoc|javascript:|\bfetch\("
)


# From the ground up; a room may import those below it, and its own modules. The rooms of one layer may not import each
# other, but for the ground and the methods, where ``cycles`` is all there is to forbid.
LAYERS: tuple[frozenset[str], ...] = (
    frozenset({"arrays", "corrections", "errors", "prediction", "problem", "progress", "records"}),
    frozenset({"formats"}),
    frozenset({"evaluation", "review", "solve", "solvers"}),
    frozenset({"media", "store"}),
    frozenset({"jobs"}),
    frozenset({"cli"}),
)
MAY_MEET = (0, 2)
ABOVE_ALL = {"core": 2, "core.__main__": 5}  # what nobody imports, and the highest layer that it may import
# What the app may call: of each room its front doors.
DOORS = {
    *("core.corrections", "core.errors", "core.prediction", "core.problem", "core.progress", "core.records", "core.solve"),
    *("core.evaluation.ambiguity", "core.evaluation.figures", "core.evaluation.metrics"),
    *("core.formats.write.beside", "core.formats.write.exports", "core.formats.write.outgoing"),
    *(
        "core.jobs.archive.search",
        "core.jobs.engine",
        "core.jobs.intake",
        "core.jobs.missed",
        "core.jobs.preview",
        "core.jobs.requests",
        "core.jobs.uploads",
    ),
    "core.store.project",
}
MIRRORED = ("assets", "benchmarks", "core", "ui")
STATEMENT = re.compile(r"^\s*(SELECT|INSERT|UPDATE|DELETE|PRAGMA|CREATE|ALTER|DROP|BEGIN|COMMIT|VACUUM)\b")


def trees() -> Iterator[tuple[str, ast.AST]]:
    return nodes(SOURCES)


def test_there_is_something_to_read() -> None:
    assert len(SOURCES) > 100
    assert len(SCRIPTS) > 20
    assert len(STYLES) > 10


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


READS_XML = {
    "parse",
    "fromstring",
    "fromstringlist",
    "iterparse",
    "XML",
    "XMLID",
    "XMLParser",
    "XMLPullParser",
    "make_parser",
}


def test_xml_is_read_with_defusedxml_alone() -> None:
    """What bandit's B405 and B406 ask to look at: of Python's own XML only what makes or holds it is used."""
    whole = {
        place for place, node in trees() if isinstance(node, ast.Import) for alias in node.names if "xml." in alias.name
    }
    for place, node in trees():
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "xml":
            assert not {alias.name for alias in node.names} & READS_XML, place
        if isinstance(node, ast.Attribute) and place in whole:
            assert node.attr not in READS_XML, place


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
    """The cookie with who works here, in which the name is quoted, the focus of a dialog's field, the paths of a folder."""
    allowed = [
        place
        for place, node in trees()
        if isinstance(node, ast.keyword) and node.arg == "unsafe_allow_javascript" and ast.unparse(node.value) == "True"
    ]
    assert set(allowed) == {"ui/parts/shell.py"}


def test_values_reach_the_database_as_values() -> None:
    """What is put into the text of SQL is spelt out in our code; this is what bandit's B608 asks to look at."""
    for place, node in trees():
        if isinstance(node, ast.JoinedStr):
            text = "".join(part.value for part in node.values if isinstance(part, ast.Constant))
            if SQL.search(text) and not place.startswith("benchmarks/"):
                put = {ast.unparse(part.value) for part in node.values if isinstance(part, ast.FormattedValue)}
                assert put <= IN_SQL, (place, text, put - IN_SQL)


def test_tables_and_columns_are_named_in_the_code() -> None:
    """``fact`` puts what it is given into SQL, so it is only given words; the project hands on what it is given."""
    for place, node in trees():
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        if node.func.attr == "fact" and place != "core/store/project.py":
            assert isinstance(node.args[-1], ast.Constant), (place, ast.unparse(node))


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_scripts_write_text_and_never_markup(path: Path) -> None:
    assert SINKS.findall(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("path", [*SCRIPTS, *STYLES], ids=lambda path: path.name)
def test_lines_of_scripts_and_styles_are_short(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    assert [(number, len(line)) for number, line in enumerate(lines, 1) if len(line) > LONGEST_LINE] == []


# --- Rooms ---


@pytest.fixture(scope="module")
def graph() -> Graph:
    return import_graph("core")


def layer(module: str) -> int:
    room = module.split(".")[1]
    return next(number for number, rooms in enumerate(LAYERS) if room in rooms)


def is_allowed(module: str, other: str) -> bool:
    if module in ABOVE_ALL:
        return layer(other) <= ABOVE_ALL[module]
    if other in ABOVE_ALL:
        return False
    here, there = layer(module), layer(other)
    return there < here or module.split(".")[1] == other.split(".")[1] or (here == there and here in MAY_MEET)


def test_every_module_has_a_layer(graph: Graph) -> None:
    rooms = {module.split(".")[1] for module in graph if module not in ABOVE_ALL}
    assert rooms <= frozenset().union(*LAYERS)
    assert len(graph) > 100


def test_imports_point_one_way(graph: Graph) -> None:
    assert [(module, other) for module, other in edges(graph) if not is_allowed(module, other)] == []


def test_no_modules_import_each_other_in_a_circle(graph: Graph) -> None:
    assert cycles(graph) == []


def test_the_stores_front_door_is_for_others_alone(graph: Graph) -> None:
    """A function of the store is given what it needs, never the whole project."""
    assert [module for module in graph if module.startswith("core.store.") and "core.store.project" in graph[module]] == []


def test_the_app_goes_through_front_doors() -> None:
    assert {other for _, other in edges(import_graph("ui", "streamlit_app"))} - DOORS == set()


def test_sql_is_in_the_store_alone() -> None:
    texts = {
        (name, text)
        for package in ("core", "ui", "assets", "streamlit_app")
        for name, path in modules(package).items()
        for text in strings(path.read_text(encoding="utf-8"))
        if STATEMENT.match(text)
    }
    assert {name for name, _ in texts if not name.startswith("core.store.")} == set()
    assert any(name == "core.store.tables.face_table" for name, _ in texts)


def test_embedders_are_named_in_their_own_files_alone() -> None:
    """Everything else asks the registry, or goes by the kind that a problem carries. The package that holds the networks
    of MTCNN, too, has the name of one; the benchmarks compare with it."""
    named = {
        name
        for package in ("core", "ui", "assets", "streamlit_app")
        for name, path in modules(package).items()
        if re.search(r"facenet(?!.?pytorch)", path.read_text(encoding="utf-8"), re.IGNORECASE)
    }
    own = {"facenet", "facenet_weights", "export", "registry"}
    assert named == {"core.solvers.embeddings", *(f"core.media.faces.{name}" for name in own)}


def strings(source: str) -> list[str]:
    """The texts in a source; of a formatted one its parts."""
    nodes = ast.walk(ast.parse(source))
    return [node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)]


def test_tests_lie_where_the_code_lies() -> None:
    """``tests/core/x/test_y.py`` is about ``core/x/y.py``; so are ``test_y_z.py`` and the files of ``tests/core/x/y/``."""
    tests = [path.relative_to(ROOT / "tests") for room in MIRRORED for path in (ROOT / "tests" / room).rglob("test_*.py")]
    assert len(tests) > 100
    assert [str(path) for path in tests if not is_mirror(path)] == []


def is_mirror(test: Path) -> bool:
    words = test.stem.split("_")[1:]
    about = [ROOT / test.parent / "_".join(words[:many]) for many in range(1, len(words) + 1)]
    return (ROOT / test.parent).with_suffix(".py").is_file() or any(
        path.is_dir() or path.with_suffix(".py").is_file() for path in about
    )


def test_imports_inside_functions_and_for_types_are_found() -> None:
    source = (
        "from core.store import files\ndef f():\n    import core.jobs.engine\nif TYPE_CHECKING:\n    from core import solve"
    )
    assert imports(source, modules("core")) == {"core.store.files", "core.jobs.engine", "core.solve"}


def test_a_circle_of_three_is_found_and_a_chain_is_none() -> None:
    circle = {"a": frozenset("b"), "b": frozenset("c"), "c": frozenset("a"), "d": frozenset("a")}
    assert cycles(circle) == [["a", "b", "c"]]
    assert cycles({"a": frozenset("b"), "b": frozenset("c"), "c": frozenset[str]()}) == []
