"""Mulan's ARFF and XML: published statistics, round trips, peers, and errors with their line."""

from __future__ import annotations

import gzip
import io
import math
import re
import tracemalloc
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import polars
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import cranfield as cf
from cranfield import formats
from cranfield.core.axes import WORDS_FOR_ITEMS
from cranfield.core.matrices import Cells
from cranfield.formats import source
from cranfield.formats.kinds.mulan.arff import fields, quoted, unquoted
from cranfield.formats.kinds.mulan.label_xml import read_labels

Write = Callable[..., Path]

DATA = Path(__file__).parents[3] / "shared" / "data" / "mulan"
XML = '<labels xmlns="http://mulan.sourceforge.net/labels">{}</labels>'
PETS = '<label name="cat"/><label name="dog"/>'
HEADER = """\
% pets
@RELATION pets

@attribute size numeric
@attribute colour {red, 'dark red', "white"}
@attribute cat {0,1}
@attribute dog {1, 0}
@data
"""
many = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)


@pytest.fixture
def pets(file: Write) -> Callable[..., Path]:
    """Write rows behind a header, and an XML file beside them."""

    def write(rows: str, *, header: str = HEADER, labels: str = PETS, name: str = "p.arff") -> Path:
        file(XML.format(labels), "p.xml")
        return file(header + rows, name)

    return write


# -- Published statistics ----------------------------------------------------------------------


@pytest.mark.skipif(not DATA.is_dir(), reason="the Mulan collections are not there")
@pytest.mark.parametrize(
    ("name", "files"),
    [
        ("emotions", ["emotions"]),
        ("emotions", ["emotions-train", "emotions-test"]),
        ("scene", ["scene-train", "scene-test"]),
        ("yeast", ["yeast"]),
    ],
)
def test_collections_have_the_statistics_that_mulan_publishes(name: str, files: list[str]) -> None:
    text = (DATA / "MULAN_README_statistics.md").read_text()
    row = re.search(rf">{name}</td>(.*?)</tr>", text, re.DOTALL)
    _, items, nominal, numeric, labels, cardinality, density, distinct = (
        field.strip() for field in re.findall(r">([^<>]+)</td>", row[1])
    )
    parts = [cf.read_collection(DATA / name / f"{file}.arff.gz") for file in files]
    matrix = np.concatenate([part.truth.labels for part in parts])
    assert matrix.shape == (int(items), int(labels))
    assert {part.features.width for part in parts} == {int(nominal) + int(numeric)}
    assert matrix.sum(axis=1).mean() == pytest.approx(float(cardinality), abs=0.001)
    assert matrix.mean() == pytest.approx(float(density), abs=0.0005)
    assert len(np.unique(matrix, axis=0)) == int(distinct)


@pytest.mark.skipif(not DATA.is_dir(), reason="the Mulan collections are not there")
@pytest.mark.parametrize("name", ["emotions/emotions", "yeast/yeast", "scene/scene-test"])
def test_features_and_labels_are_those_that_scipy_reads(name: str) -> None:
    arff = pytest.importorskip("scipy.io.arff")
    collection = cf.read_collection(DATA / f"{name}.arff.gz")
    with gzip.open(DATA / f"{name}.arff.gz", "rt") as text:
        data, _ = arff.loadarff(text)
    for feature in collection.features:
        assert np.array_equal(data[feature.name], feature.to_numpy())
    for place, concept in enumerate(collection.concepts):
        assert np.array_equal(data[concept] == b"1", collection.truth.labels[:, place])


# -- What files mean ---------------------------------------------------------------------------


