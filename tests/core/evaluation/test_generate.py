"""Made-up films: their shape, their truth and their statistics."""

import numpy as np
import pytest

from core import NOBODY
from core.evaluation.generate import films, m_vad, mpii_md


def test_the_default_is_of_the_size_of_mpii_md() -> None:
    problem = films()
    assert (problem.groups, len(problem.names), problem.features.shape[1]) == (558, 181, 512)
    assert 800 < problem.faces < 1300
    assert len(set(problem.names)) == 181
    assert problem.truth is not None
    assert (problem.truth == NOBODY).mean() == pytest.approx(0.2, abs=0.04)
    np.testing.assert_allclose(np.linalg.norm(problem.features, axis=1), 1, atol=1e-5)


def test_a_face_is_named_by_its_caption_about_as_often_as_asked() -> None:
    problem = films(named=0.7, extras=0.0)
    assert problem.truth is not None
    mentioned = set(zip(problem.mention_group.tolist(), problem.mention_name.tolist(), strict=True))
    own = [(g, n) in mentioned for g, n in zip(problem.group.tolist(), problem.truth.tolist(), strict=True)]
    assert (problem.truth != NOBODY).all()
    assert 0.67 < np.mean(own) < 0.85  # absent people are named too, and some of them are there


def test_a_person_belongs_to_one_film() -> None:
    problem = films(films=4, groups=200, names=30, dimensions=8)
    assert problem.truth is not None
    film = problem.group * 4 // 200
    for name in range(30):
        assert len(set(film[problem.truth == name].tolist()) | set()) <= 1
        spoken = problem.mention_group[problem.mention_name == name] * 4 // 200
        assert len(set(spoken.tolist())) <= 1


def test_faces_of_one_person_are_alike_and_more_noise_makes_them_less_so() -> None:
    likeness = []
    for noise in (0.2, 1.0):
        problem = films(films=2, groups=60, names=10, dimensions=64, noise=noise)
        assert problem.truth is not None
        same = (problem.truth[:, None] == problem.truth) & (problem.truth != NOBODY) & ~np.eye(problem.faces, dtype=bool)
        product = problem.features @ problem.features.T
        assert product[same].mean() > product[~same].mean() + 0.3
        likeness.append(product[same].mean())
    assert likeness[0] > 0.9 > likeness[1]


def test_a_person_is_at_most_once_in_a_frame() -> None:
    problem = films(films=2, groups=100, names=10, dimensions=8)
    assert problem.truth is not None
    shown = [(g, n) for g, n in zip(problem.group.tolist(), problem.truth.tolist(), strict=True) if n != NOBODY]
    assert len(set(shown)) == len(shown)


def test_the_same_seed_makes_the_same_film() -> None:
    one, two, other = (films(films=2, groups=20, names=6, dimensions=8, seed=seed) for seed in (4, 4, 5))
    assert one.features.tobytes() == two.features.tobytes()
    assert one.candidates() == two.candidates()
    assert one.features.tobytes() != other.features.tobytes()


@pytest.mark.parametrize(("many", "groups", "names"), [(1, 1, 1), (3, 2, 5), (2, 10, 2), (13, 20, 20)])
def test_small_films(many: int, groups: int, names: int) -> None:
    problem = films(films=many, groups=groups, names=names, dimensions=4)
    assert (problem.groups, len(problem.names)) == (groups, names)
    assert set(problem.group.tolist()) == set(range(groups))


def test_only_extras_are_nobody() -> None:
    assert films(films=1, groups=10, names=4, dimensions=4, extras=1.0).truth.tolist().count(NOBODY) > 9  # type: ignore[union-attr]
    assert NOBODY not in films(films=1, groups=10, names=4, dimensions=4, extras=0.0).truth.tolist()  # type: ignore[union-attr]


@pytest.mark.parametrize("faces", [20, 27, 40])
def test_as_many_faces_as_asked(faces: int) -> None:
    problem = films(films=2, groups=20, names=8, dimensions=4, faces=faces)
    assert problem.faces == faces
    assert set(problem.group.tolist()) == set(range(20))


def test_no_frame_shows_more_people_than_its_film_has() -> None:
    assert films(films=1, groups=5, names=2, dimensions=4, faces=99).faces == 10


def test_mpii_md_as_the_paper_counts_it() -> None:
    problem = mpii_md()
    assert (problem.faces, problem.groups, len(problem.names)) == (806, 558, 181)
    assert problem.truth is not None
    assert (problem.truth == NOBODY).mean() == pytest.approx(0.21, abs=0.03)
    assert set(range(181)) - set(problem.truth.tolist())  # names without a face
    assert problem.mentions / problem.groups == pytest.approx(1.12, abs=0.1)  # as the authors' sample


def test_m_vad_has_every_faces_name_in_its_own_caption_and_a_long_tail() -> None:
    problem = m_vad(faces=2226, groups=1753, names=59)
    assert problem.faces == 2226
    assert problem.truth is not None
    mentioned = set(zip(problem.mention_group.tolist(), problem.mention_name.tolist(), strict=True))
    assert all(pair in mentioned for pair in zip(problem.group.tolist(), problem.truth.tolist(), strict=True))
    often = np.sort(np.bincount(problem.truth, minlength=59))
    assert often[-6:].sum() > 3 * often[:30].mean() * 6


def test_vectors_are_as_near_and_far_as_facenets() -> None:
    """Within 0.68 ± 0.15, of which 2 % above 1; between 1.39 ± 0.10, within one film 1.33: LFW and the authors' sample."""
    problem = m_vad(faces=1200, groups=950, names=60)
    assert problem.truth is not None
    distance = np.sqrt(np.maximum(2 - 2 * problem.features @ problem.features.T, 0))
    same = problem.truth[:, None] == problem.truth
    film = problem.group * 6 // 950
    one_film = (film[:, None] == film) & ~same
    np.fill_diagonal(same, False)
    within, between, near = distance[same], distance[film[:, None] != film], distance[one_film]
    assert within.mean() == pytest.approx(0.68, abs=0.03)
    assert within.std() == pytest.approx(0.15, abs=0.03)
    assert (within < 1).mean() == pytest.approx(0.98, abs=0.02)
    assert between.mean() == pytest.approx(1.40, abs=0.03)
    assert between.std() == pytest.approx(0.11, abs=0.02)
    assert near.mean() == pytest.approx(1.34, abs=0.03)
