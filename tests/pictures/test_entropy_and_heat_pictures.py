"""Joint entropies, conditional entropies by class, and confusion matrices as heat maps."""

from __future__ import annotations

import numpy as np
import pytest
from drawn import layers, marks, svg, titles

import cranfield as cf
from cranfield.report.confusion_pictures import heat_map
from cranfield.report.entropy_pictures import class_entropies_picture, entropy_diagram

PEOPLE = cf.Confusion(
    [[13, 2, 5], [4, 15, 1], [2, 1, 57]], ["woman", "man", "child"], name="people"
)
OTHERS = cf.Confusion(
    [[18, 1, 1], [3, 16, 1], [10, 10, 40]], ["woman", "man", "child"], name="others"
)


def entropy(shares: object) -> float:
    p = np.asarray(shares, dtype=float).ravel()
    p = p[p > 0] / p.sum()
    return float(-(p * np.log(p)).sum())


# ── joint entropy ─────────────────────────────────────────────────────────────────────────────


def test_truth_and_system_overlap_in_the_mutual_information() -> None:
    spec = entropy_diagram([PEOPLE])
    parts = {one["what"]: one for one in marks(spec, "rect")[0]}
    lines = {one["what"]: one for one in marks(spec, "rule")[0]}
    joint, true, said = (
        entropy(PEOPLE.counts),
        entropy(PEOPLE.counts.sum(axis=1)),
        entropy(PEOPLE.counts.sum(axis=0)),
    )
    shared = parts["I(T;S), shared"]
    assert (lines["H(T)"]["from"], lines["H(T)"]["to"]) == (0, pytest.approx(true))
    assert (lines["H(S)"]["from"], lines["H(S)"]["to"]) == pytest.approx((joint - said, joint))
    assert (shared["from"], shared["to"]) == pytest.approx((joint - said, true))
    assert shared["value"] == pytest.approx(true + said - joint, abs=1e-6)
    assert parts["H(T|S), missed"]["value"] == pytest.approx(joint - said, abs=1e-6)
    assert parts["H(S|T), made up"]["value"] == pytest.approx(joint - true, abs=1e-6)
    assert "H(T) = 0.950" in svg(spec)


def test_bits_are_nats_by_the_logarithm_of_two() -> None:
    nats, bits = (marks(entropy_diagram([PEOPLE], base=b), "rule")[0][0] for b in (np.e, 2.0))
    assert bits["value"] == pytest.approx(nats["value"] / np.log(2), abs=1e-6)


def test_a_system_that_says_nothing_and_a_perfect_one_can_be_drawn() -> None:
    silent = cf.Confusion([[3, 0], [4, 0]], ["a", "b"], name="silent")
    perfect = cf.Confusion([[3, 0], [0, 4]], ["a", "b"], name="perfect")
    single = cf.Confusion([[3]], ["a"], name="single")
    svg(entropy_diagram([silent, perfect]))
    svg(entropy_diagram([single]))


# ── by class ──────────────────────────────────────────────────────────────────────────────────


def test_both_entropies_of_each_class_stand_side_by_side() -> None:
    spec = class_entropies_picture([PEOPLE, OTHERS])
    answers, truths = marks(spec, "point")
    for place, row in enumerate(PEOPLE.true):
        (one,) = [p for p in answers if (p["class"], p["system"]) == (row, "people")]
        (two,) = [p for p in truths if (p["class"], p["system"]) == (row, "people")]
        assert one["entropy"] == pytest.approx(entropy(PEOPLE.counts[place]), abs=1e-6)
        assert two["entropy"] == pytest.approx(entropy(PEOPLE.counts[:, place]), abs=1e-6)
    assert len(answers) == len(truths) == 6
    svg(spec)


def test_a_class_that_was_never_said_has_no_mark_on_that_side() -> None:
    never = cf.Confusion([[3, 0], [4, 0]], ["a", "b"], name="never")
    answers, truths = marks(class_entropies_picture([never]), "point")
    assert [one["class"] for one in answers] == ["a", "b"]
    assert [one["class"] for one in truths] == ["a"]


# ── heat maps ─────────────────────────────────────────────────────────────────────────────────


def test_cells_hold_counts_and_shares_of_their_row() -> None:
    spec = heat_map([PEOPLE])
    cells = {(one["true"], one["said"]): one for one in marks(spec, "rect")[0]}
    assert len(cells) == 9
    assert cells["woman", "child"]["count"] == 5
    assert cells["woman", "child"]["percent"] == 25
    assert cells["child", "woman"]["percent"] == pytest.approx(100 * 2 / 60, abs=1e-3)
    assert cells["child", "woman"]["of_said"] == pytest.approx(100 * 2 / 19, abs=1e-3)
    assert {pair for pair, one in cells.items() if one["right"]} == {
        (name, name) for name in PEOPLE.true
    }
    assert ">57<" in svg(spec)


def test_the_diagonal_is_framed_whatever_the_order_of_the_columns() -> None:
    turned = cf.Confusion(PEOPLE.counts[:, ::-1], PEOPLE.true, said=PEOPLE.said[::-1])
    for one in marks(heat_map([turned]), "rect")[0]:
        assert one["right"] == (one["true"] == one["said"])


def test_a_matrix_whose_classes_nobody_can_match_has_no_diagonal() -> None:
    spec = heat_map([cf.Confusion([[3, 4, 5], [1, 2, 3]])])
    assert not any(one["right"] for one in marks(spec, "rect")[0])
    svg(spec)


def test_of_many_classes_the_most_frequent_are_shown_without_numbers() -> None:
    counts = np.diag(np.arange(1, 151))
    spec = heat_map([cf.Confusion(counts, [f"class{n:03}" for n in range(150)])])
    shown = {one["true"] for one in marks(spec, "rect")[0]}
    assert shown == {f"class{n:03}" for n in range(50, 150)}
    assert "the 100 most frequent of 150 true classes, 100 of 150 said" in titles(spec)
    assert not [one for one in layers(spec) if one["mark"]["type"] == "text"]
    svg(spec)


def test_each_system_has_a_map_of_its_own() -> None:
    spec = heat_map([PEOPLE, OTHERS])
    assert [text for text in titles(spec) if text in ("people", "others")] == ["people", "others"]


def test_maps_of_several_systems_stand_in_a_grid_where_there_is_room() -> None:
    (small,) = heat_map([PEOPLE] * 5)["vconcat"]
    assert [len(row["hconcat"]) for row in small["vconcat"]] == [3, 2]
    wide = cf.Confusion(np.eye(60), [f"class{n}" for n in range(60)])
    (large,) = heat_map([wide] * 5)["vconcat"]
    assert [len(row["hconcat"]) for row in large["vconcat"]] == [2, 2, 1]
