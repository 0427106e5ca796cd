"""What is known about registered measures, and what the audit must find out about them."""

from __future__ import annotations

import json
from functools import cache
from itertools import product

import numpy as np
import pytest

import cranfield as cf
from cranfield.studies.audit import REQUIREMENTS


@cache
def card(name: str) -> cf.studies.AuditCard:
    return cf.studies.audit(name, seconds=600, cells=3, drawn=2)


def shown(name: str, requirement: str) -> str:
    finding = card(name)[requirement]
    assert finding.verdict == "fails"
    return str(finding.counterexample)


# --- the Ontology Score ---


def test_os_punishes_a_perfect_prediction_of_a_truth_that_breaks_a_rule() -> None:
    told = shown("OS", "best reached")
    assert "the truth breaks the rule “at most one of day and night”" in told
    assert told.endswith("truth {day, night}, said {day, night}: 0")
    assert "follows the rules" in card("OS")["best reached"].note


def test_os_that_spares_right_labels_reaches_its_best() -> None:
    assert card("OS(penalise=false_positives)")["best reached"].verdict == "holds"


def test_hs_knows_no_rules_and_reaches_its_best() -> None:
    assert card("HS")["best reached"].verdict == "holds"


@pytest.mark.parametrize("requirement", ["partial credit", "distance", "depth"])
def test_os_meets_kiritchenkos_requirements(requirement: str) -> None:
    """Nowak 2011 §7.7 says so."""
    assert card("OS")[requirement].verdict == "holds"


def test_costs_that_do_not_depend_on_depth_fail_by_depth() -> None:
    assert card("OS(costs=DIMC)")["distance"].verdict == "holds"
    assert "further down costs no less" in shown("OS(costs=DIMC)", "depth")


def test_measures_without_a_hierarchy_are_not_asked_about_it() -> None:
    assert card("example.F")["partial credit"].verdict == "inapplicable"


def test_named_maps_are_provided() -> None:
    assert card("OS-FTS").knowledge == "small"
    assert card("SRP(relatedness=FTS)")["partial credit"].verdict == "holds"


# --- runs that know nothing, Nowak 2011 §7.5 ---


def test_hs_does_not_tell_random_runs_from_average_systems() -> None:
    assert "knows nothing" in shown("HS", "blind runs")


@pytest.mark.parametrize("name", ["OS", "example.F", "concept.AP", "concept.iAP", "concept.AUC"])
def test_others_tell_random_runs_from_average_systems(name: str) -> None:
    assert card(name)["blind runs"].verdict == "holds"


def test_concept_based_f_is_gamed_by_dense_runs() -> None:
    assert shown("concept.F", "blind runs").startswith("AllOnes knows nothing")


def test_recall_grows_with_the_labels_assigned_and_precision_does_not() -> None:
    assert card("concept.R")["run density"].verdict == "fails"
    assert card("concept.P")["run density"].verdict == "holds"


@pytest.mark.parametrize("name", ["concept.AUC", "concept.balanced_accuracy", "concept.R"])
def test_rates_do_not_depend_on_the_density_of_the_truth(name: str) -> None:
    assert card(name)["truth density"].verdict == "holds"


# --- metric axioms ---


def test_hamming_loss_is_a_metric() -> None:
    assert card("example.hamming").is_metric
    assert card("example.zero_one").is_metric


def test_the_jaccard_distance_is_a_metric() -> None:
    """Levandowsky & Winter 1971."""
    assert card("example.Acc").is_metric


def test_f_breaks_the_triangle_inequality() -> None:
    assert "0.3333 + 0.3333 < 1" in shown("example.F", "triangle")
    assert card("example.F")["symmetric"].verdict == "holds"


def test_precision_and_recall_change_places() -> None:
    assert card("micro.P")["symmetric"].verdict == "fails"


