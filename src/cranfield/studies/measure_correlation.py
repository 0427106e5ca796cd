"""Correlation of measures: do they put systems, and items, in the same order?

Systems are ranked by their scores, items by the scores that example-based measures give them within
one run; the τ of items is averaged over runs (Nowak 2011 §9.4.1, Tables 9.1 and 9.2). All measures
are turned so that higher is better: only what disagrees has a negative τ.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import numpy as np

from cranfield.collections.collection import Collection
from cranfield.collections.readings import as_runs
from cranfield.core.chart import Axis, Chart, Drawing, Picture
from cranfield.core.matrices import Floats
from cranfield.core.options import Option
from cranfield.core.progress import Progress, silent
from cranfield.core.result import Analysis
from cranfield.core.run import Run
from cranfield.core.table import Table, square
from cranfield.core.terms import Terms
from cranfield.core.truth import Truth
from cranfield.engine.direct_calls import of_inputs
from cranfield.errors import InputError, require_draws, several
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
from cranfield.studies.field import (
    CONCORDANT,
    DECISIONS,
    KINDS,
    RANKINGS,
    Field,
    Measures,
    Seed,
    reference_remarks,
    require_systems,
    scored_field,
    sign,
)
from cranfield.studies.reference_runs import RANDOM_PERCENTAGES

Coefficient = Literal["tau", "tau_b", "tau_ap", "weighted_tau", "spearman", "pearson"]
Part = Literal["dendrogram", "systems", "items"]
COEFFICIENTS: Mapping[Coefficient, Correlation] = {
    "tau": tau,
    "tau_b": tau_b,
    "tau_ap": tau_ap_symmetric,
    "weighted_tau": weighted_tau,
    "spearman": spearman,
    "pearson": pearson,
}
"""Of system rankings; tau_ap is the symmetric one."""
_NAMES = {
    "tau": "τ",
    "tau_b": "τ-b",
    "tau_ap": "τ_AP, symmetric",
    "weighted_tau": "weighted τ",
    "spearman": "Spearman's ρ",
    "pearson": "Pearson's r",
}
_SPOTS = 100
"""Items that fall on the same of so many spots along a side are drawn once."""
_SHOWN = 12
"""Runs whose items are drawn, as in Nowak 2011, Figure 9.5."""
_MATRIX = 900
"""Points for the panels of a matrix, side by side."""


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
        defined = ~np.isnan(self.by_run)
        out = np.full(self.by_run.shape[1:], np.nan)
        counts = defined.sum(axis=0)
        sums = np.where(defined, self.by_run, 0.0).sum(axis=0)
        np.divide(sums, counts, out=out, where=counts > 0)
        return out

    def to_dict(self) -> dict[str, Any]:
        """Means over runs."""
        return {
            "measures": list(map(str, self.measures)),
            "tau": self.mean,
            "tau_intervals": self.intervals,
        }


@dataclass(frozen=True, eq=False)
class MeasureCorrelation(Analysis):
    """All pairs of measures, beside all runs that they were compared by."""

    title = "Correlation of measures"

    field: Field
    coefficients: Mapping[Coefficient, Floats]
    """(M, M) for each name in `COEFFICIENTS`, over the runs of systems."""
    intervals: Floats
    """(M, M, 2): 95 % bootstrap intervals of tau over runs."""
    shifts: Floats
    """(M, M): D, the largest shift of a rank divided by the number of runs."""
    items: ItemRankings | None
    shown: Coefficient = "tau"
    """What the table of systems shows."""
    drawn: tuple[Part, ...] = ("dendrogram", "systems")
    warnings: tuple[str, ...] = ()
    """What readers should know about the runs."""

    @property
    def terms(self) -> Terms:
        return self.field.terms

    @property
    def measures(self) -> tuple[Measure, ...]:
        return self.field.measures

    @property
    def critical(self) -> float:
        """What D may reach for concordance, at the 5 % level."""
        return critical_shift(len(self.field.systems))

    def clusters(
        self, coefficient: Coefficient = "tau"
    ) -> tuple[tuple[Measure, ...], tuple[Merge, ...]]:
        """Measures that have coefficients, and how they merge by 1 − coefficient."""
        return clustered(self.measures, self.coefficients[coefficient])

    def _rows(self) -> Iterator[dict[str, Any]]:
        """A record for each pair of measures."""
        within = {} if self.items is None else {m: i for i, m in enumerate(self.items.measures)}
        for i, j in zip(*np.triu_indices(len(self.measures), 1), strict=True):
            first, second = self.measures[i], self.measures[j]
            items = np.nan
            if self.items is not None and first in within and second in within:
                items = self.items.mean[within[first], within[second]]
            yield {
                "measure": str(first),
                "other": str(second),
                **{name: values[i, j] for name, values in self.coefficients.items()},
                "tau_low": self.intervals[i, j, 0],
                "tau_high": self.intervals[i, j, 1],
                "shift": self.shifts[i, j],
                "concordant": bool(self.shifts[i, j] <= self.critical),
                "tau_of_items": items,
            }

    def _facts(self) -> dict[str, Any]:
        """Scores, square tables of measures, and how measures merge."""
        joined, merges = self.clusters()
        return self.field.to_dict() | {
            "measures": list(map(str, self.measures)),
            "coefficients": self.coefficients,
            "tau_intervals": self.intervals,
            "shifts": self.shifts,
            "critical_shift": self.critical,
            "clusters": {
                "measures": list(map(str, joined)),
                "merges": [merge._asdict() for merge in merges],
            },
            "items": None if self.items is None else self.items.to_dict(),
        }

    def _tables(self) -> list[Table]:
        runs = several(len(self.field.systems), "run")
        tables = [
            square(
                "systems",
                list(map(str, self.measures)),
                self.coefficients[self.shown],
                marks=np.where(self.shifts <= self.critical, CONCORDANT, ""),
                title=f"{_NAMES[self.shown]} between rankings of {runs}",
                remarks=[
                    f"{CONCORDANT} concordant by Kolmogorov and Smirnov: D, the largest shift of a "
                    f"rank, is at most {self.critical:.3f}; measures where lower is "
                    "better are reversed"
                ],
            )
        ]
        if self.items is not None:
            names = list(map(str, self.items.measures))
            title = f"τ between rankings of {self.terms.items}, mean over {runs}"
            tables.append(square("items", names, self.items.mean, title=title))
        return [*tables, Table("pairs", list(self._rows()), audience="programs")]

    # ── charts ────────────────────────────────────────────────────────────────────────────────

    def _charts(self) -> list[Picture]:
        """After Nowak 2011: Figures 8.2, 9.2 (trees), 7.8, 9.3 (runs), 9.4 and 9.5 (items)."""
        drawn: Mapping[Part, Callable[[], Iterator[Picture]]]
        drawn = {"dendrogram": self._trees, "systems": self._matrix, "items": self._item_dots}
        return [picture for part in self.drawn for picture in drawn[part]()]

    def _trees(self) -> Iterator[Drawing]:
        runs = several(len(self.field.systems), "run")
        trees = {f"Rankings of {runs}": self.clusters()}
        if self.items is not None:
            of_items = clustered(self.items.measures, self.items.mean)
            trees[f"Rankings of {self.terms.items}, mean over {runs}"] = of_items
        for title, (measures, merges) in trees.items():
            if merges:
                spec = _dendrogram(list(map(str, measures)), merges)
                yield Drawing(spec, title, "measures that agree are joined early (mean τ)")

    def _matrix(self) -> Iterator[Drawing]:
        """All pairs of measures, below the diagonal."""
        count = len(self.measures)
        if count < 2:
            return
        side = max(50, min(200, _MATRIX // (count - 1)))
        rows = [
            {"hconcat": [self._panel(row, column, side) for column in range(row)], "spacing": 12}
            for row in range(1, count)
        ]
        scores = self.field.scores(self.field.runs)
        values = [
            {"run": run, "kind": self.field.kind(run)}
            | {f"m{i}": score for i, score in enumerate(column.tolist())}
            for run, column in zip(self.field.runs, scores.T, strict=True)
        ]
        spec = {"data": {"values": values}, "vconcat": rows, "spacing": 12}
        yield Drawing(
            spec,
            "Runs by pairs of measures",
            "losses are drawn downwards, so that the better is always at the top right",
        )

    def _panel(self, row: int, column: int, side: int) -> dict[str, Any]:
        def axis(index: int, *, labelled: bool) -> dict[str, Any]:
            measure = self.measures[index]
            return {
                "field": f"m{index}",
                "type": "quantitative",
                "title": str(measure) if labelled else None,
                "scale": {"zero": False, "reverse": measure.traits.better == "lower"},
                "axis": {"tickCount": 3, "labels": labelled, "titleFontSize": 10},
            }

        kinds = [kind for kind in KINDS if kind in map(self.field.kind, self.field.runs)]
        kind = {"field": "kind", "type": "nominal", "title": None, "scale": {"domain": kinds}}
        names = {f"m{i}": str(self.measures[i]) for i in (column, row)}
        tooltip = [
            {"field": name, "type": "quantitative", "title": title} for name, title in names.items()
        ]
        return {
            "width": side,
            "height": side,
            "mark": {
                "type": "point",
                "filled": True,
                "size": 18 if side < 120 else 34,
                "opacity": 0.8,
            },
            "encoding": {
                "x": axis(column, labelled=row == len(self.measures) - 1),
                "y": axis(row, labelled=column == 0),
                "color": kind,
                "shape": kind,
                "tooltip": [{"field": "run", "type": "nominal"}, *tooltip],
            },
        }

    def _item_dots(self) -> Iterator[Chart]:
        """The scores of all items by the first two example-based measures, a panel for each run."""
        assert self.items is not None
        first, second = self.items.measures[:2]
        runs = self.field.systems[:_SHOWN]
        rows: list[dict[str, Any]] = []
        for run in runs:
            x, y = (self.field.evaluation.units(run, m) for m in (first, second))
            defined = ~np.isnan(x) & ~np.isnan(y)
            spots, counts = np.unique(
                np.column_stack([_rounded(x[defined]), _rounded(y[defined])]),
                axis=0,
                return_counts=True,
            )
            rows += [
                {"run": run, str(first): a, str(second): b, "items": count}
                for (a, b), count in zip(spots.tolist(), counts.tolist(), strict=True)
            ]
        yield Chart(
            kind="dots",
            rows=rows,
            x=_unit_axis(first),
            y=_unit_axis(second),
            size="items",
            panels="run",
            title=f"{self.terms.items.capitalize()} by two measures",
            subtitle=f"{several(len(runs), 'run')}; larger dots are several {self.terms.items}",
            tooltip=(str(first), str(second), "items"),
        )


def clustered(
    measures: Sequence[Measure], coefficients: Floats
) -> tuple[tuple[Measure, ...], tuple[Merge, ...]]:
    """Measures that have coefficients with themselves and all such, and how they merge."""
    # A measure that ties all runs, or nearly all, has none with itself or with some other.
    defined = [i for i in range(len(measures)) if not np.isnan(coefficients[i, i])]
    square_of_defined = coefficients[np.ix_(defined, defined)]
    return tuple(measures[i] for i in defined), average_linkage(
        np.where(np.isnan(square_of_defined), 1.0, 1.0 - square_of_defined)
    )


@of_inputs
def correlate(
    truth: Truth | Collection,
    runs: Run | Iterable[Run],
    measures: Measures = None,
    *,
    percentages: Sequence[int] = RANDOM_PERCENTAGES,
    coefficient: Annotated[Coefficient, Option(name="show")] = "tau",
    items: Annotated[bool, Option()] = True,
    draw: Annotated[Sequence[Part], Option(needs=("picture", "html", "save", "output"))] = (),
    resamples: int = 2000,
    seed: Seed = 0,
    progress: Progress = silent,
    **options: Any,
) -> MeasureCorrelation:
    """Correlate the rankings of systems, and of items, by all pairs of measures.

    Items are ranked by example-based measures, within each run; the mean over runs is shown.
    Intervals of τ are bootstrapped over runs. Random runs and the perfect one are drawn, not
    correlated.

    percentages  of random runs, which are scored to be drawn
    coefficient  What the table of systems shows; JSON and CSV hold all.
    items        Rank the items of each run as well, which takes longest.
    draw         What charts show, may be repeated: a tree of measures, runs by pairs of measures,
                 items by the first two example-based ones; default: the first two.
    options      of `evaluate`: ontology=, costs=, relatedness=, agreement=, missing=, extra=
    """
    require_draws("resamples", resamples)
    everything = as_runs(runs)
    field = scored_field(
        *(truth, everything, measures),
        usual=(*RANKINGS, *DECISIONS),
        percentages=percentages,
        seed=seed,
        progress=progress,
        **options,
    )
    require_systems(field.systems, 3)
    merits = field.merits(field.systems)
    rankings = _item_rankings(field, progress, resamples, seed) if items else None
    if "items" in draw and rankings is None:
        raise InputError(
            "items are drawn by two example-based measures",
            mend="rank items by two of them, such as example.RP and SRP",
            parameter="draw",
        )
    return MeasureCorrelation(
        field,
        {name: _pairs(merits, function) for name, function in COEFFICIENTS.items()},
        tau_intervals(merits, resamples=resamples, seed=seed),
        _pairs(merits, rank_shift),
        rankings,
        coefficient,
        tuple(draw) or ("dendrogram", "systems"),
        (*reference_remarks(everything), *field.warnings),
    )


def _pairs(merits: Floats, function: Correlation) -> Floats:
    """(M, M): a coefficient of all pairs; NaN where a measure is undefined."""
    count = len(merits)
    out = np.full((count, count), np.nan)
    defined = np.flatnonzero(~np.isnan(merits).any(axis=1))
    for i in defined:
        for j in defined[defined <= i]:
            with np.errstate(invalid="ignore"):  # infinite scores have ranks, but no Pearson's r
                out[i, j] = out[j, i] = function(merits[i], merits[j])
    return out


def _item_rankings(
    field: Field, progress: Progress, resamples: int, seed: int
) -> ItemRankings | None:
    measures = tuple(m for m in field.measures if m.traits.direction == "example")
    if len(measures) < 2:
        return None
    by_run = []
    with progress("ranking items", len(field.systems)) as step:
        for run in field.systems:
            units = [sign(m) * field.evaluation.units(run, m) for m in measures]
            by_run.append(item_taus(np.array(units)))
            step(1)
    taus = np.array(by_run)
    return ItemRankings(measures, taus, mean_intervals(taus, resamples=resamples, seed=seed))


# ── drawings ──────────────────────────────────────────────────────────────────────────────────


def _dendrogram(names: Sequence[str], merges: Sequence[Merge]) -> dict[str, Any]:
    """A tree that lies on its side, leaves on the left."""
    order, lines = _branches(len(names), merges)
    labels = json.dumps([names[leaf] for leaf in order])
    farthest = max(merge.distance for merge in merges) * 1.03 or 1.0
    return {
        "width": 560,
        "height": 22 * len(names),
        "data": {"values": lines},
        "mark": {"type": "rule", "strokeWidth": 1.6, "strokeCap": "round"},
        "encoding": {
            "x": {
                "field": "x",
                "type": "quantitative",
                "title": "1 − τ",
                "scale": {"domain": [0, farthest]},
                "axis": {"grid": False, "labelFlush": False},
            },
            "x2": {"field": "to_x"},
            "y": {
                "field": "y",
                "type": "quantitative",
                "title": None,
                "scale": {"domain": [len(names) - 0.5, -0.5], "nice": False, "zero": False},
                "axis": {
                    "values": list(range(len(names))),
                    "labelExpr": f"{labels}[datum.value]",
                    "labelLimit": 240,
                    "grid": False,
                },
            },
            "y2": {"field": "to_y"},
            "tooltip": [{"field": "tau", "type": "quantitative", "title": "mean τ"}],
        },
    }


def _branches(count: int, merges: Sequence[Merge]) -> tuple[list[int], list[dict[str, float]]]:
    """Leaves from the top, and the lines between leaves and merges."""
    members: dict[int, list[int]] = {leaf: [leaf] for leaf in range(count)}
    for number, merge in enumerate(merges, start=count):
        members[number] = members[merge.left] + members[merge.right]
    order = members[count + len(merges) - 1]
    distances = [0.0] * count + [merge.distance for merge in merges]
    heights = [0.0] * (count + len(merges))
    for row, leaf in enumerate(order):
        heights[leaf] = float(row)
    lines = []
    for number, merge in enumerate(merges, start=count):
        ends = heights[merge.left], heights[merge.right]
        heights[number] = sum(ends) / 2
        to = {"to_x": merge.distance, "tau": 1 - merge.distance}
        lines += [
            {"x": distances[child], "y": end, "to_y": end} | to
            for child, end in zip((merge.left, merge.right), ends, strict=True)
        ]
        lines.append({"x": merge.distance, "y": ends[0], "to_y": ends[1]} | to)
    return order, lines


def _unit_axis(measure: Measure) -> Axis:
    bounded = all(map(math.isfinite, measure.traits.range))
    name = str(measure)
    return Axis(name, name, domain=measure.traits.range if bounded else None)


def _rounded(values: Floats) -> Floats:
    reach = float(np.ptp(values)) if len(values) else 0.0
    step = (reach or 1.0) / _SPOTS
    return np.asarray(np.round(values / step) * step)
