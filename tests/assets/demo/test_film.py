"""The beginning of the demo film goes through the real pipeline: drawn, read, every face found and told apart, names read.

``make soak`` does so with the whole film.
"""

import hashlib
import json
import subprocess
import sys
from collections import Counter
from itertools import combinations, pairwise
from pathlib import Path

import numpy as np
import pytest

from assets.demo import film, script, stage
from assets.demo.looks import CAST, EXTRAS
from core.media.captions.sources import read_captions
from core.media.video.reader import probe
from tests.assets.demo.taken_in import TakenIn, check_faces, check_names, check_told_apart, draw, take_in

SHOTS = 8  # that are drawn: four of the cast, who return, and extras
CHECKED = (6, 28)  # shots whose pictures are compared: by day, and at night


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> film.DemoFilm:
    return draw(tmp_path_factory.mktemp("demo"), SHOTS)


@pytest.fixture(scope="module")
def taken_in(demo: film.DemoFilm, tmp_path_factory: pytest.TempPathFactory) -> TakenIn:
    return take_in(tmp_path_factory.mktemp("project") / "demo", demo, SHOTS)


def visible(shot: int) -> set[str]:
    return {actor.who for actor in script.SHOTS[shot].actors} & set(CAST)


def test_the_film_is_two_minutes_long_and_drawn_to_its_end(demo: film.DemoFilm) -> None:
    assert 90 <= film.seconds() <= 150
    assert probe(demo.video).duration == pytest.approx(script.starts()[SHOTS], abs=0.2)


def test_captions_follow_each_other_and_name_only_the_cast(tmp_path: Path) -> None:
    (tmp_path / "all.srt").write_text(film.captions(), encoding="utf-8")
    lines = read_captions(tmp_path / "all.srt")
    assert len(lines) == len(script.spoken())
    assert all(1.5 <= line.stop - line.start <= 4 for line in lines)
    assert all(before.stop < after.start for before, after in pairwise(lines))
    for spoken in script.spoken():
        start, stop = script.starts()[spoken.shot : spoken.shot + 2]
        assert start < spoken.start < spoken.stop < stop  # a caption never runs on into another shot
        assert spoken.cue.speaker in (*CAST, "All", "")
    assert {name for spoken in script.spoken() for name in spoken.cue.names} == {*CAST, *script.ABSENT}


def test_drawn_faces_never_cover_each_other_and_are_large() -> None:
    for time in np.arange(0.5, film.seconds(), 0.5).tolist():
        boxes = [box for box, _ in film.truth_at(time)]
        assert all(film.overlap(one, other) == 0 for one, other in combinations(boxes, 2))
        assert all(box.bottom - box.top >= 70 and box.left >= 0 and box.right <= stage.FRAME[0] for box in boxes)


def test_the_truth_that_is_shipped_is_that_of_the_script(demo: film.DemoFilm) -> None:
    rows = json.loads(demo.truth.read_text())
    assert {row["person"] for row in rows} == {*CAST, ""}
    row = rows[len(rows) // 2]
    middle = (row["start"] + row["stop"]) / 2
    box = next(box for box, who in film.truth_at(middle) if who == row["person"])
    assert [box.left, box.top, box.right, box.bottom] == pytest.approx(row["box"], abs=0.1)
    assert film.who_is(middle, box) == row["person"]
    assert film.who_is(middle, film.Box(0, 0, 5, 5)) is None


def test_the_detector_finds_the_drawn_faces(taken_in: TakenIn) -> None:
    check_faces(taken_in)


def test_people_are_told_apart_across_shots(taken_in: TakenIn) -> None:
    check_told_apart(taken_in)


def test_names_are_found_without_a_cast_list(taken_in: TakenIn) -> None:
    check_names(taken_in)


def test_all_that_the_paper_speaks_of_occurs() -> None:
    cues = [(visible(spoken.shot), set(spoken.cue.names)) for spoken in script.spoken()]
    assert sum(len(seen & named) >= 2 for seen, named in cues) >= 5  # several faces and names in a frame
    assert sum(bool(named - seen) for seen, named in cues) >= 5  # names without faces
    assert sum(bool(seen - named) for seen, named in cues) >= 5  # faces that only other captions name
    assert all(name not in seen for seen, _ in cues for name in script.ABSENT)  # spoken of, never seen
    assert any(seen and not named for seen, named in cues)  # a caption without a name
    assert sum(not shot.cues and bool(shot.actors) for shot in script.SHOTS) >= 2  # faces without a caption
    extras = Counter(actor.who for shot in script.SHOTS for actor in shot.actors if actor.who in EXTRAS)
    assert set(extras) == set(EXTRAS)
    assert max(extras.values()) >= 3  # strangers come back
    assert min(extras.values()) == 1  # or are seen once
    assert max(len(shot.actors) for shot in script.SHOTS) >= 6  # a crowd


def digests() -> dict[str, str]:
    return {
        str(shot): hashlib.sha256(stage.picture(shot, script.SHOTS[shot].seconds / 2).tobytes()).hexdigest()
        for shot in CHECKED
    }


def test_the_same_pictures_are_drawn_again() -> None:
    """By another process too, where nothing was drawn before."""
    code = "import json; from tests.assets.demo.test_film import digests; print(json.dumps(digests()))"
    root = Path(film.__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=root)
    assert json.loads(done.stdout) == digests()
