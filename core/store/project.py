"""A project: one folder with everything that is known about some videos or pictures, and every decision people made.

    folder/project.sqlite   faces, frames, names, the log of decisions, the list of runs
    folder/embeddings.f32   one row a face, memory-mapped
    folder/crops, frames    JPEG
    folder/runs             the answers of each run
    folder/cache            what ingest and runs need not compute twice; may be deleted at any time

Several processes may work on one project. A decision is on the disk when ``decide`` returns.

This is the store's front door: the only module of ``core/store`` that others use. It holds no logic of its own.
"""

from __future__ import annotations

import getpass
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

from core.problem import FloatArray, Problem
from core.progress import Progress, silent
from core.records import (
    Box,
    Face,
    Frame,
    Labels,
    Mention,
    NewCaption,
    NewFrame,
    NewLine,
    NewMerge,
    NewSource,
    Source,
    SourceLine,
    Track,
)
from core.solve import Solution
from core.store import add_source, everything, exporting, files, nicknames, recaption, removal, remove_source, sources
from core.store.add_source import ROLLCALL
from core.store.decisions import answering, log_writer
from core.store.decisions.log import Change, Decision, Log, Standing
from core.store.decisions.merge import Merged, merge
from core.store.files import UPLOADS, erase, read_file
from core.store.first_start import seed_demo
from core.store.library.asking import KnownPeople
from core.store.library.likeness import Likely
from core.store.library.shelf import KnownPerson, Library
from core.store.nicknames import Joined
from core.store.opening import create_folder, open_folder
from core.store.reader import Reader
from core.store.runs import as_problem, solving
from core.store.runs.answers import Changed, Counts, Solved
from core.store.runs.comparison import LAST, Compared, Comparison, Judged
from core.store.runs.solving import Question
from core.store.tables import face_table, project_table, source_table, track_table
from core.store.tables.database import RESCUE, Damaged, Database, count
from core.store.tables.project_table import Fact
from core.store.tables.run_table import Run
from core.store.views.appearances import Appearances, Together
from core.store.views.current_labels import CONFIRMED, CONFLICT, CORRECTED, OPEN, UNKNOWN, CurrentLabels
from core.store.views.frame_queue import ORDERS, Order, Queue
from core.store.views.graph import FaceLinks, Graph, Said
from core.store.views.group_looks import Pair
from core.store.views.group_names import Suggestion
from core.store.views.groups import Group, Groups, Known, Overview
from core.store.views.people import DOUBT, People, Person
from core.store.views.review import Review
from core.store.views.team import Day, Difference, Member, Team
from core.store.views.timeline import Timeline

__all__ = [
    "CONFIRMED", "CONFLICT", "CORRECTED", "DOUBT", "LAST", "OPEN", "ORDERS", "ROLLCALL", "UNKNOWN", "UPLOADS",
    "Appearances", "Change", "Changed", "Compared", "Counts", "CurrentLabels", "Damaged", "Day", "Decision", "Difference",
    "FaceLinks", "Graph", "Group", "Joined", "Judged", "Known", "KnownPerson", "Library", "Likely", "Log", "Member", "Order",
    "Overview", "Pair", "Person", "Project", "Question", "Queue", "Run", "Said", "Solved", "Standing", "Suggestion",
    "Timeline", "Together", "answering", "erase", "read_file", "seed_demo", "system_user",
]  # fmt: skip


NOTHING: Mapping[int, recaption.Speaks] = {}


def system_user() -> str:
    """Who decides when nobody typed a name."""
    try:
        return getpass.getuser()
    except (OSError, KeyError):  # a container's user may have no name
        return "somebody"


