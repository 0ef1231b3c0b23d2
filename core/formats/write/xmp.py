"""XMP files beside pictures, with face regions as digiKam, Lightroom and others read them.

Each picture ``a/b.jpg`` gets ``a/b.jpg.xmp`` with its faces as regions of the Metadata Working Group (``mwg-rs``: centre and
size as shares of the picture) and of Microsoft (``MP``: corner and size). A face of nobody is a region without a name.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from xml.sax.saxutils import escape

from core.errors import BadInput
from core.formats.write.folder import put, safe_part, whole_folder
from core.formats.write.text import clipped, distinct, has_box, picture_names, xml_text
from core.records import Labelled, LabelledFrame, Labels

SPACES = {
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "mwg-rs": "http://www.metadataworkinggroup.com/schemas/regions/",
    "stDim": "http://ns.adobe.com/xap/1.0/sType/Dimensions#",
    "stArea": "http://ns.adobe.com/xmp/sType/Area#",
    "MP": "http://ns.microsoft.com/photo/1.2/",
    "MPRI": "http://ns.microsoft.com/photo/1.2/t/RegionInfo#",
    "MPReg": "http://ns.microsoft.com/photo/1.2/t/Region#",
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


def sidecar(frame: LabelledFrame) -> str:
    """The text of one picture's XMP file."""
    faces = [face for face in frame.faces if has_box(frame, face)]
    spaces = "".join(f'\n    xmlns:{prefix}="{uri}"' for prefix, uri in SPACES.items() if prefix != "rdf")
    size = f'stDim:w="{frame.frame.width}" stDim:h="{frame.frame.height}" stDim:unit="pixel"'
    return (
        '<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>\n'
        '<x:xmpmeta xmlns:x="adobe:ns:meta/" x:xmptk="Rollcall">\n'
        f' <rdf:RDF xmlns:rdf="{SPACES["rdf"]}">\n'
        f'  <rdf:Description rdf:about=""{spaces}>\n'
        '   <mwg-rs:Regions rdf:parseType="Resource">\n'
        f"    <mwg-rs:AppliedToDimensions {size}/>\n"
        f"    <mwg-rs:RegionList>{_bag([_mwg(frame, face) for face in faces])}</mwg-rs:RegionList>\n"
        "   </mwg-rs:Regions>\n"
        '   <MP:RegionInfo rdf:parseType="Resource">\n'
        f"    <MPRI:Regions>{_bag([_microsoft(frame, face) for face in faces])}</MPRI:Regions>\n"
        "   </MP:RegionInfo>\n"
        '  </rdf:Description>\n </rdf:RDF>\n</x:xmpmeta>\n<?xpacket end="w"?>\n'
    )


def _bag(regions: list[str]) -> str:
    items = "".join(f'     <rdf:li rdf:parseType="Resource">{region}</rdf:li>\n' for region in regions)
    return f"<rdf:Bag>\n{items}    </rdf:Bag>"


def _mwg(frame: LabelledFrame, label: Labelled) -> str:
    x, y, w, h = _shares(frame, label)
    name = f"<mwg-rs:Name>{escape(xml_text(label.name))}</mwg-rs:Name>" if label.name else ""
    return (
        f"{name}<mwg-rs:Type>Face</mwg-rs:Type>"
        f'<mwg-rs:Area stArea:x="{x + w / 2:.6f}" stArea:y="{y + h / 2:.6f}" stArea:w="{w:.6f}" stArea:h="{h:.6f}" '
        'stArea:unit="normalized"/>'
    )


def _microsoft(frame: LabelledFrame, label: Labelled) -> str:
    x, y, w, h = _shares(frame, label)
    name = f"<MPReg:PersonDisplayName>{escape(xml_text(label.name))}</MPReg:PersonDisplayName>" if label.name else ""
    return f"{name}<MPReg:Rectangle>{x:.6f}, {y:.6f}, {w:.6f}, {h:.6f}</MPReg:Rectangle>"


def _shares(frame: LabelledFrame, label: Labelled) -> tuple[float, float, float, float]:
    box, width, height = clipped(frame, label.face.box), frame.frame.width, frame.frame.height
    return box.left / width, box.top / height, (box.right - box.left) / width, (box.bottom - box.top) / height


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
