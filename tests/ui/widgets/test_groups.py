"""What the page of groups hears from a browser, and which pictures go to it."""

from __future__ import annotations

from typing import Any

import pytest

from ui.parts.pictures import Sheet
from ui.widgets.groups import heard_events, heard_pictures

EVENT = {"client": "ab12", "number": 1, "kind": "name", "seen": 0, "name": "Anna", "faces": [1, 2]}


def test_events_come_in_the_order_in_which_they_were_made() -> None:
    sent = {"events": {"made": [EVENT | {"number": 2}, EVENT], "have": ["0f"]}}
    assert [event.number for event in heard_events(sent)] == [1, 2]
    assert heard_events(sent)[0].faces == (1, 2)
    assert heard_pictures(sent) == {"0f"}


@pytest.mark.parametrize("sent", [None, 7, [EVENT], {}, {"made": EVENT, "have": "0f"}, {"made": [7, {}], "have": [7, None]}])
def test_whatever_else_a_browser_sends_is_no_event_and_no_picture(sent: Any) -> None:
    assert heard_events({"events": sent}) == []
    assert heard_pictures({"events": sent}) == frozenset()


def test_a_picture_that_the_browser_has_is_not_sent_again() -> None:
    sheet = Sheet()
    one, other, again = sheet.marks(["data:image/jpeg;base64,AA", "data:image/jpeg;base64,BB", "data:image/jpeg;base64,AA"])
    assert one == again != other
    assert sheet.without(frozenset()) == {one: "data:image/jpeg;base64,AA", other: "data:image/jpeg;base64,BB"}
    assert sheet.without({one}) == {other: "data:image/jpeg;base64,BB"}
    assert Sheet().mark("data:image/jpeg;base64,BB") == other
