"""A project on its way out: as labels in one of the formats, or whole as JSON."""

from __future__ import annotations

from pathlib import Path

from core.errors import BadInput
from core.formats.write.exports import EXPORTS, export
from core.formats.write.outgoing import filtered
from core.records import Labels
from core.store import everything
from core.store.reader import Reader
from core.store.tables import project_table
from core.store.views import labels


def chosen_labels(reader: Reader, confirmed: bool, min_confidence: float, without_nobody: bool) -> Labels:
    """Who is who now: people's answers, and the last run's for the rest; only those that were asked for."""
    title = str(project_table.fact(reader.database, "title"))
    return filtered(labels.labels(reader, title), confirmed, min_confidence, without_nobody)


def write(reader: Reader, format: str, path: Path, confirmed: bool, min_confidence: float, without_nobody: bool) -> None:
    """Writes the project in one of ``EXPORTS``, whole or not at all; json holds everything."""
    if format == "json":
        if confirmed or min_confidence or without_nobody:
            raise BadInput("json holds the whole project, so nothing can be left out of it; choose another format")
        everything.write(reader.database, reader.folder, path)
        return
    chosen = chosen_labels(reader, confirmed, min_confidence, without_nobody)
    needs_embeddings = format in EXPORTS and EXPORTS[format].needs_embeddings
    export(chosen, format, path, reader.embeddings() if needs_embeddings else None)
