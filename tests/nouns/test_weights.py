"""Weights: what they do, and which are refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import cranfield as cf
from nouns.small import CASE, S, Y, refused
from problems import scored


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1, 2, 3, 4], "weights of concepts: 4 values for 3 concepts of the truth; give one"),
        ([1, 2, -3], "weights of concepts must be finite, not negative, and not all zero"),
        ([0, 0, 0], "weights of concepts must be finite, not negative, and not all zero"),
        ([1e308, 1e308, 1e308], "weights of concepts add up to less than 1e-290 or more than"),
        ([5e-324, 5e-324, 5e-324], "weights of concepts add up to less than 1e-290 or more than"),
        ([1, np.inf], "weights of items must be finite"),
        ([1, np.nan], "weights of items: 1 item without a value: 'y'; give each item one"),
        (["a", "b", "c"], "weights of concepts must be numbers"),
        (
            {"a": 1, "b": 1},
            "weights of concepts: 1 concept of the truth without a value: 'c'",
        ),
        ({"x": 1, "z": 1}, "weights of items: 1 item not in the truth: 'z'; remove"),
        ({"concepts": [1, 2]}, "weights of concepts: 2 values for 3 concepts of the truth"),
    ],
)
def test_bad_weights_are_refused_with_what_is_wrong(weights: Any, message: str) -> None:
    with refused(message):
        cf.evaluate(
            cf.Truth(Y, items="xy", concepts="abc"), cf.Run(S), "concept.AP", weights=weights
        )


def test_weights_that_fit_both_sides_must_say_which() -> None:
    square = np.eye(3)
    with refused("weights of length 3 fit both items and concepts; say which"):
        cf.score(square, square, "concept.AP", weights=[1, 2, 3])
    assert cf.score(square, square, "concept.AP", weights={"concepts": [1, 2, 3]}) == 1.0


def test_weighted_scores_sign_alike_in_any_order_of_the_truth() -> None:
    weights = dict(zip(CASE.concepts, range(1, 8), strict=True))
    turned = {"items": CASE.items, "concepts": CASE.concepts[::-1]}
    one = scored(CASE.truth(), CASE.run(), "concept.AP", weights=weights)
    other = scored(
        cf.Truth(CASE.labels[:, ::-1], **turned), CASE.run(), "concept.AP", weights=weights
    )
    assert one.value == pytest.approx(other.value, abs=1e-15)
    assert one.signature == other.signature
    heavier = scored(CASE.truth(), CASE.run(), "concept.AP", weights=weights | {"c00": 9})
    assert heavier.signature != one.signature
