"""The charts about people show names as text, the same picture every time, and lead to the right frame and person."""

from __future__ import annotations

import base64
from io import BytesIO

import numpy as np
import pytest
from PIL import Image

from core.jobs.engine import Job
from core.store.views.appearances import Appearances, Together
from tests.made import drawn_face
from ui.parts.pictures import SILHOUETTE
from ui.widgets.charts import people_graph, round_portrait, timeline
from ui.widgets.run_charts import curve_figure

HOSTILE = "<a href='javascript:alert(1)'>Ross</a>"
JPEG = "data:image/jpeg;base64," + base64.b64encode(drawn_face(1)).decode()


def seen(timed: bool) -> Appearances:
    return Appearances(
        names=(HOSTILE, "Monica"),
        person=np.array([0, 1, 1]),
        start=np.array([0.0, 60.0, 3660.0]),
        width=4.0,
        frame=np.array([7, 8, 9]),
        faces=np.array([1, 1, 2]),
        said=np.array([True, False, True]),
        span=3664.0,
        timed=timed,
    )


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("timed", [True, False])
def test_the_timeline_tells_what_people_said_from_what_the_machine_thinks(theme: str, timed: bool) -> None:
    figure = timeline(seen(timed), [JPEG, JPEG], theme)
    assert [image.y for image in figure.layout.images] == [0, 1]  # a portrait beside each name
    thought, said = figure.data
    assert (list(thought.customdata), list(said.customdata)) == ([8], [7, 9])
    assert said.width > thought.width  # told apart by more than colour
    assert "1:01:00" in said.hovertext[1] if timed else "picture 3,660" in said.hovertext[1]
    assert HOSTILE not in str(figure.to_json())


def company(frames: list[int]) -> Together:
    return Together(
        ("Ross", HOSTILE, "Joey"), np.array([9, 4, 1]), np.array([0, 0]), np.array([1, 2]), np.array(frames, np.int64)
    )


def test_the_graph_is_the_same_every_time_and_wider_where_people_are_together_more() -> None:
    one, again = (people_graph(company([10, 1]), [JPEG, SILHOUETTE, JPEG], "light") for _ in range(2))
    assert one.to_json() == again.to_json()
    lines = [trace for trace in one.data if trace.mode == "lines" and trace.x]
    assert len(lines) == 2
    assert lines[0].line.width < lines[1].line.width
    people = one.data[-1]
    assert list(people.customdata) == [0, 1, 2]
    assert people.marker.size[0] > people.marker.size[1] > people.marker.size[2]
    for k in (1, 2):  # a name stands where no line leaves its portrait
        assert people.textposition[k] == ("bottom center" if people.y[0] >= people.y[k] else "top center")
    assert len(one.layout.images) == 2  # a missing crop leaves a plain disc
    assert HOSTILE not in str(one.to_json())


def test_the_graph_of_one_person_and_of_nobody() -> None:
    none = np.zeros(0, np.int64)
    assert len(people_graph(Together(("Ross",), np.array([1]), none, none, none), [JPEG], "dark").data[-1].x) == 1
    assert not people_graph(Together((), none, none, none, none), [], "dark").data[-1].x


def test_a_portrait_is_round_and_what_is_no_picture_is_left_out() -> None:
    image = Image.open(BytesIO(base64.b64decode(round_portrait(JPEG).split(",")[1])))
    assert image.mode == "RGBA"
    assert image.getpixel((0, 0))[3] == 0
    assert image.getpixel((48, 48))[3] == 255
    assert round_portrait(SILHOUETTE) == ""
    assert round_portrait("data:image/jpeg;base64,AAAA") == ""


@pytest.mark.parametrize("many", [30, 200])
def test_the_loss_of_a_rerun_is_drawn_whole(many: int) -> None:
    """Also where a cold start came before it, whose epochs the rerun's total does not count."""
    job = Job(1, "run", "running", "autoencoder", 60, 80, 0, 0, 1, "", 1, False, tuple(np.geomspace(1, 1e-3, many)), ())
    figure = curve_figure(job)
    first, last = figure.layout.xaxis.range
    assert first <= min(figure.data[0].x) < max(figure.data[0].x) <= last
    assert figure.layout.yaxis.title.text == "loss"
