"""A project: one folder with everything that is known about some videos or pictures, and every decision people made.

    folder/project.sqlite   faces, frames, names, the log of decisions, the list of runs
    folder/embeddings.f32   one row a face, memory-mapped
    folder/crops, frames    JPEG
    folder/runs             the answers of each run
    folder/cache            what ingest and runs need not compute twice; may be deleted at any time

Several processes may work on one project. A decision is on the disk when ``decide`` returns.
"""

from __future__ import annotations

import getpass
import uuid
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from core.errors import BadInput
from core.problem import FloatArray, Problem
from core.progress import Progress, silent
from core.records import Box, Labels, NewFrame, NewMerge, NewSource, Source
from core.store import answering
from core.store.appearing import Appearances, Together, appearances, together
from core.store.comparing import aligned, compared, judged, renamed
from core.store.contents import Contents, now
from core.store.database import FILE, Damaged, Database
from core.store.decisions import Change, Decision, Log, Standing
from core.store.explaining import Known, explained, known
from core.store.files import UPLOADS, check_links, erase, read_file
from core.store.graph import FaceLinks, Graph, waiting
from core.store.now import CONFIRMED, CONFLICT, CORRECTED, DOUBT, OPEN, UNKNOWN, Now, Person
from core.store.review import ORDERS, Order, Queue, corrected_since, frame_of, recent_names
from core.store.runs import Changed, Run, Solved, named

if TYPE_CHECKING:
    from core.store.merging import Merged
    from core.store.timeline import Timeline

ROLLCALL = "Rollcall"  # who says what ingest decided by itself

# The one way in: what lies in core/store is this module's own, and the app asks here for it.
__all__ = [
    "CONFIRMED", "CONFLICT", "CORRECTED", "DOUBT", "OPEN", "ORDERS", "ROLLCALL", "UNKNOWN", "UPLOADS", "Appearances",
    "Change", "Changed", "Damaged", "Decision", "FaceLinks", "Graph", "Known", "Log", "Now", "Order", "Person", "Project",
    "Queue", "Run", "Solved", "Standing", "Together", "aligned", "answering", "appearances", "compared",
    "corrected_since", "erase", "explained", "frame_of", "judged", "known", "named", "read_file", "recent_names", "renamed",
    "system_user", "together", "waiting",
]  # fmt: skip


def system_user() -> str:
    """Who decides when nobody typed a name."""
    try:
        return getpass.getuser()
    except (OSError, KeyError):  # a container's user may have no name
        return "somebody"


