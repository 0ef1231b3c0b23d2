"""The default solver from the outside: what it gets right, what it obeys, and that odd problems do not break it."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from core import Correction, Problem, solve
from core.corrections import bind
from core.formats import npz
from core.generate import FACENET, Looks, films
from core.members import size_of, sparse
from core.problem import NOBODY, FloatArray, IntArray
from core.progress import silent
from core.reconstruct import encoded, reconstructed
from core.rollcall import DEFAULTS, Posterior, first_nobody, rollcall
from core.scoring import Scene

RNG = np.random.default_rng


def run(problem: Problem, said: Sequence[Correction] = (), seed: int = 0) -> Posterior:
    return rollcall(*bind(problem, said), seed, silent)


def answers(found: Posterior) -> tuple[IntArray, FloatArray]:
    table = np.c_[found.names.toarray(), found.nobody]
    best = table.argmax(1)
    return np.where(best == found.names.shape[1], NOBODY, best), table.max(1)


def cast(who: Sequence[int], spread: float = 0.3, dimensions: int = 24, seed: int = 0) -> FloatArray:
    """Faces of these persons."""
    rng = RNG(seed)
    person = rng.normal(size=(max(who) + 1, dimensions))
    return np.asarray(person[list(who)] + spread * rng.normal(size=(len(who), dimensions)))


def sound(found: Posterior, problem: Problem) -> None:
    table = np.c_[found.names.toarray(), found.nobody]
    assert found.names.shape == (problem.faces, len(problem.names))
    assert found.names.dtype == np.float32
    assert np.isfinite(table).all()
    assert table.min() >= 0
    assert table.max() <= 1 + 1e-6
    assert table.sum(1).max() <= 1 + 1e-5
    assert table.sum(1).min() >= 1 - 1e-4 * len(problem.names) - 1e-3
    assert found.persons.shape[0] == problem.faces
    assert found.persons.shape[1] >= len(problem.names)
    assert found.persons.sum(1).max() <= 1 + 1e-4
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


# --- What it gets right ------------------------------------------------------------------------------------------------


def test_who_is_left_gets_the_name_that_is_left() -> None:
    """The paper's third failure case: frame 0 shows Ada and Ben, known well, and a face never seen elsewhere."""
    who, group, captions = duo()
    captions[0].append("Cleo")
    problem = Problem.build(cast([*who, 2]), [*group, 0], captions, names=["Ada", "Ben", "Cleo"])
    name, confidence = answers(run(problem))
    assert name.tolist() == [*who, 2]
    assert confidence[-1] > 0.9


def test_a_stranger_who_returns_is_one_unnamed_person() -> None:
    """Every third frame also shows a man whom no caption names: he is nobody, and one person."""
    who, group, captions = duo(60)
    strange = [frame for frame in range(60) if frame % 3 == 0]
    problem = Problem.build(cast(who + [2] * len(strange)), group + strange, captions, names=["Ada", "Ben"])
    found = run(problem)
    name, _ = answers(found)
    assert name.tolist() == who + [NOBODY] * len(strange)
    unnamed = found.persons[:, 2:]
    assert unnamed.shape[1] == 1
    assert size_of(unnamed)[0] == pytest.approx(len(strange), abs=0.5)


@pytest.mark.parametrize("seed", [0, 1])
def test_confidence_is_how_often_it_is_right(seed: int) -> None:
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
    assert (one.persons != two.persons).nnz == 0


def test_progress_is_told_to_the_end() -> None:
    told: list[tuple[str, int, int]] = []
    rollcall(*bind(films(films=1, groups=10, names=4), []), 0, lambda *step: told.append(step))
    assert told[-1][1] == told[-1][2] == len(told)


@pytest.mark.parametrize("many", [1, 2])
@pytest.mark.parametrize("looks", [Looks(), FACENET], ids=["plain", "like FaceNet"])
@pytest.mark.parametrize("extras", [0.0, 0.3])
def test_a_film_with_one_or_two_names_is_solved(many: int, looks: Looks, extras: float) -> None:
    """What most faces share is then a person, not what all people share."""
    problem = films(films=1, groups=80, names=many, looks=looks, extras=extras, seed=1)
    name, _ = answers(run(problem))
    assert (name == problem.truth).mean() > 0.95


@pytest.mark.parametrize("seed", [0, 1])
def test_a_few_hundred_faces_are_not_merged(seed: int) -> None:
    """They are too few to learn what varies within a person, but show in which directions people differ."""
    problem = films(films=4, groups=186, names=60, looks=Looks(directions=60), seed=seed)
    name, _ = answers(run(problem))
    assert (name == problem.truth).mean() > 0.91


