"""The simulated person, with queues whose worth is known."""

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from core import BadInput, Correction
from core.cli.main import main
from core.evaluation import measure_effort, metrics
from core.evaluation.effort import Trace, answer, by_method, by_queue, effort_table, in_random_order, trace, traces
from core.evaluation.generate import films
from core.formats.write.npz import write_problem
from core.prediction import Prediction, Scores
from core.problem import NOBODY, BoolArray, IntArray, Problem

FACES, WRONG = 200, 20  # batches of two; the last twenty faces are wrong at first


def problem() -> Problem:
    truth = np.arange(FACES) % 3 - 1
    return Problem.build(np.ones((FACES, 1)), np.arange(FACES), [["Ann", "Bob"]] * FACES, truth=truth)


class Stubborn:
    """A method that learns nothing: a face is right when it was right at first or a person answered it."""

    def __init__(self) -> None:
        self.runs: list[int] = []

    def __call__(self, problem: Problem, corrections: Sequence[Correction]) -> Prediction:
        assert problem.truth is not None
        self.runs.append(len(corrections))
        name = problem.truth.copy()
        name[-WRONG:] = (name[-WRONG:] + 2) % 3 - 1
        for correction in corrections:
            name[correction.face] = NOBODY if correction.kind == "nobody" else problem.names.index(correction.name)
        confidence = np.where(np.arange(FACES) < FACES - WRONG, 0.9, 0.1)
        none = np.zeros(0, np.int64)
        return Prediction(problem.names, name, confidence, Scores(none, none, np.zeros(0)))


def useless(problem: Problem, prediction: Prediction, answered: BoolArray, many: int) -> IntArray:
    """Asks for what is right already."""
    return np.flatnonzero(~answered)[:many]


def test_a_perfect_queue_touches_the_wrong_faces_only() -> None:
    again = Stubborn()
    found = trace(problem(), again(problem(), []), again, by_queue, target=1.0)
    assert found.touched.tolist() == list(range(0, WRONG + 1, 2))
    np.testing.assert_allclose(found.accuracy, 0.9 + found.touched / FACES)
    assert found.share(1.0) == WRONG / FACES
    assert found.share(0.95) == 10 / FACES
    assert again.runs == [0, *range(2, WRONG + 1, 2)]  # a rerun after each batch with all answers so far, and no more


@pytest.mark.parametrize(("faces", "batch"), [(99, 1), (100, 1), (199, 1), (257, 2)])
def test_a_batch_is_never_more_than_one_in_a_hundred(faces: int, batch: int) -> None:
    asked: list[int] = []

    def ask(problem: Problem, prediction: Prediction, answered: BoolArray, many: int) -> IntArray:
        asked.append(many)
        return useless(problem, prediction, answered, many)

    some = Problem.build(np.ones((faces, 1)), np.arange(faces), [["Ann"]] * faces, truth=np.zeros(faces, int))
    none = np.zeros(0, np.int64)
    never = Prediction(some.names, np.full(faces, NOBODY), np.zeros(faces), Scores(none, none, np.zeros(0)))
    trace(some, never, lambda problem, corrections: never, ask, target=0.02)
    assert asked[0] == batch


def test_a_useless_queue_touches_nearly_all() -> None:
    again = Stubborn()
    found = measure_effort(problem(), again, useless, target=0.99)
    assert found.first_accuracy == 0.9
    assert found.queue == (FACES - WRONG + 18) / FACES  # 18 of the 20 wrong ones, after all the right ones
    assert measure_effort(problem(), again, useless, target=1.0).queue == 1.0


def test_random_order_lies_between_and_heeds_its_seed() -> None:
    again = Stubborn()
    found = measure_effort(problem(), again, target=1.0)
    assert found.queue == WRONG / FACES
    assert 0.5 < found.random <= 1.0
    assert found == measure_effort(problem(), again, target=1.0)
    assert found.random != measure_effort(problem(), again, target=0.95, seed=1).random


