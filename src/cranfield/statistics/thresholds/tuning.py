"""Tuning: the thresholds that are best on one run, to be applied to another.

Conventions
    per="concept": each concept gets the best threshold of its own ROC table. A concept for which
    the criterion is undefined (F, youden and EER without positives; youden and EER also without
    negatives), or of which the run retrieved nothing, gets the threshold that is best for all cells
    together; a note names such concepts.
    per="run": one threshold. Criteria without a prefix pool all cells. Averages over concepts or
    items (concept.F, example.F) are computed at every distinct score, exactly. Measures that are no
    formula over counts (OS, say) are tried at quantiles of the scores, and a note says so.
    Among thresholds that are equally good but for rounding, the highest is taken.

Thresholds fit the run they were tuned on: score them on another one.
"""

from __future__ import annotations

from typing import Any, get_args

import numpy as np

from cranfield.collections.collection import Collection
from cranfield.collections.comparison import Comparison
from cranfield.collections.extra_items import covering
from cranfield.core.axes import Extra, Missing
from cranfield.core.run import Run
from cranfield.core.truth import Truth
from cranfield.engine import evaluate
from cranfield.errors import InputError, MeasureError, first_ten, several
from cranfield.statistics.thresholds.averages import best_average, quantiles
from cranfield.statistics.thresholds.criteria import Criterion, criterion
from cranfield.statistics.thresholds.steps import first_best
from cranfield.statistics.thresholds.table import by_concept, pooled
from cranfield.statistics.thresholds.thresholds import Per, Thresholds


def tune(
    truth: Truth | Collection,
    run: Run,
    by: str = "F",
    *,
    per: Per = "concept",
    missing: Missing = "error",
    extra: Extra = "error",
    **knowledge: Any,
) -> Thresholds:
    """The best thresholds of a run, for its concepts or for all of it.

    by         "F", "F(beta=2)", "accuracy", "youden", "cost(fp=1,fn=5)", "EER" or any other measure
               of decisions; with a prefix (concept.F, example.F) its average, for per="run"
    per        "concept" or "run"
    missing, extra  as for `evaluate`
    knowledge  ontology=, costs= and so on, for measures of meaning
    """
    if per not in get_args(Per):
        raise InputError(f"per={per!r}; choose 'concept' or 'run'")
    if run.scores is None:
        raise InputError(
            f"run {run.name!r} has decisions and no confidences, so there is nothing to tune; "
            "give a run with confidences"
        )
    wanted = criterion(by)
    (run,) = covering(truth, [run], extra)
    plain = truth.truth if isinstance(truth, Collection) else truth
    mode = None if wanted.measure is None else wanted.measure.options["unjudged"]
    comparison = Comparison(plain, run, unjudged=mode, missing=missing)
    if per == "concept":
        return _by_concept(comparison, wanted)
    if wanted.measure is None or (wanted.counts and not wanted.averages):
        best = pooled(comparison).best(wanted)
        threshold, value = (np.nan, np.nan) if best is None else (best.threshold, best.value)
        return _one(comparison, wanted, threshold, value)

    def scored(threshold: float) -> float:
        decided = _one(comparison, wanted, threshold, np.nan).apply(run)
        found = evaluate(truth, decided, str(wanted.measure), missing=missing, **knowledge)
        return found.scores[0].value

    if wanted.counts:
        threshold = best_average(comparison, wanted.measure)
        return _one(comparison, wanted, threshold, scored(threshold))
    tried = quantiles(run)
    values = np.array([scored(threshold) for threshold in tried.tolist()])
    place = 0 if np.isnan(values).all() else first_best(wanted.sign * values)
    note = f"tried at {several(len(tried), 'threshold')}, quantiles of the scores"
    threshold = np.nan if np.isnan(values[place]) else float(tried[place])
    return _one(comparison, wanted, threshold, float(values[place]), note)


def _one(
    comparison: Comparison, wanted: Criterion, threshold: float, value: float, *notes: str
) -> Thresholds:
    if np.isnan(threshold):
        raise InputError(
            f"{wanted.name} is undefined at every threshold of run {comparison.run.name!r}; tune "
            "on a truth with positives and negatives, or by another criterion"
        )
    axis = comparison.truth.concept_axis
    return Thresholds(
        axis,
        np.full(axis.size, threshold),
        per="run",
        by=wanted.name,
        score=value,
        notes=notes,
    )


def _by_concept(comparison: Comparison, wanted: Criterion) -> Thresholds:
    if not wanted.of_concepts:
        raise MeasureError(
            f"{wanted.name} looks at several concepts at once, so none has a best threshold of its "
            "own by it; for one threshold of the whole run give per='run' (on the command line "
            "--per run)"
        )
    tables = by_concept(comparison)
    found = [table.best(wanted) if len(table) > 1 else None for table in tables]
    values = np.array([np.nan if best is None else best.threshold for best in found])
    reached = np.array([np.nan if best is None else best.value for best in found])
    lacking = np.flatnonzero(np.isnan(values)).tolist()
    notes: tuple[str, ...] = ()
    if lacking:
        everything = pooled(comparison).best(wanted)
        if everything is None:
            return _one(comparison, wanted, np.nan, np.nan)
        values[lacking] = everything.threshold
        names = comparison.truth.concepts
        notes = (
            f"{several(len(lacking), 'concept')} without a best threshold got that of all cells "
            f"together, {everything.threshold:g}: {first_ten(names[place] for place in lacking)}",
        )
    known = reached[~np.isnan(reached)]
    return Thresholds(
        comparison.truth.concept_axis,
        values,
        by=wanted.name,
        reached=reached,
        score=float(known.mean()) if len(known) else np.nan,
        notes=notes,
    )
