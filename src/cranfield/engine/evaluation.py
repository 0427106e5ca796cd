"""Evaluation: the scores of runs by measures, with a score for each unit.

Frames, JSON, hashes and signatures are computed when asked for, not before.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from cranfield import kernels
from cranfield._version import __version__
from cranfield.caching import cached_property
from cranfield.collections.comparison import Comparison, Counts
from cranfield.core.aligned import Topics
from cranfield.core.axes import Missing
from cranfield.core.chart import Axis, Chart
from cranfield.core.digests import canonical_order
from cranfield.core.matrices import Floats
from cranfield.core.ownership import locked_again, read_only
from cranfield.core.result import Analysis
from cranfield.core.run import Run
from cranfield.core.table import Column, LazyRows, Row, Table
from cranfield.core.terms import Terms
from cranfield.core.truth import Truth, Unjudged
from cranfield.engine.standings import Standings, score_column, unit_names
from cranfield.errors import InputError, first_ten
from cranfield.knowledge import Known

if TYPE_CHECKING:
    import polars

    from cranfield.engine.explanations import Explanations
    from cranfield.measures import Average, Measure
    from cranfield.measures.explanation import Explanation


@dataclass(frozen=True)
class Score:
    """What one measure says of one run."""

    truth: Truth
    run: Run
    measure: Measure
    value: float
    """The (weighted) mean over units; NaN if every unit was skipped."""
    by_unit: Floats
    """One score for each item or concept; NaN = skipped. Micro measures have no unit scores."""
    units: int
    """How many units were averaged."""
    skipped: int
    notes: tuple[str, ...]
    unjudged: Unjudged
    missing: Missing
    topics: Topics | None
    known: Known
    """What was known about concepts."""
    weights: Floats | None = None
    counts: Counts | None = None
    """Micro measures of decisions: the counts of each item, for resampling."""
    influence: dict[bool, Floats] = field(default_factory=dict, repr=False, compare=False)
    """By whether it is widened: how far each item moves the score, once somebody asked."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "by_unit", read_only(self.by_unit))
        if self.weights is not None:
            object.__setattr__(self, "weights", read_only(self.weights))
        if self.counts is not None:
            object.__setattr__(self, "counts", self.counts.read_only())

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(locked_again(state))

    @property
    def conventions(self) -> dict[str, str]:
        """Every choice that the number depends on."""
        chosen = {name: str(value) for name, value in self.measure.options.items() if name != "k"}
        chosen |= {"unjudged": self.unjudged, "missing": self.missing}
        if self.topics is not None:
            chosen["topics"] = self.topics
        if self.measure.binary and self.truth.binarised:
            chosen["level"] = str(self.truth.level)
        if self.run.left_out:
            chosen["extra"] = "drop"
        if self.run.depth is not None:
            chosen["depth"] = str(self.run.depth)
        chosen |= self.measure.origins(self.known)
        if self.measure.traits.prediction == "decisions":
            chosen["decisions"] = self._decisions()
        if self.weights is not None:
            chosen["weights"] = self._weights_digest(self.weights)
        if self.measure.definition.origin is not None:
            chosen["code"] = str(self.measure.definition.origin)
        return dict(sorted(chosen.items()))

    def _decisions(self) -> str:
        if self.measure.traits.direction == "confusion" and self.truth.shape[1] > 1:
            return "one-label-else-highest"
        if self.run.labels is not None:
            return "labels"
        cut = self.run.cut
        if isinstance(cut, np.ndarray):
            return ">=by-concept" if cut.ndim == 1 else ">=by-cell"
        return f">={cut!r}"

    def _weights_digest(self, weights: Floats) -> str:
        concepts = self.measure.traits.direction == "concept"
        axis = self.truth.concept_axis if concepts else self.truth.item_axis
        ordered = weights[canonical_order(axis)]
        return hashlib.blake2b(ordered.tobytes(), digest_size=4).hexdigest()

    @property
    def signature(self) -> str:
        """Every choice, the version, and hashes of truth and run: short form."""
        return self._signature(8)

    @property
    def long_signature(self) -> str:
        """The same with whole hashes."""
        return self._signature(None)

    def _signature(self, digits: int | None) -> str:
        chosen = ",".join(f"{name}={value}" for name, value in self.conventions.items())
        name = str(self.measure).partition("(")[0]
        return (
            f"{name}({chosen})|units={self.units}|skipped={self.skipped}|cranfield={__version__}"
            f"|truth={self.truth.digest[:digits]}|run={self.run.digest[:digits]}"
        )


