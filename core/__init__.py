"""Rollcall names the faces in a video from its captions.

>>> from core import Problem, solve
>>> problem = Problem.build(
...     features=[[9, 1, 0], [0, 9, 1], [9, 0, 1], [1, 0, 9]],  # one row a face: the first and the third are alike
...     group=[0, 0, 1, 1],  # two frames with two faces each
...     candidates=[["Ross", "Rachel"], ["Ross", "Joey"]],  # the names in the frames' captions
... )
>>> prediction = solve(problem, method="dbgae-no-autoencoder")
>>> [prediction.label(face) for face in range(4)]
['Ross', 'Rachel', 'Ross', 'Joey']
"""

from core.corrections import Correction
from core.errors import BadInput
from core.problem import NOBODY, Problem
from core.solve import METHODS, Prediction, solve

__all__ = ["METHODS", "NOBODY", "BadInput", "Correction", "Prediction", "Problem", "solve"]
