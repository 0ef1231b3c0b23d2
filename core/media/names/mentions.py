"""Who is named in captions: by the cast list when there is one, otherwise by speaker tags and what the language tells."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from core.errors import BadInput
from core.media.captions.speakers import NUMBER, PARTICLES, TITLES, Tag, is_anyone, tag_at, tags
from core.media.names.beside import in_another
from core.media.names.cast import Cast, folded, read_cast
from core.media.names.first_names import all_first_names, first_names, places, surnames
from core.media.names.foreign import GENITIVE, guess_foreign, is_owned
from core.media.names.guess import Spot, guess_names, titled
from core.media.names.language import is_installed, is_ordinary, is_role, likeness
from core.media.names.spellings import best_written, by_sentence, merges, two_of_a_name, with_title
from core.media.names.tongues import languages_of, stop_words
from core.media.names.words import words
from core.records import NewMention, NewMerge

__all__ = ["Cast", "NamesFound", "find_names", "read_cast"]

# scripts without spaces between words, and Korean, which writes endings onto names
UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3"
PLAINLY = re.compile(
    r"\s+(?:you|i|he|she|it|we|they|my|your|his|her|our|their|the|a|an|so|not|there)\b|n['’]t", re.IGNORECASE
)
ENDS = (*'.!?…:"”)]♪', "")  # of a line that does not go on
HABIT = 0.3  # share of lines with a speaker tag by which every tag is trusted, if half of the tags may be people's
MANY = 5  # lines that make a habit
JOINED_ON = "وفبلكובלמהש"  # Arabic and Hebrew write "and", "to" and the like onto the word
Place = tuple[str, int, int]  # a name and its span


@dataclass(frozen=True)
class NamesFound:
    """The mentions of each caption, their spans in its text; and which names were taken to be one person's spellings."""

    mentions: list[list[NewMention]]
    merges: list[NewMerge]


def find_names(
    captions: Sequence[str], cast: Cast | None = None, given: Sequence[Sequence[str] | None] | None = None
) -> NamesFound:
    """The names in captions. With a cast list only its names count, and stand as its people are called.

    Where ``given`` lists a caption's names, those are its names.
    """
    given = given if given is not None else [None] * len(captions)
    if len(given) != len(captions):
        raise BadInput(
            f"there are {len(captions)} captions but {len(given)} lists of names; give one list a caption, or None"
        )
    listed = [None if names is None else _canonical(names, cast) for names in given]
    searched = [caption if names is None else "" for caption, names in zip(captions, listed, strict=True)]
    if cast is not None:
        found = [_mentions(spots) for spots in _by_cast(searched, cast)]
        merged: list[NewMerge] = []
    else:
        found, merged = _by_language(searched, [names for names in listed if names])
    mentions = [
        here if names is None else [NewMention(name, _places(caption, name)) for name in names]
        for caption, names, here in zip(captions, listed, found, strict=True)
    ]
    return NamesFound(mentions, merged)


def _mentions(spots: Sequence[Place]) -> list[NewMention]:
    places: dict[str, list[tuple[int, int]]] = {}
    for name, start, stop in sorted(spots, key=lambda spot: spot[1:]):
        places.setdefault(name, []).append((start, stop))
    return [NewMention(name, tuple(spans)) for name, spans in places.items()]


# --- With a cast list --------------------------------------------------------------------------------------------------


def _canonical(names: Sequence[str], cast: Cast | None) -> list[str]:
    """Names from a table; those that one person of the cast goes by become that person's."""
    tidy = [" ".join(name.split()) for name in names if name.strip()]
    people = [cast.called.get(folded(name), ()) if cast else () for name in tidy]
    return list(dict.fromkeys(who[0] if len(who) == 1 else name for name, who in zip(tidy, people, strict=True)))


def _places(caption: str, name: str) -> tuple[tuple[int, int], ...]:
    return tuple(match.span() for match in re.finditer(_pattern([name]), caption, re.IGNORECASE))


def _pattern(names: Sequence[str]) -> str:
    """Any of the names as a whole word, the longest first; as part of a word in scripts that put no space between words."""
    parts = []
    for name in sorted(names, key=len, reverse=True):
        text = r"\s+".join(re.escape(word).replace("'", "['’]") for word in folded(name).split())
        before = "" if re.match(f"[{UNSPACED}]", name) else rf"(?:(?<!\w)|(?<=(?<!\w)[{JOINED_ON}]))"
        after = "" if re.search(f"[{UNSPACED}]$", name) else r"(?!\w)"
        parts.append(before + text + after)
    return "|".join(parts)


