"""Joint entropies, conditional entropies by class, and confusion matrices as heat maps."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from drawn import marks, svg

import cranfield as cf
from cranfield.show.vega import page_of
from cranfield.tasks.classes import class_charts
from cranfield.tasks.classes.class_charts import class_entropy_charts, heat_maps

PEOPLE = cf.Confusion(
    [[13, 2, 5], [4, 15, 1], [2, 1, 57]], ["woman", "man", "child"], name="people"
)
OTHERS = cf.Confusion(
    [[18, 1, 1], [3, 16, 1], [10, 10, 40]], ["woman", "man", "child"], name="others"
)


def entropy_diagram(systems: Any, **options: Any) -> Any:
    return page_of([class_charts.entropy_diagram(systems, **options)])


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


def test_both_entropies_of_each_class_are_drawn() -> None:
    charts = class_entropy_charts([PEOPLE, OTHERS])
    answers, truths = (chart.rows for chart in charts)
    for index, row in enumerate(PEOPLE.true):
        (one,) = [p for p in answers if (p["class"], p["system"]) == (row, "people")]
        (two,) = [p for p in truths if (p["class"], p["system"]) == (row, "people")]
        assert one["entropy"] == pytest.approx(entropy(PEOPLE.counts[index]), abs=1e-6)
        assert two["entropy"] == pytest.approx(entropy(PEOPLE.counts[:, index]), abs=1e-6)
    assert len(answers) == len(truths) == 6
    svg(page_of(charts))


def test_a_class_that_was_never_said_has_no_mark_on_that_side() -> None:
    never = cf.Confusion([[3, 0], [4, 0]], ["a", "b"], name="never")
    answers, truths = (chart.rows for chart in class_entropy_charts([never]))
    assert [one["class"] for one in answers] == ["a", "b"]
    assert [one["class"] for one in truths] == ["a"]


# ── heat maps ─────────────────────────────────────────────────────────────────────────────────


def test_cells_hold_counts_and_shares_of_their_row() -> None:
    (chart,) = heat_maps([PEOPLE])
    cells = {(one["true"], one["predicted"]): one for one in chart.rows}
    assert len(cells) == 9
    assert cells["woman", "child"]["count"] == 5
    assert cells["woman", "child"]["percent of true"] == 25
    share = cells["child", "woman"]
    assert share["percent of true"] == pytest.approx(100 * 2 / 60, abs=1e-3)
    assert share["percent of predicted"] == pytest.approx(100 * 2 / 19, abs=1e-3)
    assert ">57<" in svg(page_of([chart]))


def test_a_matrix_whose_classes_nobody_can_match_is_drawn_as_it_is() -> None:
    (chart,) = heat_maps([cf.Confusion([[3, 4, 5], [1, 2, 3]])])
    assert len(chart.rows) == 6
    svg(page_of([chart]))


def test_of_many_classes_the_most_frequent_are_shown_without_numbers() -> None:
    counts = np.diag(np.arange(1, 151))
    (chart,) = heat_maps([cf.Confusion(counts, [f"class{n:03}" for n in range(150)])])
    assert {one["true"] for one in chart.rows} == {f"class{n:03}" for n in range(50, 150)}
    assert "the 100 most frequent of 150 true classes, 100 of 150 predicted" in chart.subtitle
    assert not any(one["label"] for one in chart.rows)
    svg(page_of([chart]))


def test_each_system_has_a_map_of_its_own() -> None:
    titles = [chart.title for chart in heat_maps([PEOPLE, OTHERS])]
    assert titles == ["Confusion matrix of people", "Confusion matrix of others"]
