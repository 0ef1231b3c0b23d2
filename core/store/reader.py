"""What a project holds, read: sources, frames, faces, names, the log of decisions, the runs' answers, current labels.

What was read is kept as long as it holds; other processes' writing is noticed.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from core.problem import FloatArray
from core.records import Face, Frame, Mention, Source, SourceLine
from core.store import files
from core.store.decisions.blind import BlindLogReader
from core.store.decisions.by_track import not_faces, track_answers
from core.store.decisions.log import Answer, Log
from core.store.decisions.log_reader import LogReader
from core.store.runs.answers import Solved
from core.store.runs.run_reader import RunReader
from core.store.tables import face_table, frame_table, line_table, name_table, project_table, source_table
from core.store.tables.database import Database
from core.store.tables.face_table import FaceArrays
from core.store.views import current_labels
from core.store.views.current_labels import CurrentLabels
from core.store.views.explanation import Explainer, explainer
from core.store.views.timeline import Timeline, timeline


class Reader:
    """Reads a project's folder and database; changes nothing."""

    def __init__(self, folder: Path, database: Database, viewer: str = "") -> None:
        """``viewer`` does not see what others said on frames that both answer blind."""
        self.folder, self.database = folder, database
        self.logs = BlindLogReader(database, viewer) if viewer else LogReader(database)
        self.runs = RunReader(folder, database, self.logs.log)
        self._faces: tuple[tuple[int, int, int], FaceArrays] | None = None  # each with what it was made from
        self._labels: tuple[FaceArrays, Log, int, Solved | None, CurrentLabels] | None = None
        self._by_track: tuple[FaceArrays, Log, int, dict[int, Answer]] | None = None
        self._timeline: tuple[tuple[int, int], Timeline] | None = None
        self._explainer: tuple[Solved, tuple[int, int], Explainer] | None = None

    # --- Tables ---

    def sources(self) -> list[Source]:
        return source_table.read(self.database)

    def frames(self, ids: Sequence[int] | None = None) -> list[Frame]:
        """All frames by number, or the asked ones."""
        return frame_table.read(self.database, self.folder, ids)

    def faces(self, frame: int | None = None, ids: Sequence[int] | None = None) -> list[Face]:
        """All faces by number, those of a frame, or the asked ones; what people said is no face is left out."""
        hidden = self.log().hidden | not_faces(self.by_track())
        return [face for face in face_table.read(self.database, self.folder, frame, ids) if face.id not in hidden]

    def mentions(self, ids: Sequence[int] | None = None) -> dict[int, tuple[Mention, ...]]:
        """By frame, the names in its caption as they are called now, then those that people added."""
        return name_table.read_mentions(self.database, self.log(), ids)

    def names(self) -> list[str]:
        """All names as they are called now, in the order in which they came."""
        log = self.log()
        removed = log.removed
        return list(dict.fromkeys(log.text(name) for name in sorted(log.original) if name not in removed))

    def lines(self, source: int | None = None, at: float | None = None) -> list[SourceLine]:
        """Captions that were read off the screen or heard: all, those of a source, or those at a moment of it."""
        return line_table.read(self.database, self.log(), source, at)

    def embeddings(self) -> FloatArray:
        """The faces' vectors, memory-mapped; the row is the face's number."""
        dimension = int(project_table.fact(self.database, "dimension"))
        return files.read_embeddings(self.folder, face_table.end(self.database), dimension)

    # --- States that follow from them ---

    def log(self) -> Log:
        """The log of decisions and the state that follows from it, up to date."""
        return self.logs.log()

    def solved(self) -> Solved | None:
        """The answer of the last run that can be read; None before the first."""
        return self.runs.last()

    def by_track(self, without: frozenset[int] = frozenset()) -> dict[int, Answer]:
        """The answers that faces have from others of their tracks, but for what was said of some faces."""
        with self.database.lock:
            if without:
                arrays = self._face_arrays()
                return track_answers(self.log(), arrays.face, arrays.track, without)
            log, faces, kept = self.log(), self._face_arrays(), self._by_track
            if kept is None or kept[0] is not faces or kept[1] is not log or kept[2] != log.version:
                kept = self._by_track = (faces, log, log.version, track_answers(log, faces.face, faces.track))
            return kept[3]

    def _face_arrays(self) -> FaceArrays:
        state = face_table.state(self.database)
        if self._faces is None or self._faces[0] != state:
            self._faces = (state, face_table.read_arrays(self.database))
        return self._faces[1]

    def current_labels(self) -> CurrentLabels:
        """Who is who now, as arrays."""
        with self.database.lock:
            log, solved, by_track, faces = self.log(), self.solved(), self.by_track(), self._face_arrays()
            kept = self._labels
            if kept is None or kept[0] is not faces or kept[1] is not log or kept[2:4] != (log.version, solved):
                labels = current_labels.current_labels(faces, log, solved, by_track)
                kept = self._labels = (faces, log, log.version, solved, labels)
            return kept[4]

    def timeline(self) -> Timeline:
        """When each frame is."""
        with self.database.lock:
            state = frame_table.state(self.database)
            if self._timeline is None or self._timeline[0] != state:
                self._timeline = (state, timeline(frame_table.moments(self.database), self.sources()))
            return self._timeline[1]

    def forget_explainer(self) -> None:
        """Captions changed, so answers are explained anew."""
        self._explainer = None

    def explainer(self) -> Explainer | None:
        """What explains the answers of the last run; None before the first."""
        with self.database.lock:
            solved, log = self.solved(), self.log()
            if solved is None:
                return None
            hidden = len(log.hidden | not_faces(self.by_track()))
            state, kept = (log.mentions_changed, hidden), self._explainer
            if kept is None or kept[:2] != (solved, state):
                kept = self._explainer = (solved, state, explainer(solved, self.current_labels(), self.mentions()))
            return kept[2]
