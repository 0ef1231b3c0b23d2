"""The first page with a film whose names and captions are HTML. Run by test_first_page.py."""

import json

from ui.pages.first import show
from ui.widgets.film import Film

SCRIPT = "<script>window.hit=1</script>"
IMAGE = '<img src=x onerror="window.hit=2">'
FILM = {
    "title": f"{IMAGE} & **more**",
    "cast": [SCRIPT, IMAGE, '"><b>Eve</b>'],
    "frames": [
        {"scene": "sea", "faces": [SCRIPT, IMAGE], "caption": f"Here is {SCRIPT} with {IMAGE} <u>now</u>."},
        {"scene": "no such scene", "faces": [None], "caption": ""},
        {"scene": "fog", "faces": [], "caption": f"{SCRIPT} is gone"},
    ],
}

if __name__ == "__main__":  # so that collecting doctests does not draw it
    show(Film.parse(json.dumps(FILM)))
