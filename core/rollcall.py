"""The default solver: a posterior over *persons*, that is the names, the unnamed persons who return, and somebody new.

One round, all of it estimated from the answer so far:

- pictures: does a face look like person k's other faces, or like somebody new (``evidence.Looks``);
- captions: is k named beside it, and does that tell anything (``evidence.rates``);
- frames: a person is seen once in a frame, softly (``assign.frame_marginals``).

Every few rounds persons are looked at as wholes (``persons.look_at_persons``).

All of this is done in two *views*: with all of a face's directions, and with most of them. What only one of them sees
deserves doubt, above all whole persons; so the answer is their mean. The graph's autoencoder, which makes each face's links
to names anew from the links of all other faces (``reconstruct.reconstructed``), has half of it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from core.corrections import Bound
from core.evidence import Picture, Rates, see
from core.labels import named_faces
from core.members import Sparse, beside, size_of, sparse, times
from core.persons import Crowd, look_at_persons
from core.problem import FloatArray, IntArray, Problem
from core.progress import Progress
from core.reconstruct import encoded, reconstructed
from core.scoring import Belief, Candidates, Scene, Scores, in_frames, likeliest, obey, passers_by, trusted
from core.strangers import leaders
from core.warm import State, View, changed, rerun


@dataclass(frozen=True)
class Settings:
    """One set of values for all problems."""

    rounds: int = 24
    looks: tuple[int, ...] = (3, 7, 11, 15, 19)  # rounds after which persons are looked at as wholes
    neighbours: int = 10  # look-alikes a face is linked to
    dimensions: int = 128  # principal directions kept
    views: tuple[float, ...] = (1.0, 0.875)  # and how many of those each view is of; the answer is the mean of all views
    autoencoder: float = 1 / 2  # the autoencoder's share of the answer
    candidates: int = 24  # persons considered for a face
    salt_first: float = 0.8  # a picture's log-odds are taken times this at first,
    salt: float = 0.6  # times this in the end (a person's faces are not independent),
    cool: float = 12.0  # after so many rounds
    twice: float = 0.02  # how readily a person is seen twice in one frame
    rho_strength: float = 30.0  # faces' worth of belief that a name's rho is the common one
    fit_strength: float = 8.0  # the same when whole persons are judged
    scatter_prior: float = 0.3  # pull of the scatter within persons towards a plain one; 1 learns nothing
    tail: float = 2.5  # nats by which "new" must win before a face stops counting for the scatter
    name_cap: float = 1.5  # a name's prior is at most so many faces for each of its mentions
    coherence: float = 3.0  # log-odds a new stranger needs against being different people
    alike: float = 0.3  # how alike, of their own coherence, a stranger and a name must be to merge
    label_salt: float = 1.2  # trust in the captions' verdict on whole persons
    split: float = 1.5  # standard deviations at which unmentioned faces are no longer the mentioned person
    absence: bool = True  # a caption speaks by what it leaves out, too
    strangers: bool = True  # unnamed persons who return compete with the names
    part: bool = True  # persons that look like two are parted
    labels: bool = True  # confidence counts how sure a whole person's name is
    second_look: float = 0.05  # how readily a person who is named comes as two persons, because it looks so different
    unusual: bool = True  # a person who is named may come in such a second look, or in a single unusual face


MANY = 1 << 23  # from so many (face, person) pairs on, a face's candidates stand until persons are looked at as wholes
DEFAULTS = Settings()
WITHOUT: dict[str, dict[str, Any]] = {  # what each part is worth is seen by taking it out
    "absence": {"absence": False},
    "exclusivity": {"twice": 1.0},
    "strangers": {"strangers": False},
    "parting": {"part": False},
    "learning": {"scatter_prior": 1.0},
    "labels": {"labels": False},
    "unusual": {"unusual": False},
    "views": {"views": (1.0,)},
    "autoencoder": {"autoencoder": 0.0},
}


@dataclass(frozen=True, eq=False)
class Posterior:
    """Who is who, as probabilities, and what explains them."""

    names: Sparse  # faces × names
    nobody: FloatArray  # faces; names and nobody sum to 1, but for names too faint to list
    persons: Sparse  # faces × persons: the names first, then unnamed persons who return
    neighbours: IntArray  # faces × look-alikes in other groups, nearest first
    cosine: FloatArray  # how alike those are
    rho: FloatArray  # by name: how often a visible person is named
    beta: FloatArray  # by name: how often an absent one is
    state: State | None = None  # what a rerun takes up


def rollcall(
    problem: Problem,
    bound: Bound,
    seed: int,
    progress: Progress,
    settings: Settings = DEFAULTS,
    state: State | None = None,
) -> Posterior:
    """Names the faces of ``problem`` around what people said.

    ``state`` is how a run from nothing on the same faces and captions ended, perhaps with other answers of people; it is
    taken up from there if little else is said now.
    """
    face = None if state is None else changed(state, problem, bound)
    if state is not None and face is not None:
        scene = Scene.around(problem, bound, state.faces, state.alike, settings)
        views = [
            rerun(one, view, state.names, problem.names, face, part(progress, k, len(state.views)))
            for k, (one, view) in enumerate(zip(scene.views(), state.views, strict=True))
        ]
        return _mean_of(scene, views, state)
    scene = Scene.build(problem, bound, seed, settings)
    if not scene.faces.any():  # all faces are the same: captions alone speak, and would only talk themselves into certainty
        belief = first_guess(scene)
        return _posterior(scene, _held(scene, belief.members), belief, scene.rates(belief), None)
    seen = scene.views()
    views = [settle(one, part(progress, k, len(seen))) for k, one in enumerate(seen)]
    return _mean_of(scene, views, State(problem.names, bound, scene.faces, scene.alike, tuple(views)))


def part(progress: Progress, number: int, many: int) -> Progress:
    """The progress of one view of many."""

    def told(stage: str, done: int, total: int, value: float | None = None) -> None:
        progress(stage, number * total + done, many * total, value)

    return told


def settle(scene: Scene, progress: Progress) -> View:
    """A run from nothing: rounds until it is settled who is who."""
    settings, belief = scene.settings, first_guess(scene)
    typical = scene.alike.typical(scene.faces)
    picture = see(scene.faces, belief.members, settings.scatter_prior, typical)
    if settings.strangers:
        belief = first_strangers(scene, belief, picture)
    candidates: Candidates | None = None
    for turn in range(settings.rounds):
        if turn < 8 or turn % 3 == 0:
            picture = see(scene.faces, trusted(belief, settings.tail), settings.scatter_prior, typical)
        rate, many = scene.rates(belief), belief.members.shape[1]
        scores = Scores.of(scene, belief, picture, rate, turn)
        if candidates is not None and turn > 3 and len(scene.faces) * many > MANY:
            candidates = candidates.scored(scores)
        else:
            candidates = likeliest(scene, scores.rows, many, scores.new)
        belief = in_frames(scene, candidates, many, scores.new, rate)
        if settings.strangers and turn in settings.looks:
            crowd = Crowd.of(scene, picture, rate)
            belief, candidates = obey(scene, Belief.of(look_at_persons(belief.members, belief.new, crowd))), None
        elif turn % 3 == 2:
            gone = passers_by(belief.members, scene.names)
            belief, candidates = Belief.of(belief.members[:, ~gone]), candidates.without(gone)
        progress("people", turn + 1, settings.rounds, belief.sure())
    return View(belief, picture, rate)


def _mean_of(scene: Scene, views: list[View], state: State) -> Posterior:
    """The mean of what the views and the autoencoder say; who is one person, the first view says."""
    answers = [_answer(scene, view) for view in views]
    names, nobody = answers[0].members, answers[0].new
    for answer in answers[1:]:
        names, nobody = sparse(names + answer.members), nobody + answer.new
    names, nobody = sparse(names / len(views)), nobody / len(views)
    if share := scene.settings.autoencoder:
        code = encoded(scene.faces) if state.code is None else state.code
        names = sparse((1 - share) * names + share * reconstructed(code, scene.alike, names))
        state = replace(state, code=code) if state.code is None else state
    return _posterior(scene, Belief(names, nobody), views[0].belief, views[0].rate, state)


def _answer(scene: Scene, view: View) -> Belief:
    if not scene.settings.labels:
        return _held(scene, view.belief.members)
    return _held(scene, *named_faces(view.belief.members, Crowd.of(scene, view.picture, view.rate), view.rate))


def _held(scene: Scene, names: Sparse, named: FloatArray | None = None) -> Belief:
    """Names and nobody, with what people said held once more: a whole person's label may have moved a face."""
    names = names[:, : scene.names]
    named = np.asarray(names.sum(1), np.float64) if named is None else named
    return obey(scene, Belief(times(1 / np.maximum(named, 1), names), np.maximum(1 - named, 0)))