def test_labels_features_and_hierarchy_are_read(pets: Callable[..., Path], parser: str) -> None:
    path = pets(
        "0.5,red,1,0\n?,'dark red',?,1\n% no row\n\n 2 , white , 0 , ? \n",
        labels='<label name="dog"><label name="cat"></label></label>',
    )
    collection = cf.read_collection(path)
    assert (collection.name, collection.concepts) == ("p", ("dog", "cat"))
    assert collection.truth.states.tolist() == [[0, 1], [1, -1], [-1, 0]]
    assert collection.truth.item_axis.ids is None
    assert collection.parents == {"cat": "dog"}
    assert collection.features["size"].to_list() == [0.5, None, 2]
    assert collection.features["colour"].to_list() == ["red", "dark red", "white"]
    assert collection.features["colour"].dtype == polars.Enum(["red", "dark red", "white"])


def test_what_a_sparse_row_leaves_out_is_zero_or_the_first_value(
    pets: Callable[..., Path], parser: str
) -> None:
    collection = cf.read_collection(pets('{}\n{0 2.5, 1 "white", 3 0}\n1,red,1,1\n{2 ?}\n'))
    assert collection.truth.states.tolist() == [[0, 1], [0, 0], [1, 1], [-1, 1]]
    assert collection.features["size"].to_list() == [0, 2.5, 1, 0]
    assert collection.features["colour"].to_list() == ["red", "white", "red", "red"]


def test_a_string_under_a_word_for_items_names_them(file: Write, parser: str) -> None:
    file(XML.format(PETS), "p.xml")
    header = (
        "@relation p\n@attribute {} string\n@attribute cat {{0,1}}\n@attribute dog numeric\n@data\n"
    )
    rows = "a,1,0\n'b, c',0,1\nd\\e,1,1\n"
    truth = cf.read_truth(file(header.format("Image") + rows, "p.arff"))
    assert truth.items == ("a", "b, c", "d\\e")
    collection = cf.read_collection(file(header.format("title") + rows, "p.arff"))
    assert collection.truth.item_axis.ids is None
    assert collection.features["title"].to_list() == ["a", "b, c", "d\\e"]


@pytest.mark.parametrize(
    ("relation", "concepts"),
    [("'p: -C 1'", ("size",)), ("'p: -C -2 -split 3'", ("cat", "dog")), ("p:-C 3", None)],
)
def test_meka_says_the_labels_in_the_name_of_the_relation(
    relation: str, concepts: tuple[str, ...] | None, file: Write
) -> None:
    path = file(HEADER.replace("pets\n\n", f"{relation}\n\n") + "1,red,0,1\n", "p.arff")
    if concepts is None:
        with pytest.raises(cf.FileError, match="label 'colour' holds nominal values"):
            cf.read_truth(path)
    else:
        assert cf.read_truth(path).concepts == concepts


@pytest.mark.parametrize(
    ("xml", "arff"),
    [
        ("p.xml", "p.arff"),
        ("p.xml", "p.arff.gz"),
        ("p.xml", "p-train.arff"),
        ("P.XML", "P.ARFF"),
    ],
)
def test_the_xml_is_found_beside_the_data(xml: str, arff: str, file: Write) -> None:
    file(XML.format(PETS), xml)
    content = (HEADER + "1,red,0,1\n").encode()
    path = file(gzip.compress(content) if arff.endswith(".gz") else content, arff)
    assert cf.read_truth(path).concepts == ("cat", "dog")


def test_the_longest_name_of_an_xml_wins(file: Write) -> None:
    file(XML.format('<label name="cat"/>'), "p.xml")
    file(XML.format('<label name="dog"/>'), "p-b.xml")
    for name, concept in (("p-a.arff", "cat"), ("p-b.arff", "dog"), ("p-b-train.arff", "dog")):
        assert cf.read_truth(file(HEADER + "1,red,0,1\n", name)).concepts == (concept,)
    with pytest.raises(cf.FileError, match="which attributes are labels is not said"):
        cf.read_truth(file(HEADER + "1,red,0,1\n", "other.arff"))


