"""Scores of confusion matrices, several systems side by side; and class by class."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from cranfield.caching import cached_property
from cranfield.core.chart import Picture
from cranfield.core.progress import Progress, silent
from cranfield.core.result import Analysis
from cranfield.core.table import Better, Column, Table
from cranfield.measures import Measure
from cranfield.tasks.classes.confusion import Confusion
from cranfield.tasks.classes.scores import confusion_measures
from cranfield.tasks.classes.uncertainty import Interval, Method

MEASURES = ("accuracy", "kappa", "F", "xi", "completeness", "false_ratio", "S_I_norm")
"""What is shown of confusion matrices, unless others are requested."""
Draw = Literal["coverage", "entropy", "classes", "heat"]
_DIGITS = 4
_HEADINGS = {"said": "predicted", "H_S_given_t": "H(S|t)", "H_T_given_s": "H(T|s)"}
_METHODS = {"dirichlet": "Dirichlet", "bootstrap": "bootstrap"}
_DERIVED = ("said", "FPR", "FNR", "FDR", "FOR", "ERR", "generality")
_COMPLEMENTS = "FPR = 1 − TNR, FNR = 1 − TPR, FDR = 1 − PPV, FOR = 1 − NPV: CSV and JSON hold them"
"""What a screen has no room for and shows all the same."""
_CORNERS = ("TPR", "TNR", "PPV", "NPV", "ACC")


@dataclass(frozen=True, eq=False)
class ConfusionScores(Analysis):
    """Systems by measures, the best by the first measure on top."""

    title = "Scores of confusion matrices"

    systems: Mapping[str, Confusion]
    measures: tuple[Measure, ...]
    intervals: Mapping[tuple[str, Measure], Interval]
    draw: Draw = "coverage"

    @cached_property
    def values(self) -> dict[tuple[str, Measure], float]:
        return {
            (name, measure): system[measure]
            for name, system in self.systems.items()
            for measure in self.measures
        }

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Best first by the first measure; undefined ones last; equals as they came."""
        if not self.measures:
            return tuple(self.systems)
        first = self.measures[0]
        sign = {"higher": -1.0, "lower": 1.0, "neither": 0.0}[first.traits.better]

        def loss(name: str) -> float:
            value = self.values[name, first]
            return math.inf if math.isnan(value) else sign * value

        return tuple(sorted(self.systems, key=loss))

    def _records(self) -> list[dict[str, Any]]:
        """One for each score."""
        records = []
        for name, system in self.systems.items():
            for measure in self.measures:
                value = self.values[name, measure]
                infinite = ["infinite"] if math.isinf(value) else []
                record = {
                    "run": name,
                    "measure": str(measure),
                    "score": value,
                    "units": int(not math.isnan(value)),
                    "skipped": int(math.isnan(value)),
                    "notes": "; ".join([*system.notes, *infinite]),
                    "signature": system.signature(measure),
                }
                interval = self.intervals.get((name, measure))
                if interval is not None:
                    fields = ("corrected", "low", "high", "level", "method", "samples")
                    record |= {field: getattr(interval, field) for field in fields}
                records.append(record)
        return records

    def _facts(self) -> dict[str, Any]:
        return {"scores": self._records()}

    def _tables(self) -> list[Table]:
        ranks = _ranks([self._merit(name) for name in self.names])
        rows = [
            {"rank": rank, "run": name}
            | {str(measure): self.values[name, measure] for measure in self.measures}
            for rank, name in zip(ranks, self.names, strict=True)
        ]
        columns = (
            Column("rank", " ", key=True, align="right", audience="screens"),
            Column("run", key=True),
            *(_score_column(measure) for measure in self.measures),
        )
        tables = [Table("scores", rows, columns, audience="people")]
        if self.intervals:
            tables.append(self._interval_table())
        return [*tables, Table("scores", self._records(), audience="programs")]

    def _merit(self, name: str) -> float:
        if not self.measures:
            return math.nan
        sign = -1.0 if self.measures[0].traits.better == "lower" else 1.0
        return sign * self.values[name, self.measures[0]]

    def _interval_table(self) -> Table:
        rows = []
        for measure in self.measures:
            for name in self.names:
                interval = self.intervals[name, measure]
                fields = ("score", "corrected", "low", "high")
                row = {field: getattr(interval, field) for field in fields}
                rows.append({"run": name, "measure": str(measure), **row})
        columns = (
            Column("run", key=True),
            Column("measure", key=True),
            *(Column(field, digits=_DIGITS) for field in ("score", "corrected", "low", "high")),
        )
        return Table("intervals", rows, columns, audience="screens")

    def _remarks(self) -> list[str]:
        whose = {
            note: [name for name, other in self.systems.items() if note in other.notes]
            for system in self.systems.values()
            for note in system.notes
        }
        remarks = [f"{', '.join(names)}: {note}" for note, names in whose.items()]
        if self.intervals:
            interval = next(iter(self.intervals.values()))
            remarks.append(
                f"{100 * interval.level:.4g} % confidence intervals ({_METHODS[interval.method]}), "
                f"{interval.samples} samples, seed {interval.seed}; corrected: without the bias of "
                "entropies"
            )
        return remarks

    def _charts(self) -> Sequence[Picture]:
        from cranfield.tasks.classes.coverage import sample_clouds

        systems = list(self.systems.values())
        interval = next(iter(self.intervals.values()), None)
        clouds = []
        if interval is not None and self.draw == "coverage":
            clouds = sample_clouds(
                systems, method=interval.method, samples=interval.samples, seed=interval.seed
            )
        return charts_of(systems, self.draw, clouds)


