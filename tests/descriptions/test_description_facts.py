"""`cf.describe`: the facts of a collection, by hand and against pandas."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cranfield as cf
from problems import Problem, problem, problems, sparse

LABELS = np.array([[1, 1, 0, 0], [1, 1, 0, 0], [1, 0, 1, 0], [0, 0, 0, 0], [1, 0, 0, 0]])
CONCEPTS = ["sky", "sea", "cat", "snow"]


@pytest.fixture(params=[np.array, sparse], ids=["dense", "sparse"])
def facts(request: pytest.FixtureRequest) -> cf.collections.Description:
    return cf.describe(cf.Truth(request.param(LABELS), items="abcde", concepts=CONCEPTS))


# ── sizes ─────────────────────────────────────────────────────────────────────────────────────


def test_cardinality_is_labels_by_items_and_density_by_cells(
    facts: cf.collections.Description,
) -> None:
    assert (facts.items, facts.concepts, facts.labels) == (5, 4, 7)
    assert facts.cardinality == 7 / 5
    assert facts.density == 7 / 20


def test_density_is_the_mean_generality_of_concepts() -> None:
    labels = problem(3).labels
    generality = cf.score(labels, labels, "concept.generality(undefined=0)")
    assert cf.describe(cf.Truth(labels)).density == pytest.approx(generality, abs=1e-15)


def test_the_empty_label_set_is_a_set_like_any_other(facts: cf.collections.Description) -> None:
    assert facts.distinct == 4
    assert facts.distinct_share == 4 / 5
    assert facts.unlabelled == ("d",)
    assert facts.set_sizes == {0: 1, 1: 1, 2: 3}


def test_most_frequent_sets_come_first_and_among_equals_the_smaller(
    facts: cf.collections.Description,
) -> None:
    assert facts.most_frequent_sets() == (
        (("sea", "sky"), 2),
        ((), 1),
        (("sky",), 1),
        (("cat", "sky"), 1),
    )
    assert facts.most_frequent_sets(2) == facts.most_frequent_sets()[:2]
    assert facts.most_frequent_sets(0) == ()


def test_a_collection_without_items_leaves_shares_undefined() -> None:
    nothing = cf.describe(cf.Truth(np.zeros((0, 2))))
    assert (nothing.cardinality, nothing.density, nothing.distinct_share) == (None, None, None)
    assert (nothing.distinct, nothing.set_sizes) == (0, {})
    assert nothing.frame["frequency"].to_list() == [None, None]
    assert json.loads(nothing.to_json())["cardinality"] is None


# ── concepts ──────────────────────────────────────────────────────────────────────────────────


def test_imbalance_is_the_most_frequent_concept_by_each(facts: cf.collections.Description) -> None:
    assert facts.positives.tolist() == [4, 2, 1, 0]
    assert facts.frequency.tolist() == [4 / 5, 2 / 5, 1 / 5, 0.0]
    assert facts.frame["imbalance"].to_list() == [1.0, 2.0, 4.0, None]


def test_mean_imbalance_leaves_out_concepts_without_positives(
    facts: cf.collections.Description,
) -> None:
    assert facts.mean_imbalance == 7 / 3
    assert facts.imbalance_variation == pytest.approx(np.std([1, 2, 4], ddof=1) / (7 / 3))
    assert facts.to_dict()["imbalance"]["undefined"] == 1


def test_imbalance_of_nothing_and_of_one_concept_is_undefined() -> None:
    assert cf.describe(cf.Truth(np.zeros((3, 2)))).mean_imbalance is None
    alone = cf.describe(cf.Truth(np.ones((3, 1))))
    assert (alone.mean_imbalance, alone.imbalance_variation) == (1.0, None)


JUDGED = np.array([[1, 1, 1, 0], [1, 1, 0, 0], [1, 1, 1, 1], [0, 1, 1, 1], [1, 1, 1, 1]])
POOL = np.array([[1, 1, 1, 1], [1, 1, 1, 0], [1, 1, 1, 1], [1, 1, 1, 1], [1, 1, 1, 1]])


@pytest.mark.parametrize("form", [np.array, sparse])
def test_cells_are_judged_unjudged_or_outside_the_pool(form: Any) -> None:
    truth = cf.Truth(form(LABELS), judged=form(JUDGED), pool=form(POOL))
    facts = cf.describe(truth)
    assert facts.judged.tolist() == [4, 5, 4, 3]
    assert facts.unjudged.tolist() == [1, 0, 1, 1]
    assert facts.outside.tolist() == [0, 0, 0, 1]
    assert facts.unjudged_share == 3 / 20
    states = truth.states
    assert facts.unjudged.tolist() == (states == cf.State.UNJUDGED).sum(axis=0).tolist()
    assert facts.outside.tolist() == (states == cf.State.OUTSIDE).sum(axis=0).tolist()


@pytest.mark.parametrize("form", [np.array, sparse])
def test_grades_are_counted_among_judged_cells(form: Any) -> None:
    grades = LABELS * np.array([3, 1, 1, 1])
    facts = cf.describe(cf.Truth(grades=form(grades), judged=form(JUDGED)))
    assert facts.grades == {0: 16 - 7, 1: 3, 3: 4}
    assert cf.describe(cf.Truth(LABELS)).grades is None


def test_descriptions_introduce_themselves(facts: cf.collections.Description) -> None:
    assert "cardinality" in repr(facts)
    both = cf.overlap(facts.collection, facts.collection)
    assert "collection (1) and collection (2)" in repr(both)


def test_readable_names_stand_beside_ids() -> None:
    collection = cf.Collection(
        cf.Truth(LABELS, concepts=CONCEPTS), "photos", descriptions={"sky": "Blue sky"}
    )
    facts = cf.describe(collection)
    assert facts.name == "photos"
    assert facts.names == {"sky": "Blue sky", "sea": "sea", "cat": "cat", "snow": "snow"}
    assert facts.frame["name"].to_list() == ["Blue sky", None, None, None]


# ── forms ─────────────────────────────────────────────────────────────────────────────────────


def test_json_holds_what_the_description_says(facts: cf.collections.Description) -> None:
    told = json.loads(facts.to_json())
    assert told["labels"] == 7
    sets = told["label_sets"]
    assert sets["items_by_size"] == {"0": 1, "1": 1, "2": 3}
    assert (sets["smallest"], sets["largest"], sets["without_labels"]) == (0, 2, 1)
    assert told["label_sets"]["most_frequent"][0] == {"concepts": ["sea", "sky"], "items": 2}
    assert told["by_concept"] == facts.frame.to_dicts()
    assert told["cooccurrence"]["strongest"] == facts.cooccurrence.pairs.to_dicts()
    assert len(cf.describe(facts.collection, pairs=1).to_dict()["cooccurrence"]["strongest"]) == 1


@pytest.mark.parametrize("form", [np.array, np.ndarray.tolist, sparse, pd.DataFrame, pl.DataFrame])
def test_whatever_makes_a_truth_is_described(form: Any) -> None:
    told = cf.describe(form(LABELS)).to_dict()
    truth = cf.describe(cf.Truth(form(LABELS))).to_dict()
    assert told == truth
    assert told["labels"] == 7


@pytest.mark.parametrize("given", [cf.Run(labels=LABELS), None, "truth.csv", Path("truth.csv")])
@pytest.mark.parametrize("function", [cf.describe, lambda given: cf.split(given, [0.5, 0.5])])
def test_what_is_no_truth_is_refused(function: Any, given: Any) -> None:
    with pytest.raises(cf.InputError, match="a Truth or a matrix of labels is needed, not"):
        function(given)


def pandas_facts(labels: np.ndarray) -> dict[str, Any]:
    frame = pd.DataFrame(labels.astype(int))
    return {
        "cardinality": frame.sum(axis=1).mean(),
        "density": frame.mean().mean(),
        "distinct": len(frame.drop_duplicates()),
        "sizes": frame.sum(axis=1).value_counts().sort_index().to_dict(),
        "positives": frame.sum().tolist(),
    }


@given(problems(items=12, concepts=11))
def test_facts_are_those_of_pandas_dense_and_sparse(drawn: Problem) -> None:
    expected = pandas_facts(drawn.labels)
    for labels in (drawn.labels, sparse(drawn.labels)):
        facts = cf.describe(cf.Truth(labels))
        assert facts.cardinality == pytest.approx(expected["cardinality"], abs=1e-12)
        assert facts.density == pytest.approx(expected["density"], abs=1e-12)
        assert facts.distinct == expected["distinct"]
        assert facts.set_sizes == expected["sizes"]
        assert facts.positives.tolist() == expected["positives"]


@given(problems(items=9, concepts=6), st.randoms(use_true_random=False))
def test_the_order_of_items_and_concepts_changes_nothing(drawn: Problem, chance: Any) -> None:
    rows, columns = list(range(drawn.shape[0])), list(range(drawn.shape[1]))
    chance.shuffle(rows)
    chance.shuffle(columns)
    moved = cf.Truth(
        drawn.labels[rows][:, columns],
        items=[drawn.items[row] for row in rows],
        concepts=[drawn.concepts[column] for column in columns],
    )
    told, again = (cf.describe(truth).to_dict() for truth in (drawn.truth(), moved))
    for one in (told, again):
        one["by_concept"].sort(key=lambda row: row["concept"])
        odd = one["oddities"]
        one["oddities"] = {key: sorted(map(str, map(sorted, odd[key]))) for key in odd}
    assert told == again
