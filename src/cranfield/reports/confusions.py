"""Confusion matrices in one page: measures with intervals, classes, what is confused, matrices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from cranfield.core.progress import Progress, silent
from cranfield.core.result import Analysis, Result
from cranfield.errors import InputError
from cranfield.tasks.classes.confused_pairs import ConfusedPairs
from cranfield.tasks.classes.confusion import Confusion
from cranfield.tasks.classes.coverage import sample_clouds
from cranfield.tasks.classes.score_tables import (
    MEASURES,
    ClassScores,
    ConfusionScores,
    charts_of,
    score_confusions,
)

_DOTS = 200
"""Matrices drawn for the cloud of a system: enough to see its form."""


def confusion_report(
    systems: Sequence[Confusion],
    scores: ConfusionScores | None = None,
    *,
    title: str = "",
    progress: Progress = silent,
) -> Result:
    """Everything that confusion matrices say, a part for each question.

    scores  of all systems; default: the usual measures. Without intervals they get those of a
            Dirichlet distribution
    """
    if not systems:
        raise InputError("there is no confusion matrix to report; give at least one")
    if scores is None or not scores.intervals:
        measures = MEASURES if scores is None else scores.measures
        scores = score_confusions(systems, measures, interval="dirichlet", progress=progress)
    analyses: list[Analysis] = [scores, ClassScores(systems), ConfusedPairs(systems)]
    facts = {name: value for part in analyses for name, value in part.result.facts.items()}
    interval = next(iter(scores.intervals.values()))
    clouds = sample_clouds(systems, method=interval.method, samples=_DOTS, seed=interval.seed)
    parts = [
        replace(scores.result, charts=charts_of(systems, "coverage", clouds)),
        *(part.full_result for part in analyses[1:]),
        *(replace(s.full_result, title=f"Confusion matrix of {s.name}") for s in systems),
    ]
    return Result(
        "confusion report",
        facts=facts | {"matrices": [system.result.facts for system in systems]},
        charts=[chart for part in parts for chart in part.charts],
        title=title or "Confusion matrices",
        parts=parts,
    )