def charts_of(
    systems: Sequence[Confusion], draw: Draw, clouds: Sequence[Any] = ()
) -> Sequence[Picture]:
    """Confusion matrices by their coverage of information, entropies, or as heat maps."""
    from cranfield.tasks.classes.class_charts import (
        class_entropy_charts,
        entropy_diagram,
        heat_maps,
    )
    from cranfield.tasks.classes.coverage import coverage_plot

    match draw:
        case "entropy":
            return [entropy_diagram(systems)]
        case "classes":
            return class_entropy_charts(systems)
        case "heat":
            return heat_maps(systems)
    return coverage_plot(systems, clouds=clouds)


def score_confusions(
    systems: Iterable[Confusion],
    measures: Iterable[str | Measure] = MEASURES,
    *,
    interval: Method | None = None,
    level: float = 0.95,
    samples: int = 2000,
    seed: int = 0,
    draw: Draw = "coverage",
    progress: Progress = silent,
) -> ConfusionScores:
    """Scores of several confusion matrices, with intervals where a way to draw them is named.

    interval  "dirichlet" or "bootstrap": how matrices are drawn that chance might have given
    level     share of the drawn scores in an interval
    draw      what charts show: "coverage" of information, joint "entropy", entropies of "classes",
              or the matrices ("heat")
    """
    listed = {system.name: system for system in systems}
    requested = tuple(dict.fromkeys(confusion_measures(measures)))
    intervals: dict[tuple[str, Measure], Interval] = {}
    if interval is not None:
        with progress("drawing", len(listed) * len(requested)) as step:
            for name, system in listed.items():
                for measure in requested:
                    intervals[name, measure] = system.interval(
                        measure, method=interval, level=level, samples=samples, seed=seed
                    )
                    step(1)
    return ConfusionScores(listed, requested, intervals, draw)


def _score_column(measure: Measure) -> Column:
    better: Better = "" if measure.traits.better == "neither" else measure.traits.better
    name = str(measure)
    return Column(name, name.removeprefix("confusion."), _DIGITS, better=better)


def _ranks(merits: list[float]) -> list[int | None]:
    from cranfield.engine.standings import competition_ranks

    return [None if rank != rank else int(rank) for rank in competition_ranks(merits).tolist()]


# ── class by class ────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, eq=False)
class ClassScores(Analysis):
    """Counts, rates and entropies of single classes, of each system."""

    title = "Class by class"

    systems: Sequence[Confusion]
    only: str | None = None
    """The one class to show, against all others; None = all."""
    draw: Draw = "classes"
    clouds: Callable[[], Sequence[Any]] | None = None
    """Makes what chance might have given instead, for the coverage plot."""

    def _records(self) -> list[dict[str, Any]]:
        return [
            {"run": system.name, **row}
            for system in self.systems
            for row in system.by_class().to_dicts()
            if self.only in (None, row["class"])
        ]

    def _facts(self) -> dict[str, Any]:
        return {"classes": self._records()}

    def _tables(self) -> list[Table]:
        records = self._records()
        fields = [name for name in records[0] if name not in ("run", "class")]
        columns = [Column(name, _HEADINGS.get(name, name), _DIGITS) for name in fields]
        papers = Table(
            "classes",
            records,
            [Column("run", key=True), Column("class", key=True), *columns],
            audience="papers",
        )
        screens = [
            Table(
                system.name,
                [row for row in records if row["run"] == system.name],
                [
                    Column("class", key=True),
                    *(replace(c, digits=3) for c in columns if c.field not in _DERIVED),
                ],
                title=system.name,
                remarks=[_COMPLEMENTS],
                audience="screens",
            )
            for system in self.systems
        ]
        if self.only is not None:
            screens = [_square(system, self.only) for system in self.systems]
        return [*screens, papers, Table("classes", records, audience="programs")]

    def _charts(self) -> Sequence[Picture]:
        clouds = self.clouds() if self.clouds is not None and self.draw == "coverage" else ()
        return charts_of(self.systems, self.draw, clouds)


def _square(system: Confusion, name: str) -> Table:
    """One class against the rest, with its rates at the edges as Weber §1.5 shows them."""
    pair = system.one_vs_rest(name)
    rates = pair.by_class().to_dicts()[0]
    texts = {rate: f"{rate} {_number(rates[rate])}" for rate in _CORNERS}
    rows = [
        {"true": f"true {true}", "first": _count(a), "second": _count(b), "rate": texts[rate]}
        for true, (a, b), rate in zip(pair.true, pair.counts.tolist(), ("TPR", "TNR"), strict=True)
    ]
    edge = {"true": "", "first": texts["PPV"], "second": texts["NPV"], "rate": texts["ACC"]}
    columns = (
        Column("true", " ", key=True),
        Column("first", f"predicted {pair.said[0]}", align="right"),
        Column("second", f"predicted {pair.said[1]}", align="right"),
        Column("rate", " ", align="right"),
    )
    return Table(system.name, [*rows, edge], columns, title=system.name, audience="screens")


def _count(count: float) -> str:
    return str(int(count)) if float(count).is_integer() else _number(count)


def _number(value: float | None) -> str:
    return "–" if value is None or math.isnan(value) else f"{value:.{_DIGITS}f}"
