"""Numbers printed in the papers, reproduced to half a unit of their last digit.

Sources are named as in the specification: [000] Nowak et al. 2010, [001] Weber's lecture, [004]
Nowak's dissertation. Errata are tests too: they show what the printed number would have needed.
"""

from __future__ import annotations

import numpy as np
import pytest

import cranfield as cf
from problems import from_counts

WHOLE_PERCENT = 0.005
TENTH_OF_PERCENT = 0.0005
ROUNDING = 1e-12
"""Printed halves (.925 as .93) lie exactly on the edge of the tolerance."""


def agrees(value: float, printed: float, unit: float = WHOLE_PERCENT) -> bool:
    """Whether a value rounds to what was printed."""
    return abs(value - printed) <= unit + ROUNDING


# ── [001] a ranked list of 14 documents, 5 of them relevant ───────────────────────────────────

RELEVANT = np.array([1, 1, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0])
CONFIDENCES = np.arange(14, 0, -1)
PRECISIONS = [1.0, 1.0, 0.67, 0.75, 0.6, 0.67, 0.57, 0.5, 0.44, 0.4, 0.36, 0.33, 0.38, 0.36]
RECALLS = [0.2, 0.4, 0.4, 0.6, 0.6, 0.8, 0.8, 0.8, 0.8, 0.8, 0.8, 0.8, 1.0, 1.0]


@pytest.mark.parametrize(
    ("k", "precision", "recall"), list(zip(range(1, 15), PRECISIONS, RECALLS, strict=True))
)
def test_precision_and_recall_at_every_rank_of_the_lectures_list(
    k: int, precision: float, recall: float
) -> None:
    assert agrees(cf.score(RELEVANT, CONFIDENCES, f"concept.P@{k}"), precision)
    assert agrees(cf.score(RELEVANT, CONFIDENCES, f"concept.R@{k}"), recall)


def test_the_pair_of_the_first_four_documents_is_three_quarters_and_three_fifths() -> None:
    assert cf.score(RELEVANT, CONFIDENCES, "concept.P@4") == 3 / 4
    assert cf.score(RELEVANT, CONFIDENCES, "concept.R@4") == 3 / 5


@pytest.mark.parametrize("accepted", range(1, 14))
def test_fallout_precision_recall_and_generality_obey_the_lectures_identity(accepted: int) -> None:
    f, p, r, g = (
        cf.score(RELEVANT, CONFIDENCES, f"concept.{name}", threshold=14.5 - accepted)
        for name in ("fallout", "P", "R", "generality")
    )
    assert f * p * (1 - g) == pytest.approx(r * g * (1 - p), abs=1e-15)
    assert r > 0


# ── [001] tables of right and wrong decisions ─────────────────────────────────────────────────

CANCER_TEST = (20, 180, 10, 1820)
ALWAYS_NO = (0, 0, 30, 2000)
ROC_A, ROC_B, ROC_C, ROC_D = (
    (95, 30, 5, 70),
    (40, 80, 60, 20),
    (90, 70, 10, 30),
    (60, 5, 40, 95),
)


@pytest.mark.parametrize(
    ("counts", "name", "printed", "unit"),
    [
        (CANCER_TEST, "P", 0.10, WHOLE_PERCENT),
        (CANCER_TEST, "NPV", 0.995, TENTH_OF_PERCENT),
        (CANCER_TEST, "R", 0.67, WHOLE_PERCENT),
        (CANCER_TEST, "specificity", 0.91, WHOLE_PERCENT),
        (CANCER_TEST, "Acc", 0.906, TENTH_OF_PERCENT),
        (CANCER_TEST, "FDR", 0.90, WHOLE_PERCENT),
        (CANCER_TEST, "FOR", 0.005, TENTH_OF_PERCENT),
        (ALWAYS_NO, "NPV", 0.985, TENTH_OF_PERCENT),
        (ALWAYS_NO, "R", 0.0, 0.0),
        (ALWAYS_NO, "specificity", 1.0, 0.0),
        (ALWAYS_NO, "Acc", 0.985, TENTH_OF_PERCENT),
        (ALWAYS_NO, "P", 0.0, 0.0),
        (ROC_A, "R", 0.95, 0.0),
        (ROC_A, "fallout", 0.30, 0.0),
        (ROC_A, "P", 0.76, 0.0),
        (ROC_A, "NPV", 0.93, WHOLE_PERCENT),
        (ROC_A, "Acc", 0.83, WHOLE_PERCENT),
        (ROC_B, "R", 0.40, 0.0),
        (ROC_B, "fallout", 0.80, 0.0),
        (ROC_B, "P", 0.33, WHOLE_PERCENT),
        (ROC_B, "NPV", 0.25, 0.0),
        (ROC_B, "Acc", 0.30, 0.0),
        (ROC_C, "R", 0.90, 0.0),
        (ROC_C, "fallout", 0.70, 0.0),
        (ROC_C, "P", 0.56, WHOLE_PERCENT),
        (ROC_C, "NPV", 0.75, 0.0),
        (ROC_C, "Acc", 0.60, 0.0),
        (ROC_D, "R", 0.60, 0.0),
        (ROC_D, "fallout", 0.05, 0.0),
        (ROC_D, "P", 0.92, WHOLE_PERCENT),
        (ROC_D, "NPV", 0.70, WHOLE_PERCENT),
        (ROC_D, "Acc", 0.78, WHOLE_PERCENT),
    ],
)
def test_rates_of_the_lectures_tables(
    counts: tuple[int, int, int, int], name: str, printed: float, unit: float
) -> None:
    assert agrees(cf.score(*from_counts(*counts), f"concept.{name}"), printed, unit)


