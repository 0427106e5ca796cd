"""Contingency: how often each true class and each class that a system said come together.

Rows are true classes, columns are what was said, cells are counts or probabilities. A stack of
tables with the same classes (samples of one, say) is one `Contingency` too: every number below then
is an array with an entry for each table. True and said classes need not be the same; what asks for
right and wrong answers matches them by id. Nothing here knows of measures.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from cranfield import kernels
from cranfield.caching import cached_property
from cranfield.core.matrices import Bools, Floats, Ints
from cranfield.errors import InputError

_MOST_CLASSES = 10_000
"""More are no classes, but ids or numbers that were taken for them."""

_ROUNDING = 1e-15
"""The share of all items that rounding of probabilities leaves where there are none."""


@dataclass(frozen=True, eq=False)
class Contingency:
    """One table of true by said classes, or a stack of them."""

    counts: Floats
    """(…, R, S), none below 0."""
    true: tuple[str, ...]
    said: tuple[str, ...]
    named: bool = True
    """False where classes are only numbered."""
    costs: Floats | None = None
    """(R, S): what it costs to say a class where another is true, for losses of one's own."""
    sampled: bool = False
    """Whether cells were drawn from, or moved about, those of another table."""

    @classmethod
    def of_codes(
        cls, true: Ints | Bools, said: Ints | Bools, classes: Sequence[str]
    ) -> Contingency:
        """The table of a true and a said class for each item, as places in `classes`."""
        require_few(classes)
        size = len(classes)
        cells = np.bincount(true * size + said, minlength=size * size)
        names = tuple(classes)
        return cls(cells.reshape(size, size).astype(np.float64), names, names)

    # ── probabilities ─────────────────────────────────────────────────────────────────────────

    @cached_property
    def total(self) -> Floats:
        """(…): how many items there are."""
        return kernels.row_sums(self.counts.reshape(*self.counts.shape[:-2], -1))

    @cached_property
    def of_true(self) -> Floats:
        """(…, R): how often each class is true."""
        return kernels.row_sums(self.counts)

    @cached_property
    def of_said(self) -> Floats:
        """(…, S): how often each class was said."""
        return kernels.row_sums(np.swapaxes(self.counts, -1, -2))

    @cached_property
    def joint(self) -> Floats:
        """P(t, s), (…, R, S); NaN where a table is empty."""
        return self._share(self.counts)

    @cached_property
    def p_true(self) -> Floats:
        """P(t), (…, R)."""
        return self._share(self.of_true)

    @cached_property
    def p_said(self) -> Floats:
        """P(s), (…, S)."""
        return self._share(self.of_said)

    def _share(self, counts: Floats) -> Floats:
        whole = self.total.reshape(self.total.shape + (1,) * (counts.ndim - self.total.ndim))
        out: Floats = np.full(counts.shape, np.nan)
        np.divide(counts, whole, out=out, where=whole > 0)
        return out

    @property
    def holds_counts(self) -> bool:
        """Whether the cells are whole numbers: items that were counted, not probabilities."""
        return bool((self.counts == np.floor(self.counts)).all())

    @cached_property
    def sorted(self) -> Contingency:
        """The same with its classes by id, for hashes."""
        rows, columns = (sorted(range(len(x)), key=x.__getitem__) for x in (self.true, self.said))
        if rows == [*range(len(rows))] and columns == [*range(len(columns))]:
            return self
        places = np.array(rows)[:, None], np.array(columns)
        return replace(
            self,
            counts=np.ascontiguousarray(self.counts[..., *places]),
            true=tuple(self.true[index] for index in rows),
            said=tuple(self.said[index] for index in columns),
            costs=None if self.costs is None else np.ascontiguousarray(self.costs[places]),
        )

    # ── right and wrong ───────────────────────────────────────────────────────────────────────

    @cached_property
    def aligned(self) -> Contingency:
        """The same with one row and one column for each class, in the same order.

        Classes that only one side knows get an empty row or column.
        """
        if self.true == self.said:
            return self
        self._require_match()
        classes = tuple(dict.fromkeys((*self.true, *self.said)))
        places = {name: index for index, name in enumerate(classes)}
        rows = np.array([places[name] for name in self.true])[:, None]
        columns = np.array([places[name] for name in self.said])
        counts = np.zeros((*self.counts.shape[:-2], len(classes), len(classes)))
        counts[..., rows, columns] = self.counts
        costs = None
        if self.costs is not None:  # what has no cost never happened
            costs = np.zeros((len(classes), len(classes)))
            costs[rows, columns] = self.costs
        return Contingency(counts, classes, classes, costs=costs, sampled=self.sampled)

    @cached_property
    def hits(self) -> Floats:
        """How often each class of `aligned` is true and said."""
        return np.ascontiguousarray(np.diagonal(self.aligned.counts, axis1=-2, axis2=-1))

    @cached_property
    def right(self) -> Floats:
        """(…): the share of items whose class is right."""
        return self.aligned._share(kernels.row_sums(self.hits))

    @property
    def has_matches(self) -> bool:
        """Whether any answer can be right, as far as anybody knows."""
        return self.true == self.said or (self.named and bool(set(self.true) & set(self.said)))

    @cached_property
    def one_vs_rest(self) -> tuple[Floats, Floats, Floats, Floats]:
        """TP, FP, FN and TN of each class of `aligned`."""
        square, tp = self.aligned, self.hits
        fp, fn = (np.maximum(side - tp, 0.0) for side in (square.of_said, square.of_true))
        whole = square.total[..., None]
        tn = whole - tp - fn - fp
        return tp, fp, fn, np.where(tn <= _ROUNDING * whole, 0.0, tn)

    @property
    def notes(self) -> tuple[str, ...]:
        """What readers should know of how true and said classes were matched."""
        lone = {
            "never said": sorted(set(self.true) - set(self.said)),
            "never true": sorted(set(self.said) - set(self.true)),
        }
        if not self.named or not any(lone.values()):
            return ()
        told = "; ".join(f"{how}: {', '.join(names)}" for how, names in lone.items() if names)
        return (f"classes matched by id; {told}",)

    def _require_match(self) -> None:
        if not self.named:
            raise InputError(
                f"the matrix has {len(self.true)} rows and {len(self.said)} columns without names, "
                "so nobody knows which answers are right; name the classes of both sides, or take "
                "a measure of information, which needs no diagonal"
            )
        if not set(self.true) & set(self.said):
            raise InputError(
                f"no class is both true and said (true: {_some(self.true)}; said: "
                f"{_some(self.said)}), so no answer is right; write classes alike on both sides, "
                "or take a measure of information, which needs no diagonal"
            )

    # ── other tables ──────────────────────────────────────────────────────────────────────────

    def filled(self, counts: Floats) -> Contingency:
        """Tables that might have come of this one by chance: a stack, of the same classes."""
        return replace(self, counts=counts, sampled=True)

    def __add__(self, other: Contingency) -> Contingency:
        """Both together, classes aligned by id; those that one side lacks did not occur there."""
        shapes = [table.counts.shape[-2:] for table in (self, other)]
        if self.named != other.named:
            names = (self if self.named else other).true
            raise InputError(
                f"a matrix with classes {_some(names)} and one without names cannot be added; name "
                "the classes of both"
            )
        if not self.named and shapes[0] != shapes[1]:
            raise InputError(
                f"matrices of {shapes[0][0]} by {shapes[0][1]} and {shapes[1][0]} by "
                f"{shapes[1][1]} classes without names cannot be added; name their classes"
            )
        true = tuple(dict.fromkeys((*self.true, *other.true)))
        predicted = tuple(dict.fromkeys((*self.said, *other.said)))
        counts = np.zeros((len(true), len(predicted)))
        for table in (self, other):
            rows, columns = (
                [*map(side.index, own)]
                for side, own in ((true, table.true), (predicted, table.said))
            )
            counts[np.ix_(rows, columns)] += table.counts
        costs = self.costs if (true, predicted) == (self.true, self.said) else None
        return Contingency(counts, true, predicted, self.named, costs)


def require_few(classes: Sequence[str]) -> None:
    """Refuse what cannot be classes, before a matrix of all pairs is made."""
    if len(classes) > _MOST_CLASSES:
        raise InputError(
            f"there are {len(classes)} classes ({_some(tuple(classes))}); a confusion matrix holds "
            f"at most {_MOST_CLASSES}: are these ids or numbers instead of labels?"
        )


def _some(names: tuple[str, ...]) -> str:
    return ", ".join(names[:3]) + (" …" if len(names) > 3 else "")
