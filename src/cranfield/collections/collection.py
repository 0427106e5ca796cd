"""Collection: a truth with its name, what is known about its items and concepts, and its runs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from cranfield.core.truth import Truth
from cranfield.errors import InputError, first_ten, several
from cranfield.knowledge import Knowledge, Ontology

if TYPE_CHECKING:
    import polars

_OF_MATRICES = ("__len__", "__array__", "tocoo")
"""Lists and frames, arrays, sparse matrices have one of these."""


class Topic(NamedTuple):
    """What a topic asks for: in a few words, in a sentence, and what counts as relevant."""

    title: str = ""
    description: str = ""
    narrative: str = ""


@dataclass(frozen=True)
class Collection:
    """What systems are measured on."""

    truth: Truth
    name: str = "collection"
    runs: tuple[Path, ...] = ()
    """Runs found in the collection's folder: files, or folders of files."""
    thresholds: Mapping[str, float | Mapping[str, float]] = field(default_factory=dict)
    """By which some of these runs decide: one number, or one for each concept."""
    descriptions: Mapping[str, str] = field(default_factory=dict)
    """What concepts are called, where their ids are codes."""
    parents: Mapping[str, str] = field(default_factory=dict)
    """The broader concept of a concept, where the file holds a hierarchy."""
    features: polars.DataFrame | None = None
    """What systems may learn from: a row for each item of the truth."""
    splits: Mapping[str, str] = field(default_factory=dict)
    """The part that an item belongs to, such as "train" or "test"."""
    knowledge: Knowledge = field(default_factory=Knowledge)
    """What is known about its concepts: ontology, costs, relatedness, agreement."""
    topics: Mapping[str, Topic] = field(default_factory=dict)
    """What its concepts ask for, where they are topics of a search."""
    rest: frozenset[str] = frozenset()
    """The other items of the collection of which this is a part; runs may cover them."""

    def __repr__(self) -> str:
        (items, concepts), terms = self.truth.shape, self.truth.terms
        counted = f"{terms.several(items, 'item')}, {terms.several(concepts, 'concept')}"
        runs = f", {several(len(self.runs), 'run')}" if self.runs else ""
        return f"Collection({self.name!r}, {counted}{runs})"

    @property
    def items(self) -> tuple[str, ...]:
        return self.truth.items

    @property
    def concepts(self) -> tuple[str, ...]:
        return self.truth.concepts

    @property
    def ontology(self) -> Ontology | None:
        return self.knowledge.ontology

    def asking(self, topics: Mapping[str, Topic]) -> Collection:
        """The same collection with topics; their titles say what its concepts are called."""
        known = {name: topics[name] for name in self.concepts if name in topics}
        if not known:
            raise InputError(
                f"none of the topics {first_ten(topics)} is a concept of the truth, which has "
                f"{first_ten(self.concepts)}; check that they are numbered alike"
            )
        titles = {name: topic.title for name, topic in known.items() if topic.title}
        return replace(self, topics=known, descriptions={**titles, **self.descriptions})

    def select(
        self,
        *,
        split: str | None = None,
        items: Iterable[object] | None = None,
        concepts: Iterable[object] | None = None,
    ) -> Collection:
        """The items of one split, or some items, and some concepts, given by their ids.

        Runs that are read for the part, or evaluated on it, may cover the rest of the collection.
        """
        truth = self.truth.select(items=items, concepts=concepts)
        name = self.name
        if split is not None:
            chosen = [item for item in truth.items if self.splits.get(item) == split]
            if not self.splits:
                raise InputError(
                    f"{self.name} has no splits; write splits.csv (item,split) into its folder"
                )
            if not chosen:
                there = first_ten(sorted(set(self.splits.values())))
                raise InputError(f"no item is in a split {split!r}; there are: {there}")
            truth, name = truth.select(items=chosen), f"{name}/{split}"
        left = self.truth.item_axis.indices(truth.items)
        return replace(
            self,
            truth=truth,
            name=name,
            features=None if self.features is None else self.features[left],
            splits={}
            if split is not None
            else {item: self.splits[item] for item in truth.items if item in self.splits},
            rest=self.rest | frozenset(self.items).difference(truth.items),
        )


def as_collection(given: Any) -> Collection:
    """A collection of a truth, or of what a truth can be made of, such as a matrix or a frame."""
    if isinstance(given, Collection):
        return given
    if isinstance(given, Truth):
        return Collection(given)
    if isinstance(given, str | Path) or not any(hasattr(given, one) for one in _OF_MATRICES):
        raise InputError(
            "a Collection, a Truth or a matrix of labels is needed, not "
            f"{type(given).__name__}; read files with cf.read_collection"
        )
    return Collection(Truth(given))
