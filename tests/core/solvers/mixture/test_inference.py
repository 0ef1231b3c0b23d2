"""The default solver from the outside: accuracy, constraints, and degenerate problems."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from core import Correction, Problem, solve
from core.corrections import bind
from core.evaluation.generate import MEASURED, Scatter, films
from core.problem import NOBODY, FloatArray, IntArray
from core.progress import silent
from core.solvers.mixture.inference import Result, infer, initial_nobody_odds
from core.solvers.mixture.kernel_ridge import leave_one_out_ridge, nystrom_features
from core.solvers.mixture.posterior import Inputs
from core.solvers.mixture.settings import DEFAULTS
from core.solvers.mixture.sparse_tables import soft_counts, sparse

RNG = np.random.default_rng


def run(problem: Problem, said: Sequence[Correction] = (), seed: int = 0) -> Result:
    return infer(*bind(problem, said), seed, silent)


def answers(found: Result) -> tuple[IntArray, FloatArray]:
    table = np.c_[found.names.toarray(), found.nobody]
    best = table.argmax(1)
    return np.where(best == found.names.shape[1], NOBODY, best), table.max(1)


def cast(who: Sequence[int], spread: float = 0.3, dimensions: int = 24, seed: int = 0) -> FloatArray:
    """Faces of these persons."""
    rng = RNG(seed)
    person = rng.normal(size=(max(who) + 1, dimensions))
    return np.asarray(person[list(who)] + spread * rng.normal(size=(len(who), dimensions)))


def sound(found: Result, problem: Problem) -> None:
    table = np.c_[found.names.toarray(), found.nobody]
    assert found.names.shape == (problem.faces, len(problem.names))
    assert found.names.dtype == np.float32
    assert np.isfinite(table).all()
    assert table.min() >= 0
    assert table.max() <= 1 + 1e-6
    assert table.sum(1).max() <= 1 + 1e-5
    assert table.sum(1).min() >= 1 - 1e-4 * len(problem.names) - 1e-3
    assert found.clusters.shape[0] == problem.faces
    assert found.clusters.shape[1] >= len(problem.names)
    assert found.clusters.sum(1).max() <= 1 + 1e-4
    assert found.neighbours.shape == found.cosine.shape


def duo(frames: int = 24) -> tuple[list[int], list[int], list[list[str]]]:
    """Who, group and captions: Ada and Ben in turn, both in frame 0, always named."""
    who, group = [0, 1], [0, 0]
    captions = [["Ada", "Ben"]]
    for frame in range(1, frames):
        who.append(frame % 2)
        group.append(frame)
        captions.append([["Ada", "Ben"][frame % 2]])
    return who, group, captions


# --- Accuracy ----------------------------------------------------------------------------------------------------------


def test_exclusivity_gives_the_last_name_to_the_last_face() -> None:
    """The paper's third failure case: frame 0 shows Ada and Ben, known well, and a face never seen elsewhere."""
    who, group, captions = duo()
    captions[0].append("Cleo")
    problem = Problem.build(cast([*who, 2]), [*group, 0], captions, names=["Ada", "Ben", "Cleo"])
    name, confidence = answers(run(problem))
    assert name.tolist() == [*who, 2]
    assert confidence[-1] > 0.9


def test_a_recurring_stranger_is_one_unnamed_cluster() -> None:
    """Every third frame also shows a man whom no caption names: he is nobody, and one person."""
    who, group, captions = duo(60)
    strange = [frame for frame in range(60) if frame % 3 == 0]
    problem = Problem.build(cast(who + [2] * len(strange)), group + strange, captions, names=["Ada", "Ben"])
    found = run(problem)
    name, _ = answers(found)
    assert name.tolist() == who + [NOBODY] * len(strange)
    unnamed = found.clusters[:, 2:]
    assert unnamed.shape[1] == 1
    assert soft_counts(unnamed)[0] == pytest.approx(len(strange), abs=0.5)


@pytest.mark.parametrize("seed", [0, 1])
def test_confidence_is_calibrated(seed: int) -> None:
    """Expected calibration error over ten equal bins."""
    problem = films(seed=seed)
    assert problem.truth is not None
    name, confidence = answers(run(problem))
    right = name == problem.truth
    place = np.minimum((confidence * 10).astype(int), 9)
    error = [
        abs(right[place == b].mean() - confidence[place == b].mean()) * (place == b).mean() for b in set(place.tolist())
    ]
    assert sum(error) <= 0.05
    assert right[confidence > 0.95].mean() >= 0.97


