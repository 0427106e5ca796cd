"""What an explanation tells leads to the very score, whatever the options."""

from __future__ import annotations

import json
import math
from itertools import product
from typing import Any

import numpy as np
import pytest
from fragment import CONCEPTS, FRAGMENT, RUN, TRUTH
from scipy.optimize import linear_sum_assignment

import cranfield as cf
from cranfield.knowledge import Disjoint, Implication, Ontology
from problems import sparse


def explained(measure: str, **knowledge: Any) -> Any:
    found = cf.evaluate(TRUTH, RUN, measure, **({"ontology": FRAGMENT} | knowledge))
    return found.explain("system", measure, "photo")


# ── the example of Nowak 2011 §7.4 ────────────────────────────────────────────────────────────


def test_os_of_the_example_is_the_printed_sum() -> None:
    found = explained("OS")
    broken = {match.label: [str(rule) for rule in match.rules] for match in found.matches[:3]}
    assert broken == {
        "trees": ["trees needs plants"],
        "clouds": ["clouds needs sky"],
        "portrait": ["portrait needs Persons"],
    }
    missed = [(match.label, match.partner, match.value * 14) for match in found.matches[3:]]
    assert missed == [
        ("plants", "trees", pytest.approx(1)),
        ("water", "mountains", pytest.approx(4)),
        ("sky", "clouds", pytest.approx(1)),
        ("single", "mountains", pytest.approx(13)),
    ]
    assert found.score == pytest.approx(0.4554, abs=5e-5)
    assert found.arithmetic == (
        "union of both sets: 8 labels",
        "lost = 1 + 1 + 1 + 0.0714 + 0.2857 + 0.0714 + 0.9286 = 4.3571",
        "score = 1 − 4.3571 / 8 = 0.4554",
    )


def test_hs_of_the_example_breaks_no_rule() -> None:
    found = explained("HS(alpha=0.5)")
    assert all(match.rules == () for match in found.matches)
    assert [match.label for match in found.matches if match.side == "assigned"] == [
        "trees",
        "clouds",
    ]
    assert found.arithmetic[-1] == "score = (1 − 1.5 / 8)^0.5 = 0.9014"


def test_costs_are_scaled_by_the_agreement_on_the_true_label() -> None:
    agreement = dict.fromkeys(CONCEPTS, 1.0) | {"plants": 0.5, "sky": 0.25}
    found = explained("HS(agreement=given)", agreement=agreement)
    scaled = {(match.label, match.partner): match.agreement for match in found.matches}
    assert scaled["trees", "plants"] == scaled["plants", "trees"] == 0.5
    assert scaled["clouds", "sky"] == scaled["sky", "clouds"] == 0.25
    assert scaled["water", "mountains"] == 1.0


def test_of_labels_equally_near_the_one_annotators_agree_on_is_the_partner() -> None:
    truth = cf.Truth([[1, 1, 0]], concepts="abc")
    run = cf.Run(labels=[[0, 0, 1]], concepts="abc")
    costs = np.full((3, 3), 0.5) - 0.5 * np.eye(3)
    found = cf.evaluate(truth, run, "OS", costs=costs, agreement=[0.3, 0.9, 1.0])
    (match,) = [one for one in found.explain("run", "OS", "0").matches if one.side == "assigned"]
    assert (match.partner, match.counts) == ("b", 0.45)


def test_srp_shows_the_best_assignment() -> None:
    scores = [[0.9 if name in ("portrait", "trees", "clouds") else 0.1 for name in CONCEPTS]]
    run = cf.Run(scores, items=["photo"], concepts=CONCEPTS, name="system")
    found = cf.evaluate(TRUTH, run, "SRP-DDMC", ontology=FRAGMENT).explain(
        "system", "SRP-DDMC", "photo"
    )
    pairs = {match.label: (match.partner, match.value) for match in found.matches}
    assert pairs["portrait"] == ("portrait", 1.0)
    assert pairs["clouds"] == ("sky", pytest.approx(13 / 14))
    assert "ties at the cut were broken by id" in found.arithmetic
    assert found.unit == "relatedness"


