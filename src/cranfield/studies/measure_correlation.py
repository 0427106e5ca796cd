"""Correlation of measures: do they put systems, and items, in the same order?

Systems are ranked by their scores, items by the scores that example-based measures give them within
one run; the τ of items is averaged over runs (Nowak 2011 §9.4.1, Tables 9.1 and 9.2). All measures
are turned so that higher is better: only what disagrees has a negative τ.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from cranfield.collections.collection import Collection
from cranfield.core.matrices import Floats
from cranfield.core.run import Run
from cranfield.core.truth import Truth
from cranfield.errors import require_draws
from cranfield.measures import Measure
from cranfield.statistics.correlation import (
    Correlation,
    Merge,
    average_linkage,
    mean_intervals,
    pearson,
    spearman,
    tau_intervals,
)
from cranfield.statistics.rank_correlation import (
    critical_shift,
    item_taus,
    rank_shift,
    tau,
    tau_ap_symmetric,
    tau_b,
    weighted_tau,
)
from cranfield.studies.field import Field, Progress, require_systems, scored_field, sign
from cranfield.studies.records import Records, Row, defined, listed
from cranfield.studies.reference_runs import RANDOM_PERCENTAGES

COEFFICIENTS: Mapping[str, Correlation] = {
    "tau": tau,
    "tau_b": tau_b,
    "tau_ap": tau_ap_symmetric,
    "weighted_tau": weighted_tau,
    "spearman": spearman,
    "pearson": pearson,
}
"""Of system rankings; tau_ap is the symmetric one."""


@dataclass(frozen=True, eq=False)
class ItemRankings:
    """τ of the rankings of items by pairs of example-based measures, over the runs of systems."""

    measures: tuple[Measure, ...]
    by_run: Floats
    """(R, M, M); NaN where a measure ties all items of a run."""
    intervals: Floats
    """(M, M, 2): 95 % bootstrap intervals of the mean over runs."""

    @property
    def mean(self) -> Floats:
        known = ~np.isnan(self.by_run)
        out = np.full(self.by_run.shape[1:], np.nan)
        counts = known.sum(axis=0)
        np.divide(np.where(known, self.by_run, 0.0).sum(axis=0), counts, out=out, where=counts > 0)
        return out

    def to_dict(self) -> dict[str, Any]:
        """Means over runs."""
        return {
            "measures": list(map(str, self.measures)),
            "tau": listed(self.mean),
            "tau_intervals": listed(self.intervals),
        }


@dataclass(frozen=True, eq=False)
class MeasureCorrelation(Records):
    """All pairs of measures, beside all runs that they were compared by."""

    field: Field
    coefficients: Mapping[str, Floats]
    """(M, M) for each name in `COEFFICIENTS`, over the runs of systems."""
    intervals: Floats
    """(M, M, 2): 95 % bootstrap intervals of tau over runs."""
    shifts: Floats
    """(M, M): D, the largest shift of a rank divided by the number of runs."""
    items: ItemRankings | None

    @property
    def measures(self) -> tuple[Measure, ...]:
        return self.field.measures

    @property
    def critical(self) -> float:
        """What D may reach for concordance, at the 5 % level."""
        return critical_shift(len(self.field.systems))

    def clusters(self, name: str = "tau") -> tuple[tuple[Measure, ...], tuple[Merge, ...]]:
        """Measures that have coefficients, and how they merge by 1 − coefficient."""
        return clustered(self.measures, self.coefficients[name])

    def rows(self) -> list[Row]:
        """A record for each pair of measures."""
        return list(self._rows())

    def _rows(self) -> Iterator[Row]:
        within = {} if self.items is None else {m: i for i, m in enumerate(self.items.measures)}
        for one, other in zip(*np.triu_indices(len(self.measures), 1), strict=True):
            first, second = self.measures[one], self.measures[other]
            items = np.nan
            if self.items is not None and first in within and second in within:
                items = self.items.mean[within[first], within[second]]
            yield {
                "measure": str(first),
                "other": str(second),
                **{name: defined(values[one, other]) for name, values in self.coefficients.items()},
                "tau_low": defined(self.intervals[one, other, 0]),
                "tau_high": defined(self.intervals[one, other, 1]),
                "shift": defined(self.shifts[one, other]),
                "concordant": bool(self.shifts[one, other] <= self.critical),
                "tau_of_items": defined(items),
            }

    def to_dict(self) -> dict[str, Any]:
        """Scores, square tables of measures, and how measures merge."""
        joined, merges = self.clusters()
        return self.field.to_dict() | {
            "measures": list(map(str, self.measures)),
            "coefficients": {name: listed(values) for name, values in self.coefficients.items()},
            "tau_intervals": listed(self.intervals),
            "shifts": listed(self.shifts),
            "critical_shift": self.critical,
            "clusters": {
                "measures": list(map(str, joined)),
                "merges": [merge._asdict() for merge in merges],
            },
            "items": None if self.items is None else self.items.to_dict(),
        }


def clustered(
    measures: Sequence[Measure], coefficients: Floats
) -> tuple[tuple[Measure, ...], tuple[Merge, ...]]:
    """Measures that have coefficients with themselves and all such, and how they merge."""
    # A measure that ties all runs, or nearly all, has none with itself or with some other.
    kept = [place for place in range(len(measures)) if not np.isnan(coefficients[place, place])]
    there = coefficients[np.ix_(kept, kept)]
    return tuple(measures[place] for place in kept), average_linkage(
        np.where(np.isnan(there), 1.0, 1.0 - there)
    )


def correlate(
    truth: Truth | Collection,
    runs: Run | Iterable[Run],
    measures: Iterable[str | Measure],
    *,
    percentages: Sequence[int] = RANDOM_PERCENTAGES,
    items: bool = True,
    resamples: int = 2000,
    seed: int = 0,
    progress: Progress | None = None,
    **options: Any,
) -> MeasureCorrelation:
    """Correlate the rankings of runs, and of items, by all pairs of measures.

    percentages  of random runs, which are scored to be shown but not correlated
    items        whether to rank items as well, which takes longest
    progress     called after each run that is scored, and after each whose items are ranked
    options      of `evaluate`: ontology=, costs=, relatedness=, agreement=, missing=, extra=
    """
    require_draws("resamples", resamples)
    field = scored_field(
        truth, runs, measures, percentages=percentages, seed=seed, progress=progress, **options
    )
    require_systems(field.systems, 3)
    merits = field.merits(field.systems)
    return MeasureCorrelation(
        field,
        {name: _pairs(merits, function) for name, function in COEFFICIENTS.items()},
        tau_intervals(merits, resamples=resamples, seed=seed),
        _pairs(merits, rank_shift),
        _items(field, progress, resamples, seed) if items else None,
    )


def _pairs(merits: Floats, function: Correlation) -> Floats:
    """(M, M): a coefficient of all pairs; NaN where a measure is undefined."""
    count = len(merits)
    out = np.full((count, count), np.nan)
    known = np.flatnonzero(~np.isnan(merits).any(axis=1))
    for one in known:
        for other in known[known <= one]:
            with np.errstate(invalid="ignore"):  # infinite scores have ranks, but no Pearson's r
                out[one, other] = out[other, one] = function(merits[one], merits[other])
    return out


def _items(
    field: Field, progress: Progress | None, resamples: int, seed: int
) -> ItemRankings | None:
    measures = tuple(one for one in field.measures if one.traits.direction == "example")
    if len(measures) < 2:
        return None
    by_run = []
    for run in field.systems:
        units = [sign(one) * field.evaluation.units(run, one) for one in measures]
        by_run.append(item_taus(np.array(units)))
        if progress is not None:
            progress()
    taus = np.array(by_run)
    return ItemRankings(measures, taus, mean_intervals(taus, resamples=resamples, seed=seed))
