"""The script of "The Lighthouse Birthday": shots, who stands where, and what the captions say.

Who is who is known by construction. A caption in brackets describes the picture; the others are spoken by someone.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from assets.demo.looks import CAST

TITLE = "The Lighthouse Birthday"
ABSENT = ("Walter",)  # spoken of, never seen
NAMES = (*CAST, *ABSENT)
GAP = 0.25  # seconds of silence around a caption

Placed = tuple[float, float, float]  # x and y of the point between the eyes, and the size of a unit, in a set's pixels


@dataclass(frozen=True)
class Cue:
    """A caption and how long it stands."""

    text: str
    seconds: float
    speaker: str = ""

    @property
    def line(self) -> str:
        return f"{self.speaker.upper()}: {self.text}" if self.speaker else f"({self.text})"

    @property
    def names(self) -> tuple[str, ...]:
        """The names in it, the speaker's first."""
        return tuple(name for name in NAMES if name == self.speaker or re.search(rf"\b{name}\b", self.text))


@dataclass(frozen=True)
class Actor:
    who: str  # a name of the cast, or one of the extras
    mien: str = "calm"
    yaw: float = 0.0
    to: float | None = None  # the yaw at the shot's end, where it changes
    pitch: float = 0.0
    tilt: float = 0.0  # degrees, clockwise


@dataclass(frozen=True)
class Prop:
    kind: str  # a key of props.PROPS
    x: float
    y: float
    size: float = 1.0


@dataclass(frozen=True)
class Shot:
    place: str  # a key of sets.SETS
    actors: tuple[Actor, ...] = ()
    cues: tuple[Cue, ...] = ()
    silence: float = 0.0  # how long a shot without captions lasts
    props: tuple[Prop, ...] = ()
    closer: float = 0.0  # how far the camera goes in: -1 to 1, below 0 it draws back
    title: str = ""

    @property
    def seconds(self) -> float:
        return sum(cue.seconds for cue in self.cues) + GAP * (len(self.cues) + 1) * bool(self.cues) + self.silence


@dataclass(frozen=True)
class Spoken:
    """A cue at its time in the film."""

    start: float
    stop: float
    cue: Cue
    shot: int


PLACES: dict[int, tuple[Placed, ...]] = {
    1: ((480, 262, 84),),
    2: ((300, 270, 64), (660, 270, 64)),
    3: ((196, 284, 54), (480, 266, 54), (764, 284, 54)),
    4: ((140, 282, 43), (368, 262, 43), (592, 262, 43), (820, 282, 43)),
    7: ((122, 204, 41), (362, 188, 41), (598, 188, 41), (838, 204, 41), (242, 346, 47), (480, 356, 47), (718, 346, 47)),
}


def placed(shot: Shot) -> tuple[Placed, ...]:
    return PLACES[len(shot.actors)] if shot.actors else ()


A = Actor

