"""Chunks, ragged ranges, look-ups and joins, against plain Python."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.arrays import between, chunks, find, join, lookup, ragged, starts

small = st.integers(0, 12)


@given(rows=small, width=small, cells=st.integers(1, 40))
def test_chunks_cover_every_row_once_within_the_limit(rows: int, width: int, cells: int) -> None:
    found = list(chunks(rows, width, cells))
    assert [row for part in found for row in range(part.start, part.stop)] == list(range(rows))
    for part in found:
        assert part.stop - part.start == 1 or (part.stop - part.start) * width <= cells


@given(ranges=st.lists(st.tuples(st.integers(-5, 20), small)))
def test_ragged_ranges_stand_one_after_the_other(ranges: list[tuple[int, int]]) -> None:
    start, length = np.array(ranges, dtype=np.int64).reshape(-1, 2).T
    assert ragged(start, length).tolist() == [k for first, many in ranges for k in range(first, first + many)]


@given(keys=st.lists(small), wanted=st.lists(small))
def test_join_pairs_all_equal_values(keys: list[int], wanted: list[int]) -> None:
    which, place = join(np.array(sorted(keys), dtype=np.int64), np.array(wanted, dtype=np.int64))
    pairs = [(k, there) for k, key in enumerate(wanted) for there, other in enumerate(sorted(keys)) if key == other]
    assert list(zip(which.tolist(), place.tolist(), strict=True)) == pairs


@given(keys=st.lists(small), low=small, high=small)
def test_a_stretch_of_sorted_keys_is_a_slice(keys: list[int], low: int, high: int) -> None:
    ordered = sorted(keys)
    assert ordered[between(np.array(ordered, dtype=np.int64), low, high)] == [key for key in ordered if low <= key < high]


@given(keys=st.lists(small), many=small)
def test_every_number_begins_behind_the_smaller_ones(keys: list[int], many: int) -> None:
    found = starts(np.array(sorted(keys), dtype=np.int64), many).tolist()
    assert found == [sum(key < number for key in keys) for number in range(many + 1)]


@given(keys=st.sets(small), wanted=st.lists(small))
def test_find_and_lookup_agree_with_a_dictionary(keys: set[int], wanted: list[int]) -> None:
    ordered, asked = np.array(sorted(keys), dtype=np.int64), np.array(wanted, dtype=np.int64)
    place = {key: k for k, key in enumerate(sorted(keys))}
    assert find(ordered, asked).tolist() == [place.get(key, -1) for key in wanted]
    assert lookup(ordered, ordered * 0.5, asked, -2.0).tolist() == [key / 2 if key in keys else -2.0 for key in wanted]


def test_look_ups_keep_shape_and_type() -> None:
    keys, values = np.array([1, 4]), np.array([1.5, 2.5], dtype=np.float32)
    found = lookup(keys, values, np.array([[4, 0], [1, 1]]))
    assert found.dtype == np.float32
    assert found.tolist() == [[2.5, 0.0], [1.5, 1.5]]
    assert lookup(keys[:0], values[:0], np.array([[4]])).tolist() == [[0.0]]


@pytest.mark.parametrize("wanted", [[], [3]])
def test_nothing_is_found_among_no_keys(wanted: list[int]) -> None:
    assert find(np.zeros(0, np.int64), np.array(wanted, dtype=np.int64)).tolist() == [-1] * len(wanted)
