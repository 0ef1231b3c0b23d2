"""The commands for several annotators: assign, team."""

from __future__ import annotations

import argparse
import json
from itertools import combinations

from core.cli import arguments
from core.cli.arguments import Commands, add_json, add_on_project, add_seed, add_who, opened
from core.cli.work import source_number
from core.errors import printable


def add_commands(commands: Commands) -> None:
    made = add_on_project(commands, "assign", "give frames to annotators", _assign)
    made.add_argument("--to", required=True, metavar="A,B", help="whom; frames are dealt out evenly")
    made.add_argument("--source", metavar="N|TITLE", help="only frames of this film or folder")
    made.add_argument("--person", metavar="NAME", help="only frames in which this person is seen or named")
    made.add_argument("--all", action="store_true", help="frames whose faces are all answered, too")
    twice = "this share of the frames goes to two people, who do not see each other's answers"
    made.add_argument("--double", type=arguments.share, default=0.0, metavar="SHARE", help=twice)
    made.add_argument("--take-back", action="store_true", help="take back all that these people were given")
    add_seed(made, "the same seed deals out the same frames")
    add_who(made)

    made = add_on_project(commands, "team", "who has which frames, where people differ, how far they agree", _team)
    add_json(made)


def _assign(parsed: argparse.Namespace) -> None:
    from core.store.project import system_user

    people = [who for who in parsed.to.split(",") if who.strip()]
    with opened(parsed) as project:
        if parsed.take_back:
            for who in people:
                project.team.take_back(" ".join(who.split()))
            print(printable(f"{parsed.project}: taken back from {', '.join(people)}"))
            return
        source = None if parsed.source is None else source_number(project, parsed.source)
        frames = project.team.frames(source, parsed.person, not parsed.all)
        many = project.team.assign(parsed.who or system_user(), frames, people, parsed.double, parsed.seed)
    print(f"{parsed.project}: {many} frames given to {len(people)} people; {len(frames) - many} had been given before")


def _team(parsed: argparse.Namespace) -> None:
    with opened(parsed) as project:
        members, differences = project.team.members(), project.team.differences()
        pairs = {(a.who, b.who): project.team.over_time(a.who, b.who) for a, b in combinations(members, 2)}
    if parsed.json:
        told = {
            "members": [vars(one) for one in members],
            "differences": [
                {"face": d.face.id, "frame": d.face.frame, "answers": [vars(a) for a in d.answers]} for d in differences
            ],
            "agreement": [{"people": pair, "days": [vars(day) for day in days]} for pair, days in pairs.items() if days],
        }
        print(json.dumps(told, indent=1, ensure_ascii=False))
        return
    for one in members:
        print(
            printable(f"{one.who}: {one.done} of {one.frames} frames done, {one.double} blind; {one.answers} faces answered")
        )
    print(f"people differ on {len(differences)} faces")
    for (a, b), days in pairs.items():
        if days:
            last = days[-1]
            kappa = "not defined" if last.kappa is None else f"{last.kappa:.2f}"
            print(printable(f"{a} and {b}: the same on {last.same} of {last.faces} faces, kappa {kappa}"))
