"""First names and surnames of many countries: the lists that Faker keeps, which are only read."""

from __future__ import annotations

import importlib
import importlib.util
import pkgutil
import zoneinfo
from collections.abc import Iterable
from functools import cache
from typing import Any

from core.media.names.words import words

COUNTRIES = {  # whose lists a language goes by
    "de": ("de_DE", "de_AT", "de_CH"),
    "fr": ("fr_FR", "fr_CA", "fr_BE"),
    "es": ("es_ES", "es_MX", "es_AR", "es_CO", "es_CL"),
    "it": ("it_IT",),
    "pt": ("pt_PT", "pt_BR"),
    "nl": ("nl_NL", "nl_BE"),
    "sv": ("sv_SE",),
    "da": ("da_DK",),
    "nb": ("no_NO",),
    "fi": ("fi_FI",),
    "pl": ("pl_PL",),
    "cs": ("cs_CZ", "sk_SK"),
    "ro": ("ro_RO",),
    "hu": ("hu_HU",),
    "hr": ("hr_HR", "sl_SI"),
    "ca": ("es_CA", "es_ES"),
    "tr": ("tr_TR",),
    "en": ("en_US", "en_GB", "en_IE"),
}
EVERYWHERE = ("de_DE", "fr_FR", "es_ES", "it_IT", "pt_BR", "nl_NL", "sv_SE", "pl_PL", "tr_TR", "en_US", "en_GB", "en_IN")


@cache
def first_names(language: str) -> frozenset[str]:
    """The first names that are usual in a language, as they are written."""
    return _listed("person", COUNTRIES.get(language, ()), ("first_names", "first_names_male", "first_names_female"))


@cache
def all_first_names() -> frozenset[str]:
    """Those of many countries: people travel."""
    return _listed("person", EVERYWHERE, ("first_names", "first_names_male", "first_names_female"))


@cache
def surnames(language: str) -> frozenset[str]:
    return _listed("person", COUNTRIES.get(language, ()), ("last_names", "last_names_male", "last_names_female"))


@cache
def places(language: str) -> frozenset[str]:
    """Names of countries, regions and towns that are no first names there, also as other languages write them, and of the
    towns that time zones are named by."""
    kinds = ("cities", "countries", "states", "regions", "departments", "provinces")
    towns = {zone.rpartition("/")[2].replace("_", " ") for zone in zoneinfo.available_timezones() if "/" in zone}
    return (_listed("address", COUNTRIES.get(language, ()), kinds) | towns | words("towns")) - first_names(language)


def _listed(provider: str, locales: Iterable[str], kinds: Iterable[str]) -> frozenset[str]:
    found: set[str] = set()
    for locale in locales:
        name = f"faker.providers.{provider}.{locale}"
        if not _is_there(f"faker.providers.{provider}", locale):
            continue
        lists = importlib.import_module(name).Provider
        for kind in kinds:
            found.update(_texts(getattr(lists, kind, ())))
    return frozenset(found)


def _texts(values: Any) -> Iterable[str]:
    """The texts of a list, of a mapping's keys, or of pairs of which the second is the text."""
    for value in values if isinstance(values, list | tuple | dict) else ():
        text = value if isinstance(value, str) else value[-1] if isinstance(value, tuple) and value else ""
        if isinstance(text, str) and text and text[0].isupper():
            yield text


@cache
def _is_there(package: str, locale: str) -> bool:
    if importlib.util.find_spec("faker") is None:
        return False
    return locale in {one.name for one in pkgutil.iter_modules(importlib.import_module(package).__path__)}
