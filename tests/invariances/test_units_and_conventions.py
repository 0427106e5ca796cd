"""Unit scores, weights, skips and what is said of them."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import gmean

import cranfield as cf
from invariances.registered import (
    ALL,
    CASES,
    LOOKS_AT_OTHER_UNITS,
    PLAIN,
    UNITS,
    all_same,
    all_scored,
    at,
    close,
    same,
    scored,
)
from problems import Problem


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_the_score_is_the_mean_of_the_unit_scores(case: Problem) -> None:
    for score in cf.evaluate(case.truth(), case.run(), ALL, **case.knowledge):
        if score.measure.traits.direction == "micro":
            continue
        known = score.by_unit[~np.isnan(score.by_unit)]
        side = 1 if score.measure.traits.direction == "concept" else 0
        assert score.by_unit.shape == (case.shape[side],)
        assert (score.units, score.skipped) == (len(known), case.shape[side] - len(known))
        if score.measure.traits.average == "geometric":
            expected = float(gmean(np.maximum(known, 1e-5))) if len(known) else np.nan
        else:
            expected = known.mean() if len(known) else np.nan
        assert close(score.value, expected), score.measure


def test_uniform_weights_change_nothing() -> None:
    case = CASES["heavy ties"]
    weights = {"items": np.full(case.shape[0], 2.5), "concepts": np.full(case.shape[1], 0.1)}
    weighted = all_scored(case.truth(), case.run(), PLAIN, weights=weights)
    all_same(all_scored(case.truth(), case.run(), PLAIN), weighted)


@pytest.mark.parametrize("direction", ["concept", "example"])
def test_whole_weights_equal_repeating_units(direction: str) -> None:
    case = CASES["heavy ties"]
    concept = direction == "concept"
    names = [
        name
        for name in UNITS
        if cf.measure(name).traits.direction == direction and name not in LOOKS_AT_OTHER_UNITS
    ]
    size = case.shape[1 if concept else 0]
    weights = np.arange(size) % 3
    repeated = np.repeat(np.arange(size), weights)
    every = np.arange(case.shape[0]), np.arange(case.shape[1])
    larger = at(case, every[0], repeated) if concept else at(case, repeated, every[1])
    cut = case.run().threshold
    side = "concepts" if concept else "items"
    found = all_scored(case.truth(), case.run(), names, weights={side: weights})
    by_id = dict(zip(case.ids[side], weights, strict=True))
    told = all_scored(case.truth(), case.run(), names, weights=by_id)
    for name in names:
        about = case.knowledge if cf.measure(name).definition.knowledge else {}
        wanted = cf.score(larger.labels, larger.scores, name, threshold=cut, **about)
        assert close(found[name].value, wanted), name
        assert told[name].value == found[name].value, name
        assert "weights=" in found[name].signature


@pytest.mark.parametrize(("direction", "side"), [("concept", "items"), ("example", "concepts")])
def test_weights_of_one_side_leave_measures_of_the_other_alone_and_say_so(
    direction: str, side: str
) -> None:
    case = CASES["heavy ties"]
    names = [name for name in UNITS if cf.measure(name).traits.direction == direction]
    weights = {side: np.arange(1, len(case.ids[side]) + 1)}
    weighted = all_scored(case.truth(), case.run(), names, weights=weights)
    all_same(weighted, all_scored(case.truth(), case.run(), names))
    for name, score in weighted.items():
        assert score.notes[-1] == f"unweighted: weights were given for {side}", name


def test_undefined_units_are_skipped_filled_or_refused() -> None:
    case = CASES["heavy ties"]

    def scores_where(undefined: str) -> list[cf.Score]:
        names = [f"{name}(undefined={undefined})" for name in PLAIN]
        return list(all_scored(case.truth(), case.run(), names).values())

    skipping = scores_where("skip")
    for value in ("0", "1"):
        for skipped, filled in zip(skipping, scores_where(value), strict=True):
            if skipped.measure.traits.direction != "micro":
                undefined = np.isnan(skipped.by_unit)
                wanted = np.where(undefined, float(value), skipped.by_unit)
                assert close(filled.by_unit, wanted), filled.measure
                assert filled.skipped == 0, filled.measure
    for name, skipped in zip(PLAIN, skipping, strict=True):
        refusing = f"{name}(undefined=raise)"
        if skipped.skipped:
            with pytest.raises(cf.InputError, match=r"is undefined for \d+ units? of run 'run'"):
                scored(case.truth(), case.run(), refusing)
        else:
            assert same(skipped, scored(case.truth(), case.run(), refusing)), name


def test_skips_come_from_the_truth_alone() -> None:
    case = CASES["heavy ties"]
    others = (case.scores, 1 - case.scores, np.zeros(case.shape), np.ones(case.shape))
    runs = [cf.Run(s, name=f"run {n}", **case.ids) for n, s in enumerate(others)]
    result = cf.evaluate(case.truth(), runs, PLAIN, **case.knowledge)
    for name in PLAIN:
        scores = [result.score(run.name, name) for run in runs]
        assert len({(score.units, score.skipped) for score in scores}) == 1, name
        assert len({tuple(np.isnan(score.by_unit)) for score in scores}) == 1, name
