"""Faces as tiles that lead to their frame, with a few words each; or rows of words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass

from ui.widgets.component import component, heard, theme, whole


@dataclass(frozen=True)
class Tile:
    """``what`` is a chain of names ("from", "to") or one text; ``frame`` is where a click leads."""

    what: Sequence[str]
    lines: Sequence[str]
    picture: str = ""
    frame: int | None = None


def tiles(
    shown: Sequence[Tile],
    key: str,
    page: int,
    pages: int,
    on_open: Callable[[int], None],
    on_page: Callable[[int], None],
    rows: bool = False,
) -> None:
    """Shows one page of tiles. ``on_open`` hears the frame, ``on_page`` the page's number, from 0."""

    def opened() -> None:
        frame = whole(heard(key, "open").get("frame"))
        if frame is not None:
            on_open(frame)

    def paged() -> None:
        number = whole(heard(key, "page").get("page"))
        if number is not None:
            on_page(number)

    data = {"tiles": [asdict(tile) for tile in shown], "page": page, "pages": pages, "rows": rows, "theme": theme()}
    component("tiles")(key=key, data=data, on_open_change=opened, on_page_change=paged)