# --- What it obeys -----------------------------------------------------------------------------------------------------

SMALL = films(films=2, groups=60, names=12, dimensions=64, seed=5)


def table(found: Posterior, names: Sequence[str], face: int) -> dict[str, float]:
    return dict(zip(names, found.names[[face]].toarray()[0].tolist(), strict=True))


def test_is_is_held_against_all_evidence() -> None:
    wrong = SMALL.names[int(np.argmin(run(SMALL).names.toarray()[0]))]
    found = run(SMALL, [Correction(0, "is", wrong)])
    assert table(found, SMALL.names, 0)[wrong] == 1
    assert found.nobody[0] == 0
    others = np.flatnonzero((SMALL.group == SMALL.group[0]) & (np.arange(SMALL.faces) != 0))
    assert all(table(found, SMALL.names, int(face))[wrong] == 0 for face in others)


def test_is_not_and_nobody_are_held() -> None:
    before = run(SMALL)
    sure = np.argsort(-before.names.toarray().max(1), kind="stable")[:6]
    refused = [(int(face), SMALL.names[int(before.names.toarray()[face].argmax())]) for face in sure[:3]]
    said = [Correction(face, "is not", name) for face, name in refused]
    found = run(SMALL, said + [Correction(int(face), "nobody") for face in sure[3:]])
    sound(found, SMALL)
    assert all(table(found, SMALL.names, face)[name] == 0 for face, name in refused)
    assert found.nobody[sure[3:]].tolist() == [1, 1, 1]


def test_a_new_name_is_learned_for_its_whole_person() -> None:
    who, group, captions = duo(60)
    strange = [frame for frame in range(60) if frame % 3 == 0]
    problem = Problem.build(cast(who + [2] * len(strange)), group + strange, captions, names=["Ada", "Ben"])
    said = [Correction(len(who), "is", "Zoe"), Correction(len(who) + 1, "is", "Zoe")]
    name, _ = answers(run(problem, said))
    assert name.tolist() == who + [2] * len(strange)


def test_a_mirror_is_held() -> None:
    """Two faces of one frame are both Ada because a person said so; the third face of that frame is not."""
    who, group, captions = duo()
    problem = Problem.build(cast([*who, 0, 0]), [*group, 0, 0], captions, names=["Ada", "Ben"])
    found = run(problem, [Correction(0, "is", "Ada"), Correction(problem.faces - 2, "is", "Ada")])
    assert found.names.toarray()[[0, -2, -1], 0].tolist() == [1, 1, 0]
    sound(found, problem)


# --- Odd problems ------------------------------------------------------------------------------------------------------


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
def test_odd_problems_get_sound_answers(problem: Problem) -> None:
    sound(run(problem), problem)


@pytest.mark.parametrize("problem", ODD.values(), ids=ODD.keys())
def test_odd_problems_obey_too(problem: Problem) -> None:
    said = [Correction(0, "is", "Zoe"), Correction(problem.faces - 1, "nobody")][: problem.faces]
    found = run(problem, said)
    assert found.names.toarray()[0, -1] == 1
    if problem.faces > 1:
        assert found.nobody[-1] == 1


def test_a_lone_face_with_a_lone_name_is_that_name() -> None:
    name, confidence = answers(run(ODD["one face, one name"]))
    assert name.tolist() == [0]
    assert confidence[0] > 0.6


def test_a_lone_crowd_is_not_sure_of_anything() -> None:
    assert answers(run(ODD["a group of 40"]))[1].max() < 0.6


def test_faces_that_are_all_the_same_go_by_their_captions_and_not_for_sure() -> None:
    name, confidence = answers(run(ODD["all the same"]))
    assert name.tolist() == [k % 3 for k in range(30)]
    assert confidence.max() < 0.6


def test_strangers_without_any_name_who_never_return_are_nobody():
    """A video without captions in which nobody is seen twice."""
    problem = Problem.build(np.eye(4, 8), [0, 1, 2, 3], [[], [], [], []], names=[])
    prediction = solve(problem)
    assert prediction.name.tolist() == [NOBODY] * 4


def test_a_right_answer_about_a_rare_name_leaves_strangers_nobody(data) -> None:
    """Half of these faces are strangers; a rare name's column begins with theirs; one answer must not keep them there."""
    problem = npz.read(data / "tv_strangers.npz")
    assert problem.truth is not None
    for face in (70, 243):
        prediction = solve(problem, corrections=[Correction(face, "is", problem.names[problem.truth[face]])])
        assert (prediction.name == problem.truth).mean() > 0.98


