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

    With constraints, only thresholds that keep to all of them are looked at; where nothing is
    accepted, precision is undefined and kept by no constraint.

Thresholds fit the run they were tuned on: score them on another one, or cross-fit them (`folds=`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple, get_args

import numpy as np

from cranfield.collections.collection import Collection
from cranfield.collections.comparison import Comparison, Counts
from cranfield.collections.extra_items import covering
from cranfield.core.axes import Axis, Extra, Missing
from cranfield.core.chart import Picture
from cranfield.core.matrices import Floats
from cranfield.core.options import Option
from cranfield.core.result import Analysis
from cranfield.core.run import Run
from cranfield.core.table import Column, Table
from cranfield.core.terms import CONCEPTS, Terms
from cranfield.core.truth import Truth
from cranfield.engine import evaluate
from cranfield.engine.direct_calls import of_inputs
from cranfield.errors import InputError, MeasureError, first_ten, several
from cranfield.statistics.thresholds.averages import best_average, quantiles
from cranfield.statistics.thresholds.constraints import (
    Constraint,
    allowed,
    constraints,
    unreachable,
)
from cranfield.statistics.thresholds.criteria import Criterion, criterion, first_best
from cranfield.statistics.thresholds.cross_fitting import MOST_CELLS, cross_fitted
from cranfield.statistics.thresholds.roc_table import RocTable, by_concept, pooled

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
    before: Floats | None = None
    """(C,): the same for the run's own decisions, if it decides."""
    score_before: float = np.nan
    cross_fitted: Floats | None = None
    """(C,): the same, each item decided by thresholds that were tuned on other folds."""
    score_cross_fitted: float = np.nan
    folds: int = 0
    notes: tuple[str, ...] = ()
    pictures: Callable[[], Sequence[Picture]] | None = None
    """Makes charts of the run that was tuned."""
    terms: Terms = CONCEPTS

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
        columns = {
            "score": self.reached,
            "before": self.before,
            "cross_fitted": self.cross_fitted,
        }
        nothing = np.full(len(self.values), np.nan)
        numbers = {n: (nothing if v is None else v).tolist() for n, v in columns.items()}
        return [
            {"concept": name, "threshold": value}
            | {n: None if v[index] != v[index] else v[index] for n, v in numbers.items()}
            for index, (name, value) in enumerate(
                zip(self.concepts, self.values.tolist(), strict=True)
            )
        ]

    @property
    def frame(self) -> polars.DataFrame:
        """Polars: concept, threshold, score, before, cross_fitted."""
        import polars

        numbers = ("threshold", "score", "before", "cross_fitted")
        kinds = {"concept": polars.String(), **dict.fromkeys(numbers, polars.Float64())}
        return polars.DataFrame(self.rows(), schema=kinds)

    def _facts(self) -> dict[str, Any]:
        return {
            "by": self.by,
            "per": self.per,
            "score": self.score,
            "before": self.score_before,
            "cross_fitted": self.score_cross_fitted,
            "folds": self.folds,
            "thresholds": self.rows(),
            "notes": list(self.notes),
        }

    def _tables(self) -> list[Table]:
        rows = self.rows()
        shown = rows
        if self.per == "run" and rows:
            whole = {
                "score": self.score,
                "before": self.score_before,
                "cross_fitted": self.score_cross_fitted,
            }
            shown = [{"concept": "all", "threshold": rows[0]["threshold"], **whole}]
        shown = [row | {"threshold": f"{row['threshold']:.6g}"} for row in shown]
        by = self.by or "score"
        after = Column("score", by, _DIGITS)
        columns = [Column("concept", key=True), Column("threshold", align="right")]
        if self._has("before"):
            columns.append(Column("before", group=by, digits=_DIGITS))
            after = replace(after, title="after", group=by)
        columns.append(after)
        if self._has("cross_fitted"):
            columns.append(Column("cross_fitted", "cross-fitted", _DIGITS, group=after.group))
        exact = [{"concept": row["concept"], "threshold": row["threshold"]} for row in rows]
        names = (Column("concept"), Column("threshold"))
        return [
            Table("thresholds", shown, columns, audience="people"),
            Table("thresholds", exact, names, audience="programs"),
        ]

    def _has(self, what: Literal["before", "cross_fitted"]) -> bool:
        return not np.isnan(getattr(self, f"score_{what}"))

    def _remarks(self) -> list[str]:
        return [*self._summary(), *self._flattery(), *self.notes]

    def _summary(self) -> list[str]:
        if self.per == "run" or self.reached is None:
            return []
        scored = self.terms.several(int((~np.isnan(self.reached)).sum()), "concept")
        parts = []
        if self._has("before"):
            parts.append(f"before {self.score_before:.{_DIGITS}f}")
        mean = "–" if np.isnan(self.score) else f"{self.score:.{_DIGITS}f}"
        parts.append(f"after {mean}" if parts else mean)
        if self._has("cross_fitted"):
            parts.append(f"cross-fitted {self.score_cross_fitted:.{_DIGITS}f}")
        return [f"mean of {self.by or 'score'} over {scored}: {', '.join(parts)}"]

    def _flattery(self) -> list[str]:
        """That thresholds fit the items they were tuned on."""
        if self.by is None:
            return []
        what = "after" if self._has("before") else f"{self.by} as shown"
        items = self.terms.items
        text = f"{what} is measured on the {items} that thresholds were tuned on: optimistic"
        if self._has("cross_fitted"):
            return [
                f"{text}; cross-fitted: each of {self.folds} folds of {items} decided by "
                f"thresholds tuned on the others, as new {items} would be"
            ]
        return [f"{text}; score them on other {items}"]

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
    subject_to: str | Iterable[str] = (),
    folds: Annotated[int, Option(minimum=0)] = 0,
    seed: Annotated[int, Option(minimum=0)] = 0,
    missing: Missing = "error",
    extra: Extra = "error",
    **knowledge: Any,
) -> Thresholds:
    """The best thresholds of a run, for its concepts or for all of it.

    by         What is best: F, accuracy, youden, 'cost(fp=1,fn=5)', EER or another measure of
               decisions; with a prefix (concept.F, example.F) its average, for a single threshold.
    per        A threshold for each concept, or one for the whole run.
    subject_to  What decisions must keep to: "fallout<=0.05", or several such; of each concept, or
               of all cells together for a single threshold. Concepts that cannot get no label.
    folds      Also score thresholds that were tuned on the other folds of the items; 0: do not
    seed       of the folds
    missing, extra  as for `evaluate`
    knowledge  ontology=, costs= and so on, for measures of meaning
    """
    if per not in get_args(Per):
        raise InputError(f"per={per!r}; choose 'concept' or 'run'", parameter="per")
    if folds < 0 or folds == 1:
        raise InputError(f"folds={folds}; give at least 2, or 0 for none", parameter="folds")
    if run.scores is None:
        raise InputError(
            f"run {run.name!r} has decisions and no confidences, so there is nothing to tune",
            mend="give a run with confidences",
            about=("run", run.name),
        )
    chosen, limits = criterion(by), constraints(subject_to)
    if limits and not chosen.counts:
        raise InputError(
            f"{chosen.name} is tried at a few thresholds only, which need not keep to anything",
            mend="leave out {subject_to}, or choose a measure of counts such as F",
            parameter="subject_to",
        )
    (run,) = covering(truth, [run], extra)
    task = _Task(chosen, per, limits, missing, knowledge)
    tuned = task.tuned(truth, run)
    before = task.judged(truth, run, tuned) if run.decides else _UNKNOWN
    crossed, notes = _UNKNOWN, list(tuned.notes)
    plain = _plain(truth)
    if limits:
        bounds = " and ".join(map(str, limits))
        notes.insert(
            0,
            f"tuned thresholds keep to {bounds} on the {plain.terms.items} that they "
            "were tuned on; those before need not",
        )
    if folds and (why := _not_cross_fitted(plain, chosen, folds)):
        notes.append(f"not cross-fitted: {why}")
    elif folds:
        try:
            decided = cross_fitted(plain, run, folds, seed, task.tuned)
            crossed = task.judged(truth, decided, tuned)
        except InputError as error:
            notes.append(f"not cross-fitted: {error}")
    return replace(
        tuned,
        before=before.by_concept,
        score_before=before.overall,
        cross_fitted=crossed.by_concept,
        score_cross_fitted=crossed.overall,
        folds=folds,
        notes=tuple(notes),
        terms=plain.terms,
    )