def test_a_seed_repeats_exactly() -> None:
    problem = films(films=2, groups=60, names=12, dimensions=64)
    one, two = run(problem, seed=3), run(problem, seed=3)
    assert (one.names != two.names).nnz == 0
    assert (one.clusters != two.clusters).nnz == 0


def test_progress_reaches_its_total() -> None:
    told: list[tuple[str, int, int]] = []
    infer(*bind(films(films=1, groups=10, names=4), []), 0, lambda *step: told.append(step))
    assert told[-1][1] == told[-1][2] == len(told)


@pytest.mark.parametrize("many", [1, 2])
@pytest.mark.parametrize("looks", [Scatter(), MEASURED], ids=["plain", "like FaceNet"])
@pytest.mark.parametrize("extras", [0.0, 0.3])
def test_a_film_with_one_or_two_names_is_solved(many: int, looks: Scatter, extras: float) -> None:
    """What most faces share is then a person, not what all people share."""
    problem = films(films=1, groups=80, names=many, scatter=looks, extras=extras, seed=1)
    name, _ = answers(run(problem))
    assert (name == problem.truth).mean() > 0.95


@pytest.mark.parametrize("seed", [0, 1])
def test_a_few_hundred_faces_are_not_merged(seed: int) -> None:
    """They are too few to learn what varies within a person, but show in which directions people differ."""
    problem = films(films=4, groups=186, names=60, scatter=Scatter(directions=60), seed=seed)
    name, _ = answers(run(problem))
    assert (name == problem.truth).mean() > 0.91


# --- Constraints ------------------------------------------------------------------------------------------------------

SMALL = films(films=2, groups=60, names=12, dimensions=64, seed=5)


def table(found: Result, names: Sequence[str], face: int) -> dict[str, float]:
    return dict(zip(names, found.names[[face]].toarray()[0].tolist(), strict=True))


def test_a_given_name_is_clamped() -> None:
    wrong = SMALL.names[int(np.argmin(run(SMALL).names.toarray()[0]))]
    found = run(SMALL, [Correction(0, "is", wrong)])
    assert table(found, SMALL.names, 0)[wrong] == 1
    assert found.nobody[0] == 0
    others = np.flatnonzero((SMALL.group == SMALL.group[0]) & (np.arange(SMALL.faces) != 0))
    assert all(table(found, SMALL.names, int(face))[wrong] == 0 for face in others)


def test_refused_names_and_nobody_are_clamped() -> None:
    before = run(SMALL)
    sure = np.argsort(-before.names.toarray().max(1), kind="stable")[:6]
    refused = [(int(face), SMALL.names[int(before.names.toarray()[face].argmax())]) for face in sure[:3]]
    said = [Correction(face, "is not", name) for face, name in refused]
    found = run(SMALL, said + [Correction(int(face), "nobody") for face in sure[3:]])
    sound(found, SMALL)
    assert all(table(found, SMALL.names, face)[name] == 0 for face, name in refused)
    assert found.nobody[sure[3:]].tolist() == [1, 1, 1]


def test_a_new_name_spreads_to_its_whole_cluster() -> None:
    who, group, captions = duo(60)
    strange = [frame for frame in range(60) if frame % 3 == 0]
    problem = Problem.build(cast(who + [2] * len(strange)), group + strange, captions, names=["Ada", "Ben"])
    said = [Correction(len(who), "is", "Zoe"), Correction(len(who) + 1, "is", "Zoe")]
    name, _ = answers(run(problem, said))
    assert name.tolist() == who + [2] * len(strange)


def test_one_name_twice_in_a_frame_is_clamped() -> None:
    """Two faces of one frame are both Ada because a person said so; the third face of that frame is not."""
    who, group, captions = duo()
    problem = Problem.build(cast([*who, 0, 0]), [*group, 0, 0], captions, names=["Ada", "Ben"])
    found = run(problem, [Correction(0, "is", "Ada"), Correction(problem.faces - 2, "is", "Ada")])
    assert found.names.toarray()[[0, -2, -1], 0].tolist() == [1, 1, 0]
    sound(found, problem)


# --- Degenerate problems -----------------------------------------------------------------------------------------------


