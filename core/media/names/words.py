"""The word lists of ``words.txt``."""

from __future__ import annotations

from functools import cache
from pathlib import Path


@cache
def words(title: str) -> frozenset[str]:
    """The words of one list."""
    sections = Path(__file__).with_name("words.txt").read_text(encoding="utf-8").split("\n[")[1:]
    lists = dict(section.split("]\n", 1) for section in sections)
    return frozenset(lists[title].split())
