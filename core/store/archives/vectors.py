"""The vectors of an archive's faces, of one embedder, found by likeness: exactly as long as they are few, and through a
product-quantised index of faiss when they are many.

    folder/vectors.f16      one row a face, memory-mapped: what likeness is computed from in the end
    folder/index-N.faiss    the first N rows, 32 bytes each; the rows behind them are compared one by one

Whoever writes holds the archive's lock on searching; whoever reads may do so at any time.
"""

from __future__ import annotations

import os
import sys
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.arrays import chunks
from core.errors import BadInput
from core.problem import FloatArray, IntArray

EXACT = 20_000  # rows that are compared one by one; more than that behind the index are added to it
KEPT = 128  # dimensions of the rotated vectors that the index looks at
BYTES = 32  # of a vector in the index
TRAINED = 40  # rows a list that it learns from
LISTS = ((2_000_000, 1024), (1 << 62, 4096))  # of the index, by how many rows there are when it is made
PROBED = 4  # a search looks at one list in so many: with one in 20, half of those who are most alike are missed
REFINED = 10  # times as many rows as are wanted are compared exactly
LARGE = 200_000  # rows from which on all cores compute the index
AT_ONCE = 100_000  # rows that are added at once
SAVED = 10  # such additions after which the index is saved, so that a crash costs no more


