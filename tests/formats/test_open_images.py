"""Open Images CSV: labels that people verified, those of machines, and what labels are called."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import cranfield as cf
from cranfield import formats
from cranfield.core.matrices import Cells
from cranfield.formats.kinds.open_images import read_descriptions

Write = Callable[..., Path]

HEADER = "ImageID,Source,LabelName,Confidence\n"
LABELS = HEADER + (
    "000026e7ee790996,verification,/m/04hgtk,0\n"
    "000026e7ee790996,crowdsource-verification,/m/07j7r,1\n"
    "000062a39995e348,verification,/m/07j7r,0\n"
    "000062a39995e348,verification,/m/015p6,1\n"
    "000026e7ee790996,verification,/m/07j7r,1\n"
)
SCORES = HEADER + (
    "000026e7ee790996,machine,/m/04hgtk,0.7\n"
    "000026e7ee790996,machine,/m/07j7r,0.9\n"
    "000062a39995e348,machine,/m/07j7r,0.1\n"
    "000062a39995e348,machine,/m/015p6,0.6\n"
)


def test_one_is_there_zero_is_not_and_nothing_is_known_of_the_rest(
    file: Write, parser: str
) -> None:
    truth = cf.read_truth(file(LABELS, "labels.csv"))
    assert truth.items == ("000026e7ee790996", "000062a39995e348")
    assert truth.concepts == ("/m/04hgtk", "/m/07j7r", "/m/015p6")
    assert truth.states.tolist() == [[0, 1, -1], [-1, 0, 1]]
    assert truth.unjudged == "exclude"


def test_a_truth_of_positives_only_says_nothing_of_the_rest(file: Write) -> None:
    truth = cf.read_truth(file(HEADER + "a,verification,/m/1,1\nb,verification,/m/2,1\n"))
    assert truth.states.tolist() == [[1, -1], [-1, 1]]


def test_a_run_lists_what_it_retrieved(file: Write, parser: str) -> None:
    truth = cf.read_truth(file(LABELS, "labels.csv"))
    run = cf.read_run(file(SCORES, "machine.csv"), truth)
    assert run.sparse
    assert run.scores.values.tolist() == [0.7, 0.9, 0.1, 0.6]


@pytest.mark.parametrize(
    "header",
    [
        "ImageID,LabelName,Confidence",
        "imageid,labelname,CONFIDENCE",
        '"ImageID", LabelName,Confidence',
    ],
)
def test_the_source_may_be_left_out_and_case_does_not_matter(header: str, file: Write) -> None:
    found = formats.check(file(f"{header}\na,/m/1,1\na,/m/2,0\n", "x.csv"), kind="truth")
    assert found.format == "openimages"
    assert found.truth.labels.tolist() == [[True, False]]


def test_only_verified_cells_count_in_an_evaluation(file: Write) -> None:
    truth = cf.read_truth(file(LABELS, "labels.csv"))
    sure = "000026e7ee790996,machine,/m/015p6,0.99\n"  # nobody verified it
    run = cf.read_run(file(SCORES + sure, "machine.csv"), truth)
    scores = cf.evaluate(truth, run, ["micro.P", "micro.P(unjudged=negative)"])
    assert scores["machine", "micro.P"] == 2 / 3
    assert scores["machine", "micro.P(unjudged=negative)"] == 2 / 4


# -- What labels are called ----------------------------------------------------------------------


def test_descriptions_beside_the_file_name_its_labels(file: Write) -> None:
    file("/m/04hgtk,Head\n/m/07j7r,Tree\n/m/0,Nothing here\n", "class-descriptions.csv")
    collection = cf.read_collection(file(LABELS, "labels.csv"))
    assert collection.concepts == ("/m/04hgtk", "/m/07j7r", "/m/015p6")
    assert collection.descriptions == {"/m/04hgtk": "Head", "/m/07j7r": "Tree"}


def test_the_first_description_file_by_name_counts(file: Write) -> None:
    file("/m/07j7r,Tree\n", "class-descriptions-boxable.csv")
    file("LabelName,DisplayName\n/m/07j7r,Trees\n/m/015p6,Bird\n", "oidv6-class-descriptions.csv")
    collection = cf.read_collection(file(LABELS, "labels.csv"))
    assert collection.descriptions == {"/m/07j7r": "Tree", "/m/015p6": "Bird"}


def test_a_file_with_descriptions_of_its_own_needs_no_others(file: Write) -> None:
    file("/m/07j7r,Tree\n", "class-descriptions.csv")
    file("/m/07j7r,Baum\n", "labels-class-descriptions.csv")
    collection = cf.read_collection(file(LABELS, "labels.csv"))
    assert collection.descriptions == {"/m/07j7r": "Baum"}


def test_descriptions_may_be_quoted(file: Write) -> None:
    path = file(
        'labelname,displayname\n/m/1,"Tree, old"\n\n/m/2,Fichte (Bäume)\n/m/1,"Tree, old"\n'
    )
    assert read_descriptions(path) == {"/m/1": "Tree, old", "/m/2": "Fichte (Bäume)"}


@pytest.mark.parametrize(
    ("content", "line", "says"),
    [
        ("/m/1,Tree\n/m/2\n", 2, "expected LabelName,DisplayName"),
        ("/m/1,Tree, old\n", 1, "quoted where it has a comma"),
        ("/m/1,Tree\n/m/2,Bird\n/m/1,Baum\n", 3, "'/m/1' is called 'Tree' on line 1"),
        ("/m/1,\xff\n".encode("latin-1"), 1, "not UTF-8"),
        ("", None, "is empty"),
    ],
)
def test_broken_descriptions_are_refused(
    content: str | bytes, line: int | None, says: str, file: Write, parser: str
) -> None:
    path = file(content, "class-descriptions.csv")
    labels = file(LABELS, "labels.csv")
    with pytest.raises(cf.FileError, match="class-descriptions") as caught:
        cf.read_collection(labels)
    assert caught.value.path == str(path)
    assert caught.value.line == line
    assert says in str(caught.value)
    assert list(map(str, formats.check(labels, kind="truth"))) == [str(caught.value)]


# -- What is refused -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lines", "line", "says"),
    [
        ("a,machine,/m/1,0.7\n", 2, "item 'a', concept '/m/1': 0.7; a truth has confidence 1"),
        ("a,verification,/m/1,1\na,verification,/m/2,2\n", 3, "/m/2': 2; a truth"),
        ("a,verification,/m/1,\n", 2, "no value; a truth has"),
        ("a,x,/m/1,1\nb,x,/m/1,0\na,y,/m/1,0\n", 4, "stands on line 2 already with another value"),
        ("a,verification,/m/1\n", 2, "expected one after ImageID,Source,LabelName"),
        ("a,verification,/m/1,1,1\n", 2, "has 2 values"),
        (",verification,/m/1,1\n", 2, "the id is missing"),
        ("a,verification,/m/1,yes\n", 2, "'yes' is not a number"),
        ("", None, "no lines with values"),
    ],
)
def test_a_broken_truth_is_refused_with_its_line(
    lines: str, line: int | None, says: str, file: Write, parser: str
) -> None:
    path = file(HEADER + lines, "labels.csv")
    with pytest.raises(cf.FileError) as caught:
        cf.read_truth(path)
    assert (caught.value.line, says in str(caught.value)) == (line, True), str(caught.value)
    assert str(caught.value) in map(str, formats.check(path, kind="truth"))


@pytest.mark.parametrize(
    ("lines", "line", "says"),
    [
        ("000026e7ee790996,machine,/m/07j7r,\n", 2, "the confidence is missing"),
        ("x,machine,/m/07j7r,0.5\n", 2, "1 item not in the truth: 'x'"),
        ("000026e7ee790996,machine,/m/9,0.5\n", None, "1 unknown concept: '/m/9'"),
        ("000026e7ee790996,m,/m/07j7r,0.5\n000026e7ee790996,n,/m/07j7r,0.4\n", 3, "on line 2"),
    ],
)
def test_a_broken_run_is_refused_with_its_line(
    lines: str, line: int | None, says: str, file: Write, parser: str
) -> None:
    truth = cf.read_truth(file(LABELS, "labels.csv"))
    path = file(HEADER + lines, "run.csv")
    with pytest.raises(cf.FileError) as caught:
        cf.read_run(path, truth)
    assert (caught.value.line, says in str(caught.value)) == (line, True), str(caught.value)
    assert str(caught.value) in map(str, formats.check(path, against=truth))


@pytest.mark.parametrize(
    ("header", "says"),
    [
        ("ImageID,Source,LabelName,Confidence,XMin,XMax,YMin,YMax", "this file lists boxes"),
        ("ImageID,LabelName,Confidence,Note", "write ImageID,Source,LabelName,Confidence"),
    ],
)
def test_other_columns_are_refused(header: str, says: str, file: Write) -> None:
    with pytest.raises(cf.FileError, match=says) as caught:
        cf.read_truth(file(f"{header}\na,b,c,1\n", "boxes.csv"))
    assert caught.value.line == 1


def test_a_label_that_is_not_asked_for_is_refused(file: Write) -> None:
    path = file(LABELS, "labels.csv")
    known = ["/m/04hgtk", "/m/07j7r", "/m/015p6", "/m/extra"]
    assert cf.read_truth(path, concepts=known).concepts == tuple(known)
    with pytest.raises(cf.FileError, match="unknown concept"):
        cf.read_truth(path, concepts=known[1:])


# -- Writing -------------------------------------------------------------------------------------

ids = st.lists(
    st.text(st.characters(exclude_characters="\r\0", exclude_categories=["Cs"]), min_size=1),
    min_size=2,
    max_size=2,
    unique=True,
)
states = st.lists(st.sampled_from([1, 0, -1]), min_size=4, max_size=4)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    items=ids,
    concepts=ids,
    cells=states,
    names=st.dictionaries(
        st.integers(0, 1),
        st.text(st.characters(exclude_characters="\r\0", exclude_categories=["Cs"]), min_size=1),
    ),
)
def test_a_truth_comes_back_or_is_refused(
    items: list[str],
    concepts: list[str],
    cells: list[int],
    names: dict[int, str],
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    path = tmp_path_factory.mktemp("open") / "t.csv"
    matrix = np.array(cells).reshape(2, 2)
    truth = cf.Truth(
        matrix == 1, judged=matrix >= 0, items=items, concepts=concepts, unjudged="exclude"
    )
    described = {concepts[place]: name for place, name in names.items()}
    whole = cf.Collection(truth, descriptions=described)
    listed = (matrix >= 0).any(axis=0).all() and (matrix >= 0).any(axis=1).all()
    if not listed:
        with pytest.raises(cf.InputError, match="loses"):
            formats.convert(whole, path, "openimages")
        return
    formats.convert(whole, path, "openimages")
    back = cf.read_collection(path)
    assert back.truth.digest == truth.digest
    assert back.truth.unjudged == "exclude" or truth.judged is None
    assert back.descriptions == described


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    scores=st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=4, max_size=4),
    absent=st.sets(st.sampled_from([1, 2])),
)
def test_a_run_comes_back_exactly(
    scores: list[float], absent: set[int], tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("open") / "r.csv.gz"
    codes = np.array([code for code in range(4) if code not in absent])
    matrix = Cells((2, 2), codes, np.array(scores)[codes]) if absent else np.reshape(scores, (2, 2))
    run = cf.Run(matrix, items=["a", "b"], concepts=["/m/1", "/m/2"], name="r")
    formats.convert(run, path, "openimages")
    truth = cf.Truth([[1, 0], [0, 1]], items=["a", "b"], concepts=["/m/1", "/m/2"])
    assert cf.read_run(path, truth).digest == run.digest
    assert gzip.decompress(path.read_bytes()).startswith(HEADER.encode())


def test_what_is_written_looks_like_open_images(tmp_path: Path) -> None:
    truth = cf.Truth([[1, 0]], items=["a"], concepts=["/m/1", "/m/2"])
    formats.convert(
        cf.Collection(truth, descriptions={"/m/1": "Tree"}), tmp_path / "t.csv", "openimages"
    )
    assert (tmp_path / "t.csv").read_text() == (
        HEADER + "a,verification,/m/1,1\na,verification,/m/2,0\n"
    )
    beside = (tmp_path / "t-class-descriptions.csv").read_text()
    assert beside == "LabelName,DisplayName\n/m/1,Tree\n"


def test_other_descriptions_are_never_replaced(tmp_path: Path) -> None:
    truth = cf.Truth([[1]], items=["a"], concepts=["/m/1"])
    named, renamed = (
        cf.Collection(truth, descriptions={"/m/1": name}) for name in ("Tree", "Baum")
    )
    for _ in range(2):
        formats.convert(named, tmp_path / "t.csv", "openimages")
    with pytest.raises(cf.FileError, match="has other descriptions"):
        formats.convert(renamed, tmp_path / "t.csv", "openimages")
    assert cf.read_collection(tmp_path / "t.csv").descriptions == {"/m/1": "Tree"}


def test_the_rule_that_unjudged_is_negative_does_not_fit(tmp_path: Path) -> None:
    truth = cf.Truth([[1, 0]], judged=[[1, 0]], items=["a"], concepts=["/m/1", "/m/2"])
    with pytest.raises(cf.FileError, match="would lose the rule that unjudged cells count as"):
        cf.write_truth(truth, tmp_path / "t.csv", "openimages")


def test_a_run_with_an_item_it_never_mentions_does_not_fit(tmp_path: Path) -> None:
    run = cf.Run(Cells((2, 1), np.array([0]), np.array([0.5])), items=["a", "b"])
    with pytest.raises(cf.InputError, match=r"loses 1 item without any: 'b'; choose one"):
        cf.write_run(run, tmp_path / "r.csv", "openimages")
    assert list(tmp_path.iterdir()) == []
