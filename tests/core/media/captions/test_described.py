"""Audio description: texts with times."""

import pytest

from core.media.captions.lines import Line
from core.media.captions.sources import read_captions
from tests.core.media.captions.written import write


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("00:01:02.500 Ross enters.\n00:01:04 He sits.", [(62.5, 64.0, "Ross enters."), (64.0, 68.0, "He sits.")]),
        ("[00:01:02] Ross enters.\n[00:02:00] He sits.", [(62.0, 66.0, "Ross enters."), (120.0, 124.0, "He sits.")]),
        ("00:01:02 - 00:01:05: Ross enters.", [(62.0, 65.0, "Ross enters.")]),
        ("start\tstop\ttext\n00:01:02\t00:01:05\tRoss enters.", [(62.0, 65.0, "Ross enters.")]),
        ("62.5\t65\tRoss enters.", [(62.5, 65.0, "Ross enters.")]),
        ('00:01:02.5,00:01:05,"Ross, alone, enters."', [(62.5, 65.0, "Ross, alone, enters.")]),
        ("1:02 Ross enters.\n1:05 – 1:07 He sits.", [(62.0, 65.0, "Ross enters."), (65.0, 67.0, "He sits.")]),
        ("00:01:02:10 Ross enters.", [(62.4, 66.4, "Ross enters.")]),
        ("A title\n\n00:01:02\nRoss enters\nthe cafe.\n", [(62.0, 66.0, "Ross enters the cafe.")]),
        ("00:01:02 They meet at\n12:30 sharp.", [(62.0, 66.0, "They meet at 12:30 sharp.")]),
    ],
)
def test_audio_description(tmp_path, text, lines):
    assert read_captions(write(tmp_path, text, "described.txt")) == [Line(*line) for line in lines]