# ── the score is the same, whatever the options ───────────────────────────────────────────────


def drawn(rng: np.random.Generator, concepts: int) -> Ontology:
    """Any ontology: a directed graph, groups and needs at random, without contradictions."""
    names = [f"c{n}" for n in range(concepts)]
    parents = {
        name: tuple(rng.choice(names[:n], size=min(n, rng.integers(0, 3)), replace=False))
        for n, name in enumerate(names)
    }
    for _ in range(50):
        disjoint = [Disjoint(tuple(rng.choice(names, 2, replace=False))) for _ in range(2)]
        needs = [Implication(*_need(rng, names)) for _ in range(2)]
        try:
            made = Ontology(parents, disjoint=tuple(disjoint), implications=tuple(needs))
        except cf.InputError:
            continue
        if not made.contradictions:
            return made
    return Ontology(parents)


def _need(rng: np.random.Generator, names: list[str]) -> tuple[str, tuple[str, ...]]:
    first, *others = rng.choice(names, 3, replace=False)
    return str(first), tuple(map(str, others))


OPTIONS = [
    f"({','.join(chosen)})"
    for chosen in product(
        ("alpha=1", "alpha=0.3", "alpha=0"),
        ("costs=DDMC", "costs=DIMC", "costs=any"),
        ("agreement=given", "agreement=none"),
        ("undefined=empty", "undefined=skip"),
    )
]
RULED = [
    f"{options[:-1]},{more})"
    for options, more in product(
        OPTIONS[::2],
        (
            "violators=keep,penalise=all",
            "violators=drop,penalise=all",
            "violators=keep,penalise=false_positives",
            "violators=drop,unjudged=exclude",
        ),
    )
]


RATES = [
    f"example.{rate}(expand={expand}{more})"
    for (rate, more), expand in product(
        (
            ("hP", ""),
            ("hR", ",undefined=skip"),
            ("hF", ""),
            ("hF", ",beta=2"),
            ("hF", ",mean=arithmetic,undefined=skip"),
        ),
        ("ancestors", "descendants", "pairwise"),
    )
]
HIERARCHICAL = [
    f"{measure[:-1]},unjudged={unjudged})"
    for measure, unjudged in product(
        (
            *RATES,
            "example.weuclid(base=0.6)",
            "example.path(costs=any)",
            "example.path(label_weights=frequency,dummy=0.7)",
        ),
        ("negative", "exclude"),
    )
] + ["example.hloss", "example.maxloss(unjudged=exclude)", "example.hF(average=micro)"]


@pytest.mark.parametrize("seed", range(12))
def test_what_is_explained_adds_up_to_the_very_score(seed: int) -> None:
    rng = np.random.default_rng(seed)
    items, concepts = 12, int(rng.choice([5, 9, 70]))
    density = 0.05 if concepts > 64 else 0.3
    onto = drawn(rng, concepts)
    shape = (items, concepts)
    labels = rng.random(shape) < density
    labels[0] = False
    scores = np.round(rng.random(shape) * 0.6 + 0.4 * labels, 1)
    scores[0] = 0.0
    truth = cf.Truth(labels, concepts=onto.concepts, judged=labels | (rng.random(shape) < 0.9))
    if seed % 3 == 0:
        given: Any = sparse(scores, scores > 0.4)
    else:
        given = scores
    run = cf.Run(given, concepts=onto.concepts, threshold=0.6)
    knowledge = {
        "ontology": onto,
        "costs": {"any": np.round(rng.random((concepts, concepts)), 1)},
        "relatedness": {"any": rng.random((concepts, concepts))},
        "agreement": np.round(rng.random(concepts), 1),
    }
    measures = [f"OS{options}" for options in RULED] + [f"HS{options}" for options in OPTIONS]
    measures += ["SRP-any", "SRP-DDMC", "SRP(relatedness=any,undefined=1)", *HIERARCHICAL]
    result = cf.evaluate(truth, run, measures, **knowledge)  # type: ignore[arg-type]
    for measure in result.measures:
        units = result.units("run", measure)
        for row in rng.choice(items, 4, replace=False):
            found = result.explain("run", measure, truth.items[row])
            if measure.traits.direction == "micro":
                assert found.score is None
                continue
            assert np.array_equal(found.score, units[row], equal_nan=True), (measure, row)


