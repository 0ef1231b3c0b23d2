"""The log of decisions, read from the database and kept up to date."""

from __future__ import annotations

from core.store.decisions.log import Log
from core.store.tables import decision_table, name_table
from core.store.tables.database import Database


class LogReader:
    """Reads only what was added since the last time; other processes' entries are noticed."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self._log = Log({})
        self._rollbacks = database.rollbacks

    def log(self) -> Log:
        """The log and the state that follows from it, up to date."""
        with self.database.lock:
            if self._rollbacks != self.database.rollbacks:  # it may hold what was never written
                self.forget()
            log = self._log
            for name, text in name_table.read(self.database, max(log.original, default=-1)):
                log.add_name(name, text)
            entries = decision_table.read(self.database, log.version)
            if entries:
                log.take(entries)
            return log

    def forget(self) -> None:
        """Reads all of it anew next time."""
        with self.database.lock:
            self._log, self._rollbacks = Log({}), self.database.rollbacks

    def name_number(self, text: str) -> int:
        """The number of the name that is called ``text``; a new one if there is none. Within a transaction."""
        found = self.log().find_name(text)
        if found is not None:
            return found
        number = name_table.insert(self.database, text)
        self.log()
        return number
