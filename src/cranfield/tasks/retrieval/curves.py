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
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from cranfield.caching import cached_property
from cranfield.collections.collection import Collection
from cranfield.collections.comparison import Comparison, Direction
from cranfield.collections.extra_items import covering
from cranfield.collections.ranked_lists import Ordered
from cranfield.core.aligned import Topics
from cranfield.core.axes import Extra, Missing, require_ordered
from cranfield.core.matrices import Bools, Floats, Ints
from cranfield.core.run import Run
from cranfield.core.truth import Truth, Unjudged
from cranfield.engine.local import as_runs
from cranfield.errors import InputError, first_ten, several
from cranfield.kernels import TIES_OF, Statistic
from cranfield.measures.concept_sets import fallout, precision, recall
from cranfield.measures.declare import ratio

if TYPE_CHECKING:
    import polars

Average = Literal["none", "pooled", "ranks", "recall"]
Ties = Literal["grouped", "expected", "best", "worst", "trec"]

_DEEPEST = 1000
"""The last rank to average at, unless ranks are given."""
_STEP = 5


@dataclass(frozen=True)
class Operating:
    """Where on its curve a run stands with the decisions it has made."""

    precision: float
    """NaN where it assigned nothing."""
    recall: float
    fallout: float
    """NaN without negatives."""


@dataclass(frozen=True, eq=False)
class Curve:
    """One curve; every array has an entry for each point, in the order of the ranked list."""

    run: str
    concept: str | None
    """None: all concepts, together or on average."""
    concepts: int
    """How many concepts it is made of."""
    precision: Floats
    recall: Floats
    rank: Ints | None = None
    """Cells down to the point; None where levels of recall are averaged at."""
    threshold: Floats | None = None
    """The score of the last cell down to the point; None for averages."""
    fallout: Floats | None = None
    """Share of the negatives down to the point, NaN without any; None for averages."""
    operating: Operating | None = None
    """None for averages, and where the run has made no decisions."""

    @cached_property
    def interpolated(self) -> Floats:
        """At each point the best precision at its recall or more."""
        best = np.maximum.accumulate(self.precision[::-1])[::-1]
        return best[np.searchsorted(self.recall, self.recall)]

    @property
    def roc(self) -> tuple[Floats, Floats]:
        """Fallout and recall from (0, 0) to (1, 1); what was not retrieved is one tie at the end.
        Empty where there are no negatives."""
        if self.fallout is None or np.isnan(self.fallout).any():
            return np.zeros(0), np.zeros(0)
        return np.r_[0.0, self.fallout, 1.0], np.r_[0.0, self.recall, 1.0]

    def rows(self, places: Ints | None = None) -> Iterator[dict[str, Any]]:
        """One plain record for each point, or for some of them; what is undefined is None."""
        wanted = slice(None) if places is None else places
        columns: dict[str, Any] = {
            "rank": self.rank,
            "threshold": self.threshold,
            "precision": self.precision,
            "recall": self.recall,
            "interpolated": None if self.threshold is None else self.interpolated,
            "fallout": self.fallout,
        }
        there = {
            name: values[wanted].tolist() for name, values in columns.items() if values is not None
        }
        single = {} if self.concept is None else {"concept": self.concept}
        for values in zip(*there.values(), strict=True):
            yield {
                "run": self.run,
                **single,
                **{n: None if v != v else v for n, v in zip(there, values, strict=True)},
            }


@dataclass(frozen=True, eq=False)
class Curves(Sequence[Curve]):
    """Curves of one or several runs."""

    curves: tuple[Curve, ...]
    average: Average
    ties: str
    notes: tuple[str, ...] = ()

    def __getitem__(self, place: Any) -> Any:
        return self.curves[place]

    def __len__(self) -> int:
        return len(self.curves)

    def rows(self) -> Iterator[dict[str, Any]]:
        """One plain record for each point of each curve."""
        for curve in self.curves:
            yield from curve.rows()

    @cached_property
    def frame(self) -> polars.DataFrame:
        """Polars: run, concept, rank, threshold, precision, recall, interpolated, fallout; of
        averages only what can be averaged."""
        import polars

        return polars.DataFrame(list(self.rows()), infer_schema_length=None)

    def __repr__(self) -> str:
        return f"Curves({several(len(self), 'curve')}, average={self.average}, ties={self.ties})"


