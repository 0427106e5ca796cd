"""Parquet, wide and long: round trips, files of other libraries, errors with row and cell."""

from __future__ import annotations

import gzip
import io
import os
import random
import subprocess
import sys
import threading
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import cranfield as cf
from cranfield import formats
from cranfield.core.matrices import Cells

Write = Callable[..., Path]
BOTH = ["parquet", "parquet-long"]

names = st.text(st.characters(exclude_categories=["Cs"]), min_size=1)
ids = st.lists(names, min_size=1, max_size=4, unique=True)
many = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)


def packed(columns: dict[str, Any], **options: Any) -> bytes:
    stream = io.BytesIO()
    polars.DataFrame(columns, strict=False).write_parquet(stream, **options)
    return stream.getvalue()


# -- Round trips -------------------------------------------------------------------------------


@many
@given(data=st.data(), format=st.sampled_from(BOTH), ending=st.sampled_from(["", ".gz"]))
def test_any_truth_comes_back(
    data: st.DataObject, format: str, ending: str, tmp_path: Path
) -> None:
    items, concepts = data.draw(ids), data.draw(ids)
    size = len(items) * len(concepts)
    cells = data.draw(st.lists(st.integers(-1, 300), min_size=size, max_size=size))
    grades = np.array(cells).reshape(len(items), len(concepts))
    judged = grades >= 0
    given = {"grades": np.maximum(grades, 0)} if grades.max() > 1 else {"labels": grades == 1}
    truth = cf.Truth(**given, judged=judged, items=items, concepts=concepts)
    path = tmp_path / f"t.parquet{ending}"
    listed = judged.any(axis=0).all() and judged.any(axis=1).all()
    if format == "parquet-long" and not (listed and (judged.all() or (grades == 0).any())):
        with pytest.raises(cf.InputError, match=r"without any|unjudged"):
            cf.write_truth(truth, path, format)
        return
    cf.write_truth(truth, path, format)
    back = cf.read_truth(path)
    assert back.digest == truth.digest
    assert (back.items, back.concepts) == (truth.items, truth.concepts)
    assert formats.check(path, kind="truth").format == format


@many
@given(
    data=st.data(),
    format=st.sampled_from(BOTH),
    kind=st.sampled_from([np.float32, np.float64, np.bool_]),
)
def test_any_run_comes_back(data: st.DataObject, format: str, kind: Any, tmp_path: Path) -> None:
    items, concepts = data.draw(ids), data.draw(ids)
    shape = (len(items), len(concepts))
    width = 32 if kind is np.float32 else 64
    finite = st.floats(allow_nan=False, allow_infinity=False, width=width)
    elements = st.booleans() if kind is np.bool_ else finite
    size = shape[0] * shape[1]
    values = np.array(data.draw(st.lists(elements, min_size=size, max_size=size)), dtype=kind)
    stored = np.flatnonzero(data.draw(st.lists(st.booleans(), min_size=size, max_size=size)))
    matrix: Any = values.reshape(shape)
    if len(stored) < size:
        matrix = Cells(shape, stored, values[stored])
    said = {"labels": matrix} if kind is np.bool_ else {"scores": matrix}
    run = cf.Run(**said, items=items, concepts=concepts, name="r")
    path = tmp_path / "r.parquet"
    listed = np.isin(np.arange(size), stored).reshape(shape)
    if format == "parquet-long" and not (listed.any(axis=0).all() and listed.any(axis=1).all()):
        with pytest.raises(cf.InputError, match="without any"):
            cf.write_run(run, path, format)
        return
    cf.write_run(run, path, format)
    back = cf.read_run(path)
    assert back.digest == run.digest
    assert back.sparse == run.sparse
    if back.scores is not None:
        values = back.scores.values if isinstance(back.scores, Cells) else back.scores
        assert values.dtype == kind or not values.size


