"""Label lists: truths and runs from columns as Hugging Face datasets store them."""

from __future__ import annotations

from collections import deque
from typing import Any

import datasets
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.preprocessing import MultiLabelBinarizer

import cranfield as cf
from cranfield import State
from nouns.small import refused
from problems import Problem, problems, scored

LISTS: list[list[int]] = [[0, 2], [], [1]]
MATRIX = [[True, False, True], [False, False, False], [False, True, False]]
NAMES = ["sky", "sea", "people"]
FEATURES = datasets.Features({"labels": datasets.List(datasets.ClassLabel(names=NAMES))})


def objects(lists: list[Any]) -> Any:
    """A NumPy array of objects, one for each list."""
    out = np.empty(len(lists), dtype=object)
    out[:] = lists
    return out


def named(lists: Any) -> Any:
    return [one if one is None else [NAMES[label] for label in one] for one in lists]


FORMS = {
    "lists": list,
    "tuples": lambda lists: tuple(map(tuple, lists)),
    "sets": lambda lists: list(map(set, lists)),
    "generator": lambda lists: (one for one in lists),
    "deque": deque,
    "object array": objects,
    "array of arrays": lambda lists: objects([np.array(one) for one in lists]),
    "arrays of several types": lambda lists: [
        np.array(one, dtype=kind) for one, kind in zip(lists, ("i1", "i4", "u8"), strict=True)
    ],
    "pandas": pd.Series,
    "pandas of arrays": lambda lists: pd.Series([np.array(one, dtype=int) for one in lists]),
    "pandas with Arrow": lambda lists: pd.Series(lists, dtype=pd.ArrowDtype(pa.list_(pa.int64()))),
    "Polars": pl.Series,
    "Arrow": pa.array,
    "Arrow in chunks": lambda lists: pa.chunked_array([lists[:1], lists[1:]]),
    "Arrow of large lists": lambda lists: pa.array(lists, pa.large_list(pa.uint8())),
    "datasets": lambda lists: datasets.Dataset.from_dict({"labels": lists}, FEATURES)["labels"],
    "datasets in Arrow": lambda lists: datasets.Dataset.from_dict(
        {"labels": lists}, FEATURES
    ).with_format("arrow")["labels"],
}


@pytest.mark.parametrize("form", FORMS)
def test_lists_of_numbers_in_any_form_are_places_of_concepts(form: str) -> None:
    truth = cf.Truth.from_lists(FORMS[form](LISTS), concepts=NAMES)
    assert truth.labels.tolist() == MATRIX
    assert truth.concepts == tuple(NAMES)
    assert truth.judged is None
    run = cf.Run.from_lists(FORMS[form](LISTS), concepts=NAMES)
    assert run.labels.dense().tolist() == MATRIX


@pytest.mark.parametrize(
    "form", ["lists", "object array", "array of arrays", "pandas", "Polars", "Arrow"]
)
def test_lists_of_names_in_any_form_name_concepts(form: str) -> None:
    truth = cf.Truth.from_lists(FORMS[form](named(LISTS)), concepts=NAMES)
    assert truth.digest == cf.Truth(MATRIX, concepts=NAMES).digest
    unnamed = cf.Truth.from_lists(FORMS[form](named(LISTS)))
    assert unnamed.concepts == ("people", "sea", "sky")
    assert unnamed.digest == truth.digest


@given(case=problems(items=12, concepts=9), data=st.data())
def test_lists_say_what_scikit_learn_s_binarizer_reads_from_them(
    case: Problem, data: st.DataObject
) -> None:
    lists = [data.draw(st.permutations(np.flatnonzero(row).tolist())) for row in case.labels]
    wanted = MultiLabelBinarizer(classes=range(case.shape[1])).fit_transform(lists)
    truth = cf.Truth.from_lists(lists, items=case.items, concepts=case.concepts)
    assert np.array_equal(truth.labels, wanted)
    assert truth.digest == case.truth().digest


@given(case=problems())
def test_listed_scores_are_a_sparse_run_that_scores_alike(case: Problem) -> None:
    rng = np.random.default_rng(case.shape[0])
    stored = rng.random(case.shape) < 0.6
    lists = [np.flatnonzero(row).tolist() for row in stored]
    scores = [case.scores[row, labels].tolist() for row, labels in enumerate(lists)]
    gaps = pd.DataFrame(case.scores, case.items, case.concepts, dtype="Float64").where(stored)
    for column, numbers in ((lists, scores), (pl.Series(lists, dtype=pl.List(pl.Int32)), scores)):
        run = cf.Run.from_lists(column, scores=numbers, **case.ids)
        assert run.digest == cf.Run(gaps).digest or stored.all()


