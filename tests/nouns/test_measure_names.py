"""Measures as values: spellings that are refused, and why."""

from __future__ import annotations

import numpy as np
import pytest

import cranfield as cf
from nouns.small import refused


@pytest.mark.parametrize(
    ("spelling", "message"),
    [
        ("concept.AQ", "there is no measure 'concept.AQ'; did you mean concept.A"),
        ("hamming", "'hamming' needs a prefix; write example.hamming"),
        ("concept.success", "'concept.success' needs a cutoff; write concept.success@10, say"),
        ("concept.AUC@5", "concept.AUC takes no cutoff @k; it takes ties, undefined, unjudged"),
        ("concept.AP(beta=2)", "concept.AP takes no option 'beta'"),
        (
            "concept.AP(ties=random)",
            "ties=random is not among grouped, expected, best",
        ),
        ("micro.AP(ties=trec)", "ties=trec is not among grouped, expected, best, worst"),
        ("concept.AUC(ties=grouped)", "ties=grouped is not among expected, best, worst, trec"),
        ("concept.F(beta=two)", "beta=two should be a float"),
        ("concept.F(beta=-1)", "beta=-1 should lie in [0, inf]"),
        ("concept.cost(fp=inf)", "fp=inf should lie in [0, inf)"),
        ("concept.F(beta=nan)", "beta=nan should lie in [0, inf]"),
        ("concept.P@0", "k=0 should lie in [1, 1e+09]"),
        ("concept.P@5(k=6)", "two cutoffs; write one @k"),
        ("concept.P@5()@5", "two cutoffs; write one @k"),
        ("concept.F(beta)", "write options as name=value; got 'beta'"),
        ("concept.F(beta=1,Beta=2)", "Beta is given twice"),
        ("example.alpha(beta=1.5)", "beta=1.5 should lie in [0, 1]"),
        ("concept.", "there is no measure 'concept.'"),
        ("", "'' does not read as a measure; write prefix.NAME@k(option=value,…)"),
        ("concept.AP)", "does not read as a measure"),
    ],
)
def test_bad_names_are_refused_with_what_is_wrong(spelling: str, message: str) -> None:
    with refused(message, cf.MeasureError):
        cf.measure(spelling)


def test_f_with_a_huge_beta_is_recall() -> None:
    labels, scores = np.array([1, 1, 0]), np.array([0.9, 0.1, 0.9])
    assert cf.score(labels, scores, "micro.F(beta=1e160)") == 0.5


@pytest.mark.parametrize("name", ["AP", "RP", "P@5"])
def test_a_measure_without_prefix_is_told_which_there_are(name: str) -> None:
    with pytest.raises(cf.MeasureError, match=r"write one of concept\."):
        cf.score([[1, 1], [0, 1]], [[0.1, 0.2], [0.3, 0.4]], name)


def test_a_cutoff_beyond_all_lists_is_refused() -> None:
    with pytest.raises(cf.MeasureError, match="should lie in"):
        cf.measure("concept.P@99999999999999999999")
