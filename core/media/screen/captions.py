"""What was read off the screen as captions: lines for the project, and what stands on a frame."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from core.media.captions.lines import Line
from core.media.names.cast import Cast
from core.media.screen.names import Read, understood
from core.media.screen.watch import Shown
from core.records import NewLine

# What a name on the screen is worth for somebody who is alone in view, as log-odds. In broadcasts a name with a role below
# it is that of the one face in about 97 of 100 cases; a lone name is also that of an actor over any picture.
WITH_ROLE, ALONE = 3.5, 2.0


@dataclass(frozen=True)
class OnScreen:
    """The texts of a film, understood."""

    read: Sequence[Read] = ()

    @staticmethod
    def of(texts: Sequence[Shown], size: tuple[int, int], cast: Cast | None) -> OnScreen:
        return OnScreen(understood(texts, size, cast))

    @cached_property
    def naming(self) -> list[Read]:
        """Texts that name somebody who may be in view."""
        return [one for one in self.read if one.name and one.kind == "screen"]

    @cached_property
    def subtitles(self) -> list[Line]:
        """Subtitles that are part of the picture."""
        return [Line(one.shown.start, one.shown.stop, one.shown.text) for one in self.read if one.kind == "subtitles"]

    @property
    def names(self) -> list[str]:
        """Everybody who is named, in credits, too."""
        return list(dict.fromkeys(one.name for one in self.read if one.name))

    def during(self, start: float, stop: float) -> tuple[tuple[str, str], ...]:
        """What names somebody in a stretch of time: the text, and the name."""
        here = [one for one in self.naming if one.shown.start <= stop + 1e-6 and one.shown.stop >= start - 1e-6]
        return tuple(dict.fromkeys((one.shown.text, one.name) for one in here))

    def lines(self) -> tuple[NewLine, ...]:
        """All of it as the project keeps it."""
        return tuple(_line(one) for one in self.read)

    def told(self) -> list[str]:
        """In words, what was read."""
        if not self.read:
            return []
        texts = f"{len(self.read)} text{'' if len(self.read) == 1 else 's'} on the screen"
        names = len({one.name for one in self.naming})
        listed = len({one.name for one in self.read if one.name} - {one.name for one in self.naming})
        more = [f"{names} name{'' if names == 1 else 's'} beside faces"] if names else []
        more += [f"{listed} in the credits"] if listed else []
        return [", ".join([texts, *more])]


def _line(one: Read) -> NewLine:
    worth = 0.0 if not one.name or one.kind != "screen" else WITH_ROLE if one.role else ALONE
    shown = one.shown
    return NewLine(
        one.kind, round(shown.start, 3), round(shown.stop, 3), shown.text, shown.box, one.name, worth, round(shown.score, 3)
    )
