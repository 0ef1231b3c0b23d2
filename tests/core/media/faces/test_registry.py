"""Every network has a row under its own name, with the files that it needs."""

import pytest

from core.media.faces.registry import DETECTOR, DETECTORS, EMBEDDER, EMBEDDERS

ROWS = [*DETECTORS.items(), *EMBEDDERS.items()]


@pytest.mark.parametrize(("kind", "row"), ROWS, ids=[kind for kind, _ in ROWS])
def test_a_row_bears_its_kind_and_its_weights_are_there(kind: str, row: type) -> None:
    assert row.kind == kind
    assert row.weights
    assert all(len(file.read()) > 1000 for file in row.weights)


@pytest.mark.parametrize("kind", EMBEDDERS)
def test_a_replaced_kind_has_no_row_of_its_own(kind: str) -> None:
    """Or else its projects would be kept and found again at the same time."""
    assert not set(EMBEDDERS[kind].replaces) & set(EMBEDDERS)


def test_projects_of_today_keep_their_embedder() -> None:
    """This text is written into projects: it must stay, and mean the same vectors."""
    assert EMBEDDER == "facenet-vggface2-aligned"
    assert EMBEDDERS[EMBEDDER].dimension == 512
    assert 0 < DETECTORS[DETECTOR].sure < 1