@pytest.mark.parametrize(
    ("without", "odds"),
    [(0, 0.1), (30, 0.1), (65, 1.0), (100, 9.0)],
    ids=["all name somebody", "as many as expected", "half of the rest are nobody", "none names anybody"],
)
def test_captions_without_names_tell_how_many_are_nobody(without: int, odds: float) -> None:
    captions = [[] if frame < without else ["Ada"] for frame in range(100)]
    problem = Problem.build(cast([frame % 7 for frame in range(100)]), range(100), captions, names=["Ada"])
    scene = Scene.build(*bind(problem, ()), 0, DEFAULTS)
    assert first_nobody(scene, rho=0.7) == pytest.approx(odds)


def test_one_known_name_does_not_take_everybody(data) -> None:
    """One face a frame, poor features, and captions that know one person of a whole series."""
    whole = npz.read(data / "lost.npz")
    assert whole.truth is not None
    known = int(np.argsort(-np.bincount(whole.truth))[4])
    name = whole.names[known]
    captions = [[name] if name in caption else [] for caption in whole.candidates()]
    truth = np.where(whole.truth == known, 0, NOBODY)
    prediction = solve(Problem.build(whole.features, whole.group, captions, names=[name]))
    assert (prediction.name == truth).mean() > 0.95


def test_the_answer_is_the_mean_of_two_views_and_the_autoencoder() -> None:
    problem = films(films=2, groups=120, names=16, dimensions=32, noise=0.9, seed=5)
    both = run(problem)
    assert both.state is not None
    seen = [view.picture.y.shape[1] for view in both.state.views]
    assert seen == [32, 28]
    one = replace(DEFAULTS, autoencoder=0.0)
    alone = [rollcall(*bind(problem, []), 0, silent, replace(one, views=(share,))) for share in DEFAULTS.views]
    names, nobody = (sum(getattr(one, what) for one in alone) / 2 for what in ("names", "nobody"))
    assert abs(alone[0].names - alone[1].names).max() > 0.01  # they do not see the same
    assert abs(rollcall(*bind(problem, []), 0, silent, one).names - names).max() < 1e-6
    made = reconstructed(encoded(both.state.faces), both.state.alike, sparse(names))
    assert abs(made - names).max() > 0.01
    assert abs(both.names - (names + made) / 2).max() < 1e-6
    assert np.allclose(both.nobody, nobody, atol=1e-6)


def test_one_mention_speaks_for_one_face_of_its_frame() -> None:
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


def test_answers_do_not_teach_that_captions_name_everybody() -> None:
    """Half of a person's faces are not named by their caption; that people name twenty of these changes nothing about it."""
    rng = RNG(5)
    person = rng.normal(size=(3, 16))
    who = np.repeat([0, 1, 2], 40)
    features = person[who] + rng.normal(0, 0.3, (120, 16))
    captions = [[name] if k % 2 else [] for name in ("Ann", "Bea", "Cas") for k in range(40)]
    problem = Problem.build(features, np.arange(120), captions, names=["Ann", "Bea", "Cas"])
    said = [Correction(face, "is", problem.names[who[face]]) for face in range(0, 60, 2)]
    before, after = run(problem), run(problem, said)
    np.testing.assert_allclose(after.rho, before.rho, atol=0.02)
    assert (answers(after)[0] == who).all()


def test_a_name_that_no_caption_holds_goes_to_the_whole_person() -> None:
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


def test_a_name_that_nobody_ever_says_is_nobodys() -> None:
    problem = films(films=1, groups=60, names=6, dimensions=16, seed=2)
    more = replace(problem, names=(*problem.names, "Never", "Mentioned"))
    assert run(more).names.toarray()[:, -2:].max() < 0.05


def test_faces_with_few_directions_are_seen_once() -> None:
    problem = films(films=1, groups=20, names=3, dimensions=3, seed=1)
    found = run(problem)
    assert found.state is not None
    assert len(found.state.views) == 1


def test_two_views_are_told_as_one_progress() -> None:
    told: list[tuple[int, int]] = []
    rollcall(
        *bind(films(films=1, groups=20, names=3, seed=1), []),
        0,
        lambda stage, done, total, value=None: told.append((done, total)),
    )
    assert told == [(k + 1, 2 * DEFAULTS.rounds) for k in range(2 * DEFAULTS.rounds)]
