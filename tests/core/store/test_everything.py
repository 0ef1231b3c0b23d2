"""The JSON of a whole project: out and in again is the same project, and what is broken is refused."""

from __future__ import annotations

import base64
import json
from pathlib import Path

import pytest

from core.errors import BadInput
from core.records import Box
from core.store.project import Change, Project
from tests.known import known_run
from tests.made import made_project


@pytest.fixture
def exported(tmp_path: Path):
    with made_project(tmp_path / "film", frames=6) as project:
        project.decide("Ann", Change("is", face=0, name="=cmd|' /C calc'!A0"))
        project.decide("Bob", Change("merge", name="Anna", other="Boris"))
        project.undo("Bob")
        known_run(project)
        project.add_face("Ann", 0, Box(0, 0, 5, 5), project.embeddings()[0], b"crop")
        project.review.skip("Ann", 2)
        project.review.set_place("Ann", 3)
        project.export("json", tmp_path / "all.json")
    return tmp_path / "all.json"


def test_importing_an_export_gives_the_same_project(exported, tmp_path):
    with Project.from_json(exported, tmp_path / "again") as again, Project.open(tmp_path / "film") as first:
        again.export("json", tmp_path / "again.json")
        assert (tmp_path / "again.json").read_bytes() == exported.read_bytes()
        assert [vars(entry) for entry in again.log().entries] == [vars(entry) for entry in first.log().entries]
        assert again.labels().frames[0].faces[0].name == first.labels().frames[0].faces[0].name
        assert again.fact("uid") == first.fact("uid")
        assert again.what_changed() == first.what_changed()
        assert again.undo("Ann")
        assert again.run().faces == first.faces()[-1].id  # the added face is undone


def broken(path: Path, change) -> Path:
    content = json.loads(path.read_text())
    change(content)
    path.write_text(json.dumps(content))
    return path


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda c: c.pop("rollcall"), "no export"),
        (lambda c: c.update(rollcall=2), "newer"),
        (lambda c: c.pop("files"), "lacks"),
        (lambda c: c["tables"].pop("face"), "face is missing"),
        (lambda c: c["tables"]["face"]["columns"].reverse(), "other columns"),
        (lambda c: c["tables"]["face"]["rows"][0].pop(), "row that cannot"),
        (lambda c: c["tables"]["face"]["rows"][0].__setitem__(1, 999), "contradict"),
        (lambda c: c["tables"]["face"]["rows"][0].__setitem__(0, {"a": 1}), "row that cannot"),
        (lambda c: c["tables"]["face"]["rows"].append(c["tables"]["face"]["rows"][0]), "contradict"),
        (lambda c: c["tables"]["face"]["rows"][0].__setitem__(2, "wide"), "row that cannot"),
        (lambda c: c["tables"]["frame"]["rows"][0].__setitem__(6, None), "row that cannot"),
        (lambda c: c["tables"]["decision"]["rows"][0].__setitem__(5, "destroy"), "decision destroy"),
        (lambda c: c["tables"]["decision"]["rows"][0].__setitem__(11, "{"), "decision"),
        (lambda c: c["tables"]["mention"]["rows"][0].__setitem__(3, "[1]"), "mention"),
        (lambda c: c["tables"]["project"]["rows"].clear(), "one row"),
        (lambda c: c["files"].update({"../../evil.jpg": "eA=="}), "no place"),
        (lambda c: c["files"].update({"/etc/passwd": "eA=="}), "no place"),
        (lambda c: c["files"].update({"crops/0000/0000001.jpg": "%"}), "damaged"),
        (lambda c: c["files"].update({"crops/0000/0000001.jpg": 5}), "damaged"),
        (lambda c: c["files"].pop("embeddings.f32"), "embeddings are missing"),
    ],
)
def test_a_broken_export_is_refused_and_leaves_nothing(exported, tmp_path, change, words):
    with pytest.raises(BadInput, match=words) as error:
        Project.from_json(broken(exported, change), tmp_path / "again")
    assert str(error.value).startswith(str(exported))
    assert "\n" not in str(error.value)
    assert not (tmp_path / "again").exists()
    assert not list(tmp_path.glob("**/evil.jpg"))


@pytest.mark.parametrize("text", ["", "{", "[]", "null", '{"a": ' * 100_000])
def test_what_is_no_json_is_refused(tmp_path, text):
    path = tmp_path / "x.json"
    path.write_text(text)
    with pytest.raises(BadInput, match=r"not JSON|no export"):
        Project.from_json(path, tmp_path / "again")


def test_files_are_as_they_were(exported, tmp_path):
    content = json.loads(exported.read_text())
    for name, text in content["files"].items():
        assert (tmp_path / "film" / name).read_bytes() == base64.b64decode(text)
    assert any(name.startswith("crops/") for name in content["files"])
    assert any(name.startswith("runs/") for name in content["files"])
