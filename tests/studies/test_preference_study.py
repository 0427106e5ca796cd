"""Preferences: strengths from comparisons of two, with ties, position and clusters."""

from __future__ import annotations

import math
from typing import Any

import choix
import numpy as np
import pytest
from scipy.optimize import minimize

import cranfield as cf
from cranfield.studies.preferences import PENALTY, preferences

STRENGTHS = {"a": 0.8, "b": 0.1, "c": -0.9}


def drawn(
    seed: int = 0, items: int = 150, *, left: float = 0.0, tie: float | None = None
) -> list[dict[str, Any]]:
    """Every pair both ways round on each item."""
    random = np.random.default_rng(seed)
    rows = []
    for item in range(items):
        for one in STRENGTHS:
            for other in STRENGTHS:
                if one == other:
                    continue
                weights = [math.exp(STRENGTHS[one] + left), math.exp(STRENGTHS[other])]
                if tie is not None:
                    weights.append(math.exp(tie + (STRENGTHS[one] + STRENGTHS[other]) / 2))
                chances = np.array(weights) / sum(weights)
                winner = (one, other, "tie")[random.choice(len(weights), p=chances)]
                rows.append({"item": item, "left": one, "right": other, "winner": winner})
    return rows


def test_without_ties_and_position_strengths_are_those_of_choix() -> None:
    rows = drawn()
    names = list(STRENGTHS)
    data = [
        (
            names.index(row["winner"]),
            names.index(row["left" if row["winner"] == row["right"] else "right"]),
        )
        for row in rows
    ]
    expected = choix.ilsr_pairwise(3, data)
    found = preferences(rows, position="none")
    assert [found.strength(name) for name in names] == pytest.approx(list(expected), abs=1e-6)


def test_with_ties_and_position_strengths_are_where_the_likelihood_is_largest() -> None:
    rows = drawn(1, left=0.4, tie=-0.5)
    names = list(STRENGTHS)

    def loss(parameters: Any) -> float:
        strength = dict(zip(names, [*parameters[:2], -parameters[0] - parameters[1]], strict=True))
        total = 0.0
        for row in rows:
            here, there = strength[row["left"]], strength[row["right"]]
            weights = {
                row["left"]: math.exp(here + parameters[2]),
                row["right"]: math.exp(there),
                "tie": math.exp(parameters[3] + (here + there) / 2),
            }
            total -= math.log(weights[row["winner"]] / sum(weights.values()))
        return total

    best = minimize(loss, np.zeros(4), method="BFGS", options={"gtol": 1e-7})
    found = preferences(rows)
    assert [found.strength("a"), found.strength("b")] == pytest.approx(best.x[:2], abs=1e-4)
    assert (found.fit.left, found.fit.tie) == pytest.approx(tuple(best.x[2:]), abs=1e-4)
    chance, low, high = found.left_chance
    assert low < 1 / (1 + math.exp(-0.4)) < high
    assert chance == pytest.approx(1 / (1 + math.exp(-best.x[2])), abs=1e-4)


def test_strengths_are_corrected_where_a_run_stands_on_the_better_side_more_often() -> None:
    rows = [row for row in drawn(2, 400, left=1.0) if row["left"] == "c" or row["item"] % 4 == 0]
    found = preferences(rows)
    uncorrected = found.uncorrected.strengths[2]
    assert found.strength("c") == pytest.approx(STRENGTHS["c"], abs=0.2)
    assert uncorrected > found.strength("c") + 0.3


def test_copies_of_an_items_judgements_do_not_narrow_intervals() -> None:
    rows = drawn(3, 60)
    once, often = preferences(rows), preferences(rows * 5)
    assert often.rows()[0]["low"] == pytest.approx(once.rows()[0]["low"], abs=1e-6)
    apart = preferences([row | {"item": n} for n, row in enumerate(rows * 5)])
    assert apart.rows()[0]["low"] > once.rows()[0]["low"] + 0.05


def test_intervals_hold_the_strength_as_often_as_they_say() -> None:
    held = 0
    for seed in range(150):
        row = preferences(drawn(seed, 30, left=0.3, tie=-0.5)).rows()[0]
        held += row["low"] <= STRENGTHS["a"] <= row["high"] and row["run"] == "a"
    assert 0.89 <= held / 150 <= 0.99


def test_the_order_of_rows_and_the_way_winners_are_written_never_show() -> None:
    rows = drawn(4, 20, tie=-0.5)
    shuffled = [rows[i] for i in np.random.default_rng(1).permutation(len(rows))]
    sides = [
        row | {"winner": "LEFT" if row["winner"] == row["left"] else row["winner"]}
        for row in shuffled
    ]
    first, second = preferences(rows), preferences(sides)
    assert [first.strength(run) for run in "abc"] == pytest.approx(
        [second.strength(run) for run in "abc"], abs=1e-12
    )


@pytest.mark.parametrize(
    ("rows", "remark"),
    [
        ([("a", "b", "a"), ("b", "a", "a")], "'a' never loses"),
        ([("a", "b", "a"), ("b", "a", "b"), ("c", "d", "c"), ("d", "c", "d")], "nobody compared"),
    ],
)
def test_where_no_finite_strengths_exist_a_penalty_is_taken_and_said(
    rows: list[tuple[str, str, str]], remark: str
) -> None:
    table = [
        {"item": item, "left": left, "right": right, "winner": winner}
        for item in range(6)
        for left, right, winner in rows
    ]
    found = preferences(table)
    assert any(remark in said and "penalty" in said for said in found.result.remarks)
    assert f"penalty={PENALTY:g}" in found.signature
    assert all(math.isfinite(row["strength"]) for row in found.rows())


def test_sides_that_cannot_be_told_from_runs_are_not_corrected_for() -> None:
    rows = [
        {"item": item, "left": "a", "right": "b", "winner": "ab"[item % 3 == 0]}
        for item in range(30)
    ]
    found = preferences(rows)
    assert any("no correction for position" in said for said in found.result.remarks)
    assert found.strength("a") - found.strength("b") == pytest.approx(math.log(2), abs=1e-6)


def test_judges_are_told_apart_by_ties_sides_and_agreement() -> None:
    rows = [row | {"judge": "jo"} for row in drawn(5, 40)]
    rows += [row | {"judge": "lefty", "winner": row["left"]} for row in drawn(6, 20)]
    judges = {row["judge"]: row for row in preferences(rows)._judges()}
    assert judges["lefty"]["left"] == 1.0
    assert judges["jo"]["agreement"] > judges["lefty"]["agreement"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"winner": "z"},
            r"row 2: the winner 'z' was not compared; write a, c, left, right or tie",
        ),
        ({"left": None}, r"row 2: there is no left; fill it in"),
        ({"right": "a"}, r"row 2: 'a' is compared with itself"),
    ],
)
def test_a_row_that_is_wrong_is_named(change: dict[str, Any], message: str) -> None:
    rows = drawn(0, 3)
    rows[1] |= change
    with pytest.raises(cf.InputError, match=message):
        preferences(rows)


def test_tables_that_are_no_comparisons_are_refused() -> None:
    with pytest.raises(cf.InputError, match="no column right and no column winner"):
        preferences({"item": [1], "left": ["a"]})
    with pytest.raises(cf.InputError, match="of one item"):
        preferences(drawn(0, 1))