def test_random_order_asks_for_each_face_once() -> None:
    ask, answered = in_random_order(3), np.zeros(FACES, dtype=bool)
    prediction = Stubborn()(problem(), [])
    seen: list[int] = []
    while not answered.all():
        asked = ask(problem(), prediction, answered, 7)
        seen += asked.tolist()
        answered[asked] = True
    assert sorted(seen) == list(range(FACES))
    assert seen == np.random.default_rng(3).permutation(FACES).tolist()


def test_nothing_is_asked_when_the_target_is_reached_at_first() -> None:
    again = Stubborn()
    found = measure_effort(problem(), again, target=0.9)
    assert (found.queue, found.random) == (0.0, 0.0)
    assert again.runs == [0]  # one first run serves both orders


def test_the_person_tells_the_truth() -> None:
    assert answer(problem(), 0) == Correction(0, "nobody")
    assert answer(problem(), 2) == Correction(2, "is", "Bob")


def test_the_least_sure_open_faces_are_asked_first() -> None:
    prediction = Stubborn()(problem(), [])
    answered = np.zeros(FACES, dtype=bool)
    answered[FACES - WRONG] = True
    assert by_queue(problem(), prediction, answered, 2).tolist() == [FACES - WRONG + 1, FACES - WRONG + 2]


@pytest.mark.parametrize("asked", [[], [0, 0], [0, 1, 2]])
def test_a_queue_that_asks_wrongly_is_caught(asked: list[int]) -> None:
    again = Stubborn()
    with pytest.raises(ValueError, match="the queue must ask"):
        trace(problem(), again(problem(), []), again, lambda *_: np.array(asked, dtype=np.int64))


def test_a_queue_that_asks_twice_is_caught() -> None:
    again = Stubborn()
    with pytest.raises(ValueError, match="still open"):
        trace(problem(), again(problem(), []), again, lambda *_: np.array([0]))


def test_without_truth_there_is_nobody_to_ask() -> None:
    blind = Problem.build(np.ones((2, 1)), [0, 0], [["Ann"]])
    with pytest.raises(BadInput, match="no truth"):
        traces(blind, by_method("ipal"))


def test_a_real_method_profits_from_answers() -> None:
    film = films(films=1, groups=25, names=5, dimensions=16)
    assert film.truth is not None
    found, _ = traces(film, by_method("dbgae-no-autoencoder"), target=0.95)
    assert found.accuracy[-1] >= 0.95
    said = by_method("dbgae-no-autoencoder")(film, [answer(film, face) for face in range(film.faces)])
    assert metrics.accuracy(said.name, film.truth) == 1.0


def test_effort_table_by_hand() -> None:
    quick = Trace(100, np.array([0, 10]), np.array([0.8, 0.99]))
    slow = Trace(100, np.array([0, 25]), np.array([0.8, 1.0]))
    lines = effort_table({"one": (quick, slow), "two": (slow, slow)}, 0.8).splitlines()
    assert lines[2] == "| one | 100 | 0.800 | 0.0% | 0.0% | – |"
    lines = effort_table({"one": (quick, slow)}, 0.99).splitlines()
    assert lines[2] == "| one | 100 | 0.800 | 10.0% | 25.0% | 2.5 times as many |"


def test_the_command_prints_the_keys_of_the_contract(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "film.npz"
    write_problem(films(films=1, groups=12, names=4, dimensions=16), path)
    command = ["effort", str(path), "--method", "pair-clustering", "--target", "0.9"]
    assert main([*command, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert list(found) == ["target", "faces", "first_accuracy", "queue", "random"]
    assert found["target"] == 0.9
    assert 0 < found["queue"] <= 1
    assert main(command) == 0
    assert f"{found['queue']:.1%} of them with the queue" in capsys.readouterr().out


@pytest.mark.parametrize("target", ["0", "1.1", "nan", "all"])
def test_a_target_that_is_no_share_is_refused(target: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["effort", "film.npz", "--target", target]) == 2
    assert "is no share" in capsys.readouterr().err
