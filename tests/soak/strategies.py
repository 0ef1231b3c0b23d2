"""Bad files from scratch, with hypothesis: right in form, odd in content, in each format's own terms."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from typing import Any

import numpy as np
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from tests.soak import seeds
from tests.soak.mutate import zipped

Attempt = Callable[[int, bytes], None]

TEXT = st.text(max_size=30)
ODD = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), TEXT)
ANYTHING = st.recursive(
    ODD, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4), max_leaves=12
)
NAMES = st.sampled_from(["Ross", "Rachel", "Joey", "", " ", "x" * 300, "\0", "\ud800", "Ross"])
CLOCK = st.builds(
    "{}:{}:{}{}{}".format, *(st.integers(-1, 120),) * 3, st.sampled_from([",", ".", ":", ""]), st.integers(0, 9999)
)
SAID = st.one_of(TEXT, st.sampled_from(["ROSS: Hi.", "<v Ross>Hi</v>", "{\\an8}♪", "- a\n- b", "&lt;", "(ROSS)"]))


def _dumped(value: Any) -> bytes:
    return json.dumps(value).encode("utf-8", "surrogatepass")


def _npz(content: dict[str, Any]) -> bytes:
    files = {}
    for name, array in content.items():
        out = io.BytesIO()
        np.lib.format.write_array(out, np.asanyarray(array), allow_pickle=False)
        files[f"{name}.npy"] = out.getvalue()
    return zipped(files)


TABLES = arrays.arrays(
    st.one_of(
        arrays.floating_dtypes(),
        arrays.integer_dtypes(),
        arrays.boolean_dtypes(),
        arrays.complex_number_dtypes(),
        arrays.unicode_string_dtypes(max_len=5),
        arrays.datetime64_dtypes(),
    ),
    arrays.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=8),
)
FEATURES = arrays.arrays(st.sampled_from([np.float32, np.float64, np.float16]), st.tuples(st.just(4), st.integers(0, 5)))
GROUPS = arrays.arrays(np.int64, 4, elements=st.integers(-2, 4))
PROBLEMS = st.fixed_dictionaries(
    {
        "features": FEATURES | TABLES,
        "group": GROUPS | TABLES,
        "names": st.lists(NAMES, max_size=4).map(lambda names: np.array(names, dtype=np.str_)) | TABLES,
        "candidates_json": st.one_of(st.lists(st.lists(NAMES, max_size=3), max_size=4), ANYTHING).map(
            lambda value: np.array(json.dumps(value))
        ),
    },
    optional={"truth": GROUPS | TABLES, "captions_json": ANYTHING.map(lambda value: np.array(json.dumps(value)))},
).map(_npz)

CORRECTION = st.fixed_dictionaries(
    {},
    optional={
        "face": st.integers(-2, 14) | ODD,
        "kind": st.sampled_from(["is", "is not", "nobody", "Is", ""]) | ODD,
        "name": NAMES | ODD,
    },
)
CORRECTIONS = (st.lists(CORRECTION | ANYTHING, max_size=6) | ANYTHING).map(_dumped)


def _cues(arrow: str, head: str) -> st.SearchStrategy[bytes]:
    cue = st.builds("{}\n{} {} {}\n{}\n\n".format, st.integers(-1, 9), CLOCK, st.just(arrow), CLOCK, SAID)
    return st.lists(cue, max_size=6).map(lambda cues: (head + "".join(cues)).encode("utf-8", "replace"))


DIALOGUE = st.builds("Dialogue: {},{},{},Default,{},0,0,0,,{}\n".format, ODD, CLOCK, CLOCK, TEXT, SAID)
ASS = st.lists(DIALOGUE, max_size=6).map(
    lambda rows: ("[Script Info]\n[Events]\n" + "".join(rows)).encode("utf-8", "replace")
)
DESCRIBED = st.lists(st.builds("{}{}{}\n".format, CLOCK, st.sampled_from([" ", "\t", " - ", "|"]), SAID), max_size=6).map(
    lambda rows: "".join(rows).encode("utf-8", "replace")
)
CELLS = st.lists(
    st.lists(st.one_of(TEXT, st.sampled_from(["image", "caption", "names", '"', "a.jpg"])), max_size=4), max_size=5
)
SEPARATED = st.tuples(CELLS, st.sampled_from(",;\t|")).map(
    lambda both: ("image,caption\n" + "\n".join(both[1].join(row) for row in both[0])).encode("utf-8", "replace")
)
TABLE_JSON = st.one_of(
    st.lists(st.fixed_dictionaries({"image": TEXT | ODD, "caption": TEXT | ODD}, optional={"names": ANYTHING}), max_size=4),
    st.dictionaries(TEXT, TEXT | ODD, max_size=4),
    ANYTHING,
).map(_dumped)
PERSON = st.one_of(TEXT, st.lists(TEXT, max_size=3), st.fixed_dictionaries({}, optional={"name": ODD, "aliases": ANYTHING}))
CAST_JSON = st.one_of(st.lists(PERSON, max_size=4), st.dictionaries(TEXT, ANYTHING, max_size=4), ANYTHING).map(_dumped)
TRACKS = st.lists(st.lists(st.lists(st.integers(-5, 500) | ODD, min_size=4, max_size=6), max_size=3), max_size=3)
MVAD = st.dictionaries(
    st.sampled_from(["TITANIC", ""]) | TEXT,
    st.fixed_dictionaries(
        {"videos": st.dictionaries(TEXT, st.dictionaries(TEXT, TRACKS | ANYTHING, max_size=2), max_size=2)}
    ),
    max_size=2,
).map(_dumped)


@st.composite
def _projects(draw: st.DrawFn) -> bytes:
    """A project's JSON with cells of its tables replaced by values of the right type and any size."""
    whole = json.loads(seeds.project()["all.json"])
    whole["files"] = {name: text for name, text in whole["files"].items() if not name.startswith("frames")}
    for _ in range(draw(st.integers(1, 4))):
        table = whole["tables"][draw(st.sampled_from(sorted(whole["tables"])))]
        if table["rows"]:
            row = draw(st.sampled_from(table["rows"]))
            place = draw(st.integers(0, len(row) - 1))
            if isinstance(row[place], str):
                row[place] = draw(TEXT | st.sampled_from(["[]", "[[0, 99]]", '["x"]', "is", "merge"]))
            else:
                row[place] = draw(st.integers(-3, 20) | st.integers() | st.floats() | st.none())
    return _dumped(whole)


SOURCES: dict[str, st.SearchStrategy[bytes]] = {
    "problem": PROBLEMS,
    "corrections": CORRECTIONS,
    "srt": _cues("-->", ""),
    "vtt": _cues("-->", "WEBVTT\n\n"),
    "ass": ASS,
    "described": DESCRIBED,
    "cast": CELLS.map(lambda rows: "\n".join(",".join(row) for row in rows).encode("utf-8", "replace")),
    "cast-json": CAST_JSON,
    "table": SEPARATED,
    "table-json": TABLE_JSON,
    "import": _projects(),
    "mvad": MVAD,
}


def each(reader: str, chosen: int, start: int, stop: int, attempt: Attempt) -> None:
    """Lets hypothesis make the inputs from ``start`` to ``stop``; a later start takes another seed, not the same ones."""
    number = start

    @settings(
        max_examples=stop - start,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @seed(1_000_003 * chosen + start)
    @given(SOURCES[reader])
    def run(content: bytes) -> None:
        nonlocal number
        if number < stop:
            attempt(number, content)
            number += 1

    run()
