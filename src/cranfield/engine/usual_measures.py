"""Usual measures: what is shown where nobody names measures, by what a truth holds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cranfield.core.run import Run
from cranfield.core.truth import Truth
from cranfield.knowledge import Ontology
from cranfield.measures import Measure, measure

LABELS = (
    *("concept.AP", "concept.AUC", "concept.EER"),
    *("example.F", "example.AP", "example.ranking_loss"),
)
SEARCHES = (
    *("concept.AP", "concept.RP", "concept.P@10"),
    *("concept.nDCG@10", "concept.RR", "concept.bpref"),
)
"""Of TREC files."""
TARGETS = ("concept.MAE", "concept.RMSE", "concept.R2")
"""Of a truth that holds nothing but numbers to be hit."""
MEANING = ("OS",)
"""Besides, where there is an ontology."""


def usual_measures(truth: Truth, ontology: Ontology | None = None) -> list[Measure]:
    """Of labels, searches or targets."""
    if truth.targets is not None and not truth.has_labels:
        names: tuple[str, ...] = TARGETS
    elif truth.open:
        names = SEARCHES
    else:
        names = LABELS + (MEANING if ontology is not None else ())
    return [measure(name) for name in names]


def possible_measures(measures: Iterable[Measure], runs: Sequence[Run]) -> list[Measure]:
    """Those that every run has decisions for, if they need any."""
    if all(run.decides for run in runs):
        return list(measures)
    return [measure for measure in measures if measure.traits.prediction != "decisions"]
