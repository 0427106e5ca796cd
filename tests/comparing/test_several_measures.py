"""Several measures at once: one family of comparisons, whatever their units."""

from __future__ import annotations

import json
from itertools import combinations, product
from typing import Any

import numpy as np
import pytest
from statsmodels.stats.multitest import multipletests

import cranfield as cf
from cranfield.show import rendered
from cranfield.statistics.comparing import Tournaments
from cranfield.statistics.comparing.pairs import Pairs
from cranfield.statistics.comparing.resampled import Placed, jointly_resampled_p

MEASURES = ["concept.AP", "example.F", "micro.F"]


def all_pairs(by_measure: list[Any], columns: list[Any], units: int) -> Any:
    """(pairs of all measures, units): differences, 0 where a unit does not count."""
    rows = []
    for values, where in zip(by_measure, columns, strict=True):
        for a, b in combinations(values, 2):
            rows.append(np.zeros(units))
            rows[-1][where] = a - b
    return np.array(rows)


def brute_force_max_t(differences: Any) -> tuple[Any, Any]:
    """p and step-down max-T over all flips of units, written out."""
    spread = np.sqrt((differences**2).sum(axis=1))
    flips = np.array(list(product((1.0, -1.0), repeat=differences.shape[1])))
    far = np.abs(flips @ differences.T) / spread
    seen = np.abs(differences.sum(axis=1)) / spread
    alone = (far >= seen - 1e-9).mean(axis=0)
    stepped, last = np.empty(len(seen)), 0.0
    order = np.argsort(-seen)
    for step, index in enumerate(order):
        farthest = far[:, order[step:]].max(axis=1)
        last = max(last, float((farthest >= seen[index] - 1e-9).mean()))
        stepped[index] = last
    return alone, stepped


def test_max_t_looks_at_all_pairs_by_all_measures_at_once() -> None:
    random = np.random.default_rng(5)
    columns = [np.arange(10), np.array([0, 1, 3, 4, 5, 7, 9]), np.arange(2, 10)]
    by_measure = [
        random.normal(size=(3, len(where))) + np.array([[0.0], [0.5], [1.4]]) for where in columns
    ]
    members = [Placed(Pairs(v), where) for v, where in zip(by_measure, columns, strict=True)]
    values = jointly_resampled_p(members, "randomisation", 1000, 0)
    alone, stepped = brute_force_max_t(all_pairs(by_measure, columns, 10))
    np.testing.assert_allclose(np.concatenate([v.p for v in values]), alone, rtol=1e-12)
    np.testing.assert_allclose(np.concatenate([v.stepped for v in values]), stepped, rtol=1e-12)
    assert {v.samples for v in values} == {2**9}


@pytest.mark.parametrize("test", ["randomisation", "bootstrap"])
def test_p_values_of_single_pairs_are_those_of_each_measure_alone(
    six: cf.Evaluation, test: Any
) -> None:
    joint = cf.compare(six, ["concept.AP", "example.F"], test=test, samples=999)
    for name in ("concept.AP", "example.F"):
        alone = cf.compare(six, name, test=test, samples=999)
        assert [p.p for p in joint[name].pairs] == [p.p for p in alone.pairs]
        assert all(
            a.adjusted >= b.adjusted for a, b in zip(joint[name].pairs, alone.pairs, strict=True)
        )
    adjusted = {pair.adjusted for t in joint for pair in t.pairs}
    assert adjusted != {pair.adjusted for t in (cf.compare(six, "concept.AP"),) for pair in t.pairs}


def test_a_measure_named_twice_in_other_words_costs_nothing() -> None:
    """What two measures share is in every resample: the same values again change no p-value."""
    random = np.random.default_rng(6)
    pairs = Pairs(random.normal(size=(4, 80)) + np.array([[0.0], [0.2], [0.3], [0.5]]))
    where = np.arange(80)
    (alone,) = jointly_resampled_p([Placed(pairs, where)], "randomisation", 2000, 0)
    twice = jointly_resampled_p([Placed(pairs, where)] * 2, "randomisation", 2000, 0)
    assert all((values.stepped == alone.stepped).all() for values in twice)


def test_one_false_finding_among_all_measures_is_as_rare_as_alpha() -> None:
    random, trials, alpha, wrong = np.random.default_rng(7), 300, 0.1, 0
    where = np.arange(40)
    for trial in range(trials):
        base = random.normal(size=(3, 40))
        other = 0.7 * base + random.normal(size=(3, 40))  # measures of one run resemble each other
        members = [Placed(Pairs(values), where) for values in (base, other)]
        values = jointly_resampled_p(members, "randomisation", 300, trial)
        wrong += any((v.stepped <= alpha).any() for v in values)
    assert abs(wrong / trials - alpha) < 4 * np.sqrt(alpha * (1 - alpha) / trials)