def _plain(truth: Truth | Collection) -> Truth:
    return truth.truth if isinstance(truth, Collection) else truth


def _not_cross_fitted(truth: Truth, chosen: Criterion, folds: int) -> str:
    """Why thresholds cannot be tuned on folds of items; empty if they can."""
    items, concepts = truth.shape
    if truth.open:
        return f"{truth.terms.items} outside the judgements belong to no fold"
    if not chosen.counts:
        return f"{chosen.name} takes an evaluation for each threshold and fold"
    if items < folds:
        return f"{truth.terms.several(items, 'item')} for {folds} folds"
    return "the collection is large" if items * concepts > MOST_CELLS else ""


class _Judgement(NamedTuple):
    """The criterion for decisions as they are."""

    by_concept: Floats | None
    overall: float


_UNKNOWN = _Judgement(None, np.nan)


@dataclass(frozen=True)
class _Task:
    """What is tuned, and how decisions are judged."""

    chosen: Criterion
    per: Per
    limits: tuple[Constraint, ...]
    missing: Missing
    knowledge: Mapping[str, Any]

    def _comparison(self, truth: Truth | Collection, run: Run) -> Comparison:
        measure = self.chosen.measure
        mode = None if measure is None else measure.options["unjudged"]
        return Comparison(_plain(truth), run, unjudged=mode, missing=self.missing)

    def judged(self, truth: Truth | Collection, run: Run, tuned: Thresholds) -> _Judgement:
        """The criterion for the decisions of a run, by concepts that were tuned."""
        chosen = self.chosen
        if not chosen.counts or (self.per == "run" and chosen.averages):
            return _Judgement(None, self._average(truth, run))
        counts = self._comparison(truth, run).counts("concept")
        if self.per == "run":
            return _Judgement(None, float(chosen.values(counts.pooled())[0]))
        assert tuned.reached is not None
        values = np.where(np.isnan(tuned.reached), np.nan, chosen.values(counts))
        return _Judgement(values, _mean(values))

    def _average(self, truth: Truth | Collection, run: Run) -> float:
        by = str(self.chosen.measure)
        evaluation = evaluate(truth, run, by, missing=self.missing, **self.knowledge)
        return evaluation.scores[0].value

    def tuned(self, truth: Truth | Collection, run: Run) -> Thresholds:
        """The best thresholds."""
        chosen, comparison = self.chosen, self._comparison(truth, run)
        if self.per == "concept":
            return _by_concept(comparison, chosen, self.limits)
        if chosen.measure is None or (chosen.counts and not chosen.averages):
            table = pooled(comparison)
            best = table.best(chosen, self.limits)
            if best is None:
                _require_reachable(self.limits, table.counts, run.name)
            threshold, value = (np.nan, np.nan) if best is None else (best.threshold, best.value)
            return _single(comparison, chosen, threshold, value)

        def scored(threshold: float) -> float:
            decided = _single(comparison, chosen, threshold, np.nan).apply(run)
            return self._average(truth, decided)

        if chosen.counts:
            threshold = self._best_average(comparison)
            return _single(comparison, chosen, threshold, scored(threshold))
        tried = quantiles(run)
        values = np.array([scored(threshold) for threshold in tried.tolist()])
        row = 0 if np.isnan(values).all() else first_best(chosen.sign * values)
        note = f"tried at {several(len(tried), 'threshold')}, quantiles of the scores"
        threshold = np.nan if np.isnan(values[row]) else float(tried[row])
        return _single(comparison, chosen, threshold, float(values[row]), note)

    def _best_average(self, comparison: Comparison) -> float:
        assert self.chosen.measure is not None
        if not self.limits:
            return best_average(comparison, self.chosen.measure)
        counts = pooled(comparison).counts
        within = allowed(self.limits, counts)
        if not within.any():
            _require_reachable(self.limits, counts, comparison.run.name)
        return best_average(comparison, self.chosen.measure, within)


