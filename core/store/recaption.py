"""Other captions for frames that are in the project already. What people said, about faces and names, stays as it is."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from core.problem import check_writable
from core.records import NewCaption, NewMerge
from core.store.add_source import ROLLCALL, spelling
from core.store.decisions.log import Change
from core.store.decisions.log_writer import decide
from core.store.reader import Reader
from core.store.tables import frame_table, name_table, track_table

Speaks = Mapping[int, Sequence[tuple[str, float]]]  # by track, names that a mouth speaks for, as log-odds


def recaption(
    reader: Reader, captions: Sequence[NewCaption], merges: Sequence[NewMerge], evidence: Mapping[int, Speaks]
) -> None:
    """Replaces captions and the names in them, all or none. ``evidence`` is given anew for each film (by its number)."""
    database, logs = reader.database, reader.logs
    with database.transaction():
        texts = [mention.name for one in captions for mention in one.mentions]
        texts += [name for speaks in evidence.values() for some in speaks.values() for name, _ in some]
        for text in dict.fromkeys(texts):
            check_writable(text)
        names = {text: spelling(logs, text) for text in dict.fromkeys(texts)}
        frame_table.set_captions(database, [(one.caption, one.frame) for one in captions])
        name_table.remove_mentions(database, [one.frame for one in captions])
        rows = [(one.frame, mention) for one in captions for mention in one.mentions]
        name_table.insert_mentions(
            database,
            [(frame, names[m.name], place, json.dumps(m.spans), m.kind) for place, (frame, m) in enumerate(rows)],
        )
        for source, speaks in evidence.items():
            track_table.remove_evidence(database, source)
            track_table.insert_evidence(
                database, [(track, names[text], odds) for track, some in speaks.items() for text, odds in dict(some).items()]
            )
        changes = [Change("merge", name=merge.name, other=merge.into) for merge in merges if merge.name != merge.into]
        if changes:
            decide(logs, ROLLCALL, changes)
    reader.forget_explainer()
