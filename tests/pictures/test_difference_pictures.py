"""Critical-difference diagrams: where runs stand, what bars join, and how long the ruler is."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from drawn import layers, marks, svg

import cranfield as cf
from cranfield.show.vega import page_of
from cranfield.statistics.comparing import Tournament, critical_difference


def difference_picture(found: Tournament) -> Any:
    return page_of(found.full_result.charts)


@pytest.fixture(scope="module")
def five() -> cf.Evaluation:
    random = np.random.default_rng(3)
    labels = (random.random((200, 7)) < 0.35).astype(int)
    runs = [
        cf.Run(scores=np.clip(random.normal(0.3 + 0.06 * k * labels, 0.2), 0, 1), name=f"<run {k}>")
        for k in range(5)
    ]
    return cf.evaluate(cf.Truth(labels), runs, ["concept.AP", "concept.EER"])


def x_domain(spec: Any) -> list[float]:
    domain: list[float] = next(layers(spec))["encoding"]["x"]["scale"]["domain"]
    return domain


def test_runs_stand_at_their_scores_and_bars_join_groups(five: cf.Evaluation) -> None:
    found = cf.compare(five, "concept.AP")
    spec = difference_picture(found)
    (dots,) = marks(spec, "point")
    assert {dot["run"]: dot["x"] for dot in dots} == {r: found.score(r) for r in found.runs}
    (bars,) = marks(spec, "rule")
    joined = [group for group in found.groups(0.05) if len(group) > 1]
    assert {bar["runs"] for bar in bars} == {", ".join(group) for group in joined}
    for one, other in pairwise(bars):
        apart = one["high"] < other["low"] or other["high"] < one["low"]
        assert apart or one["y"] != other["y"]
    assert "&lt;run 0&gt;" in svg(spec)


@pytest.mark.parametrize("measure", ["concept.AP", "concept.EER"])
def test_the_best_run_is_named_first_on_the_right(five: cf.Evaluation, measure: str) -> None:
    found = cf.compare(five, measure, samples=200)
    spec = difference_picture(found)
    right, left = marks(spec, "text")
    assert [label["run"] for label in right] == list(found.runs[:3])
    assert [label["run"] for label in left] == list(found.runs[:2:-1])
    low, high = x_domain(spec)
    best = found.score(found.runs[0])
    assert abs(high - best) < abs(low - best)


def test_a_ruler_shows_the_critical_difference_of_mean_ranks(five: cf.Evaluation) -> None:
    found = cf.compare(five, "concept.AP", test="nemenyi")
    spec = difference_picture(found)
    ruler = marks(spec, "rule")[-1][0]
    wanted = critical_difference(5, 7, 0.05)
    assert ruler["high"] - ruler["low"] == pytest.approx(wanted)
    assert ruler["label"] == f"CD = {wanted:.3g}"
    assert x_domain(spec)[0] > x_domain(spec)[1] == 1.0
    assert "CD = " in svg(spec)


def test_holm_has_no_one_difference_that_decides(five: cf.Evaluation) -> None:
    spec = difference_picture(cf.compare(five, "concept.AP", test="nemenyi", correction="holm"))
    assert not any("label" in mark for part in marks(spec, "text") for mark in part)


def test_two_runs_that_differ_need_no_bar(five: cf.Evaluation) -> None:
    two = cf.evaluate(
        five.truth, [five.score(f"<run {k}>", "concept.AP").run for k in (0, 4)], "concept.AP"
    )
    assert marks(difference_picture(cf.compare(two, "concept.AP")), "rule") == []
