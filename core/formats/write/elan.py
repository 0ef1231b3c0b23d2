"""ELAN (.eaf, 3.0): who is on screen when, a tier a person, for researchers who annotate video."""

from __future__ import annotations

import mimetypes
import xml.etree.ElementTree as ET
from datetime import UTC, datetime
from pathlib import Path

from core.formats.files import whole_file
from core.formats.write.spans import Interval, one_video
from core.formats.write.text import distinct, xml_text
from core.records import Labels, Source

SCHEMA = "http://www.mpi.nl/tools/elan/EAFv3.0.xsd"


def write(labels: Labels, path: Path) -> None:
    """Writes the intervals of one video as aligned annotations; times are in milliseconds."""
    found = one_video(labels, "an ELAN file")
    root = ET.Element(
        "ANNOTATION_DOCUMENT",
        {
            "AUTHOR": "Rollcall",
            "DATE": datetime.now(UTC).isoformat(timespec="seconds"),
            "FORMAT": "3.0",
            "VERSION": "3.0",
            "xmlns:xsi": "http://www.w3.org/2001/XMLSchema-instance",
            "xsi:noNamespaceSchemaLocation": SCHEMA,
        },
    )
    header = ET.SubElement(root, "HEADER", {"MEDIA_FILE": "", "TIME_UNITS": "milliseconds"})
    if found:
        ET.SubElement(header, "MEDIA_DESCRIPTOR", _media(found[0].source))
    last = ET.SubElement(header, "PROPERTY", {"NAME": "lastUsedAnnotationId"})
    last.text = str(len(found))
    _tiers(root, found)
    ET.SubElement(
        root, "LINGUISTIC_TYPE", {"LINGUISTIC_TYPE_ID": "on screen", "TIME_ALIGNABLE": "true", "GRAPHIC_REFERENCES": "false"}
    )
    document = ET.tostring(root, encoding="utf-8", xml_declaration=True)
    whole_file(path, lambda file: file.write(document))


def _tiers(root: ET.Element, found: list[Interval]) -> None:
    # an annotation has time slots of its own, at least a millisecond apart, else ELAN would not show it
    spans = [(start := round(interval.start * 1000), max(round(interval.stop * 1000), start + 1)) for interval in found]
    slots = sorted((time, k, end) for k, span in enumerate(spans) for end, time in enumerate(span))
    order = ET.SubElement(root, "TIME_ORDER")
    slot: dict[tuple[int, int], str] = {}
    for place, (time, k, end) in enumerate(slots, start=1):
        slot[k, end] = f"ts{place}"
        ET.SubElement(order, "TIME_SLOT", {"TIME_SLOT_ID": f"ts{place}", "TIME_VALUE": str(time)})
    tiers: dict[str, ET.Element] = {}
    for name, title in distinct(dict.fromkeys(interval.name for interval in found), xml_text).items():
        tiers[name] = ET.SubElement(root, "TIER", {"LINGUISTIC_TYPE_REF": "on screen", "TIER_ID": title})
    for k, interval in enumerate(found):
        annotation = ET.SubElement(
            ET.SubElement(tiers[interval.name], "ANNOTATION"),
            "ALIGNABLE_ANNOTATION",
            {"ANNOTATION_ID": f"a{k + 1}", "TIME_SLOT_REF1": slot[k, 0], "TIME_SLOT_REF2": slot[k, 1]},
        )
        ET.SubElement(annotation, "ANNOTATION_VALUE").text = xml_text(interval.name)


def _media(source: Source) -> dict[str, str]:
    place = Path(source.path)
    url = place.as_uri() if place.is_absolute() else source.title
    kind = mimetypes.guess_type(source.title)[0] or "unknown"
    return {"MEDIA_URL": xml_text(url), "MIME_TYPE": kind, "RELATIVE_MEDIA_URL": xml_text(f"./{source.title}")}
