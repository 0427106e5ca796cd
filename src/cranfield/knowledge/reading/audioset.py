"""AudioSet's ontology (Gemmeke et al. 2017): a JSON list of classes with id, name and child_ids.

A class that several others list has several parents. `restrictions` of "abstract" make a class a
category, which is never a label; all others are concepts. Descriptions and examples do not count.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NoReturn

from cranfield.errors import FileError, first_ten
from cranfield.knowledge.ontology import Ontology
from cranfield.knowledge.reading.opening import name_of


def read(path: Path, classes: list[Any]) -> Ontology:
    """An ontology from the classes of a file."""
    labels: dict[str, str] = {}
    abstract: set[str] = set()
    children: dict[str, list[str]] = {}
    for number, entry in enumerate(classes, 1):
        where = f"class {number} of the list"
        if not isinstance(entry, dict):
            _refuse(path, f"{where} is no object")
        name, label = entry.get("id"), entry.get("name", "")
        if not isinstance(name, str) or not name:
            _refuse(path, f"{where} has no id")
        if not isinstance(label, str):
            _refuse(path, f"the name of {first_ten([name])} is no text")
        if name in labels:
            _refuse(path, f"{first_ten([name])} stands there twice; keep one of the two")
        labels[name] = label
        children[name] = _texts(path, entry, name, "child_ids")
        if "abstract" in _texts(path, entry, name, "restrictions"):
            abstract.add(name)
    parents: dict[str, dict[str, None]] = {name: {} for name in labels}
    for name, below in children.items():
        for child in below:
            if child not in parents:
                _refuse(
                    path,
                    f"{first_ten([name])} lists {first_ten([child])}, which is no class here",
                )
            parents[child][name] = None
    if not labels:
        _refuse(path, "the list is empty")
    return Ontology(
        {name: tuple(above) for name, above in parents.items()},
        concepts=tuple(name for name in labels if name not in abstract),
        labels={name: label for name, label in labels.items() if label},
        name=name_of(path),
    )


def _texts(path: Path, entry: dict[str, Any], name: str, key: str) -> list[str]:
    found = entry.get(key, [])
    if not isinstance(found, list) or not all(isinstance(text, str) for text in found):
        _refuse(path, f"{key} of {first_ten([name])} is no list of texts")
    return found


def _refuse(path: Path, what: str) -> NoReturn:
    raise FileError(
        path,
        f'{what}; write classes like {{"id": "/m/09x0r", "name": "Speech", "child_ids": []}} '
        "(a list in a .json file is taken for the ontology of AudioSet)",
    )
