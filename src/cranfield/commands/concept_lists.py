"""The concepts of a command: a list of ids, those of a truth or collection, or of an ontology."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from cranfield.errors import FileError, InputError
from cranfield.formats import folder, read_collection, read_concepts
from cranfield.formats.lines import number
from cranfield.formats.source import extension_of, opened
from cranfield.knowledge import Ontology
from cranfield.knowledge.reading import SHIPPED, is_ontology

_TABLES = (".csv", ".tsv", ".json")
"""Endings that ontologies share with truths."""


@dataclass(frozen=True)
class ConceptList:
    """Concepts, and what they are called where their ids are codes."""

    ids: tuple[str, ...]
    names: Mapping[str, str] = field(default_factory=dict)

    @property
    def words(self) -> dict[str, tuple[str, ...]]:
        """By which to look concepts up."""
        listed = set(self.ids)
        return {concept: (name,) for concept, name in self.names.items() if concept in listed}


def read_concept_list(source: str) -> ConceptList:
    """The concepts that a file, a folder or the name of an ontology stands for."""
    path = Path(source)
    if source in SHIPPED or (is_ontology(path) and extension_of(path) not in _TABLES):
        return _of_ontology(source)
    if folder.is_collection(path):
        listed, truth = folder.concepts_file(path), folder.truth_file(path)
    else:
        listed, truth = path if _is_list(path) else None, path
    return _of_truth(truth) if listed is None else ConceptList(read_concepts(listed))


def _of_ontology(source: str) -> ConceptList:
    ontology = Ontology.load(source)
    return ConceptList(ontology.concepts, ontology.labels)


def _of_truth(path: Path) -> ConceptList:
    """A truth; what can be none may be an ontology."""
    try:
        read = read_collection(path)
    except FileError as error:
        if not is_ontology(path):
            raise
        try:
            return _of_ontology(str(path))
        except InputError:
            raise error from None
    if read.truth.concept_axis.ids is None:
        raise FileError(
            path, "does not name its concepts; give a list of ids, one a line, or its folder"
        )
    return ConceptList(read.concepts, read.descriptions)


def _is_list(path: Path) -> bool:
    """Whether lines are ids: one thing each, not an item and its labels."""
    with opened(path) as source:
        lines = list(source.head_lines())
        if source.is_folder or not lines or b"\0" in source.head:
            return False
    return not any(b"," in line or b"\t" in line or _ends_in_number(line) for line in lines)


def _ends_in_number(line: bytes) -> bool:
    fields = line.split()
    return len(fields) > 1 and number(fields[-1]) is not None
