"""Cartoon heads and film sets as SVG, drawn from numbers alone: no name and no caption ever enters this markup."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from core import NOBODY

INK = "#3a2c28"


@dataclass(frozen=True)
class Look:
    skin: str
    hair: str
    style: str
    clothes: str
    extras: str = ""  # words: glasses, beard, moustache, freckles, earrings, scarf


CAST = (
    Look("#f2c9a5", "#b9482c", "curls", "#2f6f73", "freckles"),
    Look("#8d5a3b", "#2a211e", "bald", "#d98e2b", "beard"),
    Look("#e8b48a", "#2d2a3a", "bob", "#c8404a", "glasses"),
    Look("#b97a50", "#1f1b1a", "quiff", "#5a6fb0", "moustache"),
    Look("#6f4530", "#1d1717", "bun", "#8b5fa8", "earrings"),
    Look("#f6d7bd", "#e3b04b", "spikes", "#4f8f4a", "scarf"),
)
EXTRAS = (  # in greys, and each with something on the head: not to be taken for the cast
    Look("#e9c4a4", "#8a8a8a", "cap", "#8b939a"),
    Look("#a86f4c", "#5b5550", "hood", "#77706b"),
    Look("#f0d0b4", "#c9c4bd", "long", "#9aa0a0", "glasses"),
    Look("#7d5239", "#6a6f78", "beanie", "#84807a", "beard"),
    Look("#d9a57c", "#6b5a4d", "brim", "#a19a8f"),
)

BACK = {
    "curls": "".join(
        f'<circle cx="{x}" cy="{y}" r="12"/>'
        for x, y in [(26, 34), (22, 48), (24, 62), (74, 34), (78, 48), (76, 62), (36, 22), (50, 18), (64, 22)]
    ),
    "bob": '<path d="M21 46Q18 12 50 12Q82 12 79 46L81 68Q70 75 64 66H36Q30 75 19 68Z"/>',
    "bun": '<circle cx="50" cy="10" r="10"/><path d="M25 46Q24 16 50 16Q76 16 75 46Z"/>',
    "long": '<path d="M21 46Q18 13 50 13Q82 13 79 46L84 90H16Z"/>',
    "hood": '<path d="M16 80Q12 10 50 8Q88 10 84 80Z"/>',
}
FRONT = {
    "curls": "".join(f'<circle cx="{x}" cy="{y}" r="8"/>' for x, y in [(33, 27), (43, 22), (54, 22), (66, 27)]),
    "bald": '<path d="M26 46Q25 36 28 32Q31 40 29 48ZM74 46Q75 36 72 32Q69 40 71 48Z"/>',
    "bob": '<path d="M26 43Q26 17 50 17Q74 17 74 43Q70 33 62 32L40 32Q30 33 26 43Z"/>',
    "quiff": '<path d="M26 42Q24 26 33 24Q36 10 58 12Q78 14 74 42Q72 30 64 29Q48 32 36 28Q28 32 26 42Z"/>',
    "bun": '<path d="M26 42Q28 18 50 18Q72 18 74 42Q68 28 50 27Q32 28 26 42Z"/>',
    "spikes": '<path d="M25 42L23 24L33 28L34 13L44 22L51 8L57 21L68 13L67 27L78 24L75 42Q70 31 50 30Q30 31 25 42Z"/>',
    "long": '<path d="M26 48Q26 18 50 18Q74 18 74 48Q70 30 50 22Q30 30 26 48Z"/>',
    "cap": '<path d="M25 34Q26 12 50 12Q74 12 75 34Z"/><path d="M46 26H86Q87 34 76 34H46Z"/>',
    "beanie": '<path d="M25 36Q25 9 50 9Q75 9 75 36Z"/><rect x="23" y="29" width="54" height="10" rx="5" fill="#565b63"/>',
    "brim": '<path d="M31 32Q32 9 50 9Q68 9 69 32Z"/><ellipse cx="50" cy="33" rx="36" ry="6"/>',
    "hood": '<path d="M26 46Q26 18 50 18Q74 18 74 46Q66 27 50 27Q34 27 26 46Z" fill-opacity=".85"/>',
}
MOUTHS = (
    f'<path d="M41 60Q50 68 59 60" fill="none" stroke="{INK}" stroke-width="2.2" stroke-linecap="round"/>',
    f'<path d="M41 59H59Q57 68 50 68Q43 68 41 59Z" fill="{INK}"/>'
    '<path d="M45 65Q50 62 55 65Q53 68 50 68Q47 68 45 65Z" fill="#d9717a"/>',
    f'<path d="M43 61Q50 65 57 61" fill="none" stroke="{INK}" stroke-width="2.2" stroke-linecap="round"/>',
)
WORN = {
    "glasses": f'<g fill="#fff" fill-opacity=".3" stroke="{INK}" stroke-width="2"><circle cx="40" cy="46" r="8"/>'
    '<circle cx="60" cy="46" r="8"/><path d="M48 46H52M32 45L27 43M68 45L73 43" fill="none"/></g>',
    "freckles": '<path d="M35 54h.1M38 56h.1M41 54h.1M59 54h.1M62 56h.1M65 54h.1" stroke="#b5653f" stroke-width="2" '
    'stroke-opacity=".7" stroke-linecap="round"/>',
    "earrings": '<g fill="#f2c14e"><circle cx="26" cy="58" r="3.4"/><circle cx="74" cy="58" r="3.4"/></g>',
}


def head(person: int, face: int) -> str:
    """One head in a box of 100 × 100. ``person`` gives the look, ``face`` the moment: tilt, glance, mouth."""
    moment = random.Random(face * 7919 + 17)
    look = EXTRAS[face % len(EXTRAS)] if person == NOBODY else CAST[person % len(CAST)]
    tilt, glance, mouth = moment.uniform(-5, 5), moment.uniform(-1.8, 1.8), moment.choice(MOUTHS)
    shade = '<path d="M42 66H58V74Q50 79 42 74Z" fill="#000" fill-opacity=".14"/>'
    body = (
        f'<path d="M10 101Q12 80 38 76H62Q88 80 90 101Z" fill="{look.clothes}"/>'
        f'<path d="M42 64H58V77Q50 85 42 77Z" fill="{look.skin}"/>{shade}'
    )
    if "scarf" in look.extras:
        body += '<path d="M34 76Q50 88 66 76L68 83Q50 95 32 83Z" fill="#c8404a"/>'
    front = (
        f'<g fill="{look.skin}"><circle cx="26.5" cy="48" r="5"/><circle cx="73.5" cy="48" r="5"/>'
        '<path d="M27 40Q27 19 50 19Q73 19 73 40V48Q73 73 50 73Q27 73 27 48Z"/></g>'
    )
    if "beard" in look.extras:
        front += f'<path d="M27 50Q32 58 50 56Q68 58 73 50Q73 77 50 77Q27 77 27 50Z" fill="{look.hair}"/>'
        front += '<path d="M40 59Q50 56 60 59Q60 68 50 68Q40 68 40 59Z" fill="#fff" fill-opacity=".22"/>'
    front += _eyes(glance, blink=moment.random() < 0.12)
    front += f'<path d="M50 48Q53 54 49 55" fill="none" stroke="{INK}" stroke-opacity=".55" stroke-width="1.8"/>{mouth}'
    if "moustache" in look.extras:
        front += f'<path d="M50 57Q42 54 36 60Q43 62 50 59Q57 62 64 60Q58 54 50 57Z" fill="{look.hair}"/>'
    front += f'<g fill="{look.hair}">{FRONT[look.style]}</g>'
    front += "".join(drawing for word, drawing in WORN.items() if word in look.extras)
    turn = f'transform="rotate({tilt:.1f} 50 76)"'
    return f'<g {turn} fill="{look.hair}">{BACK.get(look.style, "")}</g>{body}<g {turn}>{front}</g>'


def _eyes(glance: float, blink: bool) -> str:
    stroke = f'fill="none" stroke="{INK}" stroke-width="2" stroke-linecap="round"'
    brows = f'<path d="M35 37Q40 34 45 37M55 37Q60 34 65 37" {stroke}/>'
    if blink:
        return brows + f'<path d="M36 46Q40 49 44 46M56 46Q60 49 64 46" {stroke}/>'
    pupils = "".join(f'<circle cx="{x + glance:.1f}" cy="46" r="2.9" fill="{INK}"/>' for x in (40, 60))
    return brows + '<g fill="#fff"><circle cx="40" cy="46" r="4.4"/><circle cx="60" cy="46" r="4.4"/></g>' + pupils


def portrait(person: int, face: int) -> str:
    return f'<svg viewBox="8 4 84 84" aria-hidden="true">{head(person, face)}</svg>'


SEA = (
    '<path d="M0 118Q20 112 40 118T80 118T120 118T160 118T200 118T240 118T280 118T320 118V180H0Z" fill="{0}"/>'
    '<path d="M0 138Q20 132 40 138T80 138T120 138T160 138T200 138T240 138T280 138T320 138V180H0Z" fill="{1}"/>'
)
TOWER = '<path d="M268 118L274 44H290L296 118Z" fill="{0}"/><path d="M271 78H293L294 92H270Z" fill="{1}"/>'
PLANKS = '<path d="M0 146H320V180H0Z" fill="{0}"/><path d="M40 146V180M110 146V180M180 146V180M250 146V180" stroke="{1}"/>'
BOAT = '<path d="M20 120H300L280 168H44Z" fill="#7a4a35"/><path d="M20 120H300L298 128H22Z" fill="#f4efe4"/>'
STARS = "".join(
    f'<circle cx="{x}" cy="{y}" r="1.2" fill="#fff"/>'
    for x, y in [(30, 90), (90, 20), (150, 84), (210, 22), (250, 70), (306, 18)]
)
BRICKS = (
    '<path d="M0 30H320M0 60H320M0 90H320M0 120H320M0 150H320M40 0V30M120 0V30M200 0V30M280 0V30M80 30V60M240 30V60'
    'M40 60V90M280 60V90M80 90V120M240 90V120" stroke="#c4ab87" fill="none"/>'
)
WINDOW = (
    '<path d="M130 104V50Q130 22 160 22Q190 22 190 50V104Z" fill="#9cc9d8" stroke="#8f7350" stroke-width="5"/>'
    '<path d="M132.5 86H187.5V101.5H132.5Z" fill="#4b8f9f"/>'
)
MIST = (
    '<g fill="#fff" fill-opacity=".45"><rect x="-20" y="40" width="200" height="18" rx="9"/>'
    '<rect x="120" y="72" width="230" height="20" rx="10"/><rect x="10" y="100" width="180" height="14" rx="7"/></g>'
)
BEAM = '<path d="M282 40L0 8V74Z" fill="#ffe9a8" fill-opacity=".35"/>'
LAMP = '<circle cx="282" cy="40" r="7" fill="#ffe9a8"/>'


def _sky(colour: str) -> str:
    return f'<rect width="320" height="180" fill="{colour}"/>'


def _sun(x: int, y: int, colour: str) -> str:
    return f'<circle cx="{x}" cy="{y}" r="20" fill="{colour}"/>'


DAY_TOWER = TOWER.format("#fffaf0", "#c8404a")
SCENES = {
    "tower": _sky("#d9c3a3") + BRICKS + WINDOW,
    "sea": _sky("#bfe0e6") + _sun(60, 42, "#fff1c9") + DAY_TOWER + SEA.format("#6fb1bf", "#4f97a8") + BOAT,
    "pier": _sky("#f3d9b8")
    + _sun(70, 60, "#fbeccb")
    + DAY_TOWER
    + SEA.format("#7fb3b4", "#6aa0a5")
    + PLANKS.format("#a67c58", "#86613f"),
    "fog": _sky("#cfd6d8") + TOWER.format("#dde2e3", "#cdbfc0") + SEA.format("#bac5c9", "#abb8bd") + MIST,
    "night": _sky("#26304d") + BEAM + STARS + TOWER.format("#d8d3c8", "#97404a") + LAMP + SEA.format("#1f3a55", "#193048"),
}


def shot(scene: str, people: Sequence[int], first_face: int) -> str:
    """The whole frame, 320 × 180, with a box around each face; the boxes' group carries the face's number."""
    size = {1: 118, 2: 112, 3: 104}.get(len(people), 84)
    heads = []
    for k, person in enumerate(people):
        face = first_face + k
        x = 320 * (k + 0.5) / len(people) - size / 2 + random.Random(face).uniform(-6, 6)
        y = 181 - size + random.Random(face + 1).uniform(0, 6)
        box = '<rect class="box" x="20" y="7" width="60" height="70" rx="4"/>'
        place = f'x="{x:.1f}" y="{y:.1f}" width="{size}" height="{size}"'
        inside = f'<svg {place} viewBox="0 0 100 100">{head(person, face)}{box}</svg>'
        heads.append(f'<g class="seen" data-face="{face}">{inside}</g>')
    return f'<svg viewBox="0 0 320 180" aria-hidden="true">{SCENES.get(scene, SCENES["pier"])}{"".join(heads)}</svg>'
