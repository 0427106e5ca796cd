"""Sheets: what annotators handed in together with their answers on an item.

A crowd platform calls it an assignment. Times, comments and batches are known of some, or of none.

Places: where names stand among others, and where they move when some are chosen.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cranfield.core.matrices import Bools, Floats, Ints
from cranfield.errors import InputError, first_ten, several

UNKNOWN_TIME = np.datetime64("NaT", "s")


@dataclass(frozen=True, eq=False)
class Sheets:
    """One row for each item, annotator and batch.

    item, annotator, batch  places among the votes' items, annotators and batches
    seconds     how long it took; NaN: unknown
    submitted   when it was handed in; NaT: unknown
    comments    what people wrote; "": nothing
    assignments the platform's ids; "": none
    """

    item: Ints
    annotator: Ints
    batch: Ints
    seconds: Floats
    submitted: NDArray[np.datetime64]
    comments: tuple[str, ...]
    assignments: tuple[str, ...]

    def __post_init__(self) -> None:
        sizes = {field.name: len(getattr(self, field.name)) for field in fields(self)}
        if len(set(sizes.values())) > 1:
            raise InputError(f"sheets need one value of each kind for each row; got {sizes}")

    @classmethod
    def of(
        cls,
        item: Ints,
        annotator: Ints,
        batch: Ints,
        *,
        seconds: Floats | None = None,
        submitted: NDArray[np.datetime64] | None = None,
        comments: Sequence[str] | None = None,
        assignments: Sequence[str] | None = None,
    ) -> Sheets:
        """Sheets of which some things are unknown."""
        size = len(item)
        nothing = ("",) * size
        return cls(
            item,
            annotator,
            batch,
            np.full(size, np.nan) if seconds is None else seconds,
            np.full(size, UNKNOWN_TIME) if submitted is None else submitted,
            nothing if comments is None else tuple(comments),
            nothing if assignments is None else tuple(assignments),
        )

    def __len__(self) -> int:
        return len(self.item)

    def moved(self, item: Ints, annotator: Ints, batch: Ints) -> Sheets:
        """The same at other places, given by the old ones; −1 leaves out."""
        new = item[self.item], annotator[self.annotator], batch[self.batch]
        keep = np.logical_and.reduce([index >= 0 for index in new])
        items, annotators, batches = (index[keep] for index in new)
        return replace(self.filter(keep), item=items, annotator=annotators, batch=batches)

    def filter(self, keep: Bools | Ints) -> Sheets:
        """Some of the rows."""
        places = np.flatnonzero(keep) if keep.dtype == np.bool_ else keep
        return Sheets(
            self.item[places],
            self.annotator[places],
            self.batch[places],
            self.seconds[places],
            self.submitted[places],
            tuple(self.comments[index] for index in places),
            tuple(self.assignments[index] for index in places),
        )


def distinct(codes: Ints) -> Ints:
    """Every code once, ascending; where most are different, sorting is far faster than hashing."""
    ordered = np.sort(codes)
    new = np.ones(len(ordered), dtype=np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=new[1:])
    return ordered[new]


# ── places ────────────────────────────────────────────────────────────────────────────────────────


def places_by_name(names: Sequence[str]) -> Ints:
    """Where each name stands among all of them, in their order."""
    places = np.empty(len(names), dtype=np.int64)
    places[sorted(range(len(names)), key=names.__getitem__)] = np.arange(len(names))
    return places


def checked_places(name: str, given: ArrayLike, size: int) -> Ints:
    """Places as a caller gives them, one for each vote."""
    places = np.asarray(given)
    if places.ndim != 1 or (len(places) and places.dtype.kind not in "iu"):
        raise InputError(f"{name}: give one whole number for each vote")
    places = places.astype(np.int64, copy=False)
    if len(places) and (places.min() < 0 or places.max() >= size):
        raise InputError(f"{name}: places must be from 0 to {size - 1}")
    return places


def place_of(kind: str, name: str, names: Sequence[str]) -> int:
    """Where a name stands; an error where it does not."""
    if name not in names:
        raise InputError(f"there is no {kind} {name!r}; there are {first_ten(names)}")
    return names.index(name)


def chosen_places(
    kind: str, requested: Iterable[str] | None, names: Sequence[str]
) -> tuple[Ints, Ints]:
    """Which of the names are wanted, in their order, and where each name moves; −1: nowhere."""
    if requested is None:
        places = np.arange(len(names))
    else:
        present = set(names)
        asked = set(requested)
        unknown = sorted(asked - present)
        if unknown:
            raise InputError(
                f"{several(len(unknown), kind)} that nobody voted with: {first_ten(unknown)}; "
                f"there are {first_ten(names)}"
            )
        places = np.array([i for i, name in enumerate(names) if name in asked], dtype=np.int64)
    moved = np.full(len(names), -1)
    moved[places] = np.arange(len(places))
    return places, moved


def named(names: Sequence[str], places: Ints) -> list[str]:
    """The name at each of some places."""
    return np.array(names, dtype=object)[places].tolist() if len(names) else []
