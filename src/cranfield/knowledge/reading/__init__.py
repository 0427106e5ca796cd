"""Reading ontologies: shipped ones by name, others from files.

One file for each format: OWL as RDF/XML or Turtle, OBO, the hierarchies of Open Images and
AudioSet, and tables of paths or of parents. What a file is, its ending says; gzip of any of them
will do. Nothing is fetched from anywhere: imports are not followed.
"""

from __future__ import annotations

import os
from functools import cache
from importlib import import_module
from pathlib import Path

from cranfield.errors import FileError, InputError
from cranfield.knowledge.ontology import Ontology
from cranfield.knowledge.reading.statements import content, name_of, suffix_of

SHIPPED = ("pto2009", "pto2010", "pto2011")
"""The three versions of the Photo Tagging Ontology (Nowak 2011 §5.5, Tables A.1 to A.3)."""

_READERS = {
    ".owl": "owl", ".rdf": "owl", ".xml": "owl", ".ttl": "owl", ".obo": "obo",
    ".json": "json_files", ".csv": "table", ".tsv": "table",
}  # fmt: skip
"""Which file reads which ending; imported when needed, since OWL needs rdflib."""


def is_ontology(path: Path) -> bool:
    """Whether a file's ending is that of an ontology."""
    return suffix_of(path) in _READERS


def load(source: str | Path) -> Ontology:
    """An ontology by the name of a shipped one, or from a file."""
    return _shipped(str(source)) if str(source) in SHIPPED else _read(source)


@cache
def _shipped(name: str) -> Ontology:
    return _read(Path(__file__).parents[1] / "data" / f"{name}.owl")


def _read(source: str | Path) -> Ontology:
    path = Path(source)
    endings = f"files end in {' '.join(_READERS)}, or these in .gz"
    choices = f"shipped are {', '.join(SHIPPED)}; {endings}"
    reader = _READERS.get(suffix_of(path))
    if reader is None:
        raise InputError(f"no ontology is called {str(source)!r}; {choices}")
    if not os.path.exists(path):  # asks without raising, whatever the name
        raise FileError(path, f"there is no such file; {choices}")
    try:
        ontology: Ontology = import_module(f"{__name__}.{reader}").read(path, content(path))
    except FileError:
        raise
    except InputError as error:
        raise FileError(path, str(error).removeprefix(f"{name_of(path)}: ")) from None
    return ontology
