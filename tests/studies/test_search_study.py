"""Runs ranked by the searches that they serve, and by their annotations."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

import cranfield as cf
from cranfield.studies.searching import study_searches
from cranfield.studies.simulation import (
    Campaign,
    Design,
    System,
    draw_systems,
    simulate_run,
    simulate_world,
)
from cranfield.studies.vocabulary import photo_concepts
from cranfield.tasks.retrieval import concept_pairs

CAMPAIGN = Campaign(Design(photo_concepts(), items=250, seed=4), draw_systems(9, seed=4), (0, 50))
WORLD = simulate_world(CAMPAIGN.design)
RUNS = list(CAMPAIGN.runs(WORLD))
QUERIES = concept_pairs(WORLD.truth, at_least=12)


def test_correlations_are_those_of_scores_that_anybody_can_compute() -> None:
    study = study_searches(
        WORLD.truth, RUNS, QUERIES, annotated_by=["example.F", "example.ranking_loss"]
    )
    answers = [cf.search(run, QUERIES) for run in RUNS]
    searches = cf.evaluate(cf.search(WORLD.truth, QUERIES), answers, "concept.AP")
    annotations = cf.evaluate(WORLD.truth, RUNS, ["example.F", "example.ranking_loss"])
    systems = [run.name for run in RUNS if not run.name.startswith("Random")]
    assert set(study.left_out) == {"Random0", "Random50"}
    x = [searches[run, "concept.AP"] for run in systems]
    for sign, name in ((1, "example.F"), (-1, "example.ranking_loss")):
        y = [sign * annotations[run, name] for run in systems]
        found = next(one for one in study.agreements if str(one.annotation) == name)
        assert found.tau_b == pytest.approx(stats.kendalltau(x, y).statistic, abs=1e-12)
        wrong = sum((x[i] - x[j]) * (y[i] - y[j]) < 0 for i in range(len(x)) for j in range(i))
        assert (found.opposite, found.runs) == (wrong, len(systems))


def test_systems_of_known_quality_are_ranked_alike() -> None:
    systems = [System(f"s{n}", quality=0.4 + 0.4 * n) for n in range(5)]
    runs = [simulate_run(WORLD, system) for system in systems]
    study = study_searches(WORLD.truth, runs, QUERIES, annotated_by=["example.AP", "concept.AP"])
    assert [one.tau for one in study.agreements] == [1, 1]


def test_the_measure_that_agrees_best_comes_first() -> None:
    study = study_searches(WORLD.truth, RUNS, QUERIES, searched_by=["concept.AP", "concept.F"])
    for name in ("concept.AP", "concept.F"):
        taus = [one.tau for one in study.agreements if str(one.search) == name]
        assert taus == sorted(taus, reverse=True)
        assert len(taus) == 4


def test_runs_without_a_score_are_left_out_and_one_run_has_no_ranking() -> None:
    truth = cf.Truth(np.zeros((4, 2)), concepts=["a", "b"])
    run = cf.Run(np.full((4, 2), 0.5), concepts=["a", "b"])
    (found,) = study_searches(truth, [run], "a AND b", annotated_by=["example.F"]).agreements
    assert found.runs == 0
    assert np.isnan(found.tau)


def test_a_property_of_the_truth_ranks_nothing() -> None:
    with pytest.raises(cf.InputError, match="generality is a property of the truth"):
        _ = study_searches(
            WORLD.truth, RUNS, QUERIES, annotated_by=["concept.generality"]
        ).agreements
