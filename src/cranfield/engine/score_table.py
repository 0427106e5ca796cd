"""Score tables: scores of items that another tool computed, as runs that can be compared.

A row is a score: `run, item, score`, and if there are such `measure`, `repeat` (an epoch, a sample)
and `cluster` (what items have in common, such as their document). Further columns are not looked
at. Items, runs and measures are in the order of the table; no number depends on it.

Repeats are averaged within their item, and items are what is resampled: the spread of the means of
items holds that of their repeats, so that intervals and tests are right whatever the number of
repeats, and repeats that were drawn again within items would count their noise twice (Davison &
Hinkley 1997, §3.8; Miller 2024 for evaluations of language models). Where items come in clusters,
whole clusters are resampled.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from cranfield import kernels
from cranfield.core.axes import is_missing
from cranfield.core.frames import is_a
from cranfield.core.matrices import Floats, Ints
from cranfield.core.measured_run import ItemScores, MeasuredRun
from cranfield.core.truth import Truth
from cranfield.errors import InputError
from cranfield.measures.reported import Reported, reported_measures, reported_name

REQUIRED = ("run", "item", "score")
OPTIONAL = ("measure", "repeat", "cluster")
USUAL = "score"
"""What a measure is called if nobody names it."""
_WORDS = {"true": 1.0, "false": 0.0}
Better = Literal["higher", "lower", "neither"]


class RowError(InputError):
    """Something is wrong in a row, which is counted from 0."""

    def __init__(self, row: int, what: str, *, mend: str) -> None:
        super().__init__(what, mend=mend)
        self.row = row


@dataclass(frozen=True, eq=False)
class ScoreTable:
    """Items, runs of which they are the scores, and the measures."""

    truth: Truth
    """The items and their clusters, without any concepts."""
    runs: tuple[MeasuredRun, ...]
    measures: tuple[Reported, ...]

    @classmethod
    def of(cls, data: Any, *, better: Better | Mapping[str, Better] = "higher") -> ScoreTable:
        """A table from a frame, a mapping of columns, or rows that are mappings.

        better  which way is better, of all measures or by measure
        """
        if isinstance(data, cls):
            return data
        try:
            return cls.of_columns(table_columns(data), better=better)
        except RowError as error:
            raise InputError(f"row {error.row + 1}: {error.what}", mend=error.mend) from None

    @classmethod
    def of_columns(
        cls,
        columns: Mapping[str, Sequence[Any]],
        *,
        better: Better | Mapping[str, Better] = "higher",
        called: Callable[[int], str] = lambda row: f"row {row + 1}",
    ) -> ScoreTable:
        """A table from columns; raises `RowError` about a row.

        called  what to call another row in a message
        """
        rows = _Rows.read(columns, called)
        truth = Truth(
            np.zeros((len(rows.items), 0), dtype=np.bool_),
            items=rows.items,
            concepts=(),
            clusters=rows.clusters,
            copy=None,
        )
        runs = tuple(rows.run(index, name) for index, name in enumerate(rows.runs))
        ways = {
            name: better if isinstance(better, str) else better.get(name) for name in rows.measures
        }
        measures = tuple(m.directed(ways[m.name] or "higher") for m in reported_measures(runs))
        return cls(truth, runs, measures)


def table_columns(data: Any) -> dict[str, Sequence[Any]]:
    """Columns by their names, from what people have at hand."""
    if is_a(data, "polars", "LazyFrame"):
        raise InputError("scores: a lazy frame; pass what its collect() returns")
    if is_a(data, "polars", "DataFrame"):
        return {name: data[name].to_list() for name in data.columns}
    if is_a(data, "pandas", "DataFrame"):
        return {str(name): data[name].tolist() for name in data.columns}
    if isinstance(data, Mapping):
        return {str(name): list(values) for name, values in data.items()}
    if isinstance(data, Iterable) and not isinstance(data, str | bytes):
        rows = list(data)
        if all(isinstance(row, Mapping) for row in rows):
            names = dict.fromkeys(str(name) for row in rows for name in row)
            return {name: [row.get(name) for row in rows] for name in names}
    raise InputError(
        f"the table is a {type(data).__name__}",
        mend="give a frame, a mapping of columns, or a list of rows that are mappings; of files, "
        "cf.read_scores reads scores",
    )


@dataclass(frozen=True, eq=False)
class _Rows:
    """Numbered columns of the table, one entry for each row."""

    runs: tuple[str, ...]
    items: tuple[str, ...]
    measures: tuple[str, ...]
    clusters: tuple[str, ...] | None
    run_of: Ints
    item_of: Ints
    measure_of: Ints
    score: Floats

    @classmethod
    def read(cls, columns: Mapping[str, Sequence[Any]], called: Callable[[int], str]) -> _Rows:
        table = {name.strip().casefold(): values for name, values in columns.items()}
        lacking = [name for name in REQUIRED if name not in table]
        if lacking:
            raise InputError(
                f"a table of scores has no column {' and no column '.join(lacking)}; its columns "
                f"are {', '.join(map(repr, columns)) or 'none'}",
                mend="call them run, item, score, and where there are such measure, repeat, "
                "cluster",
            )
        size = len(table["score"])
        if not size:
            raise InputError("there is no score in the table; write a row for each run and item")
        odd = [
            name for name in (*REQUIRED, *OPTIONAL) if len(table.get(name, table["score"])) != size
        ]
        if odd:
            raise InputError(f"column {odd[0]!r} has {len(table[odd[0]])} rows, and score {size}")
        runs, run_of = _numbered("run", table["run"])
        items, item_of = _numbered("item", table["item"])
        named = [reported_name(str(name)) for name in table.get("measure", ())] or [USUAL] * size
        measures, measure_of = _numbered("measure", named)
        score = np.array([_number(value, row) for row, value in enumerate(table["score"])])
        repeats = table.get("repeat")
        repeat_of = None if repeats is None else _numbered("repeat", repeats)[1]
        keys = [run_of, item_of, measure_of, *([] if repeat_of is None else [repeat_of])]
        twice = _repeated(keys)
        if twice is not None:
            before, row = twice
            again = "" if repeat_of is None else " in the same repeat"
            advice = ", or number them in a column repeat" if repeat_of is None else ""
            raise RowError(
                row,
                f"item {items[item_of[row]]!r} of run {runs[run_of[row]]!r} has a score{again} on "
                f"{called(before)} already",
                mend=f"keep one of the two{advice}",
            )
        clusters = None
        if "cluster" in table:
            clusters = _clusters(items, item_of, *_numbered("cluster", table["cluster"]))
        return cls(runs, items, measures, clusters, run_of, item_of, measure_of, score)

    def run(self, index: int, name: str) -> MeasuredRun:
        """One of the runs, on the items that it has."""
        own = self.run_of == index
        here = np.unique(self.item_of[own])
        return MeasuredRun(
            {
                measure: self._scores(own & (self.measure_of == number), here)
                for number, measure in enumerate(self.measures)
                if (own & (self.measure_of == number)).any()
            },
            items=[self.items[item] for item in here.tolist()],
            name=name,
        )

    def _scores(self, rows: Any, items: Ints) -> ItemScores:
        """Means over repeats of items, rounded once, so that the order of rows never shows."""
        values, group = self.score[rows], np.searchsorted(items, self.item_of[rows])
        counts = np.bincount(group, minlength=len(items))
        some, many = counts > 0, counts > 1
        nothing = np.full(len(items), np.nan)
        means = np.divide(
            kernels.group_sums(values, group, len(items)), counts, out=nothing.copy(), where=some
        )
        apart = kernels.group_sums((values - means[group]) ** 2, group, len(items))
        variances = np.divide(apart, counts - 1, out=nothing, where=many)
        ends = float(values.min()), float(values.max())
        return ItemScores(means, counts, variances, ends)


def _numbered(what: str, values: Sequence[Any]) -> tuple[tuple[str, ...], Ints]:
    """Names in the order of their first row, and the number of each row's name."""
    numbers: dict[str, int] = {}
    codes = np.empty(len(values), dtype=np.int64)
    for row, value in enumerate(values):
        name = "" if is_missing(value) else _name(value)
        if not name:
            advice = ", or leave out the column" if what in OPTIONAL else ""
            raise RowError(row, f"there is no {what}", mend=f"name it{advice}")
        codes[row] = numbers.setdefault(name, len(numbers))
    return tuple(numbers), codes


