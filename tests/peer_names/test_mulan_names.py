"""Mulan's measures, against values worked by hand from its definitions.

Three items, four labels. Truth {a, b}, {c}, {}; assigned {a}, {c, d}, {}; label b is never
assigned, d never true. Confidences .9 .2 .6 .1 | .3 .4 .7 .8 | .4 .3 .2 .1.
"""

from __future__ import annotations

import numpy as np
import pytest

import cranfield as cf
from cranfield.measures.peer_names import PEER_NAMES

TRUE = np.array([[1, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 0]])
SAID = np.array([[1, 0, 0, 0], [0, 0, 1, 1], [0, 0, 0, 0]], dtype=bool)
SCORES = np.array([[0.9, 0.2, 0.6, 0.1], [0.3, 0.4, 0.7, 0.8], [0.4, 0.3, 0.2, 0.1]])
BY_HAND = {
    "Hamming Loss": (1 / 4 + 1 / 4 + 0) / 3,
    "Subset Accuracy": 1 / 3,
    "Example-Based Precision": (1 + 1 / 2 + 1) / 3,
    "Example-Based Recall": (1 / 2 + 1 + 1) / 3,
    "Example-Based F Measure": (2 / 3 + 2 / 3 + 1) / 3,
    "Example-Based Accuracy": (1 / 2 + 1 / 2 + 1) / 3,
    "Micro-averaged Precision": 2 / 3,
    "Micro-averaged Recall": 2 / 3,
    "Micro-averaged F-Measure": 2 / 3,
    "Macro-averaged Precision": (1 + 0 + 1 + 0) / 4,
    "Macro-averaged Recall": (1 + 0 + 1 + 0) / 4,
    "Macro-averaged F-Measure": (1 + 0 + 1 + 0) / 4,
    # Ranks of the true labels: 1 and 3 of the first item, 2 of the second.
    "Average Precision": ((1 + 2 / 3) / 2 + 1 / 2) / 2,
    "Coverage": (2 + 1 + 0) / 3,
    "One-Error": (0 + 1 + 1) / 3,
    "Ranking Loss": (1 / 4 + 1 / 3 + 0) / 3,
    # By label, items in the order of confidence: a 1st, b 3rd of 3, c 1st; d has no positive.
    "Mean Average Precision": (1 + 1 / 3 + 1) / 3,
    "Mean Average Interpolated Precision": (1 + 1 / 3 + 1) / 3,
    "Geometric Mean Average Precision": (1 * 1 / 3 * 1) ** (1 / 3),
    "Micro-averaged AUC": (9 + 2.5 + 8) / 27,
    "Macro-averaged AUC": (1 + 0 + 1) / 3,
    # Weka's getPRCArea: Σ Δrecall · precision; a label without positives counts 0.
    "Macro-averaged AUCPR": (1 + 1 / 3 + 1 + 0) / 4,
    "Logarithmic Loss": -(
        np.log([0.9, 0.2, 0.4, 0.9]).sum()
        + np.log([0.7, 0.6, 0.7, 0.2]).sum()
        + np.log([0.6, 0.7, 0.8, 0.9]).sum()
    )
    / 3,
}


@pytest.mark.parametrize("name", BY_HAND)
def test_names_mean_what_mulan_computes(name: str) -> None:
    meant = cf.measure(name)
    decides = meant.traits.prediction == "decisions"
    found = cf.score(TRUE, SAID if decides else SCORES, name)
    assert found == pytest.approx(BY_HAND[name], abs=1e-12)


def test_a_label_that_is_neither_true_nor_assigned_scores_1() -> None:
    wider = (np.hstack([TRUE, TRUE[:, :1] * 0]), np.hstack([SAID, SAID[:, :1] & False]))
    assert cf.score(*wider, "Macro-averaged F-Measure") == pytest.approx(3 / 5)


def test_every_name_is_worked_by_hand_or_says_why_not() -> None:
    for row in PEER_NAMES:
        if row.tool == "Mulan":
            assert row.name in BY_HAND or row.advice or row.differs
