"""WUP and RES beside a literal reading of WordNet::Similarity's rule.

Every way of both senses to the root is listed; each pair of ways gives the first node that they
share; the deepest of these, or the one that says most, is the lcs.
"""

from __future__ import annotations

from functools import cache, cached_property

import numpy as np
import pytest

from cranfield.knowledge.relatedness.wordnet import Resnik, ShortestPath, WordNet, WuPalmer
from cranfield.knowledge.relatedness.wordnet.database import Rows

Way = tuple[int, ...]


class Literal:
    """The rule for nouns or verbs, pair by pair."""

    def __init__(self, wordnet: WordNet, part: str) -> None:
        self.taxonomy = wordnet.taxonomies[part]
        self.information = wordnet.information(part).values
        self.ways = cache(self._ways)

    @cached_property
    def parents(self) -> dict[int, list[int]]:
        parents: dict[int, list[int]] = {}
        links = zip(self.taxonomy.children.tolist(), self.taxonomy.parents.tolist(), strict=True)
        for child, parent in links:
            parents.setdefault(child, []).append(parent)
        return parents

    def _ways(self, node: int) -> list[Way]:
        """All ways to the root."""
        if node == self.taxonomy.root:
            return [(node,)]
        return [(node, *way) for parent in self.parents[node] for way in self.ways(parent)]

    def meetings(self, one: int, other: int) -> list[tuple[int, int]]:
        """Where each pair of ways meets first, and how many links that is."""
        meetings = []
        for way in self.ways(one):
            for rest in self.ways(other):
                links, node = next((j, node) for j, node in enumerate(rest) if node in way)
                meetings.append((node, links + way.index(node)))
        return meetings

    def distance(self, one: int, other: int) -> int:
        return min(links for _, links in self.meetings(one, other))

    def wup(self, one: int, other: int) -> set[float]:
        """The values of equally deep nodes: WordNet::Similarity takes any of them."""
        nodes = {node for node, _ in self.meetings(one, other)}
        depths = {node: min(map(len, self.ways(node))) for node in nodes}
        depth = max(depths.values())
        links = {
            self.distance(one, node) + self.distance(other, node)
            for node in nodes
            if depths[node] == depth
        }
        return {2 * depth / (2 * depth + both) for both in links}

    def res(self, one: int, other: int) -> float:
        return max(float(self.information[node]) for node, _ in self.meetings(one, other))


def test_wup_of_two_persons_does_not_go_over_what_persons_are(wordnet: WordNet) -> None:
    # organism is deeper than person, on its shortest way, but above it
    found = WuPalmer(wordnet).relatedness("book_agent#n#1", "Arius#n#1")
    assert found == pytest.approx(0.5263, abs=1e-4)


@pytest.mark.parametrize(("part", "size"), [("n", 40), ("v", 60)])
def test_wup_and_res_of_random_senses_are_those_of_the_literal_rule(
    wordnet: WordNet, part: str, size: int
) -> None:
    _check(wordnet, part, _random_nodes(wordnet, part, size))


@pytest.mark.slow
def test_wup_and_res_of_many_senses_are_those_of_the_literal_rule(wordnet: WordNet) -> None:
    _check(wordnet, "n", _random_nodes(wordnet, "n", 400))


def test_wup_and_res_of_persons_are_those_of_the_literal_rule(wordnet: WordNet) -> None:
    taxonomy = wordnet.taxonomies["n"]
    person = wordnet.senses.of("person#n#1", ("n",))[0] - taxonomy.first
    literal = Literal(wordnet, "n")
    rng = np.random.default_rng(23)
    candidates = rng.choice(taxonomy.root, size=2000, replace=False).tolist()
    persons = [node for node in candidates if any(person in way for way in literal.ways(node))]
    assert len(persons) > 100
    _check(wordnet, "n", np.array(persons[:60]))


def _random_nodes(wordnet: WordNet, part: str, size: int) -> Rows:
    """Half of them with several ways to the root."""
    literal = Literal(wordnet, part)
    rng = np.random.default_rng(size)
    nodes = rng.permutation(wordnet.taxonomies[part].root).tolist()
    several = [node for node in nodes if len(literal.ways(node)) > 1]
    return np.array([*several[: size // 2], *nodes[: size - size // 2]])


def _check(wordnet: WordNet, part: str, nodes: Rows) -> None:
    literal = Literal(wordnet, part)
    rows = np.unique(nodes) + wordnet.taxonomies[part].first
    everything = np.arange(len(rows))
    wup, res, path = (
        source(wordnet)._comparison(rows)(everything) for source in (WuPalmer, Resnik, ShortestPath)
    )
    nodes = rows - wordnet.taxonomies[part].first
    for i, one in enumerate(nodes.tolist()):
        for j, other in enumerate(nodes.tolist()):
            assert min(abs(wup[i, j] - value) for value in literal.wup(one, other)) < 1e-12
            assert res[i, j] == literal.res(one, other)
            assert path[i, j] == 1 / (1 + literal.distance(one, other))
    np.testing.assert_array_equal(wup, wup.T)
