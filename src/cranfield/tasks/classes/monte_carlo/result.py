"""MonteCarlo: what repeated cross-validation found, as confusion matrices of every fold.

Scores of a repeat are those of its folds added up, one matrix for all items; scores of single folds
serve the t-test only. Everything is looked up by the names of estimators and of measures.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from cranfield._version import __version__
from cranfield.caching import cached_property
from cranfield.core.contingency import Contingency
from cranfield.core.matrices import Floats
from cranfield.engine.evaluation import or_null
from cranfield.errors import InputError, first_ten
from cranfield.measures import Measure
from cranfield.statistics import holm
from cranfield.tasks.classes.confusion import Confusion
from cranfield.tasks.classes.monte_carlo.candidates import Candidate
from cranfield.tasks.classes.monte_carlo.cloud import Cloud, spread
from cranfield.tasks.classes.monte_carlo.contests import Contest, better, contest
from cranfield.tasks.classes.monte_carlo.learning import library
from cranfield.tasks.classes.scores import confusion_measure

if TYPE_CHECKING:
    import polars

FALSE_RATIO, COMPLETENESS = Measure("confusion.false_ratio"), Measure("confusion.completeness")
ALWAYS = (FALSE_RATIO, COMPLETENESS, Measure("confusion.accuracy"), Measure("confusion.S_I_norm"))
"""What is told of every estimator: r, f, accuracy, and the erroneous information that decides."""


class MonteCarlo:
    """Estimators, cross-validated again and again."""

    def __init__(
        self,
        candidates: Sequence[Candidate],
        counts: Mapping[str, NDArray[np.int32]],
        classes: tuple[str, ...],
        *,
        stratified: bool,
        seed: int,
        measures: Sequence[Measure],
        data: str,
        notes: tuple[str, ...],
    ) -> None:
        """counts  (repeats, folds, true, said) of each estimator; data  hash of what was learnt"""
        self._candidates = {one.name: one for one in candidates}
        self._counts = dict(counts)
        self.classes = classes
        self.stratified = stratified
        self.seed = seed
        self.measures = tuple(dict.fromkeys((*ALWAYS, *measures)))
        self.data = data
        self.notes = notes
        """What readers should know: rare classes, and what estimators warned of."""

    @property
    def names(self) -> tuple[str, ...]:
        """Of the estimators, in the order given."""
        return tuple(self._candidates)

    @property
    def repeats(self) -> int:
        return int(next(iter(self._counts.values())).shape[0])

    @property
    def folds(self) -> int:
        return int(next(iter(self._counts.values())).shape[1])

    @property
    def seeds(self) -> range:
        """By which the folds of each repeat were drawn."""
        return range(self.seed, self.seed + self.repeats)

    def __repr__(self) -> str:
        return (
            f"MonteCarlo({len(self.names)} estimators, {self.repeats} repeats of {self.folds} "
            f"folds, {len(self.classes)} classes)"
        )

    # ── of one estimator ──────────────────────────────────────────────────────────────────────

    def counts(self, name: str) -> NDArray[np.int32]:
        """(repeats, folds, true, said)."""
        if name not in self._counts:
            raise InputError(f"there is no estimator {name!r}; estimators: {first_ten(self.names)}")
        return self._counts[name]

    def confusion(self, name: str, repeat: int = 0) -> Confusion:
        """The confusion matrix of one repeat, its folds added up."""
        if not 0 <= repeat < self.repeats:
            raise InputError(f"repeat={repeat}; there are {self.repeats}, counted from 0")
        return Confusion(self.counts(name)[repeat].sum(axis=0), self.classes, name=name)

    def scores(self, name: str, measure: str | Measure) -> Floats:
        """(repeats,): the score of each repeat."""
        return self._tabulated(name, measure, by_fold=False)

    def fold_scores(self, name: str, measure: str | Measure) -> Floats:
        """(repeats, folds): the score of each fold by itself."""
        return self._tabulated(name, measure, by_fold=True)

    def _tabulated(self, name: str, measure: str | Measure, *, by_fold: bool) -> Floats:
        counts = self.counts(name)
        stack = (counts if by_fold else counts.sum(axis=1)).astype(np.float64)
        table = Contingency(stack, self.classes, self.classes)
        return np.asarray(confusion_measure(measure).tabulate(table))

    def cloud(self, name: str) -> Cloud:
        """(r, f) of every repeat, with mean, σ, ρ and ellipse."""
        r, f = (self.scores(name, one) for one in (FALSE_RATIO, COMPLETENESS))
        candidate = self._candidates[name]
        return Cloud(name, candidate.family, candidate.setting, r, f)

    @property
    def clouds(self) -> tuple[Cloud, ...]:
        return tuple(map(self.cloud, self.names))

    def signature(self, name: str, measure: str | Measure) -> str:
        """Every choice that the scores of an estimator depend on, versions, and a hash of data."""
        kind = "stratified" if self.stratified else "plain"
        return (
            f"{confusion_measure(measure)}|estimator={name}|folds={self.folds}:{kind}|"
            f"repeats={self.repeats}|seed={self.seed}|cranfield={__version__}|"
            f"scikit-learn={library('sklearn').__version__}|data={self.data[:8]}"
        )

    # ── of two ────────────────────────────────────────────────────────────────────────────────

    def contest(self, a: str, b: str, measure: str | Measure = "S_I_norm") -> Contest:
        """A against B: share of wins over repeats, and the corrected resampled t-test."""
        one = confusion_measure(measure)
        return contest(
            (a, b),
            one,
            (self.scores(a, one), self.scores(b, one)),
            (self.fold_scores(a, one), self.fold_scores(b, one)),
            self.folds,
        )

    def wins_in_both(self, a: str, b: str) -> tuple[float, float]:
        """The share of repeats in which A is better by r and by f, and in which B is."""
        shares = [
            np.logical_and.reduce(
                [
                    better(one, self.scores(first, one), self.scores(second, one))
                    for one in (FALSE_RATIO, COMPLETENESS)
                ]
            ).mean()
            for first, second in ((a, b), (b, a))
        ]
        return float(shares[0]), float(shares[1])

    def contests(
        self, measure: str | Measure = "S_I_norm", *, names: Sequence[str] | None = None
    ) -> tuple[Contest, ...]:
        """All pairs, p-values corrected by Holm for their number.

        names  of the estimators, in another order or fewer
        """
        listed = self.names if names is None else names
        found = [self.contest(a, b, measure) for a, b in combinations(listed, 2)]
        adjusted = holm([one.test.p_value for one in found])
        return tuple(replace(one, holm=float(p)) for one, p in zip(found, adjusted, strict=True))

    # ── for other programs ────────────────────────────────────────────────────────────────────

    @cached_property
    def frame(self) -> polars.DataFrame:
        """Polars: estimator, repeat, seed, and a column for each measure; undefined is null."""
        import polars

        parts = [
            polars.DataFrame(
                {
                    "estimator": [name] * self.repeats,
                    "repeat": range(self.repeats),
                    "seed": list(self.seeds),
                    **{_short(one): self.scores(name, one) for one in self.measures},
                }
            )
            for name in self.names
        ]
        return polars.concat(parts).with_columns(polars.selectors.float().fill_nan(None))

    def to_json(self, *, indent: int | None = None) -> str:
        """Estimators with means, σ, ρ, ellipses and every repeat; all pairs by every measure."""
        told = {
            "folds": self.folds,
            "repeats": self.repeats,
            "stratified": self.stratified,
            "seed": self.seed,
            "classes": self.classes,
            "estimators": [self._estimator_record(cloud) for cloud in self.clouds],
            "contests": self._contest_records(),
            "notes": self.notes,
        }
        return json.dumps(told, indent=indent, ensure_ascii=False)

    def _estimator_record(self, cloud: Cloud) -> dict[str, Any]:
        ellipse = cloud.ellipse()
        record: dict[str, Any] = {
            "estimator": cloud.name,
            "family": cloud.family,
            "parameter": None if cloud.setting is None else cloud.setting[0],
            "value": None if cloud.setting is None else _plain(cloud.setting[1]),
            "rho": or_null(cloud.rho),
            "ellipse": ellipse
            and {"center": ellipse.center, "axes": ellipse.axes, "angle": ellipse.angle}
            | {"level": ellipse.level},
        }
        scores = {one: self.scores(cloud.name, one) for one in self.measures}
        record["scores"] = [
            {
                "measure": str(one),
                "mean": or_null(float(values.mean())),
                "sigma": or_null(spread(values)),
                "repeats": [or_null(value) for value in values.tolist()],
                "signature": self.signature(cloud.name, one),
            }
            for one, values in scores.items()
        ]
        return record

    def _contest_records(self) -> list[dict[str, Any]]:
        found = [
            {
                "a": one.a,
                "b": one.b,
                "measure": str(one.measure),
                "a_mean": or_null(one.means[0]),
                "b_mean": or_null(one.means[1]),
                "a_wins": one.wins[0],
                "b_wins": one.wins[1],
                "t": or_null(one.test.statistic),
                "degrees": one.test.degrees,
                "p": or_null(one.test.p_value),
                "p_holm": or_null(one.holm),
            }
            for measure in self.measures
            if measure.traits.better != "neither"
            for one in self.contests(measure)
        ]
        for a, b in combinations(self.names, 2):
            ahead, behind = self.wins_in_both(a, b)
            found.append({"a": a, "b": b, "measure": "both", "a_wins": ahead, "b_wins": behind})
        return found


def _short(measure: Measure) -> str:
    return str(measure).removeprefix("confusion.")


def _plain(value: Any) -> Any:
    """The value of a parameter as JSON can hold it."""
    return value if isinstance(value, str | int | float | None) else repr(value)