def test_a_truth_without_ids_comes_back_without(tmp_path: Path) -> None:
    truth = cf.Truth([[1, 0], [0, 1]], concepts=["cat", "dog"])
    cf.write_truth(truth, tmp_path / "t.parquet")
    back = cf.read_truth(tmp_path / "t.parquet")
    assert back.item_axis.ids is None
    assert back.digest == truth.digest


def test_positives_alone_are_listed_where_they_say_as_much(tmp_path: Path) -> None:
    ids = {"items": ["a", "b"], "concepts": ["cat", "dog"]}
    for labels, rows in (([[1, 0], [0, 1]], 2), ([[1, 1], [0, 0]], 4)):
        truth = cf.Truth(labels, **ids)
        cf.write_truth(truth, tmp_path / "t.parquet", "parquet-long")
        assert len(polars.read_parquet(tmp_path / "t.parquet")) == rows
        assert cf.read_truth(tmp_path / "t.parquet").digest == truth.digest


def test_equal_content_gives_equal_files(tmp_path: Path, truth: cf.Truth) -> None:
    for name in ("one.pq", "two.pq"):
        cf.write_truth(truth, tmp_path / name)
    assert (tmp_path / "one.pq").read_bytes() == (tmp_path / "two.pq").read_bytes()


def test_what_parquet_cannot_hold_is_refused(tmp_path: Path, truth: cf.Truth) -> None:
    run = cf.Run([[0.5, 1.0]], threshold=0.5)
    with pytest.raises(cf.FileError, match="would lose the threshold"):
        cf.write_run(run, tmp_path / "r.parquet")
    excluded = cf.Truth([[1, 0]], judged=[[1, 0]], unjudged="exclude")
    with pytest.raises(cf.FileError, match="unjudged cells are left out"):
        cf.write_truth(excluded, tmp_path / "t.parquet")


@pytest.mark.skipif(os.name == "nt", reason="pipes differ there")
def test_a_pipe_is_written_into_but_not_read_from(tmp_path: Path, truth: cf.Truth) -> None:
    pipe = tmp_path / "t.parquet"
    os.mkfifo(pipe)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()), daemon=True)
    reader.start()
    cf.write_truth(truth, pipe)
    reader.join(timeout=10)
    assert read[0].startswith(b"PAR1")
    writer = threading.Thread(target=lambda: pipe.write_bytes(read[0]), daemon=True)
    writer.start()
    with pytest.raises(cf.FileError, match="cannot be read"):
        cf.read_truth(pipe)
    writer.join(timeout=10)


# -- Files of other libraries --------------------------------------------------------------------


