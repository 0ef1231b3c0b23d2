"""Whether names to expect are those of a film. The model that listens likes to hear what it was told to expect."""

from __future__ import annotations

from collections.abc import Sequence

from core.media.names.cast import Cast
from core.media.names.language import is_installed
from core.media.names.mentions import find_names
from core.records import NewMention

SHARE = 0.3  # of the names in a film: with fewer from a list of which not even half is heard, the list is another film's
OTHERS = 5  # other names, at the least, that tell this


def fits(texts: Sequence[str], hints: Sequence[str]) -> bool:
    """Whether a list of names may be this film's, by what was heard while it was expected."""
    if not hints or not is_installed():
        return True
    listed = find_names(texts, Cast({name: (name,) for name in hints})).mentions
    named = sum(map(len, listed))
    heard = {mention.name for some in listed for mention in some}
    others = sum(
        not any(_overlap(one, mention) for one in some)
        for some, every in zip(listed, find_names(texts).mentions, strict=True)
        for mention in every
    )
    return others < OTHERS or 2 * len(heard) >= len(hints) or named >= SHARE * (named + others)


def _overlap(one: NewMention, other: NewMention) -> bool:
    return any(a < stop and start < b for a, b in one.spans for start, stop in other.spans)