def curves(
    truth: Truth | Collection,
    runs: Run | Iterable[Run],
    concepts: str | Iterable[str] | None = None,
    *,
    average: Average = "none",
    ties: Ties | None = None,
    ranks: Iterable[int] | None = None,
    levels: int | Iterable[float] = 11,
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
    unjudged, missing, extra, topics  as for `evaluate`
    """
    if average not in get_args(Average):
        raise InputError(f"average={average!r}; choose {', '.join(map(repr, get_args(Average)))}")
    if average == "pooled" and concepts is not None:
        raise InputError("average='pooled' takes the cells of all concepts; leave concepts= out")
    rule = _rule(average, ties)
    plain = truth.truth if isinstance(truth, Collection) else truth
    found: list[Curve] = []
    notes: dict[str, None] = {}
    for run in covering(truth, as_runs(runs), extra):
        comparison = Comparison(plain, run, unjudged=unjudged, missing=missing, topics=topics)
        places = _places(comparison, concepts)
        undefined = [
            comparison.truth.concepts[place]
            for place in places
            if not comparison.totals("concept").positives[place]
        ]
        if undefined:
            notes[f"without positives, so without a curve: {first_ten(undefined)}"] = None
        match average:
            case "none":
                found += _of_concepts(comparison, places, rule)
            case "pooled":
                found += _pooled(comparison, rule)
            case "ranks":
                found.append(_at_ranks(comparison, places, rule, ranks))
            case "recall":
                found.append(_at_recall(comparison, places, rule, _as_levels(levels)))
    return Curves(tuple(found), average, rule, tuple(notes))


def _rule(average: Average, ties: Ties | None) -> str:
    """The rule for ties that is in force."""
    statistic, usual = ("P@", "expected") if average == "ranks" else ("P_at_recall", "grouped")
    offered = (*TIES_OF[statistic], "trec")
    if ties is not None and ties not in offered:
        raise InputError(
            f"ties={ties!r} is not for average={average!r}; choose {', '.join(map(repr, offered))}"
        )
    return ties or usual


def _places(comparison: Comparison, wanted: str | Iterable[str] | None) -> list[int]:
    axis = comparison.truth.concept_axis
    if wanted is None:
        return list(range(axis.size))
    require_ordered("concepts=", wanted)
    names = [wanted] if isinstance(wanted, str) else [str(name) for name in wanted]
    unknown = [name for name in names if name not in axis.positions]
    if unknown:
        raise InputError(
            f"there is no concept {first_ten(unknown)}; concepts: {first_ten(axis.names)}"
        )
    return [axis.positions[name] for name in names]


def _as_levels(given: int | Iterable[float]) -> list[float]:
    if isinstance(given, int):
        if given < 2:
            raise InputError(f"levels={given}; give at least 2, for a recall of 0 and of 1")
        return [step / (given - 1) for step in range(given)]
    listed = [float(level) for level in given]
    if not listed or not all(0 <= level <= 1 for level in listed):
        raise InputError(f"levels={listed}; give levels of recall from 0 to 1")
    return sorted(set(listed))


# ── point by point ────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class _Points:
    """The points of several lists, one after the other."""

    owner: Ints
    rank: Ints
    relevant: Ints
    threshold: Floats

    @classmethod
    def of(cls, comparison: Comparison, direction: Direction, ties: str) -> _Points:
        listed = comparison.listed(direction)
        labels = comparison.told(direction, "matrix").astype(np.bool_)
        lengths = np.diff(listed.offsets)
        owner = np.repeat(np.arange(len(lengths)), lengths)
        # Lists stay one after the other, so the owners of the ordered cells are these again.
        order = np.lexsort((labels if ties == "worst" else ~labels, -listed.scores, owner))
        first = listed.offsets[:-1][owner]
        rank = np.arange(len(owner)) - first + 1
        scores = listed.scores[order].astype(np.float64)
        hits = labels[order]
        if ties == "trec":
            hits = np.zeros(len(owner), dtype=np.bool_)
            hits[_relevant_places(comparison, direction, labels)] = True
        found = np.concatenate([[0], np.cumsum(hits)])
        relevant = found[first + rank] - found[first]
        ends = np.ones(len(owner), dtype=np.bool_)
        if ties == "grouped":
            ends[:-1] = (scores[1:] != scores[:-1]) | (owner[1:] != owner[:-1])
        return cls(owner[ends], rank[ends], relevant[ends], scores[ends])

    def curve(self, comparison: Comparison, direction: Direction, place: int) -> Curve:
        """The curve of one list."""
        first, last = np.searchsorted(self.owner, (place, place + 1))
        rank, relevant = self.rank[first:last], self.relevant[first:last]
        totals = comparison.totals(direction)
        positives, negatives = (np.full(len(rank), side[place]) for side in totals)
        pooled = direction == "micro"
        return Curve(
            run=comparison.run.name,
            concept=None if pooled else comparison.truth.concepts[place],
            concepts=comparison.truth.shape[1] if pooled else 1,
            precision=ratio(relevant, rank),
            recall=ratio(relevant, positives),
            rank=rank,
            threshold=self.threshold[first:last],
            fallout=ratio(rank - relevant, negatives),
            operating=_operating(comparison, direction, place),
        )


def _relevant_places(comparison: Comparison, direction: Direction, labels: Bools) -> Ints:
    """Where the relevant cells stand among all, lists one after the other, if ids break ties."""
    offsets = comparison.listed(direction).offsets
    places = []

    def look(block: Ordered) -> Floats:
        hit = labels[block.cells]
        places.append(offsets[block.lists.start + block.owner[hit]] + block.end[hit] - 1)
        return np.zeros(len(block))

    comparison.by_list(direction, "trec", look)
    return np.concatenate(places) if places else np.zeros(0, dtype=np.int64)


def _of_concepts(comparison: Comparison, places: list[int], ties: str) -> list[Curve]:
    positives = comparison.totals("concept").positives
    points = _Points.of(comparison, "concept", ties)
    return [points.curve(comparison, "concept", place) for place in places if positives[place]]


def _pooled(comparison: Comparison, ties: str) -> list[Curve]:
    if not comparison.totals("micro").positives[0]:
        return []
    return [_Points.of(comparison, "micro", ties).curve(comparison, "micro", 0)]


def _operating(comparison: Comparison, direction: Direction, place: int) -> Operating | None:
    run = comparison.run
    if run.labels is None:
        try:
            run.cut  # noqa: B018 - asked for the error it may raise
        except InputError:
            return None
    counts = comparison.counts(direction)
    values = (float(rate(counts)[place]) for rate in (precision, recall, fallout))
    return Operating(*values)


# ── averages over concepts ────────────────────────────────────────────────────────────────────


def _at_ranks(
    comparison: Comparison, places: list[int], ties: str, ranks: Iterable[int] | None
) -> Curve:
    longest = int(np.diff(comparison.listed("concept").offsets).max(initial=0))
    usual = range(_STEP, max(min(longest, _DEEPEST), _STEP) + 1, _STEP)
    listed = list(usual) if ranks is None else sorted({int(rank) for rank in ranks})
    if not listed or listed[0] < 1:
        raise InputError(f"ranks={listed}; give whole numbers from 1")
    wanted = {name: [Statistic(name, ties, k) for k in listed] for name in ("P@", "R@")}
    means = _means(comparison, places, [*wanted["P@"], *wanted["R@"]])
    return Curve(
        comparison.run.name,
        None,
        _defined(comparison, places),
        precision=means[: len(listed)],
        recall=means[len(listed) :],
        rank=np.array(listed),
    )


def _at_recall(comparison: Comparison, places: list[int], ties: str, levels: list[float]) -> Curve:
    wanted = [Statistic("P_at_recall", ties, parameter=level) for level in levels]
    return Curve(
        comparison.run.name,
        None,
        _defined(comparison, places),
        precision=_means(comparison, places, wanted),
        recall=np.array(levels),
    )


def _means(comparison: Comparison, places: list[int], wanted: list[Statistic]) -> Floats:
    """The mean of each statistic over the concepts that have positives."""
    comparison.prepare("concept", wanted)
    kept = [place for place in places if comparison.totals("concept").positives[place]]
    if not kept:
        return np.full(len(wanted), np.nan)
    return np.array([comparison.ranking("concept", one)[kept].mean() for one in wanted])


def _defined(comparison: Comparison, places: list[int]) -> int:
    return int(np.count_nonzero(comparison.totals("concept").positives[places]))
