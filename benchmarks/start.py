"""How long it takes to start: ``python -m benchmarks.start``."""

from __future__ import annotations

from statistics import median

from benchmarks.measure import Report, Row, ran


def main() -> None:
    turns = [(ran("-m", "core", "--help"), ran("-c", "pass")) for _ in range(7)]
    seconds = median(ours.seconds for ours, _ in turns)
    times = median(ours.seconds / bare.seconds for ours, bare in turns)
    memory = max(ours.memory_mb for ours, _ in turns)
    Report("start").add(Row("`python -m core --help`", seconds, times, "an empty Python", memory, reach="0.5 s"))


if __name__ == "__main__":
    main()
