"""Places: where names stand among others, and where they move when some are chosen."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import ArrayLike

from cranfield.core.matrices import Ints
from cranfield.errors import InputError, first_ten, several


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
    kind: str, wanted: Iterable[str] | None, names: Sequence[str]
) -> tuple[Ints, Ints]:
    """Which of the names are wanted, in their order, and where each name moves; −1: nowhere."""
    if wanted is None:
        places = np.arange(len(names))
    else:
        known = set(names)
        asked = set(wanted)
        unknown = sorted(asked - known)
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
