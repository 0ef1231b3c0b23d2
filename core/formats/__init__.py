"""The file formats Rollcall reads and writes: one module a format, one row in the registry of ``read`` or ``write``.

They know problems, predictions and records, and nothing of projects.
"""

from core.formats.files import check_can_write, whole_file
from core.formats.read import read_problem

__all__ = ["check_can_write", "read_problem", "whole_file"]
