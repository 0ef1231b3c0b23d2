"""CVAT for images 1.1: boxes in XML, a label a name, with confidence, state and annotator as attributes."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

from core.formats.files import whole_file
from core.formats.write.text import categories, category, clipped, has_box, number, picture_names, xml_text
from core.records import Labelled, LabelledFrame, Labels

ATTRIBUTES = {  # name: kind of field, values
    "confidence": ("text", ""),
    "state": ("select", "predicted\nconfirmed\ncorrected"),
    "annotator": ("text", ""),
}


def write(labels: Labels, path: Path) -> None:
    """Writes every frame whose size is known, with the faces whose place in it is known."""
    named = categories(labels, xml_text)
    pictures = [(f, name) for f, name in zip(labels.frames, picture_names(labels), strict=True) if f.frame.width]
    root = ET.Element("annotations")
    _text(root, "version", "1.1")
    task = ET.SubElement(ET.SubElement(root, "meta"), "task")
    _text(task, "name", xml_text(labels.title))
    _text(task, "size", str(len(pictures)))
    _text(task, "mode", "annotation")
    titles = ET.SubElement(task, "labels")
    for title in named.values():
        _label(titles, title)
    for place, (frame, name) in enumerate(pictures):
        size = {"width": str(frame.frame.width), "height": str(frame.frame.height)}
        image = ET.SubElement(root, "image", {"id": str(place), "name": xml_text(name), **size})
        for face in frame.faces:
            if has_box(frame, face):
                _box(image, frame, face, named[category(face)])
    document = ET.tostring(root, encoding="utf-8", xml_declaration=True)
    whole_file(path, lambda file: file.write(document))


def _label(titles: ET.Element, title: str) -> None:
    label = ET.SubElement(titles, "label")
    _text(label, "name", title)
    _text(label, "type", "rectangle")
    attributes = ET.SubElement(label, "attributes")
    for name, (kind, values) in ATTRIBUTES.items():
        attribute = ET.SubElement(attributes, "attribute")
        for tag, text in (("name", name), ("mutable", "False"), ("input_type", kind), ("values", values)):
            _text(attribute, tag, text)
        _text(attribute, "default_value", values.partition("\n")[0])


def _box(image: ET.Element, frame: LabelledFrame, label: Labelled, title: str) -> None:
    box = clipped(frame, label.face.box)
    edges = {"xtl": box.left, "ytl": box.top, "xbr": box.right, "ybr": box.bottom}
    element = ET.SubElement(
        image,
        "box",
        {
            "label": title,
            "source": "auto" if label.state == "predicted" else "manual",
            "occluded": "0",
            **{name: f"{edge:.2f}" for name, edge in edges.items()},
            "z_order": "0",
        },
    )
    values = {"confidence": number(label.confidence, 6), "state": label.state, "annotator": xml_text(label.annotator)}
    for name, value in values.items():
        _text(element, "attribute", value).set("name", name)


def _text(parent: ET.Element, tag: str, text: str) -> ET.Element:
    element = ET.SubElement(parent, tag)
    element.text = text
    return element
