"""A film is listened to: what is said becomes lines, a stop loses nothing, and where nobody speaks nothing is invented."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from core.errors import BadInput
from core.media.cache import Cache
from core.media.names.cast import Cast
from core.media.speech.kinds import RATE, Said, Samples
from core.media.speech.listening import CLIP, Ear, clips, listen
from core.media.speech.whisper import Whisper
from core.progress import silent
from tests.core.media.films import film, plain
from tests.core.media.speech.spoken import Pretended, film_with, music, noise, silence, spoken

NAMES = ("Marcus Oyelaran", "Priya Raman")
SAID = (
    "I met Monica yesterday.", "Good morning, Rachel, come in.", "Chandler has not answered.", "We waited for Phoebe.",
    "It was written by Gunther.", "Ask Joey where the keys are.",
)  # fmt: skip
SENTENCE = "Good evening. This is Marcus Oyelaran, and here is Priya Raman."


@pytest.fixture(scope="module")
def whisper() -> Whisper:
    return Whisper()


def tones(*parts: tuple[float, float]) -> Samples:
    """Seconds of silence, then of something loud, and so on."""
    return np.concatenate([np.r_[silence(quiet), np.full(round(loud * RATE), 0.5, np.float32)] for quiet, loud in parts])


def test_names_are_heard_with_their_spelling_and_their_times(whisper: Whisper, tmp_path: Path) -> None:
    video = film_with(tmp_path / "film.mp4", np.concatenate([silence(2), spoken(SENTENCE), silence(2)]))
    heard = listen(Ear(listener=whisper), Cache(tmp_path, "x"), video, "c", 9.0, NAMES, silent, lambda: False)
    text = " ".join(one.text for one in heard.said)
    assert heard.language == "en"
    assert "Marcus Oyelaran" in text
    assert "Priya Raman" in text
    assert 1.2 <= heard.said[0].start <= 2.6
    assert heard.said[-1].stop <= 9.0
    assert [record.kind for record in heard.records()] == ["speech"] * len(heard.said)


@pytest.mark.parametrize("sound", [silence(12), noise(12), music(16)], ids=["silence", "noise", "music"])
def test_where_nobody_speaks_no_name_is_invented(whisper: Whisper, tmp_path: Path, sound: Samples) -> None:
    video = film_with(tmp_path / "film.mp4", sound)
    heard = listen(Ear(listener=whisper), Cache(tmp_path, "x"), video, "c", 16.0, NAMES, silent, lambda: False)
    assert heard.said == []
    assert heard.told() == ["nothing was heard that is speech"]


def test_a_stop_keeps_what_was_heard_and_the_rest_follows(tmp_path: Path) -> None:
    video = film_with(tmp_path / "film.mp4", tones((1, 2), (5, 2), (5, 2)))
    cache, listener = Cache(tmp_path, "x"), Pretended()
    first = listen(Ear(listener=listener), cache, video, "c", 17.0, (), silent, lambda: len(listener.heard) >= 2)
    assert (first.finished, len(first.said)) == (False, 2)
    done: list[int] = []
    again = listen(Ear(listener=listener), cache, video, "c", 17.0, (), lambda *said: done.append(said[1]), lambda: False)
    assert (again.finished, len(again.said), len(listener.heard)) == (True, 3, 3)
    assert done == sorted(done)
    assert done[-1] == 17
    other = listen(Ear(listener=listener), cache, video, "c", 17.0, ("Ann",), silent, lambda: False)
    assert len(other.said) == 3
    assert len(listener.heard) == 6  # with other names it is heard anew


class Misled(Pretended):
    """Hears a name of the list where it was told to expect one."""

    def words(self, sound: Samples, hints: Sequence[str], language: str) -> tuple[Sequence[Said], str]:
        self.heard.append(len(sound) / RATE)
        text = "Ask Nina Wolff." if hints and len(self.heard) == 1 else SAID[len(self.heard) % 6]
        return [Said(0.0, len(sound) / RATE, text, 0.9)], "en"


def test_with_the_cast_list_of_another_film_it_is_heard_without_it(tmp_path: Path) -> None:
    video = film_with(tmp_path / "film.mp4", tones(*[(4, 1)] * 6))
    cache, listener = Cache(tmp_path, "x"), Misled()
    wrong = tuple(f"{first} Wolff" for first in ("Nina", "Leonard", "Penny", "Sheldon", "Howard", "Amy", "Bernadette"))
    heard = listen(Ear(listener=listener), cache, video, "c", 30.0, wrong, silent, lambda: False)
    assert heard.doubted
    assert len(listener.heard) == 12
    assert not [one for one in heard.said if "Wolff" in one.text]
    assert heard.by(Cast({name: (name,) for name in wrong})) == Cast({name: (name,) for name in wrong}, in_full=True)
    again = listen(Ear(listener=listener), cache, video, "c", 30.0, wrong, silent, lambda: False)
    assert (again, len(listener.heard)) == (heard, 12)
    right = listen(Ear(listener=listener), cache, video, "c", 30.0, ("Monica", "Ross"), silent, lambda: False)
    assert (right.doubted, len(listener.heard)) == (False, 18)


def test_clips_are_short_and_whole(tmp_path: Path) -> None:
    whole = tones((1, 2), (1, 2), (10, 60))
    half = len(tones((1, 2), (1, 1)))
    parts = [(0.0, whole[:half]), (half / RATE, whole[half:])]  # somebody speaks on over the end of a block
    found = [(round(start, 1), round(len(clip) / RATE, 1)) for start, clip in clips(Pretended(), iter(parts))]
    assert found == [(1.0, 5.0), (16.0, CLIP), (41.0, CLIP), (66.0, 10.0)]


def test_a_film_without_sound_and_a_missing_model_are_told(tmp_path: Path) -> None:
    mute = film(tmp_path / "mute.mp4", [plain((60, 60, 60))] * 5)
    heard = listen(Ear(listener=Pretended()), Cache(tmp_path, "x"), mute, "c", 1.0, (), silent, lambda: False)
    assert (heard.said, heard.finished) == ([], True)
    missing = listen(Ear(tmp_path / "nowhere"), Cache(tmp_path, "x"), mute, "c", 1.0, (), silent, lambda: False)
    assert "there is no such folder" in missing.told()[0]


def test_a_folder_that_is_no_model_is_refused_in_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"holds no model\.bin"):
        Whisper(tmp_path)
    for name in ("model.bin", "config.json", "tokenizer.json"):
        (tmp_path / name).write_text("{}")
    with pytest.raises(BadInput, match="cannot be loaded") as caught:
        Whisper(tmp_path).words(silence(1), (), "")
    assert "\n" not in str(caught.value)
