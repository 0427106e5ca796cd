"""OBO, as far as it says something about labels.

Every [Term] is a node: `id` its id, `name` what it is called, `is_a` its parents. `disjoint_from`
makes pairs of which at most one may be present. The genus of `intersection_of` is a parent; what
sets the term apart from it, like any `relationship`, is between things and not labels, so it is
counted in `Ontology.ignored`, as are `union_of` and `equivalent_to`. Obsolete terms, other stanzas
and other tags are left out.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from cranfield.errors import FileError, first_ten
from cranfield.knowledge.ontology import Ontology
from cranfield.knowledge.reading.statements import Links, cliques, name_of, text
from cranfield.knowledge.rules import Disjoint

_STANZA = re.compile(r"\[([^\]]*)\]")
_COMMENT = re.compile(r"(?<!\\)(?:\\\\)*!")
_ESCAPE = re.compile(r"\\(.)")
_ESCAPED = {"n": "\n", "t": "\t", "W": " "}
_HOW_TO_ADD = "add a [Term] with this id"
_NOT_OF_LABELS = ("relationship", "union_of", "equivalent_to")


class _Clause(NamedTuple):
    line: int
    tag: str
    value: str


def read(path: Path, data: bytes) -> Ontology:
    """An ontology from the bytes of an OBO file."""
    links = Links(path)
    pairs: list[tuple[str, str, int]] = []
    labels: dict[str, str] = {}
    ignored: Counter[str] = Counter()
    for start, clauses in _terms(path, text(path, data)):
        if any(tag == "is_obsolete" and value == "true" for _, tag, value in clauses):
            ignored["obsolete term"] += 1
            continue
        node = _add_term(links, start, clauses)
        for line, tag, value in clauses:
            match tag:
                case "name":
                    labels[node] = value
                case "is_a":
                    links.add_link(node, value, line)
                case "intersection_of" if len(value.split()) == 1:
                    links.add_link(node, value, line)
                case "disjoint_from":
                    pairs.append((node, value, line))
                case "intersection_of":
                    ignored["intersection_of with a relation"] += 1
                case _ if tag in _NOT_OF_LABELS:
                    ignored[tag] += 1
    if not links.lines:
        raise FileError(path, "there is no [Term] in it that counts; is this an OBO file?")
    for node, other, line in pairs:
        links.require(other, f"{first_ten([node])} is disjoint from", line, _HOW_TO_ADD)
    return Ontology(
        links.parents(_HOW_TO_ADD),
        disjoint=tuple(map(Disjoint, cliques((node, other) for node, other, _ in pairs))),
        labels=labels,
        name=name_of(path),
        ignored=dict(sorted(ignored.items())),
    )


def _add_term(links: Links, start: int, clauses: list[_Clause]) -> str:
    """Take up a term by its id."""
    ids = [clause for clause in clauses if clause.tag == "id"]
    if not ids:
        links.refuse("this term has no id; add a line like “id: X:0001”", start)
    if len(ids) > 1:
        links.refuse("this term has a second id; remove one of them", ids[1].line)
    line, _, node = ids[0]
    if node in links.lines:
        links.refuse(
            f"{first_ten([node])} is a term on line {links.lines[node]} already; rename one", line
        )
    links.add_node(node, line)
    return node


def _terms(path: Path, content: str) -> Iterator[tuple[int, list[_Clause]]]:
    """Every [Term], with its line and what it says."""
    stanza, start = "", 0
    clauses: list[_Clause] = []
    for number, line in enumerate(content.split("\n"), 1):
        line = line.strip()
        opened = _STANZA.match(line)
        if opened:
            if stanza == "Term":
                yield start, clauses
            stanza, start, clauses = opened[1], number, []
        elif line and not line.startswith("!"):
            tag, colon, value = line.partition(":")
            if not colon:
                raise FileError(path, f"{first_ten([line])} is no “tag: value” line", line=number)
            clauses.append(_Clause(number, tag.strip(), _plain(value)))
    if stanza == "Term":
        yield start, clauses


def _plain(value: str) -> str:
    """A value without comment and modifiers, and with its escapes resolved."""
    comment = _COMMENT.search(value)
    if comment:
        value = value[: comment.end() - 1]
    value = value.strip()
    if value.endswith("}"):
        value = value[: value.rfind(" {")] if " {" in value else value
    return _ESCAPE.sub(lambda escape: _ESCAPED.get(escape[1], escape[1]), value.strip())
