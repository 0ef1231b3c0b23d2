"""Makes the demo project that is shipped: ``python -m assets.demo.ship``. The film goes through the real pipeline."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from assets.demo.film import render, who_is
from core.jobs.ingest import ingest
from core.jobs.requests import IngestVideo
from core.progress import Printer
from core.records import Face
from core.store import files
from core.store.project import Project

SHIPPED = Path(__file__).parent / "project"
TITLE = "The Lighthouse Birthday"


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        project = made(Path(folder))
        shutil.rmtree(SHIPPED, ignore_errors=True)
        shutil.copytree(project, SHIPPED)
    size = sum(path.stat().st_size for path in SHIPPED.rglob("*") if path.is_file())
    print(f"{SHIPPED}: {size / 1e6:.1f} MB")


def made(folder: Path) -> Path:
    """The demo as a project in ``folder``: rendered, ingested, its truth known, run once."""
    film = render(folder / "film", Printer())
    with Project.create(folder / "project", TITLE) as project:
        print(ingest(project, IngestVideo(film.video, film.captions), Printer()).text())
        project.set_truth(true_names(project))
        kept = project.folder / files.UPLOADS
        kept.mkdir()
        for path in (film.video, film.captions):
            shutil.copy(path, kept)
        project.forget_source_folders()
        write_cast(project)
        run = project.run()
        print(f"{run.faces} faces, {run.accuracy or 0:.1%} of them right in the first run")
        shutil.rmtree(project.cache, ignore_errors=True)
        project.database.scrub()
        return project.folder


def write_cast(project: Project) -> None:
    """The cast sheet: of each name the best picture, so that a newcomer knows who Johanna is."""
    best: dict[str, Face] = {}
    for face in project.faces():
        if face.truth and face.crop is not None and (face.truth not in best or _shows(face) > _shows(best[face.truth])):
            best[face.truth] = face
    for name, face in best.items():
        assert face.crop is not None
        files.write_file(files.cast_path(project.folder, name), face.crop.read_bytes())


def _shows(face: Face) -> float:
    return face.quality * (face.box.right - face.box.left) * (face.mark == "")


def true_names(project: Project) -> dict[int, str]:
    """Who each found face is; what is no drawn face is nobody."""
    times = {frame.id: frame.time or 0.0 for frame in project.frames()}
    return {face.id: who_is(times[face.frame], face.box) or "" for face in project.faces()}


if __name__ == "__main__":
    main()
