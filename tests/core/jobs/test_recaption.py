"""A film gets other captions: who visibly speaks its lines is seen again, without another look at the film."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np

from core.jobs.ingest import ingest
from core.jobs.recaption import recaption
from core.jobs.requests import IngestVideo, Recaption
from core.media.faces.finder import FaceFinder
from core.media.video.reader import Pixels
from core.store.project import Project
from core.store.tables import track_table
from tests.core.media.films import film
from tests.core.media.portraits import portrait, scene


def talking(open_mouth: bool) -> Pixels:
    face = np.array(portrait("Ada"))
    height, width = face.shape[:2]
    if open_mouth:
        face[round(0.64 * height) : round(0.76 * height), round(0.38 * width) : round(0.62 * width)] = 25
    return scene(face)


def subtitles(path: Path, text: str) -> Path:
    path.write_text(f"1\n00:00:00,000 --> 00:00:03,900\n{text}\n", encoding="utf-8")
    return path


def test_mouths_speak_for_the_speakers_of_other_captions(finder: FaceFinder, tmp_path: Path) -> None:
    video = film(tmp_path / "film.mp4", [talking(k // 6 % 2 == 0) for k in range(100)])
    with Project.create(tmp_path / "p") as project:
        ingest(project, IngestVideo(video, subtitles(tmp_path / "one.srt", "ADA: Hello there.")), finder=finder)
        before = track_table.read_evidence(project.database)
        assert [round(odds, 1) > 0 for *_, odds in before] == [True]
        source = project.sources()[0].id
        recaption(project, Recaption(source, subtitles(tmp_path / "two.srt", "ADA: Good evening to you.")))
        assert track_table.read_evidence(project.database) == before
        shutil.rmtree(project.cache)
        recaption(project, Recaption(source, subtitles(tmp_path / "three.srt", "ADA: Farewell.")))
        assert track_table.read_evidence(project.database) == []
