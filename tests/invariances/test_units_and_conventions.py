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
    UNITS,
    at,
    close,
    each_plain_measure,
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


@each_plain_measure
def test_uniform_weights_change_nothing(name: str) -> None:
    case = CASES["heavy ties"]
    weights = {"items": np.full(case.shape[0], 2.5), "concepts": np.full(case.shape[1], 0.1)}
    weighted = scored(case.truth(), case.run(), name, weights=weights)
    assert same(scored(case.truth(), case.run(), name), weighted)


@pytest.mark.parametrize("name", [n for n in UNITS if not n.startswith(LOOKS_AT_OTHER_UNITS)])
def test_whole_weights_equal_repeating_units(name: str) -> None:
    case = CASES["heavy ties"]
    concept = cf.measure(name).traits.direction == "concept"
    size = case.shape[1 if concept else 0]
    weights = np.arange(size) % 3
    repeated = np.repeat(np.arange(size), weights)
    every = np.arange(case.shape[0]), np.arange(case.shape[1])
    larger = at(case, every[0], repeated) if concept else at(case, repeated, every[1])
    cut = case.run().threshold
    about = case.knowledge if cf.measure(name).definition.knowledge else {}
    wanted = cf.score(larger.labels, larger.scores, name, threshold=cut, **about)
    side = "concepts" if concept else "items"
    found = scored(case.truth(), case.run(), name, weights={side: weights})
    assert close(found.value, wanted)
    by_id = dict(zip(case.ids[side], weights, strict=True))
    assert scored(case.truth(), case.run(), name, weights=by_id).value == found.value
    assert "weights=" in found.signature


@pytest.mark.parametrize("name", UNITS)
def test_weights_of_one_side_leave_measures_of_the_other_alone_and_say_so(name: str) -> None:
    case = CASES["heavy ties"]
    side, size = ("items", 0) if name.startswith("concept") else ("concepts", 1)
    weights = {side: np.arange(1, case.shape[size] + 1)}
    score = scored(case.truth(), case.run(), name, weights=weights)
    assert same(score, scored(case.truth(), case.run(), name))
    assert score.notes[-1] == f"unweighted: weights were given for {side}"


@each_plain_measure
def test_undefined_units_are_skipped_filled_or_refused(name: str) -> None:
    case = CASES["heavy ties"]
    spelled = lambda choice: f"{name}(undefined={choice})"  # noqa: E731
    skipped = scored(case.truth(), case.run(), spelled("skip"))
    undefined = np.isnan(skipped.by_unit)
    for value in (0, 1):
        filled = scored(case.truth(), case.run(), spelled(value))
        if cf.measure(name).traits.direction != "micro":
            assert close(filled.by_unit, np.where(undefined, value, skipped.by_unit))
            assert filled.skipped == 0
    if skipped.skipped:
        with pytest.raises(cf.InputError, match=r"is undefined for \d+ units? of run 'run'"):
            scored(case.truth(), case.run(), spelled("raise"))
    else:
        assert same(skipped, scored(case.truth(), case.run(), spelled("raise")))


@each_plain_measure
def test_skips_come_from_the_truth_alone(name: str) -> None:
    case = CASES["heavy ties"]
    others = (case.scores, 1 - case.scores, np.zeros(case.shape), np.ones(case.shape))
    runs = [cf.Run(s, name=f"run {n}", **case.ids) for n, s in enumerate(others)]
    scores = cf.evaluate(case.truth(), runs, name, **case.knowledge).scores
    assert len({(score.units, score.skipped) for score in scores}) == 1
    assert len({tuple(np.isnan(score.by_unit)) for score in scores}) == 1
