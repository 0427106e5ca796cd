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

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_args

import numpy as np

from cranfield.collections.collection import Collection
from cranfield.collections.comparison import Comparison
from cranfield.collections.extra_items import covering
from cranfield.core.axes import Axis, Extra, Missing
from cranfield.core.chart import Picture
from cranfield.core.matrices import Floats
from cranfield.core.options import Option
from cranfield.core.result import Analysis
from cranfield.core.run import Run
from cranfield.core.table import Column, Table
from cranfield.core.truth import Truth
from cranfield.engine import evaluate
from cranfield.engine.direct_calls import of_inputs
from cranfield.errors import InputError, MeasureError, first_ten, several
from cranfield.statistics.thresholds.averages import best_average, quantiles
from cranfield.statistics.thresholds.criteria import Criterion, criterion, first_best
from cranfield.statistics.thresholds.roc_table import by_concept, pooled

if TYPE_CHECKING:
    import polars

Per = Literal["concept", "run"]
_DIGITS = 4


@dataclass(frozen=True, eq=False)
class Thresholds(Analysis):
    """Thresholds by concept, and how they were chosen.

    A label is assigned where a score reaches its concept's threshold.
    """

    title = "Thresholds"

    axis: Axis
    """The concepts."""
    values: Floats
    """(C,): the threshold of each concept."""
    per: Per = "concept"
    """Whether each concept has its own, or one serves the whole run."""
    by: str | None = None
    """The criterion; None where thresholds were stated, not tuned."""
    reached: Floats | None = None
    """(C,): the criterion of each concept on the run that was tuned; NaN = undefined."""
    score: float = np.nan
    """That of the whole run: the mean over concepts, or the value of the one threshold."""
    notes: tuple[str, ...] = ()
    pictures: Callable[[], Sequence[Picture]] | None = None
    """Makes charts of the run that was tuned."""

    @classmethod
    def of(cls, values: Mapping[str, float]) -> Thresholds:
        """Thresholds by the ids of concepts."""
        numbers = np.array(list(values.values()), dtype=np.float64)
        if not np.isfinite(numbers).all():
            worst = [name for name, value in values.items() if not np.isfinite(value)]
            raise InputError(f"thresholds must be finite numbers; mend {first_ten(worst)}")
        return cls(Axis("concept", len(values), list(values)), numbers)

    @property
    def concepts(self) -> tuple[str, ...]:
        return self.axis.names

    @property
    def by_concept(self) -> dict[str, float]:
        return dict(zip(self.concepts, self.values.tolist(), strict=True))

    def __getitem__(self, concept: str) -> float:
        index = self.axis.positions.get(str(concept))
        if index is None:
            raise InputError(
                f"there is no threshold of {concept!r}; there are some of "
                f"{first_ten(self.concepts)}"
            )
        return float(self.values[index])

    def apply(self, run: Run) -> Run:
        """A run with the same confidences that decides by these thresholds.

        Concepts align by their ids, by position where one side has none. Decisions that the run
        brings give way.
        """
        return run.decided_by(self._for(run))

    def _for(self, run: Run) -> Any:
        if self.per == "run":
            return float(self.values[0]) if len(self.values) else 0.5
        if run.concept_axis.aligns_by_position(self.axis, f"run {run.name!r}", "the thresholds"):
            return self.values
        return self.by_concept

    def rows(self) -> list[dict[str, Any]]:
        """One plain record for each concept; what is undefined is None."""
        reached = np.full(len(self.values), np.nan) if self.reached is None else self.reached
        return [
            {"concept": name, "threshold": value, "score": None if score != score else score}
            for name, value, score in zip(
                self.concepts, self.values.tolist(), reached.tolist(), strict=True
            )
        ]

    @property
    def frame(self) -> polars.DataFrame:
        """Polars: concept, threshold, score."""
        import polars

        kinds = {"concept": polars.String, "threshold": polars.Float64, "score": polars.Float64}
        return polars.DataFrame(self.rows(), schema=kinds)

    def _facts(self) -> dict[str, Any]:
        return {
            "by": self.by,
            "per": self.per,
            "score": self.score,
            "thresholds": self.rows(),
            "notes": list(self.notes),
        }

    def _tables(self) -> list[Table]:
        rows = self.rows()
        shown = rows
        if self.per == "run" and rows:
            shown = [{"concept": "all", "threshold": rows[0]["threshold"], "score": self.score}]
        shown = [row | {"threshold": f"{row['threshold']:.6g}"} for row in shown]
        columns = (
            Column("concept", key=True),
            Column("threshold", align="right"),
            Column("score", self.by or "score", _DIGITS),
        )
        exact = [{"concept": row["concept"], "threshold": row["threshold"]} for row in rows]
        names = (Column("concept"), Column("threshold"))
        return [
            Table("thresholds", shown, columns, audience="people"),
            Table("thresholds", exact, names, audience="programs"),
        ]

    def _remarks(self) -> list[str]:
        if self.per == "run" or self.reached is None:
            return list(self.notes)
        scored = several(int((~np.isnan(self.reached)).sum()), "concept")
        mean = "–" if np.isnan(self.score) else f"{self.score:.{_DIGITS}f}"
        return [f"mean of {self.by or 'score'} over {scored}: {mean}", *self.notes]

    def _charts(self) -> Sequence[Picture]:
        return self.pictures() if self.pictures is not None else ()


