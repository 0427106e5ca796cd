"""What slices say: the score of each, its interval, and how it differs from the rest."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cranfield.caching import cached_property
from cranfield.core.truth import Truth
from cranfield.engine.evaluation import or_null
from cranfield.errors import InputError
from cranfield.measures import Measure, measure
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
        """A plain record; a number that is undefined is None."""
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
            **{name: or_null(getattr(self, name)) for name in numbers},
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


class Slices:
    """Scores by run, measure, attribute and slice: found["system", "concept.AP", "site", "Oslo"].

    Slices of an attribute are in the order of their values.
    """

    def __init__(self, results: Iterable[SliceScore], truth: Truth, choices: Choices) -> None:
        self.results = tuple(results)
        self.truth = truth
        self.choices = choices

    def __iter__(self) -> Iterator[SliceScore]:
        return iter(self.results)

    def __len__(self) -> int:
        return len(self.results)

    def __repr__(self) -> str:
        return f"Slices({', '.join(self.attributes)}: {len(self)} scores)"

    @cached_property
    def runs(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(one.run for one in self))

    @cached_property
    def measures(self) -> tuple[Measure, ...]:
        return tuple(dict.fromkeys(one.measure for one in self))

    @cached_property
    def attributes(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(one.attribute for one in self))

    def of(self, run: str, spelling: str | Measure, attribute: str) -> tuple[SliceScore, ...]:
        """All slices of an attribute, by run and measure."""
        wanted = measure(spelling).on(self.truth)
        key = (run, wanted, attribute)
        found = tuple(one for one in self if (one.run, one.measure, one.attribute) == key)
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
        found = next((one for one in among if one.slice == key[3]), None)
        if found is None:
            there = ", ".join(one.slice for one in among)
            raise InputError(f"there is no slice {key[3]!r} of {key[2]}; slices: {there}")
        return found

    def worst(self, run: str, spelling: str | Measure, attribute: str) -> SliceScore | None:
        """The worst slice of an attribute; None where none has a score, or there is only one."""
        return next((one for one in self.of(run, spelling, attribute) if one.worst), None)

    def significant(self, alpha: float = 0.05) -> tuple[SliceScore, ...]:
        """Slices that differ from the rest, corrected for all slices and measures of the run."""
        return tuple(one for one in self if one.adjusted < alpha)

    def rows(self) -> list[dict[str, Any]]:
        """A plain record for each score."""
        return [one.row() for one in self]

    @cached_property
    def frame(self) -> polars.DataFrame:
        """Polars: a row for each run, measure and slice."""
        import polars

        return polars.DataFrame(self.rows(), infer_schema_length=None)

    def to_json(self, *, indent: int | None = None) -> str:
        """{"slices": […]}"""
        return json.dumps({"slices": self.rows()}, indent=indent, ensure_ascii=False)
