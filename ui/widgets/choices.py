"""Cards of which one is chosen, each with a line about it; those that do not fit say why."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass

from ui.widgets.component import component, heard, theme


@dataclass(frozen=True)
class Choice:
    name: str
    title: str
    what: str
    note: str  # shown small beside the title
    unfit: str  # why it cannot be chosen; "" if it can


def choices(label: str, options: Sequence[Choice], chosen: str, key: str, on_pick: Callable[[str], None]) -> None:
    """Shows the cards. ``on_pick`` hears the name of the one that was chosen."""

    def pick() -> None:
        name = heard(key, "pick").get("name")
        if any(option.name == name and not option.unfit for option in options):
            on_pick(str(name))

    data = {"label": label, "options": [asdict(option) for option in options], "chosen": chosen, "theme": theme()}
    component("choices")(key=key, data=data, on_pick_change=pick)
