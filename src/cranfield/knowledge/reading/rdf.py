"""Statements of RDF/XML and Turtle; what rdflib refuses becomes an error with its line.

Nothing outside the file is read: rdflib does not follow imports, and Python's XML parser skips
external entities. Entities that grow beyond measure are refused.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import BytesIO
from pathlib import Path
from typing import NoReturn
from urllib.parse import unquote
from xml.parsers import expat

from rdflib import OWL, RDF, RDFS, XSD, Graph, Literal, URIRef
from rdflib.term import Node

from cranfield.errors import FileError

_BASE = "file:///ontology"
"""Stands for the file where it names itself; its own place on a disk is no part of an id."""

_PLACED = re.compile(r"\S*?:(\d+):\d+:\s*")
"""How errors of XML begin: file, line, column."""

_LONGEST_TEXT = 1 << 18
"""Characters between two tags."""


class Statements:
    """What one file says, and where to complain about it."""

    def __init__(self, path: Path, data: bytes, syntax: str) -> None:
        """syntax  "xml" or "turtle"."""
        self.path = path
        self.graph = Graph()
        if syntax == "xml":
            _require_modest_texts(path, data)
        try:
            with _quiet():
                self.graph.parse(BytesIO(data), format=syntax, publicID=_BASE)
        except Exception as error:  # rdflib lets through whatever its parsers stumble over
            what = "Turtle" if syntax == "turtle" else "RDF/XML"
            raise FileError(
                path,
                f"this is no {what}: {_reason(error)}; OWL is read as RDF/XML or Turtle: check "
                "the file, or save it so from its editor",
                line=_line(error),
            ) from None

    def refuse(self, what: str) -> NoReturn:
        raise FileError(self.path, what)

    def value(self, node: Node, word: URIRef) -> Node | None:
        return self.graph.value(node, word)

    def integer(self, node: Node, word: URIRef) -> int | None:
        """A number that is said about a node."""
        stated = self.value(node, word)
        if stated is None:
            return None
        number = getattr(stated, "value", None)
        if isinstance(number, bool) or not isinstance(number, int):
            self.refuse(f"{last_part(node)} has {last_part(word)} {str(stated)!r}; write a number")
        return number

    def is_true(self, node: Node, word: URIRef) -> bool:
        """Whether something is said to be so; what is not said is not so."""
        stated = self.value(node, word)
        if stated is None or str(stated).lower() in ("false", "0"):
            return False
        if str(stated).lower() not in ("true", "1"):
            self.refuse(f"{last_part(node)} has {last_part(word)} {str(stated)!r}; write true")
        return True

    def label(self, node: Node) -> str | None:
        """What a node is called, without a language or in English, as its id is as a rule."""
        labels = (
            (literal.language or "", str(literal))
            for literal in self.graph.objects(node, RDFS.label)
            if isinstance(literal, Literal) and (literal.language or "en").partition("-")[0] == "en"
        )
        return min(labels, default=(None,))[-1]

    def members(self, of: Node) -> list[Node]:
        """The members of a list."""
        if of != RDF.nil and self.value(of, RDF.first) is None:
            self.refuse(f"{str(of)!r} stands where a list of classes belongs; write ( … )")
        try:
            return list(self.graph.items(of))
        except ValueError:
            self.refuse("a list of classes contains itself; write it anew")

    def parts(self, expression: Node, joined_by: URIRef) -> list[Node]:
        """What an unnamed expression joins, however deep; otherwise it alone."""
        waiting, seen, leaves = [expression], {expression}, []
        for part in waiting:
            members = None if isinstance(part, URIRef) else self.value(part, joined_by)
            if members is None:
                leaves.append(part)
            else:
                fresh = [m for m in dict.fromkeys(self.members(members)) if m not in seen]
                seen.update(fresh)
                waiting += fresh
        return leaves

    def asked_for(self, part: Node) -> tuple[Node | None, Node]:
        """The relation of a restriction, and what it asks for; what is none asks for itself."""
        relation = self.value(part, OWL.onProperty)
        if relation is None:
            return None, part
        some = self.value(part, OWL.someValuesFrom)
        for word in (OWL.minQualifiedCardinality, OWL.qualifiedCardinality):
            if (self.integer(part, word) or 0) > 0:
                some = self.value(part, OWL.onClass)
        for word in (OWL.minCardinality, OWL.cardinality):
            if (self.integer(part, word) or 0) > 0:
                some = self.value(relation, RDFS.range)
        return relation, part if some is None else some

    def is_datatype(self, node: URIRef) -> bool:
        named = node == RDFS.Literal or node.startswith(str(XSD))
        return named or (node, RDF.type, RDFS.Datatype) in self.graph

    def kind(self, expression: Node) -> str:
        """What an expression is: the word of OWL that makes it so."""
        if isinstance(expression, Literal):
            return "text for a class"
        minor = (OWL.onProperty, OWL.onClass, RDF.type)
        words = (word for word in self.graph.predicates(expression) if word not in minor)
        return next(map(last_part, words), "unnamed class")


def last_part(iri: Node) -> str:
    """The fragment of an IRI, or the last part of its path, percent-decoded."""
    text = str(iri)
    mark = next((mark for mark in "#/" if mark in text), ":")
    return unquote(text.rpartition(mark)[-1])


def _require_modest_texts(path: Path, data: bytes) -> None:
    """Refuse long texts, which rdflib puts together from pieces in quadratic time.

    Entities make long texts, and many pieces, from short files; so there is a limit to their sum.
    """
    parser = expat.ParserCreate()
    parser.buffer_text = True
    most = 2 * len(data) + 4 * _LONGEST_TEXT
    here = total = 0

    def at_tag(*_: object) -> None:
        nonlocal here
        here = 0

    def at_text(text: str) -> None:
        nonlocal here, total
        here, total = here + len(text), total + len(text)
        if here > _LONGEST_TEXT or total > most:
            raise FileError(
                path,
                f"a text, with its entities, is longer than {_LONGEST_TEXT >> 10} Ki characters; "
                "shorten it",
                line=parser.CurrentLineNumber,
            )

    parser.StartElementHandler = parser.EndElementHandler = at_tag
    parser.CharacterDataHandler = at_text
    with suppress(expat.ExpatError, LookupError, ValueError):  # rdflib will stumble over it, too
        parser.Parse(data, True)


@contextmanager
def _quiet() -> Iterator[None]:
    """Without rdflib's remarks on odd IRIs and literals, which would go to standard error."""

    def none(_: logging.LogRecord) -> bool:
        return False

    log = logging.getLogger("rdflib.term")
    log.addFilter(none)
    try:
        yield
    finally:
        log.removeFilter(none)


def _line(error: Exception) -> int | None:
    """Where a parser stumbled, if it says so."""
    lines = getattr(error, "lines", None)  # of Turtle, counted from zero
    if isinstance(lines, int):
        return lines + 1
    placed = _PLACED.match(str(error))
    return int(placed[1]) if placed else None


def _reason(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    said = _PLACED.sub("", str(getattr(error, "_why", None) or error).strip())
    first = (said.splitlines() or [type(error).__name__])[0]
    return first.partition(";")[0][:200]