def test_concepts_name_the_labels_or_their_order(file: Write, pets: Callable[..., Path]) -> None:
    path = file(HEADER + "1,red,1,1\n", "p.arff")
    with pytest.raises(cf.FileError, match=r"XML file of that name.*-C.*concepts="):
        cf.read_truth(path)
    assert cf.read_truth(path, concepts=["dog"]).labels.tolist() == [[True]]
    with pytest.raises(cf.FileError, match="1 label without an attribute: 'cow'"):
        cf.read_truth(path, concepts=["dog", "cow"])
    path = pets("1,red,1,0\n")
    assert cf.read_truth(path, concepts=["dog", "cat"]).labels.tolist() == [[False, True]]
    with pytest.raises(cf.FileError, match="1 unknown concept: 'dog'"):
        cf.read_truth(path, concepts=["cat"])


def test_a_run_knows_its_labels_from_its_truth(file: Write, truth: cf.Truth) -> None:
    path = file(
        "@relation r\n@attribute dog real\n@attribute cat real\n@data\n.5,1\n?,2\n", "r.arff"
    )
    run = cf.read_run(path, truth)
    assert run.concepts == ("cat", "dog")
    assert (run.scores.codes.tolist(), run.scores.values.tolist()) == ([0, 1, 2], [1, 0.5, 2])
    with pytest.raises(cf.FileError, match="is not said"):
        cf.read_run(path)


def test_nominal_labels_of_a_run_are_decisions(pets: Callable[..., Path]) -> None:
    run = cf.read_run(pets("1,red,1,0\n2,red,0,0\n"))
    assert run.scores is None
    assert run.labels.tolist() == [[True, False], [False, False]]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("block", [1, 2, 3, 7, 1 << 20])
