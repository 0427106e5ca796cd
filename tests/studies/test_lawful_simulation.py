"""Simulated collections obey their ontology, and show what Nowak 2011 §7.5 found."""

from __future__ import annotations

import numpy as np
import pytest
from small_campaign import ontology

import cranfield as cf
from cranfield.knowledge.violations import missing
from cranfield.statistics import tau
from cranfield.studies.random_guessing import RandomGuessing, random_guessing
from cranfield.studies.reference_runs import perfect_run
from cranfield.studies.simulation import (
    Design,
    System,
    World,
    draw_systems,
    photo_campaign,
    simulate_run,
    simulate_world,
)
from cranfield.studies.vocabulary import Vocabulary, ontology_concepts, photo_concepts

ITEMS = 4000


@pytest.fixture(scope="module")
def photos() -> World:
    return simulate_world(Design(photo_concepts(), items=ITEMS, ontology=ontology()))


def obeys(labels: cf.Truth | cf.Run, rules: cf.Ontology) -> bool:
    return not rules.violations(labels) and not missing(rules, labels)


# --- truth ---


def test_photos_obey_their_ontology(photos: World) -> None:
    assert obeys(photos.truth, ontology())


@pytest.mark.parametrize("name", ["pto2009", "pto2010", "pto2011"])
def test_every_shipped_ontology_is_obeyed_at_the_frequencies_drawn_for_it(name: str) -> None:
    rules = cf.Ontology.load(name)
    words = ontology_concepts(rules, seed=3)
    drawn = simulate_world(Design(words, items=ITEMS, ontology=rules, seed=3))
    assert drawn.concepts == rules.concepts
    assert obeys(drawn.truth, rules)
    assert drawn.labels.mean(axis=0) == pytest.approx(np.array(words.frequencies), abs=0.04)
    assert drawn.labels.any(axis=0).mean() > 0.9


def test_rules_leave_the_frequencies_of_photos_as_they_are(photos: World) -> None:
    frequencies = np.array(photos.design.vocabulary.frequencies)
    error = 5 * np.sqrt(frequencies * (1 - frequencies) / ITEMS)
    assert (np.abs(photos.labels.mean(axis=0) - frequencies) < error).all()


def test_without_an_ontology_a_third_of_photos_break_rules() -> None:
    drawn = simulate_world(Design(photo_concepts(), items=ITEMS))
    broken = {violation.item for violation in ontology().violations(drawn.truth)}
    assert 0.3 < len(broken) / ITEMS < 0.4


def test_rules_change_only_concepts_that_need_or_exclude_others(photos: World) -> None:
    lawless = simulate_world(Design(photo_concepts(), items=ITEMS))
    differs = (photos.labels != lawless.labels).any(axis=0)
    changed = {name for name, other in zip(photos.concepts, differs, strict=True) if other}
    assert changed == {"Flowers", "Trees", "Clouds", "Lake", "River", "Sea", "Portrait"}


def test_a_perfect_run_has_an_ontology_score_of_exactly_one(photos: World) -> None:
    run = perfect_run(photos.truth)
    scores = cf.evaluate(photos.truth, run, "OS", ontology=ontology()).units(run.name, "OS")
    assert (scores == 1).all()


@pytest.mark.parametrize(
    "rules",
    [
        cf.Ontology({"a": (), "b": ("a",), "c": ("b",), "d": ("a", "c")}),
        cf.Ontology({"a": (), "b": (), "c": ()}, required=(("a", "b"), ("b", "c"))),
        cf.Ontology({"a": (), "b": (), "c": ()}, implications={"a": ("b",), "b": ("a", "c")}),
        cf.Ontology(
            {"x": (), "y": (), "a": ("x",), "b": ("x",), "c": ("y",), "d": ("y",)},
            concepts=("a", "b", "c", "d"),
            disjoint=(("x", "y"),),
            required=(("x", "y"),),
        ),
    ],
    ids=["two parents", "required groups that overlap", "a circle of needs", "disjoint branches"],
)
def test_odd_ontologies_are_obeyed_too(rules: cf.Ontology) -> None:
    words = ontology_concepts(rules, cardinality=1.5, seed=1)
    drawn = simulate_world(Design(words, items=500, ontology=rules, seed=1))
    assert obeys(drawn.truth, rules)
    assert drawn.labels.any()