@pytest.mark.parametrize("seed", range(20))
def test_labels_without_a_rule_are_no_violators(seed: int) -> None:
    rng = np.random.default_rng(seed)
    onto = drawn(rng, 8)
    truth = cf.Truth(rng.random((30, 8)) < 0.4, concepts=onto.concepts)
    run = cf.Run(labels=rng.random((30, 8)) < 0.4, concepts=onto.concepts)
    result = cf.evaluate(truth, run, "OS", ontology=onto)
    broken = {(one.item, label) for one in onto.violations(run) for label in one.labels}
    told = {
        (item, match.label)
        for item in truth.items
        for match in result.explain("run", "OS", item).matches
        if match.rules
    }
    assert told == broken


@pytest.mark.parametrize("seed", range(10))
def test_pairs_of_srp_are_as_good_as_scipys(seed: int) -> None:
    rng = np.random.default_rng(seed)
    labels, scores = rng.random((6, 10)) < 0.4, rng.random((6, 10))
    related = rng.random((10, 10))
    np.fill_diagonal(related, 1.0)
    result = cf.evaluate(cf.Truth(labels), cf.Run(scores), "SRP", relatedness=related)
    for row in np.flatnonzero(labels.any(axis=1)):
        found = result.explain("run", "SRP", str(row))
        true, top = ([int(name) for name in names] for names in (found.true, found.assigned))
        part = related[np.ix_(top, true)]
        best = part[linear_sum_assignment(part, maximize=True)].sum()
        assert sum(match.value for match in found.matches) == pytest.approx(best)
        assert sorted(match.partner for match in found.matches) == sorted(found.true)


# ── measures of hierarchies ───────────────────────────────────────────────────────────────────


def test_hf_tells_the_widened_sets_that_it_counts() -> None:
    found = explained("example.hF")
    assert found.sets["assigned, widened"] == (
        "plants", "trees", "sky", "clouds", "mountains", "portrait",
    )  # fmt: skip
    assert found.sets["in both"] == ("plants", "sky", "mountains", "portrait")
    assert found.arithmetic == (
        "widened by ancestors: 6 true, 6 assigned, 4 in both",
        "hP = 4 / 6 = 0.6667",
        "hR = 4 / 6 = 0.6667",
        "hF = 2·hP·hR / (hP + hR) = 0.6667",
    )
    assert found.to_dict()["sets"]["in both"] == ["plants", "sky", "mountains", "portrait"]


def test_pairwise_rates_tell_the_best_share_of_each_label() -> None:
    found = explained("example.hP(expand=pairwise)")
    assert found.arithmetic == (
        "best shares of assigned labels: trees 1/2 (plants), clouds 1/2 (sky), "
        "mountains 1/1 (mountains), portrait 1/1 (portrait)",
        "hP = 3 / 4 = 0.75",
    )


def test_the_losses_of_the_example_tell_the_labels_that_count() -> None:
    hloss, maxloss, weuclid = map(
        explained, ("example.hloss", "example.maxloss", "example.weuclid")
    )
    assert hloss.sets == {
        "counts": ("plants", "water", "sky", "single"),
        "wrong below": ("trees", "clouds"),
    }
    assert maxloss.sets["counts"] == ("trees", "water", "clouds", "single")
    assert hloss.arithmetic[-1] == maxloss.arithmetic[-1] == "score = 4 / 14 = 0.2857"
    assert weuclid.arithmetic == (
        "wrong, with their depths: plants 0.75^2, trees 0.75^3, water 0.75^2, sky 0.75^2, "
        "clouds 0.75^3, single 0.75^3",
        "score = √(0.5625 + 0.4219 + 0.5625 + 0.5625 + 0.4219 + 0.4219) = 1.7185",
    )


def test_path_tells_who_was_paired_off_with_whom() -> None:
    found = explained("example.path")
    pairs = {(match.label, match.partner): match.value for match in found.matches}
    assert pairs["trees", "plants"] == pairs["clouds", "sky"] == pytest.approx(1 / 6)
    assert {pair for pair in pairs if None in pair} == {("water", None), ("single", None)}
    assert found.arithmetic[-1] == "score = 2.3333 / 6 = 0.3889"


