"""Texts that try to be more than text: scripts, pictures that call home, formulas, signs that steer a terminal."""

from __future__ import annotations

from pathlib import Path

from core.store.project import Change, Project
from tests.known import known_run
from tests.made import made_project

LEAK = "leak.example"  # nobody's address: whatever is asked for there was asked for by one of these texts
NAMES = (
    "<script>window.hit=1</script>",
    '<img src=x onerror="window.hit=2">',
    '"><svg onload="window.hit=3">',
    "[a](javascript:window.hit=4)",
    f"![a](http://{LEAK}/a.png)",
    f"<img src='//{LEAK}/b.png'>",
    "</style></script></textarea></title><b>loose",
    "$\\text{x}^2$ and $$\\href{javascript:window.hit=5}{y}$$",
    f"x;background:url(http://{LEAK}/c.png)",
    "{{constructor.constructor('window.hit=6')()}}${window.hit=7}`",
    ":material/delete: :red[red] :smile: <a href='javascript:window.hit=8'>b</a>",
    "=cmd|' /C calc'!A0",
    "\x1b[31mred\x1b[0m \x9b31m \x07",
    "\u202egpj.exe \u2066x",
    "%{y}<extra></extra> &lt;b&gt;",
)
ANNOTATOR = f'<img src=x onerror="window.hit=9"> ![w](http://{LEAK}/w.png)'


def hostile_project(folder: Path) -> Project:
    """A film in which everything that can be text is one of these, with a merged name, a failed job and two runs."""
    project = made_project(folder, frames=24, names=NAMES, a_frame=3)
    title = " ".join(NAMES[:5])
    project.retitle(title)
    project.database.run("UPDATE source SET title = ?, path = ?", (f"{NAMES[1]}{NAMES[4]}.mp4", f"/films/{NAMES[4]}.mp4"))
    for face, name in enumerate(NAMES):
        project.decide(ANNOTATOR, Change("is", face=face, name=name))
    project.decide(ANNOTATOR, Change("merge", name=NAMES[0], other=NAMES[1]))
    project.decide("Ann", Change("is", face=3, name=NAMES[5]), seen=0)  # people differ
    known_run(project)
    project.database.run(
        "INSERT INTO job (kind, state, stage, done, total, started, updated, message, pid, stop)"
        " VALUES ('run', 'failed', ?, 0, 0, 0, 0, ?, 0, 0)",
        (NAMES[1], title),
    )
    return project
