"""Writing ontologies as OWL, in RDF/XML or Turtle; what is read again has the same digest.

Ids are percent-encoded into IRIs, so that any id can be written. Classes, and the rules after them,
stand in the order of the ontology; equal ontologies in equal order give equal files.

Words of our own in OWL files, for what OWL has no word for.

category    true: the class only gives order and cannot be assigned
position    the place of a class among the concepts; those without one follow, as they stand
droppedIn   the name of a tree that leaves the category out
AtLeastOne  a node of this type names, by `member`, a group of which one label is expected
member      a class of such a group
beside      X subClassOf (beside some Y): the label X needs the label Y
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote
from xml.sax.saxutils import escape

from cranfield.core.atomic_write import replaced
from cranfield.errors import FileError

if TYPE_CHECKING:
    from cranfield.knowledge.ontology import Ontology


PREFIX = "cranfield"
NAMESPACE = "urn:cranfield:vocabulary#"

PROPERTIES = ("category", "position", "droppedIn", "member")
"""Those that annotate classes and groups."""
GROUP = "AtLeastOne"
RELATION = "beside"
TERMS = (*PROPERTIES, GROUP, RELATION)


ENDINGS = (".owl", ".rdf", ".xml", ".ttl")

_PREFIXES = {
    "owl": "http://www.w3.org/2002/07/owl#",
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
    PREFIX: NAMESPACE,
}
_NOT_IN_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class Iri(NamedTuple):
    """A resource by its address."""

    address: str


class Thing(NamedTuple):
    """A resource and what is said about it; without an address, it stands where it is used."""

    kind: str
    statements: Sequence[tuple[str, Value]] = ()
    address: str | None = None


Value = bool | int | str | Iri | Thing | list[Iri]


def write(ontology: Ontology, path: str | Path) -> None:
    """Write an ontology: Turtle for .ttl, RDF/XML for .owl, .rdf and .xml."""
    path = Path(path)
    ending = path.suffix.lower()
    if ending not in ENDINGS:
        raise FileError(path, f"ontologies are written to {', '.join(ENDINGS)}; choose one of them")
    things = _things(ontology)
    text = _turtle(things) if ending == ".ttl" else _rdf_xml(things, path)
    with replaced(path) as file:
        file.write(text.encode())


# ── what to say ───────────────────────────────────────────────────────────────────────────────


def _things(ontology: Ontology) -> Iterator[Thing]:
    base = f"urn:cranfield:{quote(ontology.name, safe='')}"

    def iri(node: str) -> Iri:
        return Iri(f"{base}#{quote(node, safe='')}")

    def one_of(nodes: Sequence[str]) -> Value:
        union = Thing("owl:Class", [("owl:unionOf", [iri(node) for node in nodes])])
        return iri(nodes[0]) if len(nodes) == 1 else union

    yield Thing("owl:Ontology", address=base)
    for term in PROPERTIES:
        yield Thing("owl:AnnotationProperty", address=NAMESPACE + term)
    yield Thing("owl:ObjectProperty", address=NAMESPACE + RELATION)

    position = {concept: i for i, concept in enumerate(ontology.concepts)}
    needs: dict[str, list[Thing]] = {}
    for rule in ontology.implications:
        beside: list[tuple[str, Value]] = [
            ("owl:onProperty", Iri(NAMESPACE + RELATION)),
            ("owl:someValuesFrom", one_of(rule.needs)),
        ]
        needs.setdefault(rule.concept, []).append(Thing("owl:Restriction", beside))
    for node, parents in ontology.parents.items():
        statements: list[tuple[str, Value]] = []
        if node in ontology.labels:
            statements.append(("rdfs:label", ontology.labels[node]))
        statements += [("rdfs:subClassOf", iri(parent)) for parent in parents]
        statements += [("rdfs:subClassOf", restriction) for restriction in needs.get(node, ())]
        if node in position:
            statements.append((f"{PREFIX}:position", position[node]))
        else:
            statements.append((f"{PREFIX}:category", True))
        trees = sorted(tree for tree, gone in ontology.dropped.items() if node in gone)
        statements += [(f"{PREFIX}:droppedIn", tree) for tree in trees]
        yield Thing("owl:Class", statements, iri(node).address)
    for group in ontology.disjoint:
        yield Thing("owl:AllDisjointClasses", [("owl:members", [iri(m) for m in group.members])])
    for expected in ontology.required:
        members = [(f"{PREFIX}:member", iri(member)) for member in expected.members]
        yield Thing(f"{PREFIX}:{GROUP}", members)


# ── RDF/XML ───────────────────────────────────────────────────────────────────────────────────


def _rdf_xml(things: Iterator[Thing], path: Path) -> str:
    spaces = "".join(f'\n    xmlns:{prefix}="{space}"' for prefix, space in _PREFIXES.items())
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', f"<rdf:RDF{spaces}>"]
    for thing in things:
        lines += _element(thing, "    ")
    text = "\n".join([*lines, "</rdf:RDF>", ""])
    foreign = _NOT_IN_XML.search(text)
    if foreign:
        raise FileError(path, f"a label holds {foreign[0]!r}, which XML cannot; write a .ttl file")
    return text


def _element(thing: Thing, indent: str) -> Iterator[str]:
    about = "" if thing.address is None else f' rdf:about="{thing.address}"'
    if not thing.statements:
        yield f"{indent}<{thing.kind}{about}/>"
        return
    yield f"{indent}<{thing.kind}{about}>"
    for name, value in thing.statements:
        yield from _property(name, value, indent + "    ")
    yield f"{indent}</{thing.kind}>"


def _property(name: str, value: Value, indent: str) -> Iterator[str]:
    match value:
        case bool():
            yield f'{indent}<{name} rdf:datatype="{_PREFIXES["xsd"]}boolean">true</{name}>'
        case int():
            yield f'{indent}<{name} rdf:datatype="{_PREFIXES["xsd"]}integer">{value}</{name}>'
        case str():
            # A bare carriage return would come back as a newline.
            yield f"{indent}<{name}>{escape(value, {chr(13): '&#13;'})}</{name}>"
        case Iri():
            yield f'{indent}<{name} rdf:resource="{value.address}"/>'
        case Thing():
            yield f"{indent}<{name}>"
            yield from _element(value, indent + "    ")
            yield f"{indent}</{name}>"
        case list():
            yield f'{indent}<{name} rdf:parseType="Collection">'
            for one in value:
                yield f'{indent}    <rdf:Description rdf:about="{one.address}"/>'
            yield f"{indent}</{name}>"


# ── Turtle ────────────────────────────────────────────────────────────────────────────────────


def _turtle(things: Iterator[Thing]) -> str:
    lines = [f"@prefix {prefix}: <{space}> ." for prefix, space in _PREFIXES.items()]
    for thing in things:
        statements = [f"{name} {_term(value)}" for name, value in thing.statements]
        subject = "[]" if thing.address is None else f"<{thing.address}>"
        lines += ["", " ;\n    ".join([f"{subject} a {thing.kind}", *statements]) + " ."]
    return "\n".join([*lines, ""])


def _term(value: Value) -> str:
    match value:
        case bool():
            return "true"
        case int():
            return str(value)
        case str():
            # JSON escapes what Turtle must escape, in the same way; other characters stay.
            return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
        case Iri():
            return f"<{value.address}>"
        case Thing():
            statements = [f"{name} {_term(one)}" for name, one in value.statements]
            return f"[ {' ; '.join([f'a {value.kind}', *statements])} ]"
        case list():
            return f"( {' '.join(map(_term, value))} )"


# ── the file ──────────────────────────────────────────────────────────────────────────────────
