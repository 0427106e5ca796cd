"""Which slices there are: items by what is known about them, concepts by frequency or branch.

Each value of an attribute is a slice. More than ten different numbers are cut into parts of about
as many items each, equal numbers always together, however they are written. What has no value is a
slice of its own, and so is what is called (missing).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal

import numpy as np

from cranfield.core.axes import Axis, is_missing
from cranfield.core.matrices import Floats, Ints
from cranfield.core.truth import Truth
from cranfield.core.unit_values import named_columns, unit_values
from cranfield.errors import InputError
from cranfield.knowledge import Known

Kind = Literal["items", "concepts"]

MISSING = "(missing)"
_FEW_NUMBERS = 10
"""Up to so many different numbers are a slice each: grades, years, numbers of a camera."""
_MOST = 50
"""Values of one attribute; with more it tells single items apart, not slices."""


@dataclass(frozen=True, eq=False)
class Slice:
    """Some items or some concepts of a truth."""

    attribute: str
    value: str
    kind: Kind
    members: Ints
    """Rows or columns of the truth."""


def cut(by: Any, truth: Truth, known: Known, bins: int) -> list[Slice]:
    """The slices that are asked for.

    by    {attribute: a value for each item, by position or by id}, a frame with a column for each
          attribute, "frequency" or "branches" of concepts, or several of these in a list
    bins  parts that many different numbers are cut into
    """
    if isinstance(by, str) or named_columns(by) is not None:
        by = [by]
    if not isinstance(by, Iterable):
        raise InputError(
            f"by={by!r}; give {{attribute: values of items}}, 'frequency' or 'branches'"
        )
    by_attribute: dict[str, list[Slice]] = {}

    def add(attribute: str, slices: list[Slice]) -> None:
        if attribute in by_attribute:
            raise InputError(
                f"attribute {attribute!r} was given twice; give each attribute a name of its own",
                about=("attribute", attribute),
            )
        by_attribute[attribute] = slices

    for source in by:
        columns = named_columns(source)
        if columns is not None:
            for attribute, values in columns:
                listed = _listed(attribute, values, truth.item_axis)
                add(attribute, _by_value(attribute, listed, "items", bins))
        elif isinstance(source, str) and source == "frequency":
            add("frequency", _by_frequency(truth, bins))
        elif isinstance(source, str) and source == "branches":
            add("branches", _by_branch(truth, known))
        else:
            raise InputError(
                f"by={source!r}; give {{attribute: values of items}}, a frame of attributes, "
                "'frequency' or 'branches'"
            )
    if not any(by_attribute.values()):
        raise InputError("there is nothing to slice by; give by= at least one attribute")
    return [part for slices in by_attribute.values() for part in slices]


def _listed(attribute: str, column: Any, axis: Axis) -> list[Any]:
    """A value for each item, in the order of the truth; None = there is none."""
    values = unit_values(f"attribute {attribute!r}", column, axis, may_lack=True)
    return values.tolist() if isinstance(values, np.ndarray) else values


def _by_value(
    attribute: str, values: Sequence[Any], kind: Kind, bins: int, few: int = _FEW_NUMBERS
) -> list[Slice]:
    """few  up to so many different numbers are a slice each"""
    there = np.array([not _is_missing(value) for value in values], dtype=np.bool_)
    present = [value for value in values if not _is_missing(value)]
    numbers = _numbers(present)
    if numbers is not None and len(np.unique(numbers)) > few:
        labels, names = _binned(numbers, bins)
    else:
        texts = _texts(present, numbers)
        names = sorted(set(texts), key=None if numbers is None else float)
        if len(names) > _MOST:
            raise InputError(
                f"attribute {attribute!r} has {len(names)} values, and {_MOST} is the limit, since "
                "slices of a few items tell nothing; group its values, or leave it out",
                about=("attribute", attribute),
            )
        indices = {name: index for index, name in enumerate(names)}
        labels = np.array([indices[text] for text in texts], dtype=np.int64)
    members = np.flatnonzero(there)
    slices = [
        Slice(attribute, name, kind, members[labels == index]) for index, name in enumerate(names)
    ]
    if not there.all():
        slices.append(Slice(attribute, MISSING, kind, np.flatnonzero(~there)))
    return slices


def _texts(values: Sequence[Any], numbers: Floats | None) -> list[str]:
    """What values are called; equal numbers alike, by the shortest way that one is written."""
    texts = [str(value) for value in values]
    if numbers is None:
        return texts
    shortest: dict[float, str] = {}
    for number, text in zip(numbers.tolist(), texts, strict=True):
        shortest[number] = min(shortest.get(number, text), text, key=lambda text: (len(text), text))
    return [shortest[number] for number in numbers.tolist()]


def _is_missing(value: Any) -> bool:
    return is_missing(value) or (isinstance(value, str) and value in ("", MISSING))


def _numbers(values: Sequence[Any]) -> Floats | None:
    """Values as numbers, if all of them are."""
    if any(isinstance(value, bool | np.bool_) for value in values):
        return None
    try:
        numbers = np.array([float(value) for value in values])
    except (TypeError, ValueError):
        return None
    return numbers if len(numbers) and np.isfinite(numbers).all() else None


def _binned(numbers: Floats, bins: int) -> tuple[Ints, list[str]]:
    """The part of each number, and what parts are called: [low, high), the last [low, high]."""
    least, second = np.unique(numbers)[:2]
    shares = np.linspace(0.0, 1.0, bins + 1)[1:-1]
    # Where most are the least number, the others are the second part.
    inner = np.unique(np.maximum(np.quantile(numbers, shares, method="higher"), second))
    indices = np.searchsorted(inner, numbers, side="right")
    edges = _distinct(np.array([least, *inner, numbers.max()]))
    names = [f"[{low}, {high})" for low, high in pairwise(edges)]
    names[-1] = names[-1].replace(")", "]")
    return indices.astype(np.int64), names


def _distinct(edges: Floats) -> list[str]:
    """Numbers with as few digits as tell them apart."""
    for digits in (4, 8, 17):
        names = [f"{edge:.{digits}g}" for edge in edges.tolist()]
        if len(set(names)) == len(names):
            return names
    return names


def _by_frequency(truth: Truth, bins: int) -> list[Slice]:
    """Concepts by how many items have them."""
    positives = truth.totals(0, truth.unjudged).positives
    return _by_value("frequency", positives.tolist(), "concepts", bins, few=bins)


def _by_branch(truth: Truth, known: Known) -> list[Slice]:
    """Concepts by the nodes right below the root of the ontology; one may stand below several."""
    ontology = known.ontology("slices by branches")
    hierarchy = ontology.hierarchy()
    above = [{name, *hierarchy.ancestors[name]} for name in known.on(truth.concept_axis).concepts]
    labels = {top: ontology.labels.get(top, top) for top in hierarchy.tops}
    shared = {label for label, count in Counter(labels.values()).items() if count > 1}
    slices = []
    for top, label in labels.items():
        members = np.flatnonzero([top in branch for branch in above])
        if len(members):
            name = f"{label} ({top})" if label in shared else label
            slices.append(Slice("branches", name, "concepts", members))
    return slices
