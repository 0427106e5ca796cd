"""Table 7.1 of Nowak 2011: one photo by all hierarchical measures; and the truth of Figure 10.1.

Printed numbers are reproduced to half a unit of their last digit; .66 is 2/3, cut off.
Errata are tests too: they show what the printed number would have needed.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from fragment import CONCEPTS, FRAGMENT, PARENTS, RUN, TRUTH

import cranfield as cf
from cranfield.knowledge import Ontology
from cranfield.knowledge.lineage import Lineage

TWO_THIRDS = pytest.approx(2 / 3)


def score(measure: str, ontology: Ontology = FRAGMENT) -> float:
    return cf.evaluate(TRUTH, RUN, measure, ontology=ontology)["system", measure]


def test_fourteen_concepts_can_be_assigned() -> None:
    assert len(FRAGMENT.concepts) == 14


@pytest.mark.parametrize(
    ("measure", "printed", "exact"),
    [
        ("example.hloss", 0.29, 4 / 14),
        ("example.maxloss", 0.29, 4 / 14),
        ("example.weuclid", 1.72, 1.7185),
        ("example.hP(expand=descendants)", 1.00, 1.0),
        ("example.hR(expand=descendants)", 0.33, 1 / 3),
        ("example.P", 0.50, 0.5),
        ("example.R", 0.33, 1 / 3),
    ],
)
def test_measures_of_table_7_1(measure: str, printed: float, exact: float) -> None:
    assert score(measure) == pytest.approx(exact, abs=5e-5)
    assert round(exact, 2) == printed


@pytest.mark.parametrize("average", ["micro", "example"], ids=["Kiritchenko", "Verspoor"])
@pytest.mark.parametrize("name", ["hP", "hR", "hF"])
def test_precision_recall_and_f_with_ancestors_are_two_thirds(name: str, average: str) -> None:
    assert score(f"example.{name}(average={average})") == TWO_THIRDS


def test_erratum_the_f_of_ipeirotis_is_the_arithmetic_mean() -> None:
    assert score("example.hF(expand=descendants,mean=arithmetic)") == TWO_THIRDS
    assert score("example.hF(expand=descendants)") == pytest.approx(0.5)


def test_erratum_what_verspoor_defines_gives_another_precision() -> None:
    assert score("example.hP(expand=pairwise)") == pytest.approx(0.75)


def test_erratum_with_ancestors_as_struyf_has_them_the_distance_is_shorter() -> None:
    lineage = Lineage(FRAGMENT.hierarchy(), CONCEPTS)
    truth = cf.Truth(lineage.with_ancestors(TRUTH.labels), concepts=CONCEPTS)
    run = cf.Run(labels=lineage.with_ancestors(np.asarray(RUN.labels)), concepts=CONCEPTS)
    found = cf.evaluate(truth, run, "example.weuclid", ontology=FRAGMENT)
    assert found["run", "example.weuclid"] == pytest.approx(1.3521, abs=5e-5)


# ── OS and HS, which follow from no tree together with the other numbers ──────────────────────


def test_erratum_os_is_4554_and_hs_8125_and_not_45_and_84_hundredths() -> None:
    assert score("OS") == pytest.approx(0.4554, abs=5e-5)
    assert score("HS") == pytest.approx(0.8125)


def test_other_readings_of_os() -> None:
    assert score("OS(violators=drop)") == pytest.approx(0.4018, abs=5e-5)
    assert score("OS(penalise=false_positives)") == pytest.approx(0.5804, abs=5e-5)


@pytest.mark.parametrize(
    ("at_the_top", "hs", "kept", "dropped"),
    [
        (["portrait"], 0.8304, 0.4732, 0.4018),
        (["portrait", "Persons"], 0.8393, 0.4821, 0.4107),
    ],
)
def test_other_trees_do_not_give_both_either(
    at_the_top: list[str], hs: float, kept: float, dropped: float
) -> None:
    tree = replace(FRAGMENT, parents=PARENTS | dict.fromkeys(at_the_top, ()))
    assert score("HS", tree) == pytest.approx(hs, abs=5e-5)
    assert score("OS", tree) == pytest.approx(kept, abs=5e-5)
    assert score("OS(violators=drop)", tree) == pytest.approx(dropped, abs=5e-5)


# ── Figure 10.1 ───────────────────────────────────────────────────────────────────────────────

FIRST_PHOTO = {
    *("Family_Friends", "Sky", "Summer", "Outdoor", "Trees", "Clouds", "Day", "Sunny"),
    *("Portrait", "Single_Person", "Neutral_Illumination", "No_Blur"),
}


def test_erratum_os_of_a_perfect_prediction_is_below_one_if_the_truth_breaks_a_rule() -> None:
    ontology = Ontology.load("pto2009")
    labels = np.array([[concept in FIRST_PHOTO for concept in ontology.concepts]])
    assert labels.sum() == len(FIRST_PHOTO)
    assert [str(one.rule) for one in ontology.violations(labels)] == ["Trees needs Plants"]
    assert cf.score(labels, labels, "OS", ontology=ontology) == pytest.approx(0.9167, abs=5e-5)
