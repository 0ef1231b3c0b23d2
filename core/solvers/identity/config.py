"""Every constant of the default method. No other number in this folder changes an answer."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Config:
    """One set of values for all problems. ``model.py`` has the formulas in which they stand."""

    # appearance (PLDA)
    dimensions: int = 128  # principal directions of the features that are kept
    temperature: float = 0.6  # of the appearance likelihood: faces of one person are not independent
    offline_dimensions: int = 40  # leading directions of an offline prior
    offline_temperature: float = 0.3  # the same for scatters that were learned offline
    within_faces: float = 2.0  # faces a dimension that the prior of the within-person scatter counts for
    between_persons: float = 1.0  # persons a dimension that the prior of the between-person scatter counts for
    # partition (Pitman-Yor)
    concentration: float = 1.0
    discount: float = 0.2
    # captions (beta-Bernoulli)
    rate_strength: float = 4.0  # groups that the common mention rate of visible persons counts for
    absent_yes: float = 0.2  # Beta prior of the mention rate of absent persons
    absent_no: float = 2.0
    # names
    named_single: tuple[float, float] = (20.0, 400.0)  # Beta prior of the share of named persons among those seen once,
    named_recurring: tuple[float, float] = (6.0, 1.0)  # and among those seen again
    further_cluster: float = 3.0  # nats that a further cluster of the same name costs
    # frames
    exclusivity: float = 4.0  # nats that a person seen twice in one frame costs
    # inference
    neighbours: int = 10  # look-alikes whose clusters a face may join
    annealing: float = 2.0  # temperature of the whole joint at first
    sweeps: int = 24  # until the temperature is 1
    samples: int = 16  # sweeps that are averaged
    refits: int = 5  # times that the scatters are estimated anew on the way
    soft_rounds: int = 24  # rounds of the soft start
    mode_temperature: float = 20.0  # nats by which a start may be behind the best and still be heard
    # ablations
    absence: bool = True  # a caption speaks by the names it leaves out, too
    learning: bool = True  # the scatters are learned from the answer
    strangers: bool = True  # persons without a name compete with the names
    offline: bool = True  # scatters learned offline are used where there are some


DEFAULTS = Config()
