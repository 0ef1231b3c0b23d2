"""What Whisper is unsure of, repeats, or only echoes from its hints is left out."""

from dataclasses import dataclass

import pytest

from core.media.speech.registry import LISTENER, LISTENERS
from core.media.speech.whisper import Whisper, _is_sure


@dataclass(frozen=True)
class Segment:
    text: str
    avg_logprob: float = -0.3
    compression_ratio: float = 1.2
    no_speech_prob: float = 0.1


@pytest.mark.parametrize(
    ("segment", "kept"),
    [
        (Segment("Where is Priya?"), True),
        (Segment("Where is Priya?", avg_logprob=-1.2), False),
        (Segment("la la la la la la la", compression_ratio=3.0), False),
        (Segment("Thank you.", no_speech_prob=0.8), False),
        (Segment("Priya Raman, Priya.", avg_logprob=-0.7), False),  # an echo of the hints
        (Segment("Priya Raman, Priya.", avg_logprob=-0.2), True),
        (Segment("..."), False),
    ],
)
def test_what_is_kept(segment: Segment, kept: bool) -> None:
    assert _is_sure(segment, ["Priya Raman"]) is kept


def test_it_is_the_one_that_is_used() -> None:
    assert LISTENERS[LISTENER] is Whisper
