"""Item values: their mean is the score, and they tell what more of an item would do to it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from weighted_measures import AT_A_THRESHOLD, MEASURES, Weighted

import cranfield as cf
from cranfield.statistics.influence import NoItemValuesError, item_values

RNG = np.random.default_rng(7)
ITEMS, CONCEPTS = 60, 4
LABELS = (RNG.random((ITEMS, CONCEPTS)) < 0.4).astype(int)
SCORES = np.round(np.clip(RNG.normal(0.35 + 0.25 * LABELS, 0.2), 0, 1), 2)
COARSE = np.round(SCORES * 2) / 2
"""Three values, so that every threshold lies within a large group of equals."""


def values_of(scores: Any, name: str, labels: Any = LABELS, **options: Any) -> Any:
    truth = options.pop("truth", None) or cf.Truth(labels)
    return item_values(
        cf.evaluate(truth, cf.Run(scores=scores, name="it"), name, **options).scores[0]
    )


def slopes(one: Weighted, labels: Any, scores: Any) -> Any:
    """N · ∂score/∂weight of each item, by central differences."""
    out, step = np.empty(len(labels)), 1e-5
    for item in range(len(labels)):
        more, less = np.ones(len(labels)), np.ones(len(labels))
        more[item] += step
        less[item] -= step
        out[item] = (one(more, labels, scores) - one(less, labels, scores)) / (2 * step)
    return out * len(labels)


@pytest.mark.parametrize("name", MEASURES)
def test_item_values_are_the_score_plus_its_derivative(name: str) -> None:
    got, one = values_of(SCORES, name), MEASURES[name]
    score = one(np.ones(ITEMS), LABELS, SCORES)
    np.testing.assert_allclose(got, score + slopes(one, LABELS, SCORES), rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize("name", AT_A_THRESHOLD)
def test_at_a_threshold_within_a_group_of_equals_they_are_too(name: str) -> None:
    labels = (np.random.default_rng(3).random((400, 2)) < 0.5).astype(int)
    said = np.random.default_rng(4).normal(0.4 + 0.2 * labels, 0.3)
    scores = np.round(np.clip(said, 0, 1) * 2) / 2
    got, one = values_of(scores, name, labels), AT_A_THRESHOLD[name]
    score = one(np.ones(400), labels, scores)
    np.testing.assert_allclose(got, score + slopes(one, labels, scores), rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize(("hits", "false"), [(100, 10), (90, 60), (100, 400)])
def test_the_spread_of_r_precision_of_decisions_is_that_of_a_share(hits: int, false: int) -> None:
    score = _of_decisions("concept.RP", hits, false)
    share, size = hits / (hits + false), hits + false
    assert score.value == pytest.approx(share)
    assert _error(score) == pytest.approx(np.sqrt(share * (1 - share) / size))


@pytest.mark.parametrize(("hits", "false"), [(100, 200), (100, 20), (90, 300)])
def test_the_spread_of_the_equal_error_of_decisions_is_that_of_two_rates(
    hits: int, false: int
) -> None:
    """The curve is two straight lines: EER = f/(f + t), if the two rates add up to 1 or more."""
    score = _of_decisions("concept.EER", hits, false)
    t, f = hits / 100, false / 1000
    assert score.value == pytest.approx(f / (f + t))
    variance = (t**2 * f * (1 - f) / 1000 + f**2 * t * (1 - t) / 100) / (f + t) ** 4
    assert _error(score) == pytest.approx(np.sqrt(variance))


def _of_decisions(name: str, hits: int, false: int) -> Any:
    """The score of a run that finds so many of 100 positives, and takes so many of 1,000 others."""
    said = np.zeros((1100, 1))
    said[:hits] = said[100 : 100 + false] = 1
    return cf.evaluate(cf.Truth((np.arange(1100) < 100)[:, None]), cf.Run(said), name).scores[0]


def _error(score: Any) -> float:
    return float(np.linalg.norm(item_values(score) - score.value) / 1100)


def test_the_mean_of_rates_at_one_vertex_has_no_item_values() -> None:
    score = cf.evaluate(cf.Truth(LABELS), cf.Run(SCORES), "concept.EER(at=vertex)").scores[0]
    with pytest.raises(NoItemValuesError, match="percentile"):
        item_values(score)


EVERYWHERE = [*MEASURES, *AT_A_THRESHOLD, "concept.RP(ties=worst)"]


@pytest.mark.parametrize("name", [*EVERYWHERE, "concept.EER(ties=best)", "concept.AP(ties=trec)"])
@pytest.mark.parametrize("scores", [SCORES, COARSE, np.zeros_like(SCORES)], ids=["", "3", "1"])
def test_their_mean_is_the_score(name: str, scores: Any) -> None:
    truth = cf.Truth(LABELS, items=range(ITEMS))
    run = cf.Run(scores=scores, items=range(ITEMS), name="it")
    score = cf.evaluate(truth, run, name).scores[0]
    assert item_values(score).mean() == pytest.approx(score.value, abs=1e-10)


@pytest.mark.parametrize("name", [*MEASURES, *AT_A_THRESHOLD, "concept.EER(ties=worst)"])
def test_unjudged_cells_skipped_concepts_and_weights_leave_the_mean_alone(name: str) -> None:
    judged = np.random.default_rng(1).random(LABELS.shape) < 0.8
    labels = LABELS & judged
    labels[:, 2] = 0
    truth = cf.Truth(labels, judged=judged, unjudged="exclude")
    weights = {"concepts": [1.0, 2.0, 0.5, 3.0], "items": np.linspace(0.1, 2, ITEMS)}
    run = cf.Run(scores=SCORES, name="it")
    score = cf.evaluate(truth, run, name, weights=weights).scores[0]
    try:
        values = item_values(score)
    except NoItemValuesError:
        assert name == "concept.brier"  # concepts count differently here
        return
    assert np.nanmean(values) == pytest.approx(score.value, abs=1e-10)


@pytest.mark.parametrize("name", ["concept.AUC", "concept.AP", "concept.EER", "micro.AP"])
def test_absent_cells_of_a_sparse_run_count_as_one_tie_at_the_bottom(name: str) -> None:
    sparse = pytest.importorskip("scipy.sparse")
    kept = SCORES >= 0.4
    said = sparse.coo_array(np.where(kept, SCORES, 0.0))
    full = np.where(kept, SCORES, -1.0)
    score = cf.evaluate(cf.Truth(LABELS), cf.Run(scores=said, name="it"), name).scores[0]
    values = item_values(score)
    assert values.mean() == pytest.approx(score.value, abs=1e-10)
    if name in ("concept.AUC", "concept.EER"):  # AP gives absent cells no credit at all
        np.testing.assert_allclose(values, values_of(full, name), atol=1e-10)


def test_kappa_has_the_standard_error_of_its_inventors() -> None:
    """Fleiss et al. 1969 eq 13: the asymptotic variance of Cohen's kappa."""
    random = np.random.default_rng(5)
    true = random.integers(0, 3, 300)
    said = np.where(random.random(300) < 0.7, true, random.integers(0, 3, 300))
    table = np.zeros((3, 3))
    np.add.at(table, (true, said), 1 / 300)
    rows, columns = table.sum(axis=1), table.sum(axis=0)
    agree, chance = np.trace(table), rows @ columns
    kappa = (agree - chance) / (1 - chance)
    both = rows[:, None] + columns[None, :]  # of cell (i, j): p(i as true) + p(j as said)
    crossed = columns[:, None] + rows[None, :]
    diagonal = (np.diag(table) * (1 - np.diag(both) * (1 - kappa)) ** 2).sum()
    off = (1 - kappa) ** 2 * ((table - np.diag(np.diag(table))) * crossed**2).sum()
    variance = (diagonal + off - (kappa - chance * (1 - kappa)) ** 2) / (1 - chance) ** 2 / 300
    eye = np.eye(3, dtype=int)
    result = cf.evaluate(
        cf.Truth(eye[true]), cf.Run(labels=eye[said], name="it"), "confusion.kappa"
    )
    values = item_values(result.scores[0])
    assert values.mean() == pytest.approx(kappa)
    assert values.var() / 300 == pytest.approx(variance, rel=1e-6)


