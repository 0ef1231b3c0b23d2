"""The people library from the command line."""

from pathlib import Path

import numpy as np
import pytest

from core.cli.main import main
from core.store.library.shelf import Library, LibraryFace


def test_look_turn_export_remove_and_empty(library: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["library"]) == 0
    assert "off, 0 people" in capsys.readouterr().out
    assert main(["library", "add", "--project", str(tmp_path)]) == 2
    assert main(["library", "on"]) == 0
    Library().give("p", "One", "net", [LibraryFace(name, np.ones(3, np.float32)) for name in ("Ann", "Bo", "Bo")])
    assert main(["library", "list"]) == 0
    assert "Bo: 2 faces from One" in capsys.readouterr().out
    assert main(["library", "--json"]) == 0
    assert '"on": true' in capsys.readouterr().out
    assert main(["library", "export", "--out", str(tmp_path / "people.json")]) == 0
    assert main(["library", "remove", "Bo"]) == 2
    assert main(["library", "remove", "Bo", "--yes"]) == 0
    assert main(["library", "remove", "Bo", "--yes"]) == 2
    assert main(["library", "empty", "--yes"]) == 0
    assert Library().people() == []