# ── [001] women, men and children in photos ───────────────────────────────────────────────────

PEOPLE = np.array([[13, 2, 5], [4, 15, 1], [2, 1, 57]])
"""Rows: who it was (woman, man, child); columns: whom the system saw."""


@pytest.fixture(scope="module")
def people() -> cf.Evaluation:
    actual, seen = np.nonzero(np.ones_like(PEOPLE))
    times = PEOPLE.ravel()
    one_hot = np.eye(3, dtype=bool)
    names = {"concepts": ["woman", "man", "child"]}
    return cf.evaluate(
        cf.Truth(one_hot[np.repeat(actual, times)], **names),
        cf.Run(labels=one_hot[np.repeat(seen, times)], name="system", **names),
        [f"concept.{name}" for name in ("P", "NPV", "R", "specificity", "Acc")]
        + [f"example.{name}" for name in ("Acc", "zero_one")],
    )


def test_the_system_recognises_85_of_100_people(people: cf.Evaluation) -> None:
    assert people["system", "example.Acc"] == pytest.approx(0.85)
    assert people["system", "example.zero_one"] == pytest.approx(0.15)


@pytest.mark.parametrize(
    ("name", "woman", "child"),
    [
        ("P", 0.68, 0.90),
        ("NPV", 0.91, 0.92),
        ("R", 0.65, 0.95),
        ("specificity", 0.93, 0.85),
        ("Acc", 0.87, 0.91),
    ],
)
def test_one_class_against_the_rest(
    people: cf.Evaluation, name: str, woman: float, child: float
) -> None:
    found = dict(zip(people.truth.concepts, people.units("system", f"concept.{name}"), strict=True))
    assert agrees(found["woman"], woman)
    assert agrees(found["child"], child)


# ── [001] Fawcett's twenty instances ──────────────────────────────────────────────────────────

FAWCETT_LABELS = np.array([letter == "p" for letter in "ppnpppnnpnpnpnnnpnpn"])
FAWCETT_SCORES = np.array(
    [
        *(0.9, 0.8, 0.7, 0.6, 0.55, 0.54, 0.53, 0.52, 0.51, 0.505),
        *(0.4, 0.39, 0.38, 0.37, 0.36, 0.35, 0.34, 0.33, 0.30, 0.1),
    ]
)


def accuracy_at(threshold: float) -> float:
    return cf.score(FAWCETT_LABELS, FAWCETT_SCORES, "concept.Acc", threshold=threshold)


def test_the_best_threshold_of_fawcetts_list_is_54_hundredths_with_accuracy_70_percent() -> None:
    found = {float(threshold): accuracy_at(threshold) for threshold in FAWCETT_SCORES}
    assert max(found, key=lambda threshold: found[threshold]) == 0.54
    assert found[0.54] == pytest.approx(0.70)
    table = cf.statistics.roc_table(
        cf.Truth(FAWCETT_LABELS[:, None]), cf.Run(FAWCETT_SCORES[:, None])
    )
    best = table.best("accuracy")
    assert best is not None
    assert (best.threshold, best.value) == (0.54, pytest.approx(0.70))


def test_erratum_the_printed_rule_greater_than_gives_65_percent_there() -> None:
    strictly_above = np.nextafter(0.54, 1)
    assert accuracy_at(strictly_above) == pytest.approx(0.65)


def test_float32_scores_meet_the_same_threshold() -> None:
    single = FAWCETT_SCORES.astype(np.float32)
    assert cf.score(FAWCETT_LABELS, single, "concept.Acc", threshold=0.54) == pytest.approx(0.70)


