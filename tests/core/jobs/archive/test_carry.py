"""Whatever goes wrong with a task is an answer, and says whether the film or the worker is to blame."""

from __future__ import annotations

import errno
from collections.abc import Sequence
from pathlib import Path

import pytest

from core.errors import BadInput
from core.jobs.archive import films as work_on_films
from core.jobs.archive import wire
from core.jobs.archive.carry import carry_out
from core.jobs.archive.messages import Answer, Listen, Scan, Scanned, Wrong
from core.media import cache
from core.media.speech.kinds import Samples
from tests.core.media.speech.spoken import Pretended, film_with, silence


def scanned(film: Path) -> Answer:
    scan = Scan(str(film), film.stat().st_size, "0" * 64, captioned=True, screen=True)
    return wire.decode(carry_out(wire.encode(scan)))  # type: ignore[return-value]


def test_a_full_disk_is_the_workers_fault_and_half_a_file_counts_for_nothing(
    films: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(file: object, *_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(cache.np, "savez", full)
        answer = scanned(films / "alone.mp4")
    assert isinstance(answer, Wrong)
    assert answer.fault == "worker"
    assert "No space left on device" in answer.sentence
    assert isinstance(scanned(films / "alone.mp4"), Scanned)
    assert not list((tmp_path / "scratch").glob("scan-*"))  # what was taken along is not kept


def test_too_little_memory_is_the_workers_fault_and_a_bug_is_told(films: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(error: Exception) -> Answer:
        def scan(task: Scan) -> Answer:
            raise error

        monkeypatch.setattr(work_on_films, "scan", scan)
        return scanned(films / "alone.mp4")

    answers = [failing(MemoryError()), failing(OSError(errno.ENOSPC, "full")), failing(KeyError("x"))]
    assert [answer.fault for answer in answers if isinstance(answer, Wrong)] == ["worker", "worker", "film"]


def test_a_model_that_cannot_be_loaded_is_the_workers_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken(Pretended):
        def voices(self, sound: Samples) -> Sequence[tuple[float, float]]:
            raise BadInput("this model cannot be loaded")

    film = film_with(tmp_path / "film.mp4", silence(1))
    monkeypatch.setenv("ROLLCALL_SCRATCH", str(tmp_path / "scratch"))
    monkeypatch.setattr(work_on_films, "listener_here", Broken)
    task = Listen(str(film), film.stat().st_size, "0" * 64, "content", 1.0, ())
    assert wire.decode(carry_out(wire.encode(task))) == Wrong("worker", "this model cannot be loaded")


def test_a_message_of_another_version_is_told() -> None:
    answer = wire.decode(carry_out(b"\x05\0\0\0\0\0\0\0hello"))
    assert isinstance(answer, Wrong)
    assert "the same version" in answer.sentence