def _by_cast(captions: Sequence[str], cast: Cast) -> list[list[Place]]:
    """Where the cast is named. A name that is a word too ("Will") needs a capital, and sense at the start of a sentence."""
    pattern = re.compile(_pattern(list(cast.called)), re.IGNORECASE)
    languages = languages_of(captions) if is_installed() else ["en"] * len(captions)
    owned = re.compile(_pattern([f"{name}s" for name in cast.called if name[-1:] not in "sxzß"]) or "(?!)", re.IGNORECASE)
    found: list[list[Place]] = []
    doubtful: list[tuple[int, str, int, int]] = []
    for number, caption in enumerate(captions):
        here: list[Place] = []
        tagged = [range(tag.start, tag.stop) for tag in tags(caption)]
        foreign = languages[number] != "en"
        if languages[number] in GENITIVE:  # "Annas Bruder"
            for match in owned.finditer(caption):
                people = cast.called[folded(match[0])[:-1]] if match[0][0].isupper() else ()
                here += [(person, match.start(), match.end() - 1) for person in people]
        for match in pattern.finditer(caption):
            name, (start, stop) = folded(match[0]), match.span()
            if foreign and not _meant(caption, match, languages[number]):
                continue
            if name in cast.parts and in_another(caption, match, cast, languages[number]):
                continue
            if not (name in words("words too") or _is_word(name, cast)) or foreign or any(start in tag for tag in tagged):
                here += [(person, start, stop) for person in cast.called[name]]
            elif match[0][0].isupper():
                doubtful.append((number, match[0], start, stop))
        found.append(here)
    for number, name, start, stop in _sensible(captions, doubtful):
        found[number] += [(person, start, stop) for person in cast.called[folded(name)]]
    return found


def _is_word(name: str, cast: Cast) -> bool:
    """Whether the part of a name is a usual word besides: the Good of Odhran Good."""
    return name in cast.parts and is_installed() and is_ordinary(name)


def _meant(caption: str, match: re.Match[str], language: str) -> bool:
    """Whether a word of a caption in another language may be a name: "una rosa" is none, nor is "Will er kommen?"."""
    if match[0][0].islower() and any(map(str.isupper, caption)):
        return False
    if is_owned(caption, match.start(), language):
        return False
    opens = caption[: match.start()].rstrip(' "“«¿¡-–')[-1:] in ("", *ENDS, "\n")
    return not (opens and folded(match[0]) in stop_words(language))


def _sensible(captions: Sequence[str], doubtful: Sequence[tuple[int, str, int, int]]) -> list[tuple[int, str, int, int]]:
    """Those words that are names where they stand; without a language model by the next word alone."""
    if not is_installed():
        return [seen for seen in doubtful if not PLAINLY.match(captions[seen[0]], seen[3])]
    parts = [
        (number, *part) for number in sorted({number for number, *_ in doubtful}) for part in _segments(captions[number])
    ]
    spots = guess_names([text for _, text, _ in parts], {titled(name) for _, name, *_ in doubtful}) if parts else []
    named = {
        (number, place)
        for (number, _, at), here in zip(parts, spots, strict=True)
        for spot in here
        for place in range(at + spot.start, at + spot.stop)
    }
    return [seen for seen in doubtful if (seen[0], seen[2]) in named]


# --- Without one -------------------------------------------------------------------------------------------------------


def _segments(caption: str) -> list[tuple[str, int]]:
    """A caption's lines and where they begin; one that was only wrapped goes on with the next, on which a name may end."""
    parts: list[tuple[int, int]] = []
    for row in re.finditer(r"[^\n]+", caption):
        text = row[0]
        if parts and row.start() == parts[-1][1] + 1:
            open_end = caption[: parts[-1][1]].rstrip()[-1:] not in ENDS
            if open_end and text.strip() and not re.match(r"\s*[-–—•\[(>]", text) and not tag_at(text):
                parts[-1] = (parts[-1][0], row.end())
                continue
        if text.strip():
            parts.append(row.span())
    return [(caption[start:stop].replace("\n", " "), start) for start, stop in parts]


