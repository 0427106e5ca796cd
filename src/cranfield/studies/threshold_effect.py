"""Thresholds: how much of a run's rank is its threshold (Nowak 2011 §9.1, Figure 9.1)?

Each run is scored as it decides, then with the one threshold that is best for it, then with the
best for each concept. The best are found on the truth that they are scored by: they say what could
be had at most, not what tuning on other data would reach. A measure of rankings shows the order of
runs when no threshold has a say.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Annotated, Any

import numpy as np

from cranfield.caching import cached_property
from cranfield.collections.collection import Collection
from cranfield.collections.comparison import Comparison
from cranfield.core.chart import Axis, Chart
from cranfield.core.matrices import Floats
from cranfield.core.options import Option
from cranfield.core.progress import Progress, silent
from cranfield.core.result import Analysis
from cranfield.core.run import Run
from cranfield.core.table import Column, Table
from cranfield.core.terms import CONCEPTS, Terms
from cranfield.core.truth import Truth
from cranfield.engine import evaluate
from cranfield.engine.direct_calls import of_inputs
from cranfield.engine.standings import competition_ranks
from cranfield.errors import MeasureError, first_ten, several
from cranfield.measures import Measure
from cranfield.statistics.rank_correlation import concordance, tau
from cranfield.statistics.thresholds import Thresholds, tune
from cranfield.statistics.thresholds.averages import ascended
from cranfield.studies.field import judging, sign, studied

_Name = Option(metavar="NAME", suggest="measures")


@dataclass(frozen=True, eq=False)
class ThresholdEffect(Analysis):
    """Runs by one measure of decisions, with their own thresholds and better ones."""

    title = "How much of a rank is the threshold"

    measure: Measure
    ranking: Measure
    """By which runs are ranked without thresholds."""
    runs: tuple[str, ...]
    scores: Floats
    """(3, runs): as decided, best for the run, best for each concept; runs without confidences
    have the same score everywhere."""
    thresholds: Floats
    """(runs,): the one that is best for the run; NaN without confidences."""
    ranked: Floats
    """(runs,): scores by the measure of rankings."""
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    """What readers should know about the runs."""
    terms: Terms = CONCEPTS

    @property
    def losses(self) -> Floats:
        """(2, runs): what the threshold chosen cost, against the best for the run and those for
        each concept."""
        return np.asarray((self.scores[1:] - self.scores[0]) * sign(self.measure))

    @cached_property
    def places(self) -> Floats:
        """(4, runs): from 1, by the three scores and by the measure of rankings; equals share the
        best of their places."""
        merits = np.vstack(
            [self.scores * sign(self.measure), self.ranked[None, :] * sign(self.ranking)]
        )
        return competition_ranks(merits)

    def tau(self, first: int, second: int) -> float:
        """τ between two of the four rankings."""
        return float(tau(-self.places[first], -self.places[second]))

    @property
    def shift(self) -> float:
        """D between the ranking as decided and that without thresholds."""
        return concordance(self.places[0], self.places[3]).shift

    def _rows(self) -> list[dict[str, Any]]:
        """A record for each run, the best as decided first."""
        return [self._row(index) for index in np.argsort(self.places[0], kind="stable").tolist()]

    def _row(self, index: int) -> dict[str, Any]:
        return {
            "run": self.runs[index],
            "as_decided": self.scores[0, index],
            "best": self.scores[1, index],
            "loss": self.losses[0, index],
            "threshold": self.thresholds[index],
            "best_per_concept": self.scores[2, index],
            "loss_per_concept": self.losses[1, index],
            "ranking": self.ranked[index],
            "place": self.places[0, index],
            "place_best": self.places[1, index],
            "place_best_per_concept": self.places[2, index],
            "place_without_thresholds": self.places[3, index],
        }

    def _facts(self) -> dict[str, Any]:
        """A record for each run, and how the four rankings agree."""
        return {
            "measure": str(self.measure),
            "ranking": str(self.ranking),
            "runs": self._rows(),
            "tau": {
                "as_decided_to_best": self.tau(0, 1),
                "as_decided_to_best_per_concept": self.tau(0, 2),
                "as_decided_to_ranking": self.tau(0, 3),
                "best_to_ranking": self.tau(1, 3),
            },
            "shift": self.shift,
            "notes": list(self.notes),
        }

    def _tables(self) -> list[Table]:
        rows = self._rows()
        ranks = ("place", "place_best", "place_without_thresholds")
        shown = [
            row
            | {
                "_rank": f"{row['place']:g}",
                "_at": f"{row['threshold']:.3g}" if np.isfinite(row["threshold"]) else None,
                "_ranks": " → ".join(f"{row[name]:g}" for name in ranks),
            }
            for row in rows
        ]
        columns = (
            Column("_rank", "#", key=True, align="right"),
            Column("run", key=True),
            Column("as_decided"),
            Column("best", "best cut"),
            Column("loss"),
            Column("_at", "at", align="right"),
            Column("best_per_concept", f"per {self.terms.concept}"),
            Column("loss_per_concept", "loss"),
            Column("_ranks", "ranks", align="right"),
        )
        return [
            Table("thresholds", shown, columns, audience="people"),
            Table("runs", rows, audience="programs"),
        ]

    def _remarks(self) -> list[str]:
        taus = {pair: _number(self.tau(*pair)) for pair in ((0, 1), (0, 3), (1, 3))}
        return [
            f"scores by {self.measure}; ranks as decided, with the best cut, and by "
            f"{self.ranking}, which needs none",
            f"τ as decided to best cut {taus[0, 1]}, to {self.ranking} {taus[0, 3]} "
            f"(D {self.shift:.3f}); best cut to {self.ranking} {taus[1, 3]}",
            *self.notes,
        ]

    def _charts(self) -> list[Chart]:
        """The rank of each run by all four scores (Nowak 2011, Figure 9.1)."""
        return [
            Chart(
                kind="lines",
                rows=list(self._ranks()),
                x=Axis("scored", scale="names"),
                y=Axis("rank", "rank", reverse=True, ticks=_ticks(len(self.runs))),
                series="run",
                tooltip=("run", "scored", "rank", "score"),
                title=self.title,
                subtitle=f"ranks of runs by {self.measure}, and by {self.ranking}, which needs no "
                "threshold",
            )
        ]

    def _ranks(self) -> Iterator[dict[str, Any]]:
        best = ("best for the run", f"best for each {self.terms.concept}")
        stands = ("as decided", *best, f"by {self.ranking}")
        scores = np.vstack([self.scores, self.ranked])
        for index, run in enumerate(self.runs):
            for stand, ranks, values in zip(stands, self.places, scores, strict=True):
                row = {"run": run, "scored": stand}
                yield row | {"rank": ranks[index], "score": values[index]}


@of_inputs
def threshold_effect(
    truth: Truth | Collection,
    runs: Run | Iterable[Run],
    by: Annotated[str | Measure, _Name] = "example.F",
    *,
    ranking: Annotated[str | Measure, _Name] = "example.RP",
    progress: Progress = silent,
    **options: Any,
) -> ThresholdEffect:
    """Ask how much of a run's rank is its threshold.

    Each run as it decides, with the best threshold that it could have, and with the best for each
    concept; beside it the order of runs by a measure that needs no threshold. The best are found on
    the same truth: no tuning on other data reaches more.

    by       The measure of decisions.
    ranking  A measure of confidences, which ranks runs without thresholds.
    options  of `evaluate`: ontology=, costs=, relatedness=, agreement=, missing=, extra=
    """
    measure, without = judging([by, ranking])
    if measure.traits.prediction != "decisions" or without.traits.prediction == "decisions":
        raise MeasureError(
            f"by={measure} should be a measure of decisions, such as example.F, and "
            f"ranking={without} one of confidences, such as example.RP"
        )
    plain, systems, measures, warnings = studied(
        truth, runs, [measure, without], usual=(), **options
    )
    options.pop("extra", None)
    evaluation = evaluate(truth, systems, measures, **options)
    columns, thresholds = [], []
    with progress("tuning", len(systems)) as step:
        for run in systems:
            decided = evaluation[run.name, measure]
            column, threshold = [decided] * 3, np.nan
            if run.scores is not None:
                best = tune(truth, run, str(measure), per="run", **options)
                by_concept = _for_each_concept(truth, run, measure, best, options)
                threshold = float(best.values[0])
                tuned = (best.apply(run), by_concept.apply(run))
                column = [decided, *(_score(truth, cut, measure, options) for cut in tuned)]
            columns.append(column)
            thresholds.append(threshold)
            step(1)
    return ThresholdEffect(
        measure,
        without,
        evaluation.runs,
        np.array(columns).T,
        np.array(thresholds),
        np.array([evaluation[run, without] for run in evaluation.runs]),
        _notes(measure, systems, plain.terms),
        warnings,
        plain.terms,
    )


def _score(truth: Any, run: Run, measure: Measure, options: dict[str, Any]) -> float:
    return evaluate(truth, run, measure, **options)[run.name, measure]


def _for_each_concept(
    truth: Truth | Collection,
    run: Run,
    measure: Measure,
    best: Thresholds,
    options: dict[str, Any],
) -> Thresholds:
    """The best of concepts: exact by concept-based measures; by example-based ones from the best
    for the run upwards; by F of each concept where a measure is no formula over counts."""
    missing = options.get("missing", "error")
    counts, direction = measure.definition.formula_of_counts, measure.traits.direction
    if counts is None or direction not in ("concept", "example"):
        return tune(truth, run, "F", missing=missing)
    if direction == "concept":
        return tune(truth, run, str(measure), missing=missing)
    plain = truth.truth if isinstance(truth, Collection) else truth
    comparison = Comparison(plain, run, unjudged=measure.options["unjudged"], missing=missing)
    return replace(
        best, per="concept", values=ascended(comparison, measure, best.values), score=np.nan
    )


def _notes(measure: Measure, runs: list[Run], terms: Terms) -> tuple[str, ...]:
    notes = []
    without = [run.name for run in runs if run.scores is None]
    if without:
        notes.append(
            f"{several(len(without), 'run')} without confidences keep their decisions: "
            f"{first_ten(without)}"
        )
    if measure.definition.formula_of_counts is None or measure.traits.direction == "micro":
        notes.append(
            f"thresholds for each {terms.concept} are best by its own F, which need not be best by "
            f"{measure}"
        )
    elif measure.traits.direction == "example":
        notes.append(
            f"thresholds for each {terms.concept} are improved one after the other by {measure}, "
            "from the best for the run; there may be better ones"
        )
    return tuple(notes)


def _ticks(count: int) -> range:
    """Ranks to name; of many runs not all of them."""
    return range(1, count + 1, max(1, count // 10))


def _number(value: float) -> str:
    return "–" if np.isnan(value) else f"{value:.3f}"
