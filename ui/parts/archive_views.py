"""What the archive page shows, as HTML: films with their states, people with their times, faces that look alike."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from urllib.parse import urlencode

from core.jobs.archive.search import Archive, Film, Hit, OnScreen, ProjectState, Somebody, State
from core.records import clock
from ui.parts.pictures import picture
from ui.parts.words import counted, duration

WORDS: dict[State, str] = {"waiting": "waiting", "running": "running", "done": "done", "failed": "failed"}
Faces = Mapping[tuple[str, str], tuple[str, int]]  # a project and the number of a face in it, by name and project
SHOWN: tuple[State, ...] = ("done", "failed", "running")  # in the bar


def text(words: str) -> str:
    return escape(words)


def link(page: str, words: str, **parameters: str) -> str:
    """A link to a page of the app; ``words`` are HTML."""
    return f'<a href="/{page}?{escape(urlencode(parameters))}" target="_self">{words}</a>'


def back(archive: str, view: str, words: str) -> str:
    return f"<p class='archive-back'>{link('archive', f'‹ {escape(words)}', archive=archive, view=view)}</p>"


def data_url(jpeg: bytes) -> str:
    return "data:image/jpeg;base64," + base64.b64encode(jpeg).decode()


def crop(path: Path | None) -> str:
    return picture(path)


# --- Films -------------------------------------------------------------------------------------------------------------


def progress(counts: Mapping[State, int], going: bool) -> str:
    """How far all films are, in one bar and one line."""
    total = max(1, sum(counts.values()))
    parts = "".join(f"<i class='is-{state}' style='width:{100 * counts[state] / total:.2f}%'></i>" for state in SHOWN)
    rest = [f" · {many:,} {WORDS[state]}" for state, many in counts.items() if many and state != "done"]
    work = "" if going or not counts["waiting"] + counts["running"] else " · nobody is at work; go on with rollcall archive"
    label = f"{counts['done']:,} of {counted(sum(counts.values()), 'film')} done"
    said = f"{label}{''.join(rest)}{work}"
    return f"<div class='archive-bar' role='img' aria-label='{label}'>{parts}</div><p class='quiet'>{said}</p>"


def films(archive: str, listed: Sequence[Film], projects: Mapping[str, ProjectState]) -> str:
    if not listed:
        return "<p class='quiet'>There is no such film.</p>"
    rows = "".join(_film(archive, film, projects.get(film.project)) for film in listed)
    head = "<tr><th>Film</th><th>Project</th><th>State</th><th>What came in</th></tr>"
    return f"<table class='archive-films'><thead>{head}</thead><tbody>{rows}</tbody></table>"


def _film(archive: str, film: Film, project: ProjectState | None) -> str:
    title = escape(project.title if project else film.project)
    there = film.state == "done" or (project is not None and project.state == "done")
    where = link("who", title, project=f"{archive}/{film.project}") if there else title
    share = ""
    if film.state == "running" and film.pieces:
        wide = 100 * film.looked / film.pieces
        said = f"{film.looked} of {film.pieces} pieces"
        share = f"<div class='archive-share' title='{said}'><i style='width:{wide:.0f}%'></i></div>"
    named = project.message if film.state == "done" and project is not None else ""
    came = film.message if film.state in ("done", "failed") else ""
    say = "; ".join(text for text in (named, came) if text)
    told = f"{escape(named)}<br><span class='quiet'>{escape(came)}</span>" if named else escape(came)
    return (
        f"<tr class='is-{film.state}'><td title='{escape(str(film.path))}'>{escape(film.path.name)}</td><td>{where}</td>"
        f"<td><span class='archive-state'>{WORDS[film.state]}</span>{share}</td>"
        f"<td title='{escape(say)}'>{told}</td></tr>"
    )


# --- People ------------------------------------------------------------------------------------------------------------


def face(archive: Archive, found: tuple[str, int] | None) -> str:
    """A face that can be looked for in all films; a silhouette where there is none."""
    if found is None:
        return f'<img src="{picture(None)}" alt="">'
    shown = f'<img src="{picture(archive.crop(*found))}" alt="who looks like this?" title="Who looks like this?">'
    return link("archive", shown, archive=archive.folder.name, view="find", face=f"{found[0]}:{found[1]}")


def people(archive: Archive, found: Sequence[Somebody], faces: Faces) -> str:
    most = max(one.seconds for one in found) or 1.0
    rows = "".join(
        f"<li>{face(archive, faces.get((one.name, '')))}<div>"
        f"{link('archive', escape(one.name), archive=archive.folder.name, view='people', person=one.name)}"
        f"<div class='archive-share'><i style='width:{100 * one.seconds / most:.1f}%'></i></div>"
        f"<span class='quiet'>{duration(one.seconds)} in {counted(one.projects, 'project')}</span></div></li>"
        for one in found
    )
    return f"<ul class='archive-people'>{rows}</ul>"


def on_screen(archive: Archive, name: str, who: Somebody | None, seen: Sequence[OnScreen], faces: Faces) -> str:
    """The times of one person, film by film, each as long as its film."""
    by_film: dict[tuple[str, str, str], list[OnScreen]] = {}
    for one in seen:
        by_film.setdefault((one.project, one.title, one.source), []).append(one)
    said = f"on screen {duration(who.seconds)} in {counted(who.projects, 'project')}" if who else "never on screen"
    portrait = face(archive, faces.get((name, "")))
    head = f"<div class='archive-asked'>{portrait}<div><h2 class='archive-who'>{escape(name)}</h2><p>{said}</p></div></div>"
    films = [film for project in {project for project, _, _ in by_film} for film in archive.states.of_project(project)]
    length = {(film.project, film.path.name): film.duration for film in films}
    return head + "".join(
        f"<div class='archive-times'>{face(archive, faces.get((name, film[0])))}"
        + _in_film(archive.folder.name, *film, times, length.get((film[0], film[2]), 0.0))
        + "</div>"
        for film, times in by_film.items()
    )


def _in_film(archive: str, project: str, title: str, source: str, times: Sequence[OnScreen], length: float) -> str:
    end = max(length, *(one.stop for one in times))
    marks = "".join(
        f"<i style='left:{100 * one.start / end:.2f}%;width:{max(0.4, 100 * (one.stop - one.start) / end):.2f}%'"
        f" title='{clock(one.start)} to {clock(one.stop)}'></i>"
        for one in times
    )
    said = ", ".join(f"{clock(one.start)}–{clock(one.stop)}" for one in times[:12]) + (" …" if len(times) > 12 else "")
    where = link("people", escape(title), project=f"{archive}/{project}", person=times[0].name)
    return (
        f"<div><b>{where} · {escape(source)}</b>"
        f"<div class='archive-line' role='img' aria-label='{said}'>{marks}</div><span class='quiet'>{said}</span></div>"
    )


# --- Who is this? ------------------------------------------------------------------------------------------------------


def asked(crop_of: str, many: int, seconds: float) -> str:
    said = f"{counted(many, 'face')} look alike" if many else "nobody looks alike"
    return (
        f"<div class='archive-asked'><img src=\"{crop_of}\" alt='the face that is looked for'>"
        f"<p>{said} <span class='quiet'>{1000 * seconds:.0f} ms</span></p></div>"
    )


def hits(archive: Archive, found: Sequence[Hit]) -> str:
    """Faces that look alike, the most alike first; each leads to its film, and can be looked for itself."""
    name = archive.folder.name
    tiles = "".join(
        "<figure>"
        + link(
            "archive",
            f'<img src="{picture(archive.crop(hit.face.project, hit.face.face))}" alt="">',
            archive=name,
            view="find",
            face=f"{hit.face.project}:{hit.face.face}",
        )
        + f"<figcaption><b>{escape(hit.face.name or 'unknown')}</b> {100 * hit.cosine:.0f} %<br>"
        + link("who", escape(hit.face.title), project=f"{name}/{hit.face.project}")
        + (f" at {clock(hit.face.time)}" if hit.face.time is not None else "")
        + "</figcaption></figure>"
        for hit in found
    )
    return f"<div class='archive-hits'>{tiles}</div>"


# --- Export all --------------------------------------------------------------------------------------------------------


def exports(found: Sequence[tuple[Path, int]], total: int) -> str:
    rows = "".join(
        f"<li><code>{escape(str(path))}</code> <span class='quiet'>{many:,} of {counted(total, 'project')}</span></li>"
        for path, many in found
    )
    return f"<ul class='archive-exports'>{rows}</ul>" if rows else ""
