"""Every measure has item values or says that it has none, and every measure can be drawn again."""

from __future__ import annotations

import numpy as np
import pytest

import cranfield as cf
from cranfield.engine.evaluation import Evaluation
from cranfield.statistics.influence import NoItemValuesError, comparison_of, item_values
from cranfield.statistics.resampling import Sampling, average
from cranfield.statistics.resampling.replicates import RepeatedRows, replicates
from invariances.registered import ALL, CASES, all_scored

CASE = CASES["heavy ties"]
DRAWN = [
    name
    for name in ALL
    if "ties=trec" not in name and cf.measure(name).traits.direction != "example"
]
"""Without ids as breakers of ties: copies of an item tie, or follow each other. The mean over
copies of items is that of weighted ones, whatever the measure."""


@pytest.fixture(scope="module")
def scores() -> dict[str, cf.Score]:
    return all_scored(CASE.truth(), CASE.run())


def test_the_mean_of_item_values_is_the_score(scores: dict[str, cf.Score]) -> None:
    means = 0
    for name, score in scores.items():
        try:
            values = item_values(score)
        except NoItemValuesError:
            continue
        assert len(values) == CASE.shape[0]
        assert np.nanmean(values) == pytest.approx(score.value, rel=1e-9, abs=1e-9), name
        means += 1
    assert means > len(scores) / 3


def test_weighted_draws_are_those_of_repeated_rows(scores: dict[str, cf.Score]) -> None:
    for name in DRAWN:
        score = scores[name]
        sampling, kind = Sampling.of(score.truth.item_axis, seed=2), score.measure.traits
        got, _ = replicates(score, comparison_of(score), sampling, 4)
        by_unit = np.concatenate([RepeatedRows(score)(times) for times in sampling.draws(4)])
        concept = kind.direction == "concept"
        wanted = average(by_unit, None, kind.average) if concept else by_unit[:, 0]
        np.testing.assert_allclose(got, wanted, rtol=1e-9, atol=1e-12, err_msg=name)


def test_every_measure_has_an_interval_around_its_score(scores: dict[str, cf.Score]) -> None:
    found = list(cf.intervals(Evaluation(CASE.truth(), scores.values()), samples=40))
    assert len(found) == len(scores)
    for one in found:
        if one.method == "analytic":
            assert one.low <= one.score <= one.high, one
        elif one.method == "percentile":
            assert one.low <= one.high, one
        else:
            assert one.notes, one