Cut = float | Mapping[str, float]
"""One number, or a number for each concept."""


@dataclass(frozen=True)
class RunThresholds:
    """Thresholds by the names of runs: logits are cut at 0, probabilities at 0.5."""

    by_run: Mapping[str, Cut]
    others: Cut | None = None
    """The threshold of all other runs; None: as each run says itself."""

    def of(self, run: str) -> Cut | None:
        return self.by_run.get(run, self.others)

    def apply(self, run: Run) -> Run:
        """The run with the same confidences that decides by its threshold, if it has one here."""
        threshold = self.of(run.name)
        return run if threshold is None else run.decided_by(threshold)

    def require_runs(self, names: Iterable[str]) -> None:
        """Refuse thresholds of runs that are not there."""
        runs = list(names)
        unknown = [name for name in self.by_run if name not in runs]
        if unknown:
            raise InputError(
                f"there is a threshold of {first_ten(unknown)}, but no such run; "
                f"runs: {first_ten(runs)}"
            )


@of_inputs
def tune(
    truth: Truth | Collection,
    run: Run,
    by: Annotated[str, Option(metavar="NAME")] = "F",
    *,
    per: Annotated[Per, Option()] = "concept",
    missing: Missing = "error",
    extra: Extra = "error",
    **knowledge: Any,
) -> Thresholds:
    """The best thresholds of a run, for its concepts or for all of it.

    by         What is best: F, accuracy, youden, 'cost(fp=1,fn=5)', EER or another measure of
               decisions; with a prefix (concept.F, example.F) its average, for a single threshold.
    per        A threshold for each concept, or one for the whole run.
    missing, extra  as for `evaluate`
    knowledge  ontology=, costs= and so on, for measures of meaning
    """
    if per not in get_args(Per):
        raise InputError(f"per={per!r}; choose 'concept' or 'run'", parameter="per")
    if run.scores is None:
        raise InputError(
            f"run {run.name!r} has decisions and no confidences, so there is nothing to tune",
            mend="give a run with confidences",
            about=("run", run.name),
        )
    chosen = criterion(by)
    (run,) = covering(truth, [run], extra)
    plain = truth.truth if isinstance(truth, Collection) else truth
    mode = None if chosen.measure is None else chosen.measure.options["unjudged"]
    comparison = Comparison(plain, run, unjudged=mode, missing=missing)
    if per == "concept":
        return _by_concept(comparison, chosen)
    if chosen.measure is None or (chosen.counts and not chosen.averages):
        best = pooled(comparison).best(chosen)
        threshold, value = (np.nan, np.nan) if best is None else (best.threshold, best.value)
        return _single(comparison, chosen, threshold, value)

    def scored(threshold: float) -> float:
        decided = _single(comparison, chosen, threshold, np.nan).apply(run)
        evaluation = evaluate(truth, decided, str(chosen.measure), missing=missing, **knowledge)
        return evaluation.scores[0].value

    if chosen.counts:
        threshold = best_average(comparison, chosen.measure)
        return _single(comparison, chosen, threshold, scored(threshold))
    tried = quantiles(run)
    values = np.array([scored(threshold) for threshold in tried.tolist()])
    row = 0 if np.isnan(values).all() else first_best(chosen.sign * values)
    note = f"tried at {several(len(tried), 'threshold')}, quantiles of the scores"
    threshold = np.nan if np.isnan(values[row]) else float(tried[row])
    return _single(comparison, chosen, threshold, float(values[row]), note)


def _single(
    comparison: Comparison, chosen: Criterion, threshold: float, value: float, *notes: str
) -> Thresholds:
    if np.isnan(threshold):
        raise InputError(
            f"{chosen.name} is undefined at every threshold of run {comparison.run.name!r}",
            mend="tune on a truth with positives and negatives, or by another criterion",
        )
    axis = comparison.truth.concept_axis
    return Thresholds(
        axis,
        np.full(axis.size, threshold),
        per="run",
        by=chosen.name,
        score=value,
        notes=notes,
    )


def _by_concept(comparison: Comparison, chosen: Criterion) -> Thresholds:
    if not chosen.of_concepts:
        raise MeasureError(
            f"{chosen.name} looks at several concepts at once, so none has a best threshold of its "
            "own by it",
            mend="for one threshold of the whole run give {per=run}",
        )
    tables = by_concept(comparison)
    bests = [table.best(chosen) if len(table) > 1 else None for table in tables]
    values = np.array([np.nan if best is None else best.threshold for best in bests])
    reached = np.array([np.nan if best is None else best.value for best in bests])
    lacking = np.flatnonzero(np.isnan(values)).tolist()
    notes: tuple[str, ...] = ()
    if lacking:
        everything = pooled(comparison).best(chosen)
        if everything is None:
            return _single(comparison, chosen, np.nan, np.nan)
        values[lacking] = everything.threshold
        names = comparison.truth.concepts
        notes = (
            f"{several(len(lacking), 'concept')} without a best threshold got that of all cells "
            f"together, {everything.threshold:g}: {first_ten(names[index] for index in lacking)}",
        )
    defined = reached[~np.isnan(reached)]
    return Thresholds(
        comparison.truth.concept_axis,
        values,
        by=chosen.name,
        reached=reached,
        score=float(defined.mean()) if len(defined) else np.nan,
        notes=notes,
    )
