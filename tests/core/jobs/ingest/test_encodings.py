"""A film gives the same project whatever encoder wrote it. Other settings and codecs stand in for other machines."""

from pathlib import Path

import numpy as np

from core.jobs.ingest import ingest, project_at
from core.jobs.requests import IngestVideo
from tests.core.jobs.ingest.people import SRT, Counting
from tests.core.media.films import encoded, every_encoding
from tests.core.media.portraits import portrait, scene


@every_encoding
def test_the_same_frames_faces_and_names_are_found(encoding: str, counted: Counting, tmp_path: Path) -> None:
    ada, bruno = portrait("Ada"), portrait("Bruno")
    shots = [scene(ada), scene(bruno, wall=(60, 30, 20)), scene(ada, bruno)]
    video = encoded(tmp_path, encoding, [shot for shot in shots for _ in range(20)], rate=10)
    (tmp_path / "film.srt").write_text(SRT)
    with project_at(tmp_path / "p") as project:
        summary = ingest(project, IngestVideo(video, tmp_path / "film.srt"), finder=counted)
        assert (summary.frames, summary.faces, summary.tracks, summary.names) == (3, 4, 4, ("Ada", "Bruno"))
        assert [frame.shot for frame in project.frames()] == [0, 1, 2]
        vectors = project.embeddings()
        likeness = vectors @ vectors.T
        same, different = [likeness[0, 2], likeness[1, 3]], [likeness[0, 1], likeness[2, 3]]
        assert min(same) > max(different) + 0.2
        project.run()
        labels = [face.name for frame in project.labels().frames for face in frame.faces]
    assert labels == ["Ada", "Bruno", "Ada", "Bruno"]
    assert np.isfinite(vectors).all()
