"""The hierarchy of Open Images: nested JSON of LabelName, Subcategory and Part.

What a node lists as Subcategory stands below it; a node that is listed several times has several
parents. A Part is a node as well, but no kind of what it is part of: unless it is a subcategory
elsewhere, it stands right below the outermost node, which is a category. The links from wholes to
parts are counted in `Ontology.ignored`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NoReturn

from cranfield.errors import FileError, first_ten
from cranfield.knowledge.ontology import Ontology
from cranfield.knowledge.reading.opening import name_of


def read(path: Path, outermost: Any) -> Ontology:
    """An ontology from the outermost node of a file."""
    root = _name(path, outermost, "the outermost node")
    above: dict[str, dict[str, None]] = {root: {}}
    parts = 0
    waiting = [outermost]
    for node in waiting:
        name = node["LabelName"]
        for kind in ("Subcategory", "Part"):
            for below in _listed(path, node, kind):
                found = above.setdefault(_name(path, below, f"a {kind} of {name!r}"), {})
                if kind == "Subcategory":
                    found[name] = None
                parts += kind == "Part"
                waiting.append(below)
    if len(above) == 1:
        _refuse(path, f"{root!r} has no Subcategory; a concept is needed below it")
    parents = {
        node: tuple(found) or (() if node == root else (root,)) for node, found in above.items()
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
        _refuse(path, f'{where} has no LabelName; write it as {{"LabelName": "/m/0bl9f"}}')
    return name


def _listed(path: Path, node: dict[str, Any], kind: str) -> list[Any]:
    found = node.get(kind, [])
    if not isinstance(found, list):
        _refuse(path, f"{kind} of {first_ten([node['LabelName']])} is no list; put it into [ ]")
    return found


def _refuse(path: Path, what: str) -> NoReturn:
    raise FileError(path, f"{what} (the hierarchy of Open Images is expected in a .json file)")