def _require_reachable(limits: Sequence[Constraint], counts: Counts, run: str) -> None:
    """Refuse constraints that no threshold keeps to; says what is reachable."""
    if limits and not allowed(limits, counts).any():
        raise InputError(
            f"no threshold of run {run!r} keeps to {' and '.join(map(str, limits))}: "
            f"{unreachable(limits, counts)}",
            mend="relax {subject_to}",
            parameter="subject_to",
        )


def _mean(values: Floats) -> float:
    defined = values[~np.isnan(values)]
    return float(defined.mean()) if len(defined) else np.nan


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


def _by_concept(
    comparison: Comparison, chosen: Criterion, limits: tuple[Constraint, ...]
) -> Thresholds:
    if not chosen.of_concepts:
        raise MeasureError(
            f"{chosen.name} looks at several concepts at once, so none has a best threshold of its "
            "own by it",
            mend="for one threshold of the whole run give {per=run}",
        )
    tables = by_concept(comparison)
    names, terms = comparison.truth.concepts, comparison.truth.terms
    bests = [table.best(chosen, limits) if len(table) > 1 else None for table in tables]
    values = np.array([np.nan if best is None else best.threshold for best in bests])
    reached = np.array([np.nan if best is None else best.value for best in bests])
    notes: list[str] = []
    unable = [index for index, table in enumerate(tables) if _cannot(table, limits)]
    if unable:
        reasons = {names[i]: unreachable(limits, tables[i].counts) for i in unable}
        text = " and ".join(map(str, limits))
        if len(unable) == len(tables):
            first = next(iter(reasons))
            raise InputError(
                f"no threshold of any concept keeps to {text}; of {first}, {reasons[first]}",
                mend="relax {subject_to}",
                parameter="subject_to",
            )
        values[unable] = [tables[index].nothing for index in unable]
        listed = "; ".join(f"{name}: {why}" for name, why in list(reasons.items())[:10])
        notes.append(
            f"{terms.several(len(unable), 'concept')} cannot keep to {text} and get no label: "
            f"{listed}"
        )
    lacking = np.flatnonzero(np.isnan(values)).tolist()
    if lacking:
        everything = pooled(comparison).best(chosen)
        if everything is None:
            return _single(comparison, chosen, np.nan, np.nan)
        values[lacking] = everything.threshold
        notes.append(
            f"{terms.several(len(lacking), 'concept')} without a best threshold got that of all "
            f"cells together, {everything.threshold:g}: "
            f"{first_ten(names[index] for index in lacking)}"
        )
    return Thresholds(
        comparison.truth.concept_axis,
        values,
        by=chosen.name,
        reached=reached,
        score=_mean(reached),
        notes=tuple(notes),
    )


def _cannot(table: RocTable, limits: Sequence[Constraint]) -> bool:
    """Whether no threshold of a concept keeps to the constraints."""
    return bool(limits) and not allowed(limits, table.counts).any()