def _posterior(scene: Scene, answer: Belief, belief: Belief, rate: Rates, state: State | None) -> Posterior:
    return Posterior(
        names=answer.members,
        nobody=answer.new.astype(np.float32),
        persons=belief.members,
        neighbours=scene.alike.index,
        cosine=scene.alike.cosine,
        rho=rate.rho,
        beta=rate.beta,
        state=state,
    )


# --- How it begins -----------------------------------------------------------------------------------------------------


def first_guess(scene: Scene, rho: float = 0.7) -> Belief:
    """Captions alone: the mean of what a face's own caption (within-group) and its look-alikes' (cross-group) say.

    ``x_ic = 1/2 (E_ic + sum_j w_ij E_jc) + log p_c`` with E the log-odds that a caption with or without c gives.
    """
    n, said = len(scene.faces), scene.captions.said
    if not scene.names:
        return Belief(sparse((n, 0)), np.ones(n))
    beta = np.clip(size_of(said) / n, 1 / n, 0.9)
    on, off = np.log(rho / beta), np.log((1 - rho) / (1 - np.minimum(beta, rho)))
    alike = scene.alike.weight
    heard, asked, prior = sparse(said + alike @ said), 1 + np.asarray(alike.sum(1)), np.log(beta / beta.sum())

    def rows(face: IntArray) -> FloatArray:
        return np.asarray(0.5 * (heard[face].toarray() * (on - off) + asked[face][:, None] * off) + prior)

    new = float(np.log(first_nobody(scene, rho)))
    return in_frames(scene, likeliest(scene, rows, scene.names, new), scene.names, new)


def first_nobody(scene: Scene, rho: float) -> float:
    """How much likelier it is not to be known by name than to be: as captions without any name tell, and at least .1.

    If everybody were known and named with the chance rho, a caption about f faces would name nobody with ``(1 - rho)^f``.
    """
    expected = float(((1 - rho) ** np.bincount(scene.group)[scene.group]).mean())
    without = float((np.asarray(scene.captions.said.sum(1)) == 0).mean())
    nobody = np.clip((without - expected) / (1 - expected), 0.0, 0.9)
    return float(max(nobody / (1 - nobody), 0.1))


def first_strangers(scene: Scene, belief: Belief, picture: Picture) -> Belief:
    """Persons among the faces that the captions do not explain; they are believed by four fifths."""
    found = leaders(picture, belief.new > 0.5, scene.alike.weight, scene.settings.coherence)
    inside = 0.8 * np.asarray(found.sum(1), np.float64)
    return Belief(beside(times(1 - inside, belief.members), 0.8 * found), belief.new * (1 - inside))
