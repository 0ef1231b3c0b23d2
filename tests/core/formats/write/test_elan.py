"""ELAN's documents, as pympi reads them."""

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from hypothesis import given
from pympi.Elan import Eaf

from core.errors import BadInput
from core.formats.write import elan
from core.formats.write.text import xml_text
from core.records import Labels
from tests.core.formats.made import HOSTILE, NAMES, face, film, frame, hostile_film, source


def read(labels: Labels, path: Path) -> dict[str, list[tuple[int, int, str]]]:
    elan.write(labels, path)
    document = Eaf(str(path))
    return {tier: sorted(document.get_annotation_data_for_tier(tier)) for tier in document.get_tier_names()}


def test_pympi_finds_a_tier_a_person(tmp_path: Path) -> None:
    found = read(film([["Ross", "Rachel"], ["Ross", ""], [], ["Ross"]]), tmp_path / "a.eaf")
    assert found == {"Rachel": [(0, 2000, "Rachel")], "Ross": [(0, 4000, "Ross"), (6000, 8000, "Ross")]}


def test_the_video_is_linked(tmp_path: Path) -> None:
    elan.write(film([["Ross"]], title="a film.mp4"), tmp_path / "a.eaf")
    media = Eaf(str(tmp_path / "a.eaf")).media_descriptors
    assert media == [{"MEDIA_URL": "file:///films/film.mp4", "MIME_TYPE": "video/mp4", "RELATIVE_MEDIA_URL": "./a film.mp4"}]


def test_time_slots_are_in_order_and_every_reference_holds(tmp_path: Path) -> None:
    elan.write(film([["A", "B"], ["B"], ["A", "C"]]), tmp_path / "a.eaf")
    root = ET.parse(tmp_path / "a.eaf").getroot()
    slots = {slot.get("TIME_SLOT_ID"): int(slot.get("TIME_VALUE", "")) for slot in root.iter("TIME_SLOT")}
    assert list(slots.values()) == sorted(slots.values())
    annotations = list(root.iter("ALIGNABLE_ANNOTATION"))
    assert len(annotations) == 4
    for annotation in annotations:
        assert slots[annotation.get("TIME_SLOT_REF1")] < slots[annotation.get("TIME_SLOT_REF2")]
    assert root.get("FORMAT") == "3.0"
    types = {kind.get("LINGUISTIC_TYPE_ID") for kind in root.iter("LINGUISTIC_TYPE")}
    assert {tier.get("LINGUISTIC_TYPE_REF") for tier in root.iter("TIER")} == types


def test_moments_closer_than_a_millisecond_still_have_a_length(tmp_path: Path) -> None:
    found = read(film([["A"], ["B"], ["A"]], every=0.0001), tmp_path / "a.eaf")
    assert all(stop > start for tier in found.values() for start, stop, _ in tier)


def test_two_videos_are_refused(tmp_path: Path) -> None:
    videos = [source(0, title="a.mp4"), source(1, title="b.mp4")]
    labels = Labels("", tuple(frame(k, [face(k, "A", frame=k)], of=video, time=0.0) for k, video in enumerate(videos)))
    with pytest.raises(BadInput, match=r"2 videos.*a\.mp4, b\.mp4.*intervals"):
        elan.write(labels, tmp_path / "a.eaf")
    assert list(tmp_path.iterdir()) == []


def test_hostile_names_come_back(tmp_path: Path) -> None:
    found = read(hostile_film(), tmp_path / "a.eaf")
    assert set(found) == {xml_text(name) for name in HOSTILE}
    assert all(value == tier for tier, rows in found.items() for _, _, value in rows)


@given(name=NAMES)
def test_any_name_comes_back(tmp_path_factory: pytest.TempPathFactory, name: str) -> None:
    path = tmp_path_factory.mktemp("elan") / "a.eaf"
    elan.write(film([[name]]), path)
    root = ET.parse(path).getroot()
    assert [tier.get("TIER_ID") for tier in root.iter("TIER")] == [xml_text(name)]
    assert [value.text for value in root.iter("ANNOTATION_VALUE")] == [xml_text(name)]


def test_two_names_that_xml_makes_the_same_have_two_tiers(tmp_path: Path) -> None:
    found = read(film([["a\x01", "a\x02"]]), tmp_path / "a.eaf")
    assert set(found) == {"a\ufffd", "a\ufffd (2)"}
