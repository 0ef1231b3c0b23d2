"""The paper's ablations: what each takes away, and that each matters."""

from core import Problem
from core.corrections import bind
from core.evaluation.generate import films
from core.solvers.dbgae.ablations import averaged, without_cross
from core.solvers.embeddings import FACENET_BARE
from tests.core.solvers.dbgae.tiny_graph import POOLED, POOLED_LINKS
from tests.core.solvers.solving import facenet, named


def test_without_cross_links_a_face_without_caption_is_nobody() -> None:
    problem = Problem.build(facenet([0, 0, 0, 1]), [0, 1, 2, 3], [["A"], ["A"], [], ["B"]], embedder=FACENET_BARE)
    assert named(problem, "dbgae").label(2) == "A"
    assert named(problem, "dbgae-no-cross").label(2) is None


def test_without_cross_removes_all_cross_links_and_nothing_else() -> None:
    links = without_cross(POOLED_LINKS)
    for field in links.__dataclass_fields__:
        expected = 0 if field.startswith("cross") else 5
        assert len(getattr(links, field)) == expected


def test_without_the_dual_graph_every_name_of_a_caption_weighs_the_same() -> None:
    links = averaged(*bind(POOLED, []), POOLED_LINKS)
    assert links.within_weight.tolist() == [0.5, 0.5, 1, 0.5, 0.5]
    assert links.cross_weight.tolist() == [1, 0.5, 0.5, 0.5]


def test_the_ablations_differ() -> None:
    problem = films(films=2, groups=30, names=8, dimensions=8)
    methods = ("dbgae", "dbgae-authors", "dbgae-no-autoencoder", "dbgae-no-dual", "dbgae-no-cross", "dbgae-no-attention")
    told = {named(problem, method).confidence.tobytes() for method in methods}
    assert len(told) == len(methods)
