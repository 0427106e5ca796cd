"""Thresholds: how much of a run's rank is its threshold (Nowak 2011 §9.1, Figure 9.1)?

Each run is scored as it decides, then with the one threshold that is best for it, then with the
best for each concept. The best are found on the truth that they are scored by: they say what could
be had at most, not what tuning on other data would reach. A measure of rankings shows the order of
runs when no threshold has a say.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from cranfield.caching import cached_property
from cranfield.collections.collection import Collection
from cranfield.collections.comparison import Comparison
from cranfield.collections.extra_items import covering
from cranfield.core.matrices import Floats
from cranfield.core.run import Run
from cranfield.core.truth import Truth
from cranfield.engine import evaluate
from cranfield.engine.standings import competition_ranks
from cranfield.errors import MeasureError, first_ten, several
from cranfield.measures import Measure
from cranfield.statistics.rank_correlation import concordance, tau
from cranfield.statistics.thresholds import Thresholds, tune
from cranfield.statistics.thresholds.ascent import ascended
from cranfield.studies.field import Progress, judging, require_systems, sign, systems_of
from cranfield.studies.records import Records, Row, defined

STANDS = ("as decided", "best for the run", "best for each concept")


@dataclass(frozen=True, eq=False)
class ThresholdEffect(Records):
    """Runs by one measure of decisions, with their own thresholds and better ones."""

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

    def tau(self, one: int, other: int) -> float:
        """τ between two of the four rankings."""
        return float(tau(-self.places[one], -self.places[other]))

    @property
    def shift(self) -> float:
        """D between the ranking as decided and that without thresholds."""
        return concordance(self.places[0], self.places[3]).shift

    def rows(self) -> list[Row]:
        """A record for each run, the best as decided first."""
        return [self._row(place) for place in np.argsort(self.places[0], kind="stable").tolist()]

    def _row(self, place: int) -> Row:
        return {
            "run": self.runs[place],
            "as_decided": defined(self.scores[0, place]),
            "best": defined(self.scores[1, place]),
            "loss": defined(self.losses[0, place]),
            "threshold": defined(self.thresholds[place]),
            "best_per_concept": defined(self.scores[2, place]),
            "loss_per_concept": defined(self.losses[1, place]),
            "ranking": defined(self.ranked[place]),
            "place": float(self.places[0, place]),
            "place_best": float(self.places[1, place]),
            "place_best_per_concept": float(self.places[2, place]),
            "place_without_thresholds": float(self.places[3, place]),
        }

    def to_dict(self) -> dict[str, Any]:
        """A record for each run, and how the four rankings agree."""
        return {
            "measure": str(self.measure),
            "ranking": str(self.ranking),
            "runs": self.rows(),
            "tau": {
                "as_decided_to_best": defined(self.tau(0, 1)),
                "as_decided_to_best_per_concept": defined(self.tau(0, 2)),
                "as_decided_to_ranking": defined(self.tau(0, 3)),
                "best_to_ranking": defined(self.tau(1, 3)),
            },
            "shift": defined(self.shift),
            "notes": list(self.notes),
        }


def threshold_effect(
    truth: Truth | Collection,
    runs: Run | Iterable[Run],
    by: str | Measure = "example.F",
    *,
    ranking: str | Measure = "example.RP",
    progress: Progress | None = None,
    **options: Any,
) -> ThresholdEffect:
    """Score runs as they decide and with the best thresholds that they could have.

    by        a measure of decisions
    ranking   a measure of confidences, by which runs are ranked without thresholds
    progress  called after each run
    options   of `evaluate`: ontology=, costs=, relatedness=, agreement=, missing=, extra=
    """
    wanted, without = judging([by, ranking])
    if wanted.traits.prediction != "decisions" or without.traits.prediction == "decisions":
        raise MeasureError(
            f"by={wanted} should be a measure of decisions, such as example.F, and "
            f"ranking={without} one of confidences, such as example.RP"
        )
    listed = covering(truth, systems_of(runs), options.pop("extra", "error"))
    require_systems([run.name for run in listed], 2)
    found = evaluate(truth, listed, [wanted, without], **options)
    columns, best = [], []
    for run in listed:
        chosen = found[run.name, wanted]
        column, threshold = [chosen] * 3, np.nan
        if run.scores is not None:
            one = tune(truth, run, str(wanted), per="run", **options)
            each = _for_each_concept(truth, run, wanted, one, options)
            threshold = float(one.values[0])
            column = [chosen, *(_score(truth, t.apply(run), wanted, options) for t in (one, each))]
        columns.append(column)
        best.append(threshold)
        if progress is not None:
            progress()
    return ThresholdEffect(
        wanted,
        without,
        found.runs,
        np.array(columns).T,
        np.array(best),
        np.array([found[run, without] for run in found.runs]),
        _notes(wanted, listed),
    )


def _score(truth: Any, run: Run, wanted: Measure, options: dict[str, Any]) -> float:
    return evaluate(truth, run, wanted, **options)[run.name, wanted]


def _for_each_concept(
    truth: Truth | Collection, run: Run, wanted: Measure, one: Thresholds, options: dict[str, Any]
) -> Thresholds:
    """The best of concepts: exact by concept-based measures; by example-based ones from the best
    for the run upwards; by F of each concept where a measure is no formula over counts."""
    missing = options.get("missing", "error")
    counts, direction = wanted.definition.formula_of_counts, wanted.traits.direction
    if counts is None or direction not in ("concept", "example"):
        return tune(truth, run, "F", missing=missing)
    if direction == "concept":
        return tune(truth, run, str(wanted), missing=missing)
    plain = truth.truth if isinstance(truth, Collection) else truth
    comparison = Comparison(plain, run, unjudged=wanted.options["unjudged"], missing=missing)
    return replace(
        one, per="concept", values=ascended(comparison, wanted, one.values), score=np.nan
    )


def _notes(wanted: Measure, runs: list[Run]) -> tuple[str, ...]:
    notes = []
    without = [run.name for run in runs if run.scores is None]
    if without:
        notes.append(
            f"{several(len(without), 'run')} without confidences keep their decisions: "
            f"{first_ten(without)}"
        )
    if wanted.definition.formula_of_counts is None or wanted.traits.direction == "micro":
        notes.append(
            f"thresholds for each concept are best by its own F, which need not be best by {wanted}"
        )
    elif wanted.traits.direction == "example":
        notes.append(
            f"thresholds for each concept are improved one after the other by {wanted}, from the "
            "best for the run; there may be better ones"
        )
    return tuple(notes)
