"""Our modules become one script a component, in which nothing is missing and nothing is there twice."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ui.widgets.component import IMPORT, script

WIDGETS = Path(__file__).resolve().parents[3] / "ui" / "widgets"
SCRIPTS = sorted(WIDGETS.rglob("*.js"))
ENTRIES = [path for path in SCRIPTS if re.search(r"^export default ", path.read_text(encoding="utf-8"), re.MULTILINE)]
AT_THE_TOP = re.compile(r"^(?:function|const|let|class) (\w+)", re.MULTILINE)


def test_every_component_has_an_entry() -> None:
    assert {path.stem for path in ENTRIES} == {"cards", "choices", "faces", "groups", "play", "review", "strips", "tiles"}


@pytest.mark.parametrize("path", ENTRIES, ids=lambda path: path.stem)
def test_a_script_is_one_module(path: Path) -> None:
    made = script(path)
    names = AT_THE_TOP.findall(made)
    assert len(names) == len(set(names))
    assert "import " not in re.sub(r"//.*", "", made)
    assert re.findall(r"^export \w+", made, re.MULTILINE) == ["export default"]


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_a_module_imports_what_the_other_gives_under_its_own_name(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert len(IMPORT.findall(text)) == len(re.findall(r"^import\b", text, re.MULTILINE))
    for names, other in re.findall(r'^import (.*?) from "(.*?)";', text, re.MULTILINE | re.DOTALL):
        given = (path.parent / other).read_text(encoding="utf-8")
        for name in names.strip("{} \n").split(","):
            if name.strip():
                assert re.search(rf"^export (?:function|const) {name.strip()}\b", given, re.MULTILINE), (other, name)


def test_what_a_module_needs_comes_before_it(tmp_path: Path) -> None:
    (tmp_path / "a.js").write_text('import { b } from "./b.js";\nimport { c } from "./c.js";\nexport default b + c;\n')
    (tmp_path / "b.js").write_text('import { c } from "./c.js";\nexport const b = c + 1;\n')
    (tmp_path / "c.js").write_text('import { b } from "./b.js";\nexport const c = 1;\nexport const d = () => b;\n')
    made = [line for line in script(tmp_path / "a.js").splitlines() if line]
    assert made == ["const c = 1;", "const d = () => b;", "const b = c + 1;", "export default b + c;"]