def test_delong_components_give_the_variance_of_auc() -> None:
    """DeLong et al. 1988 eq 6: the variances of the two kinds of components, each over its size."""
    labels, scores = LABELS[:, :1], SCORES[:, :1]
    positive, negative = scores[labels == 1], scores[labels == 0]
    won = (positive[:, None] > negative) + 0.5 * (positive[:, None] == negative)
    wanted = won.mean(1).var() / len(positive) + won.mean(0).var() / len(negative)
    values = values_of(scores, "concept.AUC", labels)
    assert values.var() / ITEMS == pytest.approx(wanted, rel=1e-12)


def test_widened_values_give_the_unbiased_variance_of_delong() -> None:
    labels, scores = LABELS[:, :1], SCORES[:, :1]
    positive, negative = scores[labels == 1], scores[labels == 0]
    won = (positive[:, None] > negative) + 0.5 * (positive[:, None] == negative)
    wanted = won.mean(1).var(ddof=1) / len(positive) + won.mean(0).var(ddof=1) / len(negative)
    result = cf.evaluate(cf.Truth(labels), cf.Run(scores=scores, name="it"), "concept.AUC")
    assert item_values(result.scores[0], widened=True).var() / ITEMS == pytest.approx(wanted)


def test_the_standard_error_of_auc_is_that_of_delong_for_a_mean_of_items() -> None:
    labels, scores = LABELS[:, :1], SCORES[:, :1]
    positive, negative = scores[labels == 1], scores[labels == 0]
    won = (positive[:, None] > negative) + 0.5 * (positive[:, None] == negative)
    delong = won.mean(1).var(ddof=1) / len(positive) + won.mean(0).var(ddof=1) / len(negative)
    result = cf.evaluate(cf.Truth(labels), cf.Run(scores=scores, name="it"), "concept.AUC")
    wanted = np.sqrt(delong * ITEMS / (ITEMS - 1))
    assert cf.intervals(result)["it", "concept.AUC"].error == pytest.approx(wanted)