def _name(value: Any) -> str:
    """Whole numbers are names without a fraction, as a column with gaps makes them floats."""
    return (
        str(int(value)) if isinstance(value, float) and value.is_integer() else str(value).strip()
    )


def _number(value: Any, row: int) -> float:
    try:
        number = _WORDS.get(value.strip().casefold()) if isinstance(value, str) else None
        number = float(value) if number is None else number
    except (TypeError, ValueError):
        number = math.nan
    if math.isfinite(number):
        return number
    shown = "nothing" if is_missing(value) or value == "" else repr(value)[:60]
    raise RowError(
        row,
        f"the score is {shown}",
        mend="give a number (true and false are 1 and 0), or leave the row out",
    )


def _repeated(keys: Sequence[Ints]) -> tuple[int, int] | None:
    """The first row that has the keys of one before it, and that one."""
    order = np.lexsort(keys)
    same = np.logical_and.reduce([np.diff(key[order]) == 0 for key in keys])
    if not same.any():
        return None
    pairs = np.stack([order[:-1][same], order[1:][same]])
    before, row = pairs[:, np.argmin(pairs.max(axis=0))]
    return int(min(before, row)), int(max(before, row))


def _clusters(
    items: tuple[str, ...], item_of: Ints, names: tuple[str, ...], cluster_of: Ints
) -> tuple[str, ...]:
    """The cluster of each item, which must be one."""
    clusters = np.full(len(items), -1, dtype=np.int64)
    clusters[item_of[::-1]] = cluster_of[::-1]
    torn = np.flatnonzero(clusters[item_of] != cluster_of)
    if len(torn):
        row, item = int(torn[0]), int(item_of[torn[0]])
        raise RowError(
            row,
            f"item {items[item]!r} is of cluster {names[cluster_of[row]]!r} here and of "
            f"{names[clusters[item]]!r} before",
            mend="let each item be of one cluster",
        )
    return tuple(names[cluster] for cluster in clusters.tolist())