def spread_out(faces: int, persons: int, frames: int, dimensions: int, seed: int = 0) -> Problem:
    """Faces of random persons in frames that name most of them."""
    rng = RNG(seed)
    who = rng.integers(persons, size=faces)
    group = np.sort(np.r_[np.arange(frames), rng.integers(frames, size=faces - frames)])
    names = [f"N{k}" for k in range(persons)]
    captions: list[list[str]] = [[] for _ in range(frames)]
    for k, g in zip(who.tolist(), group.tolist(), strict=True):
        if rng.random() < 0.7 and names[k] not in captions[g]:
            captions[g].append(names[k])
    return Problem.build(cast(who.tolist(), 0.4, dimensions, seed), group, captions, names=names)


ODD = {
    "one face, no name": Problem.build([[1.0, 2.0]], [0], [[]]),
    "one face, one name": Problem.build([[1.0, 2.0]], [0], [["Ada"]]),
    "two faces, two names": Problem.build([[1.0, 2.0], [2.0, -1.0]], [0, 0], [["Ada", "Ben"]]),
    "one group": Problem.build(cast([0, 1, 2]), [0, 0, 0], [["Ada", "Ben"]]),
    "no names": Problem.build(cast([k % 5 for k in range(50)]), np.arange(50) // 2, [[]] * 25),
    "names in no caption": Problem.build(
        cast([k % 5 for k in range(50)]), np.arange(50) // 2, [[]] * 25, names=["Ada", "Ben"]
    ),
    "empty frames": Problem.build(cast([0, 1, 0]), [0, 2, 4], [["Ada"], ["Ben"], [], [], ["Ada"], ["Cleo"]]),
    "all nobody": Problem.build(RNG(0).normal(size=(60, 32)), range(60), [["Ada"] if k % 4 == 0 else [] for k in range(60)]),
    "all the same": Problem.build(np.ones((30, 8)), range(30), [[["Ada", "Ben", "Cleo"][k % 3]] for k in range(30)]),
    "one dimension": spread_out(100, 3, 80, 1),
    "600 names": spread_out(900, 600, 500, 32),
    "a group of 40": Problem.build(cast(range(40)), [0] * 40, [[f"N{k}" for k in range(40)]]),
    "a large group among others": spread_out(160, 40, 20, 32),
}


@pytest.mark.parametrize("problem", ODD.values(), ids=ODD.keys())
@pytest.mark.filterwarnings("error")
def test_degenerate_problems_give_valid_probabilities(problem: Problem) -> None:
    sound(run(problem), problem)


@pytest.mark.parametrize("problem", ODD.values(), ids=ODD.keys())
def test_degenerate_problems_are_clamped(problem: Problem) -> None:
    said = [Correction(0, "is", "Zoe"), Correction(problem.faces - 1, "nobody")][: problem.faces]
    found = run(problem, said)
    assert found.names.toarray()[0, -1] == 1
    if problem.faces > 1:
        assert found.nobody[-1] == 1


def test_a_lone_face_with_a_lone_name_is_that_name() -> None:
    name, confidence = answers(run(ODD["one face, one name"]))
    assert name.tolist() == [0]
    assert confidence[0] > 0.6


def test_a_single_large_frame_is_uncertain() -> None:
    assert answers(run(ODD["a group of 40"]))[1].max() < 0.6


def test_identical_faces_follow_their_captions_with_low_confidence() -> None:
    name, confidence = answers(run(ODD["all the same"]))
    assert name.tolist() == [k % 3 for k in range(30)]
    assert confidence.max() < 0.6


def test_singletons_without_names_are_nobody():
    """A video without captions in which nobody is seen twice."""
    problem = Problem.build(np.eye(4, 8), [0, 1, 2, 3], [[], [], [], []], names=[])
    prediction = solve(problem)
    assert prediction.name.tolist() == [NOBODY] * 4


@pytest.mark.parametrize(
    ("without", "odds"),
    [(0, 0.1), (30, 0.1), (65, 1.0), (100, 9.0)],
    ids=["all name somebody", "as many as expected", "half of the rest are nobody", "none names anybody"],
)
def test_initial_nobody_odds_come_from_captions_without_names(without: int, odds: float) -> None:
    captions = [[] if frame < without else ["Ada"] for frame in range(100)]
    problem = Problem.build(cast([frame % 7 for frame in range(100)]), range(100), captions, names=["Ada"])
    inputs = Inputs.build(*bind(problem, ()), 0, DEFAULTS)
    assert initial_nobody_odds(inputs, visible=0.7) == pytest.approx(odds)


def test_the_answer_averages_two_chains_and_the_kernel_ridge() -> None:
    problem = films(films=2, groups=120, names=16, dimensions=32, noise=0.9, seed=5)
    both = run(problem)
    assert both.state is not None
    seen = [chain.space.y.shape[1] for chain in both.state.chains]
    assert seen == [32, 28]
    one = replace(DEFAULTS, reconstruction_weight=0.0)
    alone = [infer(*bind(problem, []), 0, silent, replace(one, chains=(share,))) for share in DEFAULTS.chains]
    names, nobody = (sum(getattr(one, what) for one in alone) / 2 for what in ("names", "nobody"))
    assert abs(alone[0].names - alone[1].names).max() > 0.01  # they do not see the same
    assert abs(infer(*bind(problem, []), 0, silent, one).names - names).max() < 1e-6
    made = leave_one_out_ridge(nystrom_features(both.state.faces), both.state.graph, sparse(names))
    assert abs(made - names).max() > 0.01
    assert abs(both.names - (names + made) / 2).max() < 1e-6
    assert np.allclose(both.nobody, nobody, atol=1e-6)


def test_a_mention_supports_one_face_of_its_frame() -> None:
    """Three strangers who look alike share a frame whose caption names Summer, and no other does: one is she at most."""
    rng = RNG(4)
    person = rng.normal(size=(4, 16))
    who = np.r_[np.repeat([0, 1, 2], 20), 3, 3, 3]
    features = person[who] + rng.normal(0, 1.1, (63, 16))
    captions = [[name] for name in ("Ann", "Bea", "Cas") for _ in range(20)] + [["Summer"]]
    found = run(Problem.build(features, np.r_[np.arange(60), 60, 60, 60], captions))
    summer = found.names.toarray()[60:, 3]
    assert summer.sum() < 1.2
    assert (answers(found)[0][:60] == who[:60]).all()


def test_corrections_do_not_change_the_mention_rates() -> None:
    """Half of a person's faces are not named by their caption; that people name twenty of these changes nothing about it."""
    rng = RNG(5)
    person = rng.normal(size=(3, 16))
    who = np.repeat([0, 1, 2], 40)
    features = person[who] + rng.normal(0, 0.3, (120, 16))
    captions = [[name] if k % 2 else [] for name in ("Ann", "Bea", "Cas") for k in range(40)]
    problem = Problem.build(features, np.arange(120), captions, names=["Ann", "Bea", "Cas"])
    said = [Correction(face, "is", problem.names[who[face]]) for face in range(0, 60, 2)]
    before, after = run(problem), run(problem, said)
    np.testing.assert_allclose(after.visible, before.visible, atol=0.02)
    assert (answers(after)[0] == who).all()


def test_a_name_without_mentions_spreads_to_its_whole_cluster() -> None:
    """Captions name Ann and Bea whenever they are seen, and never the third one, who is in forty frames. People do, once."""
    rng = RNG(6)
    person = rng.normal(size=(3, 16))
    who = np.repeat([0, 1, 2], 40)
    captions = [["Ann"]] * 40 + [["Bea"]] * 40 + [[]] * 40
    problem = Problem.build(person[who] + rng.normal(0, 0.3, (120, 16)), np.arange(120), captions)
    assert (answers(run(problem))[0] == np.where(who == 2, NOBODY, who)).all()
    named, sure = answers(run(problem, [Correction(90, "is", "Zoe")]))
    assert (named == who).all()
    assert sure.min() > 0.9


def test_names_without_mentions_get_no_faces() -> None:
    problem = films(films=1, groups=60, names=6, dimensions=16, seed=2)
    more = replace(problem, names=(*problem.names, "Never", "Mentioned"))
    assert run(more).names.toarray()[:, -2:].max() < 0.05


def test_few_dimensions_give_one_chain() -> None:
    problem = films(films=1, groups=20, names=3, dimensions=3, seed=1)
    found = run(problem)
    assert found.state is not None
    assert len(found.state.chains) == 1


def test_two_chains_report_one_progress() -> None:
    told: list[tuple[int, int]] = []
    infer(
        *bind(films(films=1, groups=20, names=3, seed=1), []),
        0,
        lambda stage, done, total, value=None: told.append((done, total)),
    )
    assert told == [(k + 1, 2 * DEFAULTS.rounds) for k in range(2 * DEFAULTS.rounds)]
