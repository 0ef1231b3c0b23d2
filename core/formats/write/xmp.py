"""XMP files beside pictures, with face regions as digiKam, Lightroom and others read them.

Each picture ``a/b.jpg`` gets ``a/b.jpg.xmp`` with its faces as regions of the Metadata Working Group (``mwg-rs``: centre and
size as shares of the picture) and of Microsoft (``MP``: corner and size), and with the people on it (``PersonInImage``). A
face of nobody, or of somebody unknown, is a region without a name. Who said so stands in the region's extensions, where
Rollcall finds it again.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

from core.errors import BadInput
from core.formats.read.picture_tags import stored
from core.formats.read.xmp import MarkedFace
from core.formats.write.folder import put, safe_part, whole_folder
from core.formats.write.text import clipped, distinct, has_box, picture_names, xml_text
from core.prediction import kind_of_answer
from core.records import Labelled, LabelledFrame, Labels

SPACES = {
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "mwg-rs": "http://www.metadataworkinggroup.com/schemas/regions/",
    "stDim": "http://ns.adobe.com/xap/1.0/sType/Dimensions#",
    "stArea": "http://ns.adobe.com/xmp/sType/Area#",
    "MP": "http://ns.microsoft.com/photo/1.2/",
    "MPRI": "http://ns.microsoft.com/photo/1.2/t/RegionInfo#",
    "MPReg": "http://ns.microsoft.com/photo/1.2/t/Region#",
    "Iptc4xmpExt": "http://iptc.org/std/Iptc4xmpExt/2008-02-29/",
    "rollcall": "urn:rollcall:faces:1.0/",
}


def write(labels: Labels, path: Path) -> None:
    """Writes a file for every picture that has a face; videos are left out."""
    pictures = [
        (frame, name)
        for frame, name in zip(labels.frames, picture_names(labels), strict=True)
        if frame.source.kind == "pictures" and any(has_box(frame, face) for face in frame.faces)
    ]
    if not pictures:
        raise BadInput(f"{path}: no picture has a face, so there is nothing to write beside it; choose another format")
    places = distinct((name for _, name in pictures), _inside).values()
    whole_folder(path, lambda folder: _write_all([frame for frame, _ in pictures], places, folder))


def marked(frame: LabelledFrame) -> list[MarkedFace]:
    """The faces of a frame as shares of its upright picture; a name only where there is an answer. Named ones come first:
    digiKam reads regions up to the first that has no name."""
    faces = [_marked(frame, face) for face in frame.faces if has_box(frame, face)]
    return sorted(faces, key=lambda face: not face.name)


def sidecar(frame: LabelledFrame, orientation: int = 1) -> str:
    """The text of one picture's XMP file. Regions are of the picture as it is stored, turned by its ``orientation``."""
    faces = [stored(face, orientation) for face in marked(frame)]
    size = (frame.frame.width, frame.frame.height)
    body = properties(faces, size if orientation < 5 else size[::-1])
    return (
        '<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>\n'
        '<x:xmpmeta xmlns:x="adobe:ns:meta/" x:xmptk="Rollcall">\n'
        f' <rdf:RDF xmlns:rdf="{SPACES["rdf"]}">\n'
        f'  <rdf:Description rdf:about=""{_spaces()}>\n'
        f"{body}"
        '  </rdf:Description>\n </rdf:RDF>\n</x:xmpmeta>\n<?xpacket end="w"?>\n'
    )


def properties(faces: Sequence[MarkedFace], size: tuple[int, int], spaces: str = "") -> str:
    """Regions and persons as properties; ``spaces`` declares what their prefixes mean, where nothing around them does."""
    return mwg_property(faces, size, spaces) + microsoft_property(faces, spaces) + persons_property(names_of(faces), spaces)


def mwg_property(faces: Sequence[MarkedFace], size: tuple[int, int], spaces: str = "") -> str:
    applied = f'stDim:w="{size[0]}" stDim:h="{size[1]}" stDim:unit="pixel"'
    return (
        f'   <mwg-rs:Regions{spaces} rdf:parseType="Resource">\n'
        f"    <mwg-rs:AppliedToDimensions {applied}/>\n"
        f"    <mwg-rs:RegionList>{_bag([mwg_item(face) for face in faces])}</mwg-rs:RegionList>\n"
        "   </mwg-rs:Regions>\n"
    )


