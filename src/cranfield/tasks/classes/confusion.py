"""Confusion: the confusion matrix of a system that gives each item one class.

Rows are true classes, columns what the system said; a matrix need not be square. Scores are looked
up by the names of measures, `cm["kappa"]`; everything else is a view of the same counts: class by
class, one class against the rest, several matrices in one. Resampling is in `uncertainty`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from cranfield._version import __version__
from cranfield.caching import cached_property
from cranfield.core.arguments import checked
from cranfield.core.axes import require_ordered
from cranfield.core.chart import Chart
from cranfield.core.contingency import Contingency
from cranfield.core.matrices import Floats
from cranfield.core.result import Analysis
from cranfield.core.table import Column, Table
from cranfield.errors import InputError, first_ten
from cranfield.measures import Measure
from cranfield.measures.information import class_entropies
from cranfield.tasks.classes.by_class import class_frame
from cranfield.tasks.classes.class_inputs import as_table, codes_of
from cranfield.tasks.classes.layout import Rows
from cranfield.tasks.classes.scores import (
    Scores,
    all_measures,
    confusion_measure,
    confusion_measures,
)
from cranfield.tasks.classes.uncertainty import Interval, Method, interval, resampled

if TYPE_CHECKING:
    import polars


class Confusion(Analysis):
    """How often each true class and each class that a system said come together.

    matrix   (R, S) counts or probabilities; frames of pandas and Polars bring their classes, and
             the names of their axes may say that rows are the system's (`layout`)
    classes  names of the true classes, and of those that are said unless `said` names them
    said     names of the columns, where a system says other classes than are true
    name     of the system
    costs    (R, S) what it costs to say a class where another is true, for loss(kind=custom)
    rows     what the rows of the matrix are, "truth" or "system"; default: what a frame says, and
             "truth" if it says nothing
    """

    title = "Confusion matrix"

    @checked
    def __init__(
        self,
        matrix: Any,
        classes: Iterable[object] | None = None,
        *,
        said: Iterable[object] | None = None,
        name: str = "system",
        costs: Any = None,
        rows: Rows | None = None,
    ) -> None:
        self.name = str(name)
        self.table = as_table(matrix, classes, said, costs, rows=rows)

    @classmethod
    def from_labels(
        cls,
        true: Any,
        said: Any,
        *,
        classes: Iterable[object] | None = None,
        name: str = "system",
        costs: Any = None,
    ) -> Confusion:
        """From the true class and the said class of each item: sequences in the same order, or
        Series or mappings, which align by their ids.

        classes  all classes in the order wished; default: those that occur, sorted
        """
        return cls._of(Contingency.of_codes(*codes_of(true, said, classes)), name).priced(costs)

    @classmethod
    def sum(cls, parts: Iterable[Confusion], *, name: str | None = None) -> Confusion:
        """All counts together, as for the folds of a cross-validation; classes align by id."""
        listed = list(parts)
        if not listed:
            raise InputError("there is no confusion matrix to add up; give at least one")
        odd = [part for part in listed if not isinstance(part, Confusion)]
        if odd:
            raise InputError(
                f"{odd[0]!r} is no confusion matrix; give each as cf.Confusion(matrix)"
            )
        total = listed[0]
        for part in listed[1:]:
            total = total + part
        return cls._of(total.table, total.name if name is None else name)

    @classmethod
    def _of(cls, table: Contingency, name: str) -> Confusion:
        made = cls.__new__(cls)
        made.table, made.name = table, name
        return made

    # ── what there is ─────────────────────────────────────────────────────────────────────────

    @property
    def counts(self) -> Floats:
        """(R, S): true by said classes."""
        return self.table.counts

    @property
    def true(self) -> tuple[str, ...]:
        """The classes of the rows."""
        return self.table.true

    @property
    def said(self) -> tuple[str, ...]:
        """The classes of the columns."""
        return self.table.said

    @property
    def classes(self) -> tuple[str, ...]:
        """All classes, true or said."""
        return tuple(dict.fromkeys((*self.true, *self.said)))

    @property
    def total(self) -> float:
        """How many items there are; 1 where the cells are probabilities."""
        return float(self.table.total)

    @property
    def notes(self) -> tuple[str, ...]:
        """What readers of its scores should know."""
        return self.table.notes

    @cached_property
    def digest(self) -> str:
        """Hash of the counts, whatever the order of rows and columns."""
        return _hash(self.table.sorted, self.table.sorted.counts)

    def signature(self, spelling: str | Measure) -> str:
        """Every choice that a score depends on, the version, and a hash of the matrix."""
        measure = confusion_measure(spelling)
        hidden = ("unjudged",)  # there are no cells that somebody did not judge
        chosen = {name: value for name, value in measure.options.items() if name not in hidden}
        written = ",".join(f"{name}={value}" for name, value in sorted(chosen.items()))
        table = self.table.sorted
        priced = table.costs is not None and chosen.get("kind") == "custom"
        costs = f"|costs={_hash(table, table.costs)[:8]}" if priced else ""
        return f"{measure.name}({written})|cranfield={__version__}|matrix={self.digest[:8]}{costs}"

    def _facts(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "true": self.true,
            "said": self.said,
            "counts": self.counts,
            "notes": self.notes,
        }

    def _tables(self) -> list[Table]:
        whole = self.table.holds_counts
        counts = [[int(n) if whole else n for n in row] for row in self.counts.tolist()]
        wide = [
            {"true": name} | {f"said {j}": count for j, count in enumerate(row)}
            for name, row in zip(self.true, counts, strict=True)
        ]
        columns = (
            Column("true", key=True),
            *(Column(f"said {j}", name) for j, name in enumerate(self.said)),
        )
        cells = [
            {"true": true, "said": said, "count": count}
            for true, row in zip(self.true, counts, strict=True)
            for said, count in zip(self.said, row, strict=True)
        ]
        return [
            Table("matrix", wide, columns, title=self.name, audience="people"),
            Table("cells", cells, audience="programs"),
        ]

    def _remarks(self) -> list[str]:
        return list(self.notes)

    def _charts(self) -> list[Chart]:
        from cranfield.tasks.classes.class_charts import heat_maps

        return heat_maps([self])

    # ── scores ────────────────────────────────────────────────────────────────────────────────

    def __getitem__(self, spelling: str | Measure) -> float:
        return self._score(confusion_measure(spelling))

    def scores(self, measures: str | Measure | Iterable[str | Measure] | None = None) -> Scores:
        """Several scores, looked up by any spelling; default: by every measure there is."""
        listed = all_measures() if measures is None else confusion_measures(measures)
        return Scores({measure: self._score(measure) for measure in listed})

    def _score(self, measure: Measure) -> float:
        try:
            return float(measure.tabulate(self.table))
        except InputError as error:
            raise InputError(f"{self.name}: {error.what}", mend=error.mend) from None

    def loss(self, costs: Any) -> float:
        """The expected cost Σ P(t, s)·C(t, s) by a matrix of one's own, true by said classes."""
        return self.priced(costs)["loss(kind=custom)"]

    def by_class(self, *, base: float = np.e) -> polars.DataFrame:
        """Polars: a row for each class with its counts, rates and conditional entropies."""
        return class_frame(self.table, _base(base))

    def entropies(self, given: Literal["true", "said"], *, base: float = np.e) -> Floats:
        """H(S|T = t) of each true class, or H(T|S = s) of each said one; NaN if it never occurs."""
        if given not in ("true", "said"):
            raise InputError(f"given={given!r}; choose 'true' or 'said'")
        return np.asarray(class_entropies(self.table, given) / np.log(_base(base)))

    def interval(
        self,
        spelling: str | Measure,
        *,
        method: Method = "dirichlet",
        level: float = 0.95,
        samples: int = 2000,
        seed: int = 0,
    ) -> Interval:
        """How sure a score is, if items are a sample; `uncertainty` says how it is done."""
        measure = confusion_measure(spelling)
        return interval(self.table, measure, method=method, level=level, samples=samples, seed=seed)

    def resampled(
        self,
        measures: str | Measure | Iterable[str | Measure],
        *,
        method: Method = "dirichlet",
        samples: int = 2000,
        seed: int = 0,
    ) -> Floats:
        """(samples, measures): scores of matrices that chance might have given instead."""
        return resampled(
            self.table, confusion_measures(measures), method=method, samples=samples, seed=seed
        )

    # ── other matrices ────────────────────────────────────────────────────────────────────────

    def __add__(self, other: Confusion) -> Confusion:
        if not isinstance(other, Confusion):
            return NotImplemented
        return Confusion._of(self.table + other.table, self.name)

    def __radd__(self, other: object) -> Confusion:
        return self if other == 0 else NotImplemented  # the built-in sum begins with 0

    def aligned(self) -> Confusion:
        """Square: a row and a column for each class, in the same order."""
        return Confusion._of(self.table.aligned, self.name)

    def in_order(self, classes: Sequence[object]) -> Confusion:
        """Square, with its classes in another order; scores stay the same."""
        require_ordered("classes", classes)
        names = [str(name) for name in classes]
        if sorted(names) != sorted(self.classes):
            raise InputError(
                f"the classes are {first_ten(self.classes)}; name each of them once, in any order"
            )
        order = [self.classes.index(name) for name in names]
        square = self.table.aligned
        counts = square.counts[np.ix_(order, order)]
        costs = None if square.costs is None else square.costs[np.ix_(order, order)]
        return Confusion._of(
            Contingency(counts, tuple(names), tuple(names), costs=costs), self.name
        )

    def normalised(self, by: Literal["all", "true", "said"] = "all") -> Confusion:
        """Shares of all items, of each true class or of each said one.

        by="true" lets all true classes be equally frequent, as Holt et al. 2010 §4 do.
        """
        if by == "all":
            whole = np.asarray(self.table.total)[None, None]
        elif by in ("true", "said"):
            whole = self.table.of_true[:, None] if by == "true" else self.table.of_said[None]
        else:
            raise InputError(f"by={by!r}; choose 'all', 'true' or 'said'")
        shares: NDArray[np.float64] = np.zeros(self.counts.shape)
        np.divide(self.counts, whole, out=shares, where=whole > 0)
        return Confusion._of(replace(self.table, counts=shares), self.name)

    def one_vs_rest(self, name: object) -> Confusion:
        """One class against all others: two by two."""
        square = self.table.aligned
        if str(name) not in square.true:
            raise InputError(f"there is no class {str(name)!r}; classes: {first_ten(square.true)}")
        index = square.true.index(str(name))
        tp, fp, fn, tn = (float(counts[index]) for counts in square.one_vs_rest)
        both = (str(name), f"not {name}")
        table = Contingency(np.array([[tp, fn], [fp, tn]]), both, both)
        return Confusion._of(table, self.name)

    def priced(self, costs: Any) -> Confusion:
        """The same with costs for loss(kind=custom), true by said classes."""
        table = self.table
        return Confusion._of(
            as_table(table.counts, table.true, table.said, costs, named=table.named), self.name
        )


def _base(base: float) -> float:
    """The base of logarithms, as measures take it."""
    return float(confusion_measure(f"confusion.H_T(base={base})").options["base"])


def _hash(table: Contingency, cells: Floats | None) -> str:
    """Hash of cells and the names of their classes."""
    content = repr(([*table.true], [*table.said])).encode()
    content += b"" if cells is None else cells.tobytes()
    return hashlib.blake2b(content, digest_size=16).hexdigest()
