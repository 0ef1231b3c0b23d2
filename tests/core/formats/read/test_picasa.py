"""Picasa's notes on a folder."""

import pytest

from core.formats.read.picasa import read_picasa

INI = """[Contacts2]
8e62398ebda8c1a5=Ann Lee;;
[Beach.JPG]
backuphash=1
faces=rect64(40004000c000bfff),8e62398ebda8c1a5;rect64(1),ffffffffffffffff
[odd.jpg]
faces=rect64(xyz),1;nonsense
"""


def test_faces_with_the_names_of_contacts() -> None:
    (found,) = read_picasa([INI])
    ann, other = found["beach.jpg"]
    assert (ann.name, ann.author, other.name) == ("Ann Lee", "Picasa", "")
    assert (ann.left, ann.top, ann.right, ann.bottom) == pytest.approx((0.25, 0.25, 0.75, 0.75), abs=1e-4)
    assert (other.left, other.right) == (0.0, 0.0)  # it has no area, which is told where it is joined with the picture
    assert found["odd.jpg"] == []


def test_a_person_may_be_listed_in_another_folders_notes() -> None:
    one, other = read_picasa(["[a.jpg]\nfaces=rect64(40004000c000bfff),ab\n", "[Contacts]\nAB=Bo;x@y\n"])
    assert ([face.name for face in one["a.jpg"]], other) == (["Bo"], {})


def test_what_is_no_ini_holds_nothing() -> None:
    assert read_picasa(["\x00\x01\x02", "", "[[[[\n====="]) == [{}, {}, {}]
