"""What a file means: recognition, concepts, decisions, absent cells, collections, memory."""

from __future__ import annotations

import gzip
import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import cranfield as cf
from cranfield import formats
from cranfield.core.matrices import dense
from cranfield.formats import source

Write = Callable[..., Path]


def test_text_with_twice_the_values_holds_decisions(
    file: Write, truth: cf.Truth, parser: str
) -> None:
    run = cf.read_run(file("a 0.5 0.25 0 1\nb 0.125 1 1 0\n"), truth)
    assert run.scores.tolist() == [[0.5, 0.25], [0.125, 1]]
    assert run.labels.tolist() == [[False, True], [True, False]]
    assert run.concepts == ("cat", "dog")


def test_without_a_truth_every_value_is_a_confidence(file: Write) -> None:
    assert formats.check(file("a 0.5 0.25 0.3 7\nb 0.125 1 1 0\n")).run.shape == (2, 4)


def test_blanks_tabs_and_blank_lines_do_not_matter(
    file: Write, truth: cf.Truth, parser: str
) -> None:
    run = cf.read_run(file("\n  a\t \t.5   2. \n\n \t\nb 1e0\t-0\n\n"), truth)
    assert run.items == ("a", "b")
    assert run.scores.tolist() == [[0.5, 2], [1, 0]]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("block", [1, 2, 3, 7, 1 << 20])
