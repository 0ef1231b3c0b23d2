"""Experiments on problems whose truth is known: how well each method does, where, at what cost, and the effort it saves.

``measure`` makes the paper's Tables 1 and 2, ``ambiguity`` its condition-controlled experiments, ``folds`` its second
protocol, ``cases`` its last two figures; ``significance``, ``cost`` and ``effort`` go beyond it, ``figures`` draws.
"""

from core.evaluation.effort import Effort, measure_effort
from core.evaluation.measure import Measured, evaluate, table, tables

__all__ = ["Effort", "Measured", "evaluate", "measure_effort", "table", "tables"]
