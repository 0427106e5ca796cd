"""What bounds and estimates have in common: looked up by run and measure, as frames and JSON."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from cranfield.caching import cached_property
from cranfield.core.truth import Truth
from cranfield.errors import InputError
from cranfield.measures import Measure, measure

if TYPE_CHECKING:
    import polars


class _Result(Protocol):
    @property
    def run(self) -> str: ...
    @property
    def measure(self) -> Measure: ...
    def row(self) -> dict[str, Any]: ...


_One = TypeVar("_One", bound=_Result)


class Results(Generic[_One]):
    """One result for each run and measure."""

    kind = "results"
    """What they are called in JSON."""

    def __init__(self, results: Iterable[_One], truth: Truth) -> None:
        self.results = tuple(results)
        self.truth = truth
        self._by_name = {(one.run, one.measure): one for one in self.results}

    @cached_property
    def runs(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(one.run for one in self.results))

    @cached_property
    def measures(self) -> tuple[Measure, ...]:
        return tuple(dict.fromkeys(one.measure for one in self.results))

    def __getitem__(self, key: tuple[str, str | Measure]) -> _One:
        if not isinstance(key, tuple) or len(key) != 2:
            raise InputError(
                f"look {self.kind} up by run and measure, as {self.kind}[run, measure]"
            )
        wanted = measure(key[1]).on(self.truth)
        if (key[0], wanted) not in self._by_name:
            raise InputError(
                f"there are no {self.kind} of run {key[0]!r} by {wanted}; runs: "
                f"{', '.join(self.runs)}; measures: {', '.join(map(str, self.measures))}"
            )
        return self._by_name[key[0], wanted]

    def __iter__(self) -> Iterator[_One]:
        return iter(self.results)

    def __len__(self) -> int:
        return len(self.results)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({len(self.runs)} runs, {len(self.measures)} measures)"

    def rows(self) -> list[dict[str, Any]]:
        """One plain record for each; a number that is undefined is None."""
        return [one.row() for one in self.results]

    @cached_property
    def frame(self) -> polars.DataFrame:
        """Polars: a row for each run and measure."""
        import polars

        return polars.DataFrame(self.rows(), infer_schema_length=None)

    def to_json(self, *, indent: int | None = None) -> str:
        return json.dumps({self.kind: self.rows()}, indent=indent, ensure_ascii=False)


def shares(**numbers: float) -> dict[str, float | None]:
    """Numbers by name, None for those that are undefined."""
    return {name: None if math.isnan(number) else number for name, number in numbers.items()}
