"""What the review page asks of a project and notes in it: which frame comes next, what is in it, what a click means."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from core.review.explain import Explanation
from core.store.add_source import ROLLCALL
from core.store.decisions import answering
from core.store.decisions.log import Change, Decision
from core.store.reader import Reader
from core.store.tables import assignment_table, bookmark_table, name_table
from core.store.views import frame_queue, graph, questions
from core.store.views.frame_queue import Order, Queue
from core.store.views.graph import Graph
from core.store.views.questions import Question

NUMBERS = 9  # keys
OFTEN = 0.04  # of all mentions of a film with more names than keys: who is named less has no key of their own


@dataclass(frozen=True, eq=False)
class Review:
    reader: Reader
    keys: dict[int, tuple[object, dict[str, int]]] = field(default_factory=dict)  # by source, with what they follow from

    # --- What to look at ---

    def queue(self, order: Order = "help", who: str = "", person: str | None = None, unknown: bool = False) -> Queue:
        """All frames with faces, the next to look at first; see ``frame_queue.py``. Whoever was given frames sees these."""
        given = assignment_table.frames_of(self.reader.database, who) if who else []
        skips = bookmark_table.skipped(self.reader.database, who)
        found = frame_queue.queue(self.reader, skips, order, person, unknown, every=bool(given))
        if not given:
            return found
        mine = np.isin(found.frame, given)
        return Queue(found.frame[mine], found.face[mine], found.open[mine], found.skipped[mine], found.place[mine])

    def graph(self, frame: int) -> Graph:
        """One frame with its faces, its names and the links between them."""
        return graph.graph(self.reader, frame)

    def questions(self) -> list[Question]:
        """What to ask next, best first; see ``questions.py``."""
        return questions.questions(self.reader.current_labels(), self.reader.log(), self.reader.solved())

    def answers_left(self) -> int:
        """About how many answers are missing until 99 % of the faces are right."""
        return questions.answers_left(self.reader.current_labels(), self.reader.log(), self.reader.solved())

    def why(self, face: int) -> str:
        """In a few words, why the queue asks about a face."""
        return frame_queue.why(self.reader.log(), self.reader.solved(), face)

    def explain(self, face: int) -> Explanation | None:
        """The evidence behind a face's name; None if no run knows the face."""
        explainer = self.reader.explainer()
        return None if explainer is None else explainer.explain(face)

    def number_keys(self, source: int) -> dict[str, int]:
        """The names of a film that have a number key of their own, the same on all its frames: those that captions name
        most, then those that people typed."""
        log, database = self.reader.log(), self.reader.database
        state = (log.names_changed, len(log.original), name_table.mentions_state(database))
        if self.keys.get(source, (None, {}))[0] != state:
            many = Counter(dict.fromkeys(sorted({log.root(name) for name in log.original} - log.removed), 0))
            for name, heard in name_table.count_mentions(database, source):
                many[log.root(name)] += heard
            least = OFTEN * many.total() if len(many) > NUMBERS else 0.0
            often = [name for name in sorted(many, key=lambda name: (-many[name], name))[:NUMBERS] if many[name] >= least]
            self.keys[source] = (state, {log.text(name): key for key, name in enumerate(often, start=1)})
        return self.keys[source][1]

    # --- Where somebody is ---

    def skip(self, who: str, frame: int) -> None:
        """Puts a frame behind the others for ``who``."""
        bookmark_table.skip(self.reader.database, who, frame)

    def skips_state(self, who: str) -> int:
        """A number that changes whenever ``who`` skips a frame."""
        return bookmark_table.skips_state(self.reader.database, who)

    def place(self, who: str) -> int | None:
        """The frame where ``who`` left off."""
        return bookmark_table.place(self.reader.database, who)

    def set_place(self, who: str, frame: int) -> None:
        """Notes the frame where ``who`` is; whoever only looks leaves no note."""
        bookmark_table.set_place(self.reader.database, who, frame)

    # --- Answers for several faces ---

    def spread(self, face: int, over: Literal["track", "person"]) -> list[Change]:
        """The face's answer for the other open faces of its track, or of the person that the last run takes it for."""
        labels, solved = self.reader.current_labels(), self.reader.solved()
        others = graph.same_track(labels, face) if over == "track" else graph.same_person(labels, solved, face)
        return answering.spread(self.reader.log(), face, others.tolist())

    def ignore(self, face: int) -> list[Change]:
        """The face is a stranger, and so is everybody whom the last run takes for the same unnamed person."""
        return answering.ignore(self.reader.current_labels(), self.reader.solved(), face)

    # --- What people did ---

    def corrected_since(self) -> int:
        """How many faces people said something about since the last run."""
        runs = self.reader.runs.runs()
        return frame_queue.corrected_since(self.reader.log(), runs[-1].version if runs else 0)

    def frame_of(self, entries: Sequence[Decision]) -> int | None:
        """The frame that a step is about; None if it is about several, or none."""
        return frame_queue.frame_of(self.reader.current_labels(), entries)

    def recent_names(self, who: str) -> list[str]:
        """The names that ``who`` gave last, the latest first."""
        return frame_queue.recent_names(self.reader.log(), who)

    def annotators(self) -> list[str]:
        """All people who decided something."""
        return sorted({entry.who for entry in self.reader.log().entries} - {ROLLCALL})

    def agreement(self, one: str, other: str) -> tuple[int, float | None]:
        """On how many faces both answered, and Cohen's kappa there (None where it is not defined)."""
        return frame_queue.agreement(self.reader.log(), one, other)
