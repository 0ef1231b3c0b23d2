"""The nodes of our own sources that tests look at, each file parsed and walked once a process."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LOOKED_AT = (ast.Import, ast.ImportFrom, ast.Call, ast.Attribute, ast.keyword, ast.JoinedStr)


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def looked_at(path: Path) -> tuple[ast.AST, ...]:
    return tuple(node for node in ast.walk(parsed(path)) if isinstance(node, LOOKED_AT))


def nodes(paths: Iterable[Path]) -> Iterator[tuple[str, ast.AST]]:
    """Each with the place of its file; only of the kinds that are ``LOOKED_AT``."""
    for path in paths:
        place = str(path.relative_to(ROOT))
        for node in looked_at(path):
            yield place, node
