"""Which module imports which, read from the source: imports inside functions and under TYPE_CHECKING count, too."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
Graph = Mapping[str, frozenset[str]]


def import_graph(*packages: str) -> Graph:
    """For each module of the packages, the modules of ``core`` that it imports."""
    core = modules("core")
    found = {name: path for package in packages for name, path in modules(package).items()}
    return {name: frozenset(imports(path.read_text(encoding="utf-8"), core) - {name}) for name, path in found.items()}


def modules(package: str) -> dict[str, Path]:
    """The modules of a package, or a single one, by their dotted names."""
    if (ROOT / f"{package}.py").is_file():
        return {package: ROOT / f"{package}.py"}
    paths = sorted((ROOT / package).rglob("*.py"))
    return {".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path for path in paths}


def imports(source: str, known: Mapping[str, Path]) -> set[str]:
    """The modules among ``known`` that a source imports; ``from package import module`` means the module alone."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names if alias.name in known}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute, so that they can be found"
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                found |= {inner} if inner in known else {str(node.module)} & known.keys()
    return found


def cycles(graph: Graph) -> list[list[str]]:
    """The groups of modules that import each other in a circle: strongly connected components of two and more (Tarjan)."""
    order: dict[str, int] = {}
    lowest: dict[str, int] = {}
    stack: list[str] = []
    found: list[list[str]] = []

    def visit(module: str) -> None:
        order[module] = lowest[module] = len(order)
        stack.append(module)
        for other in sorted(graph.get(module, ())):
            if other not in order:
                visit(other)
                lowest[module] = min(lowest[module], lowest[other])
            elif other in stack:
                lowest[module] = min(lowest[module], order[other])
        if lowest[module] == order[module]:
            group = stack[stack.index(module) :]
            del stack[-len(group) :]
            if len(group) > 1:
                found.append(sorted(group))

    for module in graph:
        if module not in order:
            visit(module)
    return found


def edges(graph: Graph) -> Iterator[tuple[str, str]]:
    for module, imported in graph.items():
        for other in sorted(imported):
            yield module, other
