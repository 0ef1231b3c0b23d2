"""The settings of the autoencoder: the paper's, and those of its authors' code."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Settings:
    """All that can be set about the autoencoder; the defaults are the paper's."""

    hidden: int = 1000  # size of the graph convolution, equation 4
    dense: int = 100  # size of the embeddings u and v, equations 5 and 6
    features: int = 50  # size of f_i and n_j beside the messages; the paper is silent, the authors' code has 50
    heads: int = 3  # attention heads, equations 10 and 11
    attention: int = 32  # size of W_a x and W_a l, equation 7
    attend: bool = True  # off: equation 3 instead of equation 9
    levels: int = 5  # R, the levels of a link's weight: 0, 1/4, ... 1
    epochs: int = 1000
    learning_rate: float = 0.001  # Adam
    rounds: int = 4  # how often the decoded weights become the weights of the links ("iteratively refine")
    keep: float = 0.5  # how much of its old weight a link keeps then
    dual: bool = True  # off: one graph of all links instead of two
    dropout: float = 0.0  # of the messages; the authors' code has 0.7
    bases: int = 0  # 0: every Q_r is free; else the Q_r are mixtures of this many matrices (the authors: 4)
    triplet: float = 0.0  # weight of the authors' two triplet losses
    margin: float = 0.2  # of the triplet losses
    average: float = 0.0  # decay of a moving average of the weights, used to predict
    rerun_epochs: int = 80  # of a rerun, at most
    tolerance: float = 0.05  # a rerun's round ends when so little is left of what the corrections added to its loss


AUTHORS = Settings(
    dense=75, epochs=2500, learning_rate=0.01, dropout=0.7, bases=4, triplet=1.0, average=0.995
)  # what the authors' released code sets
