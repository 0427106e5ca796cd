"""Vocabulary: concepts, how frequent they are, which exclude each other, and which of them hold.

A vocabulary is read from a CSV file, taken from the photo concepts that come with the package, or
drawn, also for the concepts of an ontology. Label cardinality (how many labels an item carries on
average) is the sum of the frequencies.

Labels follow from latent values, which `simulation` draws. A free concept holds where its value
exceeds a cut, and the value of an exclusive group picks its one member. Under an ontology a concept
may hold only where something holds of whatever it needs, and nothing that excludes it; its cut is
then a quantile among the items where it may hold, so that its frequency stays that of the
vocabulary. Since values depend on each other, this quantile has no formula: it is that of a pilot
sample. What the rules of an odd ontology still leave broken, such as required groups whose members
do not exclude each other, is repaired.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass, replace
from importlib.resources import as_file, files
from pathlib import Path
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from cranfield.core.matrices import Bools, Floats, Ints
from cranfield.errors import FileError, InputError, first_ten, several
from cranfield.knowledge import Ontology
from cranfield.knowledge.repair import nearest_labels
from cranfield.knowledge.rules import Constraints

PHOTO_ONTOLOGY = "pto2009"
"""The shipped ontology that knows the photo concepts."""
_DENSITY = 0.1
"""Label density of drawn concepts."""
_SKEW = 1.2
"""Standard deviation of the log odds of drawn frequencies: few common concepts, many rare ones."""


@dataclass(frozen=True)
class Vocabulary:
    """Concepts with their frequencies; of each group exactly one member holds for every item."""

    names: tuple[str, ...]
    frequencies: tuple[float, ...]
    groups: tuple[str, ...]
    """The exclusive group of each concept; "" = none."""

    def __post_init__(self) -> None:
        if not self.names:
            raise InputError("a vocabulary needs at least one concept")
        for name, frequency in zip(self.names, self.frequencies, strict=True):
            if not 0 < frequency < 1:
                raise InputError(
                    f"concept {first_ten([name])} has frequency {frequency}; give one in (0, 1)"
                )
        for group, members in self.members().items():
            total = sum(self.frequencies[index] for index in members)
            if abs(total - 1) > 1e-6:
                raise InputError(
                    f"the frequencies of group {first_ten([group])} add up to {total:g}; exactly "
                    "one member holds for each item, so make them add up to 1"
                )

    def __len__(self) -> int:
        return len(self.names)

    @property
    def cardinality(self) -> float:
        """How many labels an item carries on average."""
        return sum(self.frequencies)

    @property
    def free(self) -> list[int]:
        """Places of the concepts that belong to no group."""
        return [index for index, group in enumerate(self.groups) if not group]

    def members(self) -> dict[str, list[int]]:
        """Places of the concepts of each group."""
        members: dict[str, list[int]] = {}
        for index, group in enumerate(self.groups):
            if group:
                members.setdefault(group, []).append(index)
        return members

    def with_cardinality(self, wished: float) -> Vocabulary:
        """The same concepts with the odds of all free ones scaled until the cardinality fits."""
        free, groups = self.free, len(self.members())
        if not groups < wished < groups + len(free):
            raise InputError(
                f"a label cardinality of {wished:g} cannot be reached: each of "
                f"{several(groups, 'group')} adds one label and each of "
                f"{several(len(free), 'free concept')} less than one; wish for more "
                f"than {groups} and less than {groups + len(free)}"
            )
        scaled = _scaled(np.array([self.frequencies[index] for index in free]), wished - groups)
        frequencies = list(self.frequencies)
        for index, frequency in zip(free, scaled, strict=True):
            frequencies[index] = float(frequency)
        return replace(self, frequencies=tuple(frequencies))


def photo_concepts() -> Vocabulary:
    """The 53 concepts of the photo annotation task of ImageCLEF 2009, with made-up frequencies."""
    with as_file(files("cranfield.studies") / "data" / "photo_concepts.csv") as path:
        return read_vocabulary(path)


def draw_vocabulary(
    concepts: int, *, cardinality: float | None = None, seed: int = 0
) -> Vocabulary:
    """Concepts named c1, c2, … of uneven frequency, most of them rare; by default an item has a
    tenth of them."""
    if concepts < 1:
        raise InputError(f"{concepts} concepts were asked for; ask for at least one")
    stream = np.random.default_rng([seed, *b"vocabulary"])
    odds = np.exp(_SKEW * stream.standard_normal(concepts))
    digits = len(str(concepts))
    drawn = Vocabulary(
        names=tuple(f"c{index:0{digits}}" for index in range(1, concepts + 1)),
        frequencies=tuple(map(float, odds / (1 + odds))),
        groups=("",) * concepts,
    )
    return drawn.with_cardinality(_DENSITY * concepts if cardinality is None else cardinality)


def ontology_concepts(
    ontology: Ontology, *, cardinality: float | None = None, seed: int = 0
) -> Vocabulary:
    """The concepts of an ontology with drawn frequencies, those that need others below these.

    Required groups whose members exclude each other become exclusive groups. Without a cardinality
    an item has one label of each group and a tenth of all other labels.
    """
    constraints = ontology.constraints()
    random = np.random.default_rng([seed, *b"vocabulary"])
    frequencies = 1 / (1 + np.exp(-_SKEW * random.standard_normal(len(ontology.concepts))))
    groups = [""] * len(ontology.concepts)
    for rule, columns in constraints.required:
        if constraints.exclusive(columns) and not any(groups[column] for column in columns):
            frequencies[columns] /= frequencies[columns].sum()
            for column in columns:
                groups[column] = rule.members[0]
    for column in constraints.needed_first():
        for enough in constraints.needs.get(column, ()) if not groups[column] else ():
            frequencies[column] *= min(1.0, float(frequencies[enough].sum()))
    drawn = Vocabulary(ontology.concepts, tuple(map(float, frequencies)), tuple(groups))
    if cardinality is None:
        cardinality = len(drawn.members()) + _DENSITY * len(drawn.free)
    return drawn.with_cardinality(cardinality) if drawn.free else drawn


def read_vocabulary(path: str | Path) -> Vocabulary:
    """A CSV file with the columns concept, frequency and, if some exclude each other, group."""
    try:
        with open(path, encoding="utf-8-sig", newline="") as lines:
            rows = list(_rows(path, csv.DictReader(lines)))
    except OSError as error:
        raise FileError(path, f"cannot be read ({error.strerror})") from None
    except UnicodeDecodeError:
        raise FileError(path, "is not UTF-8 text; save it as UTF-8") from None
    names = [name for name, _, _ in rows]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise FileError(
            path, f"concept {first_ten([twice])} stands twice; give each concept one line"
        )
    try:
        return Vocabulary(*(tuple(column) for column in zip(*rows, strict=True)))
    except InputError as error:
        raise error.in_file(path) from None


def _rows(path: str | Path, reader: csv.DictReader[str]) -> Iterator[tuple[str, float, str]]:
    if not {"concept", "frequency"} <= set(reader.fieldnames or ()):
        raise FileError(
            path, "needs the header concept,frequency or concept,frequency,group", line=1
        )
    for row in reader:
        try:
            frequency = float(row["frequency"])
        except (TypeError, ValueError):
            raise FileError(
                path,
                f"frequency {first_ten([str(row['frequency'])])} is not a number; "
                "give one between 0 and 1",
                line=reader.line_num,
            ) from None
        yield row["concept"], frequency, row.get("group") or ""
    if reader.line_num < 2:
        raise FileError(path, "lists no concepts; give each one line: concept,frequency")


def _scaled(frequencies: Floats, total: float) -> Floats:
    """Frequencies whose odds are all multiplied by the one factor that makes them add up."""
    odds = frequencies / (1 - frequencies)
    low, high = -60.0, 60.0
    for _ in range(100):
        middle = (low + high) / 2
        reached = odds * np.exp(middle)
        reached /= 1 + reached
        low, high = (middle, high) if reached.sum() < total else (low, middle)
    return np.asarray(np.clip(reached, 1e-12, 1 - 1e-12))


# ── labels from latent values ────────────────────────────────────────────────────────────────────


Float32 = NDArray[np.float32]

_quantile = NormalDist().inv_cdf


@dataclass(frozen=True)
class _Gate:
    """Where a free concept may hold."""

    concept: int
    needs: tuple[Ints, ...]
    """Sets of concepts; of each, one must hold."""
    excluded_by: Ints

    def open(self, labels: Bools) -> Bools:
        """The items whose labels so far let the concept hold."""
        may_hold = np.logical_not(labels[:, self.excluded_by].any(axis=1))
        for alternatives in self.needs:
            may_hold &= labels[:, alternatives].any(axis=1)
        return may_hold


class Labelling:
    """Turns latent values, of all free concepts and then of all groups, into labels.

    pilot  latent values of a sample, from which cuts under rules are learnt
    """

    def __init__(
        self,
        vocabulary: Vocabulary,
        constraints: Constraints | None = None,
        pilot: Float32 | None = None,
    ) -> None:
        self._vocabulary = vocabulary
        self._constraints = constraints
        self._free = vocabulary.free
        self._value_of = {concept: value for value, concept in enumerate(self._free)}
        self._cuts = np.array(
            [_quantile(1 - vocabulary.frequencies[concept]) for concept in self._free],
            dtype=np.float32,
        )
        self._gates = [] if constraints is None else _gates(vocabulary, constraints)
        if pilot is not None:
            self._learn(pilot)

    def __call__(self, values: Float32) -> Bools:
        labels = self._ungated(values)
        for gate in self._gates:
            value = self._value_of[gate.concept]
            labels[:, gate.concept] = gate.open(labels) & (values[:, value] > self._cuts[value])
        if self._constraints is None:
            return labels
        return nearest_labels(self._constraints, labels, required=True)

    def _ungated(self, values: Float32) -> Bools:
        """Groups and free concepts, as if concepts below others did not hold."""
        words = self._vocabulary
        labels = np.zeros((len(values), len(words)), dtype=np.bool_)
        labels[:, self._free] = values[:, : len(self._free)] > self._cuts
        labels[:, [gate.concept for gate in self._gates]] = False
        for value, members in enumerate(words.members().values(), start=len(self._free)):
            shares = np.cumsum([words.frequencies[member] for member in members])[:-1]
            holds = np.searchsorted([_quantile(share) for share in shares], values[:, value])
            labels[np.arange(len(values)), np.array(members)[holds]] = True
        return labels

    def _learn(self, values: Float32) -> None:
        """Cut each gated concept so that it holds as often as it should."""
        labels = self._ungated(values)
        for gate in self._gates:
            may_hold = gate.open(labels)
            value = self._value_of[gate.concept]
            inside = values[may_hold, value]
            holding = round(self._vocabulary.frequencies[gate.concept] * len(values))
            # At its own frequency a concept without room holds wherever it may.
            self._cuts[value] = (
                np.partition(inside, -holding - 1)[-holding - 1]
                if holding < len(inside)
                else -np.inf
            )
            labels[:, gate.concept] = may_hold & (values[:, value] > self._cuts[value])


def _gates(vocabulary: Vocabulary, constraints: Constraints) -> list[_Gate]:
    """The gates of free concepts, those first that others need."""
    free = set(vocabulary.free)
    earlier = set(range(len(vocabulary))) - free
    gates = []
    for concept in (column for column in constraints.needed_first() if column in free):
        conflicts = set(np.flatnonzero(constraints.conflicts[concept]).tolist())
        excluded_by = np.array(sorted(conflicts & earlier), dtype=np.int64)
        needs = constraints.needs.get(concept, [])
        if needs or len(excluded_by):
            gates.append(_Gate(concept, tuple(needs), excluded_by))
        earlier.add(concept)
    return gates
