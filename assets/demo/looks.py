"""Who is in the film, and what each of them looks like."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Look:
    """A person's looks; lengths in units (half the width of an average face), the eyes' line at 0."""

    skin: str
    hair: str
    style: str  # of the hair: a key of hair.STYLES
    clothes: str
    garment: str = "jumper"  # a key of bodies.GARMENTS
    trim: str = "#f2e6cf"  # second colour of the clothes
    iris: str = "#5a3d28"
    lips: str = "#b5605a"
    beard: str = ""  # full, moustache, goatee
    hat: str = ""  # a key of hats.HATS
    worn: tuple[str, ...] = ()  # round glasses, square glasses, earrings, freckles
    cheek: float = 1.0  # half widths: cheekbones, jaw, chin
    jaw: float = 0.8
    chin: float = 0.36
    length: float = 1.36  # from the eyes' line to the chin
    eye_gap: float = 0.42  # from the middle to an eye
    eye_size: float = 1.0
    eye_tilt: float = 0.0
    brow_high: float = 0.34
    brow_thick: float = 1.0
    brow_tilt: float = 0.0
    nose_wide: float = 1.0
    nose_long: float = 0.56
    nose_high: float = 1.0  # of its bridge
    mouth_wide: float = 0.36
    lip_full: float = 1.0
    age: float = 0.0  # 0 to 1: folds and wrinkles
    blush: float = 0.3
    build: float = 1.0  # of the body


CAST: dict[str, Look] = {
    "Ada": Look(
        "#f8d6bf", "#b4482a", "curls", "#2f6f73", "coat", iris="#4d7a4a", lips="#c4574f", worn=("freckles",),
        cheek=1.05, jaw=0.84, chin=0.34, length=1.26, eye_gap=0.45, eye_size=1.18, brow_thick=0.75, brow_high=0.38,
        nose_wide=0.8,
        nose_long=0.5, nose_high=0.8, lip_full=1.2, blush=0.6,
    ),
    "Bruno": Look(
        "#8a5636", "#231b19", "bald", "#d98e2b", "jumper", iris="#2e1d14", lips="#8a4a42", beard="full",
        cheek=1.04, jaw=0.94, chin=0.48, length=1.42, eye_gap=0.43, eye_size=0.92, brow_thick=1.5, nose_wide=1.4,
        nose_long=0.58,
        mouth_wide=0.38, lip_full=1.2, blush=0.1,
    ),
    "Cleo": Look(
        "#efc39b", "#211f2b", "bob", "#c8404a", "raincoat", iris="#2b1c16", lips="#b8434f", worn=("round glasses",),
        cheek=1.03, jaw=0.82, chin=0.3, length=1.28, eye_gap=0.44, eye_size=0.92, eye_tilt=0.12, brow_high=0.36,
        brow_thick=0.8,
        nose_wide=0.95, nose_long=0.5, nose_high=0.75, mouth_wide=0.32, lip_full=1.0, blush=0.3,
    ),
    "Dev": Look(
        "#b67a4f", "#1b1715", "quiff", "#4f68b3", "shirt", iris="#35210f", lips="#96504a", beard="moustache",
        cheek=0.95, jaw=0.8, chin=0.36, length=1.46, eye_gap=0.4, eye_size=1.02, brow_thick=1.7, brow_high=0.3,
        nose_wide=1.12,
        nose_long=0.64, mouth_wide=0.36, blush=0.15,
    ),
    "Esme": Look(
        "#6d432e", "#191312", "bun", "#8b5fa8", "apron", iris="#22140e", lips="#8c3b48", worn=("earrings",),
        cheek=0.98, jaw=0.78, chin=0.32, length=1.34, eye_size=1.12, eye_tilt=0.06, brow_high=0.38, nose_wide=1.25,
        nose_long=0.54,
        mouth_wide=0.38, lip_full=1.45, blush=0.15,
    ),
    "Finn": Look(
        "#f9dcc4", "#e2b04c", "tousled", "#4f8f4a", "scarf", trim="#c8404a", iris="#4a82b5", lips="#cf7a72",
        cheek=1.04, jaw=0.86, chin=0.36, length=1.2, eye_gap=0.45, eye_size=1.22, brow_thick=0.8, brow_high=0.38,
        nose_wide=0.85,
        nose_long=0.42, nose_high=0.45, mouth_wide=0.32, lip_full=0.8, blush=0.65, build=0.78,
    ),
    "Greta": Look(
        "#efc9b3", "#dcdad6", "waves", "#b0708a", "shawl", iris="#6d8796", lips="#b56a66", worn=("square glasses",),
        cheek=1.0, jaw=0.88, chin=0.42, length=1.32, eye_gap=0.42, eye_size=0.86, brow_thick=0.6, brow_high=0.36,
        nose_wide=1.1,
        nose_long=0.6, mouth_wide=0.36, lip_full=0.6, age=1.0, blush=0.5,
    ),
    "Hugo": Look(
        "#dba886", "#ebe6dc", "fringe", "#2c3f5e", "captain", iris="#5a7d8c", lips="#a8645c", beard="full", hat="captain",
        cheek=1.06, jaw=0.98, chin=0.5, length=1.44, eye_gap=0.41, eye_size=0.84, brow_thick=2.0, brow_high=0.3,
        brow_tilt=0.06,
        nose_wide=1.5, nose_long=0.64, mouth_wide=0.34, lip_full=0.8, age=0.8, blush=0.6,
    ),
    "Ingrid": Look(
        "#cf9a70", "#3d2618", "braids", "#d6a53a", "jumper", iris="#4a3018", lips="#a8564e",
        cheek=0.94, jaw=0.74, chin=0.28, length=1.4, eye_gap=0.4, eye_size=1.06, brow_thick=1.0, brow_high=0.34,
        nose_wide=0.9,
        nose_long=0.58, mouth_wide=0.36, lip_full=1.1, blush=0.35,
    ),
    "Johanna": Look(
        "#cf9a70", "#3d2618", "ponytail", "#3f8f8a", "jumper", iris="#4a3018", lips="#a8564e",
        cheek=1.0, jaw=0.82, chin=0.36, length=1.33, eye_gap=0.43, eye_size=1.1, brow_thick=1.35, brow_high=0.31,
        nose_wide=1.08,
        nose_long=0.53, mouth_wide=0.39, lip_full=0.85, blush=0.45,
    ),
}  # fmt: skip

EXTRAS: dict[str, Look] = {
    "fisher": Look(
        "#dcab8c", "#8f8a84", "short", "#6f7a72", "coat", iris="#5b6b52", lips="#a06058", beard="goatee", hat="beanie",
        cheek=0.98, jaw=0.9, chin=0.44, length=1.42, eye_size=0.88, brow_thick=1.3, brow_high=0.28, nose_wide=1.3,
        nose_long=0.62, age=0.7, blush=0.5,
    ),
    "market woman": Look(
        "#a8714d", "#3a2a22", "short", "#8f8579", "shawl", iris="#33211a", lips="#9a4f4a", hat="headscarf",
        cheek=1.05, jaw=0.92, chin=0.4, length=1.28, eye_gap=0.44, eye_size=0.95, nose_wide=1.2, nose_long=0.5,
        mouth_wide=0.4, age=0.5,
    ),
    "clerk": Look(
        "#f0d2ba", "#7a5a3c", "short", "#7d8794", "shirt", iris="#5b6f80", lips="#b5726a", beard="moustache", hat="flat cap",
        cheek=0.92, jaw=0.74, chin=0.3, length=1.44, eye_gap=0.38, eye_size=0.9, nose_wide=0.95, nose_long=0.66,
        mouth_wide=0.3, lip_full=0.6,
    ),
    "bandsman": Look(
        "#e9bd98", "#3b2b20", "long", "#59636e", "shirt", iris="#3d4f3a", lips="#ad625a",
        cheek=0.94, jaw=0.84, chin=0.4, length=1.46, eye_gap=0.39, eye_size=0.92, brow_thick=1.4, brow_high=0.29,
        nose_wide=1.0, nose_long=0.66,
    ),
}  # fmt: skip
