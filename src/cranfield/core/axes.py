"""The two sides of every matrix here: items (rows) and concepts (columns), and how they align.

Ids align as sets, so the order of rows and columns never matters. A side without ids is aligned
by position, unless the ids of the other are 0…N−1 in another order: then its rows were moved and
position would mix them up, so that is an error. A frame with the default index of pandas has no ids
either, but beside such a permutation its index names its rows. Nothing in this file looks at labels
or scores.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, ValuesView
from collections.abc import Set as AbstractSet
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from cranfield.caching import cached_property
from cranfield.errors import InputError, first_ten, several

Kind = Literal["item", "concept"]
Missing = Literal["error", "absent"]
Extra = Literal["error", "drop"]
"""What becomes of items that a run has and the truth does not."""

WORDS_FOR_ITEMS = {
    "", "item", "items", "item_id", "id", "ids", "image", "image_id", "imageid", "img", "file",
    "filename", "name", "doc", "docid", "document", "example", "instance", "sample", "index", "key",
}  # fmt: skip
"""What people call a column of item ids, in lower case."""

_MISSING_AS_TEXT = {"None", "nan", "<NA>", "NaT"}
"""How values that are missing look as texts, which some ids may be as well."""


class Axis:
    """One side of a matrix: its size and, if known, the ids along it.

    default_index  whether it is the side of a frame that only counts its rows or columns
    """

    def __init__(
        self,
        kind: Kind,
        size: int,
        ids: Iterable[object] | None = None,
        *,
        default_index: bool = False,
    ) -> None:
        self.kind: Kind = kind
        self.size = size
        self.default_index = default_index
        self.in_order = True
        """False where the order is only that in which a file happened to mention the ids."""
        self._ids = ids if ids is None or isinstance(ids, JoinedIds) else as_ids(kind, ids)
        if self._ids is not None and len(self._ids) != size:
            raise InputError(
                f"{several(len(self._ids), f'{kind} id')} for {several(size, kind)}; "
                f"give one id for each {'row' if kind == 'item' else 'column'}"
            )

    @property
    def ids(self) -> tuple[str, ...] | None:
        return self._ids.texts if isinstance(self._ids, JoinedIds) else self._ids

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The ids, or the positions "0", "1", … where there are none."""
        return self.ids if self.ids is not None else tuple(map(str, range(self.size)))

    @cached_property
    def positions(self) -> dict[str, int]:
        return {name: place for place, name in enumerate(self.names)}

    def named(self, indices: NDArray[np.int64] | None) -> Sequence[str] | Axis:
        """The names at some positions; all of this axis where it is None."""
        return self if indices is None else [self.names[index] for index in indices.tolist()]

    @cached_property
    def is_permuted_range(self) -> bool:
        """Whether the ids are 0…N−1, in another order than that."""
        if self.ids is None or not all(name.isdecimal() for name in self.ids[:8]):
            return False
        counted = list(map(str, range(self.size)))
        return list(self.ids) != counted and self.positions.keys() == set(counted)

    def aligns_by_position(self, other: Axis, mine: str, others: str) -> bool:
        """Whether this axis meets another position by position, rather than id by id.

        mine, others  what to call the owner of either axis in messages
        """
        if (self.ids is None) == (other.ids is None):
            return self.ids is None
        named, bare = (self, other) if other.ids is None else (other, self)
        if bare.default_index:
            return named.size == bare.size and not named.is_permuted_range
        if named.size == bare.size and named.is_permuted_range:
            owner, without = (mine, others) if named is self else (others, mine)
            raise InputError(
                f"{owner}: the {self.kind} ids are 0 to {self.size - 1} in another order, and "
                f"{without} has no {self.kind} ids to align by",
                mend="give ids to both, or, if position is meant, number those of "
                f"{owner} from 0 (reset_index(drop=True))",
            )
        return True

    def leads_by_position(self, values: Axis, mine: str, others: str) -> bool:
        """Whether values for this axis follow its positions, as those without any ids always do."""
        plain = values.ids is None and not values.default_index
        return plain or self.aligns_by_position(values, mine, others)

    def require_ids(self, why: str) -> None:
        """An error where there are none."""
        if self.ids is None:
            raise InputError(
                f"{why} {self.kind} id, but there are no {self.kind} ids",
                mend=f"give {{{self.kind}s}} or choose another rule for ties",
            )

    def indices(self, ids: Iterable[object]) -> NDArray[np.int64]:
        """Where some ids stand, in the order of this axis; ids that it lacks are an error."""
        if isinstance(ids, str):
            raise InputError(f"{self.kind}s={ids!r} is one text; give a list of {self.kind} ids")
        names = as_ids(self.kind, sorted(map(str, ids)) if isinstance(ids, AbstractSet) else ids)
        unknown = [name for name in names if name not in self.positions]
        if unknown:
            raise InputError(
                f"there {'is' if len(unknown) == 1 else 'are'} no {self.kind} "
                f"{first_ten(unknown)}; there are {first_ten(self.names)}"
            )
        return np.sort(np.array([self.positions[name] for name in names], dtype=np.int64))

    def extended(self, names: Sequence[str]) -> Axis:
        """This axis with new ids behind its own."""
        assert self.ids is not None
        return Axis(self.kind, self.size + len(names), Ids((*self.ids, *names)))

    def strangers(self, other: Axis) -> list[str]:
        """The ids of another axis that this one lacks."""
        if self.ids is None or other.ids is None or self.ids == other.ids:
            return []
        return [name for name in other.ids if name not in self.positions]

    def locate(
        self, other: Axis, *, run: str, missing: Missing, strangers: Missing = "error"
    ) -> NDArray[np.int64] | None:
        """Where each id of this (the truth's) axis stands on the run's axis; -1 = not there.

        None means that both axes are the same, position by position. Ids that only the run has are
        errors, or left out (strangers="absent").
        """
        if self.aligns_by_position(other, "the truth", f"run {run!r}"):
            self._require_size(other, run)
            return None
        if self.names == other.names:
            return None
        there = other.positions
        unknown = [name for name in other.names if name not in self.positions]
        if unknown and strangers == "error":
            raise InputError(
                f"run {run!r} has {several(len(unknown), self.kind)} that the truth does not know: "
                f"{first_ten(unknown)}; remove them or add them to the truth",
                about=("run", run),
            )
        places = np.array([there.get(name, -1) for name in self.names], dtype=np.int64)
        if missing == "error" and (places < 0).any():
            lacking = [self.names[i] for i in np.flatnonzero(places < 0)]
            raise InputError(
                f"run {run!r} lacks {several(len(lacking), self.kind)} of the truth: "
                f"{first_ten(lacking)}",
                mend="add them, or count them as not retrieved with {missing=absent}",
                about=("run", run),
            )
        return places

    def _require_size(self, other: Axis, run: str) -> None:
        if self.size != other.size:
            raise InputError(
                f"run {run!r} has {several(other.size, self.kind)} and the truth {self.size}; "
                "without ids on both sides they align by position",
                mend="give ids to both, or equal sizes",
                about=("run", run),
            )


