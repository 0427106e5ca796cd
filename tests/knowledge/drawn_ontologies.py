"""Small random ontologies: a directed graph of categories and concepts, with rules of every kind.

And what it means to follow their rules, said again by sets and loops.
"""

from __future__ import annotations

from hypothesis import assume
from hypothesis import strategies as st

import cranfield as cf
from cranfield.knowledge import Disjoint, Implication, Ontology, Required

MOST = 7
"""Concepts, so that all label sets can be looked at."""


@st.composite
def ontologies(draw: st.DrawFn) -> Ontology:
    """Ids are no hint at the hierarchy; few of the ontologies forbid a concept altogether."""
    size = draw(st.integers(2, MOST + 3))
    nodes = draw(st.permutations([chr(ord("a") + i) for i in range(size)]))
    parents = {
        node: tuple(sorted(draw(st.sets(st.sampled_from(nodes[:i]), max_size=2)))) if i else ()
        for i, node in enumerate(nodes)
    }
    concepts = draw(st.sets(st.sampled_from(nodes), min_size=1, max_size=MOST))
    groups = st.lists(st.sampled_from(nodes), min_size=2, max_size=4, unique=True)
    stated = draw(st.lists(groups, max_size=3))
    needs = draw(st.lists(groups, max_size=3))
    expected = draw(st.lists(groups, max_size=2))
    try:
        return Ontology(
            parents,
            tuple(sorted(concepts)),
            disjoint=tuple(Disjoint(tuple(group)) for group in stated),
            implications=tuple(Implication(first, tuple(rest)) for first, *rest in needs),
            required=tuple(Required(tuple(group)) for group in expected),
        )
    except cf.InputError:
        assume(False)
        raise


def standing_for(onto: Ontology, node: str) -> set[str]:
    """The concepts whose presence means that a node is present."""
    if node in onto.concepts:
        return {node}
    return {one for one in onto.concepts if node in onto.hierarchy().ancestors[one]}


def follows(onto: Ontology, present: set[str], *, required: bool = False) -> bool:
    """Whether a label set over all concepts breaks no rule."""
    above = onto.hierarchy().ancestors
    for one in present:
        if not above[one] & set(onto.concepts) <= present:
            return False
    for rule in onto.disjoint:
        if sum(any(m == one or m in above[one] for one in present) for m in rule.members) > 1:
            return False
    for rule in onto.implications:
        if rule.concept in onto.concepts:
            asked = rule.concept in present
        else:
            asked = any(rule.concept in above[one] for one in present)
        if asked and not any(standing_for(onto, need) & present for need in rule.needs):
            return False
    for group in onto.required if required else ():
        enough = set().union(*(standing_for(onto, member) for member in group.members))
        if enough and not enough & present:
            return False
    return True