# ── other measures ────────────────────────────────────────────────────────────────────────────


def test_measures_of_label_sets_tell_hits_and_misses() -> None:
    found = explained("example.F")
    assert found.hits == ("mountains", "portrait")
    assert found.false == ("trees", "clouds")
    assert found.missed == ("plants", "water", "sky", "single")
    assert found.score == pytest.approx(0.4)
    assert found.arithmetic[0] == "2 hits, 2 false, 4 missed"


def test_measures_of_rankings_tell_where_true_labels_stand() -> None:
    truth = cf.Truth([[1, 0, 1, 1]], concepts="abcd")
    run = cf.Run(sparse(np.array([[0.2, 0.9, 0.2, 0.0]])), concepts="abcd")
    found = cf.evaluate(truth, run, "example.AP").explain("run", "example.AP", "0")
    assert [(place.label, str(place)) for place in found.places] == [
        ("a", "2–3"),
        ("c", "2–3"),
        ("d", "not retrieved"),
    ]


def test_measures_that_score_no_items_say_so() -> None:
    for measure, scored in (("concept.F", "concepts"), ("micro.F", "all cells together")):
        found = explained(measure)
        assert found.score is None
        assert f"scores {scored}, so no item has a score of its own" in found.arithmetic[-1]


def test_an_item_without_labels_is_settled_as_the_measure_says() -> None:
    truth, run = cf.Truth([[0, 0]]), cf.Run(labels=[[0, 0]])
    costs = 1 - np.eye(2)
    for measure, expected in (("HS", 1.0), ("HS(undefined=skip)", math.nan)):
        found = cf.evaluate(truth, run, measure, costs=costs).explain("run", measure, "0")
        assert found.score == pytest.approx(expected, nan_ok=True)
        assert found.arithmetic[0] == "no label is true and none was assigned"
        assert found.to_dict()["score"] == (None if math.isnan(expected) else expected)


def test_plain_data_says_everything() -> None:
    told = json.loads(json.dumps(explained("OS").to_dict()))
    assert told["matches"][0] == {
        "label": "trees",
        "side": "assigned",
        "partner": None,
        "cost": 1.0,
        "agreement": 1.0,
        "counts": 1.0,
        "rules": ["trees needs plants"],
    }
    assert told["hits"] == ["mountains", "portrait"]
    assert "places" not in told


def test_columns_without_names_are_called_as_in_the_ontology() -> None:
    truth, run = cf.Truth(TRUTH.labels), cf.Run(labels=RUN.labels)
    result = cf.evaluate(truth, run, ["OS", "example.F"], ontology=FRAGMENT)
    assert result.explain("run", "OS", "0").matches == explained("OS").matches
    assert result.explain("run", "example.F", "0").false == ("trees", "clouds")


def test_an_ontology_of_other_concepts_does_not_stand_in_the_way() -> None:
    truth, run = cf.Truth([[1, 0]], concepts="ab"), cf.Run(labels=[[0, 1]], concepts="ab")
    result = cf.evaluate(truth, run, "example.F", ontology=FRAGMENT)
    assert result.explain("run", "example.F", "0").missed == ("a",)


def test_many_equal_addends_are_a_product() -> None:
    said = [[name in ("lake", "river", "sea", "flowers", "trees", "clouds") for name in CONCEPTS]]
    run = cf.Run(labels=said, items=["photo"], concepts=CONCEPTS)
    found = cf.evaluate(TRUTH, run, "OS", ontology=FRAGMENT).explain("run", "OS", "photo")
    assert found.arithmetic[1].startswith("lost = 6 × 1 + 0.0714 + ")


def test_an_item_that_is_not_there_is_said() -> None:
    result = cf.evaluate(TRUTH, RUN, "HS", ontology=FRAGMENT)
    with pytest.raises(cf.InputError, match="no item 'picture'; items: 'photo'"):
        result.explain("system", "HS", "picture")
