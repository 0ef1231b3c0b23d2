"""XMP as digiKam, Lightroom, Apple's Photos and Microsoft write it, and what is no XMP."""

import pytest

from core.errors import BadInput
from core.formats.read.xmp import read_xmp

HEAD = (
    '<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/" x:xmptk="{toolkit}">'
    '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about=""'
    ' xmlns:mwg-rs="http://www.metadataworkinggroup.com/schemas/regions/"'
    ' xmlns:stDim="http://ns.adobe.com/xap/1.0/sType/Dimensions#" xmlns:stArea="http://ns.adobe.com/xmp/sType/Area#"'
    ' xmlns:MP="http://ns.microsoft.com/photo/1.2/" xmlns:MPRI="http://ns.microsoft.com/photo/1.2/t/RegionInfo#"'
    ' xmlns:MPReg="http://ns.microsoft.com/photo/1.2/t/Region#" xmlns:dc="http://purl.org/dc/elements/1.1/"'
    ' xmlns:digiKam="http://www.digikam.org/ns/1.0/" xmlns:xmp="http://ns.adobe.com/xap/1.0/"'
    ' xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/"{more}>'
)
TAIL = "</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end='w'?>"
SIZE = '<mwg-rs:AppliedToDimensions stDim:w="400" stDim:h="300" stDim:unit="pixel"/>'


def packet(body: str, toolkit: str = "XMP Core 4.4.0-Exiv2", more: str = "") -> bytes:
    return (HEAD.format(toolkit=toolkit, more=more) + body + TAIL).encode()


def regions(*items: str) -> str:
    listed = "".join(f'<rdf:li rdf:parseType="Resource">{item}</rdf:li>' for item in items)
    whole = f"{SIZE}<mwg-rs:RegionList><rdf:Bag>{listed}</rdf:Bag></mwg-rs:RegionList>"
    return f'<mwg-rs:Regions rdf:parseType="Resource">{whole}</mwg-rs:Regions>'


def region(name: str, x: str = ".5", y: str = ".5", w: str = ".2", h: str = ".4", kind: str = "Face") -> str:
    area = f'<mwg-rs:Area stArea:x="{x}" stArea:y="{y}" stArea:w="{w}" stArea:h="{h}" stArea:unit="normalized"/>'
    return f"<mwg-rs:Name>{name}</mwg-rs:Name><mwg-rs:Type>{kind}</mwg-rs:Type>{area}"


def test_digikam_writes_attributes_and_resources() -> None:
    found = read_xmp(packet(regions(region("Ann &amp; Bo"), region("Rex", kind="Pet")), more=' digiKam:Pick="0"'))
    (face,) = found.faces
    assert (face.name, face.author, found.applied) == ("Ann & Bo", "digiKam", (400.0, 300.0))
    assert (face.left, face.top, face.right, face.bottom) == pytest.approx((0.4, 0.3, 0.6, 0.7))


def test_lightroom_writes_nested_descriptions_and_elements() -> None:
    area = "<mwg-rs:Area><rdf:Description stArea:w='.2' stArea:h='.4' stArea:x='.5' stArea:y='.5'/></mwg-rs:Area>"
    item = f"<rdf:li><rdf:Description mwg-rs:Name='Ann Lee' mwg-rs:Type='Face'>{area}</rdf:Description></rdf:li>"
    lists = f"<mwg-rs:RegionList><rdf:Bag>{item}</rdf:Bag></mwg-rs:RegionList>"
    body = f"<mwg-rs:Regions><rdf:Description>{SIZE}{lists}</rdf:Description></mwg-rs:Regions>"
    found = read_xmp(packet(body, more=' xmp:CreatorTool="Adobe Photoshop Lightroom Classic 12.0"'))
    assert [(face.name, face.author) for face in found.faces] == [("Ann Lee", "Lightroom")]


def test_pixels_are_shares_of_the_size_that_they_speak_of() -> None:
    item = region("Ann", "200", "150", "80", "120").replace("normalized", "pixel")
    (face,) = read_xmp(packet(regions(item))).faces
    assert (face.left, face.top, face.right, face.bottom) == pytest.approx((0.4, 0.3, 0.6, 0.7))