@pytest.mark.parametrize("name", ["concept.AP", "concept.F", "concept.MCC", "concept.EER"])
def test_widened_values_keep_the_mean_and_spread_more(name: str) -> None:
    score = cf.evaluate(cf.Truth(LABELS), cf.Run(scores=SCORES, name="it"), name).scores[0]
    plain, wide = item_values(score), item_values(score, widened=True)
    assert wide.mean() == pytest.approx(score.value, abs=1e-10)
    assert plain.std() < wide.std() < 1.1 * plain.std()


@pytest.mark.parametrize("name", ["example.AP", "example.hamming", "example.ranking_loss"])
def test_example_based_scores_are_their_own_values(name: str) -> None:
    result = cf.evaluate(cf.Truth(LABELS), cf.Run(scores=SCORES, name="it"), name)
    np.testing.assert_array_equal(item_values(result.scores[0]), result.units("it", name))


@pytest.mark.parametrize("name", ["concept.RR", "concept.P@5", "concept.success@1", "micro.ECE"])
def test_what_a_few_items_settle_has_no_item_values_and_says_so(name: str) -> None:
    with pytest.raises(NoItemValuesError, match="bootstrap"):
        values_of(SCORES, name)


def test_the_order_of_items_does_not_matter() -> None:
    order = np.random.default_rng(2).permutation(ITEMS)
    for name in ("concept.AP", "concept.EER", "concept.F", "micro.AUC"):
        moved = values_of(SCORES[order], name, LABELS[order])
        np.testing.assert_allclose(moved, values_of(SCORES, name)[order], atol=1e-12)
