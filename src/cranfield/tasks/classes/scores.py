"""Scores of a confusion matrix, and the measures that give them, named with or without prefix."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from cranfield.caching import cached_property
from cranfield.errors import InputError, MeasureError
from cranfield.measures import Measure, measure, measures
from cranfield.measures.peer_names import peer_meaning

if TYPE_CHECKING:
    import polars

_PREFIX = "confusion."


class Scores(Mapping[str, float]):
    """Scores by measure, in the order requested; keys are canonical names, lookups any spelling."""

    def __init__(self, by_measure: dict[Measure, float]) -> None:
        self.by_measure = by_measure

    def __getitem__(self, spelling: str | Measure) -> float:
        key = confusion_measure(spelling)
        if key not in self.by_measure:
            raise InputError(f"there is no score by {key}; measures: {', '.join(self)}")
        return self.by_measure[key]

    def __contains__(self, spelling: object) -> bool:
        try:
            return confusion_measure(spelling) in self.by_measure  # type: ignore[arg-type]
        except MeasureError:
            return False

    def get(self, spelling: str | Measure, default: Any = None) -> Any:
        if spelling not in self:
            return default
        return self[spelling]

    def __iter__(self) -> Iterator[str]:
        return map(str, self.by_measure)

    def __len__(self) -> int:
        return len(self.by_measure)

    def __repr__(self) -> str:
        return f"Scores({dict(self)})"

    @cached_property
    def frame(self) -> polars.DataFrame:
        """Polars: measure, score; what is undefined is null."""
        import polars

        rows = [(name, None if np.isnan(value) else value) for name, value in self.items()]
        kinds = {"measure": polars.String, "score": polars.Float64}
        return polars.DataFrame(rows, schema=kinds, orient="row")


def confusion_measure(spelling: str | Measure) -> Measure:
    """A measure of confusion matrices; its prefix may be left out."""
    if isinstance(spelling, Measure):
        return spelling
    text = str(spelling).strip()
    parsed = measure(text) if "." in text.partition("(")[0] else _unprefixed(text)
    if parsed.definition.table is None:
        raise MeasureError(
            f"{parsed} is no measure of a confusion matrix; take one that begins with {_PREFIX}"
        )
    return parsed


def _unprefixed(text: str) -> Measure:
    """A measure without its prefix, or what another tool's name means where items have a class."""
    try:
        return measure(_PREFIX + text)
    except MeasureError:
        if peer_meaning(text) is None:
            raise
        return measure(text).read_as("classes")


def confusion_measures(spellings: str | Measure | Iterable[str | Measure]) -> list[Measure]:
    """One measure, or several."""
    listed = [spellings] if isinstance(spellings, str | Measure) else spellings
    return list(map(confusion_measure, listed))


def all_measures() -> list[Measure]:
    """Every measure of confusion matrices, with no options."""
    return [Measure(defined.name) for defined in measures() if defined.table is not None]
