"""The first page: a small made-up film, who Rollcall thinks is who, and what one correction does to the rest.

The URL holds everything a reload needs: the frame, and what the person said.
"""

from __future__ import annotations

import base64
import re
from html import escape

import numpy as np
import streamlit as st

from core import NOBODY, Correction, Prediction, solve
from ui.widgets.cartoon import portrait, shot
from ui.widgets.film import ASSETS, Film, Frame
from ui.widgets.links import Face, FrameView, Link, Name, link_editor

METHOD = "rollcall"
FAINTEST = 0.1  # runner-up names with less than this share of a face's scores are not drawn

Said = tuple[tuple[int, int], ...]  # (face, name or NOBODY), ordered by face

STYLE = """<style>
.stMainBlockContainer { max-width: 1200px; padding: 26px 40px 24px; }
.stAppHeader { background: none; pointer-events: none; }
.stAppHeader * { pointer-events: auto; }
.top { display: flex; align-items: center; gap: 16px; min-height: 62px; }
.top img { width: 52px; height: 52px; flex: none; }
.top h1 { margin: 0; padding: 0; font: 600 30px/1.1 "Source Serif", serif; }
.top p { margin: 2px 0 0; opacity: .72; }
.score { margin-left: auto; flex: none; text-align: right; font-variant-numeric: tabular-nums; }
.score b { font: 600 30px/1.1 "Source Serif", serif; }
@media (max-width: 640px) { .stMainBlockContainer { padding: 20px 16px; } .top { flex-wrap: wrap; } }
</style>"""


def page() -> None:
    show(Film.read())


def show(film: Film) -> None:
    frame = film.frames[_frame_number(film) - 1]
    said = _said(film)
    solved: Said = st.session_state.setdefault("solved", said)  # what the machine has heard of; a reload tells it all
    prediction = answers(film, solved)
    _top(film, prediction, said)
    _controls(film, said, solved)
    link_editor(_view(film, frame, prediction, dict(said)), "links", lambda face, name: _say(film, face, name))


@st.cache_data(show_spinner="Naming the faces", hash_funcs={Film: lambda film: film.source})
def answers(film: Film, said: Said) -> Prediction:
    """Who is who, with everything that was said held fixed."""
    corrections = [Correction(f, "nobody") if n == NOBODY else Correction(f, "is", film.cast[n]) for f, n in said]
    return solve(film.problem(), METHOD, corrections)


def right(film: Film, prediction: Prediction, said: Said = ()) -> int:
    """How many of the faces on show have the name they should have."""
    name = prediction.name.copy()
    for face, given in said:
        name[face] = given
    return int(np.sum(name == np.array(film.truth)))


# --- The URL -----------------------------------------------------------------------------------------------------------


def _frame_number(film: Film) -> int:
    asked = st.query_params.get("frame", "1")
    return min(max(int(asked), 1), len(film.frames)) if re.fullmatch(r"[0-9]{1,6}", asked) else 1


def _said(film: Film) -> Said:
    """What stands in ``?said=5-4_12-nobody``: face 5 is name 4, face 12 is nobody. What makes no sense is left out."""
    said: dict[int, int] = {}
    for part in st.query_params.get("said", "").split("_"):
        found = re.fullmatch(r"([0-9]{1,6})-([0-9]{1,6}|nobody)", part)
        if found is None:
            continue
        face, name = int(found[1]), NOBODY if found[2] == "nobody" else int(found[2])
        if face < len(film.truth) and name < len(film.cast):
            said[face] = name
    return tuple(sorted(said.items()))


def _go(number: int) -> None:
    st.query_params["frame"] = str(number)


def _say(film: Film, face: int, name: int | None) -> None:
    said = dict(_said(film))
    said.pop(face, None)
    if name is not None and face < len(film.truth) and NOBODY <= name < len(film.cast):
        said[face] = name
    _write(tuple(sorted(said.items())))


def _write(said: Said) -> None:
    text = "_".join(f"{face}-{'nobody' if name == NOBODY else name}" for face, name in said)
    if text:
        st.query_params["said"] = text
    else:
        st.query_params.pop("said", None)


def _start_over() -> None:
    _write(())
    st.session_state["solved"] = ()


def _solve_again(said: Said) -> None:
    st.session_state["solved"] = said


# --- What is seen ------------------------------------------------------------------------------------------------------


def _top(film: Film, prediction: Prediction, said: Said) -> None:
    now, alone = right(film, prediction, said), right(film, answers(film, ()))
    corrections = f"your {len(said)} corrections" if len(said) > 1 else "your correction"
    compared = f"{alone} before {corrections}" if said else "from the captions alone"
    logo = base64.b64encode((ASSETS / "logo.svg").read_bytes()).decode()
    st.html(
        STYLE
        + f'<div class="top"><img src="data:image/svg+xml;base64,{logo}" alt=""><div><h1>Rollcall</h1>'
        + f"<p>Who is who in <em>{escape(film.title)}</em>? The captions tell.</p></div>"
        + f'<div class="score" role="status"><b>{now} of {len(film.truth)}</b> faces right'
        + f"<br><small>{compared}</small></div></div>"
    )


def _controls(film: Film, said: Said, solved: Said) -> None:
    number, last = _frame_number(film), len(film.frames)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button("Previous", key="previous", disabled=number == 1, on_click=_go, args=(number - 1,))
        st.markdown(f"Frame {number} of {last}", width=104, text_alignment="center")  # a set width: Next stays put
        st.button("Next", key="next", disabled=number == last, on_click=_go, args=(number + 1,))
        st.space("stretch")
        new = len(set(said) ^ set(solved))
        if new:
            st.caption(f"{new} change{'s' if new != 1 else ''} not yet used", width="content")
        st.button("Start over", key="over", type="tertiary", disabled=not (said or solved), on_click=_start_over)
        st.button("Solve again", key="solve", type="primary", disabled=not new, on_click=_solve_again, args=(said,))


def _view(film: Film, frame: Frame, prediction: Prediction, said: dict[int, int]) -> FrameView:
    mentioned = film.mentioned(frame)
    here = [Name(film.cast.index(name), name, True) for name in mentioned]
    elsewhere = [Name(n, name, False) for n, name in enumerate(film.cast) if name not in mentioned]
    return FrameView(
        shot=shot(frame.scene, frame.people, frame.first_face),
        caption=film.caption_parts(frame),
        faces=[Face(face, portrait(person, face)) for face, person in zip(frame.faces, frame.people, strict=True)],
        names=[*here, *elsewhere, Name(NOBODY, "Nobody", False)],
        links=[link for face in frame.faces for link in _links(prediction, face, said)],
        cast=[(name, portrait(n, n)) for n, name in enumerate(film.cast)],
        cast_note="The cast, so that you can judge. Rollcall is not told.",
    )


def _links(prediction: Prediction, face: int, said: dict[int, int]) -> list[Link]:
    if face in said:
        return [Link(face, said[face], 1.0, said=True, best=True)]
    scores = prediction.scores
    mine = scores.face == face
    share = scores.score[mine] / max(float(scores.score[mine].sum()), 1e-9)
    best = int(prediction.name[face])
    return [Link(face, best, float(prediction.confidence[face]), said=False, best=True)] + [
        Link(face, int(name), float(part), said=False, best=False)
        for name, part in zip(scores.name[mine], share, strict=True)
        if name != best and part >= FAINTEST
    ]
