"""OWL, as far as it says something about labels.

Named classes are nodes; the id of a node is the last part of its IRI, percent-decoded. The class of
all things is the implied root, a deprecated class is none. What is read:

    subClassOf, equivalentClass        a named class is a parent; what intersectionOf joins holds
                                       one by one
    … someValuesFrom, cardinality ≥ 1  the class needs the class named beside it, or one of a
                                       unionOf; unionOf also joins several of these
    … equivalentClass of a unionOf,    the members stand below the class
      disjointUnionOf
    disjointWith, AllDisjointClasses,  at most one; pairs of which each two are disjoint make one
      disjointUnionOf                  group
    FunctionalProperty with a range    at most one of the classes of a unionOf, of the concepts
                                       below a category, or of those below a class that only lists
                                       its values: nothing stands below them
    rdfs:label                         what the node is called: without a language, or in English

A relation is taken to hold between labels of one item, so "Portrait has some Person" is "Portrait
needs Person". Where a class and what it needs are disjoint, as a pizza and its topping are, the
relation is one between two things and says nothing about labels. That, and what labels cannot
express (allValuesFrom, hasValue, complementOf …), is counted in `Ontology.ignored`. Words for what
OWL has none for are in `cranfield.knowledge.owl_writing`.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

from rdflib import OWL, RDF, RDFS, URIRef
from rdflib.term import Node

from cranfield.errors import first_ten
from cranfield.knowledge.hierarchy import Hierarchy, first_met
from cranfield.knowledge.ontology import Ontology
from cranfield.knowledge.owl_writing import GROUP, NAMESPACE, RELATION, TERMS
from cranfield.knowledge.reading.rdf import Statements, last_part
from cranfield.knowledge.reading.statements import cliques, name_of, outermost, suffix_of, text
from cranfield.knowledge.rules import Disjoint, Implication, Required

_BEFORE_XML = b"\xef\xbb\xbf\xff\xfe\0 \t\r\n"
"""Byte-order marks, halves of characters of UTF-16, and blanks."""


def read(path: Path, data: bytes) -> Ontology:
    """An ontology from the bytes of a file; what is no XML may be Turtle, whatever its ending."""
    is_turtle = suffix_of(path) == ".ttl" or not data.lstrip(_BEFORE_XML).startswith(b"<")
    if is_turtle:
        statements = Statements(path, text(path, data).encode(), "turtle")
    else:
        statements = Statements(path, data, "xml")
    return _Reading(statements).ontology()


def _own(term: str) -> URIRef:
    return URIRef(NAMESPACE + term)


class _Reading:
    """What was found so far in one file."""

    def __init__(self, statements: Statements) -> None:
        self.file = statements
        self.graph = statements.graph
        self.ignored: Counter[str] = Counter()
        self._require_own_terms()
        self.ids = self._declared()
        self.parents: dict[str, list[str]] = {name: [] for name in self.ids.values()}
        self.disjoint: list[tuple[str, ...]] = []
        self.implications: list[Implication] = []
        self.related: list[Implication] = []
        """Needs by a relation that may be one between two things."""

    def ontology(self) -> Ontology:
        for node, above in self._about_classes(RDFS.subClassOf):
            self._below(node, above)
        for node, same in self._about_classes(OWL.equivalentClass):
            self._equal(node, same)
        for node, members in self._about_classes(OWL.intersectionOf):  # as OWL 1 has it
            for member in self.file.members(members):
                self._below(node, member)
        for node, members in self._about_classes(OWL.unionOf, OWL.disjointUnionOf):
            self._consists_of(node, self.file.members(members))
        self._find_disjoint()

        hierarchy = Hierarchy({node: tuple(dict.fromkeys(up)) for node, up in self.parents.items()})
        concepts = self._concepts()
        self._find_functional(hierarchy, frozenset(concepts))
        return Ontology(
            hierarchy.parents,
            concepts=concepts,
            disjoint=tuple(map(Disjoint, self.disjoint)),
            implications=(*self.implications, *self._about_labels(hierarchy)),
            required=tuple(self._required()),
            dropped=self._dropped(),
            labels={
                name: label
                for node, name in self.ids.items()
                if (label := self.file.label(node)) is not None
            },
            name=name_of(self.file.path),
            ignored=dict(sorted(self.ignored.items())),
        )

    # ── classes ───────────────────────────────────────────────────────────────────────────────

    def _require_own_terms(self) -> None:
        used = {str(term) for term in self.graph.predicates()}
        used |= {str(kind) for kind in self.graph.objects(None, RDF.type)}
        own = {term for term in used if term.startswith(NAMESPACE)}
        unknown = own - {str(_own(term)) for term in TERMS}
        if unknown:
            self.file.refuse(
                f"{first_ten(sorted(unknown))}: no such words; there are {', '.join(TERMS)}"
            )

    def _declared(self) -> dict[Node, str]:
        """The ids of the named classes, in the order of the file."""
        ids: dict[Node, str] = {OWL.Thing: "", OWL.Nothing: ""}
        taken: dict[str, Node] = {}
        for kind in (OWL.Class, RDFS.Class):
            for node in self.graph.subjects(RDF.type, kind):
                if not isinstance(node, URIRef) or node in ids:
                    continue
                if self.file.is_true(node, OWL.deprecated):
                    self.ignored["deprecated class"] += 1
                    continue
                name = last_part(node)
                if not name:
                    self.file.refuse(f"the class {node} has no name after its last / or #; add one")
                if name in taken:
                    self.file.refuse(f"{taken[name]} and {node} are both {name!r}; rename one")
                ids[node], taken[name] = name, node
        if not taken:
            self.file.refuse("there is no named class in it; declare one with owl:Class")
        return {node: name for node, name in ids.items() if name}

    def _about_classes(self, *words: URIRef) -> Iterator[tuple[Node, Node]]:
        """Statements about classes that have a name; others are counted."""
        for word in words:
            for node, stated in self.graph.subject_objects(word):
                if node in self.ids:
                    yield node, stated
                elif not isinstance(node, URIRef):
                    if word in (RDFS.subClassOf, OWL.equivalentClass, OWL.disjointWith):
                        self.ignored[f"{last_part(word)} of an unnamed class"] += 1
                elif node != OWL.Thing and not self.file.is_true(node, OWL.deprecated):
                    self._id(node, f"{last_part(node)} {last_part(word)} {last_part(stated)}")

    def _id(self, node: Node, axiom: str) -> str:
        """The id of a class that an axiom speaks of."""
        if node not in self.ids:
            self.file.refuse(
                f"“{axiom}”: {node} is not declared as a class; declare it with owl:Class, or "
                "remove this statement (imports are not followed)"
            )
        return self.ids[node]

    def _concepts(self) -> tuple[str, ...]:
        """The classes that can be assigned, by position."""
        places: dict[str, float] = {}
        for node, name in self.ids.items():
            if not self.file.is_true(node, _own("category")):
                place = self.file.integer(node, _own("position"))
                places[name] = math.inf if place is None else place
        if not places:
            self.file.refuse("every class in it is a category; a concept is needed to assign")
        return tuple(sorted(places, key=places.__getitem__))

    # ── what stands above a class, and what it needs ──────────────────────────────────────────

    def _below(self, node: Node, above: Node) -> None:
        """A class stands below an expression."""
        for part in self.file.parts(above, OWL.intersectionOf):
            if not isinstance(part, URIRef):
                self._needs(node, part)
            elif part not in (OWL.Thing, node):
                axiom = f"{self.ids[node]} subClassOf {last_part(part)}"
                self.parents[self.ids[node]].append(self._id(part, axiom))

    def _equal(self, node: Node, same: Node) -> None:
        """A class is the same as an expression."""
        union = self.file.value(same, OWL.unionOf)
        if isinstance(same, URIRef):
            if same not in self.ids:
                self.ignored["equivalentClass outside the file"] += 1
            elif same != node:
                one, two = self.ids[node], self.ids[same]
                self.implications += [Implication(one, (two,)), Implication(two, (one,))]
        elif union is not None:
            self._consists_of(node, self.file.members(union))
        else:
            self._below(node, same)

    def _consists_of(self, node: Node, members: list[Node]) -> None:
        """A class is the union of others, which stand below it; it needs one of them."""
        axiom = f"{self.ids[node]} unionOf …"
        named = [self._id(one, axiom) for one in members if isinstance(one, URIRef)]
        for name in named:
            self.parents[name].append(self.ids[node])
        if named and len(named) == len(members):
            self.implications.append(Implication(self.ids[node], tuple(dict.fromkeys(named))))
        else:
            self.ignored["unionOf"] += 1

    def _needs(self, node: Node, expression: Node) -> None:
        """A class stands below an unnamed expression, which asks for something beside the class."""
        name = self.ids[node]
        needs: list[str] = []
        relations: set[Node] = set()
        for part in self.file.parts(expression, OWL.unionOf):
            relation, filler = self.file.asked_for(part)
            relations.add(relation or _own(RELATION))
            for one in self.file.parts(filler, OWL.unionOf):
                if not isinstance(one, URIRef) or one == OWL.Thing or self.file.is_datatype(one):
                    self.ignored[self.file.kind(part)] += 1
                    return
                axiom = f"{name} subClassOf ({last_part(relation or part)} some {last_part(one)})"
                needs.append(self._id(one, axiom))
        rule = Implication(name, tuple(dict.fromkeys(needs)))
        if name in needs:
            self.ignored["relation to the class itself"] += 1
        elif relations <= {_own(RELATION)}:
            self.implications.append(rule)
        else:
            self.related.append(rule)

    def _about_labels(self, hierarchy: Hierarchy) -> Iterator[Implication]:
        """Needs by relations, without those between a class and what is disjoint with it."""
        at_or_above = {node: {node, *up} for node, up in hierarchy.ancestors.items()}
        groups: dict[str, list[frozenset[str]]] = {}
        for group in map(frozenset, self.disjoint):
            for member in group:
                groups.setdefault(member, []).append(group)
        for rule in self.related:
            around = [(a, one) for a in at_or_above[rule.concept] for one in groups.get(a, ())]
            if all(any((one & at_or_above[n]) - {a} for a, one in around) for n in rule.needs):
                self.ignored["relation to what is disjoint"] += 1
            else:
                yield rule

    # ── groups ────────────────────────────────────────────────────────────────────────────────

    def _find_disjoint(self) -> None:
        pairs = []
        for node, other in self._about_classes(OWL.disjointWith):
            if isinstance(other, URIRef):
                axiom = f"{self.ids[node]} disjointWith {last_part(other)}"
                pairs.append((self.ids[node], self._id(other, axiom)))
            else:
                self.ignored["disjointWith an unnamed class"] += 1
        self.disjoint += cliques(pairs)
        for node in self.graph.subjects(RDF.type, OWL.AllDisjointClasses):
            for members in self.graph.objects(node, OWL.members):
                self._find_group(members, "AllDisjointClasses")
        for _, members in self.graph.subject_objects(OWL.disjointUnionOf):
            self._find_group(members, "disjointUnionOf")

    def _find_group(self, members: Node, axiom: str) -> None:
        listed = self.file.members(members)
        named = [self._id(one, f"{axiom} …") for one in listed if isinstance(one, URIRef)]
        if len(named) < len(listed):
            self.ignored[f"{axiom} with an unnamed class"] += 1
        if named:
            self.disjoint.append(tuple(named))

    def _find_functional(self, hierarchy: Hierarchy, concepts: frozenset[str]) -> None:
        """At most one of what a functional property can lead to."""
        below = hierarchy.children
        for relation in self.graph.subjects(RDF.type, OWL.FunctionalProperty):
            range_ = self.file.value(relation, RDFS.range)
            parts = [] if range_ is None else self.file.parts(range_, OWL.unionOf)
            group = tuple(self.ids[one] for one in parts if one in self.ids)
            is_whole = len(group) == len(parts)
            if len(group) == 1 and (group[0] not in concepts or _is_partition(group[0], below)):
                group = tuple(first_met(below[group[0]], below, concepts))
            group = outermost(hierarchy, group)
            if not is_whole or len(group) < 2:
                self.ignored["FunctionalProperty"] += 1
            elif not any({*group} <= {*known} for known in self.disjoint):
                self.disjoint.append(group)

    def _required(self) -> Iterator[Required]:
        for node in self.graph.subjects(RDF.type, _own(GROUP)):
            members = self.graph.objects(node, _own("member"))
            ids = tuple(self._id(one, f"{GROUP} of …") for one in members)
            if not ids:
                self.file.refuse(f"a group of type {GROUP} has no member; add some")
            yield Required(ids)

    def _dropped(self) -> dict[str, frozenset[str]]:
        found: dict[str, set[str]] = {}
        for node, tree in self.graph.subject_objects(_own("droppedIn")):
            found.setdefault(str(tree), set()).add(self._id(node, f"… droppedIn {tree}"))
        return {tree: frozenset(gone) for tree, gone in sorted(found.items())}


def _is_partition(node: str, below: Mapping[str, tuple[str, ...]]) -> bool:
    """Whether a class only lists values, as Spiciness does with Hot, Medium and Mild.

    What stands below other classes may overlap: one pizza may be a Margherita and cheesy.
    """
    return len(below[node]) > 1 and not any(below[value] for value in below[node])