class Project:
    """Open it with ``Project.open``, make it with ``Project.create``.

    ``reader`` reads what it holds, ``review`` is what the review page asks, ``people`` who is in it, ``groups`` who has
    no name yet, ``library`` whom the people library knows, ``comparison`` puts methods side by side. What changes the
    project, and what is read most, can be asked of the project itself.
    """

    def __init__(self, folder: Path, database: Database, viewer: str = "") -> None:
        self.folder, self.database = folder, database
        self.reader = Reader(folder, database, viewer)
        self.review, self.people, self.comparison = Review(self.reader), People(self.reader), Comparison(self.reader)
        self.library = KnownPeople(self.reader)
        self.team, self.groups = Team(self.reader), Groups(self.reader, self.library)

    @staticmethod
    def create(folder: Path, title: str = "") -> Project:
        """A new, empty project in ``folder``, which must not hold anything yet."""
        folder = folder.expanduser().absolute()
        project = Project(folder, create_folder(folder))
        project_table.create(project.database, title.strip() or folder.name)
        return project

    @staticmethod
    def open(folder: Path, viewer: str = "") -> Project:
        """The project in ``folder``; of a damaged one what can be saved, to be read and not written (see ``damage``).

        As ``viewer`` sees it: without what others said on frames that are answered blind.
        """
        folder = folder.expanduser().absolute()
        return Project(folder, open_folder(folder), viewer)

    @staticmethod
    def from_json(path: Path, folder: Path) -> Project:
        """The project that a JSON export holds, made in ``folder``, whole or not at all."""
        everything.read(path, folder.expanduser().absolute())
        return Project.open(folder)

    @staticmethod
    def remove(folder: Path) -> None:
        """Removes a whole project for good."""
        removal.remove_project(folder.expanduser().absolute())

    def close(self) -> None:
        self.database.close()

    def __enter__(self) -> Project:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    # --- The project itself --------------------------------------------------------------------------------------------

    @property
    def title(self) -> str:
        return str(self.fact("title"))

    @property
    def cache(self) -> Path:
        return self.folder / files.CACHE

    def cast_picture(self, name: str) -> Path | None:
        """The cast sheet's picture of a name, if there is one."""
        path = files.cast_path(self.folder, name)
        return path if path.is_file() else None

    @property
    def damage(self) -> str:
        """What is wrong with a project of which only a part could be saved; empty for a sound one."""
        if not self.database.read_only:
            return ""
        saved = f"{self.count('frame')} frames, {self.count('face')} faces, {self.count('decision')} decisions"
        return f"The project's database is damaged. What could be saved can be looked at ({saved}), not changed; {RESCUE}."

    def troubles(self) -> list[str]:
        """What people must know before they go on: damage, and a run whose answer is lost."""
        lost = ["The answer of the last run is lost or damaged; run again."] if self.reader.runs.is_last_lost() else []
        return [self.damage, *lost] if self.damage else lost

    def fact(self, what: Fact) -> Any:
        """A column of the project's own row."""
        return project_table.fact(self.database, what)

    def count(self, table: str) -> int:
        """How many rows a table has."""
        return count(self.database, table)

    def opened(self) -> None:
        """Notes that somebody opened the project now."""
        project_table.set_opened(self.database)

    def retitle(self, title: str) -> None:
        project_table.set_title(self.database, title)

    def setting(self, name: str, default: str = "") -> str:
        return project_table.setting(self.database, name, default)

    def set_setting(self, name: str, value: str) -> None:
        project_table.set_setting(self.database, name, value)

    # --- What it holds: see ``Reader`` ---------------------------------------------------------------------------------

    def sources(self) -> list[Source]:
        return self.reader.sources()

    def frames(self, ids: Sequence[int] | None = None) -> list[Frame]:
        return self.reader.frames(ids)

    def faces(self, frame: int | None = None, ids: Sequence[int] | None = None) -> list[Face]:
        return self.reader.faces(frame, ids)

    def mentions(self, frame: int) -> tuple[Mention, ...]:
        return self.reader.mentions([frame]).get(frame, ())

    def names(self) -> list[str]:
        return self.reader.names()

    def lines(self, source: int | None = None, at: float | None = None) -> list[SourceLine]:
        return self.reader.lines(source, at)

    def embeddings(self) -> FloatArray:
        return self.reader.embeddings()

    def tracks(self, source: int) -> list[Track]:
        return track_table.read(self.database, source)

    def log(self) -> Log:
        return self.reader.log()

    def runs(self, number: int | None = None) -> list[Run]:
        return self.reader.runs.runs(number)

    def solved(self, run: Run | None = None) -> Solved | None:
        return self.reader.solved() if run is None else self.reader.runs.solved(run)

    def what_changed(self) -> list[Changed]:
        return self.reader.runs.changes()

    def current_labels(self) -> CurrentLabels:
        return self.reader.current_labels()

    def timeline(self) -> Timeline:
        return self.reader.timeline()

    # --- Sources -------------------------------------------------------------------------------------------------------

    def to_play(self, source: Source) -> Path:
        """Where a film lies that is to be shown; a moved one is found again, and it must be the file that was added."""
        return sources.locate_to_play(self.database, self.folder, source)

    def relocate(self, source: int, path: Path) -> None:
        """Notes where a moved source lies now; it must be the same file."""
        sources.relocate(self.database, source, path)

    def forget_source_folders(self) -> None:
        """Notes sources by their titles alone: they are found beside the project, wherever it is copied to."""
        source_table.forget_folders(self.database)

    def add(self, source: NewSource, frames: Iterable[NewFrame], embedder: str = "", merges: Sequence[NewMerge] = ()) -> int:
        """Adds a source with its frames and faces, whole or not at all; gives its number."""
        return add_source.add_source(self.reader.logs, self.folder, source, frames, embedder, merges)

    def add_face(
        self, who: str, frame: int, box: Box, embedding: FloatArray, crop: bytes | None, step: str | None = None
    ) -> int:
        """Adds a face that the detector missed; gives its number."""
        return add_source.add_face(self.reader.logs, self.folder, who, frame, box, embedding, crop, step)

    def recaption(
        self,
        captions: Sequence[NewCaption],
        merges: Sequence[NewMerge] = (),
        evidence: Mapping[int, recaption.Speaks] = NOTHING,
    ) -> None:
        """Replaces captions of frames and the names in them; decisions stay. See ``recaption.py``."""
        recaption.recaption(self.reader, captions, merges, evidence)

    def set_heard(self, source: int, lines: Sequence[NewLine]) -> None:
        """Keeps with a source what was heard in it, in place of what was heard before."""
        sources.set_heard(self.database, source, lines)

    def set_summary(self, source: int, summary: dict[str, object]) -> None:
        """Keeps with a source what came in with it."""
        sources.set_summary(self.database, source, summary)

    def remove_source(self, who: str, source: int) -> int:
        """Takes a source out for good; gives how many faces went. See ``remove_source.py``."""
        return remove_source.remove_source(self.reader, who, source)

    def set_truth(self, truth: Mapping[int, str]) -> None:
        """Notes who faces really are, where that is known ("" for nobody): runs then say how many they got right."""
        face_table.set_truth(self.database, truth)

    # --- Decisions -----------------------------------------------------------------------------------------------------

    def decide(self, who: str, *changes: Change, seen: int | None = None, step: str | None = None) -> str:
        """Writes one step, all of its changes or none; it is on the disk when this returns. See ``log_writer.py``."""
        return log_writer.decide(self.reader.logs, who, changes, seen, step)

    def undo(self, who: str, step: str | None = None) -> Sequence[Decision]:
        """Takes back the last step of ``who``; gives what it was, nothing if there is none."""
        return log_writer.turn(self.reader.logs, who, "undo", step)

    def redo(self, who: str, step: str | None = None) -> Sequence[Decision]:
        """Brings back the step that ``who`` undid last."""
        return log_writer.turn(self.reader.logs, who, "redo", step)

    def remove_person(self, name: str) -> int:
        """Removes a person for good; gives how many faces went. See ``removal.py``."""
        return removal.remove_person(self.reader, name)

    def join_nicknames(self) -> list[Joined]:
        """Joins nicknames in captions with their people, where captions and faces agree; gives those that are new."""
        return nicknames.join_nicknames(self.reader)

    def nicknames(self) -> list[Joined]:
        """The nicknames that were joined and are still."""
        return nicknames.joined(self.reader)

    def merge(self, other: Project) -> Merged:
        """Adds the decisions of another copy of this project."""
        return merge(self.reader, other.reader)

    # --- Runs and exports ----------------------------------------------------------------------------------------------

    def problem(self) -> tuple[Problem, list[int]]:
        """The project as a problem, and the faces' numbers in its order."""
        problem, face = as_problem.problem(self.reader)
        return problem, face.tolist()

    def run(self, method: str = "rollcall", seed: int = 0, progress: Progress = silent, cold: bool = False) -> Run:
        """Names all faces around what people said, and keeps the answer; if it can, it starts from the last run."""
        self.database.must_write()
        return solving.run(self.reader, method, seed, progress, cold)

    def question(self) -> Question:
        """What a run asks a method, for one that is computed elsewhere; ``keep_run`` takes its answer."""
        return solving.question(self.reader)

    def keep_run(self, asked: Question, solution: Solution, method: str, seed: int, seconds: float) -> Run:
        """Keeps an answer as a run."""
        self.database.must_write()
        return solving.keep(self.reader, asked, solution, method, seed, seconds)

    def labels(self, confirmed: bool = False, min_confidence: float = 0.0, without_nobody: bool = False) -> Labels:
        """Who is who now, as exports write it: people's answers, and the last run's for the rest."""
        return exporting.chosen_labels(self.reader, confirmed, min_confidence, without_nobody)

    def export(
        self, format: str, path: Path, confirmed: bool = False, min_confidence: float = 0.0, without_nobody: bool = False
    ) -> None:
        """Writes the project in one of ``EXPORTS``, whole or not at all; json holds everything."""
        exporting.write(self.reader, format, path, confirmed, min_confidence, without_nobody)
