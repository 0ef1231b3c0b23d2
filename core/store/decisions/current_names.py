"""What names are called now: the name table, and what people renamed, merged and split again."""

from __future__ import annotations

from collections.abc import Callable

from core.store.decisions.entries import REMOVED, Decision


class CurrentNames:
    """Each name by its number: what it is called, and which name it goes by since it was merged."""

    def __init__(self, original: dict[int, str], in_force: Callable[[Decision], bool]) -> None:
        self.original = original  # the name table
        self._in_force = in_force
        self._entries: list[Decision] = []  # renames, merges and splits
        self._texts: dict[int, str] | None = None  # None: to be worked out anew
        self._roots: dict[int, int] = {}

    def take(self, entry: Decision) -> None:
        """Adds a rename, merge or split."""
        self._entries.append(entry)

    def forget(self) -> None:
        """Some entry came into force or went out of it."""
        self._texts = None

    def add(self, name: int, text: str) -> None:
        self.original[name] = text
        self._texts = None

    def root(self, name: int) -> int:
        """The name that ``name`` goes by now: itself, or what it was merged into."""
        self._current()
        return self._roots.get(name, name)

    def text(self, name: int) -> str:
        """What a name is called now."""
        return self._current()[self.root(name)]

    def merged(self) -> dict[int, int]:
        """Names that were merged, each with what it became."""
        self._current()
        return {name: root for name, root in self._roots.items() if name != root}

    def removed(self) -> set[int]:
        """Names of people who were removed for good."""
        return {name for name, text in self.original.items() if text.startswith(REMOVED)}

    def find(self, text: str) -> int | None:
        """The name that is called ``text`` now, or was once."""
        texts = self._current()
        for name, now in texts.items():
            if now == text and self._roots.get(name, name) == name:
                return name
        return next((self.root(name) for name, was in self.original.items() if was == text), None)

    def _current(self) -> dict[int, str]:
        if self._texts is not None:
            return self._texts
        texts = dict(self.original)
        parent: dict[int, int] = {}

        def root(name: int) -> int:
            while name in parent:
                name = parent[name]
            return name

        for entry in self._entries:
            if not self._in_force(entry) or entry.name is None:
                continue
            if entry.kind == "rename":
                texts[entry.name] = entry.text
            elif entry.kind == "merge" and entry.other is not None and root(entry.other) != entry.name:
                parent[entry.name] = entry.other
            elif entry.kind == "split":
                parent.pop(entry.name, None)
        self._roots = {name: root(name) for name in parent}
        self._texts = texts
        return texts
