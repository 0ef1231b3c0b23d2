"""Makes a problem file of any size: ``python -m benchmarks.problems m-vad --out FILE.npz [--faces N] [--groups N]``.

Without sizes it has those of the paper's data set; with faces only, groups and names follow in proportion.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from core.evaluation.generate import m_vad, mpii_md
from core.formats.write.npz import write_problem
from core.problem import Problem

KINDS = {"mpii-md": (mpii_md, 806, 558, 181), "m-vad": (m_vad, 22_258, 17_533, 591)}


def made(kind: str, faces: int | None, groups: int | None, names: int | None, seed: int = 0) -> Problem:
    make, usual_faces, usual_groups, usual_names = KINDS[kind]
    share = (faces or usual_faces) / usual_faces
    return make(
        faces or usual_faces,
        groups or max(1, round(usual_groups * share)),
        names or max(1, round(usual_names * share)),
        seed,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kind", choices=list(KINDS))
    parser.add_argument("--out", type=Path, required=True, metavar="FILE.npz")
    for size in ("faces", "groups", "names"):
        parser.add_argument(f"--{size}", type=int, metavar="N")
    parser.add_argument("--seed", type=int, default=0, metavar="N")
    parsed = parser.parse_args()
    problem = made(parsed.kind, parsed.faces, parsed.groups, parsed.names, parsed.seed)
    parsed.out.parent.mkdir(parents=True, exist_ok=True)
    write_problem(problem, parsed.out)


if __name__ == "__main__":
    main()
