"""Number keys: a name has the same one on all frames of a film where it can."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

KEYS = range(1, 10)


def number_keys(names: Sequence[str], own: Mapping[str, int], before: Mapping[str, int]) -> dict[str, int]:
    """For each name its key, 0 where none is left: the one that it had ``before``, else its ``own``, else one that is free.

    Those that belong to somebody who is not here are taken last, and of these the last: the first are of those who are named
    most, who may be here next time.
    """
    found = {name: before[name] for name in names if before.get(name)}
    for name in names:
        if name not in found and own.get(name, 0) not in (0, *found.values()):
            found[name] = own[name]
    reserved = sorted(set(own.values()))
    free = [key for key in KEYS if key not in reserved] + list(reversed(reserved))
    for name in names:
        if name not in found:
            found[name] = next((key for key in free if key not in found.values()), 0)
    return {name: found[name] for name in names}