def test_line_ends_marks_and_blocks_do_not_matter(
    end: str,
    mark: bytes,
    block: int,
    file: Write,
    truth: cf.Truth,
    parser: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(source, "_BLOCK", block)
    for lines in (
        ["a 0.5 0.25", "b 1 2"],
        ["", "a 0.5 0.25", "", "b 1 2"],
        ["item,cat,dog", '"a",0.5,0.25', "b,1,2"],
        ["item\tconcept\tvalue", "a\tcat\t.5", "a\tdog\t.25", "b\tcat\t1", "b\tdog\t2"],
    ):
        for last in ("", end):
            run = cf.read_run(file(mark + (end.join(lines) + last).encode()), truth)
            assert run.items == ("a", "b")
            assert run.scores.tolist() == [[0.5, 0.25], [1, 2]]


@pytest.mark.parametrize("block", [5, 1 << 20])
def test_a_quoted_field_may_hold_anything(
    block: int, file: Write, parser: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(source, "_BLOCK", block)
    truth = cf.read_truth(file('item,"big, ""cat""","two\nlines"\n"a,b",1,0\nc,"0","1"\nd,1,1\n'))
    assert truth.concepts == ('big, "cat"', "two\nlines")
    assert truth.items == ("a,b", "c", "d")
    assert truth.labels.tolist() == [[True, False], [False, True], [True, True]]


def test_lines_are_counted_through_quoted_line_ends(file: Write, parser: str) -> None:
    with pytest.raises(cf.FileError) as caught:
        cf.read_truth(file('item,cat\n"a\nb",1\n\nc,x\n', "t.csv"))
    assert caught.value.line == 5


def test_an_empty_cell_of_a_truth_was_not_judged(file: Write, parser: str) -> None:
    truth = cf.read_truth(file("item,cat,dog\na,1,\nb, ,0\n"))
    assert truth.states.tolist() == [[1, -1], [-1, 0]]


def test_an_empty_cell_of_a_run_was_not_retrieved(
    file: Write, truth: cf.Truth, parser: str
) -> None:
    run = cf.read_run(file("item,cat,dog\na,0.5,\nb,,0.25\n"), truth)
    assert run.sparse
    assert (run.scores.codes.tolist(), run.scores.values.tolist()) == ([0, 3], [0.5, 0.25])


def test_values_above_one_in_a_table_are_grades(file: Write, parser: str) -> None:
    truth = cf.read_truth(file("item,cat,dog\na,3,0\nb,1,300\n"))
    assert truth.grades.tolist() == [[3, 0], [1, 300]]


def test_a_list_of_positives_leaves_the_rest_negative(file: Write, parser: str) -> None:
    truth = cf.read_truth(file("item,concept,value\na,cat,1\nb,dog,1\n"))
    assert truth.states.tolist() == [[1, 0], [0, 1]]


def test_a_list_with_a_zero_leaves_the_rest_unjudged(file: Write, parser: str) -> None:
    truth = cf.read_truth(file("item,concept,value\na,cat,1\nb,dog,0\n"))
    assert truth.states.tolist() == [[1, -1], [-1, 0]]


def test_a_thin_list_gives_a_sparse_truth_that_says_the_same(file: Write, parser: str) -> None:
    lines = "".join(f"i{n},c{n},{n % 3}\n" for n in range(40))
    truth = cf.read_truth(file("item,concept,value\n" + lines))
    assert truth.states.sum() == -40 * 39 + sum(min(n % 3, 1) for n in range(40))
    assert truth.grades.dense().max() == 2


def test_columns_follow_the_concepts_that_are_asked_for(file: Write) -> None:
    path = file("item,cat,dog\na,1,0\n")
    assert cf.read_truth(path, concepts=["dog", "cat"]).labels.tolist() == [[False, True]]
    with pytest.raises(cf.FileError, match="'cow'"):
        cf.read_truth(path, concepts=["dog", "cat", "cow"])


@pytest.mark.parametrize(
    ("content", "name", "format"),
    [
        ("a 1 0\n", "x", "text"),
        ("a\t1\t0\n", "x", "text"),
        ("a,b 1 0\n", "x", "text"),
        ("item,cat\na,1\n", "x", "csv"),
        ("item,cat\na,1\n", "x.txt", "csv"),
        ("id\t0\t1\na\t1\t0\n", "x", "tsv"),
        ("name\tcat\na\t1\n", "x.txt", "tsv"),
        ("Item,Concept,Value\na,cat,1\n", "x.csv", "long"),
        ("item\tconcept\tvalue\na\tcat\t1\n", "x", "long"),
    ],
)
def test_a_format_is_recognised_by_what_a_file_holds(
    content: str, name: str, format: str, file: Write
) -> None:
    assert formats.check(file(content, name)).format == format
    assert formats.check(file(gzip.compress(content.encode()), name)).format == format


def test_a_format_that_is_insisted_on_is_used(file: Write) -> None:
    with pytest.raises(cf.FileError, match="'cat' is not a number"):
        cf.read_truth(file("item cat\na 1\n"), format="text")
    assert cf.read_truth(file("item,1\na,1\n"), format="csv").concepts == ("1",)


def test_a_run_is_named_after_its_file(file: Write, truth: cf.Truth) -> None:
    content = gzip.compress(b"a 1 1\nb 1 1\n")
    assert cf.read_run(file(content, "my.run.txt.gz"), truth).name == "my.run"
    assert cf.read_run(file(content, "other"), truth, name="mine").name == "mine"


def test_a_threshold_given_in_reading_makes_the_decisions(file: Write, truth: cf.Truth) -> None:
    path = file("a 0.5 3\nb 4 0.25\n")
    assert cf.read_run(path, truth, threshold=2).threshold == 2
    with pytest.raises(cf.FileError, match="labels and a threshold"):
        cf.read_run(file("a 1 1 0 1\nb 1 1 0 1\n"), truth, threshold=0.5)


def test_a_folder_is_a_collection(file: Write, tmp_path: Path) -> None:
    file("a 1 0\nb 0 1\n", "pets/truth.txt")
    file("cat\r\ndog\n\n", "pets/concepts.txt")
    file("a 1 0\nb 0 1\n", "pets/runs/z.txt")
    file("item,cat,dog\na,1,0\nb,0,1\n", "pets/runs/m.csv")
    file("", "pets/runs/.hidden")
    collection = cf.read_collection(tmp_path / "pets")
    assert (collection.name, collection.concepts) == ("pets", ("cat", "dog"))
    assert [path.name for path in collection.runs] == ["m.csv", "z.txt"]
    runs = [cf.read_run(path, collection) for path in collection.runs]
    result = cf.evaluate(collection, runs, ["concept.AP"])
    assert result["m", "concept.AP"] == result["z", "concept.AP"] == 1


def test_a_truth_file_is_a_collection(file: Write) -> None:
    collection = cf.read_collection(file("a 1 0\n", "pets.txt"), concepts=["cat", "dog"])
    assert (collection.name, collection.concepts, collection.runs) == ("pets", ("cat", "dog"), ())


def test_a_folder_needs_exactly_one_truth(file: Write, tmp_path: Path) -> None:
    with pytest.raises(cf.FileError, match=r"no truth\.\*"):
        cf.read_collection(tmp_path)
    file("a 1\n", "truth.txt")
    file("a 1\n", "truth.old")
    with pytest.raises(cf.FileError, match="2 truths"):
        cf.read_collection(tmp_path)


def test_weights_are_read_by_id(file: Write, parser: str) -> None:
    assert formats.read_weights(file("concept,value\ncat,0.5\ndog,2\n")) == {"cat": 0.5, "dog": 2}
    assert formats.read_weights(file("item\tweight\na\t1\n")) == {"a": 1}


def test_thousands_of_columns_are_read(file: Write, parser: str) -> None:
    values = np.random.default_rng(0).random((3, 20_000))
    content = "".join(f"i{n} {' '.join(map(repr, row.tolist()))}\n" for n, row in enumerate(values))
    run = cf.read_run(file(content), cf.Truth(np.zeros((3, 20_000))))
    assert np.array_equal(run.scores, values)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"0" * (200 << 20), "longer than 64 MiB"),
        (b"\n" * (100 << 20), "no lines with values"),
        (b"a 1\n" * (2 << 20), "stands on line 1 already"),
        (b"item,concept,value\n" + b"a,b,1\n" * (1 << 20), "stands on line 2 already"),
        (b'"' + (b"a" * 31 + b"\n") * (1 << 20), None),
        (b"PK\3\4" + b"\0" * (100 << 20), "unpacks to more than 64 MiB"),
        (b"\0" * (20 << 20), "NUL byte"),
    ],
)
def test_a_small_archive_that_unpacks_to_much_does_not_fill_the_memory(
    content: bytes, says: str | None, file: Write
) -> None:
    path = file(gzip.compress(content, 1))
    del content
    tracemalloc.start()
    try:
        with pytest.raises(cf.FileError, match=says):
            cf.read_truth(path)
        assert tracemalloc.get_traced_memory()[1] < 300 << 20
    finally:
        tracemalloc.stop()


