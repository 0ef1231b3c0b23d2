"""Fonts that the drawn programmes are written in: those of packages, downloaded once and only read, and Streamlit's."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import tempfile
import zipfile
from functools import cache
from io import BytesIO
from pathlib import Path

from PIL import ImageFont

from core.errors import BadInput

PACKAGES = (
    "font-source-sans-pro==0.0.1", "font-source-serif-pro==0.0.1", "font-hanken-grotesk==0.0.2", "font-manrope==0.0.2",
    "font-caladea==0.0.2", "font-lato==0.1.0", "ttf-opensans==2020.10.30", "reportlab==5.1.0",
    "font-amatic-sc==0.0.4", "font-fredoka-one==0.0.4", "font-intuitive==0.0.4",
)  # fmt: skip


@cache
def _files() -> dict[str, bytes]:
    """The fonts of all packages, by their names."""
    found: dict[str, bytes] = {}
    with tempfile.TemporaryDirectory() as place:
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--quiet", "--disable-pip-version-check", "--no-deps"]
        if subprocess.run([*pip, "--dest", place, *PACKAGES], check=False).returncode:
            raise BadInput("the packages with fonts cannot be downloaded; is there a package index?")
        for wheel in sorted(Path(place).glob("*.whl")):
            with zipfile.ZipFile(wheel) as archive:
                for name in archive.namelist():
                    if name.endswith((".ttf", ".otf")):
                        found.setdefault(Path(name).stem, archive.read(name))
    for file in _of_streamlit():
        found.setdefault(file.name.split(".")[0], file.read_bytes())
    return found


def _of_streamlit() -> list[Path]:
    places = importlib.util.find_spec("streamlit")
    folders = list(places.submodule_search_locations or ()) if places else []
    return sorted(file for folder in folders for file in Path(folder).glob("static/static/media/KaTeX_*.woff2"))


@cache
def font(name: str, size: int) -> ImageFont.FreeTypeFont:
    files = _files()
    if name not in files:
        raise BadInput(f"there is no font {name}; there are {', '.join(sorted(files))}")
    return ImageFont.truetype(BytesIO(files[name]), size)
