"""Vocabulary: concepts, how frequent they are, and which of them exclude each other.

A vocabulary is read from a CSV file, taken from the photo concepts that come with the package, or
drawn, also for the concepts of an ontology. Label cardinality (how many labels an item carries on
average) is the sum of the frequencies. Nothing here draws labels; that is `simulation`.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass, replace
from importlib.resources import as_file, files
from pathlib import Path

import numpy as np

from cranfield.core.matrices import Floats
from cranfield.errors import FileError, InputError, first_ten, several
from cranfield.knowledge import Ontology

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
            total = sum(self.frequencies[place] for place in members)
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
        return [place for place, group in enumerate(self.groups) if not group]

    def members(self) -> dict[str, list[int]]:
        """Places of the concepts of each group."""
        found: dict[str, list[int]] = {}
        for place, group in enumerate(self.groups):
            if group:
                found.setdefault(group, []).append(place)
        return found

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
        scaled = _scaled(np.array([self.frequencies[place] for place in free]), wished - groups)
        frequencies = list(self.frequencies)
        for place, frequency in zip(free, scaled, strict=True):
            frequencies[place] = float(frequency)
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
        names=tuple(f"c{place:0{digits}}" for place in range(1, concepts + 1)),
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
        raise FileError(path, str(error)) from None


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
