"""Do measures put systems and items in the same order?"""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats
from scipy.cluster.hierarchy import cophenet
from small_campaign import ontology, shuffled, systems, world

import cranfield as cf
from cranfield.errors import InputError
from cranfield.statistics import bootstrap_interval, tau
from cranfield.statistics.correlation import average_linkage, mean_intervals, tau_intervals
from cranfield.studies.measure_correlation import MeasureCorrelation, correlate

MEASURES = ("concept.AP", "example.RP", "example.ranking_loss", "example.F", "OS", "micro.F")


@pytest.fixture(scope="module")
def found() -> MeasureCorrelation:
    return correlate(
        world().truth, systems(), MEASURES, percentages=(0, 50), ontology=ontology(), resamples=200
    )


def test_coefficients_of_systems_are_those_of_scipy(found: MeasureCorrelation) -> None:
    result = cf.evaluate(world().truth, systems(), MEASURES, ontology=ontology())
    ap, loss = ([result[run, name] for run in result.runs] for name in (MEASURES[0], MEASURES[2]))
    for name, theirs in (
        ("tau_b", stats.kendalltau),
        ("weighted_tau", lambda x, y: stats.weightedtau(x, y)),
        ("spearman", stats.spearmanr),
        ("pearson", stats.pearsonr),
    ):
        ours = found.coefficients[name][0, 2]
        assert ours == pytest.approx(theirs(ap, [-v for v in loss]).statistic, abs=1e-12)


def test_the_tau_of_items_is_the_mean_over_runs(found: MeasureCorrelation) -> None:
    assert found.items is not None
    assert list(map(str, found.items.measures)) == [*MEASURES[1:5]]
    result = cf.evaluate(world().truth, systems(), MEASURES, ontology=ontology())
    taus = []
    for run in result.runs:
        one, other = result.units(run, "example.RP"), -result.units(run, "example.ranking_loss")
        known = ~np.isnan(one) & ~np.isnan(other)
        taus.append(tau(one[known], other[known]))
    assert found.items.mean[0, 1] == pytest.approx(np.mean(taus), abs=1e-12)
    assert found.items.intervals[0, 1, 0] < np.mean(taus) < found.items.intervals[0, 1, 1]


def test_measures_agree_on_systems_more_than_on_items(found: MeasureCorrelation) -> None:
    """As Nowak 2011 §9.4.1 finds."""
    assert found.items is not None
    above = np.triu_indices(4, 1)
    systems_tau = found.coefficients["tau"][1:5, 1:5]
    assert systems_tau[above].mean() > found.items.mean[above].mean()


def test_reference_runs_are_shown_but_not_correlated(found: MeasureCorrelation) -> None:
    alone = correlate(
        world().truth, systems(), MEASURES, percentages=(), items=False, ontology=ontology()
    )
    np.testing.assert_array_equal(alone.coefficients["tau"], found.coefficients["tau"])
    assert found.field.blind == ("Random0", "Random50", "AllOnes")
    assert alone.field.blind == ()
    assert alone.items is None


def test_nothing_depends_on_the_order_of_rows_and_columns(found: MeasureCorrelation) -> None:
    other = correlate(
        shuffled(world().truth), systems(), MEASURES, percentages=(0, 50), ontology=ontology(),
        resamples=200,
    )  # fmt: skip
    for name, values in found.coefficients.items():
        np.testing.assert_allclose(other.coefficients[name], values, atol=1e-9)
    np.testing.assert_allclose(other.field.scores(found.field.runs), found.field.scores(
        found.field.runs
    ), atol=1e-12)  # fmt: skip


def test_the_closest_measures_are_merged_first(found: MeasureCorrelation) -> None:
    measures, merges = found.clusters()
    assert measures == found.measures
    taus = found.coefficients["tau"] - np.eye(len(measures))
    assert taus[merges[0].left, merges[0].right] == taus.max()
    assert merges[-1].size == len(measures)


def test_a_measure_without_differences_is_left_out_of_the_clusters() -> None:
    flat = [cf.Run(labels=run.assigned, name=run.name) for run in systems()]
    truth = cf.Truth(world().truth.labels)
    once = correlate(truth, flat[:4], ["concept.F", "example.zero_one", "example.F"], items=False)
    measures, merges = once.clusters()
    constant = np.ptp(once.field.merits(once.field.systems)[1]) == 0
    assert (len(measures), len(merges)) == ((2, 1) if constant else (3, 2))


def test_linkage_is_that_of_scipy_and_a_single_thing_has_no_merge() -> None:
    points = np.random.default_rng(4).normal(size=(6, 2))
    distances = np.linalg.norm(points[:, None] - points, axis=-1)
    merges = average_linkage(distances)
    assert [merge.distance for merge in merges] == sorted(merge.distance for merge in merges)
    heights = cophenet(np.array(merges))
    assert heights.max() == pytest.approx(merges[-1].distance)
    assert average_linkage(np.zeros((1, 1))) == ()


def test_intervals_of_all_pairs_are_those_of_the_plain_bootstrap() -> None:
    values = np.random.default_rng(1).normal(size=(3, 15)).round(1)
    found = tau_intervals(values, resamples=300, seed=5)
    for one, other in ((0, 1), (1, 2), (0, 2)):
        plain = bootstrap_interval(tau, values[one], values[other], resamples=300, seed=5)
        np.testing.assert_allclose(found[one, other], plain, atol=1e-12)
    assert np.isnan(tau_intervals(values[:, :2])).all()


def test_intervals_of_means_leave_missing_values_out() -> None:
    values = np.arange(20.0)
    whole = mean_intervals(values, resamples=500)
    assert whole[0] < values.mean() < whole[1]
    assert np.isnan(mean_intervals(np.full((5, 2), np.nan))).all()


def test_two_systems_are_too_few() -> None:
    with pytest.raises(InputError, match="at least 3"):
        correlate(world().truth, systems()[:2], ["concept.AP", "concept.AUC"])