class Project(Contents):
    """Open it with ``Project.open``, make it with ``Project.create``."""

    @staticmethod
    def create(folder: Path, title: str = "") -> Project:
        """A new, empty project in ``folder``, which must not hold anything yet."""
        folder = folder.expanduser().absolute()
        try:
            if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
                raise BadInput(f"{folder}: there is something here already; choose a new folder for the project")
            folder.mkdir(parents=True, exist_ok=True)
            folder.chmod(0o700)  # faces are nobody else's business
        except OSError as error:
            raise BadInput(f"{folder}: cannot be made ({error.strerror}); choose another place") from error
        project = Project(folder)
        made = now()
        project.database.run(
            "INSERT INTO project (uid, title, created, opened) VALUES (?, ?, ?, ?)",
            (uuid.uuid4().hex, title.strip() or folder.name, made, made),
        )
        return project

    @staticmethod
    def open(folder: Path) -> Project:
        """The project in ``folder``; of a damaged one what can be saved, to be read and not written (see ``damage``)."""
        folder = folder.expanduser().absolute()
        if not (folder / FILE).is_file():
            what = "this is no project" if folder.exists() else "there is no such folder"
            raise BadInput(f"{folder}: {what}; make one with `python -m core ingest --project`")
        check_links(folder)
        try:
            project = Project(folder)
            try:
                project.database.examine()
            except BaseException:
                project.close()
                raise
        except Damaged:
            project = Project(folder, Database.salvaged(folder))
        if not project.database.rows("SELECT 1 FROM project"):
            project.close()
            raise BadInput(f"{folder}: the project was never finished being made; remove the folder and make it again")
        return project

    def __enter__(self) -> Project:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    # --- Where things lie ----------------------------------------------------------------------------------------------

    def locate(self, source: Source) -> Path:
        """Where a source lies now; a moved one is found again by its content near where it was and near the project."""
        from core.store.moved import find

        return find(self, source)

    def to_play(self, source: Source) -> Path:
        """The same for a film that is to be shown: it must be the file that was taken in."""
        from core.store.moved import to_play

        return to_play(self, source)

    def relocate(self, source: int, path: Path) -> None:
        """Tells where a moved source lies now; it must be the same file."""
        from core.store.moved import relocate

        relocate(self, source, path)

    # --- What comes in -------------------------------------------------------------------------------------------------

    def add(self, source: NewSource, frames: Iterable[NewFrame], embedder: str = "", merges: Sequence[NewMerge] = ()) -> int:
        """Adds a source with its frames and faces, whole or not at all; gives its number."""
        from core.store.incoming import add

        return add(self, source, frames, embedder, merges)

    def set_truth(self, truth: Mapping[int, str]) -> None:
        """Tells who faces really are, where that is known ("" for nobody): runs then say how many they got right."""
        self.database.many("UPDATE face SET truth = ? WHERE id = ?", [(name, face) for face, name in truth.items()])

    def add_face(
        self, who: str, frame: int, box: Box, embedding: FloatArray, crop: bytes | None, step: str | None = None
    ) -> int:
        """Adds a face that the detector missed; gives its number."""
        from core.store.incoming import add_face

        return add_face(self, who, frame, box, embedding, crop, step)

    # --- Decisions -----------------------------------------------------------------------------------------------------

    def decide(self, who: str, *changes: Change, seen: int | None = None, step: str | None = None) -> str:
        """Writes one step, all of its changes or none; it is on the disk when this returns. Gives the step's number.

        ``seen`` is the version of the log that the person looked at (None: the latest): an answer of somebody else that
        came later is not replaced but stands beside this one. ``step`` is the step's own number, where it has one
        already: what is asked for twice is done once.
        """
        from core.store.deciding import decide

        with self._lock:
            return decide(self, who, changes, seen, step)

    def undo(self, who: str, step: str | None = None) -> Sequence[Decision]:
        """Takes back the last step of ``who``; gives what it was, nothing if there is none."""
        from core.store.deciding import turn

        with self._lock:
            return turn(self, who, "undo", step)

    def redo(self, who: str, step: str | None = None) -> Sequence[Decision]:
        """Brings back the step that ``who`` undid last."""
        from core.store.deciding import turn

        with self._lock:
            return turn(self, who, "redo", step)

    # --- Runs ----------------------------------------------------------------------------------------------------------

    def problem(self) -> tuple[Problem, list[int]]:
        """The project as a problem, and the faces' numbers in its order."""
        from core.store.solving import problem

        return problem(self)

    def run(self, method: str = "rollcall", seed: int = 0, progress: Progress = silent, from_nothing: bool = False) -> Run:
        """Names all faces around what people said, and keeps the answer; if it can, it takes up the last run."""
        from core.store.solving import run

        self.database.must_write()
        return run(self, method, seed, progress, from_nothing)

    def what_changed(self) -> list[Changed]:
        """The faces that the last two runs name differently, the surest first."""
        from core.store import runs

        last = self.readable_runs()[-2:]
        if len(last) < 2:
            return []
        try:
            before, after = self.solved(last[0]), self.solved(last[1])
        except BadInput:  # the earlier one is damaged: there is nothing to compare with
            return []
        assert before is not None
        assert after is not None
        return runs.compare(before, after, self.log().merged())

    def labels(self, confirmed: bool = False, min_confidence: float = 0.0, without_nobody: bool = False) -> Labels:
        """Who is who now, as exports write it: people's answers, and the last run's for the rest."""
        from core.store.labels import labels

        return labels(self, confirmed, min_confidence, without_nobody)

    def export(
        self,
        format: str,
        path: Path,
        confirmed: bool = False,
        min_confidence: float = 0.0,
        without_nobody: bool = False,
    ) -> None:
        """Writes the project in one of ``core.formats.exports.EXPORTS``, whole or not at all; json holds everything."""
        from core.formats import everything
        from core.formats.exports import EXPORTS, export

        if format == "json":
            if confirmed or min_confidence or without_nobody:
                raise BadInput("json holds the whole project, so nothing can be left out of it; choose another format")
            everything.write(self, path)
            return
        labels = self.labels(confirmed, min_confidence, without_nobody)
        export(labels, format, path, self.embeddings() if format in EXPORTS and EXPORTS[format].needs_embeddings else None)

    # --- Review --------------------------------------------------------------------------------------------------------

    def queue(self, order: Order = "help", who: str = "", person: str | None = None) -> Queue:
        """All frames with faces, the next to look at first; see ``core/store/review.py``."""
        from core.store.review import queue

        return queue(self, order, who, person)

    def graph(self, frame: int) -> Graph:
        """One frame with its faces, its names and the links between them."""
        from core.store.graph import graph

        return graph(self, frame)

    def timeline(self) -> Timeline:
        """When each frame is."""
        from core.store.timeline import timeline

        with self._lock:
            key = self.database.one("SELECT max(id) FROM frame")  # frames only ever come
            if self._timeline is None or key != self._timeline_key:
                self._timeline, self._timeline_key = timeline(self), key
            return self._timeline

    def why(self, face: int) -> str:
        """In a few words, why the queue asks about a face."""
        from core.store.review import why

        return why(self, face)

    def people(self) -> list[Person]:
        """All names with their faces, the surest first; those with most faces come first."""
        from core.store.now import people

        return people(self)

    def strangers(self) -> list[Person]:
        """Unnamed people who return, those with most faces first."""
        from core.store.now import strangers

        return strangers(self)

    def skip(self, who: str, frame: int) -> None:
        """Puts a frame behind the others for ``who``."""
        self.database.run("INSERT OR REPLACE INTO skip (frame, who, at) VALUES (?, ?, ?)", (frame, who, now()))

    def place(self, who: str) -> int | None:
        """The frame where ``who`` left off."""
        rows = self.database.rows("SELECT frame FROM place WHERE who = ?", (who,))
        return int(rows[0][0]) if rows else None

    def set_place(self, who: str, frame: int) -> None:
        """Notes the frame where ``who`` is; whoever only looks leaves no note."""
        if self.database.read_only:
            return
        self.database.run("INSERT OR REPLACE INTO place (who, frame) VALUES (?, ?)", (who, frame))

    def annotators(self) -> list[str]:
        """All people who decided something."""
        return sorted({entry.who for entry in self.log().entries} - {ROLLCALL})

    def agreement(self, one: str, other: str) -> tuple[int, float | None]:
        """On how many faces both answered, and Cohen's kappa there (None where it is not defined)."""
        from core.store.review import agreement

        return agreement(self, one, other)

    # --- Leaving and joining -------------------------------------------------------------------------------------------

    def remove_person(self, name: str) -> int:
        """Removes a person for good; gives how many faces went. See ``core/store/removal.py``."""
        from core.store.removal import remove_person

        with self._lock:
            return remove_person(self, name)

    @staticmethod
    def remove(folder: Path) -> None:
        """Removes a whole project for good."""
        from core.store.removal import remove_project

        remove_project(folder.expanduser().absolute())

    def merge(self, other: Project) -> Merged:
        """Takes the decisions of another copy of this project in."""
        from core.store.merging import merge

        with self._lock:
            return merge(self, other)
