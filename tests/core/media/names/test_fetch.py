"""Set-up takes the known files of the German model out of a package, and nothing else."""

import hashlib
import sys
import zipfile
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from core.errors import BadInput
from core.media.names import fetch

CONTENTS = {name: f"pretended {name}".encode() for name in fetch.FILES}


@pytest.fixture(autouse=True)
def environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    monkeypatch.setattr(fetch, "FILES", {name: hashlib.sha256(some).hexdigest() for name, some in CONTENTS.items()})
    return tmp_path


def offer(monkeypatch: pytest.MonkeyPatch, contents: dict[str, bytes], code: int = 0) -> list[list[str]]:
    asked: list[list[str]] = []

    def run(command: list[str], check: bool) -> CompletedProcess[bytes]:
        asked.append(command)
        folder = Path(command[command.index("--dest") + 1])
        with zipfile.ZipFile(folder / "lx.whl", "w") as wheel:
            for name, content in contents.items():
                wheel.writestr(fetch.WITHIN + name, content)
            wheel.writestr("lx_anonymizer/__init__.py", b"raise SystemExit")
        return CompletedProcess(command, code)

    monkeypatch.setattr(fetch.subprocess, "run", run)
    return asked


def test_only_known_files_are_kept_and_damage_is_mended(environment: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = offer(monkeypatch, CONTENTS)
    assert fetch.fetch()
    assert not fetch.fetch()
    assert len(asked) == 1
    assert "--no-deps" in asked[0]
    kept = {path.relative_to(fetch.model_folder()).as_posix() for path in environment.rglob("*") if path.is_file()}
    assert kept == set(CONTENTS)
    (fetch.model_folder() / "meta.json").write_bytes(b"")
    assert fetch.fetch()


@pytest.mark.parametrize(
    ("contents", "code", "sentence"),
    [
        (CONTENTS | {"ner/model": b"other"}, 0, "ner/model is not the known file"),
        ({"meta.json": CONTENTS["meta.json"]}, 0, "is not in this package"),
        (CONTENTS, 1, "cannot be downloaded"),
    ],
)
def test_a_package_that_is_wrong(
    contents: dict[str, bytes], code: int, sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    offer(monkeypatch, contents, code)
    with pytest.raises(BadInput, match=rf"{sentence}.*run `make setup` again"):
        fetch.fetch()
    assert not fetch.model_folder().exists()
