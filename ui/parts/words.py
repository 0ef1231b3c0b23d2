"""Numbers and moments in people's words."""

from __future__ import annotations

import re
from datetime import UTC, datetime

KAPPA = (
    "Cohen's kappa is how far two people agree beyond what guessing would give: 1 is always, 0 is no more than by chance, "
    "and above 0.8 counts as very good."
)


def ago(at: str, now: datetime | None = None) -> str:
    """When something was, as people say it.

    >>> ago("2026-01-01T10:00:00+00:00", datetime(2026, 1, 1, 12, 10, tzinfo=UTC))
    '2 hours ago'
    """
    try:
        seconds = ((now or datetime.now(UTC)) - datetime.fromisoformat(at)).total_seconds()
    except (ValueError, TypeError):
        return ""
    for unit, length in (("year", 31_536_000), ("month", 2_592_000), ("day", 86_400), ("hour", 3600), ("minute", 60)):
        if seconds >= length:
            many = int(seconds // length)
            return "yesterday" if (unit, many) == ("day", 1) else f"{many} {unit}{'s' if many > 1 else ''} ago"
    return "just now"


def duration(seconds: float) -> str:
    """Seconds as people say them.

    >>> duration(3), duration(95), duration(7300)
    ('3 s', '2 min', '2 h 2 min')
    """
    if seconds < 90:
        return f"{max(1, round(seconds))} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60} min"


def counted(number: int, what: str) -> str:
    """
    >>> counted(1, "face"), counted(2000, "face")
    ('1 face', '2,000 faces')
    """
    return f"{number:,} {what}{'' if number == 1 else 's'}"


SIGNS = re.compile(r"[\\`*_\[\]<>#$~|&]|:(?=\S)")  # of Markdown, of formulas, and of streamlit's own :red[...]
ADDRESS = re.compile(r"(?<=:)(?=//)|(?<=\bwww)(?=\.)", re.IGNORECASE)  # where something begins that becomes a link by itself


def plain(text: str) -> str:
    """Text for a label or a message, where Markdown would be seen as such: no link, picture or formula comes of it.

    >>> print(plain("film.srt: [me](a) costs $1"))
    film.srt: \\[me\\](a) costs \\$1
    """
    return SIGNS.sub(r"\\\g<0>", ADDRESS.sub("\u2060", " ".join(text.split())))