def test_mean_squared_error_is_no_metric_and_mean_absolute_error_is() -> None:
    assert not card("micro.MSE").is_metric
    assert card("micro.MAE").is_metric


# --- quality ---


def test_grouped_ties_make_ap_fall_when_a_relevant_item_rises() -> None:
    told = shown("concept.AP", "monotonic")
    assert told.count("|") == 8  # three items in each of the four matrices
    scores = [pair.score for pair in card("concept.AP")["monotonic"].counterexample.pairs]
    assert scores == pytest.approx([2 / 3, (1 / 2 + 2 / 3) / 2])


@pytest.mark.parametrize("name", ["concept.AP(ties=expected)", "concept.AUC", "example.F"])
def test_others_never_fall_when_something_is_mended(name: str) -> None:
    assert card(name)["monotonic"].verdict == "holds"


def test_auc_meets_all_of_kings_requirements() -> None:
    quality = [one for one in card("concept.AUC").findings if one.source.startswith("King 2003, ")]
    assert {one.requirement for one in quality if one.verdict == "fails"} == {"empty items"}


def test_labels_of_concepts_without_positives_cost_concept_based_f_nothing() -> None:
    assert "truth {A}, said {A, B}: 1" in shown("concept.F", "best only perfect")


def test_cutoffs_look_no_further() -> None:
    assert card("concept.P@3")["duplicates"].verdict == "fails"


def test_properties_of_the_truth_are_not_asked_for_quality() -> None:
    finding = card("concept.generality")["monotonic"]
    assert (finding.verdict, finding.note) == (
        "inapplicable",
        "no run is better than another by it",
    )


def test_confusion_matrices_are_audited_with_one_class_for_each_item() -> None:
    assert card("confusion.accuracy").prediction == "classes"
    assert card("confusion.accuracy").is_metric
    assert "truth {A}, said {A}: undefined" in shown("confusion.kappa", "defined")


def test_every_counterexample_is_the_smallest_by_plain_enumeration() -> None:
    """F's first broken triangle, found again without the audit."""

    def distance(a: tuple[bool, ...], b: tuple[bool, ...]) -> float:
        return 1 - cf.score(np.array([a]), np.array([b]), "example.F")

    for concepts in (1, 2):
        sets = list(product((False, True), repeat=concepts))
        broken = [
            abc
            for abc in product(sets, repeat=3)
            if distance(abc[0], abc[2]) > distance(abc[0], abc[1]) + distance(abc[1], abc[2]) + 1e-9
        ]
        assert bool(broken) == (concepts == 2)
    found = card("example.F")["triangle"].counterexample
    assert found is not None
    a, b, c = (found.pairs[0].truth[0], found.pairs[0].predicted[0], found.pairs[1].predicted[0])
    least = min(sum(map(sum, abc)) for abc in broken)
    assert a.sum() + b.sum() + c.sum() == least


# --- cards ---


def test_a_card_can_be_read_by_people_and_programs() -> None:
    found = card("example.F")
    assert "example.F: decisions, 0 to 1, higher is better" in str(found)
    assert found.frame.height == len(REQUIREMENTS)
    said = json.loads(found.to_json())
    by_name = {one["requirement"]: one for one in said["findings"]}
    first = by_name["triangle"]["counterexample"]["pairs"][0]
    assert cf.score(np.array(first["truth"]), np.array(first["said"]) > 0, "example.F") == (
        pytest.approx(first["score"])
    )
    assert set(by_name["blind runs"]["scores"]) >= {"Random0", "Random90", "AllOnes", "average"}


def test_a_requirement_that_is_not_there_is_told() -> None:
    with pytest.raises(cf.InputError, match="there are defined, comparable"):
        card("example.F")["beautiful"]


def test_no_time_is_enough_for_the_smallest_collections() -> None:
    hurried = cf.studies.audit("example.F", seconds=0)
    assert hurried.extent.cut_short
    assert hurried["triangle"].verdict == "fails"
