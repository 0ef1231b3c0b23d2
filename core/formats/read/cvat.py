"""Reads CVAT for images 1.1: boxes in XML, whose labels are names or whose attributes hold one."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree.ElementTree import Element, ParseError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring

from core.errors import BadInput
from core.formats.read.boxes import STATES, WANTED, FaceLabels, LabelledBox, answer_of, checked, number_of, tidy

NAMED = ("name", "person", "identity")


def parse(content: bytes) -> FaceLabels:
    """The boxes of a file."""
    try:
        root = fromstring(content, forbid_dtd=True)
    except (ParseError, DefusedXmlException, ValueError, LookupError) as error:
        raise BadInput("this XML is damaged or cut short; export the labels again") from error
    if root.tag != "annotations":
        raise BadInput(f"this XML holds no annotations; {WANTED}")
    if root.find("image") is None and root.find("track") is not None:
        raise BadInput("this is CVAT for video, which does not tell times; export it as CVAT for images 1.1")
    return checked(_boxes(root), "CVAT")


def _boxes(root: Element) -> Iterator[LabelledBox | str]:
    listed = [tidy(label.text or "") for label in root.findall(".//labels/label/name")]
    answer = answer_of([*listed, *(tidy(box.get("label", "")) for box in root.findall("image/box"))])
    owner = tidy(root.findtext(".//task/assignee/username") or root.findtext(".//task/owner/username") or "")
    for image in root.findall("image"):
        size = number_of(image.get("width")), number_of(image.get("height"))
        for box in image.findall("box"):
            notes = {one.get("name", ""): one.text or "" for one in box.findall("attribute")}
            given = next((notes[key] for key in NAMED if notes.get(key)), "")
            state = notes.get("state", "")
            said = answer(given or box.get("label", ""), state)
            if said is None:
                continue
            left, top, right, bottom = (number_of(box.get(edge)) for edge in ("xtl", "ytl", "xbr", "ybr"))
            yield LabelledBox(
                image=image.get("name", ""),
                left=left,
                top=top,
                right=right,
                bottom=bottom,
                name=said[0],
                nobody=said[1],
                author=notes.get("annotator", "") or owner,
                size=size if size[0] > 0 and size[1] > 0 else None,
                state=state if state in STATES else "predicted" if box.get("source") == "auto" else "",
            )
