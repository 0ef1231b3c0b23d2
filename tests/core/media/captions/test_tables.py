"""Tables of pictures and captions."""

import json

import pytest

from core.errors import BadInput
from core.media.captions.tables import PictureCaption, read_table
from tests.core.media.portraits import Album


def table(folder, content, name="captions.csv", encoding="utf-8"):
    path = folder / name
    path.write_bytes(content.encode(encoding))
    return path


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_csv(tmp_path, encoding, separator):
    rows = [["Image", "caption"], ["a/1.png", '"Zoë, alone"'], [], [".\\b\\2.png", ""]]
    path = table(tmp_path, "\r\n".join(separator.join(row) for row in rows), encoding=encoding)
    assert read_table(path) == [PictureCaption("a/1.png", "Zoë, alone"), PictureCaption("b/2.png", "")]


def test_names_of_a_csv(tmp_path):
    path = table(tmp_path, "names,image,caption\nRoss; Rachel|Ross,a.png,Two people.\n,b.png,Nobody.\n")
    assert read_table(path) == [
        PictureCaption("a.png", "Two people.", ("Ross", "Rachel")),
        PictureCaption("b.png", "Nobody.", ()),
    ]


def test_json(tmp_path):
    entries = [{"image": "a.png", "caption": "Ross.", "names": ["Ross"]}, {"image": "b.png", "caption": "A dog."}]
    expected = [PictureCaption("a.png", "Ross.", ("Ross",)), PictureCaption("b.png", "A dog.")]
    assert read_table(table(tmp_path, json.dumps(entries), "a.json")) == expected
    simple = table(tmp_path, json.dumps({"a.png": "Ross.", "b.png": "A dog."}), "b.json")
    assert [(row.image, row.caption, row.names) for row in read_table(simple)] == [
        ("a.png", "Ross.", None),
        ("b.png", "A dog.", None),
    ]


def test_several_captions_of_one_picture_are_one(tmp_path):
    path = table(tmp_path, "image,caption,names\na.png,Ross sits.,Ross\nb.png,A dog.,\na.png,Rachel stands.,Rachel\n")
    assert read_table(path)[0] == PictureCaption("a.png", "Ross sits.\nRachel stands.", ("Ross", "Rachel"))


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("a.csv", "picture,caption\na.png,Ross\n", r"no column image \(its first line has picture, caption\)"),
        ("a.csv", "image,text\na.png,Ross\n", "no column caption"),
        ("a.csv", "a.png,Ross\n", "no columns image and caption"),
        ("a.csv", "image,caption\n", "lists no picture"),
        ("a.csv", "image,caption\n,Ross\n", "line 2 has no image"),
        ("a.csv", 'image,caption\na.png,"' + "x" * 200_000, "not a readable CSV table"),
        ("a.json", '[{"image": "a.png"', "not JSON"),
        ("a.json", "[" * 100_000, "not JSON"),
        ("a.json", "3", "JSON list of objects with image and caption, not int"),
        ("a.json", "[3]", "entry 1 must be an object"),
        ("a.json", '[{"image": "a.png"}]', "entry 1 has no caption"),
        ("a.json", '[{"image": 3, "caption": "Ross"}]', "entry 1 has the image 3"),
        ("a.json", '[{"image": "a.png", "caption": "", "names": [3]}]', "names that are no list of texts"),
        ("a.csv", "", "the file is empty"),
    ],
)
def test_refuses_in_one_sentence(tmp_path, name, content, says):
    path = table(tmp_path, content, name)
    with pytest.raises(BadInput, match=says) as error:
        read_table(path)
    assert str(error.value).startswith(f"{path}: ")
    assert "\n" not in str(error.value)


def test_the_table_of_an_album(album: Album) -> None:
    rows = read_table(album.captions)
    assert sum("/" in row.image for row in rows) == album.portraits
    assert all((album.folder / row.image).exists() and row.caption for row in rows)
    who = rows[0].image.split("/")[0].title()
    assert rows[0].caption == f"A portrait of {who}."
