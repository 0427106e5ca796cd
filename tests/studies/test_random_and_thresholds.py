"""Guessing, density and thresholds: what Nowak 2011 §7.5 and §9.1 find, in a simulated field."""

from __future__ import annotations

import numpy as np
import pytest
from small_campaign import ontology, systems, world

import cranfield as cf
from cranfield.errors import InputError, MeasureError
from cranfield.studies.label_density import label_density
from cranfield.studies.random_guessing import RandomGuessing, random_guessing
from cranfield.studies.threshold_effect import threshold_effect

ITEMS, RUNS = 400, 40
MEASURES = (
    *("concept.F", "example.F", "HS", "OS", "concept.iAP", "concept.AP", "concept.AUC"),
    "concept.AUC(ties=worst)",
)


@pytest.fixture(scope="module")
def guessing() -> RandomGuessing:
    return random_guessing(world(ITEMS).truth, systems(RUNS, ITEMS), MEASURES, ontology=ontology())


def test_the_field_is_about_as_good_as_that_of_2009(guessing: RandomGuessing) -> None:
    assert guessing["concept.iAP"].average == pytest.approx(0.31, abs=0.04)
    assert guessing["concept.F"].average == pytest.approx(0.20, abs=0.04)
    assert guessing["example.F"].average == pytest.approx(0.49, abs=0.05)


def test_dense_random_runs_game_concept_based_f_and_hs_but_neither_example_based_f_nor_os(
    guessing: RandomGuessing,
) -> None:
    assert guessing["concept.F"].gamed
    assert guessing["concept.F"].best in ("AllOnes", "Random90")
    assert guessing["HS"].gamed
    assert not guessing["example.F"].gamed
    assert not guessing["OS"].gamed
    assert guessing["example.F"].separation > guessing["OS"].separation
    assert guessing["OS"].separation > guessing["HS"].separation


def test_random_runs_reach_19_hundredths_of_interpolated_and_17_of_average_precision(
    guessing: RandomGuessing,
) -> None:
    assert guessing["concept.iAP"].best_score == pytest.approx(0.19, abs=0.025)
    assert guessing["concept.AP"].best_score == pytest.approx(0.17, abs=0.02)


def test_binary_runs_stay_below_a_quarter_of_auc_only_where_ties_count_nothing(
    guessing: RandomGuessing,
) -> None:
    result = guessing.field.evaluation
    for run in guessing.field.blind[1:]:
        assert result[run, "concept.AUC(ties=worst)"] < 0.26
        assert result[run, "concept.AUC"] == pytest.approx(0.5, abs=0.03)


def test_separation_counts_pairs_and_beaten_counts_systems(guessing: RandomGuessing) -> None:
    result, found = guessing.field.evaluation, guessing["concept.F"]
    scores = [result[run, "concept.F"] for run in guessing.field.systems]
    guesses = [result[run, "concept.F"] for run in guessing.field.blind]
    wins = [(s > g) + (s == g) / 2 for s in scores for g in guesses]
    assert found.separation == pytest.approx(np.mean(wins))
    assert found.beaten == sum(score < max(guesses) for score in scores)
    assert found.perfect == 1


def test_by_a_loss_the_best_guess_is_the_lowest() -> None:
    found = random_guessing(world().truth, systems(), ["example.hamming"])["example.hamming"]
    assert found.best == "Random10"
    assert found.best_score < found.worst_score


def test_recall_pays_for_every_label_and_densities_are_shares() -> None:
    found = label_density(world().truth, systems(), ["example.R", "example.P"])
    assert found.densities["Random30"] == pytest.approx(0.3, abs=1e-4)
    assert found.densities["AllOnes"] == 1
    assert found.densities["perfect"] == found.truth == pytest.approx(0.17, abs=0.01)
    assert found.of_guesses[0] > 0.95
    assert found.of_systems[0] > 0.3 > found.of_systems[1]


def test_no_threshold_is_better_than_the_best_and_the_chosen_ones_cost_ranks() -> None:
    found = threshold_effect(world().truth, systems())
    one_cut = [place for place, run in enumerate(systems()) if run.labels is None]
    assert (found.losses[0][one_cut] >= -1e-12).all()
    assert found.losses[0].max() > 0.01
    # Without thresholds, the order is rather that with the best of them than that as decided.
    assert found.tau(1, 3) > found.tau(0, 3)
    run = found.runs[int(np.argmax(found.losses[0]))]
    best = cf.tune(world().truth, systems()[found.runs.index(run)], "example.F", per="run")
    assert best.values[0] == found.thresholds[found.runs.index(run)]
    assert best.score == pytest.approx(found.scores[1][found.runs.index(run)])


def test_thresholds_of_concepts_are_best_by_a_concept_based_measure() -> None:
    found = threshold_effect(world().truth, systems(), "concept.F", ranking="concept.AP")
    assert (found.scores[2] >= found.scores[1] - 1e-12).all()
    # Some runs have cut each concept by its frequency, which can be better than any one threshold.
    assert (found.scores[2] >= found.scores[0] - 1e-12).all()


def test_thresholds_of_concepts_by_an_average_over_items_are_no_worse_than_one_for_all() -> None:
    for by in ("example.F", "example.hamming"):
        found = threshold_effect(world().truth, systems(), by)
        assert (found.losses[1] >= found.losses[0] - 1e-12).all()
        assert (found.losses[1] > found.losses[0] + 0.001).any()


def test_thresholds_by_hamming_loss_are_those_of_each_concept_alone() -> None:
    """Hamming loss is the one average over items in which concepts do not meet."""
    run = systems()[0]
    alone = cf.tune(world().truth, run, "concept.Acc")
    found = threshold_effect(world().truth, [run, systems()[1]], "example.hamming")
    assert 1 - found.scores[2, 0] == pytest.approx(alone.score, abs=1e-12)


def test_runs_without_confidences_keep_their_decisions() -> None:
    run = systems()[0]
    decided = cf.Run(labels=run.assigned, name="decided", items=run.items, concepts=run.concepts)
    found = threshold_effect(world().truth, [run, decided], "example.F")
    assert np.ptp(found.scores[:, 1]) == 0
    assert np.isnan(found.thresholds[1])
    assert "'decided'" in found.notes[0]


def test_a_measure_of_the_wrong_kind_is_refused() -> None:
    for by, ranking in (("concept.AP", "example.RP"), ("example.F", "example.P")):
        with pytest.raises(MeasureError, match="measure of decisions"):
            threshold_effect(world().truth, systems(), by, ranking=ranking)


def test_an_open_truth_has_no_random_runs_to_hold_systems_against() -> None:
    truth = world().truth
    open_truth = cf.Truth(truth.labels, items=truth.items, concepts=truth.concepts, open=True)
    for study in (random_guessing, label_density):
        with pytest.raises(InputError, match="no random runs"):
            study(open_truth, systems(), ["concept.F"])
