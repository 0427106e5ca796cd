"""Curves of ranked lists: precision and recall rank by rank, and the ROC curve.

Conventions
    A point for each rank, or for each score where cells tie (`ties=grouped`: all cells of a score
    enter at once; best, worst and trec order them). Interpolated precision is the best one at that
    recall or more, which makes the curve a staircase. Cells that a sparse run does not mention are
    on no curve; recall and fallout count them all the same.

    Averages over concepts (Weber §1.4): *ranks* averages precision and recall of the first 5, 10,
    15, … cells, which outliers sway; *recall* averages the interpolated precision at fixed levels
    of recall, 0 where a run never gets there; a level asks for ⌈level·R⌉ of R relevant cells, as
    trec_eval 9 does (10 rounds instead). *pooled* is no average but one list of all cells.
    Concepts without positives have no recall; they are left out, and notes say so.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal, get_args

import numpy as np

from cranfield.collections.collection import Collection
from cranfield.collections.comparison import Comparison
from cranfield.collections.extra_items import covering, left_out_remarks
from cranfield.collections.readings import as_runs
from cranfield.core.aligned import Topics
from cranfield.core.axes import Extra, Missing, require_ordered
from cranfield.core.chart import Axis, Chart
from cranfield.core.matrices import Bools, Floats
from cranfield.core.result import Analysis
from cranfield.core.run import Run
from cranfield.core.table import Column, Table
from cranfield.core.terms import CONCEPTS, Terms
from cranfield.core.truth import Truth, Unjudged
from cranfield.engine.direct_calls import of_inputs
from cranfield.errors import InputError, first_ten, no_such_concept, several
from cranfield.kernels import TIES_OF
from cranfield.tasks.retrieval.curve_points import (
    Curve,
    curves_of_concepts,
    mean_at_ranks,
    mean_at_recall,
    pooled_curve,
)

Average = Literal["none", "pooled", "ranks", "recall"]
Ties = Literal["grouped", "expected", "best", "worst", "trec"]
Kind = Literal["pr", "roc"]

_SHOWN = 40
"""Points of a curve that tables for people show."""
_PANELS = 24
"""Concepts that are drawn, each in a panel."""
_SPOTS = 880
"""Spots of a side of a chart; points that fall on the same spot are drawn once."""
_AVERAGES = {
    "pooled": "all cells as one list",
    "ranks": "mean over {} of precision and recall at ranks",
    "recall": "mean over {} of the best precision at each recall or more",
}


@dataclass(frozen=True, eq=False, repr=False)
class Curves(Analysis, Sequence[Curve]):
    """Curves of one or several runs."""

    title = "Precision and recall"

    curves: tuple[Curve, ...]
    average: Average
    ties: str
    notes: tuple[str, ...] = ()
    kind: Kind = "pr"
    """What charts show: precision against recall, or recall against fallout."""
    interpolated: bool = False
    """Whether charts show staircases of interpolated precision."""
    warnings: tuple[str, ...] = ()
    """What readers should know about the runs."""
    marked: str = ""
    """What the marks on the curves are, in words; default: the decisions of runs."""
    terms: Terms = CONCEPTS

    def __getitem__(self, index: Any) -> Any:
        return self.curves[index]

    def __len__(self) -> int:
        return len(self.curves)

    def _facts(self) -> dict[str, Any]:
        """Every curve with its points, and where the run stands on it."""
        return {
            "average": self.average,
            "ties": self.ties,
            "curves": [_record(curve) for curve in self.curves],
            "notes": list(self.notes),
        }

    def _tables(self) -> list[Table]:
        rows = [row for curve in self.curves for row in curve.rows()]
        names = ("run", "precision", "recall")
        points = Table(
            "points", rows, () if rows else tuple(map(Column, names)), audience="programs"
        )
        if self.average in ("ranks", "recall"):
            return [self._averages(), points] if self.curves else [points]
        return [*map(_points_table, self.curves), points]

    def _averages(self) -> Table:
        """A row for each rank or level of recall, columns for each run."""
        down = self.average.removesuffix("s")
        lines: dict[str, dict[str, Any]] = {}
        columns = [Column(down, key=True, align="right")]
        for curve in self.curves:
            values = {"precision": curve.precision}
            if curve.rank is not None:
                values["recall"] = curve.recall
            for name, column in values.items():
                field = f"{curve.run} {name}"
                columns.append(Column(field, name, digits=4, group=curve.run))
                at = curve.recall if curve.rank is None else curve.rank
                for point, value in zip(at.tolist(), column.tolist(), strict=True):
                    lines.setdefault(f"{point:g}", {down: f"{point:g}"})[field] = value
        rows = list(lines.values())
        more = len(rows) - _SHOWN
        remarks = [f"{several(more, f'more {down}')} in CSV and JSON"] if more > 0 else []
        return Table("averages", rows[:_SHOWN], columns, remarks=remarks, audience="people")

    def _remarks(self) -> list[str]:
        means = []
        if self.average in ("ranks", "recall") and self.curves:
            means = [f"means over {self._several_concepts}"]
        return [*means, f"ties: {self.ties}", *self.notes]

    # ── charts ────────────────────────────────────────────────────────────────────────────────

    def _charts(self) -> list[Chart]:
        """All runs in one frame; those of single concepts in a panel for each concept."""
        if not self.curves:
            return []
        concepts = list(dict.fromkeys(curve.concept for curve in self.curves))
        drawn = [curve for curve in self.curves if curve.concept in concepts[:_PANELS]]
        roc = self.kind == "roc"
        title = "ROC" if roc else self.title
        if len(concepts) == 1 and concepts[0] is not None:
            title = f"{title}: {concepts[0]}"
        x = ("fallout", "false positive rate (fallout)") if roc else ("recall", "recall")
        y = ("recall", "true positive rate (recall)") if roc else ("precision", "precision")
        stairs = self.interpolated and not roc
        return [
            Chart(
                kind="lines",
                rows=[row for curve in drawn for row in self._vertices(curve, stairs=stairs)],
                x=Axis(*x, domain=(0.0, 1.0)),
                y=Axis(*y, domain=(0.0, 1.0)),
                series="run",
                order=list(dict.fromkeys(curve.run for curve in drawn)),
                along="step",
                stairs=stairs,
                dots=[row for c in drawn for row in self._vertices(c, stairs=False)]
                if stairs
                else (),
                highlights=[row for curve in drawn for row in self._operating(curve)],
                label="point" if self.marked else "",
                tooltip=self._tooltip(),
                panels="concept" if len(concepts) > 1 else "",
                diagonal=roc,
                square=True,
                title=title,
                subtitle=self._subtitle(len(concepts)),
            )
        ]

    def _subtitle(self, concepts: int) -> str:
        runs = {curve.run: None for curve in self.curves}
        # A legend names runs only where there are several.
        name = f"{next(iter(runs))}; " if len(runs) == 1 else ""
        if self.average != "none":
            average = _AVERAGES[self.average].format(self._several_concepts)
            return f"{name}{average}; ties: {self.ties}"
        words = self.terms.several(concepts, "concept")
        part = f"; the first {_PANELS} of {words}" if concepts > _PANELS else ""
        return f"{name}ties: {self.ties}{part}"

    @property
    def _several_concepts(self) -> str:
        """Of those that curves are means over."""
        return self.terms.several(max(curve.concepts for curve in self.curves), "concept")

    def _tooltip(self) -> tuple[str, ...]:
        names = ("run", "concept", "threshold", "rank", "precision", "recall", "fallout")
        row = next(self.curves[0].rows(), {})
        return tuple(name for name in names if name == "concept" or name in row)

    def _vertices(self, curve: Curve, *, stairs: bool) -> Iterator[dict[str, Any]]:
        """The points of a curve that are drawn, in their order."""
        name = {"run": curve.run, "concept": curve.concept or "all"}
        points: list[dict[str, Any]]
        if self.kind == "roc":
            fallout, recall = curve.roc
            if not len(fallout):
                return
            inner = np.flatnonzero(_distinct(fallout, recall)[1:-1])
            start, end = ({"fallout": corner, "recall": corner} for corner in (0.0, 1.0))
            points = [start, *curve.rows(inner), end]
        else:
            heights = curve.interpolated if stairs else curve.precision
            chosen = np.flatnonzero(_distinct(curve.recall, heights))
            rows = zip(curve.rows(chosen), heights[chosen].tolist(), strict=True)
            points = [row | {"precision": height} for row, height in rows]
            if stairs and points:  # the staircase begins at a recall of 0
                points.insert(0, points[0] | {"recall": 0.0})
        for step, point in enumerate(points):
            yield point | name | {"step": step}

    def _operating(self, curve: Curve) -> Iterator[dict[str, Any]]:
        if curve.operating is not None:
            name = {"run": curve.run, "concept": curve.concept or "all"}
            yield name | {"point": self.marked or "decided"} | asdict(curve.operating)


def _points_table(curve: Curve) -> Table:
    """A curve point by point, and the run's own decisions."""
    rows = [
        {name: value for name, value in row.items() if name not in ("run", "concept")}
        | {"threshold": f"{row['threshold']:.6g}"}
        for row in curve.rows()
    ]
    remarks = []
    if len(rows) > _SHOWN:
        remarks.append(f"{several(len(rows) - _SHOWN, 'more point')} in CSV and JSON")
    if curve.operating is not None:
        rates = ", ".join(
            f"{name} {'–' if value != value else f'{value:.4f}'}"
            for name, value in asdict(curve.operating).items()
        )
        remarks.append(f"with its own decisions: {rates}")
    columns = [
        Column("rank", key=True, align="right"),
        Column("threshold", align="right"),
        *(Column(name, digits=4) for name in ("precision", "recall", "interpolated", "fallout")),
    ]
    title = curve.run if curve.concept is None else f"{curve.run}: {curve.concept}"
    return Table(title, rows[:_SHOWN], columns, title=title, remarks=remarks, audience="people")