# ── [004] Table 7.1 and §9.2; [000] and [004] label density ───────────────────────────────────

CONCEPTS = [
    *("Portrait", "Single_Person", "Plants", "Water", "Mountains", "Sky", "Trees", "Clouds"),
    *("Small_Group", "Big_Group", "Flowers", "River", "Lake", "Sea"),
]
TRUE_LABELS = {"Portrait", "Single_Person", "Plants", "Water", "Mountains", "Sky"}
PREDICTED = {"Portrait", "Trees", "Mountains", "Clouds"}


@pytest.mark.parametrize(
    ("name", "printed"), [("example.P", 0.5), ("example.R", 0.33), ("example.F", 0.40)]
)
def test_example_based_measures_of_table_7_1(name: str, printed: float) -> None:
    truth, said = ([[c in labels for c in CONCEPTS]] for labels in (TRUE_LABELS, PREDICTED))
    assert agrees(cf.score(truth, np.array(said), name), printed)


def test_erratum_the_f_of_table_7_1_is_the_arithmetic_mean() -> None:
    truth, said = ([[c in labels for c in CONCEPTS]] for labels in (TRUE_LABELS, PREDICTED))
    p, r, f = (cf.score(truth, np.array(said), f"example.{name}") for name in "PRF")
    assert agrees((p + r) / 2, 0.42)
    assert not agrees(f, 0.42)


MOFFAT_AND_ZOBEL = np.array([mark == "$" for mark in "$---$----$-----$---"])


def test_erratum_the_first_document_has_51_percent_of_ap_not_58() -> None:
    scores = np.arange(len(MOFFAT_AND_ZOBEL), 0, -1)
    ap = cf.score(MOFFAT_AND_ZOBEL, scores, "concept.AP")
    share = (1 / MOFFAT_AND_ZOBEL.sum()) / ap
    assert share == pytest.approx(0.5128, abs=5e-5)


@pytest.mark.parametrize(
    ("items", "labels", "concepts", "density", "unit"),
    [
        (13_000, 117_720, 53, 0.1709, 0.00005),
        (1, 9, 53, 0.17, WHOLE_PERCENT),
        (1, 12, 93, 0.13, WHOLE_PERCENT),
    ],
)
def test_label_density_is_mean_generality(
    items: int, labels: int, concepts: int, density: float, unit: float
) -> None:
    cells = np.zeros(items * concepts, dtype=bool)
    cells[np.linspace(0, len(cells) - 1, labels).astype(int)] = True
    truth = cells.reshape(items, concepts)
    assert truth.sum() == labels
    assert agrees(cf.score(truth, truth, "concept.generality(undefined=0)"), density, unit)


# ── [004] Table 5.2: which concepts of the ontology other collections have ────────────────────

ONTOLOGY = 101
"""Concepts that the percentages were computed with; the table lists 99 of them."""


def vocabulary(*concepts: str) -> cf.Truth:
    return cf.Truth(np.zeros((1, len(concepts))), concepts=concepts)


@pytest.mark.parametrize(
    ("shared", "hundredths_of_percent"),
    [
        (56, 5544),  # LSCOM
        (16, 1584),  # Caltech-256
        (33, 3267),  # NUS-Wide
        (44, 4356),  # IAPR-TC-12
        (28, 2772),  # VideoAnnEx
        (18, 1782),  # SUN-397
        (48, 4752),  # ImageNet
        (23, 2277),  # MIR Flickr
        (11, 1089),  # PASCAL VOC
    ],
)
def test_coverage_of_table_5_2_with_near_matches_counted(
    shared: int, hundredths_of_percent: int
) -> None:
    near = shared // 3
    both = cf.overlap(
        vocabulary(*(f"Concept_{number}" for number in range(ONTOLOGY))),
        vocabulary(
            *(f"concept {number}" for number in range(near)),
            *(f"Concept_{number}" for number in range(near, shared)),
            "elsewhere",
        ),
    )
    assert (both.exact, both.near) == (shared - near, near)
    coverage, _ = both.coverage
    assert coverage is not None
    assert int(10_000 * coverage) == hundredths_of_percent  # the table does not round up


def test_erratum_the_99_concepts_that_table_5_2_lists_would_give_other_percentages() -> None:
    concepts = [f"Concept_{number}" for number in range(99)]
    coverage, theirs = cf.overlap(vocabulary(*concepts), vocabulary(*concepts[:56])).coverage
    assert coverage == pytest.approx(0.5657, abs=5e-5)
    assert theirs == 1.0