def microsoft_property(faces: Sequence[MarkedFace], spaces: str = "") -> str:
    return (
        f'   <MP:RegionInfo{spaces} rdf:parseType="Resource">\n'
        f"    <MPRI:Regions>{_bag([microsoft_item(face) for face in faces])}</MPRI:Regions>\n"
        "   </MP:RegionInfo>\n"
    )


def persons_property(names: Sequence[str], spaces: str = "") -> str:
    items = "".join(person_item(name) for name in names)
    whole = f"<rdf:Bag>\n{items}    </rdf:Bag>"
    return f"   <Iptc4xmpExt:PersonInImage{spaces}>{whole}</Iptc4xmpExt:PersonInImage>\n" if names else ""


def names_of(faces: Iterable[MarkedFace]) -> list[str]:
    return list(dict.fromkeys(face.name for face in faces if face.name))


def declared() -> str:
    """All prefixes, declared within one tag."""
    return "".join(f' xmlns:{prefix}="{uri}"' for prefix, uri in SPACES.items())


def _spaces() -> str:
    return "".join(f'\n    xmlns:{prefix}="{uri}"' for prefix, uri in SPACES.items() if prefix != "rdf")


def _bag(items: list[str]) -> str:
    return f"<rdf:Bag>\n{''.join(items)}    </rdf:Bag>"


def mwg_item(face: MarkedFace, spaces: str = "") -> str:
    x, y, w, h = _shares(face)
    name = f"<mwg-rs:Name>{escape(xml_text(face.name))}</mwg-rs:Name>" if face.name else ""
    said = {"state": face.state, "answer": "nobody" if face.nobody else "", "annotator": xml_text(face.author)}
    about = "".join(f" rollcall:{key}={quoteattr(value)}" for key, value in said.items() if value)
    return (
        f'     <rdf:li{spaces} rdf:parseType="Resource">{name}<mwg-rs:Type>Face</mwg-rs:Type>'
        f'<mwg-rs:Area stArea:x="{x + w / 2:.6f}" stArea:y="{y + h / 2:.6f}" stArea:w="{w:.6f}" stArea:h="{h:.6f}" '
        f'stArea:unit="normalized"/>{f"<mwg-rs:Extensions{about}/>" if about else ""}</rdf:li>\n'
    )


def microsoft_item(face: MarkedFace, spaces: str = "") -> str:
    x, y, w, h = _shares(face)
    name = f"<MPReg:PersonDisplayName>{escape(xml_text(face.name))}</MPReg:PersonDisplayName>" if face.name else ""
    rectangle = f"<MPReg:Rectangle>{x:.6f}, {y:.6f}, {w:.6f}, {h:.6f}</MPReg:Rectangle>"
    return f'     <rdf:li{spaces} rdf:parseType="Resource">{name}{rectangle}</rdf:li>\n'


def person_item(name: str, spaces: str = "") -> str:
    return f"     <rdf:li{spaces}>{escape(xml_text(name))}</rdf:li>\n"


def _shares(face: MarkedFace) -> tuple[float, float, float, float]:
    return face.left, face.top, face.right - face.left, face.bottom - face.top


def _marked(frame: LabelledFrame, label: Labelled) -> MarkedFace:
    box, width, height = clipped(frame, label.face.box), frame.frame.width, frame.frame.height
    answer = kind_of_answer(label.name, label.confidence)
    return MarkedFace(
        *(box.left / width, box.top / height, box.right / width, box.bottom / height),
        name=label.name if answer == "name" else "",
        author=label.annotator,
        state=label.state,
        nobody=answer == "nobody",
    )


def _inside(name: str) -> str:
    """The picture's path, so that its file comes to stand beside it, but never outside the folder."""
    parts = [part for part in re.split(r"[/\\]", name) if part not in ("", ".", "..")]
    return "/".join(part if _usual(part) else safe_part(part) for part in parts) or "unnamed"


def _usual(part: str) -> bool:
    return part.isprintable() and len(part.encode()) <= 240 and (os.name != "nt" or safe_part(part) == part)


def _write_all(frames: list[LabelledFrame], places: Iterable[str], folder: Path) -> None:
    targets = [f"{folder}/{place}.xmp" for place in places]
    for parent in {os.path.dirname(target) for target in targets}:
        os.makedirs(parent, exist_ok=True)
    put([(target, partial(_content, frame)) for target, frame in zip(targets, frames, strict=True)])


def _content(frame: LabelledFrame) -> bytes:
    return sidecar(frame).encode()
