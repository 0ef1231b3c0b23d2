"""All tests. What they start uses one thread each: several processes test at once, and threads that wait for a core spin."""

import os

for _library in ("OMP", "OPENBLAS", "MKL"):  # before NumPy or torch is loaded; tests/machines.py tries other numbers
    os.environ.setdefault(f"{_library}_NUM_THREADS", "1")