SHOTS: tuple[Shot, ...] = (
    Shot("dawn", silence=3.5, closer=0.5, title=TITLE),
    # The cake
    Shot(
        "bakery",
        (A("Esme", "smile", 0.2), A("Finn", "grin", -0.25, tilt=-5)),
        (Cue("Esme ices a cake, and Finn licks the spoon.", 2.6),),
        props=(Prop("table", 480, 470), Prop("cake", 480, 462)), closer=0.4,
    ),
    Shot("bakery", (A("Esme", "calm", 0.15, 0.3),), (Cue("It is for Ada. Not a word to anyone!", 2.4, "Esme"),), closer=0.3),
    Shot("bakery", (A("Finn", "calm", -0.2, 0.0, tilt=4),), (Cue("I am as quiet as a fish.", 2.0, "Finn"),), closer=0.5),
    # On the quay
    Shot(
        "quay",
        (A("fisher", "calm", 0.25), A("Greta", "calm", 0.1), A("Hugo", "calm", -0.2)),
        (Cue("On the quay, Greta ties her shawl. Hugo winds his watch.", 2.8),), closer=-0.5,
    ),
    Shot(
        "quay",
        (A("Greta", "calm", 0.15),),
        (Cue("Eighty steps, and Ada climbs them every night.", 2.5, "Greta"),), closer=0.4,
    ),
    Shot("quay", (A("Hugo", "smile", -0.15),), (Cue("Walter climbed them before her.", 2.2, "Hugo"),), closer=0.4),
    Shot(
        "quay",
        (A("market woman", "smile", 0.2), A("Greta", "smile", -0.1), A("clerk", "calm", -0.25)),
        silence=2.4, closer=0.3,
    ),
    # Up the tower
    Shot(
        "stairs",
        (A("Ada", "calm", 0.2, tilt=3), A("Bruno", "calm", -0.2)),
        (Cue("Ada climbs the stairs with oil for the lamp. Bruno follows.", 2.8),),
        props=(Prop("lantern", 480, 420),), closer=0.4,
    ),
    Shot("stairs", (A("Bruno", "calm", -0.15),), (Cue("Nobody remembers a birthday at sea.", 2.3, "Bruno"),), closer=0.4),
    Shot("stairs", (A("Ada", "smile", 0.15, -0.1),), (Cue("I do not mind. I have the lamp.", 2.3, "Ada"),), closer=0.6),
    # The mail boat
    Shot(
        "boat",
        (A("Dev", "smile", 0.2), A("Cleo", "calm", -0.1)),
        (Cue("Cleo steers the mail boat while Dev coils a rope.", 2.6),),
        props=(Prop("parcels", 150, 470),), closer=-0.4,
    ),
    Shot(
        "boat",
        (A("Dev", "calm", 0.15), A("Cleo", "smile", -0.2)),
        (Cue("Parcels for Ada, for Esme and for Greta!", 2.4, "Dev"),), closer=0.5,
    ),
    Shot("boat", (A("Cleo", "smile", 0.1, -0.15),), (Cue("And a letter from Walter's old ship.", 2.2, "Cleo"),), closer=0.4),
    # Lanterns on the pier
    Shot(
        "pier",
        (A("Ingrid", "smile", 0.2), A("Johanna", "smile", -0.2)),
        (Cue("Ingrid and Johanna hang paper lanterns along the pier.", 2.7),), closer=-0.4,
    ),
    Shot(
        "pier",
        (A("Ingrid", "calm", 0.15), A("clerk", "smile", 0.0), A("Johanna", "calm", -0.2)),
        (Cue("Higher, Johanna! They must see it from the boat.", 2.4, "Ingrid"),), closer=0.3,
    ),
    Shot(
        "pier",
        (A("Johanna", "grin", 0.1, -0.1, tilt=-4),),
        (Cue("You are standing on my foot.", 2.0, "Ingrid"),), closer=0.4,
    ),
    Shot(
        "pier",
        (A("Finn", "grin", 0.2), A("Johanna", "surprised", -0.1), A("Ingrid", "grin", -0.2)),
        (Cue("The cake is ready! Where is Hugo?", 2.3, "Finn"),), closer=0.3,
    ),
    # Fog
    Shot(
        "fog boat",
        (A("Cleo", "worried", -0.1, 0.2), A("Dev", "worried", -0.15)),
        (Cue("Fog comes in. The harbour is gone.", 2.4),), closer=0.4,
    ),
    Shot(
        "fog boat",
        (A("Dev", "worried", 0.2), A("Cleo", "frown", -0.15)),
        (Cue("I cannot see the pier.", 1.9, "Dev"), Cue("Listen. That is Hugo's bell!", 2.1, "Cleo")), closer=0.4,
    ),
    Shot(
        "fog pier",
        (A("fisher", "worried", 0.2), A("Hugo", "frown", 0.0), A("market woman", "worried", -0.2)),
        (Cue("Hugo rings the bell, and a fisherman calls into the grey.", 2.6),),
        props=(Prop("bell", 610, 150),), closer=0.4,
    ),
    Shot(
        "fog pier",
        (A("Esme", "worried", 0.15), A("Greta", "worried", -0.1)),
        (Cue("Cleo and Dev are still out there.", 2.2, "Greta"),), closer=0.3,
    ),
    Shot(
        "fog pier",
        (A("Esme", "worried", 0.2), A("Finn", "worried", 0.0), A("market woman", "worried", -0.2)),
        silence=2.2, closer=0.3,
    ),
    Shot("stairs", (A("Bruno", "surprised", 0.1),), (Cue("Ada! The boat!", 1.7, "Bruno"),), closer=0.6),
    # The lamp
    Shot(
        "lamp room",
        (A("Ada", "frown", 0.15, pitch=0.05), A("Bruno", "calm", -0.2)),
        (Cue("Ada turns the great lamp to the sea.", 2.4),), closer=0.5,
    ),
    Shot("fog boat", (A("Cleo", "surprised", -0.15), A("Dev", "grin", -0.15)), silence=2.2, closer=0.5),
    Shot("fog boat", (A("Dev", "grin", -0.05),), (Cue("Good old Ada.", 1.7, "Dev"),), closer=0.4),
    Shot(
        "lamp room",
        (A("Ada", "calm", 0.1), A("Bruno", "smile", -0.2)),
        (Cue("They are home.", 1.8, "Bruno"),), closer=0.4,
    ),
    # Ashore
    Shot(
        "night pier",
        (A("Cleo", "smile", 0.2), A("Dev", "smile", 0.1), A("Esme", "grin", -0.2)),
        (Cue("Cleo and Dev step ashore. Esme takes the parcels.", 2.6),),
        props=(Prop("parcels", 860, 480),), closer=-0.4,
    ),
    Shot(
        "night pier",
        (A("Ingrid", "smile", 0.2), A("Finn", "calm", -0.05)),
        (Cue("Where is Johanna?", 1.7, "Finn"), Cue("She went up to warn Bruno.", 2.0, "Greta")), closer=0.4,
    ),
    Shot(
        "night pier",
        (A("Hugo", "smile", 0.2), A("fisher", "smile", 0.1), A("clerk", "smile", -0.1), A("Greta", "smile", -0.2)),
        (Cue("Now, all of you, eighty steps!", 2.1, "Greta"),), closer=0.3,
    ),
    Shot(
        "stairs",
        (A("Hugo", "smile", 0.2), A("Finn", "grin", 0.1), A("Esme", "smile", -0.2)),
        (Cue("Up they go, counting under their breath.", 2.4),), closer=0.4,
    ),
    Shot(
        "stairs",
        (A("Johanna", "smile", 0.2), A("Bruno", "smile", -0.15)),
        (Cue("Keep Ada at the window, Bruno.", 2.2, "Johanna"),), closer=0.4,
    ),
    # The birthday
    Shot("lamp room", (A("Ada", "calm", -0.25, 0.1),), (Cue("Who is on the stairs at this hour?", 2.1, "Ada"),), closer=0.5),
    Shot(
        "lamp room",
        (A("Dev", "grin"), A("Hugo", "smile"), A("Cleo", "grin"),
         A("Greta", "smile"), A("Esme", "grin"), A("Ingrid", "grin"), A("Finn", "surprised")),
        (Cue("Happy birthday!", 2.0, "All"),), closer=0.3,
    ),
    Shot("lamp room", (A("Ada", "surprised", 0.0),), (Cue("Ada cannot say a word.", 2.0),), closer=0.8),
    Shot(
        "lamp room",
        (A("Bruno", "smile", 0.15), A("Ada", "grin", 0.1), A("Esme", "smile", -0.1), A("Finn", "grin", -0.2)),
        (Cue("Esme and Finn carry in the cake. Bruno takes Ada by the hand.", 2.8),),
        props=(Prop("cake", 705, 452),), closer=0.3,
    ),
    Shot(
        "lamp room",
        (A("Greta", "smile", 0.15), A("Hugo", "calm", 0.0), A("Ada", "calm", -0.1)),
        (Cue("To Ada, keeper of the lamp!", 2.5, "Hugo"),), closer=0.4,
    ),
    Shot(
        "lamp room",
        (A("bandsman", "smile", 0.2), A("Johanna", "grin", -0.1, 0.15), A("Dev", "grin", -0.2)),
        (Cue("A fiddle plays. Johanna dances with Dev.", 2.4),), closer=0.4,
    ),
    Shot(
        "lamp room",
        (A("Ingrid", "grin", 0.2, -0.1), A("Bruno", "grin", -0.15)),
        (Cue("Even Bruno dances.", 2.1),), closer=0.4,
    ),
    Shot(
        "lamp room",
        (A("Finn", "smile", 0.1), A("Ada", "sing", 0.0), A("Cleo", "sing", -0.1), A("clerk", "smile", -0.2)),
        (Cue("They sing until the lamp burns low.", 2.4),), closer=0.4,
    ),
    Shot("night", silence=3.5, closer=-0.6, title="the end"),
)  # fmt: skip


@cache
def starts() -> tuple[float, ...]:
    """When each shot begins, and when the film ends."""
    times = [0.0]
    for shot in SHOTS:
        times.append(times[-1] + shot.seconds)
    return tuple(times)


@cache
def spoken() -> tuple[Spoken, ...]:
    """Every cue at its time."""
    found = []
    for number, (shot, start) in enumerate(zip(SHOTS, starts(), strict=False)):
        at = start + GAP
        for cue in shot.cues:
            found.append(Spoken(at, at + cue.seconds, cue, number))
            at += cue.seconds + GAP
    return tuple(found)
