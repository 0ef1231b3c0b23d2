"""What a project gives to the people library, and what it asks of it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.errors import BadInput
from core.problem import IntArray
from core.store import files
from core.store.library.likeness import Likely, Likeness
from core.store.library.shelf import Library, LibraryFace
from core.store.reader import Reader
from core.store.tables import project_table
from core.store.views.current_labels import CONFIRMED, CORRECTED, CurrentLabels

FACES = 8  # of a person that a project gives at the most: the best picture of each track
LOOKED_AT = 60  # faces of a group that are compared
KEPT = 20_000  # answers that are kept


class KnownPeople:
    """The library as one project sees it. What it answered is kept until the library changes."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        self._likeness: tuple[object, Likeness | None] = (None, None)
        self._asked: dict[tuple[int, ...], Likely | None] = {}

    def give(self) -> int:
        """Gives the faces that people confirmed, instead of what the project gave before; says how many people those are.

        Does nothing while the library is off.
        """
        library, database = Library(), self.reader.database
        if not library.on:
            return 0
        uid, title = str(project_table.fact(database, "uid")), str(project_table.fact(database, "title"))
        return library.give(uid, title, str(project_table.fact(database, "embedder")), self._given())

    def _given(self) -> list[LibraryFace]:
        labels, log = self.reader.current_labels(), self.reader.log()
        vectors = self.reader.embeddings()
        said = np.flatnonzero(((labels.state == CONFIRMED) | (labels.state == CORRECTED)) & (labels.name >= 0))
        found: list[LibraryFace] = []
        for name in np.unique(labels.name[said]).tolist():
            if name in log.removed:
                continue
            for row in _best(labels, said[labels.name[said] == name])[:FACES].tolist():
                face = int(labels.face[row])
                path = files.crop_path(self.reader.folder, face)
                crop = path.read_bytes() if path.is_file() else None
                found.append(LibraryFace(log.text(name), np.asarray(vectors[face]), crop))
        return found

    def ask(self, groups: Sequence[IntArray]) -> list[Likely | None]:
        """For each group of faces who it may be; None where the library is off or knows nobody of this embedder."""
        likeness = self._current()
        if likeness is None or not len(groups):
            return [None] * len(groups)
        labels, vectors = self.reader.current_labels(), self.reader.embeddings()
        keys = [tuple(group.tolist()) for group in groups]
        missing = [k for k, key in enumerate(keys) if key not in self._asked and len(key)]
        faces = [labels.face[_best(labels, labels.rows(groups[k]))[:LOOKED_AT]] for k in missing]
        there = [k for k, some in zip(missing, faces, strict=True) if len(some)]
        found = likeness.ask([np.asarray(vectors[some]) for some in faces if len(some)]) if there else []
        if len(self._asked) > KEPT:
            self._asked.clear()
        self._asked.update({keys[k]: likely for k, likely in zip(there, found, strict=True)})
        return [self._asked.get(key) for key in keys]

    def _current(self) -> Likeness | None:
        """What compares with the library as it is now."""
        library = Library()
        embedder = str(project_table.fact(self.reader.database, "embedder"))
        state = (library.path, library.state, embedder)
        if self._likeness[0] != state:
            self._likeness = (state, self._opened(library, embedder))
            self._asked.clear()
        return self._likeness[1]

    def _opened(self, library: Library, embedder: str) -> Likeness | None:
        own = str(project_table.fact(self.reader.database, "uid"))
        try:
            likeness = Likeness(library.known(embedder, without=own), embedder) if library.on else None
        except BadInput:  # it is damaged, which its own page says
            return None
        return likeness if likeness is not None and likeness.can else None


def _best(labels: CurrentLabels, rows: IntArray) -> IntArray:
    """The best face of each track and all that are in none, the best first."""
    order = rows[np.lexsort((labels.face[rows], -labels.shows[rows]))]
    track = np.where(labels.track[order] >= 0, labels.track[order], -1 - order)
    _, first = np.unique(track, return_index=True)
    return np.asarray(order[np.sort(first)])
