"""Every setting of a method, read from its package: the fields of its ``Config`` and the constants of its modules."""

from __future__ import annotations

import ast
import inspect
from dataclasses import fields, is_dataclass
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType
from typing import Any

import numpy as np

# sizes of blocks, the checkpoint's format, markers: they change what a run costs, not what it answers
COST = {"CELLS", "FEW_CELLS", "FORMAT", "NOTHING", "UNKNOWN", "NEVER", "NO_NAME", "EMPTY"}
COST |= {"GIVE", "TAKE", "EXCHANGE", "FREE", "ALIVE", "SINGLES", "PLACED"}
LONG = 8  # of a longer grid the ends are shown


def of(package: ModuleType) -> dict[str, str]:
    """Name -> value: a field by its name, a constant as ``module.NAME``."""
    found: dict[str, str] = {}
    for info in iter_modules(package.__path__):
        module = import_module(f"{package.__name__}.{info.name}")
        settings = getattr(module, "Config", None)
        if isinstance(settings, type) and is_dataclass(settings) and settings.__module__ == module.__name__:
            found = {one.name: _shown(getattr(settings(), one.name)) for one in fields(settings)} | found
        for name in _assigned(module):
            if name.isupper() and name not in COST and np.issubdtype(np.asarray(getattr(module, name)).dtype, np.number):
                found[f"{info.name}.{name}"] = _shown(getattr(module, name))
    return found


def _assigned(module: ModuleType) -> list[str]:
    """The names that a module assigns, in its order."""
    found = []
    for node in ast.parse(inspect.getsource(module)).body:
        targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        single = [one for target in targets for one in (target.elts if isinstance(target, ast.Tuple) else [target])]
        found += [target.id for target in single if isinstance(target, ast.Name)]
    return found


def _shown(value: Any) -> str:
    """A number, a switch, or several numbers, as the tables of the documentation write them."""
    if hasattr(value, "__len__"):
        if len(value) > LONG:
            return f"{_shown(value[0])} to {_shown(value[-1])} ({len(value)})"
        return " / ".join(_shown(one) for one in value)
    return str(value) if isinstance(value, (bool, int)) else f"{value:.4g}"
