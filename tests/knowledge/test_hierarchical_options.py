"""What hierarchical measures ask for, say of themselves, and do when items are pooled."""

from __future__ import annotations

import re

import numpy as np
import pytest
from fragment import CONCEPTS, FRAGMENT, RUN, TRUTH, labels

import cranfield as cf
from cranfield.knowledge import Ontology

HIERARCHICAL = [
    one.name
    for one in cf.measures()
    if one.name.partition(".")[2] and "ontology" in one.knowledge and not one.asks
]


@pytest.mark.parametrize("name", [*HIERARCHICAL, "concept.simF(by=distance)"])
def test_a_measure_without_a_hierarchy_says_what_to_give(name: str) -> None:
    said = f"^{re.escape(name)} needs a hierarchy; give ontology=, for example pto2009"
    with pytest.raises(cf.InputError, match=said):
        cf.evaluate(TRUTH, RUN, name)


def test_hierarchical_measures_are_these() -> None:
    assert {name.partition(".")[2] for name in HIERARCHICAL} == {
        *("hloss", "maxloss", "weuclid", "hP", "hR", "hF", "path", "BDM", "parent_one_accuracy")
    }


def test_path_needs_no_hierarchy_if_there_are_costs() -> None:
    costs = np.ones((14, 14)) - np.eye(14)
    found = cf.evaluate(TRUTH, RUN, "example.path-flat", costs={"flat": costs})
    assert found["system", "example.path-flat"] == pytest.approx(4 / 6)


def test_similarity_asks_for_relatedness_and_distance_for_the_hierarchy() -> None:
    with pytest.raises(cf.InputError, match=r"simP\(by=similarity\) needs relatedness; give rel"):
        cf.evaluate(TRUTH, RUN, "concept.simP", ontology=FRAGMENT)
    several = {"one": np.eye(14), "other": np.ones((14, 14))}
    found = cf.evaluate(
        TRUTH, RUN, "concept.simP(by=distance)", ontology=FRAGMENT, relatedness=several
    )
    assert f"ontology=fragment:{FRAGMENT.digest[:8]}" in found.scores[0].signature
    named = cf.evaluate(TRUTH, RUN, "concept.simP(relatedness=one)", relatedness=several)
    assert "relatedness=one:" in named.scores[0].signature
    assert "ontology=" not in named.scores[0].signature


def test_unrelated_near_misses_are_as_bad_as_any() -> None:
    """With nothing related to anything, contributions are zero, and P and R are the usual ones."""
    found = cf.evaluate(
        TRUTH,
        RUN,
        [f"concept.{name}" for name in ("simP", "simR", "P", "R")],
        relatedness=np.eye(14),
    )
    for near, plain in (("simP", "P"), ("simR", "R")):
        assert np.array_equal(
            found.units("system", f"concept.{near}"),
            found.units("system", f"concept.{plain}"),
            True,
        )


POOLED = ["example.hP(average=micro)", "example.hR(average=micro)", "example.hF(average=micro)"]


def test_pooled_items_are_one_unit_without_scores_of_its_own() -> None:
    truth = cf.Truth(labels("trees plants", "sea", ""), concepts=CONCEPTS)
    run = cf.Run(labels=labels("flowers", "sea water", "sky"), concepts=CONCEPTS)
    found = cf.evaluate(truth, run, POOLED, ontology=FRAGMENT, weights={"items": [1, 2, 3]})
    assert [score.value for score in found] == pytest.approx([3 / 5, 3 / 4, 2 / 3])
    for score in found:
        assert (score.units, score.skipped) == (1, 0)
        assert np.isnan(score.by_unit).all()
        assert score.by_unit.shape == (3,)
        assert score.counts is None
        assert score.notes == ("unweighted: weights were given for items",)
        assert score.measure.traits.direction == "micro"


def test_pooled_nothing_is_perfect_and_pooled_silence_is_not() -> None:
    nothing = cf.Truth(np.zeros((2, 14)), concepts=CONCEPTS)
    silent = cf.Run(labels=np.zeros((2, 14), dtype=bool), concepts=CONCEPTS)
    truth = cf.Truth(labels("sea", "sky"), concepts=CONCEPTS)
    for name in POOLED:
        assert cf.evaluate(nothing, silent, name, ontology=FRAGMENT)["run", name] == 1.0
        assert cf.evaluate(truth, silent, name, ontology=FRAGMENT)["run", name] == 0.0
    with pytest.raises(cf.InputError, match="undefined for 1 unit of run 'run': 'the whole collec"):
        cf.evaluate(nothing, silent, "example.hP(average=micro,undefined=raise)", ontology=FRAGMENT)


def test_a_flat_hierarchy_makes_the_usual_measures_of_them() -> None:
    flat = Ontology(dict.fromkeys(CONCEPTS, ()))
    names = {
        "example.hloss": "example.hamming",
        "example.maxloss": "example.hamming",
        "example.hP": "example.P",
        "example.hR(expand=descendants)": "example.R",
        "example.hF(expand=pairwise)": "example.F",
        "example.hF(average=micro)": "micro.F",
        "concept.BDM": "concept.R",
        "concept.BDM(of=precision)": "concept.P",
    }
    found = cf.evaluate(TRUTH, RUN, [*names, *names.values()], ontology=flat)
    for hierarchical, plain in names.items():
        assert found["system", hierarchical] == pytest.approx(found["system", plain]), hierarchical
