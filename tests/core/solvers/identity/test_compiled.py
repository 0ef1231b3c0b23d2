"""What was compiled is compiled anew when a source changes."""

from __future__ import annotations

from pathlib import Path

from core.solvers.identity.compiled import forget_if_changed


def test_what_was_compiled_goes_when_any_source_of_the_folder_changes(tmp_path: Path) -> None:
    (tmp_path / "model.py").write_text("one = 1\n")
    kept = tmp_path / "__pycache__"
    forget_if_changed(tmp_path)
    for name in ("moves.sweep-1.py311.nbi", "moves.sweep-1.py311.1.nbc", "moves.cpython-311.pyc"):
        (kept / name).write_bytes(b"code")
    forget_if_changed(tmp_path)
    assert len(list(kept.glob("*.nb?"))) == 2
    (tmp_path / "model.py").write_text("one = 2\n")
    forget_if_changed(tmp_path)
    assert not list(kept.glob("*.nb?"))
    assert (kept / "moves.cpython-311.pyc").is_file()