def _by_language(captions: Sequence[str], listed: Sequence[Sequence[str]]) -> tuple[list[list[NewMention]], list[NewMerge]]:
    """Names by speaker tags and language, each line read once; ``listed`` names of other captions are known to be names."""
    parts = [_segments(caption) for caption in captions]
    texts = list(dict.fromkeys(text for here in parts for text, _ in here))  # neighbouring frames share their lines
    languages = languages_of(texts) if is_installed() else ["en"] * len(texts)
    tagged = _speakers(texts, languages)
    speakers = {spot.name for here, _ in tagged for spot in here}
    known = {word for names in listed for name in names for word in name.split()}
    known |= {word for name in speakers for word in name.split() if word[0].isupper() and not is_role(word)}
    known -= {word for word in known if word.lower() in PARTICLES}
    bodies = [" " * end + text[end:] for text, (_, end) in zip(texts, tagged, strict=True)]
    guessed = _guessed(bodies, languages, known) if texts else []
    spots = _told_apart([[*here, *more] for (here, _), more in zip(tagged, guessed, strict=True)])
    best = best_written([(spot, text) for here, text in zip(spots, texts, strict=True) for spot in here])
    named = {
        text: [replace(spot, name=best[folded(spot.name)]) for spot in here] for text, here in zip(texts, spots, strict=True)
    }
    mentions = [
        _mentions([(spot.name, at + spot.start, at + spot.stop) for text, at in here for spot in named[text]])
        for here in parts
    ]
    lines = [sentence for text, here in named.items() for sentence in by_sentence(text, here)]
    lines += [[(name, "") for name in names] for names in listed]
    return mentions, merges(lines, {best[folded(name)] for name in speakers if folded(name) in best})


def _guessed(texts: Sequence[str], languages: Sequence[str], known: Collection[str]) -> list[list[Spot]]:
    """The names in each text, each read in its language."""
    found: dict[int, list[Spot]] = {}
    for language in dict.fromkeys(languages):
        places = [k for k, one in enumerate(languages) if one == language]
        here = [texts[k] for k in places]
        spots = guess_names(here, known) if language == "en" else guess_foreign(here, language, known)
        found.update(zip(places, spots, strict=True))
    return [found[k] for k in range(len(texts))]


def _speakers(texts: Sequence[str], languages: Sequence[str]) -> list[tuple[list[Spot], int]]:
    """The people of each line's speaker tag, written as names are, and where the tag ends.

    Ordinary words with a colon ("Idea:") speak only if they are a role, in capitals, said more than once, or tags are these
    captions' habit; in other languages than English, all words do that no list of names holds ("Natación:").
    """
    all_tags = [tag_at(text) for text in texts]
    counts = Counter(folded(tag.speaker) for tag in all_tags if tag)
    called = [_is_called(tag.speaker.split(), language) for tag, language in zip(all_tags, languages, strict=True) if tag]
    habit = len(called) >= HABIT * max(len(texts), MANY) and 2 * sum(called) >= len(called)
    found: list[tuple[list[Spot], int]] = []
    for tag, language in zip(all_tags, languages, strict=True):
        if tag is None:
            found.append(([], 0))
            continue
        trusted = habit or counts[folded(tag.speaker)] > 1 or tag.speaker.isupper()
        if language != "en" and NUMBER.sub("", tag.speaker).casefold() in words("foreign anyone"):
            found.append(([], tag.end))
            continue
        spots = [spot for place in tag.people() if (spot := _speaker(tag, *place, trusted, language))]
        found.append((spots, tag.end if spots or is_anyone(tag.speaker) else 0))
    return found


def _speaker(tag: Tag, start: int, stop: int, trusted: bool, language: str) -> Spot | None:
    parts = tag.speaker[start - tag.start : stop - tag.start].split()
    title = ""
    while len(parts) > 1 and parts[0].strip(".").lower() in TITLES and not NUMBER.match(f" {' '.join(parts[1:])}"):
        title, parts = parts[0].strip(".").lower(), parts[1:]
    if is_anyone(" ".join(parts)) or not (trusted or title or _is_called(parts, language)):
        return None
    return Spot(" ".join(part if part.islower() else titled(part) for part in parts), start, stop, title)


def _is_called(parts: Sequence[str], language: str) -> bool:
    """Whether somebody may be called by these words of a tag, by the words alone."""
    names = [titled(part) for part in parts if part[0].isalpha()]
    if names and " ".join(names) in places(language):
        return False
    if language != "en":
        listed = first_names(language) | all_first_names() | surnames(language)
        return any(part in listed for name in names for part in (name, *name.split("-")))
    return not all(is_ordinary(name) and likeness(name) < 0 and not is_role(name) and not _doubles(name) for name in names)


def _doubles(word: str) -> bool:
    """Whether a word is a name, too: Will, Rose."""
    return folded(word) in words("words too")


def _told_apart(lines: Sequence[Sequence[Spot]]) -> list[list[Spot]]:
    """Mr. and Mrs. Stark by their titles, as they share a surname."""
    both = two_of_a_name(spot for here in lines for spot in here)
    return [
        [replace(spot, name=with_title(spot)) if spot.title and folded(spot.name) in both else spot for spot in here]
        for here in lines
    ]