class Evaluation(Analysis):
    """Runs × measures.

    result["system", "concept.AP"] is a float; measures may be written in any spelling.
    """

    title = "Scores"

    def __init__(self, truth: Truth, scores: Iterable[Score]) -> None:
        self.truth = truth
        self.scores = tuple(scores)
        self._by_name = {(score.run.name, score.measure): score for score in self.scores}

    @classmethod
    def from_scores(
        cls,
        scores: Any,
        *,
        better: Literal["higher", "lower"] | Mapping[str, Literal["higher", "lower"]] = "higher",
        missing: Missing = "error",
    ) -> Evaluation:
        """The evaluation of runs that were scored elsewhere, on which all statistics work.

        scores   a frame, a mapping of columns or a list of rows with run, item, score and, where
                 there are such, measure, repeat (averaged within items) and cluster (items that
                 come together, and are resampled together); `cf.read_scores` reads files
        better   which way is better, of all measures or by measure
        missing  items that a run lacks: "error", or "absent": they count as the worst score
        """
        from cranfield.engine.local import evaluate
        from cranfield.engine.score_table import ScoreTable

        table = ScoreTable.of(scores, better=better)
        return evaluate(table.truth, table.runs, table.measures, missing=missing)

    @cached_property
    def runs(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(score.run.name for score in self.scores))

    @cached_property
    def measures(self) -> tuple[Measure, ...]:
        return tuple(dict.fromkeys(score.measure for score in self.scores))

    def score(self, run: str, spelling: str | Measure) -> Score:
        """The whole score of a run by a measure."""
        from cranfield.measures.reported import measure_among

        requested = measure_among(spelling, self.measures, self.truth)
        score = self._by_name.get((run, requested))
        score = score or self._by_either_case(run, str(requested).lower())
        if score is None:
            raise InputError(
                f"there is no score of run {run!r} by {requested}; runs: {', '.join(self.runs)}; "
                f"measures: {', '.join(map(str, self.measures))}"
            )
        return score

    def _by_either_case(self, run: str, spelling: str) -> Score | None:
        """Maps are found by their names in either case, and so are the scores that rest on them."""
        of_run = (score for score in self.scores if score.run.name == run)
        return next((score for score in of_run if str(score.measure).lower() == spelling), None)

    def __getitem__(self, key: tuple[str, str | Measure]) -> float:
        if not isinstance(key, tuple) or len(key) != 2:
            raise InputError(
                f"look scores up by run and measure, as result[run, measure]; got {key!r}"
            )
        return self.score(*key).value

    def __iter__(self) -> Iterator[Score]:
        return iter(self.scores)

    def __len__(self) -> int:
        return len(self.scores)

    def units(self, run: str, spelling: str | Measure) -> Floats:
        """One score for each item or concept, in the truth's order; NaN = skipped."""
        return self.score(run, spelling).by_unit

    def explain(self, run: str, spelling: str | Measure, item: str) -> Explanation:
        """How a measure comes to its score of one item: labels, what they were matched with, and
        the arithmetic; HS and OS also tell which rule was broken."""
        from cranfield.measures.explanation import explain
        from cranfield.measures.reported import Reported

        score = self.score(run, spelling)
        if isinstance(score.measure, Reported):
            raise InputError(
                f"scores by {score.measure} come from elsewhere, so that nothing is known of how "
                "they came about; the log of the tool that made them may tell"
            )
        row = self.truth.item_axis.positions.get(str(item))
        if row is None:
            raise InputError(f"there is no item {item!r}; items: {first_ten(self.truth.items)}")
        comparison = Comparison(
            self.truth,
            score.run,
            unjudged=score.unjudged,
            missing=score.missing,
            known=score.known,
            topics=score.topics,
        )
        return explain(comparison, score.measure, row)

    def explanations(
        self, items: Iterable[str], names: Mapping[str, str] | None = None
    ) -> Explanations:
        """How each run comes to its scores of some items, by every measure.

        names  what concepts are called, where their ids are codes
        """
        from cranfield.engine.explanations import Explanations

        listed = list(dict.fromkeys(items))
        explained = [
            self.explain(run, measure, item)
            for item in listed
            for measure in self.measures
            for run in self.runs
        ]
        return Explanations(self, explained, names or {})

    def by_unit(self, descriptions: Mapping[str, str] | None = None) -> UnitScores:
        """The scores of every single concept or item.

        descriptions  what concepts are called, where their ids are codes
        """
        return UnitScores(self, descriptions or {})

    @cached_property
    def frame(self) -> polars.DataFrame:
        """Polars: run, measure, score, units, skipped, notes, signature."""
        import polars

        kinds = {
            "run": polars.String,
            "measure": polars.String,
            "score": polars.Float64,
            "units": polars.Int64,
            "skipped": polars.Int64,
            "notes": polars.String,
            "signature": polars.String,
        }
        return polars.DataFrame(self.rows(), schema=kinds)

    @cached_property
    def standings(self) -> Standings:
        """The order of runs, and what must be said beside their scores."""
        return Standings(self)

    def records(self) -> list[dict[str, Any]]:
        """A row for each score, numbers as they are."""
        return [
            {
                "run": score.run.name,
                "measure": str(score.measure),
                "score": score.value,
                "units": score.units,
                "skipped": score.skipped,
                "notes": "; ".join(score.notes),
                "signature": score.signature,
            }
            for score in self.scores
        ]

    @property
    def terms(self) -> Terms:
        return self.truth.terms

    def _facts(self) -> dict[str, Any]:
        return {"scores": LazyRows(self.records)}

    def _tables(self) -> list[Table]:
        columns = [Column("run", key=True), *map(score_column, self.measures)]
        return [
            Table("scores", LazyRows(self.records), _COLUMNS, audience="programs"),
            self.standings.table(self._standings(), columns),
        ]

    def _standings(self) -> list[Row]:
        """Runs by measures, the best by the first measure on top."""
        return [
            {"run": run} | {str(measure): self[run, measure] for measure in self.measures}
            for run in self.standings.runs
        ]

    def _charts(self) -> list[Chart]:
        """The scores of all runs, a chart for each measure."""
        return [
            Chart(
                kind="ranges",
                rows=[
                    {"run": run, "score": self[run, measure]}
                    for run in self.standings.order(measure)
                    if math.isfinite(self[run, measure])
                ],
                x=Axis("score", str(measure)),
                y=Axis("run", scale="names"),
                title=str(measure),
            )
            for measure in self.measures
        ]

    def _remarks(self) -> tuple[str, ...]:
        return self.standings.remarks


