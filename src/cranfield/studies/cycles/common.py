"""What two cycles have in common, and what is left of each without the rest."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from cranfield.collections.collection import Collection, as_collection
from cranfield.collections.extra_items import covering
from cranfield.core.axes import Axis, Extra, Missing
from cranfield.core.matrices import Ints
from cranfield.core.run import Run
from cranfield.core.truth import Truth
from cranfield.errors import InputError
from cranfield.studies.altered_truths import Stage
from cranfield.studies.field import require_systems, systems_of


@dataclass(frozen=True, eq=False)
class Cycle:
    """A campaign: what was asked, and what systems answered."""

    truth: Truth | Collection
    runs: Iterable[Run]
    name: str = ""


class Side(NamedTuple):
    """A cycle as it came."""

    name: str
    collection: Collection
    runs: list[Run]


class Common(NamedTuple):
    """Ids of both; no items where they are not compared on any."""

    items: tuple[str, ...]
    concepts: tuple[str, ...]


@dataclass(frozen=True)
class Kept:
    """What is left of a cycle."""

    truth: Truth
    runs: list[Run]


def side_of(cycle: Cycle, place: int, extra: Extra = "error") -> Side:
    """The earlier cycle (0) or the later one (1), with a name and without random runs."""
    name = cycle.name or ("earlier", "later")[place]
    collection, runs = as_collection(cycle.truth), systems_of(cycle.runs)
    require_systems([run.name for run in runs], 1, of=name)
    return Side(name, collection, covering(collection, runs, extra))


def in_common(one: Truth, other: Truth) -> Common:
    """Ids that both truths have; sides without ids have nothing in common, and open truths do not
    list their items."""
    concepts = _shared(one.concept_axis, other.concept_axis)
    if not concepts:
        raise InputError(
            "the two cycles have no concept in common, so nothing can be compared; check that "
            "both name their concepts (concepts=), and alike"
        )
    items = () if one.open or other.open else _shared(one.item_axis, other.item_axis)
    return Common(items if len(items) > 1 else (), concepts)


def in_both(truths: Sequence[Truth], common: Common) -> Common:
    """Without concepts that one truth assigns to no item: that cycle would have no score of them,
    and means over different concepts do not compare."""
    held = np.all([truth.totals(0, truth.unjudged).positives > 0 for truth in truths], axis=0)
    concepts = tuple(
        name for name, is_held in zip(common.concepts, held.tolist(), strict=True) if is_held
    )
    if not concepts:
        raise InputError("no common concept is assigned to items of both cycles")
    return common._replace(concepts=concepts)


def _shared(one: Axis, other: Axis) -> tuple[str, ...]:
    if one.ids is None or other.ids is None:
        return ()
    return tuple(sorted(set(one.ids) & set(other.ids)))


def narrowed(side: Side, common: Common, missing: Missing) -> Kept:
    """What is left of a cycle."""
    truth = side.collection.truth
    columns = _places(truth.concept_axis, common.concepts)
    narrow, rows = truth, None
    if common.items:
        rows = _places(truth.item_axis, common.items)
        narrow = truth.part(rows)
    stage = Stage(narrow.of_concepts(columns), rows, columns)
    return Kept(stage.truth, [stage.of(run, truth, missing) for run in side.runs])


def _places(axis: Axis, names: tuple[str, ...]) -> Ints:
    return np.array([axis.positions[name] for name in names], dtype=np.int64)


def agreement_of(sides: Sequence[Side], common: Common) -> tuple[float, float]:
    """The share of common cells on which truths agree, and Cohen's κ."""
    if not common.items:
        return np.nan, np.nan
    one, other = (
        truth.labels[
            np.ix_(
                _places(truth.item_axis, common.items), _places(truth.concept_axis, common.concepts)
            )
        ]
        for truth in (side.collection.truth for side in sides)
    )
    agreed, density, rate = float(np.mean(one == other)), one.mean(), other.mean()
    chance = float(density * rate + (1 - density) * (1 - rate))
    return agreed, (agreed - chance) / (1 - chance) if chance < 1 else np.nan
