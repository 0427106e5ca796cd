"""Ontologies in JSON: the nested hierarchy of Open Images, or the list of AudioSet's classes.

AudioSet's ontology (Gemmeke et al. 2017): a JSON list of classes with id, name and child_ids.

A class that several others list has several parents. `restrictions` of "abstract" make a class a
category, which is never a label; all others are concepts. Descriptions and examples do not count.

The hierarchy of Open Images: nested JSON of LabelName, Subcategory and Part.

What a node lists as Subcategory stands below it; a node that is listed several times has several
parents. A Part is a node as well, but no kind of what it is part of: unless it is a subcategory
elsewhere, it stands right below the outermost node, which is a category. The links from wholes to
parts are counted in `Ontology.ignored`.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NoReturn

from cranfield.errors import FileError, first_ten
from cranfield.knowledge.ontology import Ontology
from cranfield.knowledge.reading.statements import name_of, text


def read_audioset(path: Path, classes: list[Any]) -> Ontology:
    """An ontology from the classes of a file."""
    labels: dict[str, str] = {}
    abstract: set[str] = set()
    children: dict[str, list[str]] = {}
    for number, entry in enumerate(classes, 1):
        where = f"class {number} of the list"
        if not isinstance(entry, dict):
            _refuse_classes(path, f"{where} is no object")
        name, label = entry.get("id"), entry.get("name", "")
        if not isinstance(name, str) or not name:
            _refuse_classes(path, f"{where} has no id")
        if not isinstance(label, str):
            _refuse_classes(path, f"the name of {first_ten([name])} is no text")
        if name in labels:
            _refuse_classes(path, f"{first_ten([name])} stands there twice; keep one of the two")
        labels[name] = label
        children[name] = _texts(path, entry, name, "child_ids")
        if "abstract" in _texts(path, entry, name, "restrictions"):
            abstract.add(name)
    parents: dict[str, dict[str, None]] = {name: {} for name in labels}
    for name, below in children.items():
        for child in below:
            if child not in parents:
                _refuse_classes(
                    path,
                    f"{first_ten([name])} lists {first_ten([child])}, which is no class here",
                )
            parents[child][name] = None
    if not labels:
        _refuse_classes(path, "the list is empty")
    return Ontology(
        {name: tuple(above) for name, above in parents.items()},
        concepts=tuple(name for name in labels if name not in abstract),
        labels={name: label for name, label in labels.items() if label},
        name=name_of(path),
    )


def _texts(path: Path, entry: dict[str, Any], name: str, key: str) -> list[str]:
    texts = entry.get(key, [])
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        _refuse_classes(path, f"{key} of {first_ten([name])} is no list of texts")
    return texts


def _refuse_classes(path: Path, what: str) -> NoReturn:
    raise FileError(
        path,
        f'{what}; write classes like {{"id": "/m/09x0r", "name": "Speech", "child_ids": []}} '
        "(a list in a .json file is taken for the ontology of AudioSet)",
    )


def read_open_images(path: Path, outermost: Any) -> Ontology:
    """An ontology from the outermost node of a file."""
    root = _name(path, outermost, "the outermost node")
    above: dict[str, dict[str, None]] = {root: {}}
    parts = 0
    waiting = [outermost]
    for node in waiting:
        name = node["LabelName"]
        for kind in ("Subcategory", "Part"):
            for below in _listed(path, node, kind):
                upper = above.setdefault(_name(path, below, f"a {kind} of {name!r}"), {})
                if kind == "Subcategory":
                    upper[name] = None
                parts += kind == "Part"
                waiting.append(below)
    if len(above) == 1:
        _refuse_hierarchy(path, f"{root!r} has no Subcategory; a concept is needed below it")
    parents = {
        node: tuple(upper) or (() if node == root else (root,)) for node, upper in above.items()
    }
    return Ontology(
        parents,
        concepts=tuple(node for node in parents if node != root),
        name=name_of(path),
        ignored={"Part": parts} if parts else {},
    )


def _name(path: Path, node: Any, where: str) -> str:
    name = node.get("LabelName") if isinstance(node, dict) else None
    if not isinstance(name, str) or not name:
        _refuse_hierarchy(
            path, f'{where} has no LabelName; write it as {{"LabelName": "/m/0bl9f"}}'
        )
    return name


def _listed(path: Path, node: dict[str, Any], kind: str) -> list[Any]:
    members = node.get(kind, [])
    if not isinstance(members, list):
        _refuse_hierarchy(
            path, f"{kind} of {first_ten([node['LabelName']])} is no list; put it into [ ]"
        )
    return members


def _refuse_hierarchy(path: Path, what: str) -> NoReturn:
    raise FileError(path, f"{what} (the hierarchy of Open Images is expected in a .json file)")


def read(path: Path, data: bytes) -> Ontology:
    """An ontology from the bytes of a JSON file."""
    content = _parsed(path, text(path, data))
    if isinstance(content, list):
        return read_audioset(path, content)
    return read_open_images(path, content)


def _parsed(path: Path, content: str) -> Any:
    try:
        return json.loads(content)
    except json.JSONDecodeError as error:
        raise FileError(path, f"this is no JSON: {error.msg}", line=error.lineno) from None
    except RecursionError:
        raise FileError(path, "the JSON is nested too deeply; is this the right file?") from None
    except ValueError as error:  # such as a number of too many digits
        raise FileError(path, f"the JSON cannot be read ({error})") from None
