"""The person model is learned as it was planted, told apart by people held out, and read back from its file."""

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from benchmarks import train_prior
from benchmarks.prior import photos
from benchmarks.prior.learn import (
    Plda,
    best_temperature,
    calibration_error,
    cost,
    equal_error,
    learn,
    log_ratios,
    scatters,
)
from benchmarks.prior.photos import COPIES, Vectors, degraded
from core.errors import BadInput
from core.problem import FloatArray, IntArray
from tests.core.media.drawn import drawn_picture

Planted = tuple[FloatArray, FloatArray, FloatArray, IntArray]


def covariance(random: np.random.Generator, values: list[float]) -> FloatArray:
    axes, _ = np.linalg.qr(random.normal(size=(len(values), len(values))))
    return np.asarray(axes * values @ axes.T)


def planted(people: int, faces: int, seed: int = 0, within: float = 1.0) -> Planted:
    """W, B, vectors around a mean that is not zero, and whose they are."""
    random = np.random.default_rng(seed)
    w = within * covariance(random, [2.0, 1.0, 1.0, 0.5, 0.5, 0.2])
    b = covariance(random, [8.0, 4.0, 2.0, 1.0, 0.5, 0.3])
    person = np.repeat(np.arange(people), faces)
    means = random.multivariate_normal(np.full(6, 5.0), b, people)
    return w, b, means[person] + random.multivariate_normal(np.zeros(6), w, len(person)), person


def as_vectors(features: FloatArray, person: IntArray) -> Vectors:
    """Every vector is a photograph, and so is each of its copies."""
    many = len(COPIES)
    return Vectors(
        np.tile(features, (many, 1)),
        np.tile(person, many),
        np.tile(np.arange(len(person)), many),
        np.repeat(np.arange(many), len(person)),
    )


@pytest.mark.parametrize(("people", "faces"), [(4000, 2), (2000, 6)])
def test_planted_covariances_are_found_however_few_faces_a_person_has(people: int, faces: int) -> None:
    w, b, features, person = planted(people, faces)
    within, between = scatters(features, person)
    np.testing.assert_allclose(within, w, atol=0.12)
    np.testing.assert_allclose(between, b, atol=0.6)
    assert np.trace(between) == pytest.approx(np.trace(b), rel=0.05)


def test_many_faces_of_one_person_weigh_no_more_than_few_of_another() -> None:
    random = np.random.default_rng(1)
    person = np.repeat([0, 1], [1000, 10])
    features = random.normal(size=(1010, 3)) * np.where(person == 0, 1.0, 3.0)[:, None]
    within, _ = scatters(features, person)
    one, other = (np.cov(features[person == who].T) for who in (0, 1))
    np.testing.assert_allclose(within, (one + other) / 2)


def test_leading_directions_hold_what_was_planted_and_shrinkage_keeps_the_trace() -> None:
    w, b, features, person = planted(3000, 4)
    plain, shrunk = learn(features, person, 4, 0.0, 0.0), learn(features, person, 4, 0.5, 1.0)
    np.testing.assert_allclose(plain.directions.T @ plain.directions, np.eye(4), atol=1e-12)
    np.testing.assert_allclose(plain.directions.T @ (w + b) @ plain.directions, plain.within + plain.between, atol=0.6)
    np.testing.assert_array_equal(plain.directions, shrunk.directions)
    assert np.trace(shrunk.within) == pytest.approx(np.trace(plain.within))
    np.testing.assert_allclose(shrunk.between, np.trace(plain.between) / 4 * np.eye(4), atol=1e-9)


def test_ratios_are_those_of_the_densities() -> None:
    w, b, features, _ = planted(1, 5)
    rows = features - 5.0
    ratios = log_ratios(Plda(np.eye(6), w, b), rows)

    def density(x: FloatArray, of: FloatArray) -> float:
        return float(-0.5 * (x @ np.linalg.solve(of, x) + np.linalg.slogdet(of)[1]))

    for one, other in ((0, 1), (2, 4)):
        both = np.block([[w + b, b], [b, w + b]])
        alone = density(rows[one], w + b) + density(rows[other], w + b)
        assert ratios[one, other] == pytest.approx(density(np.concatenate([rows[one], rows[other]]), both) - alone)


def test_ratios_of_the_true_model_are_calibrated_and_overconfident_ones_are_cooled() -> None:
    w, b, features, person = planted(150, 4)
    one, other = np.triu_indices(len(person), 1)
    ratio = log_ratios(Plda(np.eye(6), w, b), features - 5.0)[one, other]
    same = person[one] == person[other]
    assert best_temperature(ratio, same) == pytest.approx(1, abs=0.25)
    assert best_temperature(4 * ratio, same) == pytest.approx(0.25, abs=0.07)
    assert cost(ratio, same) < cost(4 * ratio, same)
    assert cost(np.zeros(len(ratio)), same) == pytest.approx(1)
    assert calibration_error(ratio, same) < 0.05 < calibration_error(np.full(len(ratio), 3.0), same)
    assert 0 < equal_error(ratio, same) < 0.25


