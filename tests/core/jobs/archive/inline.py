"""An engine without processes: tasks are done here, one after the other, and things go wrong when they are told to."""

from __future__ import annotations

from collections.abc import Callable, Collection

from core.jobs.archive import wire
from core.jobs.archive.carry import carry_out
from core.jobs.archive.engine import Ended
from core.jobs.archive.messages import Message

Fate = Callable[[Message, int], Ended | None]  # of a task that is done for the so-manieth time, or None: it is done


class Inline:
    """``fate`` may end a task in its own way; ``changed`` may change what a worker gets."""

    def __init__(self, fate: Fate = lambda task, tries: None, changed: Callable[[Message], Message] = lambda t: t) -> None:
        self.fate, self.changed = fate, changed
        self.waiting: list[tuple[int, bytes, frozenset[str]]] = []
        self.done: list[Message] = []
        self.tries: dict[str, int] = {}
        self.avoided: list[frozenset[str]] = []

    def submit(self, number: int, message: bytes, gpu: bool = False, where: str = "", avoid: Collection[str] = ()) -> None:
        self.waiting.append((number, message, frozenset(avoid)))

    def ended(self, timeout: float) -> list[Ended]:
        if not self.waiting:
            return []
        number, message, avoid = self.waiting.pop(0)
        self.avoided.append(avoid)
        task = wire.decode(message)
        name = f"{type(task).__name__} {getattr(task, 'path', '')} {getattr(task, 'piece', '')}"
        self.tries[name] = self.tries.get(name, 0) + 1
        fate = self.fate(task, self.tries[name])
        if fate is not None:
            return [Ended(number, fate.fate, fate.answer, fate.worker)]
        self.done.append(task)
        return [Ended(number, "answered", carry_out(wire.encode(self.changed(task))), "inline")]

    def slots(self) -> int:
        return 2

    def close(self) -> None:
        self.waiting.clear()
