"""Mulan's measures, by the names that it prints.

Two empty sets are alike (score 1); a ranking has no ties in Mulan, which orders equal confidences
by their place; here all orders count alike, or the worst, as each measure says.
"""

from __future__ import annotations

from functools import partial

from cranfield.measures.peer_names.names import PeerName

_row = partial(PeerName, "Mulan")
_EMPTY = "a concept that is neither true nor assigned scores 1 there, and one without positives 0"
_PLACES = "equal confidences are ordered by the place of labels there"

MULAN: tuple[PeerName, ...] = (
    _row("Hamming Loss", "example.hamming"),
    _row("Subset Accuracy", "example.subset_accuracy"),
    _row("Example-Based Precision", "example.P"),
    _row("Example-Based Recall", "example.R"),
    _row("Example-Based F Measure|Example-Based F-Measure", "example.F"),
    _row("Example-Based Accuracy", "example.Acc"),
    _row("Example-Based Specificity", advice="we do not have it; write concept.specificity"),
    _row("Micro-averaged Precision", "micro.P"),
    _row("Micro-averaged Recall", "micro.R"),
    _row("Micro-averaged F-Measure", "micro.F"),
    _row("Micro-averaged Specificity", advice="write micro.fallout, which is 1 − it"),
    _row("Macro-averaged Precision", "concept.P(undefined=empty)"),
    _row("Macro-averaged Recall", "concept.R(undefined=empty)"),
    _row("Macro-averaged F-Measure", "concept.F(undefined=empty)"),
    _row("Macro-averaged Specificity", "concept.specificity", differs=_EMPTY),
    _row("Macro-averaged Balanced Accuracy", "concept.balanced_accuracy", differs=_EMPTY),
    _row("Macro-averaged G-mean|Geometric Mean", advice="write concept.R and concept.specificity"),
    _row("Average Precision", "example.AP", differs=_PLACES),
    _row("Coverage", "example.coverage(offset=one,undefined=0)", differs=_PLACES),
    _row("One-Error|One Error", "example.one_error(undefined=1)", differs=_PLACES),
    _row("Ranking Loss", "example.ranking_loss(undefined=0)", differs=_PLACES),
    _row("IsError|Is Error|Error Set Size|ErrorSetSize", advice="write Ranking Loss"),
    _row("Mean Average Precision", "concept.AP", differs=_PLACES),
    _row("Mean Average Interpolated Precision", "concept.iAP", differs=_PLACES),
    _row(
        "Geometric Mean Average Precision",
        "concept.GMAP",
        differs="a concept of AP 0 makes it 0 there; here no AP counts less than 0.00001",
    ),
    _row("Geometric Mean Average Interpolated Precision", advice="write concept.GMAP"),
    _row("Micro-averaged AUC", "micro.AUC"),
    _row("Macro-averaged AUC", "concept.AUC", differs="one-sided concepts make it NaN there"),
    _row("Macro-averaged AUCPR|Macro-averaged AUC-PR", "concept.PRAUC(undefined=0)"),
    _row("Logarithmic Loss", "example.log_loss(clip=0.00000001)"),
    _row(
        "Hierarchical Loss",
        "example.hloss",
        differs="divided by the number of labels here, a sum there",
    ),
)
