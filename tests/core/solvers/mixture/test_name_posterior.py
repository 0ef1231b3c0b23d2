"""Which name a face bears: labels with doubt, second looks, unusual faces."""

from __future__ import annotations

import numpy as np
import pytest

from core import Correction, Problem
from core.corrections import bind
from core.evidence import Captions, Picture, Rates
from core.labels import _nearest, _place_among, _share_of_unusual, doubted, label_marginals, named_faces, unusual_faces
from core.members import Sparse, sparse
from core.persons import Crowd
from core.problem import FloatArray, IntArray
from core.rollcall import Settings

PSI = np.full(8, 20.0, np.float32)


def people(place: FloatArray, who: IntArray) -> Picture:
    """Faces with scatter 1 around where their persons are."""
    return Picture((place[who] + np.random.default_rng(0).normal(size=(len(who), 8))).astype(np.float32), PSI)


def somewhere(many: int, seed: int = 1) -> FloatArray:
    return np.asarray(np.random.default_rng(seed).normal(0, np.sqrt(PSI), (many, 8)))


def crowd(
    picture: Picture,
    captions: list[list[str]],
    names: list[str],
    group: IntArray | None = None,
    said: list[Correction] | None = None,
    **settings: bool,
) -> Crowd:
    """Without groups every face is in a frame of its own."""
    problem = Problem.build(picture.y, range(len(picture.y)) if group is None else group, captions, names=names)
    problem, bound = bind(problem, said or [])
    nothing = sparse((len(picture.y), len(picture.y)))
    return Crowd(picture, nothing, Captions.of(problem, bound), 0.8, bound, Settings(**settings))


def one_hot(who: IntArray, many: int) -> Sparse:
    return sparse(np.eye(many)[who])


def even_rates(names: int, rho: float = 0.8, beta: float = 0.1) -> Rates:
    return Rates(np.full(names, rho), np.full(names, beta), rho)


def test_labels_are_unsure_where_captions_are() -> None:
    """Two persons, two names, always named together: either could be either."""
    who = np.repeat([0, 1], 4)
    picture = people(somewhere(2), who)
    sure = crowd(picture, [["Ada"]] * 4 + [["Ben"]] * 4, ["Ada", "Ben"])
    unsure = crowd(picture, [["Ada", "Ben"]] * 8, ["Ada", "Ben"])
    names, named = named_faces(one_hot(who, 2), sure, even_rates(2))
    assert names.toarray()[range(8), who].min() > 0.95
    np.testing.assert_allclose(names.sum(1), named, atol=1e-3)
    names, _ = named_faces(one_hot(who, 2), unsure, even_rates(2))
    np.testing.assert_allclose(names.toarray()[:, 0], names.toarray()[:, 1], atol=1e-6)


@pytest.mark.parametrize(("apart", "doubt"), [(0, 0.1), (1, 0.1 / 4), (4, 0.1 / 25)])
def test_a_name_never_told_from_another_is_doubted(apart: int, doubt: float) -> None:
    """Ada's six captions name Ben too, but for ``apart`` of them; that Ben is another person has many captions."""
    who = np.repeat([0, 1], [6, 30])
    captions = [["Ada"]] * apart + [["Ada", "Ben"]] * (6 - apart) + [["Ben"]] * 30
    judged = crowd(people(somewhere(2), who), captions, ["Ada", "Ben"])
    names, _ = named_faces(one_hot(who, 2), judged, even_rates(2))
    assert names.toarray()[:6, 1] == pytest.approx(doubt, abs=2e-3)
    assert names.toarray()[:6, 0] == pytest.approx(1 - doubt, abs=2e-3)
    assert (names.toarray()[6:].argmax(1) == 1).all()


def test_an_answer_ends_that_doubt() -> None:
    who = np.repeat([0, 1], [6, 30])
    picture, captions = people(somewhere(2), who), [["Ada", "Ben"]] * 6 + [["Ben"]] * 30
    judged = crowd(picture, captions, ["Ada", "Ben"], said=[Correction(2, "is", "Ada")])
    names, _ = named_faces(one_hot(who, 2), judged, even_rates(2))
    assert names.toarray()[:6, 0].min() > 0.99


