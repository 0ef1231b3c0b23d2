"""Exports that are folders: written whole or not at all, under names that no system stumbles over."""

from __future__ import annotations

import os
import re
import shutil
import threading
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from core.arrays import chunks
from core.errors import JOINERS, BadInput

WRITERS, A_BATCH = 4, 200  # threads that write files, and how many files each takes at a time
LONGEST = 120  # bytes of a name; systems allow 255, and "_0001.jpg" or ".xmp" must still fit

_RESERVED = re.compile(r"(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\..*)?", re.IGNORECASE)  # devices of Windows
_SEPARATORS = re.compile(r'[/\\:*?"<>|]+')


def whole_folder(path: Path, build: Callable[[Path], object]) -> None:
    """Builds the folder ``path`` whole or not at all: in one beside it first, which then takes its place."""
    try:
        if path.is_dir() and any(path.iterdir()):
            raise BadInput(f"{path}: this folder is not empty; name a new one")
        if path.exists() and not path.is_dir():
            raise BadInput(f"{path}: this is a file, but the export is a folder; name a new folder")
        path = path.resolve()
        if not path.parent.is_dir():
            raise BadInput(f"{path}: cannot be written (there is no such folder); choose another place")
        beside = path.with_name(f".{os.getpid()}.{threading.get_ident()}.part")
        shutil.rmtree(beside, ignore_errors=True)  # of a process with this number that was killed
        try:
            beside.mkdir()
            build(beside)
            if path.is_dir():
                path.rmdir()
            beside.rename(path)
        finally:
            shutil.rmtree(beside, ignore_errors=True)
    except OSError as error:
        raise BadInput(f"{path}: cannot be written ({error.strerror}); choose another place") from error


def put(files: Sequence[tuple[str, Callable[[], bytes]]]) -> None:
    """Writes new files, never one over another. Several at a time: of thousands of files most is waiting for the system."""

    def some(part: slice) -> None:
        for path, content in files[part]:
            with open(path, "xb") as file:
                file.write(content())

    with ThreadPoolExecutor(WRITERS) as writers:
        for _ in writers.map(some, chunks(len(files), cells=A_BATCH)):  # raises what went wrong
            pass


def safe_part(text: str, longest: int = LONGEST) -> str:
    """One part of a path: never a way out of the folder, a device, hidden, empty, or too long.

    >>> safe_part("../../etc/passwd"), safe_part("a/b"), safe_part("nul"), safe_part(" .. ")
    ('etc_passwd', 'a_b', '_nul', 'unnamed')
    """
    normal = unicodedata.normalize("NFC", text)
    shown = "".join(c if c in JOINERS or unicodedata.category(c)[0] not in "CZ" else " " for c in normal)
    joined = re.sub(r"\s+", " ", _SEPARATORS.sub("_", shown))
    trimmed = joined.strip(" ._" + JOINERS)
    short = trimmed.encode()[:longest].decode(errors="ignore").rstrip(" ._" + JOINERS) or "unnamed"
    return f"_{short}" if _RESERVED.fullmatch(short) else short


def apart(parts: Iterable[str], taken: Iterable[str] = ()) -> list[str]:
    """The parts, told apart by a number where two are the same to a system that does not mind capitals."""
    used, found = {part.casefold() for part in taken}, []
    for part in parts:
        form = part
        for k in range(2, len(used) + 3):
            if form.casefold() not in used:
                break
            form = f"{part}-{k}"
        used.add(form.casefold())
        found.append(form)
    return found
