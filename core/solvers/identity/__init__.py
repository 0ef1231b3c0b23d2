"""One generative model of persons, their faces and the captions that name them.

It is to become the default method, and is selectable as ``rollcall-next``: on most problems it is level with
``core/solvers/mixture``, on a few faces not always (``docs/experiments.md``).
"""
