"""Names by the parts of an ingest: who speaks each line."""

from pathlib import Path

from core.media.captions.lines import Line
from core.media.names.cast import read_cast
from core.media.prepare import Names, Part, names_of
from core.records import NewSource


def test_a_line_of_several_tags_has_one_speaker_a_tag(tmp_path: Path) -> None:
    cast = tmp_path / "cast.txt"
    cast.write_text("Ross\nMonica\nRachel\n")
    lines = [
        Line(0, 2, "Where is she?", "Ross"),
        Line(2, 4, "Rachel is here.\n- Ross: Hm.\n- Rachel: Hi!\n- Ross: Hello!", "Monica"),
        Line(4, 6, "Well.\n- Monica: What?", "Man"),
        Line(6, 8, "Hi!", "Ross and Rachel"),
        Line(8, 9, "Nobody says this."),
    ]
    found, _ = names_of(Part(NewSource("video", "film.mp4", "film"), [], lines=lines), read_cast(cast), Names())
    assert found.speakers == [["Ross"], ["Monica", "Ross", "Rachel", "Ross"], ["", "Monica"], ["Ross", "Rachel"], []]