def test_line_ends_and_blocks_do_not_matter(
    end: str, block: int, file: Write, parser: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(source, "_BLOCK", block)
    header = "@relation 'p: -C 1'\n@attribute cat {0,1}\n@attribute size numeric\n\n@data\n"
    rows = "1,2\n\n0,3\n% x\n?,1\n1,?\n {1 5} "
    collection = cf.read_collection(file((header + rows).replace("\n", end), "p.arff"))
    assert collection.truth.states[:, 0].tolist() == [1, 0, -1, 1, 0]
    assert collection.features["size"].to_list() == [2, 3, 1, None, 5]


def test_numbers_stand_for_nominal_values_however_they_are_written(
    file: Write, parser: str
) -> None:
    header = "@relation 'p: -C -1'\n@attribute n {3,1,-2}\n@attribute cat {0,1}\n@data\n"
    collection = cf.read_collection(file(header + "1.0,+1\n-2,0.0\n'3','1'\n?,1\n", "p.arff"))
    assert collection.features["n"].to_list() == ["1", "-2", "3", None]
    assert collection.truth.labels[:, 0].tolist() == [True, False, True, True]


def test_dates_are_text(file: Write) -> None:
    header = "@relation 'p: -C 1'\n@attribute cat {0,1}\n@attribute d DATE 'yyyy-MM-dd'\n@data\n"
    collection = cf.read_collection(file(header + "1,'2009-06-01'\n0,?\n", "p.arff"))
    assert collection.features["d"].to_list() == ["2009-06-01", None]


@pytest.mark.parametrize("name", ["x", "x.txt", "x.arff", "x.arff.gz"])
def test_arff_is_recognised_by_what_it_holds(name: str, file: Write) -> None:
    content = b"\xef\xbb\xbf% a, b\n\n@Relation 'p: -C 1'\n@attribute cat {0,1}\n@data\n1\n"
    path = file(gzip.compress(content) if name.endswith(".gz") else content, name)
    assert formats.check(path, kind="truth").format == "mulan"


def test_a_folder_with_arff_and_xml_is_a_collection(tmp_path: Path) -> None:
    truth = cf.Truth([[1, 0], [0, 1]], items="ab", concepts=["cat", "dog"])
    (tmp_path / "runs").mkdir()
    cf.write_truth(truth, tmp_path / "truth.arff")
    cf.write_run(
        cf.Run([[1, 0.5], [0, 1]], items="ab", concepts=["cat", "dog"]), tmp_path / "runs/r.arff"
    )
    collection = cf.read_collection(tmp_path)
    assert collection.truth.digest == truth.digest
    assert [path.name for path in collection.runs] == ["r.arff"]
    assert cf.read_run(collection.runs[0], collection).scores.tolist() == [[1, 0.5], [0, 1]]


# -- Round trips -------------------------------------------------------------------------------

text = st.text(st.characters(exclude_categories=["Cs"]))
names = st.text(st.characters(exclude_categories=["Cs"]), min_size=1)
in_xml = st.text(
    st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufffe\uffff")
    | st.sampled_from("\t\n\r"),
    min_size=1,
)


@given(st.lists(text, min_size=1, max_size=5))
def test_any_text_survives_its_quotes(texts: list[str]) -> None:
    row = ",".join(map(quoted, texts))
    assert "\n" not in row
    assert "\r" not in row
    assert [unquoted(field) for field in fields(row)] == texts


@st.composite
def collections(draw: st.DrawFn) -> cf.Collection:
    concepts = draw(st.lists(in_xml, min_size=1, max_size=4, unique=True))
    size = draw(st.integers(1, 4))
    states = draw(st.lists(st.sampled_from([-1, 0, 1]), min_size=size * len(concepts)))
    states = np.resize(states, (size, len(concepts)))
    items = st.lists(names, min_size=size, max_size=size, unique=True)
    truth = cf.Truth(
        states == 1,
        judged=states >= 0,
        items=draw(st.none() | items),
        concepts=concepts,
    )
    parents = {
        child: draw(st.sampled_from(concepts[:place]))
        for place, child in enumerate(concepts)
        if place and draw(st.booleans())
    }
    finite = st.none() | st.floats(allow_nan=False, allow_infinity=False)
    values = draw(st.lists(text, max_size=3, unique=True))
    taken = {*concepts, *WORDS_FOR_ITEMS}
    names_of = st.lists(
        names.filter(lambda name: name.strip().casefold() not in taken and name not in taken),
        min_size=3,
        max_size=3,
        unique=True,
    )
    numbers, nominal, string = draw(names_of)
    chosen = st.none() | st.sampled_from(values) if values else st.none()

    def column(elements: Any) -> Any:
        return draw(st.lists(elements, min_size=size, max_size=size))

    features = [
        polars.Series(numbers, column(finite), dtype=polars.Float64),
        polars.Series(nominal, column(chosen), dtype=polars.Enum(values)),
        polars.Series(string, column(st.none() | text), dtype=polars.String),
    ][: draw(st.integers(0, 3))]
    frame = polars.DataFrame(features) if features else None
    return cf.Collection(truth, "c", parents=parents, features=frame)


@many
@given(collection=collections(), ending=st.sampled_from(["", ".gz"]))
def test_any_collection_comes_back(collection: cf.Collection, ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"c.arff{ending}"
    path.touch()
    assert formats.convert(collection, path) == ()
    back = cf.read_collection(path)
    assert back.truth.digest == collection.truth.digest
    assert back.truth.items == collection.items
    assert back.parents == collection.parents
    assert (back.features is None) == (collection.features is None)
    if back.features is not None:
        assert back.features.equals(collection.features)
        assert back.features.schema == collection.features.schema


@many
@given(data=st.data())
def test_any_run_comes_back(data: st.DataObject, tmp_path: Path) -> None:
    concepts = data.draw(st.lists(in_xml, min_size=1, max_size=3, unique=True))
    items = data.draw(st.none() | st.lists(names, min_size=2, max_size=2, unique=True))
    shape = (2, len(concepts))
    size = 2 * len(concepts)
    decided = data.draw(st.booleans())
    elements = st.booleans() if decided else st.floats(allow_nan=False, allow_infinity=False)
    values = np.array(data.draw(st.lists(elements, min_size=size, max_size=size)))
    stored = np.flatnonzero(data.draw(st.lists(st.booleans(), min_size=size, max_size=size)))
    matrix: Any = values.reshape(shape)
    if len(stored) < size:
        matrix = Cells(shape, stored, values[stored])
    run = cf.Run(
        **{"labels" if decided else "scores": matrix}, items=items, concepts=concepts, name="r"
    )
    path = tmp_path / "r.arff"
    path.touch()
    cf.write_run(run, path)
    back = cf.read_run(path)
    assert back.digest == run.digest
    assert back.sparse == run.sparse


def test_scipy_reads_what_is_written(tmp_path: Path) -> None:
    arff = pytest.importorskip("scipy.io.arff")
    features = polars.DataFrame({"size": [0.1, 1e-300], "n": [3, None]})
    truth = cf.Truth([[1, 0], [0, 1]], concepts=["a cat", "dog"])
    formats.write_truth(cf.Collection(truth, "two pets", features=features), tmp_path / "p.arff")
    data, meta = arff.loadarff(tmp_path / "p.arff")
    assert meta.types() == ["numeric", "numeric", "nominal", "nominal"]
    assert data["size"].tolist() == [0.1, 1e-300]
    assert data["n"][0] == 3
    assert math.isnan(data["n"][1])
    assert data["dog"].tolist() == [b"0", b"1"]


def test_features_of_other_types_are_declared_as_what_comes_near(tmp_path: Path) -> None:
    frame = polars.DataFrame(
        {
            "whole": [1, None],
            "single": polars.Series([0.5, 1], dtype=polars.Float32),
            "flag": [True, None],
            "kind": polars.Series(["b", "a"], dtype=polars.Categorical),
        }
    )
    collection = cf.Collection(cf.Truth([[1], [0]], concepts=["cat"]), features=frame)
    formats.write_truth(collection, tmp_path / "p.arff")
    back = cf.read_collection(tmp_path / "p.arff").features
    assert back.to_dict(as_series=False) == {
        "whole": [1, None],
        "single": [0.5, 1],
        "flag": ["true", None],
        "kind": ["b", "a"],
    }


TRUTH = cf.Truth([[1, 0]], concepts=["cat", "dog"])


@pytest.mark.parametrize(
    ("thing", "says"),
    [
        (cf.Truth(grades=[[2]]), "would lose grades"),
        (cf.Truth([[1]], concepts=["a\0b"]), "character that XML cannot hold"),
        (cf.Collection(TRUTH, features=polars.DataFrame({"cat": [1]})), "names of concepts: 'cat'"),
        (cf.Collection(TRUTH, features=polars.DataFrame({"": [1]})), "feature 1 has no name"),
        (cf.Collection(TRUTH, features=polars.DataFrame({"x": [math.inf]})), "'x' is not finite"),
        (cf.Collection(TRUTH, features=polars.DataFrame({"x": [[1]]})), "'x' holds List"),
        (cf.Collection(TRUTH, features=polars.DataFrame({"id": ["a"]})), "read as item ids: 'id'"),
        (cf.Collection(TRUTH, parents={"cat": "dog", "dog": "cat"}), "parents of themselves"),
        (cf.Collection(TRUTH, parents={"cat": "animal"}), "parents of 'cat' are no concepts"),
        (cf.Truth([[1] * 150], concepts=[f"c{n}" for n in range(150)]), "nested more than 100"),
    ],
)
def test_what_mulan_cannot_hold_leaves_nothing_behind(
    thing: Any, says: str, tmp_path: Path
) -> None:
    if "nested" in says:
        thing = cf.Collection(thing, parents={f"c{n + 1}": f"c{n}" for n in range(149)})
    with pytest.raises(cf.InputError, match=says):
        formats.write_truth(thing, tmp_path / "p.arff")
    assert list(tmp_path.iterdir()) == []


def test_an_xml_of_something_else_is_not_replaced(tmp_path: Path, truth: cf.Truth) -> None:
    (tmp_path / "p.xml").write_text(XML.format('<label name="cow"/>'))
    with pytest.raises(cf.FileError, match="has other labels"):
        cf.write_truth(truth, tmp_path / "p.arff")
    assert [path.name for path in tmp_path.iterdir()] == ["p.xml"]
    (tmp_path / "p.xml").write_text(XML.format(PETS))
    cf.write_truth(truth, tmp_path / "p.arff")
    other = cf.Truth([[1]], concepts=["cow"])
    cf.write_truth(other, tmp_path / "p.arff")
    assert cf.read_truth(tmp_path / "p.arff").digest == other.digest


# -- Errors ------------------------------------------------------------------------------------

BROKEN_ROWS = {
    "too few": ("1,red,0,1\n1,red,0\n", 10, "the row has 3 values; expected 4, one for each"),
    "too many": ("1,red,0,1,5\n", 9, "the row has 5 values; expected 4"),
    "text for a number": ("x,red,0,1\n", 9, "attribute 'size': 'x' is not a number"),
    "NaN": ("nan,red,0,1\n", 9, "attribute 'size': 'nan' is not a number"),
    "infinite": ("1,red,0,1\ninf,red,0,1\n", 10, "attribute 'size': 'inf' is not finite"),
    "nothing for a number": (",red,0,1\n", 9, "attribute 'size': the value is missing; write ?"),
    "nothing for a value": ("1,,0,1\n", 9, "attribute 'colour': the value is missing; write ?"),
    "an unknown value": ("1,blue,0,1\n", 9, "'blue' is none of its values 'red', 'dark red'"),
    "another label": ("1,red,0,1\n1,red,2,1\n", 10, "attribute 'cat': '2' is none of its values"),
    "weights": ("1,red,0,1,{5}\n", 9, "weights of rows are not read"),
    "sparse weights": ("{0 1}, {0.5}\n", 9, "weights of rows are not read"),
    "an open quote": ("1,'red,0,1\n", 9, "a quote does not close"),
    "a quote too many": ("1,'red'x,0,1\n", 9, "a quote does not close, or something stands"),
    "an open brace": ("{0 1\n", 9, "not closed by a brace"),
    "no pairs": ("{0 1, 7}\n", 9, "pairs of a place and a value"),
    "a place beyond": ("{4 1}\n", 9, "place 4 is beyond the 4 attributes"),
    "a place twice": ("{0 1, 0 2}\n", 9, "place 0 is mentioned twice"),
    "a wrong sparse value": ("{0 x}\n", 9, "attribute 'size': 'x' is not a number"),
    "bytes of another encoding": ("1,\udce9,0,1\n", 9, "is not UTF-8"),
    "NUL": ("1,red,0,\0\n", 9, "NUL byte"),
    "no character": ("1,'\\ud800',0,1\n", 9, "is no character"),
    "no rows": ("% nothing\n\n", None, "no rows behind @data"),
}
BROKEN_HEADERS = {
    "no data": ("@relation p\n@attribute cat {0,1}\n", None, "there is no @data"),
    "no attributes": ("@relation p\n@data\n1\n", None, "there is no @attribute"),
    "data first": ("@relation p\n1,2\n", 2, "is none of @relation, @attribute and @data"),
    "twice": (
        "@attribute cat {0,1}\n@ATTRIBUTE cat real\n@data\n1,1\n",
        2,
        "attribute 'cat' stands on line 1 already",
    ),
    "no type": ("@attribute cat\n@data\n1\n", 1, "attribute 'cat' is declared as ''"),
    "another type": ("@attribute cat relational\n@data\n1\n", 1, "declared as 'relational'"),
    "an open brace": ("@attribute cat {0,1\n@data\n1\n", 1, "not closed by a brace"),
    "a value twice": ("@attribute cat {0,0}\n@data\n1\n", 1, "a value is declared twice"),
    "something behind": ("@attribute cat {0,1} x\n@data\n1\n", 1, "'x' stands behind the values"),
    "no name": ("@attribute\n@data\n1\n", 1, "the name is missing"),
    "an empty name": ("@attribute '' real\n@data\n1\n", 1, "the name is empty"),
    "an open name": ("@attribute 'cat real\n@data\n1\n", 1, "its quote does not close"),
    "text for a label": ("@attribute cat string\n@data\n1\n", 1, "label 'cat' holds text"),
    "values for a label": ("@attribute cat {no,yes}\n@data\nno\n", 1, "'cat' holds nominal values"),
    "a label without attribute": ("@attribute dog {0,1}\n@data\n1\n", None, "an attribute: 'cat'"),
    "a score": ("@attribute cat real\n@data\n1\n0.5\n", 4, "concept 'cat': 0.5; a label is 0 or 1"),
    "a score of an item": (
        "@attribute id string\n@attribute cat real\n@data\na,7\n",
        4,
        "item 'a', concept 'cat': 7; a label is 0 or 1",
    ),
    "an item twice": (
        "@attribute id string\n@attribute cat {0,1}\n@data\na,1\na,0\n",
        5,
        "item 'a' stands on line 4 already",
    ),
    "no id": ("@attribute id string\n@attribute cat {0,1}\n@data\n?,1\n", 4, "the item has no id"),
}
BROKEN_XML = {
    "empty": ("", None, "is empty"),
    "no XML": ("cat", 1, "is no XML"),
    "cut": ("<labels>\n<label name='cat'>", 2, "is no XML"),
    "another root": ("<html/>", 1, "<labels> should stand where 'html' does"),
    "another element": ("<labels>\n<label name='cat'/><x/></labels>", 2, "<label> should stand"),
    "no name": ("<labels><label/></labels>", 1, "a label has no name"),
    "twice": ("<labels><label name='cat'/>\n<label name='cat'/></labels>", 2, "on line 1 already"),
    "no labels": ("<labels></labels>", None, "names no labels"),
    "a document type": (
        "<!DOCTYPE labels [<!ENTITY a 'cat'>]><labels><label name='&a;'/></labels>",
        1,
        "has a document type",
    ),
    "an entity": ("<labels><label name='&a;'/></labels>", 1, "is no XML (undefined entity)"),
    "an unknown encoding": ("<?xml version='1.0' encoding='x'?><labels/>", 1, "encoding"),
    "too deep": ("<labels>" + "<label name='cat'>" * 102, 1, "is no XML|on line|nested"),
    "deep": (
        "<labels>" + "".join(f"<label name='{n}'>" for n in range(102)),
        1,
        "nested more than 100 deep",
    ),
}


@pytest.mark.parametrize("how", BROKEN_ROWS)
def test_a_broken_row_is_refused_with_its_line(how: str, file: Write, parser: str) -> None:
    rows, line, says = BROKEN_ROWS[how]
    file(XML.format(PETS), "p.xml")
    path = file((HEADER + rows).encode(errors="surrogateescape"), "p.arff")
    _refused(path, path, line, says)


@pytest.mark.parametrize("how", BROKEN_HEADERS)
def test_a_broken_header_is_refused_with_its_line(how: str, file: Write, parser: str) -> None:
    content, line, says = BROKEN_HEADERS[how]
    file(XML.format('<label name="cat"/>'), "p.xml")
    path = file(content, "p.arff")
    _refused(path, path, line, says)


@pytest.mark.parametrize("how", BROKEN_XML)
def test_broken_xml_is_refused_with_its_line(how: str, file: Write) -> None:
    content, line, says = BROKEN_XML[how]
    xml = file(content, "p.xml")
    _refused(file(HEADER + "1,red,1,0\n", "p.arff"), xml, line, says)


PIECES = [
    "<labels>", "</labels>", "<label name='cat'>", "</label>", "<label name='dog'/>", "<", "&#0;",
    "&amp;", "<!DOCTYPE labels [", "<!ENTITY a 'b'>", "]>", "<?xml version='1.0' encoding='",
    "utf-16", "cp037", "'?>", "\n", "\0", "<!--", "-->", "<![CDATA[", "]]>", "é", " xmlns:a='b'",
]  # fmt: skip
mixtures = st.lists(st.sampled_from(PIECES), max_size=30).map("".join).map(str.encode)


@many
@given(content=st.binary() | mixtures)
def test_any_bytes_are_read_as_labels_or_refused(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "p.xml"
    path.write_bytes(content)
    with suppress(cf.FileError):
        assert read_labels(path).names


def _refused(path: Path, named: Path, line: int | None, says: str) -> None:
    with pytest.raises(cf.FileError) as caught:
        cf.read_truth(path)
    assert caught.value.path == str(named)
    assert caught.value.line == line
    assert any(part in caught.value.what for part in says.split("|")), caught.value
    assert str(caught.value) in map(str, formats.check(path, kind="truth"))
    assert "\n" not in str(caught.value)


def test_a_check_finds_every_error_in_the_order_of_lines(
    pets: Callable[..., Path], parser: str
) -> None:
    path = pets("1,red,0,1\nx,blue,0,1\n1,red\n1,red,2,1\n1,red,0,1\n{9 1}\ny,red,1,1\n")
    found = formats.check(path, kind="truth")
    assert [error.line for error in found] == [10, 10, 11, 12, 14, 15]
    header = "@relation 'p: -C 2'\n@attribute cat x\n@attribute cat real\n@attribute\n@data\n1\n"
    found = formats.check(pets("", header=header, name="q.arff"), kind="truth")
    assert [error.line for error in found] == [2, 4]


def test_sparse_rows_that_would_fill_the_memory_are_refused(file: Write) -> None:
    header = "@relation 'p: -C 1'\n@attribute cat {0,1}\n"
    header += "".join(f"@attribute a{n} numeric\n" for n in range(2000))
    path = file(gzip.compress(f"{header}@data\n{'{}' + chr(10)}".encode() + b"{}\n" * 100_000), "p")
    tracemalloc.start()
    try:
        with pytest.raises(cf.FileError, match="too many for so small a file"):
            cf.read_truth(path)
        assert tracemalloc.get_traced_memory()[1] < 200 << 20
    finally:
        tracemalloc.stop()


def test_many_sparse_features_are_read_quickly_and_right(file: Write) -> None:
    rng = np.random.default_rng(8)
    matrix = np.where(rng.random((300, 500)) < 0.02, rng.random((300, 500)), 0)
    text = io.StringIO()
    text.write("@relation 'p: -C 1'\n@attribute cat {0,1}\n")
    text.write("".join(f"@attribute a{n} numeric\n" for n in range(500)) + "@data\n")
    for row, values in enumerate(matrix):
        cells = [f"{n + 1} {values[n]!r}" for n in np.flatnonzero(values)]
        text.write("{" + ", ".join([f"0 {row % 2}", *cells]) + "}\n")
    content = text.getvalue().replace("np.float64(", "").replace(")", "")
    collection = cf.read_collection(file(content, "p.arff"))
    assert np.array_equal(collection.features.to_numpy(), matrix)
    assert collection.truth.labels[:, 0].tolist() == [row % 2 == 1 for row in range(300)]


def test_an_xml_belongs_to_files_whose_names_go_on_behind_a_mark(tmp_path: Path) -> None:
    data = "@relation 'mine: -C 1'\n@attribute sea {0,1}\n@attribute sky {0,1}\n@data\n1,0\n"
    (tmp_path / "scene.xml").write_text('<labels><label name="sky"/></labels>')
    for name, concept in (("scenery", "sea"), ("scene-train", "sky"), ("scene", "sky")):
        (tmp_path / f"{name}.arff").write_text(data)
        assert cf.read_truth(tmp_path / f"{name}.arff").concepts == (concept,)
