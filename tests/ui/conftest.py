"""Pages that are opened without a browser warm up no process for a run that may come: it takes seconds."""

import pytest

from core.jobs import engine


@pytest.fixture(autouse=True)
def nothing_kept_ready(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "keep_ready", lambda: None)
