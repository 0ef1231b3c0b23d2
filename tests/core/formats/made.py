"""Labels made up for the tests of exports."""

from collections.abc import Sequence
from pathlib import Path

from hypothesis import strategies as st

from core.records import Box, Face, Frame, Labelled, LabelledFrame, Labels, Mark, Source, SourceKind, State

WIDTH, HEIGHT = 640, 480
MARK: Mark = ""
BOX = Box(100, 50, 180, 150)

HOSTILE = (
    "<script>alert(1)</script>",
    "=cmd|' /C calc'!A0",
    "+1",
    "-2",
    "@SUM(A1)",
    "'=quoted",
    "../../etc/passwd",
    "..\\..\\windows",
    "a/b",
    "C:evil",
    "line\nbreak",
    "\r\nreturn\r",
    'quo"te',
    "apos'trophe",
    "]]>",
    "<!-- --> -->",
    "&amp;",
    "😀👨‍👩‍👧",
    "שלום עולם",
    "\u202eevil",
    "山田太郎",
    "x" * 5000,
    "山" * 5000,
    "con\x00trol\x07\x1b",
    "\x01",
    "x\ufffe",
    "nul",
    "CON.txt",
    "nobody",
    "Nobody",
    ".hidden",
    "42",
    "{\\an8}",
    ", ; | \t",
    "Ross Geller",
    "ross geller",
)

NAMES = st.text(min_size=1, max_size=40).filter(str.strip)  # what a project lets a person be called


def face(
    id: int,
    name: str = "",
    box: Box = BOX,
    *,
    frame: int = 0,
    confidence: float = 0.75,
    state: State = "predicted",
    annotator: str = "",
    crop: Path | None = None,
    truth: str | None = None,
    track: int | None = None,
) -> Labelled:
    return Labelled(Face(id, frame, box, 0.9, MARK, track, truth, crop), name, confidence, state, annotator)


def source(id: int = 0, kind: SourceKind = "video", title: str = "film.mp4", path: str = "/films/film.mp4") -> Source:
    return Source(id, kind, path, title, "", None)


def frame(
    id: int,
    faces: Sequence[Labelled] = (),
    *,
    of: Source | None = None,
    time: float | None = None,
    path: str = "",
    names: Sequence[str] = (),
    caption: str = "",
    shot: int | None = None,
    size: tuple[int, int] = (WIDTH, HEIGHT),
) -> LabelledFrame:
    of = of or source()
    return LabelledFrame(Frame(id, of.id, time, path, *size, caption, shot, None), of, tuple(names), tuple(faces))


def film(people: Sequence[Sequence[str]], every: float = 2.0, title: str = "film.mp4") -> Labels:
    """A video in which every frame shows the people of one entry, from left to right; the empty name is nobody."""
    frames, count = [], 0
    for k, names in enumerate(people):
        faces = []
        for place, name in enumerate(names):
            box = Box(10 + 100 * place, 20, 90 + 100 * place, 120)
            faces.append(face(count, name, box, frame=k, confidence=0.5 + 0.01 * place))
            count += 1
        frames.append(
            frame(k, faces, of=source(title=title), time=every * k, names=[n for n in names if n], caption="They talk.")
        )
    return Labels("A film", tuple(frames))


def album(people: Sequence[str], paths: Sequence[str] | None = None) -> Labels:
    """A folder of pictures with one face each."""
    paths = paths or [f"day one/{k}.jpg" for k in range(len(people))]
    pictures = source(kind="pictures", title="holidays", path="/pictures/holidays")
    return Labels(
        "Holidays",
        tuple(
            frame(k, [face(k, name, frame=k, state="confirmed", confidence=1.0, annotator="Ann")], of=pictures, path=path)
            for k, (name, path) in enumerate(zip(people, paths, strict=True))
        ),
    )


def hostile() -> Labels:
    """Every hostile name once as a face's name, its annotator, its caption and its frame's name."""
    pictures = source(kind="pictures", title="=title<&>\x02", path="/pictures")
    frames = [
        frame(
            k,
            [face(k, name, frame=k, state="confirmed" if k % 2 else "predicted", annotator=name, confidence=0.5)],
            of=pictures,
            path=f"{name[:50]}.jpg",
            names=[name],
            caption=f"{name} is here",
        )
        for k, name in enumerate(HOSTILE)
    ]
    return Labels("=title<&>\x02", tuple(frames))


def hostile_film() -> Labels:
    """A video that shows one hostile name after the other, and the last two at once."""
    return film([[name] for name in HOSTILE[:-2]] + [HOSTILE[-2:]], title="=film<&>.mp4")
