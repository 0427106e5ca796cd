"""Maps on disk: what is written is read, bit for bit, and whatever is wrong is told."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import cranfield as cf
from cranfield.formats import check_map

Write = Callable[..., Path]
NAMES = ("cat", "dog, small", 'the "cow"', " bat ")
READERS = {
    cf.CostMap: cf.formats.read_costs,
    cf.RelatednessMap: cf.formats.read_relatedness,
    cf.AgreementMap: cf.formats.read_agreement,
}
ENDINGS = [".csv", ".tsv", ".npz", ".csv.gz", ".npz.gz"]
SQUARE = "concept,cat,dog\ncat,0,0.25\ndog,0.5,0\n"


def map_of(kind: type, numbers: np.random.Generator) -> cf.CostMap:
    shape = (4,) if kind is cf.AgreementMap else (4, 4)
    return kind(
        numbers.random(shape) / 3,
        NAMES,
        name="m",
        provenance=cf.knowledge.Provenance(
            '5" photos: a, b # c', "2011-03-01", {"photos": 18_000, "x y": 0}
        ),
    )


# --- there and back ---


@pytest.mark.parametrize("kind", READERS)
@pytest.mark.parametrize("ending", ENDINGS)
def test_values_order_provenance_and_hash_come_back(
    kind: type, ending: str, tmp_path: Path, numbers: np.random.Generator, parser: str
) -> None:
    given = map_of(kind, numbers)
    path = tmp_path / f"m{ending}"
    cf.formats.write_map(given, path)
    read = READERS[kind](path)  # type: ignore[operator]
    assert type(read) is kind
    assert read.values.tobytes() == given.values.tobytes()
    assert read.concepts == NAMES
    assert read.provenance == given.provenance
    assert read.digest == given.digest
    assert read.name == ("" if kind is cf.AgreementMap else "m")


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    values=st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=4, max_size=4),
    names=st.lists(
        st.text(
            st.characters(blacklist_categories=["Cs"], blacklist_characters="\r\0"), min_size=1
        ),
        min_size=2,
        max_size=2,
        unique=True,
    ),
    ending=st.sampled_from(ENDINGS),
)
def test_any_number_and_any_id_come_back(
    values: list[float], names: list[str], ending: str, tmp_path: Path
) -> None:
    given = cf.RelatednessMap(np.reshape(values, (2, 2)), names)
    cf.formats.write_map(given, tmp_path / f"m{ending}")
    read = cf.formats.read_relatedness(tmp_path / f"m{ending}")
    assert read.values.tobytes() == given.values.tobytes()
    assert read.concepts == tuple(names)


def test_equal_maps_give_equal_files(tmp_path: Path, numbers: np.random.Generator) -> None:
    given = map_of(cf.CostMap, numbers)
    for ending in ENDINGS:
        for name in ("a", "b"):
            cf.formats.write_map(given, tmp_path / f"{name}{ending}")
        assert (tmp_path / f"a{ending}").read_bytes() == (tmp_path / f"b{ending}").read_bytes()


def test_a_snapshot_begins_with_where_it_comes_from(tmp_path: Path) -> None:
    given = cf.CostMap(
        [[0, 0.25], [0.25, 0]],
        ["cat", "dog"],
        provenance=cf.knowledge.Provenance("tags", "2011-03-01", {"photos": 7, "users": 2}),
    )
    cf.formats.write_map(given, tmp_path / "c.csv")
    assert (tmp_path / "c.csv").read_text().splitlines() == [
        "# map: cost map",
        "# source: tags",
        "# date: 2011-03-01",
        "# counts: photos=7, users=2",
        f"# hash: {given.digest}",
        "concept,cat,dog",
        "cat,0.0,0.25",
        "dog,0.25,0.0",
    ]


def test_costs_of_an_ontology_score_the_same_from_disk(tmp_path: Path) -> None:
    onto = cf.Ontology.load("pto2009")
    cf.formats.write_map(onto.cost_map(), tmp_path / "DDMC.csv")
    random = np.random.default_rng(3)
    truth = cf.Truth(random.random((20, 53)) < 0.2, concepts=onto.concepts)
    run = cf.Run(labels=random.random((20, 53)) < 0.2, concepts=onto.concepts)
    read = cf.formats.read_costs(tmp_path / "DDMC.csv")
    (one,) = cf.evaluate(truth, run, "HS", costs=read)
    (other,) = cf.evaluate(truth, run, "HS", ontology=onto)
    assert one.by_unit.tolist() == other.by_unit.tolist()


def test_maps_without_ids_need_npz(tmp_path: Path) -> None:
    cf.formats.write_map(cf.AgreementMap([0.5, 1.0]), tmp_path / "a.npz")
    assert cf.formats.read_agreement(tmp_path / "a.npz").axis.ids is None
    with pytest.raises(cf.FileError, match=r"a\.csv: the agreement map has no ids of concepts"):
        cf.formats.write_map(cf.AgreementMap([0.5, 1.0]), tmp_path / "a.csv")
    assert not (tmp_path / "a.csv").exists()


def test_the_ending_must_say_how_to_write(tmp_path: Path) -> None:
    with pytest.raises(cf.FileError, match=r"'\.xls' is no map's; use \.csv, \.tsv, \.npz"):
        cf.formats.write_map(cf.AgreementMap({"cat": 1.0}), tmp_path / "a.xls")


# --- what people write ---


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (SQUARE, "c.csv"),
        ("concept,dog,cat\ndog,0,.5\ncat,.25,0.0\n", "c.csv"),
        (",cat,dog\ncat,0,0.25\ndog,0.5,0\n", "c.csv"),
        ("\ufeffConcept\tcat\tdog\r\ncat\t0\t.25\r\n\r\ndog\t5e-1\t0\r\n", "c"),
        ('#\n# made by hand, "unsure\n\n#Date:2011-03-01\n' + SQUARE, "c.txt"),
        ("concept\tcat\tdog\ncat\t0\t0.25\ndog\t0.5\t0\n", "c.tsv"),
    ],
)
def test_spelling_does_not_matter(text: str, name: str, file: Write, parser: str) -> None:
    found = cf.formats.read_costs(file(text, name))
    assert found["cat", "dog"] == 0.25
    assert found["dog", "cat"] == 0.5


def test_rows_and_columns_may_stand_in_any_order(file: Write) -> None:
    found = cf.formats.read_costs(file("concept,b,a,c\nc,.1,.2,0\na,.3,0,.4\nb,0,.5,.6\n", "c.csv"))
    assert found.concepts == ("b", "a", "c")
    assert found.values.tolist() == [[0, 0.5, 0.6], [0.3, 0, 0.4], [0.1, 0.2, 0]]


def test_only_what_is_said_is_known_of_provenance(file: Write) -> None:
    found = cf.formats.read_agreement(file("# counts: items=99\nconcept,value\ncat,0.9\n", "a.csv"))
    assert found.provenance == cf.knowledge.Provenance(counts={"items": 99})


def test_numbers_may_name_concepts(file: Write) -> None:
    assert cf.formats.read_costs(file("concept,1,2\n1,0,.5\n2,.5,0\n", "c.csv"))["1", "2"] == 0.5


# --- what is wrong ---


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", ": the file is empty"),
        ("# source: x\n", ": there are no lines with values"),
        ("concept,cat,dog\n", ": there are no lines with values; add one line for each concept"),
        ("concept\ncat\n", ":1: the header 'concept' names no concepts; write concept,<concept>,…"),
        ("0,0.25\n0.5,0\n", ":1: the first line looks like data; put a header before it: concept,"),
        ("# x\n" + SQUARE[:-4], ":4: concept 'dog' has 1 value; expected 2 as the header names"),
        (SQUARE.replace("0.25", "0.25,1"), ":2: concept 'cat' has 3 values; expected 2"),
        (SQUARE.replace("0.25", ""), ":2: concept 'cat' and 'dog': no value; every value must lie"),
        (
            SQUARE.replace("0.25", "nan"),
            ":2: concept 'cat' and 'dog': 'nan' is not a number; write a finite number or leave "
            "the concept out",
        ),
        (SQUARE.replace("0.25", "1.25"), ":2: concept 'cat' and 'dog': 1.25; every value must lie"),
        (SQUARE.replace("0.25", "-1"), ":2: concept 'cat' and 'dog': -1; every value must lie in"),
        (SQUARE.replace("0.25", "0,25"), ":2: concept 'cat' has 3 values"),
        (SQUARE.replace("\ndog", "\ncat"), ":3: concept 'cat' stands on line 2 already; keep one"),
        (SQUARE.replace(",dog", ",cat"), ":1: 1 concept more than once in the header: 'cat'"),
        (SQUARE.replace(",dog", ","), ":1: column 3 of the header has no name"),
        (SQUARE.replace("\ndog", "\ncow"), ":1: 1 column without a line: 'dog'; the map must be"),
        (SQUARE + "cow,0,0\n", ":4: 1 concept without a column: 'cow'; add it to the header"),
        (
            SQUARE.replace(",", ";"),
            ":1: the header 'concept;cat;dog' names no concepts; if semicol",
        ),
        ("# date: yesterday\n" + SQUARE, ":1: date 'yesterday' is no day; write it as YYYY-MM-DD"),
        ("# counts: many\n" + SQUARE, ":1: counts: 'many'; write them as items=99, annotators=11"),
        ("# counts: =3\n" + SQUARE, ":1: counts: =3; give whole numbers by names"),
        ("# date: 2011-03-01\n# DATE: 2011-03-01\n" + SQUARE, ":2: date stands on line 1 already"),
        ("# map: costs\n" + SQUARE, ":1: map: 'costs' is no kind of map; write cost map"),
        (
            "# map: relatedness map\n" + SQUARE,
            ":1: cost map needed, relatedness map found; make costs of it: cf.formats.read_related",
        ),
        (
            "# map: agreement map\n" + SQUARE,
            ":1: cost map needed, agreement map found; give the right file",
        ),
        (
            f"# source: x\n# hash: {'0' * 32}\n" + SQUARE,
            ":2: the map has changed since it was written: its hash is ",
        ),
    ],
)
def test_what_is_wrong_is_told_with_its_line(
    text: str, message: str, file: Write, parser: str
) -> None:
    path = file(text, "c.csv")
    with pytest.raises(cf.FileError) as caught:
        cf.formats.read_costs(path)
    assert f"{path}{message}" in str(caught.value)
    assert str(caught.value) in [str(error) for error in check_map(cf.CostMap, path)]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (SQUARE.encode("utf-16"), "the text is UTF-16; save the file as UTF-8"),
        ("# source: Gemälde\n".encode("latin-1") + SQUARE.encode(), "1: 'source: Gem\\xe4lde' is"),
        (SQUARE.replace("cat", "Kühe").encode("latin-1"), ":1: header: 'K\\xfche' is not UTF-8"),
        (gzip.compress(SQUARE.encode(), mtime=0)[:-9], "the gzip archive ends too early"),
        (b"PK\3\4 and then nothing", "the NPZ archive is broken"),
    ],
)
def test_bytes_that_are_no_text_are_told(content: bytes, message: str, file: Write) -> None:
    with pytest.raises(cf.FileError) as caught:
        cf.formats.read_costs(file(content, "c.csv"))
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("item,value\ncat,1\n", ":1: the header is 'item,value'; write concept,value"),
        ("concept,cat,dog\n", ":1: the header is 'concept,cat,dog'; write concept,value"),
        ("concept,value\ncat,0.9\ncat,0.8\n", ":3: concept 'cat' stands on line 2 already"),
        ("concept,value\ncat,90\n", ":2: concept 'cat': 90; every value must lie in [0, 1]"),
        ("concept,value\ncat\n", ":2: concept 'cat' has 0 values; expected one"),
    ],
)
def test_agreement_is_a_list_of_concepts(text: str, message: str, file: Write) -> None:
    path = file(text, "a.csv")
    with pytest.raises(cf.FileError) as caught:
        cf.formats.read_agreement(path)
    assert f"{path}{message}" in str(caught.value)


def test_every_problem_is_gathered_when_a_map_is_checked(file: Write) -> None:
    lines = "cat,0,2,0\ndog,x,0,0\ncat,0,0,0\ncow,0,0,0\n"
    path = file(f"# date: never\nconcept,cat,dog,bat\n{lines}", "c.csv")
    assert [error.line for error in check_map(cf.CostMap, path)] == [1, 2, 3, 4, 5, 6]
    assert check_map(cf.RelatednessMap, file(SQUARE, "r.csv")).total == 0


@pytest.mark.parametrize("ending", [".csv", ".npz"])
def test_a_changed_value_does_not_go_unseen(
    ending: str, tmp_path: Path, numbers: np.random.Generator
) -> None:
    path = tmp_path / f"m{ending}"
    given = map_of(cf.CostMap, numbers)
    cf.formats.write_map(given, path)
    value = given.values[1, 2]
    if ending == ".csv":
        old, new = repr(float(value)).encode(), repr(float(np.nextafter(value, 1))).encode()
    else:
        old, new = value.tobytes(), np.nextafter(value, 1).tobytes()
        # The archive has a checksum of its own; whoever stores anew makes a good one.
        arrays = dict(np.load(path))
        arrays["values"] = arrays["values"].copy()
        arrays["values"][1, 2] = np.nextafter(value, 1)
        np.savez(path, **arrays)
    path.write_bytes(path.read_bytes().replace(old, new))
    with pytest.raises(cf.FileError, match="has changed since it was written"):
        cf.formats.read_costs(path)


def test_pickled_objects_are_never_read(tmp_path: Path) -> None:
    np.savez(tmp_path / "m.npz", values=np.array([object()]), concepts=np.array(["a"]))
    with pytest.raises(cf.FileError, match=r"m\.npz: values .*objects"):
        cf.formats.read_costs(tmp_path / "m.npz")


def test_an_archive_without_values_says_what_it_holds(tmp_path: Path) -> None:
    np.savez(tmp_path / "m.npz", concepts=np.array(["a"]))
    with pytest.raises(cf.FileError, match="there are no values, only 'concepts'"):
        cf.formats.read_costs(tmp_path / "m.npz")
    np.savez(tmp_path / "m.npz", weights=np.array([1.0]))
    with pytest.raises(cf.FileError, match="'weights'; name them values and concepts"):
        cf.formats.read_costs(tmp_path / "m.npz")


def test_folders_and_files_that_are_not_there_are_told(tmp_path: Path) -> None:
    with pytest.raises(cf.FileError, match="this is a folder; name the file of the cost map"):
        cf.formats.read_costs(tmp_path)
    with pytest.raises(cf.FileError, match="there is no such file"):
        cf.formats.read_costs(tmp_path / "none.csv")


def test_the_folder_of_a_collections_maps_is_made_if_it_is_not_there(tmp_path: Path) -> None:
    cf.formats.write_map(
        cf.CostMap([[0.0, 0.5], [0.5, 0.0]], ["a", "b"]), tmp_path / "costs" / "FTS.csv"
    )
    assert cf.formats.read_costs(tmp_path / "costs" / "FTS.csv").concepts == ("a", "b")
    with pytest.raises(cf.FileError, match="cannot be written"):
        cf.formats.write_map(cf.CostMap([[0.0]], ["a"]), tmp_path / "elsewhere" / "FTS.csv")