def _record(curve: Curve) -> dict[str, Any]:
    return {
        "run": curve.run,
        "concept": curve.concept,
        "concepts": curve.concepts,
        "operating": None if curve.operating is None else asdict(curve.operating),
        "points": [
            {name: value for name, value in row.items() if name not in ("run", "concept")}
            for row in curve.rows()
        ],
    }


def _distinct(x: Floats, y: Floats) -> Bools:
    """Which points to draw: those that do not fall on the spot of the one before, and the ends."""
    spots = np.round(np.stack([x, y]) * _SPOTS)
    drawn = np.ones(len(x), dtype=np.bool_)
    drawn[1:] = (np.diff(spots) != 0).any(axis=0)
    drawn[-1:] = True
    return drawn


@of_inputs
def curves(
    truth: Truth | Collection,
    runs: Run | Iterable[Run],
    concepts: str | Iterable[str] | None = None,
    *,
    average: Average = "none",
    ties: Ties | None = None,
    ranks: Iterable[int] | None = None,
    levels: int | Iterable[float] = 11,
    kind: Kind = "pr",
    interpolated: bool = False,
    unjudged: Unjudged | None = None,
    missing: Missing = "error",
    extra: Extra = "error",
    topics: Topics | None = None,
) -> Curves:
    """Precision-recall and ROC curves of runs.

    concepts  one or several; default: all
    average   "none": a curve for each concept; "pooled": one of all cells; "ranks" or
              "recall": the mean over concepts at ranks or at levels of recall
    ties      default: "grouped", and "expected" for average="ranks"
    ranks     to average at; default: 5, 10, 15, … to the end of the longest list, at most 1000
    levels    of recall to average at, or how many of them from 0 to 1
    kind      what charts show: "pr" or "roc"
    interpolated  whether charts show staircases of interpolated precision
    unjudged, missing, extra, topics  as for `evaluate`
    """
    for parameter, value, choices in (("average", average, Average), ("kind", kind, Kind)):
        if value not in get_args(choices):
            names = ", ".join(map(repr, get_args(choices)))
            raise InputError(
                f"{value!r} is none of {names}", mend="choose one of them", parameter=parameter
            )
    if average == "pooled" and concepts is not None:
        raise InputError(
            "a pooled curve takes the cells of all concepts; name none of them",
            parameter="average",
        )
    if kind == "roc" and average in ("ranks", "recall"):
        raise InputError(
            f"averages at {average} are for precision and recall; ROC curves are of single "
            "concepts (none), or pooled",
            parameter="average",
        )
    rule = _rule(average, ties)
    plain = truth.truth if isinstance(truth, Collection) else truth
    covered = covering(truth, as_runs(runs), extra)
    followed: list[Curve] = []
    notes: dict[str, None] = {}
    for run in covered:
        comparison = Comparison(plain, run, unjudged=unjudged, missing=missing, topics=topics)
        columns = _columns(comparison, concepts)
        positives = comparison.totals("concept").positives
        undefined = [comparison.truth.concepts[c] for c in columns if not positives[c]]
        if undefined:
            notes[f"without positives, so without a curve: {first_ten(undefined)}"] = None
        match average:
            case "none":
                followed += curves_of_concepts(comparison, columns, rule)
            case "pooled":
                followed += pooled_curve(comparison, rule)
            case "ranks":
                followed.append(mean_at_ranks(comparison, columns, rule, ranks))
            case "recall":
                followed.append(mean_at_recall(comparison, columns, rule, _as_levels(levels)))
    return Curves(
        tuple(followed),
        average,
        rule,
        tuple(notes),
        kind,
        interpolated,
        tuple(left_out_remarks(covered, plain.terms)),
        terms=plain.terms,
    )


