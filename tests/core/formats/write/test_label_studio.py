"""Label Studio's tasks, as its own SDK checks them."""

import json
from pathlib import Path
from typing import Any

from core.formats.write import label_studio
from core.formats.write.text import xml_text
from core.records import Box, Labels
from tests.core.formats.made import HOSTILE, album, face, film, frame, hostile


def tasks(labels: Labels, path: Path) -> list[dict[str, Any]]:
    label_studio.write(labels, path)
    found: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
    return found


def set_up(labels: Labels) -> Any:
    """Label Studio's own reading of the set-up for these labels."""
    from label_studio_sdk.label_interface import LabelInterface  # takes seconds to load

    return LabelInterface(label_studio.config(labels))


def checked(labels: Labels, path: Path) -> list[dict[str, Any]]:
    """The tasks, after Label Studio's SDK has found nothing wrong with them."""
    interface = set_up(labels)
    interface.validate()
    found = tasks(labels, path)
    for task in found:
        assert {"image", "caption"} <= task["data"].keys()
        for said in task["annotations"] + task["predictions"]:
            assert interface.validate_prediction(said | {"model_version": "x"}, return_errors=True) == []
    return found


def regions(found: list[dict[str, Any]], kind: str) -> list[str]:
    return [r["value"]["rectanglelabels"][0] for task in found for said in task[kind] for r in said["result"]]


def test_predictions_and_answers_are_kept_apart(tmp_path: Path) -> None:
    faces = [face(0, "Ross"), face(1, "Rachel", state="confirmed", confidence=1.0), face(2, "", state="corrected")]
    found = checked(Labels("", (frame(0, faces, time=0.0, caption="Hi"),)), tmp_path / "a.json")
    assert regions(found, "predictions") == ["Ross"]
    assert regions(found, "annotations") == ["Rachel", "nobody"]
    assert found[0]["predictions"][0]["score"] == 0.75
    assert found[0]["data"]["caption"] == "Hi"


def test_boxes_are_in_percent(tmp_path: Path) -> None:
    labels = Labels("", (frame(0, [face(0, "A", Box(64, 48, 320, 500))], time=0.0),))
    region = checked(labels, tmp_path / "a.json")[0]["predictions"][0]["result"][0]
    assert {k: region["value"][k] for k in ("x", "y", "width", "height")} == {"x": 10, "y": 10, "width": 40, "height": 90}
    assert (region["original_width"], region["original_height"]) == (640, 480)


def test_pictures_are_where_local_storage_serves_them(tmp_path: Path) -> None:
    found = checked(album(["A"], ["a b/ç&?.jpg"]), tmp_path / "a.json")
    assert found[0]["data"]["image"] == "/data/local-files/?d=a%20b/%C3%A7%26%3F.jpg"


def test_a_frame_without_a_face_is_no_task(tmp_path: Path) -> None:
    assert [task["id"] for task in checked(film([["A"], [], ["B"]]), tmp_path / "a.json")] == [1, 3]


def test_hostile_names_pass_the_check(tmp_path: Path) -> None:
    found = checked(hostile(), tmp_path / "a.json")
    written = {
        r["id"]: r["value"]["rectanglelabels"][0]
        for t in found
        for s in t["annotations"] + t["predictions"]
        for r in s["result"]
    }
    assert written == {f"face-{k}": xml_text(name) for k, name in enumerate(HOSTILE)}


def test_the_check_refuses_a_name_that_the_set_up_lacks(tmp_path: Path) -> None:
    found = tasks(film([["Ross"]]), tmp_path / "a.json")
    interface = set_up(film([["Rachel"]]))
    assert interface.validate_prediction(found[0]["predictions"][0], return_errors=True)
