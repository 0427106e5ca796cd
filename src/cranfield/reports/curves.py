"""Curves on the page: precision and recall, ROC, and reliability of the best systems."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from cranfield.core.chart import Chart
from cranfield.core.table import Table
from cranfield.engine.evaluation import Score
from cranfield.measures.calibration import reliability
from cranfield.reports.findings import Findings, tried
from cranfield.show.document import Section, cut
from cranfield.tasks.retrieval.curves import Average, Curves, Kind
from cranfield.tasks.retrieval.curves import curves as follow

RUNS = 5
"""Systems that are drawn, the best ones."""


def curves(findings: Findings) -> Section | None:
    """How the rankings of the best systems trade precision for recall, and what scores mean."""
    scores = _ranking(findings)
    if not scores:
        return None
    notes: list[str] = []
    recall = tried(lambda: _followed(scores, "recall", "pr"), "no curves", notes)
    charts = [] if recall is None else list(recall.full_result.charts)
    if not findings.truth.open:
        roc = tried(lambda: _followed(scores, "pooled", "roc"), "no ROC curves", notes)
        charts += [] if roc is None else roc.full_result.charts
        charts += _reliability(scores)
    if not charts:
        return None
    several = f"The best {len(scores)} of {len(findings.systems)} systems"
    return Section(
        "curves",
        "What do the rankings look like?",
        f"{several if len(scores) > 1 else cut(scores[0].run.name)}: precision at each recall, on "
        f"average over {findings.truth.terms.concepts}; the ROC curve of all cells as one list; "
        "and, where scores are probabilities, how often they come true (reliability).",
        {"": charts},
        notes,
        folded=[] if recall is None else [_points(recall)],
    )


def _ranking(findings: Findings) -> list[Score]:
    """A score of each of the best systems that rank something."""
    first: dict[str, Score] = {}
    for score in () if 0 in findings.truth.shape else findings.result:
        if score.run.scores is not None:
            first.setdefault(score.run.name, score)
    return [first[run] for run in findings.systems if run in first][:RUNS]


def _followed(scores: Sequence[Score], average: Average, kind: Kind) -> Curves:
    score = scores[0]
    return follow(
        score.truth,
        [score.run for score in scores],
        average=average,
        kind=kind,
        unjudged=score.unjudged,
        missing=score.missing,
        topics=score.topics,
    )


def _reliability(scores: Sequence[Score]) -> list[Chart]:
    """One chart of those runs whose scores are probabilities; none if no run has such."""
    charts: list[Chart] = []
    for score in scores:
        binned = partial(
            reliability,
            score.truth,
            score.run,
            unjudged=score.unjudged,
            missing=score.missing,
        )
        bins = tried(binned, "", [])
        charts += [] if bins is None else bins._charts()[:1]
    rows = [row for chart in charts for row in chart.rows]
    subtitle = "all cells together, in bins of confidence"
    together = (replace(c, rows=rows, title="Reliability", subtitle=subtitle) for c in charts[:1])
    return list(together)


def _points(recall: Curves) -> Table:
    title = "Precision at levels of recall"
    return replace(recall._averages(), name="curves", title=title, audience="all")