class FaceVectors:
    """Rows are numbered from 0 in the order in which they were added."""

    def __init__(self, folder: Path, dimension: int) -> None:
        self.folder, self.dimension = folder, dimension

    @property
    def _rows(self) -> Path:
        return self.folder / "vectors.f16"

    def __len__(self) -> int:
        return self._rows.stat().st_size // (2 * self.dimension) if self._rows.is_file() else 0

    def vectors(self) -> NDArray[np.float16]:
        """All rows, mapped: only those that are looked at are read."""
        many = len(self)
        if not many:
            return np.zeros((0, self.dimension), np.float16)
        return np.memmap(self._rows, np.float16, mode="r", shape=(many, self.dimension))

    def add(self, vectors: FloatArray, at: int) -> int:
        """Puts unit vectors behind the ``at`` rows that count; gives how many there are then. What a crash left behind
        those is overwritten."""
        if vectors.ndim != 2 or vectors.shape[1] != self.dimension:
            raise BadInput(f"vectors of {vectors.shape[-1]} numbers do not go with those of {self.dimension}; index anew")
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if at < self._indexed and self._index is not None:  # rows that the index knows are others now
            import faiss

            self._index.remove_ids(faiss.IDSelectorRange(at, self._indexed))
            self._save(self._index, at)
        with self._rows.open("ab") as file:
            file.truncate(at * self.dimension * 2)
            file.seek(0, os.SEEK_END)
            file.write(np.ascontiguousarray(vectors, np.float16).tobytes())
            file.flush()
            os.fsync(file.fileno())
        return at + len(vectors)

    def index(self) -> None:
        """Takes the rows behind the index into it, where there are many."""
        rows, done = self.vectors(), self._indexed
        if len(rows) - done <= EXACT:
            return
        import faiss  # a second of a busy machine, which few rows do not need

        known = self._index
        faiss.omp_set_num_threads((os.cpu_count() or 1) if len(rows) > LARGE else 1)
        made = known
        done = 0 if known is None else done
        if known is None or faiss.extract_index_ivf(known).nlist < _lists(len(rows)):
            made, done = self._trained(rows), 0
        for number, part in enumerate(chunks(len(rows) - done, cells=AT_ONCE), start=1):
            here = np.arange(done + part.start, done + part.stop)
            made.add_with_ids(self._read(int(here[0]), len(here)), here)
            if number % SAVED == 0:
                self._save(made, int(here[-1]) + 1)
        self._save(made, len(rows))

    def _read(self, first: int, many: int) -> FloatArray:
        """Some rows, read and not mapped: what was looked at once does not stay in memory."""
        offset = 2 * first * self.dimension
        values = np.fromfile(self._rows, np.float16, many * self.dimension, offset=offset)
        return values.reshape(many, self.dimension).astype(np.float32)

    def _save(self, made: Any, rows: int) -> None:
        """The index, in a file that is called after how many rows it knows; others go."""
        import faiss

        beside = self.folder / ".index.part"
        faiss.write_index(made, str(beside))
        beside.replace(self.folder / f"index-{rows}.faiss")
        for other in self.folder.glob("index-*.faiss"):
            if other.name != f"index-{rows}.faiss":
                other.unlink(missing_ok=True)
        for known in ("_index", "_mapped"):
            self.__dict__.pop(known, None)

    def blank(self, first: int, many: int) -> None:
        """Overwrites rows that belong to nobody any more, and takes them out of the index."""
        if not many or not self._rows.is_file():
            return
        with self._rows.open("r+b") as file:
            file.seek(first * self.dimension * 2)
            file.write(bytes(min(many, max(0, len(self) - first)) * self.dimension * 2))
            file.flush()
            os.fsync(file.fileno())
        if first < self._indexed and self._index is not None:
            import faiss

            self._index.remove_ids(faiss.IDSelectorRange(first, first + many))
            self._save(self._index, self._indexed)

    def _trained(self, rows: NDArray[np.float16]) -> Any:
        import faiss

        lists = _lists(len(rows))
        drawn = np.random.default_rng(0)
        sample = np.sort(drawn.choice(len(rows), min(len(rows), TRAINED * lists), replace=False))
        kept = min(KEPT, self.dimension)
        made = faiss.index_factory(
            self.dimension, f"PCA{kept},IVF{lists},PQ{min(BYTES, kept)}np", faiss.METRIC_INNER_PRODUCT
        )
        made.train(np.asarray(rows[sample], np.float32))
        return made

    @cached_property
    def _index(self) -> Any:
        """The index as it lies on the disk; None where there is none yet, or none that can be read."""
        return self._opened(mapped=False)

    @cached_property
    def _mapped(self) -> Any:
        """The index for searching alone: what a search does not look at is not read."""
        return self._opened(mapped=sys.platform != "win32")

    def _opened(self, mapped: bool) -> Any:
        if not self._indexed:
            return None
        import faiss

        flags = faiss.IO_FLAG_MMAP | faiss.IO_FLAG_READ_ONLY if mapped else 0
        try:
            found = faiss.read_index(str(self.folder / f"index-{self._indexed}.faiss"), flags)
        except RuntimeError:  # it holds nothing that cannot be computed again
            return None
        if found.d != self.dimension:
            return None
        lists = faiss.extract_index_ivf(found)
        lists.nprobe = -(-lists.nlist // PROBED)
        return found

    @property
    def _indexed(self) -> int:
        """How many rows the index knows."""
        found = [int(path.stem.partition("-")[2]) for path in self.folder.glob("index-*.faiss")]
        return max([rows for rows in found if rows <= len(self)], default=0)

    def search(self, vector: FloatArray, many: int) -> tuple[IntArray, FloatArray]:
        """The rows that are most alike, and their cosines, the most alike first."""
        query = np.asarray(vector, np.float32) / max(float(np.linalg.norm(vector)), 1e-9)
        if query.shape != (self.dimension,):
            raise BadInput(f"a vector of {query.size} numbers is not like those of {self.dimension} here")
        near, rest = np.zeros(0, np.int64), 0
        if self._mapped is not None:
            import faiss

            faiss.omp_set_num_threads(1)  # two save 17 of 46 ms on a free machine, and lose as much on a busy one
            near, rest = self._mapped.search(query[None], REFINED * many)[1][0], self._indexed
            near = np.sort(near[near >= 0])  # in the order in which they lie on the disk
        parts = [self._single(near) @ query] if len(near) else []
        behind = len(self) - rest
        parts += [self._read(rest + part.start, part.stop - part.start) @ query for part in chunks(behind, self.dimension)]
        cosine = np.concatenate([np.zeros(0, np.float32), *parts])
        best = np.argsort(-cosine, kind="stable")[:many]
        return np.r_[near, np.arange(rest, rest + behind)][best].astype(np.int64), cosine[best]

    def _single(self, rows: IntArray) -> FloatArray:
        """Rows here and there, read and not mapped: with one that is mapped may come a megabyte around it."""
        size = 2 * self.dimension
        read = np.zeros((len(rows), self.dimension), np.float16)
        with self._rows.open("rb", buffering=0) as file:
            if hasattr(os, "posix_fadvise"):  # a disk that is asked for all of them at once is twice as quick
                for row in rows.tolist():
                    os.posix_fadvise(file.fileno(), row * size, size, os.POSIX_FADV_WILLNEED)
            for place, row in enumerate(rows.tolist()):
                file.seek(row * size)
                file.readinto(read[place])
        return read.astype(np.float32)


def _lists(rows: int) -> int:
    return next(lists for most, lists in LISTS if rows < most)
