"""All settings of the default method. One set of values serves all problems."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Settings:
    rounds: int = 24  # EM rounds of a cold start
    split_merge_rounds: tuple[int, ...] = (3, 7, 11, 15, 19)  # rounds that end with a split-merge step
    neighbours: int = 10  # nearest neighbours of a face in the graph
    dimensions: int = 128  # principal components kept
    chains: tuple[float, ...] = (1.0, 0.875)  # share of the components in each chain; the answer averages the chains
    reconstruction_weight: float = 1 / 2  # weight of the leave-one-out kernel ridge in the answer
    candidates: int = 24  # clusters considered for a face
    inverse_temperature_first: float = 0.8  # power of the face likelihood in the first round
    inverse_temperature: float = 0.6  # power after annealing: the faces of a person are not independent
    annealing_rounds: float = 12.0  # rounds from the first power to the last
    exclusivity_penalty: float = 0.02  # factor for each repetition of a person in one frame; 1: no penalty
    rate_strength: float = 30.0  # pseudo-counts that shrink a name's mention rate towards the common rate
    bayes_factor_strength: float = 8.0  # the same pseudo-counts in the Bayes factor of a whole cluster
    within_shrinkage: float = 0.3  # shrinkage of the within-person covariance; 1 learns no directions
    outlier_margin: float = 2.5  # nats by which "new" must win before a face stops counting for the PLDA
    faces_per_mention: float = 1.5  # cap of a name's prior count, in faces for each mention
    min_log_odds: float = 3.0  # log-odds that a new cluster, or a split, needs
    merge_ratio: float = 0.3  # mean LLR for a merge with a name, as a share of the clusters' own mean LLR
    name_inverse_temperature: float = 1.2  # power of the captions' likelihood when clusters get their names
    split_threshold: float = 1.5  # standard deviations at which unmentioned faces leave a name
    absence: bool = True  # a caption without the name is evidence against it
    unnamed: bool = True  # clusters without a name compete with the names
    split: bool = True  # clusters that look like two persons are split
    name_uncertainty: bool = True  # confidence includes the doubt about the name of a whole cluster
    further_cluster: float = 0.05  # prior odds that a cluster is a further cluster of a name
    outliers: bool = True  # a named person may have a further cluster, or faces that are outliers


DEFAULTS = Settings()
WITHOUT: dict[str, dict[str, Any]] = {  # the ablations, by their public names
    "absence": {"absence": False},
    "exclusivity": {"exclusivity_penalty": 1.0},
    "strangers": {"unnamed": False},
    "parting": {"split": False},
    "learning": {"within_shrinkage": 1.0},
    "labels": {"name_uncertainty": False},
    "unusual": {"outliers": False},
    "views": {"chains": (1.0,)},
    "autoencoder": {"reconstruction_weight": 0.0},
}
