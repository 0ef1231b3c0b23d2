"""A scene as subtitles write it: tagged speakers, somebody who is only called, a short form of a name, cut sentences."""

from pathlib import Path

import pytest

from tests.private import private

SCENE = """1
00:00:00,099 --> 00:00:01,500
Marta: Late?

2
00:00:02,519 --> 00:00:05,939
Theodora: You two, does this look like something the wife of a harbour master would wear?

3
00:00:06,079 --> 00:00:07,589
Piet: I don't know, you might be the first one.

4
00:00:09,879 --> 00:00:10,349
Marta: Theo?

5
00:00:10,699 --> 00:00:14,859
Theodora: Uh, no. Wait, this is the coat that makes me look like a buoy. Never mind.

6
00:00:19,059 --> 00:00:23,069
Piet: Well, Conrad, I wrote a little song today. It's called: Get Up.

7
00:00:23,809 --> 00:00:26,109
Conrad: All right! You can have the

8
00:00:26,264 --> 00:00:26,664
Piet: !

9
00:00:41,144 --> 00:00:45,684
Conrad: " Hi Theo, are you there? It's me, pick up. Theodora. Theo! "
"""
FRIENDS = {"Monica", "Rachel", "Phoebe", "Chandler", "Joey", "Ross"}

# the file (none: what is written above), its lines, its speakers, and a short form with whose name it is
scenes = pytest.mark.parametrize(
    ("path", "many", "speakers", "short"),
    [
        pytest.param(None, 9, {"Marta", "Theodora", "Piet", "Conrad"}, ("Theo", "Theodora"), id="written"),
        *(pytest.param(path, 12, FRIENDS, ("Rach", "Rachel"), id=path.stem) for path in private("clip/scene_a.srt")),
    ],
)


def subtitles(path: Path | None, folder: Path) -> Path:
    """The file of a scene."""
    if path is None:
        path = folder / "scene.srt"
        path.write_text(SCENE)
    return path
