"""The command that lets other machines help with an archive: its certificates, its scheduler, its workers."""

from __future__ import annotations

import argparse
import math
import os
import signal
import sys
from pathlib import Path

from core.cli import arguments
from core.cli.arguments import Commands

HERE = "127.0.0.1:8786"
MEMORY = "2G"  # that a worker may need: the most that was measured is 1.3 GB
PATIENCE = 10  # minutes that jobs of Slurm wait for a scheduler that is gone, as `rollcall archive` does


def add_commands(commands: Commands) -> None:
    made = commands.add_parser("cluster", help="let other machines help with an archive")
    parts = made.add_subparsers(required=True, metavar="PART")

    made = parts.add_parser("certificates", help="make what the parts of a cluster know each other by")
    made.add_argument("--out", type=Path, required=True, metavar="DIR")
    made.add_argument("--days", type=arguments.count, default=365, help="how long they hold (default: 365)")
    made.set_defaults(command=_certificates)

    made = parts.add_parser("scheduler", help="deal tasks out to workers, until it is stopped")
    made.add_argument("--address", default=HERE, help="where to listen, and nowhere else (default: %(default)s)")
    made.add_argument("--certificates", type=Path, metavar="DIR", help="needed where others can reach the address")
    made.set_defaults(command=_scheduler)

    made = parts.add_parser("worker", help="do tasks of a scheduler, until it is stopped")
    made.add_argument("--scheduler", required=True, metavar="ADDRESS")
    listens = "where to listen, and nowhere else, with any port (default: %(default)s)"
    made.add_argument("--address", default="127.0.0.1", help=listens)
    made.add_argument("--certificates", type=Path, metavar="DIR", help="needed where others can reach the addresses")
    made.add_argument("--workers", type=arguments.count, metavar="N", help="processes (default: the cores of this machine)")
    made.add_argument("--scratch", type=Path, metavar="DIR", help="a folder of its own on a disk of this machine")
    made.add_argument("--gpu", action="store_true", help="this machine has a GPU for these workers")
    gone = "end when no scheduler was there for so long (default: wait for it)"
    made.add_argument("--patience", type=arguments.count, metavar="MINUTES", help=gone)
    made.add_argument("--one", action="store_true", help=argparse.SUPPRESS)  # what the command begins, once a process
    made.set_defaults(command=_worker)

    made = parts.add_parser("slurm", help="write a batch script that begins workers as jobs of Slurm")
    made.add_argument("--scheduler", required=True, metavar="ADDRESS")
    made.add_argument("--certificates", type=Path, required=True, metavar="DIR", help="on a path that all nodes share")
    made.add_argument("--jobs", type=arguments.count, default=10, metavar="N", help="jobs, a node each (default: 10)")
    made.add_argument("--cores", type=arguments.count, default=8, metavar="N", help="workers a job (default: 8)")
    made.add_argument("--hours", type=arguments.count, default=24, metavar="N", help="a job may take (default: 24)")
    made.add_argument("--gpu", action="store_true", help="each job has a GPU")
    made.add_argument("--out", type=Path, required=True, metavar="FILE.sh")
    made.set_defaults(command=_slurm)


def _certificates(parsed: argparse.Namespace) -> None:
    from core.jobs.archive.network import make_certificates

    make_certificates(parsed.out, parsed.days)
    print(f"{parsed.out}: copy this folder to every machine of the cluster, and show it to nobody else")


def _say(text: str) -> None:
    print(text, flush=True)


def _scheduler(parsed: argparse.Namespace) -> None:
    from core.jobs.archive.network import Address
    from core.jobs.archive.serve import serve_scheduler

    serve_scheduler(Address.read(parsed.address, parsed.certificates), parsed.certificates, _say)


def _worker(parsed: argparse.Namespace) -> None:
    from core.jobs.archive.network import Address, security
    from core.jobs.archive.scratch import scratch
    from core.jobs.archive.serve import Keeper, serve_worker

    scheduler, address = (Address.read(text, parsed.certificates) for text in (parsed.scheduler, parsed.address))
    security(parsed.certificates)
    if parsed.one:
        serve_worker(scheduler, address, parsed.certificates, parsed.gpu, _say)
        return
    command = ["cluster", "worker", "--one", "--scheduler", str(scheduler), "--address", parsed.address]
    command += ["--certificates", str(parsed.certificates.absolute())] if parsed.certificates else []
    command += ["--gpu"] if parsed.gpu else []
    place = (parsed.scratch or scratch()).absolute()
    place.mkdir(mode=0o700, parents=True, exist_ok=True)
    patience = 60.0 * parsed.patience if parsed.patience else math.inf
    keeper = Keeper(parsed.workers or os.cpu_count() or 1, command, place, scheduler, patience)
    try:
        keeper.keep(arguments.interrupted(signal.SIGTERM))
    finally:
        keeper.close()


def _slurm(parsed: argparse.Namespace) -> None:
    from shlex import quote

    from core.formats import whole_file
    from core.jobs.archive.network import Address

    address = Address.read(parsed.scheduler, parsed.certificates)
    words = [sys.executable, "-m", "core", "cluster", "worker", "--scheduler", str(address), "--workers", str(parsed.cores)]
    words += ["--certificates", str(parsed.certificates.absolute()), *(["--gpu"] if parsed.gpu else [])]
    words += ["--patience", str(PATIENCE)]
    lines = [
        "#!/bin/bash",
        "#SBATCH --job-name=rollcall",
        f"#SBATCH --array=1-{parsed.jobs}",
        f"#SBATCH --nodes=1 --ntasks=1 --cpus-per-task={parsed.cores} --mem-per-cpu={MEMORY}",
        f"#SBATCH --time={parsed.hours}:00:00",
        *(["#SBATCH --gres=gpu:1"] if parsed.gpu else []),
        "# the node's address in the network that the scheduler is in",
        f"here=$(ip route get {quote(address.host)} | sed -n 's/.* src \\([0-9a-f.:]*\\).*/\\1/p')",
        f"cd {quote(str(Path(__file__).resolve().parents[2]))}",
        'scratch=$(mktemp -d "${TMPDIR:-/tmp}/rollcall-XXXXXX")',
        "trap 'rm -rf \"$scratch\"' EXIT",
        f'{" ".join(map(quote, words))} --address "$here" --scratch "$scratch" &',
        "trap 'kill $!' TERM INT",
        "wait $!  # until it ends, or a signal comes",
        "wait $!  # until it has ended because of that",
    ]
    whole_file(parsed.out, lambda file: file.write(("\n".join(lines) + "\n").encode()))
    print(f"{parsed.out}: start it with sbatch; the scheduler and `rollcall archive` run where the projects lie")