def test_a_column_of_single_labels_has_one_for_each_item() -> None:
    wanted = [[False, True, False], [True, False, False], [False, True, False]]
    feature = datasets.ClassLabel(names=NAMES)
    data = datasets.Dataset.from_dict({"y": [1, 0, 1]}, datasets.Features({"y": feature}))
    for column in (
        [1, 0, 1],
        np.array([1, 0, 1]),
        [np.int64(1), 0, 1],
        ["sea", "sky", "sea"],
        np.array(["sea", "sky", "sea"]),
        pd.Series(["sea", "sky", "sea"], dtype="category"),
        pl.Series(["sea", "sky", "sea"], dtype=pl.Categorical),
        pa.array(["sea", "sky", "sea"]).dictionary_encode(),
        data["y"],
    ):
        assert cf.Truth.from_lists(column, concepts=feature).labels.tolist() == wanted


def test_concepts_may_be_names_or_features_that_hold_them() -> None:
    for concepts in (NAMES, pd.Index(NAMES), np.array(NAMES), FEATURES["labels"]):
        assert cf.Truth.from_lists(LISTS, concepts=concepts).concepts == tuple(NAMES)
    unnamed = cf.Truth.from_lists(LISTS)
    assert unnamed.concept_axis.ids is None
    assert unnamed.shape == (3, 3)
    assert cf.Truth.from_lists(LISTS, concepts=range(5)).shape == (3, 5)


def test_items_are_named_by_hand_or_by_the_index_of_pandas() -> None:
    assert cf.Truth.from_lists(LISTS, items="xyz").items == ("x", "y", "z")
    indexed = pd.Series(LISTS, index=["p", "q", "r"])
    assert cf.Truth.from_lists(indexed).items == ("p", "q", "r")
    assert cf.Run.from_lists(indexed, items="xyz").items == ("x", "y", "z")
    assert cf.Truth.from_lists(pd.Series(LISTS)).item_axis.ids is None


@pytest.mark.parametrize("form", ["lists", "pandas", "Polars", "Arrow", "datasets"])
def test_no_list_is_an_item_that_nobody_judged_or_for_which_nothing_was_retrieved(
    form: str,
) -> None:
    column = FORMS[form]([[0, 2], None, []])
    truth = cf.Truth.from_lists(column, concepts=NAMES)
    assert truth.states[1].tolist() == [State.UNJUDGED] * 3
    assert truth.states[2].tolist() == [State.NEGATIVE] * 3
    run = cf.Run.from_lists(column, concepts=NAMES)
    assert run.shape == (3, 3)
    assert run.labels.codes.tolist() == [0, 2]
    assert cf.Truth.from_lists([1, None], concepts=NAMES).states[1, 0] == State.UNJUDGED


def test_truths_are_sparse_where_labels_are_rare_and_say_the_same() -> None:
    few = [[n] for n in range(100)]
    truth = cf.Truth.from_lists(few)
    assert not isinstance(truth.matrix, np.ndarray)
    assert truth.digest == cf.Truth(np.eye(100)).digest
    assert isinstance(cf.Truth.from_lists(LISTS).matrix, np.ndarray)


def test_labels_that_a_run_does_not_list_are_absent_however_many_it_lists() -> None:
    truth = cf.Truth.from_lists(LISTS)
    assert cf.Run.from_lists(LISTS).sparse
    assert cf.Run.from_lists([[0, 1, 2]] * 3, scores=[[1, 1, 1]] * 3).sparse
    assert scored(truth, cf.Run.from_lists(LISTS), "micro.F").value == 1.0
    # The second concept has one positive, which this run does not retrieve.
    assert scored(truth, cf.Run.from_lists([[0, 2], [], [2]]), "concept.AP").by_unit[1] == 0.0


def test_scores_stand_beside_their_labels_and_runs_keep_their_options() -> None:
    run = cf.Run.from_lists(
        named([[2, 0], [], [1]]),
        scores=[[0.25, 0.75], [], [0.5]],
        concepts=NAMES,
        name="mine",
        threshold=0.6,
        group="ours",
        tags={"kind": "text"},
    )
    assert run.scores.dense().tolist() == [[0.75, 0, 0.25], [0, 0, 0], [0, 0.5, 0]]
    assert (run.name, run.threshold, run.group, run.tags["kind"]) == ("mine", 0.6, "ours", "text")
    top = cf.Run.from_lists(["sea", "sky"], scores=[0.5, 0.25], concepts=NAMES)
    assert top.scores.dense().tolist() == [[0, 0.5, 0], [0.25, 0, 0]]


def test_float32_scores_stay_float32() -> None:
    scores = [[0.5, 0.25], [], [0.75]]
    for column in (
        pa.array(scores, pa.list_(pa.float32())),
        pl.Series(scores, dtype=pl.List(pl.Float32)),
        [np.array(one, dtype=np.float32) for one in scores],
    ):
        assert cf.Run.from_lists(LISTS, scores=column).scores.values.dtype == np.float32
    assert cf.Run.from_lists(LISTS, scores=scores).scores.values.dtype == np.float64


def test_nothing_at_all_is_an_empty_truth() -> None:
    assert cf.Truth.from_lists([]).shape == (0, 0)
    assert cf.Truth.from_lists([[], []], concepts=NAMES).labels.sum() == 0
    assert cf.Truth.from_lists([None, None], concepts=NAMES).shape == (2, 3)
    assert cf.Run.from_lists([[], []], scores=[[], []], concepts=NAMES).shape == (2, 3)