def leading(axes: Mapping[str, Axis]) -> str:
    """The name of the axis whose order several follow: the first with ids, or one that only counts
    where those are its numbers in another order."""
    named = next((name for name, axis in axes.items() if axis.ids is not None), None)
    counted = next((name for name, axis in axes.items() if axis.default_index), None)
    if named is None:
        return counted or next(iter(axes))
    return counted if counted is not None and axes[named].is_permuted_range else named


def cell_name(items: Axis, concepts: Axis) -> Callable[[int, int], str]:
    """What to call a cell in messages."""
    return lambda row, column: f"item {items.names[row]!r}, concept {concepts.names[column]!r}"


class Ids(tuple[str, ...]):
    """Ids that need not be looked at again: texts, none of them empty, each once."""


class JoinedIds:
    """Ids that need not be looked at again, as the bytes of a file. Making a text of each takes as
    long as reading the file, so that is done when somebody asks for one."""

    def __init__(self, joined: bytes, size: int) -> None:
        """
        joined  the ids one after the other, each with a line end behind it
        size    how many there are
        """
        self._joined = joined
        self._size = size

    def __len__(self) -> int:
        return self._size

    def __iter__(self) -> Iterator[str]:
        return iter(self.texts)

    @cached_property
    def texts(self) -> Ids:
        # What is not UTF-8 was reported where it was read.
        return Ids(self._joined.decode("utf-8", errors="surrogateescape").split("\n")[:-1])