def test_holm_counts_all_pairs_by_all_measures(six: cf.Evaluation) -> None:
    result = cf.compare(six, ["concept.AP", "concept.EER", "example.F"], test="t")
    p = [pair.p for tournament in result for pair in tournament.pairs]
    wanted = multipletests(p, method="holm")[1]
    adjusted = [pair.adjusted for tournament in result for pair in tournament.pairs]
    np.testing.assert_allclose(adjusted, wanted, rtol=1e-12)
    assert len(p) == 45


def test_measures_on_other_units_are_corrected_apart_and_joined_by_bonferroni(
    six: cf.Evaluation,
) -> None:
    result = cf.evaluate(
        six.truth, [score.run for score in six if str(score.measure) == "example.F"],
        ["example.F", "concept.AP", "concept.P@5"],
    )  # fmt: skip
    joint = cf.compare(result, samples=999)
    assert [t.choices.resample for t in joint] == ["items", "items", "concepts"]
    items = cf.compare(result, ["example.F", "concept.AP"], samples=999)
    concepts = cf.compare(result, "concept.P@5", samples=999)
    for name, apart in (("example.F", items["example.F"]), ("concept.P@5", concepts)):
        assert [p.adjusted for p in joint[name].pairs] == [
            min(1.0, 2 * p.adjusted) for p in apart.pairs
        ]
    assert "families=2" in joint["example.F"].signature
    assert "times 2 (Bonferroni) since units differ" in " ".join(joint.result.remarks)


def test_nemenyi_is_multiplied_by_the_number_of_measures(six: cf.Evaluation) -> None:
    joint = cf.compare(six, ["concept.AP", "example.F"], test="nemenyi")
    alone = cf.compare(six, "example.F", test="nemenyi")
    assert [p.adjusted for p in joint["example.F"].pairs] == [
        min(1.0, 2 * p.adjusted) for p in alone.pairs
    ]


def test_letters_are_those_of_the_first_measure_in_every_column(six: cf.Evaluation) -> None:
    result = cf.compare(six, ["concept.EER", "concept.AP"], samples=500)
    assert result.runs == result["concept.EER"].runs
    for name in ("concept.EER", "concept.AP"):
        for run in result.runs:
            letters = result.letters_of_beaten(run, name)
            beaten = result[name].beaten()[run]
            assert (letters == "") == (not beaten)
    page = rendered(result.result, "text")
    assert page.splitlines()[4].split()[:2] == ["a", result.runs[0]]


def test_rows_say_by_which_measure(six: cf.Evaluation) -> None:
    result = cf.compare(six, ["concept.AP", "example.F"], samples=500)
    assert result.frame.columns[:3] == ["measure", "a", "b"]
    content = json.loads(result.to_json())
    assert content["comparisons"] == 30
    assert {row["measure"] for row in content["runs"]} == {"concept.AP", "example.F"}
    assert [row["units"] for row in content["measures"]] == [150, 150]
    assert "seed=0,measures=2)|units=150" in content["measures"][0]["signature"]


def test_by_default_all_measures_that_call_a_run_better_are_compared(six: cf.Evaluation) -> None:
    result = cf.compare(six, samples=200)
    assert isinstance(result, Tournaments)
    assert list(map(str, result.measures)) == ["concept.AP", "concept.EER", "example.F"]
    with pytest.raises(cf.InputError, match=r"no comparison by concept.F; measures: concept.AP"):
        result["concept.F"]
    with pytest.raises(cf.InputError, match="there is no measure to compare by"):
        cf.compare(six, [])


def test_the_old_keyword_of_one_measure_works_and_warns() -> None:
    rng = np.random.default_rng(5)
    truth = rng.random((20, 3)) < 0.5
    result = cf.evaluate(truth, {"a": rng.random((20, 3)), "b": rng.random((20, 3))}, "concept.AP")
    with pytest.warns(DeprecationWarning, match="now measures=…; the old name goes") as warnings:
        old = cf.compare(result, measure="concept.AP")
    assert [warning.filename for warning in warnings] == [__file__]
    assert old.rows() == cf.compare(result, measures="concept.AP").rows()
    with pytest.raises(TypeError, match="'measure'"):
        cf.compare(result, measure="concept.AP", measures="concept.AP")
