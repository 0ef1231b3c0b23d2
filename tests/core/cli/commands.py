"""What tests of the commands share."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from core.cli.main import main


def said(capsys: pytest.CaptureFixture[str]) -> tuple[str, str]:
    out = capsys.readouterr()
    return out.out, out.err


def check_refused(arguments: Sequence[str], words: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Bad input is one sentence on stderr, and leaves nothing in the folder in which the command is called."""
    before = sorted(path.name for path in Path().iterdir())
    assert main(list(arguments)) == 2
    out, error = said(capsys)
    assert words in error
    assert error.count("\n") == 1
    assert out == ""
    assert sorted(path.name for path in Path().iterdir()) == before
