"""Every constant of the model. No other number in this folder changes an answer."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Config:
    """One set of values for all problems. ``model.py`` has the formulas in which they stand."""

    # appearance (PLDA)
    dimensions: int = 128  # principal directions of the features that are kept at most
    temperature: float = 0.45  # of the appearance likelihood: faces of one person are not independent
    offline_dimensions: int = 40  # leading directions of an offline prior
    offline_temperature: float = 0.4  # the same for scatters that were learned offline
    within_faces: float = 3.0  # faces a dimension that the prior of the within-person scatter counts for
    between_persons: float = 1.0  # persons a dimension that the prior of the between-person scatter counts for
    likeness: float = 0.25  # nats that it is worth at most that a unit and a look-alike are in one cluster
    # who is seen: passers-by, and an urn of names and strangers
    passers_by: float = 0.05  # share of units that are of somebody seen once and never named,
    passer_units: float = 200.0  # and the units that this prior counts for
    stranger_share: float = 0.07  # of the urn's prior: units that are of strangers
    least_strangers: float = 0.2  # theta relative to the weight of a name, at least: a few names are never all
    # films and frames
    film_names: int = 4  # connected captions with so many names are a film, where the problem tells of no films
    other_film: float = 4.0  # nats that it costs a unit to bear a name that belongs to other films only
    exclusivity: float = 8.0  # nats that a person seen twice in one frame costs
    # inference
    neighbours: int = 10  # look-alikes whose clusters a face may join
    annealing: float = 2.0  # temperature of the whole joint at first
    sweeps: int = 24  # until the temperature is 1
    samples: int = 16  # sweeps that are averaged
    still: float = 0.01  # share of units that move in a sweep below which there need not be many more
    settled: float = 10.0  # nats by which an alternative is ahead of all others where a sweep passes over it,
    patience: int = 4  # in all but one of so many
    rerun_sweeps: int = 8  # of a warm start that are averaged
    rerun_share: float = 0.03  # share of the faces,
    rerun_faces: int = 5  # or faces, whose answers may differ from those that the cold run was told
    refits: int = 5  # times that the scatters are estimated anew on the way
    soft_rounds: int = 24  # rounds of the soft start, at most
    soft_change: float = 0.003  # mean change of a unit's probabilities in a round with which it ends
    mode_temperature: float = 200.0  # nats by which a start may be behind the best and still be heard,
    mode_nats: float = 2.0  # and such nats a unit, whichever are fewer
    small_units: float = 8000.0  # sweeps times units of a chain on a small problem, which has time for more sweeps,
    further_units: float = 1600.0  # and units times further chains of each kind for which there is time,
    further_starts: int = 3  # at most so many
    crowd: float = 16.0  # units and mentions of a group beyond which its units count for more
    start_noise: float = 2.0  # of the captions' first guess, in nats, for these
    # the answer
    confusable: float = 0.1  # least probability that a name is wrong that no caption tells from a rival
    # ablations
    absence: bool = True  # a caption speaks by the names it leaves out, too
    learning: bool = True  # the scatters are learned from the answer
    offline: bool = True  # scatters learned offline are used where there are some


DEFAULTS = Config()

# Cosines of two faces of one person, and the share of such pairs relative to what the mentions of names let expect.
COSINES = np.array([0.03, 0.06, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8])
SHARES = np.array([0.25, 0.5, 1.0, 2.0])

# Hyperparameters are the likeliest of these values, each under a log-normal prior one e-fold wide around the usual one.
RATES = np.linspace(0.05, 0.99, 24)  # common mention rate of visible persons, under Beta(3, 2)
STRENGTHS, USUAL_STRENGTH = np.array([6.0, 12.0, 25.0, 50.0, 200.0]), 12.0  # groups that it counts for
ABSENT_RATES = np.exp(np.linspace(np.log(5e-4), np.log(0.4), 16))  # common mention rate of absent persons
RARER = 0.2  # the rate of absent persons is below this share of that of visible ones
FURTHER, USUAL_FURTHER = np.array([0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5]), 0.2  # concentration of a name's clusters
ABSENT_YES, USUAL_ABSENT_YES = np.array([0.3, 0.6, 1.0, 2.0, 4.0]), 0.6  # mentions that it counts for
FIRST_RATES = np.array([8.0, 4.0, 0.5, 10.0])  # Beta priors before any fit: visible yes and no, absent yes and no