def require_ordered(option: str, ids: Any, *, along: str = "in their order") -> None:
    """Refuse sets, views of dicts and mappings where the order of ids means something.

    The order of a set of texts differs from process to process, and so would every score.
    """
    if isinstance(ids, AbstractSet | ValuesView | Mapping):
        raise InputError(
            f"{option} is a {type(ids).__name__}, which has no order of its own; "
            f"give a list, {along}"
        )


def _require_all_named(kind: str, ids: list[object]) -> None:
    place = next((place for place, name in enumerate(ids) if is_missing(name)), None)
    if place is not None:
        raise InputError(f"{kind} number {place + 1} has no id, but {ids[place]}; name it")


def is_missing(value: Any) -> bool:
    """Whether a value says that there is none."""
    if isinstance(value, float | np.floating):
        return math.isnan(value)
    if isinstance(value, np.datetime64 | np.timedelta64):
        return bool(np.isnat(value))
    pandas = sys.modules.get("pandas")
    return value is None or (pandas is not None and (value is pandas.NA or value is pandas.NaT))


def _decoded(kind: str, name: bytes) -> str:
    try:
        return name.decode()
    except UnicodeDecodeError:
        raise InputError(f"the {kind} id {name!r} is not UTF-8; decode it first") from None


def _whole(ids: list[Any]) -> list[Any]:
    """Whole numbers that stand in an index of floats, as where rows without a partner were joined:
    2.0 is the item 2."""
    return list(map(int, ids)) if all(map(float.is_integer, map(float, ids))) else ids


def as_ids(kind: str, ids: Iterable[object]) -> Ids:
    """Ids as strings; duplicates, empty ones and collections without an order are errors."""
    if isinstance(ids, Ids):
        return ids
    lines = {"item": "rows", "concept": "columns"}.get(kind, f"{kind} ids")
    require_ordered(f"{kind}s=", ids, along=f"in the order of the {lines}")
    if not isinstance(ids, Iterable):
        raise InputError(
            f"ids of {kind}s are of type {type(ids).__name__}; give a list of them, in the order "
            f"of the {lines}"
        )
    listed = list(ids)
    types = set(map(type, listed))
    if any(issubclass(type_, bytes) for type_ in types):  # as HDF5 stores texts
        listed = [_decoded(kind, name) if isinstance(name, bytes) else name for name in listed]
    if types and all(issubclass(type_, float | np.floating) for type_ in types):
        listed = _whole(listed)
    names = Ids(map(str, listed))
    different = set(names)
    if different & _MISSING_AS_TEXT:
        _require_all_named(kind, listed)
    if len(different) != len(names):
        seen: set[str] = set()
        twice = [name for name in names if name in seen or seen.add(name)]  # type: ignore[func-returns-value]
        raise InputError(
            f"{several(len(twice), f'duplicate {kind} id')}: {first_ten(dict.fromkeys(twice))}; "
            f"each {kind} may stand once"
        )
    if "" in names:
        raise InputError(f"{kind} number {names.index('') + 1} has an empty id; name it")
    try:
        "".join(names).encode()
    except UnicodeEncodeError as error:
        raise InputError(
            f"a {kind} id holds {error.object[error.start]!r}, half of a character, "
            "which no file can hold; write the id anew"
        ) from None
    return names
