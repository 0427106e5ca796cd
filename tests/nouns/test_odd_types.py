"""Numbers in odd clothes: byte orders, huge ones, strides, types that are no numbers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas
import polars
import pytest
import scipy.sparse

import cranfield as cf
from cranfield.core.matrices import count_rounded
from cranfield.errors import InputError, MeasureError

RANDOM = np.random.default_rng(5)
LABELS = RANDOM.random((20, 4)) < 0.5
SCORES = RANDOM.random((20, 4))
WHOLE = [[2**53], [2**53 + 1], [2**53 + 2]]


@pytest.mark.parametrize(
    "grades",
    [
        np.array([[2**63], [1]], dtype=np.uint64),
        np.array([[2**64 - 1], [1]], dtype=">u8"),
        np.array([[1e19], [1]]),
        np.array([[1e30], [1]], dtype=np.float32),
        np.array([[2.0**63], [1]], dtype=np.longdouble),
        polars.DataFrame({"a": [2**63, 1]}, schema={"a": polars.UInt64}),
        scipy.sparse.csr_array(np.array([[1e19], [1]])),
    ],
    ids=str,
)
def test_grades_beyond_int64_are_refused(grades: Any) -> None:
    for name in ("grades", "strata"):
        labels = {"labels": np.array([[1], [1]])} if name == "strata" else {}
        with pytest.raises(InputError, match=r"item '0', concept .* only whole numbers below 2⁶³"):
            cf.Truth(**labels, **{name: grades})


def test_the_largest_grades_are_kept() -> None:
    largest = np.array([[2**63 - 1], [1]], dtype=np.uint64)
    assert cf.Truth(grades=largest).grades[0, 0] == 2**63 - 1  # type: ignore[index]


@pytest.mark.parametrize("order", ["<", ">", "="])
@pytest.mark.parametrize("kind", ["f4", "f8", "f2", "i4", "u2", "i8"])
def test_the_order_of_bytes_changes_nothing(kind: str, order: str) -> None:
    scores = (SCORES * 100).round().astype(kind)
    odd, plain = cf.Run(scores.astype(order + kind), threshold=50), cf.Run(scores, threshold=50)
    assert odd.scores.dtype == plain.scores.dtype  # type: ignore[union-attr]
    assert odd.digest == plain.digest
    assert odd.ranking_notes == plain.ranking_notes
    labels = LABELS.astype(order + kind)
    assert cf.Truth(labels).digest == cf.Truth(LABELS).digest
    assert cf.Truth(grades=labels).digest == cf.Truth(grades=LABELS).digest


@pytest.mark.parametrize("kind", ["int64", "uint64", ">i8"])
def test_whole_scores_that_float64_cannot_hold_are_counted_in_a_note(kind: str) -> None:
    note = "1 score rounded to float64; some that differ may tie"
    for scores in (
        np.array(WHOLE, dtype=kind),
        pandas.DataFrame(np.array(WHOLE, dtype=kind.replace(">i8", "int64"))),
        scipy.sparse.csr_array(np.array(WHOLE, dtype=kind.replace(">i8", "int64"))),
    ):
        (score,) = cf.evaluate(cf.Truth([[1], [0], [1]]), cf.Run(scores), "concept.AP").scores
        assert note in score.notes
    exact = np.array([[2**60], [2**61], [1]], dtype=kind)
    assert cf.Run(exact).notes == ()


def test_numbers_that_float64_cannot_hold_are_found() -> None:
    numbers = [0, 1, -1, 2**53, 2**53 + 1, 2**54 - 1, -(2**53) - 1, -(2**63), 2**62, 2**63 - 1]
    lost = [number for number in numbers if int(float(number)) != number]
    assert count_rounded(np.array(numbers)) == len(lost) == 4
    assert count_rounded(np.array([2**64 - 1, 2**63, 7], dtype=np.uint64)) == 1
    assert count_rounded(np.array([0.5, 1.0], dtype=np.longdouble)) == 0


def test_columns_whose_common_type_would_round_are_refused() -> None:
    frame = polars.DataFrame({"a": [2**53 + 1, 1], "b": [0.5, 0.25]})
    with pytest.raises(InputError, match="cast all columns alike"):
        cf.Run(frame)
    with pytest.raises(InputError, match="cast all columns alike"):
        cf.Run(frame.to_pandas())


@pytest.mark.parametrize("p", ["1", "1.0", "-0.1", "1.1", "nan"])
def test_rbp_needs_a_reader_who_may_stop(p: str) -> None:
    with pytest.raises(MeasureError, match=r"p=.* should lie in \[0, 1\)"):
        cf.measure(f"concept.RBP(p={p})")


def test_rbp_of_a_reader_who_stops_at_once_is_precision_at_one() -> None:
    first = cf.score(LABELS, SCORES, "concept.P@1")
    assert cf.score(LABELS, SCORES, "concept.RBP(p=0)") == first


def test_true_is_1_beside_numbers_in_a_confusion() -> None:
    for true, said in (([True], [1]), ([1], [True]), (np.array([True]), np.array([1.0]))):
        matrix = cf.Confusion.from_labels(true, said)
        assert matrix.classes == ("1",)
        assert matrix["accuracy"] == 1.0
    both = cf.Confusion.from_labels([True, False, True], [1, 0, 0])
    assert both.classes == ("0", "1")
    assert both.counts.tolist() == [[1, 0], [1, 1]]
    assert cf.Confusion.from_labels([True, False], [True, True]).classes == ("False", "True")
    mixed = cf.Confusion.from_labels(np.array([True, 2], dtype=object), [1, 2])
    assert mixed.classes == ("1", "2")


def test_true_is_its_own_name_beside_names_in_a_confusion() -> None:
    matrix = cf.Confusion.from_labels([True, False], ["True", "False"])
    assert matrix.classes == ("False", "True")
    assert matrix["accuracy"] == 1.0
    assert cf.Confusion.from_labels([True, False], ["1", "0"])["accuracy"] == 1.0


@pytest.mark.parametrize("form", [np.asfortranarray, lambda a: a[::-1, ::-1][::-1, ::-1], np.array])
@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_thresholds_by_cell_may_lie_anyhow_in_memory(form: Any, kind: Any) -> None:
    wide = np.repeat(RANDOM.random((20, 4)), 2, axis=1)
    for cuts in (form(wide[:, ::2].copy()), wide[:, ::2]):
        run = cf.Run(SCORES.astype(kind), threshold=cuts)
        assert cf.evaluate(cf.Truth(LABELS), run, "micro.F")["run", "micro.F"] == pytest.approx(
            cf.score(LABELS, SCORES.astype(kind) >= cuts.astype(kind), "micro.F")
        )


NO_NUMBERS = [
    np.array([[1 + 2j], [0]]),
    np.array([["1"], ["0"]]),
    np.array([[b"1"], [b"0"]]),
    np.array([[1], [None]], dtype=object),
    np.array([["2011-01-01"], ["2011-01-02"]], dtype="datetime64[D]"),
    np.array([[1], [2]], dtype="timedelta64[s]"),
    np.array([(1, 2.0), (3, 4.0)], dtype=[("a", "i4"), ("b", "f8")]),
    np.ma.masked_array([[1], [0]], mask=[[0], [1]]),
    np.array(1),
    np.ones((2, 1, 1)),
    [[2**70], [1]],
    "labels",
    None,
    {"a": 1},
    object(),
]


@pytest.mark.parametrize("odd", NO_NUMBERS, ids=lambda odd: type(odd).__name__)
def test_what_holds_no_numbers_is_refused_with_a_word(odd: Any) -> None:
    plain = np.array([[1], [0]])
    with pytest.raises(InputError):
        cf.score(odd, plain * 0.5, "concept.AP")
    with pytest.raises(InputError):
        cf.score(plain, odd, "concept.AP")
    for name in ("labels", "grades", "targets"):
        with pytest.raises(InputError):
            cf.Truth(**{name: odd})
    for name in ("judged", "pool", "strata"):
        if odd is not None:
            with pytest.raises(InputError):
                cf.Truth(plain, **{name: odd})
    if odd is not None and np.shape(odd) != ():
        with pytest.raises(InputError):
            cf.Run(plain * 0.5, threshold=odd)


def test_memory_maps_are_read_as_arrays_are(tmp_path: Path) -> None:
    np.save(tmp_path / "labels.npy", LABELS)
    np.save(tmp_path / "scores.npy", SCORES.astype(np.float32))
    for mode in ("r", "r+", "c"):
        labels, scores = (
            np.load(tmp_path / f"{n}.npy", mmap_mode=mode) for n in ("labels", "scores")
        )
        assert cf.score(labels, scores, "concept.AP") == cf.score(
            LABELS, SCORES.astype(np.float32), "concept.AP"
        )
