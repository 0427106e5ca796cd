"""What runs tell of their collection: reliability, difficulty, the best, comparable confidences."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats
from sklearn.linear_model import LogisticRegression
from small_campaign import shuffled, systems, world

import cranfield as cf
from cranfield.errors import InputError, MeasureError
from cranfield.studies.collection_scores import (
    _fitted,
    _halves,
    _histogram,
    _log_odds,
    _normal_scores,
    comparability,
)
from cranfield.studies.collection_study import CollectionStudy, collection_study

MEASURES = ("concept.AP", "concept.EER", "example.F")


@pytest.fixture(scope="module")
def found() -> CollectionStudy:
    return collection_study(world().truth, systems(), MEASURES)


@pytest.fixture(scope="module")
def result() -> cf.Evaluation:
    return cf.evaluate(world().truth, systems(), MEASURES)


def test_parts_are_concepts_or_items_and_runs_are_subjects(found: CollectionStudy) -> None:
    parts = {str(one.measure): one.reliability for one in found.measures}
    assert [(one.subjects, one.parts) for one in parts.values() if one] == [
        (10, 53),
        (10, 53),
        (10, 300),
    ]
    assert all(one and 0.9 < one.low < one.alpha < one.high < 1 for one in parts.values())


def test_the_best_of_each_concept_is_the_highest_score_or_the_lowest_error(
    found: CollectionStudy, result: cf.Evaluation
) -> None:
    for name, best in (("concept.AP", np.max), ("concept.EER", np.min)):
        table = np.array([result.units(run, name) for run in result.runs])
        one = found[name]
        np.testing.assert_array_equal(one.best, best(table, axis=0))
        np.testing.assert_array_equal(one.median, np.median(table, axis=0))
        assert one.envelope == pytest.approx(best(table, axis=0).mean())
        for place in range(len(one.units)):
            for run in one.winners(place):
                assert result.units(run, name)[place] == pytest.approx(one.best[place])
        leader = best([result[run, name] for run in result.runs])
        assert one.leader.score == leader
        assert (one.envelope > leader) == (name == "concept.AP")


def test_hardest_come_first_and_frequency_is_correlated_as_scipy_does(
    found: CollectionStudy,
) -> None:
    one, errors = found["concept.AP"], found["concept.EER"]
    assert (np.diff(one.best[one.hardest]) >= 0).all()
    assert (np.diff(errors.best[errors.hardest]) <= 1e-12).all()
    counts = world().truth.labels.sum(axis=0)
    np.testing.assert_array_equal(one.positives, counts)
    assert one.by_frequency == pytest.approx(stats.spearmanr(counts, one.best).statistic)


def test_groups_are_ranked_by_their_best_run_which_may_differ_by_measure(
    found: CollectionStudy, result: cf.Evaluation
) -> None:
    assert sum(len(group.runs) for group in found.groups) == 10
    assert found.groups[0].bests[0].place == 1
    whose = {run.name: run.group for run in systems()}
    for group in found.groups:
        assert {whose[run] for run in group.runs} == {group.name}
        for one, best in zip(found.measures, group.bests, strict=True):
            scores = {run: result[run, one.measure] for run in result.runs}
            pick = min if one.measure.traits.better == "lower" else max
            assert best.score == pick(scores[run] for run in group.runs)
            better = [s for s in scores.values() if pick(s, best.score) != best.score]
            assert best.place == 1 + len(better)


def test_runs_without_a_group_are_their_own(found: CollectionStudy) -> None:
    lonely = [cf.Run(run.scores, name=run.name) for run in systems()[:3]]
    labels = cf.Truth(world().truth.labels)
    study = collection_study(labels, lonely, ["concept.AP"], compare_confidences=False)
    assert {group.name for group in study.groups} == {run.name for run in lonely}
    assert study.comparability is None


# ── comparable confidences ────────────────────────────────────────────────────────────────────


def distorted(run: cf.Run) -> cf.Run:
    """Every third concept far too sure; the order of items within concepts stays."""
    scores = np.array(run.scores, dtype=np.float64)
    scores[:, ::3] = 0.9 + 0.1 * scores[:, ::3]
    return cf.Run(scores, name=run.name, items=run.items, concepts=run.concepts, threshold=0.5)


def test_what_confidences_lose_is_found_and_given_back() -> None:
    truth, run = world().truth, next(run for run in systems() if run.name == "Cedar_2")
    broken = distorted(run)
    before, after = (comparability(truth, [one]) for one in (run, broken))
    assert before is not None
    assert after is not None
    scores = cf.evaluate(truth, [broken], ["concept.AP", "example.AP"])
    whole = cf.evaluate(truth, [run], ["concept.AP"])
    assert scores[run.name, "concept.AP"] == pytest.approx(whole[run.name, "concept.AP"])
    assert after.as_given[0, 0] == scores[run.name, "example.AP"]
    assert (after.losses > 0.05).all()
    assert (np.abs(before.losses) < 0.02).all()
    # Only the order within concepts counts, which was not distorted.
    np.testing.assert_allclose(after.comparable, before.comparable, atol=1e-12)
    moved = after.places[0] - before.places[0]
    assert moved[::3].min() > 0 > moved[1::3].max()
    assert moved[::3].mean() > 10


def test_the_order_of_items_within_a_concept_stays_in_each_half() -> None:
    truth, run = world().truth, systems()[0]
    half, said = _halves(truth, 0), np.asarray(run.scores, dtype=np.float64)
    made = _log_odds(said, truth, half)
    assert abs(int(half.sum()) - 150) <= 1
    for side in (half, ~half):
        order = np.argsort(said[side], axis=0)
        assert (np.diff(np.take_along_axis(made[side], order, axis=0), axis=0) >= 0).all()


def test_log_odds_are_those_of_logistic_regression_by_scikit_learn() -> None:
    truth = world(1000).truth
    normal = _normal_scores(np.asarray(systems(10, 1000)[0].scores, dtype=np.float64))
    bins = np.clip(((normal / 5 + 1) / 2 * 128).astype(int), 0, 127)
    level, slope = _fitted(_histogram(bins, truth.labels), _histogram(bins, ~truth.labels))
    for column in np.flatnonzero(slope > 0)[::9]:
        true = truth.labels[:, column]
        yes, no = true.sum(), (~true).sum()
        target = np.where(true, (yes + 1) / (yes + 2), 1 / (no + 2))
        model = LogisticRegression(C=1e8, tol=1e-8).fit(
            np.tile(normal[:, column], 2)[:, None],
            np.repeat([1, 0], len(true)),
            sample_weight=np.concatenate([target, 1 - target]),
        )
        assert slope[column] == pytest.approx(model.coef_[0, 0], abs=0.01)
        assert level[column] == pytest.approx(model.intercept_[0], abs=0.02)


def test_the_same_is_found_whatever_the_order_of_rows_and_columns() -> None:
    one = collection_study(world().truth, systems()[:3], MEASURES)
    other = collection_study(shuffled(world().truth), systems()[2::-1], MEASURES)
    assert [group.name for group in one.groups] == [group.name for group in other.groups]
    for mine, theirs in zip(one.measures, other.measures, strict=True):
        assert mine.reliability is not None
        assert theirs.reliability is not None
        assert mine.reliability.alpha == pytest.approx(theirs.reliability.alpha)
        assert [mine.units[i] for i in mine.hardest] == [theirs.units[i] for i in theirs.hardest]
    assert one.comparability is not None
    assert other.comparability is not None
    np.testing.assert_allclose(
        one.comparability.losses, other.comparability.losses[:, ::-1], atol=1e-12
    )


def test_runs_without_confidences_are_left_out_and_named() -> None:
    run = systems()[0]
    decided = cf.Run(labels=run.assigned, name="decided", items=run.items, concepts=run.concepts)
    found = comparability(world().truth, [run, decided])
    assert found is not None
    assert found.runs == (run.name,)
    assert "decided" in found.notes[0]
    assert np.isnan(found.taus).all()
    assert comparability(world().truth, [decided]) is None


def test_open_truths_and_single_concepts_have_no_confidences_to_compare() -> None:
    truth = world().truth
    open_truth = cf.Truth(truth.labels, items=truth.items, concepts=truth.concepts, open=True)
    assert comparability(open_truth, systems()[:2]) is None
    single = truth.of_concepts([0])
    runs = [
        cf.Run(
            np.asarray(run.scores)[:, :1], name=run.name, items=run.items, concepts=single.concepts
        )
        for run in systems()[:3]
    ]
    found = collection_study(single, runs, ["concept.AP"])
    assert found.comparability is None
    assert found.measures[0].reliability is None
    assert np.isnan(found.measures[0].by_frequency)


def test_what_cannot_be_studied_is_told() -> None:
    with pytest.raises(InputError, match="at least 2"):
        collection_study(world().truth, systems()[:1])
    with pytest.raises(MeasureError, match="no scores of single concepts"):
        collection_study(world().truth, systems(), ["micro.F"])
    with pytest.raises(InputError, match="was not studied"):
        collection_study(world().truth, systems()[:2], ["concept.AP"])["OS"]