_COLUMNS = tuple(map(Column, ("run", "measure", "score", "units", "skipped", "notes", "signature")))


class UnitScores(Analysis):
    """The scores of every single concept or item."""

    def __init__(self, evaluation: Evaluation, descriptions: Mapping[str, str]) -> None:
        self.evaluation = evaluation
        self.descriptions = descriptions

    @property
    def title(self) -> str:  # type: ignore[override]
        return f"Scores of single {self.terms.concepts} and {self.terms.items}"

    @property
    def terms(self) -> Terms:
        return self.evaluation.terms

    def _facts(self) -> dict[str, Any]:
        """As of the evaluation; each score also holds "by_unit": {name: score}."""
        return {
            "scores": LazyRows(
                lambda: [
                    row | {"by_unit": self._named(score)}
                    for row, score in zip(self.evaluation.records(), self.evaluation, strict=True)
                ]
            )
        }

    def _tables(self) -> list[Table]:
        columns = tuple(map(Column, ("run", "measure", "unit", "score")))
        rows = [
            {"run": score.run.name, "measure": str(score.measure), "unit": unit, "score": value}
            for score in self.evaluation
            for unit, value in self._named(score).items()
        ]
        return [
            Table("units", rows, columns, audience="programs"),
            *(self._table(m) for m in self.evaluation.measures if self._names(m)),
        ]

    def _table(self, measure: Measure) -> Table:
        """Units by runs."""
        runs = self.evaluation.standings.runs
        columns = [self.evaluation.units(run, measure).tolist() for run in runs]
        kind = "concept" if measure.traits.direction == "concept" else "item"
        rows = [
            {"_unit": self._called(name, measure)} | dict(zip(map(_of_run, runs), row, strict=True))
            for name, *row in zip(self._names(measure), *columns, strict=True)
        ]
        return Table(
            f"units-{measure}",
            rows,
            [
                Column("_unit", self.terms.word(kind), key=True),
                *(Column(_of_run(r), r, digits=4) for r in runs),
            ],
            title=f"{measure}{_ARROWS[measure.traits.better]}",
            audience="people",
        )

    def _called(self, name: str, measure: Measure) -> str:
        meaning = self.descriptions.get(name) if measure.traits.direction == "concept" else None
        return f"{name}  {meaning}" if meaning else name

    def _names(self, measure: Measure) -> tuple[str, ...]:
        return unit_names(self.evaluation.truth, measure)

    def _named(self, score: Score) -> dict[str, float]:
        """The score of each concept or item by name; none of a measure that pools all cells."""
        names = self._names(score.measure)
        return dict(zip(names, score.by_unit.tolist(), strict=True)) if names else {}

    def _remarks(self) -> list[str]:
        pooled = [m for m in self.evaluation.measures if not self._names(m)]
        return [
            *(f"{m} pools all cells and has no scores of single units" for m in pooled),
            *self.evaluation.standings.remarks,
        ]


_ARROWS = {"higher": " ↑", "lower": " ↓", "neither": ""}


def _of_run(run: str) -> str:
    """The field of a run, whatever it is called."""
    return f"_run {run}"


def or_null(number: float | None) -> float | None:
    """A number as JSON can hold it: null where it is undefined or infinite."""
    return number if number is not None and math.isfinite(number) else None


def mean(
    values: Floats, weights: Floats | None, average: Average = "arithmetic"
) -> tuple[float, int, int]:
    """The (weighted) mean over units that are not skipped, and how many are and are not.

    Sums are rounded once, so that the order of units never shows. In a geometric mean, which 0
    would settle alone, no unit counts less than 1e-5.
    """
    defined = ~np.isnan(values)
    units = int(np.count_nonzero(defined))
    skipped = len(values) - units
    if skipped:
        values, weights = values[defined], None if weights is None else weights[defined]
    whole = units if weights is None else kernels.total(weights)
    if units == 0 or whole == 0:
        return math.nan, units, skipped
    if average == "geometric":
        values = np.log(np.maximum(values, 1e-5))
    value = kernels.total(values, weights) / whole
    return math.exp(value) if average == "geometric" else value, units, skipped
