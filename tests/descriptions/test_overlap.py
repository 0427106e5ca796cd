"""`cf.overlap`: two collections side by side."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cranfield as cf
from problems import Problem, problems, sparse

FORMS = pytest.mark.parametrize("form", [np.array, sparse], ids=["dense", "sparse"])


def vocabulary(*concepts: str, **names: str) -> cf.Collection:
    """A collection of nothing but concepts."""
    return cf.Collection(cf.Truth(np.zeros((1, len(concepts))), concepts=concepts), **names)


# ── concepts ──────────────────────────────────────────────────────────────────────────────────


def test_equal_ids_are_the_same_concept_and_others_nearly_match() -> None:
    both = cf.overlap(
        vocabulary("Sky", "Park_Garden", "Still-Life", "snow"),
        vocabulary("still life", "Sky", "park garden", "cat", "dog"),
    )
    assert both.partners == (
        ("Sky", "Sky", "exact"),
        ("Park_Garden", "park garden", "near"),
        ("Still-Life", "still life", "near"),
    )
    assert (both.exact, both.near) == (1, 2)
    assert both.coverage == (3 / 4, 3 / 5)
    assert both.exact_coverage == (1 / 4, 1 / 5)


def test_readable_names_match_where_ids_are_codes() -> None:
    one = cf.Collection(
        cf.Truth(np.zeros((1, 2)), concepts=["/m/01", "/m/02"]),
        descriptions={"/m/01": "Traffic light", "/m/02": "Cat"},
    )
    assert cf.overlap(one, vocabulary("traffic_light", "dog")).partners == (
        ("/m/01", "traffic_light", "near"),
    )


def test_a_near_match_must_be_the_only_one() -> None:
    assert cf.overlap(vocabulary("Sky", "SKY"), vocabulary("sky")).partners == ()
    assert cf.overlap(vocabulary("Sky", "sky"), vocabulary("sky")).partners == (
        ("sky", "sky", "exact"),
    )


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_frames_are_compared_by_the_names_of_their_columns(frame: Any) -> None:
    both = cf.overlap(frame({"sky": [1, 0], "sea": [0, 1]}), frame({"sky": [1], "cat": [0]}))
    assert both.partners == (("sky", "sky", "exact"),)


def test_collections_without_ids_of_concepts_cannot_be_compared() -> None:
    with pytest.raises(cf.InputError, match=r"has no ids of concepts.*name them with concepts="):
        cf.overlap(cf.Truth([[1]]), vocabulary("sky"))


def test_nothing_covers_nothing() -> None:
    assert cf.overlap(vocabulary(), vocabulary("sky")).coverage == (None, 0.0)


# ── items and labels ──────────────────────────────────────────────────────────────────────────


@FORMS
def test_labels_of_shared_cells_are_compared_whatever_their_order(form: Any) -> None:
    one = cf.Truth(form(np.array([[1, 0], [1, 1], [0, 0]])), items="abc", concepts=["sky", "sea"])
    other = cf.Truth(
        form(np.array([[1, 0, 1], [0, 1, 1]])), items="ba", concepts=["Sea", "cat", "sky"]
    )
    both = cf.overlap(one, other)
    assert both.items == ("a", "b")
    # a: sky 1 1, sea 0 0; b: sky 1 1, sea 1 1
    assert both.compared.tolist() == [2, 2]
    assert both.agreement == 1.0
    flipped = cf.overlap(
        one, cf.Truth(form(np.array([[0, 0]])), items="b", concepts=["sky", "cat"])
    )
    assert (flipped.agreement, flipped.compared.tolist()) == (0.0, [1])


@FORMS
def test_only_cells_that_both_judged_are_compared(form: Any) -> None:
    names = {"items": "ab", "concepts": ["sky", "sea"]}
    one = cf.Truth(
        form(np.array([[1, 0], [0, 1]])), judged=form(np.array([[1, 1], [0, 1]])), **names
    )
    other = cf.Truth(
        form(np.array([[1, 1], [0, 0]])), judged=form(np.array([[1, 1], [1, 0]])), **names
    )
    both = cf.overlap(one, other)
    assert both.compared.tolist() == [1, 1]
    assert both.equal.tolist() == [1, 0]
    assert both.agreement == 1 / 2


def test_without_item_ids_nobody_knows_which_items_are_shared() -> None:
    both = cf.overlap(vocabulary("sky"), vocabulary("sky"))
    assert both.items is None
    assert both.agreement is None
    assert both.to_dict()["overlap"]["shared_items"] is None


@given(problems(items=7, concepts=5), problems(items=7, concepts=5), st.data())
def test_agreement_is_that_of_a_loop_over_cells(one: Problem, other: Problem, data: Any) -> None:
    masks = []
    for drawn in (one, other):
        judged = data.draw(st.lists(st.booleans(), min_size=drawn.labels.size, max_size=10**3))
        mask = np.array(judged[: drawn.labels.size]).reshape(drawn.shape) | drawn.labels
        masks.append(mask)
    compared = equal = 0
    for row, item in enumerate(one.items):
        for column, concept in enumerate(one.concepts):
            if item in other.items and concept in other.concepts:
                there = other.items.index(item), other.concepts.index(concept)
                if masks[0][row, column] and masks[1][there]:
                    compared += 1
                    equal += bool(one.labels[row, column] == other.labels[there])
    for left in (np.array, sparse):
        for right in (np.array, sparse):
            both = cf.overlap(
                cf.Truth(left(one.labels), judged=left(masks[0]), **one.ids),
                cf.Truth(right(other.labels), judged=left(masks[1]), **other.ids),
            )
            assert (both.compared.sum(), both.equal.sum()) == (compared, equal)


# ── forms ─────────────────────────────────────────────────────────────────────────────────────


def test_the_frame_lists_concepts_of_both_each_once() -> None:
    one = cf.Truth([[1, 0], [1, 1]], items="ab", concepts=["sky", "Sea"])
    other = cf.Truth([[1, 1, 0]], items="b", concepts=["cat", "sea", "sky"])
    frame = cf.overlap(one, other).frame
    assert frame.rows() == [
        ("sky", "sky", "exact", 1.0, 0.0, 1, 0.0),
        ("Sea", "sea", "near", 0.5, 1.0, 1, 1.0),
        (None, "cat", None, None, 1.0, None, None),
    ]


def test_json_names_two_collections_apart_even_if_they_are_called_the_same() -> None:
    told = json.loads(
        cf.overlap(vocabulary("sky", name="x"), vocabulary("sky", name="x")).to_json()
    )
    assert told["overlap"]["collections"] == ["x (1)", "x (2)"]
    assert told["overlap"]["coverage"] == [1.0, 1.0]


@given(
    st.permutations(["Sky", "sky ", "park_garden", "Sea"]),
    st.permutations(["SKY", "sea", "Park Garden"]),
)
def test_partners_do_not_depend_on_the_order_of_concepts(one: Any, other: Any) -> None:
    assert {
        (p.one, p.other) for p in cf.overlap(vocabulary(*one), vocabulary(*other)).partners
    } == {
        ("park_garden", "Park Garden"),
        ("Sea", "sea"),
    }
