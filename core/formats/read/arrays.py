"""NumPy's files, ``.npz`` and ``.npy``, read without pickles and without believing what they say of their own size.

A file of a few kilobytes can claim terabytes, or unpack to gigabytes of zeros. So the headers are read first, and nothing
is given memory that the file cannot hold or that no honest file would need.
"""

from __future__ import annotations

import os
import zipfile
from collections.abc import Iterator, Mapping
from math import prod
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from core.errors import BadInput

FREE = 128 << 20  # bytes that a packed file may hold unpacked, whatever its own size ...
RATIO = 100  # ... and how many times its own size if that is more
LARGEST = 8 << 30  # bytes of all arrays of a file: four million faces of 512 numbers
MOST_ARRAYS = 10_000
PACKINGS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # what programs write; others can ask for gigabytes to begin with


class Damaged(ValueError):
    """The file is none of NumPy's, or contradicts itself; whoever reads it knows what to say about that."""


def most_unpacked(stored: int) -> int:
    """How many bytes may come out of a file of so many bytes."""
    return min(LARGEST, max(FREE, RATIO * stored))


class Arrays(Mapping[str, NDArray[Any]]):
    """The arrays of an ``.npz``, each read when it is asked for; refuses a file that is too large before it reads any."""

    def __init__(self, file: Path | IO[bytes]) -> None:
        try:
            self.archive = zipfile.ZipFile(file)
        except Exception as error:  # a damaged or hostile file may fail in any way inside zipfile
            raise Damaged("this is no .npz file") from error
        try:
            self.entries = _checked(self.archive)
        except BaseException:
            self.archive.close()
            raise

    def __enter__(self) -> Arrays:
        return self

    def __exit__(self, *_: object) -> None:
        self.archive.close()

    def __getitem__(self, name: str) -> NDArray[Any]:
        entry = self.entries[name]
        try:
            with self.archive.open(entry) as file:
                return read_array(file, entry.file_size, f"the array {name!r}")
        except (ValueError, MemoryError):
            raise
        except Exception as error:  # as above
            raise Damaged(f"the array {name!r} is damaged") from error

    def __contains__(self, name: object) -> bool:
        return name in self.entries

    def __iter__(self) -> Iterator[str]:
        return iter(self.entries)

    def __len__(self) -> int:
        return len(self.entries)


def load_array(path: Path) -> NDArray[Any]:
    """The array in an ``.npy`` file."""
    with path.open("rb") as file:
        return read_array(file, os.fstat(file.fileno()).st_size, "its array")


def read_array(file: IO[bytes], size: int, what: str) -> NDArray[Any]:
    """One array from ``file``, which has ``size`` bytes; ``what`` is what a refusal calls it."""
    version = npy.read_magic(file)
    if version not in ((1, 0), (2, 0)):  # (3, 0) is for tables with columns of foreign names
        raise Damaged(f"{what} is of an unknown kind")
    header = npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0
    shape, _, dtype = header(file)
    if dtype.hasobject:
        raise BadInput(f"{what} is no plain array but a pickle, which is never opened; save numbers or texts")
    values = prod(shape)
    if any(side < 0 for side in shape):
        raise Damaged(f"{what} has a side of less than nothing")
    claimed, there = values * max(dtype.itemsize, 1), size - file.tell()
    if claimed > there:
        has = f"claims {_megabytes(claimed)} where {_megabytes(max(there, 0))} are"
        raise BadInput(f"{what} {has}: the file is damaged or means harm; make it anew with numpy.savez")
    file.seek(0)
    return np.asarray(npy.read_array(file, allow_pickle=False))


def _checked(archive: zipfile.ZipFile) -> dict[str, zipfile.ZipInfo]:
    """The arrays' entries by name, the sizes that they claim taken together."""
    entries = archive.infolist()
    if len(entries) > MOST_ARRAYS:
        raise BadInput(f"{len(entries)} arrays are in it, and no problem has so many; make it anew with numpy.savez")
    if any(entry.compress_type not in PACKINGS for entry in entries):
        raise Damaged("it is packed in a way that NumPy does not know")
    unpacked, stored = sum(entry.file_size for entry in entries), _size(archive)
    if unpacked > LARGEST:
        raise BadInput(f"its arrays have {_megabytes(unpacked)}, which is more than is read; give a smaller problem")
    if unpacked > most_unpacked(stored):
        sizes = f"{_megabytes(stored)} would unpack to {_megabytes(unpacked)}"
        raise BadInput(f"{sizes}, as no honest file does; if it is honest, save it with numpy.savez, which does not pack")
    return {entry.filename.removesuffix(".npy"): entry for entry in entries}


def _size(archive: zipfile.ZipFile) -> int:
    """Of the file itself: what it says of its entries' sizes may be made up."""
    assert archive.fp is not None
    return archive.fp.seek(0, os.SEEK_END)


def _megabytes(size: int) -> str:
    return f"{size / 1e6:,.1f} MB"