def test_reading_takes_little_memory_beyond_the_result(file: Write, parser: str) -> None:
    rows = 40_000 if parser == "native" else 4_000
    path = file("".join(f"i{n} {' '.join(['0.123456'] * 100)}\n" for n in range(rows)))
    truth = cf.Truth(np.zeros((rows, 100)))
    tracemalloc.start()
    try:
        run = cf.read_run(path, truth)
        beyond = tracemalloc.get_traced_memory()[1] - run.scores.nbytes
    finally:
        tracemalloc.stop()
    assert beyond < 60 << 20


def test_importing_the_formats_loads_nothing_heavy() -> None:
    heavy = {"polars", "scipy", "pandas"}
    script = f"import cranfield.formats, sys; print(sorted({heavy} & set(sys.modules)))"
    seen = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert seen.stdout.strip() == "[]"


@pytest.mark.parametrize("kind", ["csr", "csc", "coo"])
def test_a_matrix_that_scipy_stored_is_read(kind: str, tmp_path: Path) -> None:
    sparse = pytest.importorskip("scipy.sparse")
    labels = np.array([[1, 0, 1], [0, 0, 1]])
    sparse.save_npz(tmp_path / "truth.npz", sparse.csr_array(labels).asformat(kind))
    truth = cf.read_truth(tmp_path / "truth.npz")
    assert np.array_equal(truth.labels, labels == 1)
    scores = np.array([[0.5, 0, 0.25], [0, 0, 0.75]])
    sparse.save_npz(tmp_path / "run.npz", sparse.csr_matrix(scores).asformat(kind))
    run = cf.read_run(tmp_path / "run.npz", truth)
    assert run.sparse
    assert np.array_equal(dense(run.scores), scores)
    sparse.save_npz(tmp_path / "run.npz", sparse.csr_matrix(scores > 0).asformat(kind))
    assert cf.read_run(tmp_path / "run.npz", truth).shape == (2, 3)


@pytest.mark.parametrize("form", ["long", "parquet-long", "voc", "openimages"])
def test_columns_without_names_need_concepts_in_order(form: str, tmp_path: Path) -> None:
    truth = cf.Truth([[0, 1], [1, 0], [1, 1]], items=list("abc"), concepts=["zebra", "ant"])
    cf.write_truth(truth, tmp_path / "truth", form)
    (tmp_path / "run.txt").write_text("a .1 .9\nb .8 .3\nc .7 .6\n")
    np.save(tmp_path / "run.npy", np.zeros((3, 2)))
    for run in ("run.txt", "run.npy"):
        with pytest.raises(cf.FileError, match="does not name its concepts"):
            cf.read_run(tmp_path / run, cf.read_truth(tmp_path / "truth", format=form))
    known = cf.read_truth(tmp_path / "truth", format=form, concepts=["zebra", "ant"])
    result = cf.evaluate(known, cf.read_run(tmp_path / "run.txt", known), "concept.AP")
    assert result["run", "concept.AP"] == 1
