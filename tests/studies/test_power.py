"""Which measures tell runs apart, and which differences can be trusted?"""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from scipy import stats
from sklearn.isotonic import IsotonicRegression
from small_campaign import shuffled, systems, world

import cranfield as cf
from cranfield.core.matrices import Floats
from cranfield.errors import InputError, MeasureError
from cranfield.statistics.comparing import Pairs
from cranfield.statistics.comparing.swaps import BINS, Swaps, swaps
from cranfield.studies.power import Power, power

MEASURES = ("concept.AP", "example.F", "example.hamming")


@pytest.fixture(scope="module")
def found() -> Power:
    return power(world().truth, systems(), MEASURES, samples=500, draws=100)


def literally_swapped(
    values: Floats, size: int, width: float, draws: int, seed: int
) -> tuple[list[int], list[int]]:
    """Voorhees & Buckley 2002, Figure 1, in loops, over the same permutations."""
    random = np.random.default_rng([seed, 0])
    comparisons, swapped = [0] * (BINS + 1), [0] * (BINS + 1)
    for _ in range(draws):
        order = random.permutation(values.shape[1])
        for one, other in combinations(values, 2):
            here = np.mean(one[order[:size]]) - np.mean(other[order[:size]])
            there = np.mean(one[order[-size:]]) - np.mean(other[order[-size:]])
            if abs(here) < 1e-12:
                continue
            place = min(int(abs(here) / width), BINS)
            comparisons[place] += 1
            swapped[place] += here * there < 0
    return comparisons, swapped


def test_swaps_are_those_of_a_literal_count() -> None:
    fine = np.random.default_rng(1).normal(size=(6, 41)) + np.linspace(0, 0.5, 6)[:, None]
    for values in (fine, (fine > 0).astype(float)):  # the second ties often
        for part in swaps(Pairs(values), (3, 10, 20), draws=40, seed=7):
            comparisons, swapped = literally_swapped(values, part.size, part.width, 40, 7)
            assert part.comparisons.sum() + part.ties == 15 * 40
            assert part.comparisons.tolist() == comparisons
            assert part.swapped.tolist() == swapped


def test_runs_that_are_alike_are_never_swapped() -> None:
    row = np.random.default_rng(1).random(20)
    (part,) = swaps(Pairs(np.array([row, row + 1e-17, row])), (10,), draws=20, seed=0)
    assert part.swapped.sum() == part.comparisons.sum() == 0
    assert part.ties == 60
    assert part.sensitivity(0.05) == 0
    assert np.isnan(part.needed(0.05))


def test_rates_are_made_to_fall_as_isotonic_regression_of_scikit_learn_does() -> None:
    random = np.random.default_rng(3)
    for _ in range(20):
        counts = random.integers(0, 30, BINS + 1)
        part = Swaps(10, 0.01, counts, random.binomial(counts, np.linspace(0.5, 0, BINS + 1)))
        told = counts > 0
        model = IsotonicRegression(increasing=False)
        wanted = model.fit_transform(part.edges[told], part.rates[told], sample_weight=counts[told])
        np.testing.assert_allclose(part.falling[told], wanted, atol=1e-12)
        assert np.isnan(part.falling[~told]).all()
        needed = part.needed(0.05)
        fine = part.edges[told][wanted <= 0.05]
        assert needed == fine[0] if len(fine) else np.isnan(needed)


def test_large_differences_are_swapped_less_and_large_parts_need_smaller_ones(
    found: Power,
) -> None:
    for one in found.measures:
        assert [part.size for part in one.swaps] == [18, 37, 75, 150]
        needed = [part.needed(0.05) for part in one.swaps]
        assert needed[0] > needed[-1] > 0
        assert one.swaps[0].sensitivity(0.05) < one.sensitivity < 1
        assert 0.3 < one.swaps[0].rates[0] < 0.6


def test_what_is_trusted_on_all_units_follows_from_parts(found: Power) -> None:
    """√2 times as much on half of them, up to the width of bins and what is left to chance."""
    for one in found.measures:
        assert one.trusted_on_all == pytest.approx(one.trusted / np.sqrt(2), rel=0.45)


def test_discriminative_power_is_the_share_of_pairs_that_compare_finds(found: Power) -> None:
    result = cf.evaluate(world().truth, systems(), MEASURES)
    for one in found.measures:
        alone = cf.compare(result, one.measure, correction="none", samples=500)
        together = cf.compare(result, one.measure, samples=500)
        pairs = len(alone.pairs)
        assert one.discriminative == len(alone.significant(0.05)) / pairs
        assert one.discriminative_together == len(together.significant(0.05)) / pairs


