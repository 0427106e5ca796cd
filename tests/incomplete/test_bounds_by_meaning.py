"""Bounds of measures of meaning are never violated, by any completion of any small truth and by
random ones of larger truths."""

from __future__ import annotations

import numpy as np
import pytest
from completions import assert_exact, assert_valid, gappy, reached

import cranfield as cf
from cranfield.errors import MeasureError
from cranfield.measures import measures
from ontologies import knowledge

VALID = [
    "HS",
    "HS(alpha=2)",
    "HS(costs=any)",
    "HS(costs=any,agreement=given)",
    "OS",
    "OS(agreement=none)",
    "OS(costs=any,violators=drop)",
    "OS(penalise=false_positives)",
    "OS(costs=any,penalise=false_positives,violators=drop)",
    "SRP(relatedness=any)",
    "example.hR",
    "example.hR(expand=descendants)",
    "example.hF",
    "example.hF(expand=descendants,mean=arithmetic)",
    "example.hF(expand=pairwise,beta=2)",
    "example.maxloss",
]
EXACT = [
    "example.hP",
    "example.hP(expand=descendants)",
    "example.hP(expand=pairwise)",
    "example.hP(average=micro)",
    "example.hR(expand=pairwise)",
    "example.weuclid",
]


@pytest.mark.parametrize("seed", range(8))
def test_no_completion_violates_valid_bounds(seed: int) -> None:
    truth, run = gappy(seed, items=3, concepts=6, unknown=7, ties=seed % 3 == 0)
    known = knowledge(truth.concepts)
    bounds = cf.bounds(truth, run, VALID, exact=0, **known)
    assert_valid(bounds, reached(truth, run, VALID, **known))


@pytest.mark.parametrize("seed", range(5))
def test_exact_bounds_are_reached(seed: int) -> None:
    truth, run = gappy(seed, items=3, concepts=6, unknown=8)
    known = knowledge(truth.concepts)
    bounds = cf.bounds(truth, run, EXACT, exact=0, **known)
    assert_exact(bounds, reached(truth, run, EXACT, **known))


def _by_item() -> list[str]:
    """Every measure by item that has no option it must be given."""
    return [
        f"{one.name}(relatedness=any)" if one.name == "SRP" else one.name
        for one in measures()
        if one.traits.direction == "example"
        and one.traits.relevance != "numeric"
        and "@" not in one.name
    ]


@pytest.mark.parametrize("seed", range(3))
def test_trying_all_completions_makes_every_measure_by_item_exact(seed: int) -> None:
    truth, run = gappy(seed, items=3, concepts=5, unknown=7)
    known = knowledge(truth.concepts)
    names = _by_item()
    assert_exact(cf.bounds(truth, run, names, **known), reached(truth, run, names, **known))


def test_random_completions_of_a_larger_truth_stay_within_the_bounds() -> None:
    truth, run = gappy(7, items=40, concepts=10, unknown=220)
    known = knowledge(truth.concepts)
    bounds = cf.bounds(truth, run, VALID, **known)
    random = np.random.default_rng(1)
    unknown = truth.states < 0
    for share in (0.0, 0.1, 0.3, 0.5, 0.9, 1.0):
        full = truth.labels | (unknown & (random.random(truth.shape) < share))
        result = cf.evaluate(cf.Truth(full, concepts=truth.concepts), run, VALID, **known)
        for name in VALID:
            bound, score = bounds["it", name], result.score("it", name)
            assert bound.lower - 1e-12 <= score.value <= bound.upper + 1e-12, name
            seen = ~np.isnan(score.by_unit)
            assert (bound.low[seen] - 1e-12 <= score.by_unit[seen]).all(), name
            assert (score.by_unit[seen] <= bound.high[seen] + 1e-12).all(), name


def test_bounds_by_meaning_are_not_merely_zero_and_one() -> None:
    truth, run = gappy(7, items=40, concepts=10, unknown=60)
    known = knowledge(truth.concepts)
    for bound in cf.bounds(truth, run, VALID, exact=0, **known):
        assert bound.upper - bound.lower < 0.5, str(bound.measure)


def test_closing_the_truth_first_narrows_the_bounds() -> None:
    ontology = cf.Ontology.load("pto2009")
    random = np.random.default_rng(3)
    labels = random.random((30, 53)) < 0.1
    labels = ontology.repair(cf.Truth(labels, concepts=ontology.concepts)).labels.labels
    judged = random.random(labels.shape) < 0.5
    truth = cf.Truth(labels & judged, judged=judged, concepts=ontology.concepts)
    run = cf.Run(labels=random.random(labels.shape) < 0.1, concepts=ontology.concepts, name="it")
    closed = ontology.close(truth).truth
    names = ["example.F", "OS", "example.hF"]
    for before, after in zip(
        cf.bounds(truth, run, names, ontology=ontology),
        cf.bounds(closed, run, names, ontology=ontology),
        strict=True,
    ):
        assert after.unjudged < before.unjudged
        assert after.upper - after.lower < before.upper - before.lower


def test_where_too_many_completions_would_have_to_be_tried_the_error_says_so() -> None:
    truth, run = gappy(2, items=3, concepts=9, unknown=24)
    known = knowledge(truth.concepts)
    with pytest.raises(MeasureError, match="item '0' has 8; give exact="):
        cf.bounds(truth, run, "example.hloss", **known)
    with pytest.raises(MeasureError, match="choose average=example"):
        cf.bounds(truth, run, "example.hF(average=micro)", **known)
    with pytest.raises(MeasureError, match="no bounds"):
        cf.bounds(truth, run, "example.path(label_weights=frequency)", **known)
