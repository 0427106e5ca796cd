"""What studies found, as plain records: frames, JSON, and the tables of reports rest on them."""

from __future__ import annotations

import json
import math
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

from cranfield.caching import cached_property

if TYPE_CHECKING:
    import polars

Row = dict[str, Any]
"""Texts, whole numbers, and numbers, which are None where undefined; all rows have the same."""


class Records(ABC):
    """What a study found: a row for each thing of one kind, and all of it as plain data."""

    @abstractmethod
    def rows(self) -> list[Row]:
        """Plain records; a number that is undefined is None."""

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """Everything as plain data; None where undefined."""

    @cached_property
    def frame(self) -> polars.DataFrame:
        """Polars: what `rows` says."""
        import polars

        return polars.DataFrame(self.rows(), infer_schema_length=None)

    def to_json(self, *, indent: int | None = None) -> str:
        """What `to_dict` says; null where undefined."""
        return json.dumps(self.to_dict(), indent=indent, ensure_ascii=False)


def defined(value: float) -> float | None:
    """For JSON, which knows neither NaN nor infinity."""
    return float(value) if math.isfinite(value) else None


def listed(values: Any) -> Any:
    """Arrays of any shape as lists, None where undefined."""
    if isinstance(values, float):
        return defined(values)
    return (
        [listed(one) for one in values.tolist()]
        if hasattr(values, "tolist")
        else [listed(one) for one in values]
    )
