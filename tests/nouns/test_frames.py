"""Frames of pandas and Polars: taken wherever arrays are, with their ids and missing cells."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cranfield as cf
from cranfield import State
from nouns.small import CASE, S, Y, refused
from problems import Problem, problems, scored

ITEMS, CONCEPTS = ["x", "y"], ["a", "b", "c"]


def in_pandas(matrix: Any, items: Any = None, concepts: Any = None) -> pd.DataFrame:
    return pd.DataFrame(np.asarray(matrix), index=items, columns=concepts)


def in_polars(matrix: Any, items: Any = None, concepts: Any = None) -> pl.DataFrame:
    """Polars always has names for columns; ids of items are a first column."""
    names = [f"{n}" for n in range(np.shape(matrix)[1])] if concepts is None else list(concepts)
    frame = pl.from_numpy(np.asarray(matrix), schema=names)
    return frame if items is None else frame.insert_column(0, pl.Series("item", items))


BOTH = pytest.mark.parametrize("frame", [in_pandas, in_polars])
Make = Callable[..., Any]

# ── ids ───────────────────────────────────────────────────────────────────────────────────────


@BOTH
def test_a_frame_names_items_and_concepts(frame: Make) -> None:
    truth = cf.Truth(frame(Y, ITEMS, CONCEPTS))
    assert (truth.items, truth.concepts) == (("x", "y"), ("a", "b", "c"))
    assert truth.digest == cf.Truth(Y, items=ITEMS, concepts=CONCEPTS).digest
    run = cf.Run(frame(S, ITEMS, CONCEPTS))
    assert run.digest == cf.Run(S, items=ITEMS, concepts=CONCEPTS).digest
    assert cf.Run(labels=frame(Y, ITEMS, CONCEPTS)).items == ("x", "y")


@BOTH
@given(case=problems(), data=st.data())
def test_two_frames_align_by_ids_whatever_their_order(
    frame: Make, case: Problem, data: st.DataObject
) -> None:
    rows = data.draw(st.permutations(range(case.shape[0])))
    columns = data.draw(st.permutations(range(case.shape[1])))
    turned = case.scores[np.ix_(rows, columns)]
    items, concepts = [case.items[i] for i in rows], [case.concepts[j] for j in columns]
    for name in ("concept.AP", "example.F", "example.P@2", "micro.AUC"):
        found = cf.score(
            frame(case.labels, case.items, case.concepts), frame(turned, items, concepts), name
        )
        wanted = cf.score(case.labels, case.scores, name)
        assert found == pytest.approx(wanted, rel=1e-12, nan_ok=True)


@BOTH
def test_a_frame_and_an_array_align_by_position(frame: Make) -> None:
    named = frame(Y, ITEMS[::-1], CONCEPTS[::-1])
    assert cf.score(named, S, "concept.AP") == cf.score(Y, S, "concept.AP")
    assert cf.score(Y, frame(S, ITEMS, CONCEPTS), "concept.AP") == cf.score(Y, S, "concept.AP")


def test_the_default_index_of_pandas_names_nothing_and_any_other_does() -> None:
    assert cf.Truth(pd.DataFrame(Y)).item_axis.ids is None
    assert cf.Truth(pd.DataFrame(Y)).concept_axis.ids is None
    shuffled = cf.Truth(pd.DataFrame(Y).iloc[::-1])
    assert shuffled.items == ("1", "0")
    assert cf.Truth(pd.DataFrame(Y, index=[7, 9])).items == ("7", "9")
    assert cf.Truth(pd.DataFrame(Y, index=range(1, 3))).items == ("1", "2")


@pytest.mark.parametrize(
    ("column", "items"),
    [
        (pl.Series("photo", ["p", "q"]), ("p", "q")),
        (pl.Series("photo", ["p", "q"], dtype=pl.Categorical), ("p", "q")),
        (pl.Series("photo", ["p", "q"], dtype=pl.Enum(["p", "q"])), ("p", "q")),
        (pl.Series("ID", [12, 7]), ("12", "7")),
    ],
)
def test_a_first_column_of_polars_names_items_if_it_is_text_or_says_so(
    column: pl.Series, items: tuple[str, ...]
) -> None:
    truth = cf.Truth(pl.DataFrame([column, pl.Series("a", [1, 0])]))
    assert (truth.items, truth.concepts) == (items, ("a",))


def test_a_first_column_of_polars_that_holds_labels_or_scores_is_a_concept() -> None:
    document = pl.DataFrame({"document": [True, False, True], "sky": [True, True, False]})
    assert cf.Truth(document).concepts == ("document", "sky")
    assert cf.Run(pl.DataFrame({"image": [0.5, 0.1], "sky": [0.2, 0.3]})).shape == (2, 2)
    with refused("labels: the first column, 'document', names the items, but numbers stand in it"):
        cf.Truth(document.cast(pl.Int8))


@BOTH
def test_explicit_ids_take_the_place_of_a_frame_s_own(frame: Make) -> None:
    truth = cf.Truth(frame(Y, ITEMS, CONCEPTS), items=["p", "q"], concepts="rst")
    assert (truth.items, truth.concepts) == (("p", "q"), ("r", "s", "t"))
    with refused("items= and the frame of the labels hold the same ids in another order"):
        cf.Truth(frame(Y, ITEMS, CONCEPTS), items=ITEMS[::-1])


@BOTH
def test_frames_of_one_truth_come_into_the_order_of_the_first(frame: Make) -> None:
    judged = np.array([[1, 1, 1], [0, 1, 1]])
    truth = cf.Truth(
        frame(Y, ITEMS, CONCEPTS),
        judged=frame(judged[::-1, ::-1], ITEMS[::-1], CONCEPTS[::-1]),
        strata=judged,
    )
    assert (
        truth.digest
        == cf.Truth(Y, judged=judged, strata=judged, items=ITEMS, concepts=CONCEPTS).digest
    )
    both = cf.Run(frame(S, ITEMS, CONCEPTS), labels=frame(Y[::-1], ITEMS[::-1], CONCEPTS))
    assert np.array_equal(both.labels, Y.astype(bool))


@BOTH
@pytest.mark.parametrize(
    ("items", "concepts", "message"),
    [
        (["x", "z"], CONCEPTS, "judged: 1 item not in labels: 'z'; give both the same items"),
        (ITEMS, ["a", "b", "d"], "judged: 1 concept not in labels: 'd'"),
    ],
)
def test_frames_of_one_truth_must_agree_in_their_ids(
    frame: Make, items: Any, concepts: Any, message: str
) -> None:
    with refused(message):
        cf.Truth(frame(Y, ITEMS, CONCEPTS), judged=frame(Y, items, concepts))


def test_ids_of_frames_are_as_strict_as_others() -> None:
    with refused("1 duplicate concept id: 'a'"):
        cf.Truth(pd.DataFrame(Y, columns=["a", "a", "b"]))
    with refused("labels: the frame's labels have 2 levels; join them into one"):
        cf.Truth(pd.DataFrame(Y, index=pd.MultiIndex.from_tuples([("x", 1), ("x", 2)])))
    with refused("labels: number 2 of the frame's labels is missing; name it"):
        cf.Truth(pd.DataFrame(Y, index=["x", None]))
    with refused("labels: row 2 has no id in column 'item'; name it"):
        cf.Truth(pl.DataFrame({"item": ["x", None], "a": [1, 0]}))
    with refused("1 duplicate item id: 'x'"):
        cf.Truth(pl.DataFrame({"item": ["x", "x"], "a": [1, 0]}))


# ── values ────────────────────────────────────────────────────────────────────────────────────

WHOLE = [
    pd.DataFrame({"a": [1, 0], "b": [True, False]}),
    pd.DataFrame({"a": [1.0, 0.0], "b": [1, 0]}, dtype=object).convert_dtypes(),
    pd.DataFrame({"a": [1, 0], "b": [1, 0]}, dtype="boolean"),
    pd.DataFrame({"a": [1, 0], "b": [1, 0]}, dtype="int8[pyarrow]"),
    pd.DataFrame({"a": [1, 0], "b": [1, 0]}, dtype="bool[pyarrow]"),
    pd.DataFrame({"a": [1, 0], "b": [1, 0]}, dtype=pd.SparseDtype("int64", 0)),
    pl.DataFrame({"a": [1, 0], "b": [True, False]}),
    pl.DataFrame({"a": [1.0, 0.0], "b": [1, 0]}, schema={"a": pl.Float32, "b": pl.UInt8}),
]


@pytest.mark.parametrize("frame", WHOLE)
def test_columns_may_be_of_any_types_of_numbers(frame: Any) -> None:
    assert cf.Truth(frame).labels.tolist() == [[True, True], [False, False]]
    assert cf.Run(frame).scores.tolist() == [[1, 1], [0, 0]]


GAPS = [
    pd.DataFrame({"a": [1, None], "b": [0, 1]}),
    pd.DataFrame({"a": [1, None], "b": [0, 1]}, dtype="float32"),
    pd.DataFrame({"a": [1, None], "b": [0, 1]}, dtype="Int64"),
    pd.DataFrame({"a": [1, None], "b": [0, 1]}, dtype="boolean"),
    pd.DataFrame({"a": [1, None], "b": [0, 1]}, dtype="double[pyarrow]"),
    pd.DataFrame({"a": [True, None], "b": [False, True]}, dtype="bool[pyarrow]"),
    pl.DataFrame({"a": [1, None], "b": [0, 1]}),
    pl.DataFrame({"a": [True, None], "b": [False, True]}),
    pl.DataFrame({"a": [1.0, None], "b": [0.0, 1.0]}),
]


@pytest.mark.parametrize("frame", GAPS)
def test_where_a_frame_misses_a_label_or_grade_nobody_judged(frame: Any) -> None:
    for truth in (cf.Truth(frame), cf.Truth(grades=frame)):
        assert truth.states.tolist() == [
            [State.POSITIVE, State.NEGATIVE],
            [State.UNJUDGED, State.POSITIVE],
        ]


@pytest.mark.parametrize("frame", GAPS[2:])
def test_where_a_frame_misses_a_score_or_decision_nothing_was_retrieved(frame: Any) -> None:
    stored = {0: 1, 1: 0, 3: 1}
    for matrix in (cf.Run(frame).scores, cf.Run(labels=frame).labels):
        assert dict(zip(matrix.codes.tolist(), matrix.values.tolist(), strict=True)) == stored


def test_a_missing_score_is_what_an_empty_field_of_a_csv_file_is(tmp_path: Any) -> None:
    file = tmp_path / "run.csv"
    file.write_text("item,a,b\nx,0.5,\ny,0.25,1\n")
    nullable = pd.read_csv(file, index_col="item", dtype_backend="numpy_nullable")
    frames = [nullable, pl.read_csv(file)]
    assert {cf.Run(frame).digest for frame in frames} == {cf.read_run(file).digest}


def test_missing_labels_and_pool_and_judged_go_together_or_contradict() -> None:
    labels = pd.DataFrame({"a": [1, None, 0], "b": [0, 1, None]}, dtype="Int64")
    pool = np.array([[1, 1], [1, 1], [0, 1]])
    assert cf.Truth(labels, pool=pool).states.tolist() == [
        [State.POSITIVE, State.NEGATIVE],
        [State.UNJUDGED, State.POSITIVE],
        [State.OUTSIDE, State.UNJUDGED],
    ]
    known = cf.Truth(labels, judged=[[1, 0], [0, 1], [0, 0]])
    assert known.states[0].tolist() == [State.POSITIVE, State.UNJUDGED]
    with refused("item '1', concept 'a' is judged but has no value"):
        cf.Truth(labels, judged=np.ones((3, 2)))
    with refused("judged: item '1', concept 'a' is missing; fill it"):
        cf.Truth(np.zeros((3, 2)), judged=labels)


def test_a_run_with_nan_is_refused_whoever_made_the_frame() -> None:
    gap = np.where(S == 0.8, np.nan, S)
    for given_ in (gap, pl.from_numpy(gap)):
        with refused("the score is nan; scores must be finite numbers"):
            cf.Run(given_)
    row, column = np.argwhere(S == 0.8)[0]
    ids = {"index": [f"i{n}" for n in range(len(S))], "columns": [*"abcdefgh"[: S.shape[1]]]}
    cell = f"item 'i{row}', concept '{'abcdefgh'[column]}' is NaN"
    frame = pd.DataFrame(gap, **ids)
    mixed = frame.astype({"a": "Float64"}) if column != 0 else frame.astype({"b": "Float64"})
    for given_ in (frame, mixed):
        with refused(cell):
            cf.Run(given_, name="it")
        with refused(cell):
            cf.score(pd.DataFrame(S > 0.5, **ids), given_, "concept.AP")
    with refused("labels of run 'run': item '1', concept 'a' is NaN"):
        cf.Run(labels=GAPS[0])


@pytest.mark.parametrize("frame", GAPS)
@pytest.mark.parametrize("measure", ["concept.AP", "example.F", "micro.F", "example.hamming"])
def test_scores_say_how_many_missing_labels_count_as_negative(frame: Any, measure: str) -> None:
    truth, run = cf.Truth(frame), cf.Run([[0.9, 0.1], [0.8, 0.2]], concepts=["a", "b"])
    note = "1 unjudged cell of the truth counted as negative; unjudged=exclude leaves them"
    for known in (truth, truth.part([0, 1]), cf.Truth(grades=frame)):
        assert note in " ".join(cf.evaluate(known, run, measure).scores[0].notes)
    left_out = cf.Truth(frame, unjudged="exclude")
    for known in (left_out, truth.part([0])):
        said = run if known.shape[0] == 2 else run.part(np.array([0]))
        assert "unjudged cell" not in " ".join(cf.evaluate(known, said, measure).scores[0].notes)


def test_measures_of_judged_cells_and_whole_truths_need_no_note_about_missing_labels() -> None:
    run = cf.Run([[0.9, 0.1], [0.8, 0.2]])
    (bpref,) = cf.evaluate(cf.Truth(GAPS[0].to_numpy() == 1), run, "concept.bpref").scores
    assert "unjudged cell" not in " ".join(bpref.notes)
    (bpref,) = cf.evaluate(cf.Truth(GAPS[0].set_axis([0, 1], axis=1)), run, "concept.bpref").scores
    assert "unjudged cell" not in " ".join(bpref.notes)


@pytest.mark.parametrize("form", ["csv", "npz", "parquet"])
def test_files_with_missing_labels_give_the_same_note(tmp_path: Path, form: str) -> None:
    truth = cf.Truth(GAPS[0], items=["x", "y"])
    cf.write_truth(truth, tmp_path / f"truth.{form}")
    run = cf.Run([[0.9, 0.1], [0.8, 0.2]], items=["x", "y"], concepts=["a", "b"])
    (score,) = cf.evaluate(cf.read_truth(tmp_path / f"truth.{form}"), run, "concept.AP")
    assert "1 unjudged cell of the truth counted as negative" in " ".join(score.notes)
    assert score.notes == cf.evaluate(truth, run, "concept.AP").scores[0].notes


def test_items_without_a_list_are_counted_as_missing_labels() -> None:
    truth = cf.Truth.from_lists([["a"], None, ["b"]])
    run = cf.Run(np.ones((3, 2)), concepts=["a", "b"])
    (score,) = cf.evaluate(truth, run, "concept.F").scores
    assert "2 unjudged cells" in " ".join(score.notes)


@BOTH
def test_float32_stays_float32(frame: Make) -> None:
    assert cf.Run(frame(S.astype(np.float32))).scores.dtype == np.float32
    assert cf.Run(frame(S.astype(np.float16))).scores.dtype == np.float64
    gap = pl.DataFrame({"a": [0.5, None]}, schema={"a": pl.Float32})
    assert cf.Run(gap).scores.values.dtype == np.float32
    nullable = gap.to_pandas().astype("Float32")
    assert cf.Run(nullable).scores.values.dtype == np.float32


@pytest.mark.parametrize("rows", [0, 1, 4095, 4096, 4097, 9000])
@BOTH
def test_long_frames_arrive_whole(frame: Make, rows: int) -> None:
    matrix = np.random.default_rng(rows).random((rows, 3))
    assert np.array_equal(cf.Run(frame(matrix)).scores, matrix)


@pytest.mark.parametrize(
    ("frame", "message"),
    [
        (
            pd.DataFrame({"item": ["x", "y"], "a": [1, 0]}),
            "not numbers; convert it with astype to 'boolean', 'Int64' or 'float', drop it, or",
        ),
        (pd.DataFrame({"a": [True, None]}), "column 'a' holds object, not numbers"),
        (pd.DataFrame({"a": ["x", "y"]}, dtype="category"), "column 'a' holds category"),
        (pd.DataFrame({"a": pd.to_datetime(["2009-01-01"])}), "column 'a' holds datetime64"),
        (pd.Series([[1], [0, 2]]), "for lists of label ids use cf.Truth.from_lists"),
        (
            pl.DataFrame({"a": [1, 0], "item": ["x", "y"]}),
            "labels: column 'item' holds String, not numbers; cast it, drop it, or put it first",
        ),
        (pl.Series([[1], [0, 2]]), "for lists of label ids use cf.Truth.from_lists"),
        (pl.DataFrame({"a": [1]}, schema={"a": pl.Int128}), "column 'a' holds Int128"),
        (
            pl.DataFrame({"a": [1]}).lazy(),
            "labels is a lazy frame; pass what its collect() returns",
        ),
        (pd.DataFrame({"a": [1, 2]}), "labels: item '1', concept 'a' holds 2; only 0 and 1"),
    ],
)
def test_bad_frames_are_refused_with_the_column_and_how_to_mend(frame: Any, message: str) -> None:
    with refused(message):
        cf.Truth(frame)


# ── series ────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("series", [pd.Series, pl.Series])
def test_a_series_is_one_concept_without_a_name(series: Any) -> None:
    labels, scores = (series(row).rename(name) for row, name in ((Y[0], "target"), (S[0], "score")))
    assert cf.score(labels, scores, "concept.AP") == cf.score(Y[0], S[0], "concept.AP")
    assert cf.Truth(labels).concept_axis.ids is None
    assert cf.score(labels, series(Y[0] > 0), "example.F") == 1.0


def test_series_of_pandas_align_by_their_index() -> None:
    labels = pd.Series(Y[0], index=CONCEPTS)
    assert cf.score(labels, pd.Series(S[0], index=CONCEPTS)[::-1], "concept.AP") == 1.0
    with refused("run 'run' has 1 item that the truth does not know: 'd'"):
        cf.score(labels, pd.Series(S[0], index=["a", "b", "d"]), "concept.AP")


def test_boolean_frames_are_decisions() -> None:
    for frame in (
        pd.DataFrame(S > 0.5),
        pl.from_numpy(S > 0.5),
        pd.DataFrame(S > 0.5, dtype="boolean"),
    ):
        assert cf.score(Y, frame, "micro.F") == cf.score(Y, S > 0.5, "micro.F")


# ── thresholds and weights ────────────────────────────────────────────────────────────────────


def test_thresholds_align_by_the_ids_of_frames() -> None:
    cuts = [0.9, 0.2, 0.7]
    run = cf.Run(S, threshold=cuts, items=ITEMS, concepts=CONCEPTS)
    by_concept = pd.Series(cuts, index=CONCEPTS)[::-1]
    frame = in_pandas(S, ITEMS, CONCEPTS)
    assert cf.Run(frame, threshold=by_concept).digest == run.digest
    assert cf.Run(frame, threshold=pl.Series(cuts)).digest == run.digest
    by_cell = in_polars(S[::-1], ITEMS[::-1], CONCEPTS)
    assert np.array_equal(cf.Run(frame, threshold=by_cell).threshold, S)
    with refused("threshold of run 'run': 1 concept not in the run: 'z'"):
        cf.Run(frame, threshold=pd.Series(cuts, index=["a", "b", "z"]))
    with refused("threshold of run 'run': 1 concept of the run without a value: 'c'"):
        cf.Run(frame, threshold=by_concept[:0:-1])
    with refused("threshold of run 'run': 1 value missing"):
        cf.Run(frame, threshold=pl.Series([0.5, None, 0.5]))


def test_weights_may_be_series() -> None:
    truth, run = CASE.truth(), CASE.run()
    heavy = np.arange(1.0, 8.0)
    wanted = scored(truth, run, "concept.AP", weights=heavy)
    by_id = pd.Series(heavy, index=CASE.concepts)[::-1]
    for weights in (by_id, pl.Series(heavy), pd.Series(heavy), {"concepts": by_id}):
        found = scored(truth, run, "concept.AP", weights=weights)
        assert (found.value, found.signature) == (wanted.value, wanted.signature)
    named = pl.DataFrame({"concept": CASE.concepts, "weight": heavy})
    assert scored(truth, run, "concept.AP", weights=named).signature == wanted.signature
    with refused("weights of concepts: 1 concept without a value: 'c06'"):
        scored(truth, run, "concept.AP", weights=pl.Series([*heavy[1:], None]))
    with refused("weights of concepts: 1 concept of the truth without a value: 'c00'"):
        scored(truth, run, "concept.AP", weights=by_id[:-1])


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame({"cat": [0.9, 0.2], "dog": [0.4, None]}, dtype="Float64"),
        pl.DataFrame({"cat": [0.9, 0.2], "dog": [0.4, None]}),
    ],
    ids=["pandas", "polars"],
)
def test_missing_values_of_a_run_are_noted(frame: Any) -> None:
    score = scored(cf.Truth([[1, 0], [0, 1]]), cf.Run(frame), "concept.AP")
    assert "1 missing value of its frame taken as not retrieved" in score.notes


# ── imports ───────────────────────────────────────────────────────────────────────────────────


def test_arrays_need_neither_pandas_nor_polars() -> None:
    code = (
        "import sys, cranfield as cf; cf.score([1, 0], [0.5, 0.1], 'concept.AP');"
        "assert not {'pandas', 'polars', 'sklearn', 'pyarrow'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