def test_a_concept_that_the_ontology_does_not_know_is_refused() -> None:
    words = Vocabulary(("Sky", "Moon"), (0.3, 0.2), ("", ""))
    with pytest.raises(cf.InputError, match="Moon"):
        simulate_world(Design(words, items=5, ontology=ontology()))


# --- systems ---


@pytest.mark.parametrize("threshold", [None, 0.3, "frequency"])
def test_a_system_that_repairs_breaks_no_rule_and_another_does(
    photos: World, threshold: float | None
) -> None:
    lawful, plain = (
        simulate_run(photos, System("s", quality=0.8, threshold=threshold, repairs=repairs))
        for repairs in (True, False)
    )
    assert not ontology().violations(lawful)
    assert len(ontology().violations(plain)) > ITEMS / 4
    assert np.array_equal(lawful.scores, plain.scores)  # type: ignore[arg-type]


def test_repaired_decisions_are_those_of_the_ontology(photos: World) -> None:
    """The most probable label sets, held against `Ontology.repair`."""
    system = System("s", quality=0.8, answers="decisions")
    decisions = simulate_run(photos, System("s", quality=0.8, repairs=True)).labels
    scores = simulate_run(photos, System("s", quality=0.8)).scores
    plain = simulate_run(photos, system)
    repaired = ontology().repair(plain, cf.Run(scores, items=photos.items, concepts=plain.concepts))
    assert np.array_equal(decisions, repaired.labels.labels)  # type: ignore[arg-type]


def test_half_of_the_systems_repair_and_the_best_look_at_more() -> None:
    systems = draw_systems(40, seed=1)
    assert sum(system.repairs for system in systems) == 20
    quality = {
        modality: np.mean([s.quality for s in systems if s.modality == modality])
        for modality in ("T", "V", "M")
    }
    assert quality["T"] < quality["V"] < quality["M"]


# --- the campaign of `cranfield demo` ---


@pytest.fixture(scope="module")
def demo() -> RandomGuessing:
    campaign = photo_campaign()
    world = simulate_world(campaign.design)
    return random_guessing(
        world.truth,
        list(campaign.runs(world)),
        ["concept.F", "example.F", "HS", "OS", "concept.iAP"],
        ontology=campaign.design.ontology,
    )


def test_the_demo_shows_that_hs_and_concept_based_f_are_gamed(demo: RandomGuessing) -> None:
    assert demo["HS"].gamed
    assert demo["concept.F"].gamed


def test_the_demo_shows_that_os_and_example_based_f_are_not(demo: RandomGuessing) -> None:
    assert not demo["OS"].gamed
    assert not demo["example.F"].gamed
    assert demo["example.F"].separation > demo["OS"].separation > demo["HS"].separation
    assert demo["OS"].perfect == 1


def test_guesses_reach_about_what_they_reached_in_2009(demo: RandomGuessing) -> None:
    """Nowak 2011 §7.5: .24 of concept-based F, .65 of HS, .49 of OS, .19 of 11-point AP."""
    assert demo["concept.F"].best_score == pytest.approx(0.24, abs=0.02)
    assert demo["HS"].best_score == pytest.approx(0.65, abs=0.04)
    assert demo["OS"].best_score == pytest.approx(0.49, abs=0.01)
    assert demo["concept.iAP"].best_score == pytest.approx(0.19, abs=0.02)
    assert demo["concept.iAP"].average == pytest.approx(0.31, abs=0.02)


def test_systems_that_are_good_by_example_based_f_are_good_by_os(demo: RandomGuessing) -> None:
    scores = demo.field.merits(demo.field.systems)
    names = [str(measure) for measure in demo.field.measures]
    by_f, by_os = (scores[names.index(name)] for name in ("example.F", "OS"))
    assert float(tau(by_f, by_os)) > 0.4
