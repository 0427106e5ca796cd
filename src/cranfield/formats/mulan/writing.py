"""ARFF files, written: ids, features and labels as dense rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from cranfield.core.axes import WORDS_FOR_ITEMS
from cranfield.core.matrices import Bools
from cranfield.core.run import Run
from cranfield.core.truth import Truth
from cranfield.errors import InputError, first_ten
from cranfield.formats.mulan.arff import MISSING, is_word_for_items, quoted
from cranfield.formats.problems import shown
from cranfield.formats.registry import Target

if TYPE_CHECKING:
    import polars

_BLOCK = 1 << 12
"""Rows to write at a time."""


def write_arff(
    thing: Truth | Run,
    cells: NDArray[Any],
    stored: Bools | None,
    target: Target,
    *,
    relation: str,
    declared: str,
    features: polars.DataFrame | None = None,
) -> None:
    """Write labels, with ids and features where there are any.

    stored    the cells that are there; default: all
    declared  how labels are declared
    """
    ids = thing.item_axis.ids
    attributes = _attributes(thing, declared, features)
    lines = [f"@attribute {quoted(name)} {kind}\n" for name, kind in attributes]
    header = f"@relation {quoted(relation)}\n\n{''.join(lines)}\n@data\n"
    target.stream.write(header.encode())
    for first in range(0, thing.shape[0], _BLOCK):
        block = slice(first, first + _BLOCK)
        columns = chain(
            [] if ids is None else [map(quoted, ids[block])],
            [] if features is None else _feature_fields(features[block]),
            _label_fields(cells[block], None if stored is None else stored[block]),
        )
        rows = map(",".join, zip(*columns, strict=True))
        target.stream.write("".join(f"{row}\n" for row in rows).encode())


def _attributes(
    thing: Truth | Run, declared: str, features: polars.DataFrame | None
) -> list[tuple[str, str]]:
    """The names of all attributes and how each is declared; raises InputError if they clash."""
    others = [] if features is None else list(features.columns)
    both = sorted(set(others) & set(thing.concepts))
    if "" in others:
        raise InputError(f"feature {others.index('') + 1} has no name; name it")
    if both:
        raise InputError(f"features have the names of concepts: {first_ten(both)}; rename them")
    kinds = [] if features is None else _kinds(features)
    found = [*zip(others, kinds, strict=True), *((name, declared) for name in thing.concepts)]
    if thing.item_axis.ids is not None:
        return [(_word_for_items({name for name, _ in found}), "string"), *found]
    alike = [name for name, kind in found if kind == "string" and is_word_for_items(name)]
    if alike:
        raise InputError(f"features would be read as item ids: {first_ten(alike)}; rename them")
    return found


def _word_for_items(taken: set[str]) -> str:
    for word in ("item", *sorted(WORDS_FOR_ITEMS - {""})):
        if word not in taken:
            return word
    raise InputError(f"every word for items is taken, as {first_ten(sorted(taken))}; rename one")


def _label_fields(cells: NDArray[Any], stored: Bools | None) -> Iterator[Iterable[str]]:
    for place in range(cells.shape[1]):
        texts = list(map(repr, cells[:, place].tolist()))
        if stored is not None:
            there = stored[:, place].tolist()
            texts = [text if kept else MISSING for text, kept in zip(texts, there, strict=True)]
        yield texts


def _kinds(features: polars.DataFrame) -> list[str]:
    """How the columns of a frame are declared; raises InputError."""
    import polars

    found: list[str] = []
    for column in features:
        if column.dtype.is_integer() or column.dtype.is_float():
            finite = column.is_finite().all() if column.dtype.is_float() else True
            if not finite:
                raise InputError(
                    f"feature {shown(column.name)} is not finite everywhere; write null instead"
                )
            found.append("numeric")
        elif column.dtype == polars.String:
            found.append("string")
        elif column.dtype in (polars.Boolean, polars.Categorical, polars.Enum):
            found.append("{" + ",".join(map(quoted, _values(column))) + "}")
        else:
            raise InputError(
                f"feature {shown(column.name)} holds {column.dtype}, which ARFF does not; cast or "
                "drop it"
            )
    return found


def _values(column: polars.Series) -> list[str]:
    import polars

    if isinstance(column.dtype, polars.Enum):
        return list(column.dtype.categories)
    return sorted(column.cast(polars.String).drop_nulls().unique().to_list())


def _feature_fields(features: polars.DataFrame) -> Iterator[list[str]]:
    """The fields of each column, as text."""
    import polars

    for column in features:
        if column.dtype.is_integer() or column.dtype.is_float():
            yield [MISSING if value is None else repr(value) for value in column.to_list()]
        else:
            texts = column.cast(polars.String).to_list()
            yield [MISSING if text is None else quoted(text) for text in texts]
