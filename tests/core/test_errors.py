"""What is said of bad input is one line of a bearable length."""

import pytest

from core.errors import LONGEST, BadInput, short_of_memory, shown


def test_a_message_is_one_line() -> None:
    assert str(BadInput("a.srt:\nno line\r\nhas a time")) == "a.srt: no line has a time"


def test_a_long_message_keeps_its_beginning_and_its_end() -> None:
    said = str(BadInput("begin " + "x" * 5000 + " end"))
    assert len(said) <= LONGEST + 3
    assert said.startswith("begin x")
    assert said.endswith("x end")


def test_what_came_from_outside_cannot_break_the_line() -> None:
    assert shown("a\nb\x1b[31m") == r"a\nb\x1b[31m"


@pytest.mark.parametrize(
    ("error", "short"),
    [
        (MemoryError(), True),
        (RuntimeError("[enforce fail] DefaultCPUAllocator: can't allocate memory"), True),
        (RuntimeError("shapes differ"), False),
        (ValueError("allocate memory"), False),
    ],
)
def test_a_lack_of_memory_is_told_from_other_errors(error: BaseException, short: bool) -> None:
    assert short_of_memory(error) is short
