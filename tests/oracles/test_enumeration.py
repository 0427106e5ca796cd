"""Tie rules against all orders of tied cells, one by one; dense, sparse and partly missing runs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.typing import NDArray

import cranfield as cf
from oracles.definitions import (
    CONCEPT,
    EXAMPLE,
    NEEDS_EVERY_CELL,
    NEEDS_NEGATIVES,
    by_rule,
    orders,
    precisions_at,
)
from problems import EXACT, sparse

DEFINED = CONCEPT | EXAMPLE


@st.composite
def lists(draw: st.DrawFn) -> tuple[list[float], list[bool], list[bool]]:
    """Scores, labels and which cells were retrieved: at most five cells, three scores."""
    size = draw(st.integers(1, 5))
    column = lambda values: st.lists(values, min_size=size, max_size=size)  # noqa: E731
    scores = draw(column(st.sampled_from([-1.0, 0.0, 2.5])))
    labels = draw(column(st.booleans()))
    stored = draw(st.one_of(st.just([True] * size), column(st.booleans())))
    return scores, labels, stored


def as_matrix(name: str, values: list[float] | list[bool]) -> NDArray[np.float64]:
    """A list as the only concept, or as the only item, of a collection."""
    return np.array([values], dtype=float).T if name.startswith("concept") else np.array([values])


def with_option(name: str, option: str) -> str:
    return f"{name[:-1]},{option})" if name.endswith(")") else f"{name}({option})"


def offered(name: str) -> tuple[str, ...]:
    return cf.measure(name).definition.options["ties"].choices


def rules_of(name: str) -> list[str]:
    return [rule for rule in ("expected", "best", "worst") if rule in offered(name)]


@pytest.mark.parametrize("name", DEFINED)
@given(case=lists())
def test_a_tie_rule_is_what_it_says_over_all_orders(
    name: str, case: tuple[list[float], list[bool], list[bool]]
) -> None:
    scores, labels, stored = case
    assume(any(labels))
    assume(name not in NEEDS_NEGATIVES or not all(labels))
    bottom = name in NEEDS_EVERY_CELL
    values = [DEFINED[name](r) for r in orders(scores, labels, stored, bottom=bottom)]
    matrix = as_matrix(name, scores)
    if not all(stored):
        matrix = sparse(matrix, as_matrix(name, stored) > 0)
    for rule in rules_of(name):
        measure = cf.measure(with_option(name, f"ties={rule}"))
        found = cf.score(as_matrix(name, labels), matrix, measure)
        wanted = by_rule(values, rule, higher_is_better=measure.traits.higher_is_better)
        assert found == pytest.approx(wanted, abs=EXACT), rule


@pytest.mark.parametrize("name", [n for n in DEFINED if "trec" in offered(n)])
@given(case=lists())
def test_trec_breaks_ties_by_descending_id(
    name: str, case: tuple[list[float], list[bool], list[bool]]
) -> None:
    scores, labels, stored = case
    assume(any(labels))
    assume(name not in NEEDS_NEGATIVES or not all(labels))
    assume(name not in NEEDS_EVERY_CELL or all(stored))
    ids = ["b", "é", "a10", "a2", "Z", "z"][: len(scores)]
    side = "items" if name.startswith("concept") else "concepts"
    place = {i: n for n, i in enumerate(sorted(ids, key=str.encode, reverse=True))}
    broken = [score - 1e-3 * place[i] for score, i in zip(scores, ids, strict=True)]
    (strict,) = orders(broken, labels, stored, bottom=False)
    measure = cf.measure(with_option(name, "ties=trec"))
    run = cf.Run(sparse(as_matrix(name, scores), as_matrix(name, stored) > 0), **{side: ids[:]})
    truth = cf.Truth(as_matrix(name, labels), **{side: ids})
    found = cf.evaluate(truth, run, measure)["run", measure]
    assert found == pytest.approx(DEFINED[name](strict), abs=EXACT)


@pytest.mark.parametrize("name", ["concept.AP", "example.AP"])
@given(case=lists(), k=st.integers(1, 6))
def test_precision_at_what_was_retrieved_is_the_mean_over_all_orders(
    name: str, case: tuple[list[float], list[bool], list[bool]], k: int
) -> None:
    scores, labels, stored = case
    assume(any(labels))
    every = orders(scores, labels, stored, bottom=False)
    values = [precisions_at(r, k, r.hits(k)) for r in every]
    run = sparse(as_matrix(name, scores), as_matrix(name, stored) > 0)
    found = cf.score(as_matrix(name, labels), run, f"{name}@{k}(divisor=retrieved)")
    assert found == pytest.approx(np.mean(values), abs=EXACT)


@pytest.mark.parametrize(("rule", "score"), [("best", (1 + 2 / 3) / 2), ("worst", 1.0)])
def test_divided_by_what_was_retrieved_one_more_relevant_cell_may_cost(
    rule: str, score: float
) -> None:
    labels, scores = [1, 0, 1, 0, 0], [0.9, 0.8, 0.5, 0.5, 0.1]
    name = f"concept.AP@3(divisor=retrieved,ties={rule})"
    assert cf.score(labels, scores, name) == pytest.approx(score, abs=EXACT)
    assert cf.score(labels, [0.1, 0.5, 0.1, 0.5, 0.5], name) == 0.0


def test_a_long_tie_at_the_cut_stays_finite() -> None:
    labels = np.arange(20_000) % 2
    found = cf.score(labels, np.zeros(20_000), "concept.AP@9000(divisor=retrieved)")
    assert found == pytest.approx(0.5, abs=1e-3)


@given(case=lists(), rule=st.sampled_from(["exact", "trec9", "trec10"]), points=st.integers(2, 12))
def test_interpolated_precision_takes_the_best_point_at_each_level(
    case: tuple[list[float], list[bool], list[bool]], rule: str, points: int
) -> None:
    scores, labels, stored = case
    assume(any(labels))
    relevant = sum(labels)
    cells = [(s, y) for s, y, here in zip(scores, labels, stored, strict=True) if here]
    ends = [[y for s, y in cells if s >= cut] for cut in {s for s, _ in cells}]
    curve = [(sum(found), sum(found) / len(found)) for found in ends]
    steps = range(points)
    needed = {
        "exact": [-(-step * relevant // (points - 1)) for step in steps],
        "trec9": [int(step / (points - 1) * relevant + 0.9) for step in steps],
        "trec10": [int(step / (points - 1) * relevant + 0.5) for step in steps],
    }[rule]
    best = [max((p for hits, p in curve if hits >= need), default=0.0) for need in needed]
    run = sparse(np.array([scores]).T, np.array([stored]).T)
    found = cf.score(labels, run, f"concept.iAP(points={points},rule={rule})")
    assert found == pytest.approx(np.mean(best), abs=EXACT)