@pytest.mark.parametrize("compression", ["none", "snappy", "gzip", "zstd", "lz4", "brotli"])
@pytest.mark.parametrize("version", ["1.0", "2.0"])
def test_files_of_pyarrow_are_read(compression: str, version: str, tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    pq = pytest.importorskip("pyarrow.parquet")
    labels = np.random.default_rng(3).random((1000, 3)) < 0.3
    items = [f"i{n}" for n in range(1000)]
    table = pa.table(
        {
            "photo": pa.array(items).dictionary_encode(),
            "cat": pa.array(labels[:, 0].astype(np.int8)),
            "dog": pa.array(labels[:, 1]),
            "cow": pa.array([None if n == 7 else int(v) for n, v in enumerate(labels[:, 2])]),
        }
    )
    path = tmp_path / "t.parquet"
    pq.write_table(
        table, path, row_group_size=64, compression=compression, data_page_version=version
    )
    truth = cf.read_truth(path)
    assert truth.items == tuple(items)
    judged = np.ones_like(labels)
    judged[7, 2] = False
    assert np.array_equal(truth.labels, labels & judged)
    assert (truth.states == -1).sum() == 1


@pytest.mark.parametrize("version", ["1.0", "2.0"])
def test_every_encoding_of_pyarrow_is_read(version: str, tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    pq = pytest.importorskip("pyarrow.parquet")
    scores = np.random.default_rng(4).random((500, 2))
    path = tmp_path / "r.parquet"
    pq.write_table(
        pa.table({"id": np.arange(500), "cat": scores[:, 0], "dog": scores[:, 1]}),
        path,
        use_dictionary=False,
        column_encoding={"id": "DELTA_BINARY_PACKED", "cat": "BYTE_STREAM_SPLIT", "dog": "PLAIN"},
        data_page_version=version,
        write_page_index=True,
        write_page_checksum=True,
    )
    run = cf.read_run(path)
    assert run.items == tuple(map(str, range(500)))
    assert np.array_equal(run.scores, scores)


def test_pyarrow_and_pandas_read_what_is_written(tmp_path: Path) -> None:
    pd = pytest.importorskip("pandas")
    pq = pytest.importorskip("pyarrow.parquet")
    truth = cf.Truth([[1, 0], [0, 0]], judged=[[1, 1], [0, 1]], items="ab", concepts=["cat", "dog"])
    cf.write_truth(truth, tmp_path / "t.parquet")
    frame = pd.read_parquet(tmp_path / "t.parquet").set_index("item")
    assert frame["dog"].tolist() == [False, False]
    assert frame["cat"].isna().tolist() == [False, True]
    assert cf.Truth(frame.astype("boolean")).digest == truth.digest
    cf.write_truth(truth, tmp_path / "t.parquet", "parquet-long")
    assert pq.read_table(tmp_path / "t.parquet").to_pydict() == {
        "item": ["a", "a", "b"],
        "concept": ["cat", "dog", "dog"],
        "value": [True, False, False],
    }


@pytest.mark.parametrize("name", [None, "item", "photo"])
def test_the_index_of_pandas_names_the_items(name: str | None, tmp_path: Path) -> None:
    pd = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    index = pd.Index(["a", "b"], name=name)
    frame = pd.DataFrame({"cat": [1, 0], "dog": [0.0, np.nan]}, index=index)
    frame.to_parquet(tmp_path / "t.parquet")
    truth = cf.read_truth(tmp_path / "t.parquet")
    assert (truth.items, truth.concepts) == (("a", "b"), ("cat", "dog"))
    assert truth.states.tolist() == [[1, 0], [0, -1]]


def test_an_index_beside_a_column_of_items_does_not_count(tmp_path: Path) -> None:
    pd = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    frame = pd.DataFrame({"item": ["a", "b", "c"], "cat": [1, 0, 1]})
    frame[frame.item != "b"].to_parquet(tmp_path / "t.parquet")
    truth = cf.read_truth(tmp_path / "t.parquet")
    assert (truth.items, truth.concepts) == (("a", "c"), ("cat",))
    long = pd.DataFrame({"item": ["a", "b"], "concept": ["x", "y"], "value": [1, 1]}, index=[3, 4])
    long.to_parquet(tmp_path / "t.parquet")
    assert formats.check(tmp_path / "t.parquet").format == "parquet-long"
    assert cf.read_truth(tmp_path / "t.parquet").items == ("a", "b")


def test_numbers_name_items_under_a_word_for_them(file: Write) -> None:
    content = packed({"image_id": [7, 8], "cat": [1, 0]})
    assert cf.read_truth(file(content, "t.pq")).items == ("7", "8")
    content = packed({"cat": [1, 0], "image_id": [7, 8]})
    assert cf.read_truth(file(content, "t.pq")).concepts == ("cat", "image_id")


def test_a_long_file_may_have_its_columns_in_any_order_and_case(file: Write) -> None:
    content = packed({"Value": [1.0, 0.5], "Item": ["a", "b"], "Concept": [3, 4]})
    run = cf.read_run(file(content, "r.parquet"))
    assert (run.items, run.concepts) == (("a", "b"), ("3", "4"))
    assert run.scores.values.tolist() == [1, 0.5]


def test_gzip_around_parquet_is_recognised(file: Write) -> None:
    for columns, name in (
        ({"item": ["a"], "cat": [1]}, "parquet"),
        ({"item": ["a"], "concept": ["cat"], "value": [1]}, "parquet-long"),
    ):
        path = file(gzip.compress(packed(columns)), "x")
        assert formats.check(path, kind="truth").format == name
        assert cf.read_truth(path).concepts == ("cat",)


def test_columns_follow_the_concepts_that_are_asked_for(file: Write) -> None:
    path = file(packed({"item": ["a"], "cat": [1], "dog": [0]}), "t.parquet")
    assert cf.read_truth(path, concepts=["dog", "cat"]).labels.tolist() == [[False, True]]
    with pytest.raises(cf.FileError, match="lacks 1 concept: 'cow'"):
        cf.read_truth(path, concepts=["dog", "cat", "cow"])
    with pytest.raises(cf.FileError, match="1 unknown concept: 'cat'"):
        cf.read_truth(path, concepts=["dog"])


def test_float32_stays_only_if_every_column_has_it(file: Write) -> None:
    single = polars.Series([0.5], dtype=polars.Float32)
    run = cf.read_run(file(packed({"item": ["a"], "cat": single, "dog": [None]}), "r.pq"))
    assert run.scores.values.dtype == np.float32
    run = cf.read_run(file(packed({"item": ["a"], "cat": single, "dog": [0.1]}), "r.pq"))
    assert run.scores.dtype == np.float64


def test_blocks_of_columns_and_row_groups_do_not_matter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from cranfield.formats.kinds.parquet import columns, wide

    scores = np.random.default_rng(5).random((50, 7))
    frame = polars.DataFrame(scores).insert_column(0, polars.Series("item", map(str, range(50))))
    frame.write_parquet(tmp_path / "r.parquet", row_group_size=8)
    melted = frame.unpivot(index="item", variable_name="concept", value_name="value")
    melted.write_parquet(tmp_path / "l.parquet", row_group_size=8)
    monkeypatch.setattr(wide, "_BLOCK", 110)
    monkeypatch.setattr(columns, "_BLOCK", 20)
    assert np.array_equal(cf.read_run(tmp_path / "r.parquet").scores, scores)
    assert np.array_equal(cf.read_run(tmp_path / "l.parquet").scores, scores)


def test_reading_takes_little_memory_beyond_the_result(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from cranfield.formats.kinds.parquet import wide

    monkeypatch.setattr(wide, "_BLOCK", 1 << 20)
    frame = polars.DataFrame(np.random.default_rng(6).random((100_000, 60)))
    frame.write_parquet(tmp_path / "r.parquet")
    tracemalloc.start()
    try:
        run = cf.read_run(tmp_path / "r.parquet")
        beyond = tracemalloc.get_traced_memory()[1] - run.scores.nbytes
    finally:
        tracemalloc.stop()
    assert beyond < 40 << 20


# -- Errors ------------------------------------------------------------------------------------

DAY = polars.Series([1, 2]).cast(polars.Date)
RUNS: dict[str, tuple[dict[str, Any], int | None, str]] = {
    "NaN": ({"item": ["a", "b"], "cat": [1.0, float("nan")]}, 2, "item 'b', concept 'cat': nan is"),
    "infinite": ({"item": ["a", "b"], "cat": [-np.inf, 1.0]}, 1, "'cat': -inf is not finite"),
    "text": ({"item": ["a", "b"], "cat": ["x", "y"]}, None, "column 'cat' holds String; a concept"),
    "dates": ({"item": ["a", "b"], "cat": DAY}, None, "column 'cat' holds Date; a concept"),
    "lists": ({"item": ["a", "b"], "cat": [[1], [2]]}, None, "hold lists or structs: 'cat'"),
    "structs": ({"item": ["a", "b"], "cat": [{"x": 1}] * 2}, None, "lists or structs: 'cat'"),
    "dates for ids": ({"item": DAY, "cat": [1, 2]}, None, "column 'item' holds Date"),
    "duplicate": ({"item": ["a", "a"], "cat": [1, 2]}, 2, "'a' stands on row 1 already"),
    "null id": ({"item": ["a", None], "cat": [1, 2]}, 2, "the 'item' is missing"),
    "empty id": ({"item": ["a", ""], "cat": [1, 2]}, 2, "the 'item' is missing"),
    "unknown item": ({"item": ["a", "z"], "cat": [1, 2]}, 2, "1 item not in the truth: 'z'"),
    "unknown concept": ({"item": ["a"], "cow": [1]}, None, "1 unknown concept: 'cow'"),
    "no concepts": ({"item": ["a", "b"]}, None, "no column is a concept"),
    "no rows": ({"item": [], "cat": []}, None, "there are no rows"),
    "unnamed concept": ({"item": ["a"], "": [1]}, None, "unknown concept: ''"),
    "duplicate cell": (
        {"item": ["a", "a"], "concept": ["cat", "cat"], "value": [1, 2]},
        2,
        "stands on row 1 already; keep one of the two rows",
    ),
    "null value": (
        {"item": ["a", "b"], "concept": ["cat", "cat"], "value": [1, None]},
        2,
        "item 'b', concept 'cat': no value; write a number",
    ),
    "NaN in a list": (
        {"item": ["a", "b"], "concept": ["cat", "cat"], "value": [1, float("nan")]},
        2,
        "item 'b', concept 'cat': nan is not finite",
    ),
    "null concept": (
        {"item": ["a", "b"], "concept": ["cat", None], "value": [1, 1]},
        2,
        "the 'concept' is missing",
    ),
    "fractions for concepts": (
        {"item": ["a", "b"], "concept": [0.5, 1], "value": [1, 1]},
        None,
        "column 'concept' holds Float64; ids are text",
    ),
    "text for values": (
        {"item": ["a", "b"], "concept": ["cat", "dog"], "value": ["1", "x"]},
        None,
        "column 'value' holds String",
    ),
}
TRUTHS: dict[str, tuple[dict[str, Any], int | None, str]] = {
    "a score": ({"item": ["a", "b"], "cat": [1, 0.5]}, 2, "concept 'cat': 0.5; a truth holds 0, 1"),
    "below zero": ({"item": ["a", "b"], "cat": [1, -1]}, 2, "concept 'cat': -1;"),
    "huge": ({"item": ["a", "b"], "cat": [1, 2**53]}, 2, "a truth holds"),
    "a score by position": ({"cat": [1, 0.5]}, 2, "item '1', concept 'cat': 0.5"),
    "unnamed concept": ({"item": ["a"], "": [1]}, None, "concept number 1 has an empty id"),
}


@pytest.mark.parametrize("how", RUNS)
def test_a_wrong_run_is_refused_with_its_row(how: str, file: Write, truth: cf.Truth) -> None:
    columns, row, says = RUNS[how]
    path = file(packed(columns), "r.parquet")
    with pytest.raises(cf.FileError) as caught:
        cf.read_run(path, truth)
    assert (caught.value.line, says in caught.value.what) == (row, True), caught.value
    assert str(caught.value) in map(str, formats.check(path, against=truth))


@pytest.mark.parametrize("how", TRUTHS)
def test_a_wrong_truth_is_refused_with_its_row(how: str, file: Write) -> None:
    columns, row, says = TRUTHS[how]
    path = file(packed(columns), "t.parquet")
    with pytest.raises(cf.FileError) as caught:
        cf.read_truth(path)
    assert (caught.value.line, says in caught.value.what) == (row, True), caught.value
    assert str(caught.value) in map(str, formats.check(path, kind="truth"))


def test_a_check_finds_every_error_in_the_order_of_rows(file: Write) -> None:
    nan = float("nan")
    columns = {"item": ["a", "b", "a"], "cat": [nan, 1.0, 2.0], "dog": [0.0, nan, 1.0]}
    found = formats.check(file(packed(columns), "r.parquet"))
    assert [error.line for error in found] == [1, 2, 3]
    assert found.total == 3


def test_a_long_file_needs_its_columns(file: Write) -> None:
    path = file(packed({"item": ["a"], "cat": [1]}), "t.parquet")
    with pytest.raises(cf.FileError, match="a long file has item, concept and value"):
        cf.read_truth(path, format="parquet-long")


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"PAR1", "does not end as one"),
        (b"PAR1PAR1", "larger than the file"),
        (b"PAR1\xff\xff\xff\xffPAR1", "larger than the file"),
        (b"PAR1\0\0\0\0PAR1", "makes no sense"),
        (b"item,cat\n", "does not end as one"),
        (packed({"item": ["a"], "cat": [1]})[:-9], "does not end as one"),
    ],
)
def test_what_is_no_parquet_is_refused(content: bytes, says: str, file: Write) -> None:
    path = file(content, "t.parquet")
    with pytest.raises(cf.FileError, match=says):
        cf.read_truth(path)
    assert formats.check(path).format == "parquet"