def test_equal_error_is_nought_for_perfect_ratios_and_a_half_for_none() -> None:
    same = np.arange(1000) % 2 == 0
    assert equal_error(np.where(same, 5.0, -5.0) + np.linspace(-1, 1, 1000), same) == 0
    assert equal_error(np.random.default_rng(0).normal(size=1000), same) == pytest.approx(0.5, abs=0.05)


def test_figures_are_of_people_held_out_and_get_worse_with_noise() -> None:
    told = []
    for within in (0.05, 5.0):
        *_, features, person = planted(24, 6, within=within)
        pairs = train_prior.held_out_pairs(as_vectors(features, person))
        faces, copies = 6 * 6, len(COPIES)  # six people a fold, of whom all photographs are tested
        assert len(pairs[0]) == 4 * copies**2 * faces * (faces - 1) // 2
        told.append(train_prior.figures(pairs)["same and different people"])
    assert set(told[0]) == {*(copy.what for copy in COPIES), "all of these mixed"}
    assert told[0]["the photograph"]["equal error rate"] < 0.15 < told[1]["the photograph"]["equal error rate"]


def test_the_file_gives_back_what_was_learned_and_is_the_same_every_time(tmp_path: Path) -> None:
    *_, features, person = planted(30, 4)
    plda = learn(features, person, 5)
    for name in ("one.npz", "other.npz"):
        train_prior.write(tmp_path / "priors" / name, plda, features.mean(0), {"embedder": "drawn", "people": 30})
    one, other = ((tmp_path / "priors" / name).read_bytes() for name in ("one.npz", "other.npz"))
    assert one == other
    with np.load(tmp_path / "priors" / "one.npz", allow_pickle=False) as stored:
        assert stored["directions"].dtype == np.float32
        for name in ("directions", "within", "between"):
            np.testing.assert_allclose(stored[name], getattr(plda, name), rtol=1e-6, atol=1e-6)
        np.testing.assert_allclose(stored["mean"], features.mean(0), rtol=1e-6, atol=1e-6)
        assert json.loads(str(stored["about"])) == {"embedder": "drawn", "people": 30}


@pytest.mark.parametrize("copy", COPIES[1:])
def test_copies_have_their_size_and_are_the_same_for_the_same_seed(copy: photos.Copy) -> None:
    picture, box = drawn_picture(0), np.array([100.0, 90, 220, 230])
    landmarks = np.full((5, 2), 160.0)
    small, place, points = degraded(picture, box, landmarks, copy, "one")
    assert copy.least * 0.85 <= place[3] - place[1] <= copy.most * 1.15
    np.testing.assert_allclose(points, landmarks * small.shape[1] / picture.shape[1], atol=0.15 * copy.most)
    again, other = degraded(picture, box, landmarks, copy, "one"), degraded(picture, box, landmarks, copy, "other")
    np.testing.assert_array_equal(small, again[0])
    assert small.shape != other[0].shape


def test_photographs_become_vectors_of_all_copies_and_those_without_one_face_are_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(photos, "FaceNet", _Means)
    for person, seeds in (("ann", [(0,), (5,)]), ("bob", [(7,), (0, 5)])):
        (tmp_path / person).mkdir()
        for number, several in enumerate(seeds):
            Image.fromarray(drawn_picture(*several)).save(tmp_path / person / f"{number}.png")
    (tmp_path / "bob" / "notes.txt").write_text("no picture")
    told: list[str] = []
    found = photos.vectors(tmp_path, photos.KINDS[0], told.append)
    assert found.features.shape == (3 * len(COPIES), 3)
    assert found.person.tolist() == [0] * 2 * len(COPIES) + [1] * len(COPIES)
    assert sorted(set(zip(found.photo.tolist(), found.copy.tolist(), strict=True))) == [
        (photo, copy) for photo in range(3) for copy in range(len(COPIES))
    ]
    assert told[-1].endswith("2 of 2 people, 3 photographs with one face")


def test_a_folder_without_people_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="give the path of a gallery"):
        photos.vectors(tmp_path / "nowhere", photos.KINDS[0], print)


class _Means:
    """An embedder that sees colours alone."""

    def embed(self, crops: list[photos.Picture]) -> FloatArray:
        return np.array([crop.mean(axis=(0, 1)) for crop in crops])


@pytest.mark.parametrize("path", sorted(train_prior.PRIORS.glob("*.npz")), ids=lambda path: path.stem)
def test_shipped_parameters_are_covariances_and_hold_nothing_of_a_single_face(path: Path) -> None:
    assert path.stem in {kind.embedder for kind in photos.KINDS}
    assert path.stat().st_size < 160_000
    with np.load(path, allow_pickle=False) as stored:
        assert set(stored) - {"mean"} == {"directions", "within", "between", "about"}
        directions, within, between = (stored[name].astype(np.float64) for name in ("directions", "within", "between"))
        told = json.loads(str(stored["about"]))
    np.testing.assert_allclose(directions.T @ directions, np.eye(directions.shape[1]), atol=1e-5)
    for part in (within, between):
        assert part.shape == (directions.shape[1],) * 2
        np.testing.assert_allclose(part, part.T, atol=1e-9)
        assert np.linalg.eigvalsh(part).min() > 0
    assert told["embedder"] == path.stem
    assert told["same and different people"]["the photograph"]["equal error rate"] < 0.06