def test_doubt_about_a_name_without_a_rival_goes_to_nobody() -> None:
    who = np.repeat([0], 2)
    judged = crowd(people(somewhere(1), who), [["Ada"], ["Ada"]], ["Ada"])
    bears = doubted(np.array([[0.999]]), one_hot(who, 1), judged, sparse((1, 1)))
    assert bears.tolist() == [[pytest.approx(1 - 0.1 / 9)]]


CAST = [f"N{k}" for k in range(8)]


def two_looks(apart: bool, **settings: bool) -> FloatArray:
    """Eight names of five faces each; a ninth person looks a little like the first, and the first is named beside it.

    ``apart``: in frames of its own. Otherwise in the first person's frames, whose captions name the first anyway.
    """
    who = np.repeat(np.arange(9), 5)
    place = somewhere(9)
    place[8] = place[0] + 6.0
    frame = np.arange(45) if apart else np.r_[np.arange(40), np.arange(5)]
    captions = [[CAST[k]] for k in np.repeat(np.arange(8), 5)] + ([["N0"]] * 5 if apart else [])
    judged = crowd(people(place, who), captions, CAST, frame, **settings)
    return label_marginals(one_hot(who, 9), np.arange(9), judged, judged.answers(one_hot(who, 9)))


def test_a_second_look_of_a_named_person_bears_its_name() -> None:
    assert two_looks(apart=True)[8, 0] > 0.9
    assert two_looks(apart=True)[0, 0] > 0.9
    assert two_looks(apart=True, unusual=False)[:, 0].sum() < 1.1  # one of them, then


def test_who_is_in_the_frame_with_the_named_person_is_no_second_look() -> None:
    np.testing.assert_allclose(two_looks(apart=False), two_looks(apart=False, unusual=False), atol=0.02)


def test_places_are_those_of_sorting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.labels.CELLS", 20)  # a few persons at a time
    who = np.arange(42) % 7
    picture = people(somewhere(7), who)
    judged, members = crowd(picture, [[]] * 42, []), one_hot(who, 7)
    k, j = np.array([0, 0, 3, 6]), np.array([1, 6, 2, 0])
    middle = np.array([picture.y[who == person].mean(0) for person in range(7)])
    slow = [
        sorted(range(7), key=lambda o: np.linalg.norm(middle[o] - middle[a])).index(b) for a, b in zip(k, j, strict=True)
    ]
    assert _place_among(members, k, j, judged).tolist() == slow
    nearest = _nearest(members, np.arange(42), judged)
    assert nearest.shape == (42, 7)
    assert nearest[:, 0].tolist() == who.tolist()


@pytest.mark.parametrize("seed", range(5))
def test_the_share_of_unusual_faces_is_the_likeliest(seed: int) -> None:
    rng = np.random.default_rng(seed)
    odds, weight = rng.exponential(1.5, 200) ** 2, rng.random(200)
    shares = np.linspace(0.005, 0.995, 397)
    likelihood = weight @ np.log(shares * odds[:, None] + 1 - shares)
    likelihood += 0.5 * np.log(shares) + 0.5 * np.log(1 - shares)
    assert _share_of_unusual(odds, weight) == pytest.approx(shares[likelihood.argmax()], abs=0.02)


@pytest.mark.parametrize("told", [True, False])
def test_faces_that_pass_for_new_are_known_persons_if_their_captions_say_so(told: bool) -> None:
    """Ten odd faces, each nearest to one of two persons; their captions name that one, or nobody."""
    who = np.repeat([0, 1], 10)
    place = somewhere(2)
    lean = np.arange(10) % 2
    odd = place[lean] + 4.0 + np.random.default_rng(3).normal(size=(10, 8))
    picture = Picture(np.r_[people(place, who).y, odd].astype(np.float32), PSI)
    names = np.array(["Ada", "Ben"])
    captions = [[name] for name in names[who]] + [[name] if told else [] for name in names[lean]]
    members = sparse(np.r_[np.eye(2)[who], np.zeros((10, 2))])
    more = unusual_faces(members, np.arange(2), sparse(np.eye(2)), crowd(picture, captions, names.tolist()), even_rates(2))
    assert not more[:20].nnz or more[:20].max() == 0
    given = more.toarray()[20:]
    assert (given[range(10), lean].min() > 0.8) if told else (given.max() < 0.5)
    assert given.sum(1).max() <= 1 + 1e-6
