"""MonteCarlo: what repeated cross-validation found, as confusion matrices of every fold.

Scores of a repeat are those of its folds added up, one matrix for all items; scores of single folds
serve the t-test only. Everything is looked up by the names of estimators and of measures.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from cranfield._version import __version__
from cranfield.caching import cached_property
from cranfield.core.chart import Drawing
from cranfield.core.contingency import Contingency
from cranfield.core.matrices import Floats
from cranfield.core.result import Analysis
from cranfield.core.table import Column, Table
from cranfield.errors import InputError, first_ten
from cranfield.measures import Measure
from cranfield.statistics.significance import holm
from cranfield.tasks.classes.confusion import Confusion
from cranfield.tasks.classes.monte_carlo.candidates import Candidate
from cranfield.tasks.classes.monte_carlo.clouds import Cloud, Contest, better, contest, spread
from cranfield.tasks.classes.monte_carlo.learners import library
from cranfield.tasks.classes.scores import confusion_measure

if TYPE_CHECKING:
    import polars

FALSE_RATIO, COMPLETENESS = Measure("confusion.false_ratio"), Measure("confusion.completeness")
ALWAYS = (FALSE_RATIO, COMPLETENESS, Measure("confusion.accuracy"), Measure("confusion.S_I_norm"))
"""What is shown of every estimator: r, f, accuracy, and the erroneous information that decides."""


_DIGITS = 4
_FEW_PAIRS = 10
"""More than this, and the best estimator is shown against each of the others only."""
_SIGNS = {"confusion.false_ratio": "r", "confusion.completeness": "f"}
"""As in Table 3 of Holt et al. 2010."""


class MonteCarlo(Analysis):
    """Estimators, cross-validated again and again."""

    title = "Repeated cross-validation"

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
        self._candidates = {candidate.name: candidate for candidate in candidates}
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
        """Of the estimators, as they came."""
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
        r, f = (self.scores(name, measure) for measure in (FALSE_RATIO, COMPLETENESS))
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
        by = confusion_measure(measure)
        return contest(
            (a, b),
            by,
            (self.scores(a, by), self.scores(b, by)),
            (self.fold_scores(a, by), self.fold_scores(b, by)),
            self.folds,
        )

    def wins_in_both(self, a: str, b: str) -> tuple[float, float]:
        """The share of repeats in which A is better by r and by f, and in which B is."""
        shares = [
            np.logical_and.reduce(
                [
                    better(by, self.scores(first, by), self.scores(second, by))
                    for by in (FALSE_RATIO, COMPLETENESS)
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
        contests = [self.contest(a, b, measure) for a, b in combinations(listed, 2)]
        adjusted = holm([contest.test.p_value for contest in contests])
        return tuple(replace(c, holm=float(p)) for c, p in zip(contests, adjusted, strict=True))

    # ── the result ────────────────────────────────────────────────────────────────────────────

    @cached_property
    def best_first(self) -> list[str]:
        """By erroneous information, the least first; undefined ones last."""
        means = {name: self.scores(name, "S_I_norm").mean() for name in self.names}
        return sorted(means, key=lambda name: (math.isnan(means[name]), means[name]))

    def _tables(self) -> list[Table]:
        return [self._estimator_table(), *self._contest_tables(), self._repeat_table()]

    def _estimator_table(self) -> Table:
        """Means and σ; the best first, but the values of a grid stay in their order."""
        is_grid = any(cloud.setting is not None for cloud in self.clouds)
        rows = []
        for name in self.names if is_grid else self.best_first:
            row: dict[str, Any] = {"estimator": name, "rho": self.cloud(name).rho}
            for measure in self.measures:
                values = self.scores(name, measure)
                row[str(measure)] = float(values.mean())
                sigma = spread(values)
                row[f"_{measure}"] = "" if math.isnan(sigma) else f" ± {sigma:.2g}"
            rows.append(row)
        columns = [
            Column(
                str(measure),
                _short_sign(measure),
                3,
                better="" if measure.traits.better == "neither" else measure.traits.better,
                mark=f"_{measure}",
            )
            for measure in self.measures
        ]
        columns.insert(2, Column("rho", "ρ"))
        key = Column("estimator", key=True)
        return Table("estimators", rows, [key, *columns], audience="people")

    @property
    def _many_pairs(self) -> bool:
        return len(self.names) * (len(self.names) - 1) // 2 > _FEW_PAIRS

    def _contest_tables(self) -> Iterator[Table]:
        pairs: dict[tuple[str, str], list[dict[str, Any]]] = {}
        for measure in self.measures:
            if measure.traits.better != "neither":
                for contest in self.contests(measure, names=self.best_first):
                    pairs.setdefault((contest.a, contest.b), []).append(_contest_row(contest))
        columns = (
            Column("measure", key=True),
            Column("difference", "A − B", _DIGITS),
            Column("a_wins", "A wins", 1, kind="percent"),
            Column("b_wins", "B wins", 1, kind="percent"),
            Column("t", digits=2),
            Column("p", digits=_DIGITS, kind="p"),
            Column("p_holm", "p Holm", _DIGITS, kind="p"),
        )
        for (a, b), rows in pairs.items():
            if self._many_pairs and a != self.best_first[0]:
                continue
            wins = dict(zip(("a_wins", "b_wins"), self.wins_in_both(a, b), strict=True))
            rows.insert(2, {"measure": "r and f", **wins})
            title = f"A = {a}, B = {b}"
            yield Table(title, rows, columns, title=title, audience="screens")

    def _repeat_table(self) -> Table:
        rows = [
            {"estimator": name, "repeat": repeat, "seed": self.seed + repeat}
            | {_short(by): float(scores[by][repeat]) for by in self.measures}
            for name in self.names
            for scores in [{by: self.scores(name, by) for by in self.measures}]
            for repeat in range(self.repeats)
        ]
        return Table("repeats", rows, audience="programs")

    def _remarks(self) -> list[str]:
        kind = "stratified folds" if self.stratified else "folds"
        seeds = f"seeds {self.seeds[0]} to {self.seeds[-1]}"
        remarks = [
            f"mean ± σ of {self.repeats} repeats of {self.folds} {kind}, {seeds}; ρ is the "
            "correlation of r and f"
            if self.repeats > 1
            else f"one repeat of {self.folds} {kind}, seed {self.seed}"
        ]
        if len(self.names) > 1:
            remarks.append(
                "wins: share of repeats; t, p: corrected resampled t-test of scores of single "
                "folds, two-sided; p Holm: for all pairs"
            )
        if self._many_pairs:
            remarks.append(f"{self.best_first[0]} against the others; JSON holds all pairs")
        return [*remarks, *self.notes]

    def _charts(self) -> list[Drawing]:
        from cranfield.tasks.classes.coverage import coverage_plot

        return coverage_plot(clouds=self.clouds)

    @cached_property
    def frame(self) -> polars.DataFrame:
        """Polars: estimator, repeat, seed, and a column for each measure; undefined is null."""
        import polars

        frame = self._repeat_table().frame
        return frame.with_columns(polars.selectors.float().fill_nan(None))

    def _facts(self) -> dict[str, Any]:
        """Estimators with means, σ, ρ, ellipses and every repeat; all pairs by every measure."""
        return {
            "folds": self.folds,
            "repeats": self.repeats,
            "stratified": self.stratified,
            "seed": self.seed,
            "classes": self.classes,
            "estimators": [self._estimator_record(cloud) for cloud in self.clouds],
            "contests": self._contest_records(),
            "notes": self.notes,
        }

    def _estimator_record(self, cloud: Cloud) -> dict[str, Any]:
        ellipse = cloud.ellipse()
        record: dict[str, Any] = {
            "estimator": cloud.name,
            "family": cloud.family,
            "parameter": None if cloud.setting is None else cloud.setting[0],
            "value": None if cloud.setting is None else _plain(cloud.setting[1]),
            "rho": cloud.rho,
            "ellipse": ellipse
            and {"center": ellipse.center, "axes": ellipse.axes, "angle": ellipse.angle}
            | {"level": ellipse.level},
        }
        scores = {measure: self.scores(cloud.name, measure) for measure in self.measures}
        record["scores"] = [
            {
                "measure": str(measure),
                "mean": float(values.mean()),
                "sigma": spread(values),
                "repeats": values,
                "signature": self.signature(cloud.name, measure),
            }
            for measure, values in scores.items()
        ]
        return record

    def _contest_records(self) -> list[dict[str, Any]]:
        records = [
            {
                "a": contest.a,
                "b": contest.b,
                "measure": str(contest.measure),
                "a_mean": contest.means[0],
                "b_mean": contest.means[1],
                "a_wins": contest.wins[0],
                "b_wins": contest.wins[1],
                "t": contest.test.statistic,
                "degrees": contest.test.degrees,
                "p": contest.test.p_value,
                "p_holm": contest.holm,
            }
            for measure in self.measures
            if measure.traits.better != "neither"
            for contest in self.contests(measure)
        ]
        for a, b in combinations(self.names, 2):
            ahead, behind = self.wins_in_both(a, b)
            records.append({"a": a, "b": b, "measure": "both", "a_wins": ahead, "b_wins": behind})
        return records


def _contest_row(contest: Contest) -> dict[str, Any]:
    return {
        "measure": _short_sign(contest.measure),
        "difference": contest.means[0] - contest.means[1],
        "a_wins": contest.wins[0],
        "b_wins": contest.wins[1],
        "t": contest.test.statistic,
        "p": contest.test.p_value,
        "p_holm": contest.holm,
    }


def _short(measure: Measure) -> str:
    return str(measure).removeprefix("confusion.")


def _short_sign(measure: Measure) -> str:
    return _SIGNS.get(str(measure), _short(measure))


def _plain(value: Any) -> Any:
    """The value of a parameter as JSON can hold it."""
    return value if isinstance(value, str | int | float | None) else repr(value)
