"""Runs: the project as a problem, and the answers that methods gave."""
