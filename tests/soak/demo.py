"""The whole demo film, drawn and taken in, must be what is shipped and promised: ``python -m tests.soak.demo``.

``make test`` does so with its beginning, and with the vectors of the shipped project.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from assets.demo import script
from tests.assets.demo.taken_in import check_faces, check_names, check_review, check_told_apart, draw, take_in

SMALL = 3_500_000  # bytes


def main() -> int:
    shots = len(script.SHOTS)
    with tempfile.TemporaryDirectory(prefix="rollcall-demo-") as place:
        film = draw(Path(place), shots)
        assert film.video.stat().st_size < SMALL
        found = take_in(Path(place) / "project", film, shots)
    check_faces(found)
    check_told_apart(found)
    check_names(found)
    check_review(found.problem, found.truth)
    print(f"demo: {found.problem.faces} faces of {shots} shots found, told apart and named as promised")
    return 0


if __name__ == "__main__":
    sys.exit(main())
