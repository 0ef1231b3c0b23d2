"""Names in speech: ``python -m benchmarks.speech [--seed N] [--people N] [--voice VOICE] [--wrong N]``.

Draws people's names from Faker's lists, lets espeak-ng say a sentence about each, a pause behind it, and listens to the film
as a new user would: without a cast list, and with one, whose names are told to the model as words to expect. The cast list
holds ten people more whom nobody names. ``--wrong`` cast lists of other films are tried as well. Prints whose name the
captions hold, which names they hold that nobody said, and seconds of processor a second of sound.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from benchmarks.measure import RESULTS
from core.errors import BadInput
from core.media.cache import Cache
from core.media.captions.lines import Line
from core.media.names.cast import Cast, folded
from core.media.names.first_names import first_names, surnames
from core.media.names.mentions import find_names
from core.media.speech.kinds import RATE
from core.media.speech.listening import Ear, listen
from core.media.speech.whisper import Whisper
from tests.core.media.speech.spoken import film_with, silence, spoken

SENTENCES = (
    "I met {} at the station yesterday evening.", "Good morning, {}, please come in.", "{} has not answered any question.",
    "We were waiting for {} until midnight.", "The letter was written by {} last summer.", "Ask {} where the keys are.",
)  # fmt: skip
PAUSE = 1.2  # seconds
UNNAMED = 10  # people of the cast list whom nobody names


def drawn(seed: int, people: int) -> list[str]:
    """Names of one first name and one surname each, all different."""
    pick = random.Random(seed)
    first = pick.sample(sorted(one for one in first_names("en") if one.isalpha()), people)
    last = pick.sample(sorted(one for one in surnames("en") if one.isalpha()), people)
    return [f"{one} {other}" for one, other in zip(first, last, strict=True)]


def measured(said: Sequence[str], cast: Sequence[str], film: Path, seconds: float) -> dict[str, object]:
    """Listens to a film in which the names in ``said`` are said; ``cast`` may be empty."""
    ear = Ear(listener=Whisper())
    with tempfile.TemporaryDirectory() as place:
        before = time.process_time()
        heard = listen(ear, Cache(Path(place), "speech"), film, "film", seconds, cast, lambda *_: None, lambda: False)
        cost = time.process_time() - before
    if heard.wrong:
        raise BadInput(heard.wrong)
    lines: list[Line] = heard.lines()
    text = folded(" ".join(line.text for line in lines))
    people = heard.by(Cast({name: (name,) for name in cast}) if cast else None)
    named = {mention.name for some in find_names([line.text for line in lines], people).mentions for mention in some}
    return {
        "people": len(said),
        "heard": sum(folded(name) in text for name in said),
        "doubted": heard.doubted,
        "named": len(named & set(said)),
        "false": sorted(named - set(said)),
        "missed": sorted(name for name in said if folded(name) not in text),
        "processor_a_second": round(cost / seconds, 3),
        "seconds": round(seconds, 1),
    }


def told(way: str, result: dict[str, object]) -> str:
    doubted = ", the list was doubted" if result["doubted"] else ""
    return (
        f"{way}: heard {result['heard']} of {result['people']}, named {result['named']}, false {result['false']}, "
        f"missed {result['missed']}{doubted}; "
        f"{result['processor_a_second']} s of processor a second of {result['seconds']} s"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--people", type=int, default=30)
    parser.add_argument("--voice", default="en-us", help="of espeak-ng")
    parser.add_argument("--wrong", type=int, default=1, help="cast lists of other films")
    parsed = parser.parse_args()
    names = drawn(parsed.seed, parsed.people + UNNAMED)
    said = names[: parsed.people]
    pieces = [spoken(SENTENCES[k % len(SENTENCES)].format(name), parsed.voice) for k, name in enumerate(said)]
    sound = np.concatenate([part for piece in pieces for part in (piece, silence(PAUSE))])
    seconds = len(sound) / RATE
    with tempfile.TemporaryDirectory() as place:
        film = film_with(Path(place) / "said.mp4", sound)
        results = {
            "without a cast list": measured(said, (), film, seconds),
            "with a cast list": measured(said, names, film, seconds),
        }
        for k in range(parsed.wrong):
            others = drawn(parsed.seed + 1000 * (k + 1), parsed.people)
            results[f"with wrong cast list {k + 1}"] = measured(said, others, film, seconds)
    for way, result in results.items():
        print(told(way, result), flush=True)
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / f"speech-{parsed.seed}-{parsed.voice}.json").write_text(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    try:
        main()
    except BadInput as error:
        raise SystemExit(str(error)) from error
