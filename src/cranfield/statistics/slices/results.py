"""Scores of slices: the score of each, its interval, and how it differs from the rest."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cranfield.caching import cached_property
from cranfield.core.chart import Axis, Chart
from cranfield.core.notes import gathered
from cranfield.core.result import Analysis
from cranfield.core.table import Column, Row, Table
from cranfield.core.terms import Terms
from cranfield.core.truth import Truth
from cranfield.errors import InputError, several
from cranfield.measures import Measure
from cranfield.measures.reported import measure_among
from cranfield.statistics.score_results import arrow
from cranfield.statistics.slices.cutting import Kind

if TYPE_CHECKING:
    import polars


@dataclass(frozen=True)
class SliceScore:
    """What one measure says of one run on one slice."""

    run: str
    measure: Measure
    attribute: str
    slice: str
    kind: Kind
    items: int
    concepts: int
    positives: int
    """Positive cells."""
    score: float
    low: float
    """NaN where items that all have one value say nothing of others."""
    high: float
    rest: float
    """The score of everything else."""
    difference: float
    """Slice less rest, over the concepts that both have a score for."""
    p: float
    """Of the difference by itself; NaN where there is none, or nothing to tell it from."""
    adjusted: float
    """For all slices and measures of the run."""
    worst: bool
    """Of its attribute."""
    notes: tuple[str, ...]
    signature: str

    def row(self) -> dict[str, Any]:
        """A plain record."""
        numbers = ("score", "low", "high", "rest", "difference", "p", "adjusted")
        return {
            "run": self.run,
            "measure": str(self.measure),
            "attribute": self.attribute,
            "slice": self.slice,
            "kind": self.kind,
            "items": self.items,
            "concepts": self.concepts,
            "positives": self.positives,
            **{name: getattr(self, name) for name in numbers},
            "worst": self.worst,
            "notes": "; ".join(self.notes),
            "signature": self.signature,
        }


@dataclass(frozen=True)
class Choices:
    """How slices were tested."""

    level: float
    samples: int
    seed: int
    bins: int


_ALPHA = 0.05
_WORST, _DIFFERS = "▾", "*"
_TESTS = {
    "items": "each slice of {items} compared with random sets of as many {items}",
    "clusters": "each slice of {items} compared with the rest by bootstrap over their clusters",
    "concepts": "each slice of {concepts} compared with the rest by bootstrap over {items}",
}


class Slices(Analysis):
    """Scores by run, measure, attribute and slice: found["system", "concept.AP", "site", "Oslo"].

    Slices of an attribute are in the order of their values.
    """

    title = "Scores on slices"

    def __init__(self, results: Iterable[SliceScore], truth: Truth, choices: Choices) -> None:
        self.results = tuple(results)
        self.truth = truth
        self.choices = choices

    @property
    def terms(self) -> Terms:
        return self.truth.terms

    def __iter__(self) -> Iterator[SliceScore]:
        return iter(self.results)

    def __len__(self) -> int:
        return len(self.results)

    @cached_property
    def runs(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(score.run for score in self))

    @cached_property
    def measures(self) -> tuple[Measure, ...]:
        return tuple(dict.fromkeys(score.measure for score in self))

    @cached_property
    def attributes(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(score.attribute for score in self))

    def of(self, run: str, spelling: str | Measure, attribute: str) -> tuple[SliceScore, ...]:
        """All slices of an attribute, by run and measure."""
        wanted = measure_among(spelling, self.measures, self.truth)
        key = (run, wanted, attribute)
        found = tuple(score for score in self if (score.run, score.measure, score.attribute) == key)
        if not found:
            raise InputError(
                f"there are no slices of run {run!r} by {wanted} and {attribute!r}; runs: "
                f"{', '.join(self.runs)}; measures: {', '.join(map(str, self.measures))}; "
                f"attributes: {', '.join(self.attributes)}"
            )
        return found

    def __getitem__(self, key: tuple[str, str | Measure, str, str]) -> SliceScore:
        if not isinstance(key, tuple) or len(key) != 4:
            raise InputError("look slices up as found[run, measure, attribute, slice]")
        among = self.of(*key[:3])
        found = next((score for score in among if score.slice == key[3]), None)
        if found is None:
            there = ", ".join(score.slice for score in among)
            raise InputError(f"there is no slice {key[3]!r} of {key[2]}; slices: {there}")
        return found

    def worst(self, run: str, spelling: str | Measure, attribute: str) -> SliceScore | None:
        """The worst slice of an attribute; None where none has a score, or there is only one."""
        return next((score for score in self.of(run, spelling, attribute) if score.worst), None)

    def significant(self, alpha: float = 0.05) -> tuple[SliceScore, ...]:
        """Slices that differ from the rest, corrected for all slices and measures of the run."""
        return tuple(score for score in self if score.adjusted < alpha)

    @cached_property
    def frame(self) -> polars.DataFrame:
        """Polars: a row for each run, measure and slice."""
        import polars

        return polars.DataFrame(self.rows(), infer_schema_length=None)

    def _facts(self) -> dict[str, Any]:
        return {"slices": [score.row() for score in self]}

    def _tables(self) -> list[Table]:
        """For each run and measure its slices."""
        return [
            Table("slices", [score.row() for score in self], audience="programs"),
            *(self._table(run, measure) for run in self.runs for measure in self.measures),
        ]

    def _table(self, run: str, measure: Measure) -> Table:
        columns = (
            Column("attribute", key=True),
            Column("slice", key=True),
            Column("_size", "size"),
            Column("score", digits=4, interval=("low", "high"), mark="_worst"),
            Column("difference", "− rest", digits=4, mark="_differs"),
            Column("adjusted", "p", digits=4, kind="p"),
        )
        scores = [s for s in self if (s.run, s.measure) == (run, measure)]
        return Table(
            f"slices-{run}-{measure}",
            [_row(score, self.truth.terms) for score in scores],
            columns,
            title=f"{run} · {measure}{arrow(measure)}",
            audience="people",
            section="attribute",
            emphasis="_emphasis",
        )

    def _remarks(self) -> list[str]:
        """What was done, and what scores note, once."""
        clustered = self.truth.clusters is not None
        kinds = {"clusters" if clustered and s.kind == "items" else s.kind for s in self}
        chosen = self.choices
        tests = "; ".join(words for kind, words in _TESTS.items() if kind in kinds)
        tests = tests.format(**self.terms.to_dict())
        scores = several(len(self) // max(1, len(self.runs)), "score")
        remarks = [
            f"{100 * chosen.level:.4g} % confidence intervals over {self.terms.items}; {_WORST} "
            f"worst of its attribute; {_DIFFERS} differs from the rest (adjusted p < {_ALPHA:g})",
            f"p: {tests}; {chosen.samples} resamples, seed {chosen.seed}; adjusted by max-T for "
            f"{scores} of each run",
        ]
        if any(score.measure.name == "concept.AP" for score in self):
            remarks.append(
                "AP grows with the share of positives; concept.AP_at_prevalence is comparable "
                "across slices"
            )
        notes = gathered(((n, score) for score in self for n in score.notes), self.terms)
        return remarks + [f"{note} ({_where(scores)})" for note, scores in notes]

    def _charts(self) -> list[Chart]:
        """A chart for each measure; slices are rows, runs colours."""
        return [
            Chart(
                kind="ranges",
                rows=[_drawn(s) for s in self if s.measure == m and math.isfinite(s.score)],
                x=Axis("score", str(m)),
                y=Axis("slice", scale="names"),
                series="run",
                order=self.runs,
                ends=("low", "high"),
                tick="rest",
                tooltip=("slice", "run", "score", "low", "high", "rest", "items", "concepts",
                         "adjusted"),
                title=f"{m}{arrow(m)}",
                subtitle=f"{100 * self.choices.level:.4g} % confidence intervals over "
                f"{self.terms.items}; tick: the rest",
            )
            for m in self.measures
        ]  # fmt: skip


def _row(score: SliceScore, terms: Terms) -> Row:
    differs = score.adjusted < _ALPHA
    members = getattr(score, score.kind)
    noun = score.kind if members != 1 else score.kind.removesuffix("s")
    marks = {
        "_size": f"{members:,} {getattr(terms, noun)}",
        "_worst": _WORST if score.worst else "",
        "_differs": _DIFFERS if differs else "",
        "_emphasis": "strong" if score.worst else "",
    }
    return score.row() | marks


def _drawn(score: SliceScore) -> Row:
    """A mark of the chart; an interval of which nothing is known has the length 0."""
    ends = {name: getattr(score, name) for name in ("low", "high", "rest")}
    known = {name: end if math.isfinite(end) else score.score for name, end in ends.items()}
    return {
        "slice": f"{score.attribute}: {score.slice}",
        "run": score.run,
        "score": score.score,
        **known,
        "items": score.items,
        "concepts": score.concepts,
        "adjusted": score.adjusted,
    }


def _where(scores: Sequence[SliceScore]) -> str:
    slices = list(dict.fromkeys(f"{score.attribute} {score.slice}" for score in scores))
    shown = ", ".join(slices[:3])
    return shown if len(slices) <= 3 else f"{shown} and {len(slices) - 3} more"