def test_regions_of_microsoft_count_where_there_are_no_others() -> None:
    item = "<MPReg:Rectangle>0.1, 0.2, 0.3, 0.4</MPReg:Rectangle><MPReg:PersonDisplayName>Bo</MPReg:PersonDisplayName>"
    lists = f'<MPRI:Regions><rdf:Bag><rdf:li rdf:parseType="Resource">{item}</rdf:li></rdf:Bag></MPRI:Regions>'
    body = f'<MP:RegionInfo rdf:parseType="Resource">{lists}</MP:RegionInfo>'
    assert [(face.name, round(face.right, 3)) for face in read_xmp(packet(body)).faces] == [("Bo", 0.4)]
    both = read_xmp(packet(regions(region("Ann")) + body))
    assert [face.name for face in both.faces] == ["Ann"]


def test_persons_and_the_description() -> None:
    people = "".join(f"<rdf:li>{name}</rdf:li>" for name in ("Ann", "Bo", "Ann"))
    body = f"<Iptc4xmpExt:PersonInImage><rdf:Bag>{people}</rdf:Bag></Iptc4xmpExt:PersonInImage>"
    body += '<dc:description><rdf:Alt><rdf:li xml:lang="x-default">At the sea.</rdf:li></rdf:Alt></dc:description>'
    found = read_xmp(packet(body))
    assert (found.faces, found.persons, found.caption) == ((), ("Ann", "Bo"), "At the sea.")


def test_people_of_regions_that_have_no_rectangle_are_on_the_picture() -> None:
    area = (
        "<Iptc4xmpExt:RegionBoundary rdf:parseType='Resource'><Iptc4xmpExt:rbShape>circle</Iptc4xmpExt:rbShape>"
        "<Iptc4xmpExt:rbUnit>pixel</Iptc4xmpExt:rbUnit></Iptc4xmpExt:RegionBoundary>"
    )
    who = "<Iptc4xmpExt:PersonInImage><rdf:Bag><rdf:li>Ann</rdf:li></rdf:Bag></Iptc4xmpExt:PersonInImage>"
    item = f"<rdf:li rdf:parseType='Resource'>{area}{who}</rdf:li>"
    iptc = f"<Iptc4xmpExt:ImageRegion><rdf:Bag>{item}</rdf:Bag></Iptc4xmpExt:ImageRegion>"
    found = read_xmp(packet(iptc))
    assert (found.faces, found.persons) == ((), ("Ann",))
    item = "<rdf:li rdf:parseType='Resource'><MPReg:PersonDisplayName>Bo</MPReg:PersonDisplayName></rdf:li>"
    listed = f"<MPRI:Regions><rdf:Bag>{item}</rdf:Bag></MPRI:Regions>"
    found = read_xmp(packet(f"<MP:RegionInfo rdf:parseType='Resource'>{listed}</MP:RegionInfo>"))
    assert (found.faces, found.persons, found.troubles) == ((), ("Bo",), ())


@pytest.mark.parametrize(
    "place",
    [("nan", ".5", ".2", ".2"), (".5", ".5", "-1", ".2"), ("7", "7", ".1", ".1"), ("x", "", "", ""), (".5", ".5", "9", "9")],
)
def test_an_absurd_region_is_told_and_its_person_is_still_on_the_picture(place: tuple[str, str, str, str]) -> None:
    found = read_xmp(packet(regions(region("Ann", *place), region("Bo"))))
    assert [face.name for face in found.faces] == ["Bo"]
    assert found.persons == ("Ann",)
    assert found.troubles == ("the face region of Ann lies nowhere in the picture",)


def test_a_region_over_the_edge_is_cut() -> None:
    (face,) = read_xmp(packet(regions(region("Ann", ".02", ".5", ".2", ".4")))).faces
    assert (face.left, round(face.right, 3)) == (0.0, 0.12)


def test_names_that_programs_give_to_nobody_are_none() -> None:
    found = read_xmp(packet(regions(region("Unknown"), region(" "), region("x" * 300))))
    assert [face.name for face in found.faces] == ["", "", ""]


BOMB = '<!DOCTYPE a [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]><x>&b;</x>'
OUTSIDE = '<!DOCTYPE a [<!ENTITY a SYSTEM "file:///etc/passwd">]><x>&a;</x>'


@pytest.mark.parametrize("raw", [b"", b"no xml", b"<x:xmpmeta", packet("<a>")[:-40], b"\xff\xfe\x00<", b"<a>" * 50_000])
def test_what_is_damaged_is_refused_in_one_sentence(raw: bytes) -> None:
    with pytest.raises(BadInput, match=r"no XML|damaged"):
        read_xmp(raw)


@pytest.mark.parametrize("text", [BOMB, OUTSIDE])
def test_entities_are_refused(text: str) -> None:
    with pytest.raises(BadInput, match="declares entities"):
        read_xmp(text.encode())