@pytest.mark.parametrize("form", ["lists", "pandas", "Polars", "Arrow"])
@pytest.mark.parametrize(
    ("lists", "message"),
    [
        ([[0], [3]], "item 'y': 3 is no place among 3 concepts; correct it, or add concepts"),
        ([[0], [1, -1]], "item 'y': -1 is no place among 3 concepts"),
        ([["sky"], [], ["sun"]], "item 'z': 'sun' is not among the concepts 'sky', 'sea', 'peop"),
        ([[0], [1, 1]], "1 cell stored twice, first item 'y', concept 'sea'"),
        ([["sea", "sky", "sea"]], "1 cell stored twice, first item 'x', concept 'sea'"),
        ([[0.5]], "item 'x': 0.5 is no label; labels are whole numbers or names"),
        ([[], [True]], "item 'y': True is no label"),
        ([[0], [1, None]], "item 'y': None is no label"),
        ([[[0]], [[1]]], "item 'x': [0] is no label"),
        ([2**63 - 1], "item 'x': 9223372036854775807 is no place among 3 concepts"),
    ],
)
def test_bad_labels_are_refused_with_their_item(form: str, lists: list[Any], message: str) -> None:
    with refused(message):
        cf.Truth.from_lists(FORMS[form](lists), items="xyz"[: len(lists)], concepts=NAMES)


@pytest.mark.parametrize(
    ("column", "message"),
    [
        ([[0], ["sky"]], "item '1': 'sky' is a name, but others are numbers; write them alike"),
        ([[0], 1], "label lists: number 2 is 1; give each item a list, or each a single one"),
        ([[0], {"sky": 0.5}], "label lists: number 2 is {'sky': 0.5}; give each item a list"),
        ([object()], "label lists: number 1 is <object"),
        ([[0], b"sky"], "label lists: number 2 is b'sky'"),
        ({"sky": [1]}, "label lists are a dict; give one column, with a list for each item"),
        (7, "label lists are a int; give one column"),
        ({("sky",), ("sea",)}, "label lists is a set, which has no order of its own; give a list"),
        (pd.DataFrame({"labels": LISTS}), "label lists are a DataFrame; give one column"),
        (pl.DataFrame({"labels": LISTS}), "label lists are a DataFrame; give one column"),
        ([[2**70]], "item '0': 1180591620717411303424 is below 0 or too large"),
        ([[0], [2_000_000]], "item '1': 2000000 is below 0 or too large; correct it, or name"),
        ([[-1]], "item '0': -1 is below 0 or too large"),
        ([np.array(1)], "label lists hold arrays of no dimension; convert them with tolist"),
        ([np.eye(2)], "item '0': [1.0, 0.0] is no label"),
        (np.array([[1, 0, 1], [0, 1, 0]]), "stored twice, first item '0', concept '1'"),
    ],
)
def test_bad_columns_are_refused_with_the_place(column: Any, message: str) -> None:
    with refused(message):
        cf.Truth.from_lists(column)


@pytest.mark.parametrize("form", ["lists", "pandas", "Polars", "Arrow"])
def test_rows_of_a_0_1_matrix_are_told_where_they_belong(form: str) -> None:
    hint = "if these are rows of a 0/1 matrix, give it to cf.Truth(...)"
    with refused(hint):
        cf.Truth.from_lists(FORMS[form]([[0, 1, 1], [1, 0, 0]]))
    for other in ([[0, 1, 1], [0]], [[0, 2, 2]], [["sky", "sky"]]):
        with pytest.raises(cf.InputError, match="stored twice") as error:
            cf.Truth.from_lists(FORMS[form](other))
        assert hint not in str(error.value)


@pytest.mark.parametrize(
    ("scores", "message"),
    [
        ([[0.5], [], [0.5]], "item '0' has 2 labels and 1 score; give a score for each label"),
        ([[0.5, 0.5], []], "there are scores of 2 items and labels of 3"),
        ([[0.5, "high"], [], [1]], "item '0': 'high' is no score; scores are numbers"),
        ([[0.5, None], [], [1]], "item '0': None is no score"),
        ([[0.5, np.nan], [], [1]], "item '0', concept '2': the score is nan"),
        (pa.array([["a", "b"], [], ["c"]]), "item '0': 'a' is no score"),
    ],
)
def test_bad_scores_are_refused_with_their_item(scores: Any, message: str) -> None:
    with refused(message):
        cf.Run.from_lists(LISTS, scores=scores)


@pytest.mark.parametrize(
    "make",
    [
        lambda: cf.Truth(LISTS),
        lambda: cf.Truth(objects(LISTS)),
        lambda: cf.Run(labels=LISTS),
    ],
)
def test_lists_where_a_matrix_is_wanted_are_refused_with_where_to_go(make: Any) -> None:
    with refused("for lists of label ids use cf.Truth.from_lists"):
        make()
