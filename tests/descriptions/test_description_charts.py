"""Charts of collections: frequencies, and which concepts come together."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cranfield as cf
from cranfield.core.chart import Chart
from cranfield.show.vega import write_charts

LABELS = np.array([[1, 1, 0], [1, 1, 0], [1, 0, 1], [1, 0, 0]])


def collection(labels: Any = LABELS, *, concepts: Any = None, **options: Any) -> cf.Collection:
    names = [f"c{n}" for n in range(labels.shape[1])] if concepts is None else concepts
    return cf.Collection(cf.Truth(labels, concepts=names), **options)


def charts(analysis: Any) -> list[Chart]:
    return list(analysis.full_result.charts)


def test_frequencies_stand_in_the_order_of_the_file() -> None:
    frequencies, _ = charts(cf.describe(collection()))
    shown = [(row["number"], row["concept"], row["frequency"]) for row in frequencies.rows]
    assert shown == [(1, "c0", 1.0), (2, "c1", 0.5), (3, "c2", 0.25)]
    assert frequencies.kind == "bars"


def test_the_heat_map_shows_conditional_frequencies_and_leaves_the_diagonal_out() -> None:
    _, heat = charts(cf.describe(collection()))
    shown = {(row["with"], row["also"]): row["share"] for row in heat.rows}
    assert shown["c0", "c1"] == 0.5
    assert shown["c1", "c0"] == 1.0
    assert shown["c1", "c2"] == 0.0
    assert shown["c1", "c1"] is None


def test_readable_names_are_shown_and_told_apart() -> None:
    names = {"c0": "Blue sky", "c1": "Blue sky"}
    frequencies, _ = charts(cf.describe(collection(descriptions=names)))
    assert [row["concept"] for row in frequencies.rows] == ["Blue sky", "Blue sky (2)", "c2"]


def test_concepts_that_come_together_stand_together() -> None:
    rng = np.random.default_rng(0)
    causes = rng.random((400, 3)) < [0.5, 0.4, 0.3]
    labels = causes[:, [0, 1, 2, 0, 1, 2]] & (rng.random((400, 6)) < 0.9)
    _, heat = charts(cf.describe(collection(labels)))
    order = list(dict.fromkeys(row["with"] for row in heat.rows))
    assert {frozenset(order[at : at + 2]) for at in (0, 2, 4)} == {
        frozenset(("c0", "c3")),
        frozenset(("c1", "c4")),
        frozenset(("c2", "c5")),
    }


def test_of_many_concepts_the_most_frequent_are_drawn_and_the_subtitle_says_so() -> None:
    labels = np.random.default_rng(0).random((60, 450)) < np.linspace(0.9, 0.01, 450)
    frequencies, heat = charts(cf.describe(collection(labels)))
    assert len(frequencies.rows) == 400
    assert frequencies.kind == "dots"
    assert len({row["with"] for row in heat.rows}) == 100
    assert frequencies.subtitle.endswith("the 400 most frequent of 450 concepts")
    assert heat.subtitle.endswith("the 100 most frequent of 450 concepts")


def test_two_collections_share_a_frame_with_partners_side_by_side() -> None:
    first = collection(concepts=["Sky", "sea", "cat"], name="one")
    other = collection(LABELS[:2], concepts=["sky", "dog", "sea"], name="other")
    frequencies, *maps = charts(cf.overlap(first, other))
    assert {(row["concept"], row["collection"]) for row in frequencies.rows} == {
        ("Sky", "one"),
        ("Sky", "other"),
        ("sea", "one"),
        ("sea", "other"),
        ("cat", "one"),
        ("dog", "other"),
    }
    assert len(maps) == 2


def test_where_no_concepts_come_together_the_subtitle_says_so_instead_of_a_map() -> None:
    apart = collection(np.eye(3), name="apart")
    for analysis in (
        cf.describe(apart),
        cf.overlap(apart, collection(np.zeros((3, 3)))),
    ):
        (frequencies,) = charts(analysis)
        assert ", no two classes occur together" in frequencies.subtitle
    assert len(charts(cf.overlap(apart, collection()))) == 2


@pytest.mark.parametrize("shape", [(0, 2), (2, 0), (3, 1), (40, 30)])
def test_collections_of_any_size_can_be_drawn(shape: tuple[int, int], tmp_path: Path) -> None:
    drawn = collection(np.arange(shape[0] * shape[1]).reshape(shape) % 3 == 0)
    write_charts(charts(cf.describe(drawn)), tmp_path / "one.svg")
    write_charts(charts(cf.overlap(drawn, drawn)), tmp_path / "two.svg")
