"""Results by score: what is said of each score of an evaluation, looked up by run and measure.

Intervals, bounds and estimates are such results.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from cranfield.caching import cached_property
from cranfield.core.result import Analysis
from cranfield.core.table import Column, LazyRows, Table
from cranfield.core.terms import Terms
from cranfield.core.truth import Truth
from cranfield.errors import InputError

if TYPE_CHECKING:
    import polars

    from cranfield.measures import Measure

_ARROWS = {"higher": " ↑", "lower": " ↓", "neither": ""}


class _ScoreResult(Protocol):
    @property
    def run(self) -> str: ...
    @property
    def measure(self) -> Measure: ...
    @property
    def notes(self) -> tuple[str, ...]: ...
    def row(self) -> dict[str, Any]: ...


_Result = TypeVar("_Result", bound=_ScoreResult)


class ScoreResults(Analysis, Generic[_Result]):
    """A result for each run and measure."""

    kind = "results"
    """What they are called in JSON."""

    def __init__(self, results: Iterable[_Result], truth: Truth) -> None:
        self.results = tuple(results)
        self.truth = truth
        self._by_name = {(result.run, result.measure): result for result in self.results}

    @property
    def terms(self) -> Terms:
        return self.truth.terms

    @cached_property
    def runs(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(result.run for result in self.results))

    @cached_property
    def measures(self) -> tuple[Measure, ...]:
        return tuple(dict.fromkeys(result.measure for result in self.results))

    def __getitem__(self, key: tuple[str, str | Measure]) -> _Result:
        from cranfield.measures.reported import measure_among

        if not isinstance(key, tuple) or len(key) != 2:
            raise InputError(
                f"look {self.kind} up by run and measure, as {self.kind}[run, measure]"
            )
        requested = measure_among(key[1], self.measures, self.truth)
        if (key[0], requested) not in self._by_name:
            raise InputError(
                f"there are no {self.kind} of run {key[0]!r} by {requested}; runs: "
                f"{', '.join(self.runs)}; measures: {', '.join(map(str, self.measures))}"
            )
        return self._by_name[key[0], requested]

    def __iter__(self) -> Iterator[_Result]:
        return iter(self.results)

    def __len__(self) -> int:
        return len(self.results)

    @cached_property
    def frame(self) -> polars.DataFrame:
        """Polars: a row for each run and measure."""
        import polars

        return polars.DataFrame(self.rows(), infer_schema_length=None)

    def _records(self) -> list[dict[str, Any]]:
        return [result.row() for result in self.results]

    def _facts(self) -> dict[str, Any]:
        return {self.kind: LazyRows(self._records)}

    def _tables(self) -> list[Table]:
        rows = [
            {"run": result.run, "_measure": f"{result.measure}{arrow(result.measure)}"}
            | self._cells(result)
            for result in self.results
        ]
        columns = [Column("run", key=True), Column("_measure", "measure", key=True)]
        return [
            Table(self.kind, LazyRows(self._records), audience="programs"),
            Table("scores", rows, [*columns, *self._columns()], audience="people"),
        ]

    @abstractmethod
    def _columns(self) -> Sequence[Column]:
        """What people read of each result, beside its run and measure."""

    @abstractmethod
    def _cells(self, result: _Result) -> dict[str, Any]:
        """The values of these columns."""


def notes_by_measure(results: Iterable[_ScoreResult]) -> list[str]:
    """What results note, each note once, with the measures that it is about."""
    by_note: dict[str, dict[str, None]] = {}
    for result in results:
        for note in result.notes:
            by_note.setdefault(note, {})[str(result.measure)] = None
    return [f"{note} ({', '.join(names)})" for note, names in by_note.items()]


def arrow(measure: Measure) -> str:
    """Which way is better, behind the name of a measure."""
    return _ARROWS[measure.traits.better]