def test_a_footer_of_lists_in_lists_is_refused(file: Write) -> None:
    footer = b"\x29" + b"\x19" * 5000
    path = file(b"PAR1" + footer + len(footer).to_bytes(4, "little") + b"PAR1", "t.parquet")
    with pytest.raises(cf.FileError, match="makes no sense"):
        cf.read_truth(path)


def test_a_small_file_that_promises_many_rows_is_refused(file: Write) -> None:
    rows = 50_000_000
    path = file(packed({"cat": polars.repeat(False, rows, eager=True)}), "t.parquet")
    assert path.stat().st_size < 100_000
    with pytest.raises(cf.FileError, match="more than 1000 times its size"):
        cf.read_truth(path)


def damaged(number: int, good: list[bytes]) -> bytes:
    draw = random.Random(number)
    content = bytearray(draw.choice(good))
    for _ in range(draw.randrange(1, 4)):
        content[draw.randrange(len(content))] = draw.randrange(256)
    return bytes(content)


def test_any_damage_is_an_error_or_another_file(file: Write) -> None:
    good = [
        packed({"item": ["a", "b"], "cat": [0.5, None], "dog": [True, False]}, compression=how)
        for how in ("zstd", "uncompressed")
    ]
    good.append(packed({"item": ["a", "b"], "concept": ["cat", "dog"], "value": [1.0, 2.0]}))
    for number in range(600):  # tests/fuzz.py tries more
        path = file(damaged(number, good), "r.parquet")
        found = formats.check(path)
        assert (found.run is None) == bool(found)
        assert all("\n" not in str(error) for error in found)


def test_panics_of_polars_are_errors_that_print_nothing(file: Write) -> None:
    columns = {
        "item": [f"i{n}" for n in range(40)],
        "cat": [n / 8 if n % 3 else None for n in range(40)],
    }
    good = [packed(columns, compression="uncompressed")]
    for number in (646, 660, 667, 889, 971, 1101):  # found to panic, with Polars 2.1
        file(damaged(number, good), f"{number}.parquet")
    path = file(good[0], "good.parquet")
    script = (
        "import sys\n"
        "from pathlib import Path\n"
        "from cranfield import formats\n"
        "for path in sorted(Path(sys.argv[1]).iterdir()):\n"
        "    print(len(formats.check(path)))\n"
        "print('still here', file=sys.stderr)\n"
    )
    seen = subprocess.run(
        [sys.executable, "-c", script, str(path.parent)], capture_output=True, text=True, check=True
    )
    assert seen.stdout.split() == ["1"] * 6 + ["0"]
    assert seen.stderr == "still here\n"
