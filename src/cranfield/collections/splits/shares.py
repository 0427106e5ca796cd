"""What people ask for: the share of each part, and groups of items that stay together."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from cranfield.core.matrices import Floats, Ints
from cranfield.core.truth import Truth
from cranfield.core.unit_values import unit_values
from cranfield.errors import InputError, several

_NAMES = {2: ("train", "test"), 3: ("train", "validation", "test")}
_TOLERANCE = 1e-9


def as_shares(given: Any) -> dict[str, float]:
    """Shares by the names of the parts; without names, two are "train" and "test"."""
    if isinstance(given, Mapping):
        named = [(str(name), share) for name, share in given.items()]
    else:
        shares = list(given) if isinstance(given, Iterable) else [given]
        names = _NAMES.get(len(shares), tuple(str(1 + place) for place in range(len(shares))))
        named = list(zip(names, shares, strict=True))
    wanted = {name: _share(name, share) for name, share in named}
    if len(wanted) < len(named) or "" in wanted:
        raise InputError("two parts have the same name, or one has none; name each part")
    if len(wanted) < 2:
        raise InputError("a split needs at least two parts; give two or more shares")
    total = math.fsum(wanted.values())
    if abs(total - 1) > _TOLERANCE:
        raise InputError(f"the shares sum to {total:.10g}; they must sum to 1")
    return wanted


def _share(name: str, share: Any) -> float:
    try:
        number = float(share)
    except (TypeError, ValueError):
        number = math.nan
    if not 0 < number <= 1:
        raise InputError(f"the share of {name!r} is {share!r}; give a number above 0, up to 1")
    return number


def equal_shares(count: Any, items: int) -> dict[str, float]:
    """Shares of folds, which are named by their numbers."""
    if isinstance(count, bool) or not isinstance(count, int | np.integer) or count < 2:
        raise InputError(f"{count!r} folds; ask for a whole number from 2 up")
    if count > items:
        raise InputError(
            f"{count} folds of {several(items, 'item')} leave some empty; ask for at most {items}"
        )
    return {str(1 + place): 1 / count for place in range(count)}


def sizes(shares: Floats, items: int) -> Ints:
    """Whole numbers of items that come closest to the shares; among equals the first get more."""
    exact = shares * items
    whole = np.floor(exact).astype(np.int64)
    neediest = np.argsort(whole - exact, kind="stable")
    whole[neediest[: items - int(whole.sum())]] += 1
    return whole


def as_groups(given: Any, truth: Truth) -> Ints:
    """A number for the group of each item, from whatever has one value for each."""
    groups = unit_values("groups", given, truth.item_axis)
    listed = groups.tolist() if isinstance(groups, np.ndarray) else groups
    numbers: dict[object, int] = {}
    try:
        return np.array([numbers.setdefault(group, len(numbers)) for group in listed])
    except TypeError:
        raise InputError("a group is named by a text or a number; give one for each item") from None
