"""Runs that know nothing, the perfect run, and the field that they are part of."""

from __future__ import annotations

import numpy as np
import pytest
from small_campaign import shuffled, systems, world

import cranfield as cf
from cranfield.core.reference_names import is_blind
from cranfield.errors import InputError, MeasureError
from cranfield.studies.field import scored_field
from cranfield.studies.reference_runs import all_ones, perfect_run, random_run


def test_random_runs_do_not_depend_on_the_order_of_rows_and_columns() -> None:
    truth = world().truth
    for percent in (0, 30):
        one, other = (random_run(t, percent, seed=3) for t in (truth, shuffled(truth)))
        np.testing.assert_array_equal(one.ranking, np.asarray(other.ranking)[::-1, ::-1])


def test_the_perfect_run_scores_best_by_rankings_decisions_and_grades() -> None:
    truth = world().truth
    measures = ["concept.AP", "concept.AUC(ties=worst)", "example.F", "micro.F", "example.RP"]
    for score in cf.evaluate(truth, perfect_run(truth), [*measures, "example.nDCG"]):
        assert score.value == 1
    graded = cf.Truth(grades=[[3, 1, 0], [0, 1, 2]])
    assert cf.evaluate(graded, perfect_run(graded), "example.nDCG")["perfect", "example.nDCG"] == 1


def test_all_ones_finds_everything() -> None:
    truth = world().truth
    assert cf.evaluate(truth, all_ones(truth), "concept.R")["AllOnes", "concept.R"] == 1


def test_runs_that_carry_the_name_of_a_reference_run_are_taken_for_it() -> None:
    truth = world().truth
    mine = random_run(truth, 50, seed=77)
    field = scored_field(truth, [*systems(), mine], ["concept.F"], percentages=(10, 50))
    assert field.blind == ("Random50", "Random10", "AllOnes")
    assert field.systems == tuple(run.name for run in systems())
    assert field.evaluation.score("Random50", "concept.F").run is mine
    assert [field.kind(run) for run in ("Random10", "perfect", field.systems[0])] == [
        *("random", "perfect", "system")
    ]


def test_which_names_are_of_runs_that_know_nothing() -> None:
    names = ("Random0", "Random90", "AllOnes", "Random", "Random101", "MyRandom10")
    assert [is_blind(name) for name in names] == [True, True, True, False, False, False]


def test_merits_turn_losses_round() -> None:
    field = scored_field(world().truth, systems(), ["example.hamming", "example.F"])
    merits, scores = field.merits(field.runs), field.scores(field.runs)
    np.testing.assert_array_equal(merits, scores * [[-1], [1]])
    assert (merits[:, -1:] >= merits).all()


def test_what_cannot_be_studied_is_refused() -> None:
    truth = world().truth
    with pytest.raises(MeasureError, match="no run is better"):
        scored_field(truth, systems(), ["concept.generality"])
    with pytest.raises(InputError, match="no measures"):
        scored_field(truth, systems(), [])
    with pytest.raises(InputError, match="0 to 100"):
        random_run(truth, 101, seed=0)
    open_truth = cf.Truth(truth.labels, items=truth.items, concepts=truth.concepts, open=True)
    with pytest.raises(InputError, match="does not list all"):
        all_ones(open_truth)
    assert scored_field(open_truth, systems(), ["concept.AP"]).perfect is None