def _rule(average: Average, ties: Ties | None) -> str:
    """The rule for ties that is in force."""
    statistic, usual = ("P@", "expected") if average == "ranks" else ("P_at_recall", "grouped")
    offered = (*TIES_OF[statistic], "trec")
    if ties is not None and ties not in offered:
        raise InputError(
            f"ties={ties!r} is not for average={average!r}; choose {', '.join(map(repr, offered))}"
        )
    return ties or usual


def _columns(comparison: Comparison, requested: str | Iterable[str] | None) -> list[int]:
    axis = comparison.truth.concept_axis
    if requested is None:
        return list(range(axis.size))
    require_ordered("concepts=", requested)
    names = [requested] if isinstance(requested, str) else [str(name) for name in requested]
    unknown = [name for name in names if name not in axis.positions]
    if unknown:
        raise InputError(no_such_concept(unknown, axis.names))
    return [axis.positions[name] for name in names]


def _as_levels(levels: int | Iterable[float]) -> list[float]:
    if isinstance(levels, int):
        if levels < 2:
            raise InputError(f"levels={levels}; give at least 2, for a recall of 0 and of 1")
        return [step / (levels - 1) for step in range(levels)]
    listed = [float(level) for level in levels]
    if not listed or not all(0 <= level <= 1 for level in listed):
        raise InputError(f"levels={listed}; give levels of recall from 0 to 1")
    return sorted(set(listed))