def test_the_needed_difference_is_where_the_t_test_of_scipy_reaches_alpha(found: Power) -> None:
    result = cf.evaluate(world().truth, systems(), ["example.F"])
    first, second = sorted(result.runs)[:2]
    one, other = (result.units(run, "example.F") for run in (first, second))
    needed = found["example.F"].needed[0]
    moved = one - (one - other).mean() + needed
    assert stats.ttest_rel(moved, other).pvalue == pytest.approx(0.05, abs=1e-9)


def test_the_needed_difference_is_near_that_of_sakais_bootstrap(found: Power) -> None:
    result = cf.evaluate(world().truth, systems(), ["example.F"])
    first, second = sorted(result.runs)[:2]
    gap = result.units(first, "example.F") - result.units(second, "example.F")
    drawn = np.random.default_rng(0).choice(gap - gap.mean(), size=(4000, len(gap)))
    literal = np.sort(np.abs(drawn.mean(axis=1)))[-int(0.05 * 4000)]
    assert found["example.F"].needed[0] == pytest.approx(literal, rel=0.06)


def test_parts_scored_by_influence_rank_runs_as_parts_scored_anew() -> None:
    """AP is no mean over items, but half of the items tell nearly the same of two runs."""
    truth = world().truth
    rows = np.random.default_rng(5).permutation(len(truth.items))[:150]
    part = [
        cf.Run(run.scores[rows], name=run.name, concepts=run.concepts)  # type: ignore[index]
        for run in systems()
    ]
    labels = cf.Truth(truth.labels[rows], concepts=truth.concepts)
    anew = cf.evaluate(labels, part, ["concept.AP"])
    whole = cf.evaluate(truth, systems(), ["concept.AP"])
    from cranfield.statistics.influence import item_values

    linear = [np.nanmean(item_values(score)[rows]) for score in whole]
    exact = [anew[run, "concept.AP"] for run in whole.runs]
    gaps = [np.subtract.outer(values, values) for values in (linear, exact)]
    assert np.corrcoef(gaps[0].ravel(), gaps[1].ravel())[0, 1] > 0.98


def test_the_same_seed_gives_the_same_whatever_the_order() -> None:
    options = {"samples": 200, "draws": 20}
    one = power(world().truth, systems()[:4], MEASURES, **options)
    other = power(shuffled(world().truth), systems()[3::-1], MEASURES, **options)
    for mine, theirs in zip(one.measures, other.measures, strict=True):
        np.testing.assert_allclose(mine.p, theirs.p)
        for part, same in zip(mine.swaps, theirs.swaps, strict=True):
            np.testing.assert_array_equal(part.swapped, same.swapped)


def test_concepts_can_be_the_units_and_are_for_open_truths() -> None:
    found = power(world().truth, systems()[:4], ["concept.AP"], resample="concepts", samples=200)
    assert found.measures[0].units == 53
    truth = world().truth
    open_truth = cf.Truth(truth.labels, items=truth.items, concepts=truth.concepts, open=True)
    opened = power(open_truth, systems()[:4], ["concept.AP"], samples=200)
    assert opened.measures[0].resample == "concepts"


def test_measures_without_a_share_of_each_item_are_compared_on_concepts() -> None:
    found = power(world().truth, systems()[:4], ["concept.iAP", "concept.AP"], samples=200)
    assert [one.resample for one in found.measures] == ["concepts", "items"]
    with pytest.raises(InputError, match='resample="concepts"'):
        power(world().truth, systems()[:4], ["concept.iAP"], resample="items", samples=200)


@pytest.mark.parametrize(
    ("wrong", "complaint"),
    [
        ({"alpha": 1.0}, "alpha"),
        ({"test": "t"}, "choose 'randomisation'"),
        ({"samples": 10}, "samples"),
        ({"shares": (0.6,)}, "no unit in common"),
        ({"shares": ()}, "missing"),
        ({"shares": (0.0001,)}, "too few"),
        ({"draws": 0}, "draws"),
        ({"resample": "runs"}, "resample"),
        ({"seed": -1}, "seed"),
    ],
)
def test_wrong_choices_are_told(wrong: dict[str, object], complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        power(world().truth, systems()[:2], ["example.F"], **wrong)  # type: ignore[arg-type]


def test_one_run_has_nobody_to_be_told_from_and_some_measures_judge_nobody() -> None:
    with pytest.raises(InputError, match="at least 2"):
        power(world().truth, systems()[:1], ["example.F"])
    with pytest.raises(MeasureError, match="no run is better"):
        power(world().truth, systems(), ["concept.generality"])
    with pytest.raises(InputError, match="was not studied"):
        power(world().truth, systems()[:2], ["example.F"], samples=100, draws=1)["concept.AP"]
