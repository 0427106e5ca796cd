"""What queries find, held against plain Python that looks at one item after the other."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from functools import partial, reduce
from typing import Any

import numpy as np
import pytest
from drawn_queries import every, expressions, means, opposite, some
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import sparse

import cranfield as cf
from cranfield.collections.collection import Collection
from cranfield.core.matrices import Cells, dense
from cranfield.core.truth import State
from cranfield.tasks.retrieval.query_language import Expression

CONCEPTS = ["sea", "sky", "person", "big dog"]
ITEMS = 12
Graded = Callable[[list[float]], float]

kleene = partial(means, opposite=opposite, every=every, some=some)
fuzzy = partial(means, opposite=lambda s: 1 - s, every=min, some=max)
probable = partial(
    means,
    opposite=lambda s: 1 - s,
    every=math.prod,
    some=lambda values: reduce(lambda s, t: s + t - s * t, values),
)


def refused(message: str) -> pytest.RaisesExc[cf.InputError]:
    return pytest.raises(cf.InputError, match=re.escape(message))


def states(seed: int) -> NDArray[np.int8]:
    """Every state of a cell, the unknown ones not too rare."""
    return np.random.default_rng(seed).choice(
        np.array([-2, -1, 0, 0, 1, 1, 1], dtype=np.int8), size=(ITEMS, len(CONCEPTS))
    )


def truth_of(cells: NDArray[np.int8], **options: Any) -> cf.Truth:
    return cf.Truth(
        cells == State.POSITIVE,
        judged=cells >= State.NEGATIVE,
        pool=cells >= State.UNJUDGED,
        concepts=CONCEPTS,
        items=[f"i{n}" for n in range(len(cells))],
        **options,
    )


def confidences(seed: int, *, levels: int = 5) -> NDArray[np.float64]:
    rng = np.random.default_rng(seed)
    return rng.integers(0, levels + 1, size=(ITEMS, len(CONCEPTS))) / levels


def by_name(row: NDArray[Any]) -> dict[str, Any]:
    return dict(zip(CONCEPTS, row.tolist(), strict=True))


# ── truths ────────────────────────────────────────────────────────────────────────────────────


@given(expressions(CONCEPTS), st.integers(0, 99), st.booleans())
def test_the_truth_of_a_query_is_three_valued(
    expression: Expression, seed: int, stored_sparsely: bool
) -> None:
    cells = states(seed)
    truth = truth_of(cells)
    if stored_sparsely:
        truth = cf.Truth(
            sparse.coo_array(truth.labels),
            judged=sparse.coo_array(dense(truth.judged)) if truth.judged is not None else None,
            concepts=CONCEPTS,
            items=truth.items,
        )
    found = cf.search(truth, cf.Query(expression))
    assert isinstance(found.matrix, Cells) == stored_sparsely
    known = {1: True, 0: False, -1: None, -2: None}
    for row, state in zip(cells, found.states[:, 0].tolist(), strict=True):
        labels = {name: known[value] for name, value in by_name(row).items()}
        assert kleene(expression, labels) == known[state]


@given(expressions(CONCEPTS), st.integers(0, 99))
def test_unknown_is_outside_the_pool_where_one_of_the_concepts_is(
    expression: Expression, seed: int
) -> None:
    cells = states(seed)
    query = cf.Query(expression)
    for row, state in zip(cells, cf.search(truth_of(cells), query).states[:, 0], strict=True):
        if state < State.NEGATIVE:
            outside = any(by_name(row)[name] == State.OUTSIDE for name in query.concepts)
            assert (state == State.OUTSIDE) == outside


def test_sets_of_items_are_what_set_algebra_says() -> None:
    labels = np.random.default_rng(7).random((40, 3)) < 0.5
    truth = cf.Truth(labels, concepts=["sea", "sky", "person"])
    sea, sky, person = ({int(i) for i in np.flatnonzero(column)} for column in labels.T)
    queries = {
        "sea AND sky AND NOT person": (sea & sky) - person,
        "sea OR sky AND person": sea | (sky & person),
        "NOT (sea OR sky)": set(range(40)) - sea - sky,
    }
    found = cf.search(truth, list(queries))
    assert found.concepts == tuple(queries)
    for column, wanted in zip(found.labels.T, queries.values(), strict=True):
        assert set(np.flatnonzero(column).tolist()) == wanted


def test_a_truth_keeps_its_items_and_its_rule_for_unjudged_cells() -> None:
    truth = truth_of(states(1), unjudged="exclude")
    found = cf.search(truth, {"q1": "sea"})
    assert (found.items, found.concepts, found.unjudged) == (truth.items, ("q1",), "exclude")
    np.testing.assert_array_equal(found.states[:, 0], truth.states[:, 0])


def test_a_truth_that_is_wholly_judged_stays_so() -> None:
    found = cf.search(cf.Truth([[1, 0], [0, 1]], concepts=["a", "b"]), "a AND NOT b")
    assert found.judged is None
    assert found.pool is None


def test_an_open_truth_stays_open_and_not_knows_nothing_of_strangers() -> None:
    judged = sparse.coo_array(([1, 0, 1], ([0, 1, 2], [0, 0, 1])), shape=(3, 2))
    truth = cf.Truth(judged, items=["a", "b", "c"], concepts=["sea", "sky"], open=True)
    found = cf.search(truth, ["NOT sea", "sea OR sky"])
    assert found.open
    assert found.states.tolist() == [[0, 1], [1, -2], [-2, 1]]
    run = cf.Run(
        sparse.coo_array(([0.9, 0.5], ([0, 1], [0, 0])), shape=(2, 2)),
        items=["a", "stranger"],
        concepts=["sea", "sky"],
        name="r",
    )
    result = cf.evaluate(found, cf.search(run, ["NOT sea", "sea OR sky"]), "concept.P@1")
    assert result.units("r", "concept.P@1").tolist() == [0.0, 1.0]


def test_codes_of_concepts_may_be_called_by_what_they_mean() -> None:
    collection = Collection(
        cf.Truth([[1, 0], [1, 1]], concepts=["/m/1", "/m/2"]),
        descriptions={"/m/1": "Sea", "/m/2": "Big dog"},
    )
    found = cf.search(collection, "sea AND NOT 'big dog'")
    assert found.labels[:, 0].tolist() == [True, False]


# ── runs ──────────────────────────────────────────────────────────────────────────────────────


@given(expression=expressions(CONCEPTS), seed=st.integers(0, 99))
@pytest.mark.parametrize(("combine", "rule"), [("min", fuzzy), ("product", probable)])
def test_graded_search_follows_its_formula(
    expression: Expression, seed: int, combine: Any, rule: Any
) -> None:
    scores = confidences(seed)
    found = cf.search(cf.Run(scores, concepts=CONCEPTS), cf.Query(expression), combine=combine)
    wanted = [rule(expression, by_name(row)) for row in scores]
    assert isinstance(found.scores, np.ndarray)
    np.testing.assert_allclose(found.scores[:, 0], wanted, atol=1e-12)
    assert found.range[0] >= 0
    assert found.range[1] <= 1


@given(expressions(CONCEPTS), st.integers(0, 99), st.booleans())
def test_decisions_follow_boole_in_every_search(
    expression: Expression, seed: int, stored_sparsely: bool
) -> None:
    scores = confidences(seed)
    stored = sparse.coo_array(scores) if stored_sparsely else scores
    run = cf.Run(stored, concepts=CONCEPTS, threshold=0.4)
    wanted = [kleene(expression, by_name(row >= 0.4)) for row in scores]
    for combine in ("min", "product", "boolean"):
        found = cf.search(run, cf.Query(expression), combine=combine)
        assert dense(found.assigned)[:, 0].tolist() == wanted
        assert isinstance(found.assigned, Cells) == stored_sparsely
        assert (found.scores is None) == (combine == "boolean")


@given(expressions(CONCEPTS), st.integers(0, 99))
def test_what_nobody_retrieved_ranks_as_zero_or_is_absent(
    expression: Expression, seed: int
) -> None:
    scores = confidences(seed)
    whole = cf.search(cf.Run(scores, concepts=CONCEPTS), cf.Query(expression)).scores
    found = cf.search(cf.Run(sparse.coo_array(scores), concepts=CONCEPTS), cf.Query(expression))
    assert isinstance(found.scores, Cells)
    np.testing.assert_allclose(dense(found.scores), whole, atol=1e-15)


def test_and_needs_all_retrieved_or_needs_one_and_not_needs_none() -> None:
    cells = sparse.coo_array(([0.9, 0.0, 0.3], ([0, 0, 1], [0, 1, 1])), shape=(3, 2))
    run = cf.Run(cells, concepts=["sea", "sky"])
    queries = ["sea AND sky", "sea OR sky", "sky AND NOT sea", "NOT sea", "NOT NOT sea"]
    for combine in ("min", "product"):
        found = cf.search(run, queries, combine=combine)
        assert isinstance(found.scores, Cells)
        retrieved = {name: [] for name in queries}
        for row, column in zip(found.scores.rows, found.scores.columns, strict=True):
            retrieved[queries[column]].append(int(row))
        assert list(retrieved.values()) == [[0], [0, 1], [0, 1], [0, 1, 2], [0]]
        assert dense(found.scores)[:, 3].tolist() == [1 - 0.9, 1.0, 1.0]


def test_a_concept_that_a_run_lacks_is_refused_or_absent() -> None:
    run = cf.Run([[0.9], [0.2]], concepts=["sea"], name="r")
    with refused("run 'r': query sea OR >>>sky<<<, character 8: there is no concept 'sky'"):
        cf.search(run, "sea OR sky")
    found = cf.search(run, ["sea OR sky", "sea AND sky", "sea AND NOT sky"], missing="absent")
    assert isinstance(found.scores, Cells)
    assert found.scores.codes.tolist() == [0, 2, 3, 5]
    assert dense(found.scores).tolist() == [[0.9, 0, 0.9], [0.2, 0, 0.2]]
    assert dense(found.assigned)[:, 0].tolist() == [True, False]


def test_float32_stays_float32_and_bools_stay_decisions() -> None:
    scores = confidences(3).astype(np.float32)
    for combine in ("min", "product"):
        found = cf.search(cf.Run(scores, concepts=CONCEPTS), "NOT sea OR sky", combine=combine)
        assert found.scores.dtype == np.float32
    decided = cf.search(cf.Run(labels=scores > 0.5, concepts=CONCEPTS), "sea AND sky")
    assert decided.scores is None
    assert decided.labels is not None


def test_a_run_keeps_its_name_group_and_tags() -> None:
    run = cf.Run(confidences(1), concepts=CONCEPTS, name="n", group="g", tags={"a": "b"})
    found = cf.search(run, "sea")
    assert (found.name, found.group, found.tags) == ("n", "g", {"a": "b"})


def test_a_query_of_one_concept_leaves_its_scores_untouched() -> None:
    scores = np.random.default_rng(1).normal(size=(9, 4))
    for combine in ("min", "product"):
        found = cf.search(cf.Run(scores, concepts=CONCEPTS), "sky", combine=combine)
        np.testing.assert_array_equal(found.scores[:, 0], scores[:, 1])


# ── invariances ───────────────────────────────────────────────────────────────────────────────


@given(expressions(CONCEPTS), st.integers(0, 99))
def test_neither_rows_nor_columns_nor_the_order_of_words_matter(
    expression: Expression, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    rows, columns = rng.permutation(ITEMS), rng.permutation(len(CONCEPTS))
    cells, scores = states(seed), rng.random((ITEMS, len(CONCEPTS)))
    names = [CONCEPTS[place] for place in columns]
    moved = (cells[rows][:, columns], scores[rows][:, columns])
    turned = cf.Query(_turned(expression))
    one = cf.search(
        cf.Truth(cells == 1, judged=cells >= 0, concepts=CONCEPTS), cf.Query(expression)
    )
    other = cf.search(cf.Truth(moved[0] == 1, judged=moved[0] >= 0, concepts=names), turned)
    np.testing.assert_array_equal(one.states[rows], other.states)
    for combine in ("min", "product"):
        here = cf.search(cf.Run(scores, concepts=CONCEPTS), cf.Query(expression), combine=combine)
        there = cf.search(cf.Run(moved[1], concepts=names), turned, combine=combine)
        np.testing.assert_array_equal(here.scores[rows], there.scores)


def _turned(expression: Expression) -> Expression:
    """The same said from right to left."""
    if hasattr(expression, "parts"):
        return type(expression)(tuple(_turned(part) for part in reversed(expression.parts)))
    if hasattr(expression, "part"):
        return type(expression)(_turned(expression.part))
    return expression


def test_a_perfect_annotator_serves_every_search_perfectly() -> None:
    labels = np.random.default_rng(5).random((60, 4)) < 0.5
    truth = cf.Truth(labels, concepts=CONCEPTS)
    run = cf.Run(labels.astype(float), concepts=CONCEPTS, name="r")
    queries = ["sea AND sky", "sea AND NOT person", "sea OR 'big dog'", "NOT sky"]
    measures = ["concept.AP", "concept.F", "concept.AUC"]
    for combine in ("min", "product", "boolean"):
        found = cf.search(run, queries, combine=combine)
        result = cf.evaluate(cf.search(truth, queries), found, measures)
        assert [result["r", one] for one in measures] == [1, 1, 1]


# ── what cannot be done ───────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("query", "combine", "message"),
    [
        ("sea AND NOT sky", "min", "in the query sea AND NOT sky NOT takes 1 − s"),
        ("sea AND sky", "product", "product multiplies"),
        ("sea", "boolean", "and no threshold"),
    ],
)
def test_scores_outside_0_and_1_are_refused_where_they_mean_nothing(
    query: str, combine: Any, message: str
) -> None:
    run = cf.Run(confidences(2) * 8 - 3, concepts=CONCEPTS, name="wide")
    with refused("run 'wide' has scores from -3 to 5, outside [0, 1]") as error:
        cf.search(run, query, combine=combine)
    assert message in str(error.value)


def test_minimum_and_maximum_take_any_scores_but_know_no_decisions() -> None:
    scores = confidences(2) * 8 - 3
    found = cf.search(cf.Run(scores, concepts=CONCEPTS), "sea AND sky OR person")
    wanted = np.maximum(np.minimum(scores[:, 0], scores[:, 1]), scores[:, 2])
    np.testing.assert_array_equal(found.scores[:, 0], wanted)
    assert found.labels is None


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"combine": "mean"}, "combine='mean'; choose 'min', 'product', 'boolean'"),
        ({"missing": "zero"}, "missing='zero'"),
    ],
)
def test_wrong_options_are_refused(options: dict[str, Any], message: str) -> None:
    with refused(message):
        cf.search(cf.Run([[0.5]], concepts=["sea"]), "sea", **options)


def test_only_truths_and_runs_are_searched() -> None:
    with refused("a Collection, a Truth or a Run is searched, not a list"):
        cf.search([[1]], "sea")


@pytest.mark.parametrize("combine", ["min", "product", "boolean"])
def test_not_finds_items_that_a_run_never_mentions(combine: Any) -> None:
    cells = sparse.csr_array([[0.9, 0.0], [0.0, 0.0], [0.0, 0.4], [0.8, 0.0]])
    whole = cf.Run(cells, items="abcd", concepts=["sky", "sea"])
    listed = cf.Run(cells[[0, 2, 3]], items="acd", concepts=["sky", "sea"])
    asked = ["NOT sky", "sky OR NOT sea", "NOT (sky OR sea)"]
    wanted = cf.search(whole, asked, combine=combine)
    found = cf.search(listed, asked, combine=combine, items="abcd")
    truth = cf.Truth(np.eye(4, 3), items="abcd", concepts=asked)
    for run in (wanted, found):
        run.name = "one"
    ours, theirs = (cf.evaluate(truth, run, ["concept.AP", "concept.F"]) for run in (found, wanted))
    assert [*ours.frame.rows()] == [*theirs.frame.rows()]
    assert set(found.items) == set("abcd")
