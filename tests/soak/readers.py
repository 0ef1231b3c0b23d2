"""Everything that reads a file somebody else made: how it is called, good files of it, what to change in them."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from core.errors import BadInput
from tests.soak import mutate, seeds

JSON = (*mutate.TEXT, mutate.json_tree, mutate.json_tree)
NPZ = (mutate.zip_inside((*mutate.PLAIN, mutate.npy_header, mutate.npy_header, mutate.odd_number)),)


QUICK = 100  # inputs a second


@dataclass(frozen=True)
class Reader:
    """``use`` reads a file as the app or the command line would; it may refuse it (``BadInput``), and nothing else."""

    file: str
    good: Callable[[], Sequence[bytes]]
    inside: Sequence[mutate.Change]
    use: Callable[[Path, Path], None]
    a_second: int = 100  # inputs, about


def inputs(reader: Reader, many: int) -> int:
    """How many inputs a slow reader gets where a quick one gets ``many``."""
    return many if reader.a_second >= QUICK else max(1, many // 4)


def texts(*contents: str) -> Callable[[], list[bytes]]:
    return lambda: [content.encode() for content in contents]


def _command(*words: object) -> None:
    """Runs a command in this process; a refusal comes back as ``BadInput``, after its sentence was printed."""
    from core.cli.main import main

    code = main([str(word) for word in words])
    if code == 2:
        raise BadInput("(said on standard error)")
    assert code == 0, f"exit code {code}"


def _solve(file: Path, folder: Path) -> None:
    _command("solve", file, "--method", "pair-clustering", "--out", folder / "out.csv")


def _correct(file: Path, folder: Path) -> None:
    problem = folder / "good.npz"
    if not problem.exists():
        problem.write_bytes(seeds.problems()[0])
    _command("solve", problem, "--method", "pair-clustering", "--corrections", file, "--out", folder / "out.csv")


def _captions(file: Path, folder: Path) -> None:
    from core.media.captions.lines import caption_at
    from core.media.captions.sources import read_captions
    from core.media.names.cast import Cast
    from core.media.names.mentions import find_names

    lines = read_captions(file)
    assert all(0 <= line.start <= line.stop < float("inf") for line in lines)
    captions = [caption_at(lines, line.start, line.stop, 1.0) for line in lines[:20]]
    find_names(captions, Cast({"Ross Geller": ("Ross Geller", "Ross"), "Joey": ("Joey",)}))


def _cast(file: Path, folder: Path) -> None:
    from core.media.names.cast import read_cast
    from core.media.names.mentions import find_names

    find_names(["Ross and Rachel see Joey.", "DR. GELLER: Hi!"], read_cast(file))


def _table(file: Path, folder: Path) -> None:
    from core.media.captions.tables import read_table

    assert all(row.image for row in read_table(file))


def _labels(file: Path, folder: Path) -> None:
    from core.formats.read.csv import read

    read(file)


def _boxes(file: Path, folder: Path) -> None:
    from core.formats.read.labels import read_labels

    read_labels(file)


def _import(file: Path, folder: Path) -> None:
    from core.store.project import Project

    target = folder / "imported"
    shutil.rmtree(target, ignore_errors=True)
    _command("import", "--project", target, file)
    with Project.open(target) as project:
        look_through(project, folder)


def look_through(project: object, folder: Path) -> None:
    """What the app does with a project: its queue, its frames, its people; and an export."""
    from core.store.project import Project

    assert isinstance(project, Project)
    queue = project.review.queue()
    for frame in queue.frame[:3].tolist():
        project.review.graph(frame)
        project.mentions(frame)
    project.people.named()
    project.people.strangers()
    project.timeline()
    project.what_changed()
    project.export("csv", folder / "out.csv")


def _mvad(name: str) -> Callable[[Path, Path], None]:
    def use(file: Path, folder: Path) -> None:
        good = {"a.json": seeds.MVAD.encode(), "a.npy": seeds.features(), "a.txt": seeds.MVAD_CAPTIONS.encode()}
        paths = _beside(folder / "mvad", good, name, file)
        shutil.rmtree(folder / "made", ignore_errors=True)
        parts = ("--mvad", paths["a.json"], "--features", paths["a.npy"], "--captions", paths["a.txt"])
        _command("ingest", "--project", folder / "made", *parts)

    return use


def _mpii(name: str) -> Callable[[Path, Path], None]:
    features = f"faces/1005_Signs/{seeds.CLIP}.npy"

    def use(file: Path, folder: Path) -> None:
        good = {"a.csv": seeds.MPII.encode(), "p.csv": seeds.MPII_PERSONS.encode(), features: seeds.features()}
        paths = _beside(folder / "mpii", good, features if name == "npy" else name, file, copied=True)
        shutil.rmtree(folder / "made", ignore_errors=True)
        parts = ("--mpii", paths["a.csv"], "--features", folder / "mpii" / "faces", "--persons", paths["p.csv"])
        _command("ingest", "--project", folder / "made", *parts)

    return use


def _beside(folder: Path, good: dict[str, bytes], name: str, file: Path, copied: bool = False) -> dict[str, Path]:
    """Good files, one of them replaced."""
    paths = {}
    for one, content in good.items():
        paths[one] = folder / one
        paths[one].parent.mkdir(parents=True, exist_ok=True)
        paths[one].write_bytes(file.read_bytes() if one == name else content)
    return paths


def _picture(file: Path, folder: Path) -> None:
    from core.media.pictures import Unreadable, decode, encode

    try:
        encode(decode(file.read_bytes()))
    except Unreadable as error:
        raise BadInput(f"{file}: {error}") from error


def _zip(file: Path, folder: Path) -> None:
    from core.media.people import references
    from core.media.pictures import Unreadable, decode, shelf

    found = shelf(file)
    try:
        for path in found.pictures:
            try:
                decode(found.read(path))
            except Unreadable:
                continue
    finally:
        found.close()
    references(file)[0].close()


def _film(file: Path, folder: Path) -> None:
    import gc

    import numpy as np

    from core.media.captions.sources import embedded_captions
    from core.media.video.reader import frames_at, probe
    from core.media.video.shots import scan

    gc.collect()  # the decoders of the last film have threads, each of which counts as memory
    probe(file)
    timeline = scan(file)
    assert timeline is not None
    for _, pixels in frames_at(file, timeline, np.linspace(0, len(timeline.times) - 1, 4).astype(np.int64)):
        assert pixels.ndim == 3
    embedded_captions(file)


def _project_with(name: str) -> Callable[[Path, Path], None]:
    """A project of which one file is damaged."""

    def use(file: Path, folder: Path) -> None:
        from core.store.project import Project

        target = folder / "film"
        shutil.rmtree(target, ignore_errors=True)
        for one, content in seeds.project().items():
            if one != "all.json":
                (target / one).parent.mkdir(parents=True, exist_ok=True)
                (target / one).write_bytes(file.read_bytes() if one == name else content)
        with Project.open(target) as project:
            look_through(project, folder)

    return use


def _project_file(name: str) -> Callable[[], list[bytes]]:
    return lambda: [seeds.project()[name]]


LAST_RUN = "runs/000002.npz"
READERS: dict[str, Reader] = {
    "problem": Reader("a.npz", seeds.problems, NPZ, _solve),
    "benchmark": Reader("a.mat", seeds.benchmarks, (mutate.mat_inside,), _solve),
    "corrections": Reader("a.json", texts(seeds.CORRECTIONS), JSON, _correct),
    "srt": Reader("a.srt", texts(seeds.SRT), mutate.TEXT, _captions, 300),
    "vtt": Reader("a.vtt", texts(seeds.VTT), mutate.TEXT, _captions, 300),
    "ass": Reader("a.ass", texts(seeds.ASS), mutate.TEXT, _captions, 300),
    "described": Reader("a.txt", texts(seeds.DESCRIBED, seeds.SECONDS), mutate.TEXT, _captions, 300),
    "cast": Reader("cast.txt", texts(seeds.CAST), mutate.TEXT, _cast, 300),
    "cast-json": Reader("cast.json", texts(seeds.CAST_JSON, seeds.CAST_OBJECT), JSON, _cast, 300),
    "table": Reader("a.csv", texts(seeds.TABLE), mutate.TEXT, _table, 300),
    "table-json": Reader("a.json", texts(seeds.TABLE_JSON, seeds.TABLE_OBJECT), JSON, _table, 300),
    "labels": Reader("labels.csv", texts(seeds.LABELS), mutate.TEXT, _labels, 300),
    "coco": Reader("labels.json", texts(seeds.COCO), JSON, _boxes, 300),
    "label-studio": Reader("labels.json", texts(seeds.LABEL_STUDIO), JSON, _boxes, 300),
    "cvat": Reader("labels.xml", texts(seeds.CVAT), mutate.TEXT, _boxes, 300),
    "import": Reader("all.json", _project_file("all.json"), JSON, _import, 20),
    "mvad": Reader("a.json", texts(seeds.MVAD), JSON, _mvad("a.json"), 30),
    "mvad-features": Reader("a.npy", lambda: [seeds.features()], (mutate.npy_header,), _mvad("a.npy"), 30),
    "mvad-captions": Reader("a.txt", texts(seeds.MVAD_CAPTIONS), mutate.TEXT, _mvad("a.txt"), 30),
    "mpii": Reader("a.csv", texts(seeds.MPII), mutate.TEXT, _mpii("a.csv"), 30),
    "mpii-persons": Reader("p.csv", texts(seeds.MPII_PERSONS), mutate.TEXT, _mpii("p.csv"), 30),
    "mpii-features": Reader("a.npy", lambda: [seeds.features()], (mutate.npy_header,), _mpii("npy"), 30),
    "picture": Reader("a.jpg", seeds.pictures, (mutate.png_checksums,), _picture, 300),
    "zip": Reader("a.zip", seeds.zips, (mutate.zip_inside(mutate.PLAIN),), _zip, 200),
    "film": Reader("a.mp4", seeds.films, (), _film, 30),
    "database": Reader("project.sqlite", _project_file("project.sqlite"), (), _project_with("project.sqlite"), 30),
    "run": Reader("a.npz", _project_file(LAST_RUN), NPZ, _project_with(LAST_RUN), 30),
    "embeddings": Reader("e.f32", _project_file("embeddings.f32"), (), _project_with("embeddings.f32"), 30),
}
