"""PATH, LCH, WUP, RES, LIN and JCN: values that WordNet::Similarity gives, and conventions.

The values are those that the tests of WS4J, a port of WordNet::Similarity 2.05, expect of WordNet
3.0 with SemCor's counts.
"""

from __future__ import annotations

import lzma
from pathlib import Path

import numpy as np
import pytest

from cranfield.knowledge.relatedness.wordnet import (
    JiangConrath,
    LeacockChodorow,
    Lin,
    Resnik,
    ShortestPath,
    WordNet,
    WuPalmer,
)
from cranfield.knowledge.relatedness.wordnet.wordnet import WordNetSource

SOURCES = (ShortestPath, LeacockChodorow, WuPalmer, Resnik, Lin, JiangConrath)

PUBLISHED = [
    (ShortestPath, "cyclone#n#2", "hurricane#n#1", 0.5),
    (ShortestPath, "cyclone#n#1", "hurricane#n#1", 0.125),
    (ShortestPath, "migrate#v#1", "emigrate#v#1", 0.5),
    (ShortestPath, "chat#n", "talk#n", 0.3333),
    (LeacockChodorow, "cyclone#n#2", "hurricane#n#1", 2.9957),
    (LeacockChodorow, "cyclone#n#1", "hurricane#n#1", 1.6094),
    (LeacockChodorow, "migrate#v#1", "emigrate#v#1", 2.6391),
    (LeacockChodorow, "chat#v", "talk#v", 2.2335),
    (WuPalmer, "cyclone#n#2", "hurricane#n#1", 0.9565),
    (WuPalmer, "cyclone#n#1", "hurricane#n#1", 0.6957),
    (WuPalmer, "migrate#v#2", "emigrate#v#1", 0.5714),
    (WuPalmer, "chat#v", "talk#v", 0.8333),
    (Resnik, "cyclone#n#2", "hurricane#n#1", 10.6671),
    (Resnik, "cyclone#n#1", "hurricane#n#1", 6.5400),
    (Resnik, "chat#n", "talk#n", 7.9156),
    (Lin, "cyclone#n#2", "hurricane#n#1", 0.9813),
    (Lin, "cyclone#n#1", "hurricane#n#1", 0.0),
    (Lin, "chat#n", "talk#n", 0.8144),
    (JiangConrath, "cyclone#n#2", "hurricane#n#1", 2.4663),
    (JiangConrath, "cyclone#n#1", "hurricane#n#1", 0.0),
    (JiangConrath, "chat#n", "talk#n", 0.2773),
]


@pytest.mark.parametrize(("source", "one", "other", "expected"), PUBLISHED)
def test_values_are_those_of_wordnet_similarity(
    wordnet: WordNet, source: type[WordNetSource], one: str, other: str, expected: float
) -> None:
    assert source(wordnet).relatedness(one, other) == pytest.approx(expected, abs=1.01e-4)


@pytest.mark.parametrize("source", SOURCES)
def test_the_order_of_two_words_does_not_matter(
    wordnet: WordNet, source: type[WordNetSource]
) -> None:
    related = source(wordnet)
    assert related.relatedness("dog", "bicycle") == related.relatedness("bicycle", "dog")


@pytest.mark.parametrize("source", SOURCES)
def test_a_table_holds_what_pairs_give(wordnet: WordNet, source: type[WordNetSource]) -> None:
    words = ["dog", "cat", "xyzzy", "run#v", "person", "still life", "entity", "go#v#1"]
    related = source(wordnet)
    expected = [[related.relatedness(one, other) for other in words] for one in words]
    np.testing.assert_array_equal(related.table(words), expected)


@pytest.mark.parametrize("source", SOURCES)
def test_words_without_senses_to_compare_are_related_to_nothing(
    wordnet: WordNet, source: type[WordNetSource]
) -> None:
    related = source(wordnet)
    assert np.isnan(related.relatedness("dog", "xyzzy"))
    assert np.isnan(related.relatedness("dog", "sunny")), "an adjective has no hypernyms"
    assert np.isnan(related.relatedness("dog#n", "go#v")), "no noun is above a verb"
    assert not related.covers("sunny")


def test_the_best_pair_of_senses_counts(wordnet: WordNet) -> None:
    path = ShortestPath(wordnet)
    pairs = [
        path.relatedness(f"bank#n#{i}", f"slope#n#{j}") for i in range(1, 11) for j in range(1, 3)
    ]
    assert path.relatedness("bank", "slope") == max(pairs)


def test_the_depth_of_the_tree_is_20_for_nouns_and_14_for_verbs(wordnet: WordNet) -> None:
    assert wordnet.taxonomies["n"].height == 20
    assert wordnet.taxonomies["v"].height == 14
    lch = LeacockChodorow(wordnet)
    assert lch.relatedness("dog#n#1", "dog#n#1") == pytest.approx(np.log(40))


def test_verbs_of_different_trees_meet_at_the_virtual_root(wordnet: WordNet) -> None:
    assert ShortestPath(wordnet).relatedness("breathe#v#1", "be#v#1") == pytest.approx(1 / 3)
    assert Resnik(wordnet).relatedness("breathe#v#1", "be#v#1") == 0.0
    assert Lin(wordnet).relatedness("breathe#v#1", "be#v#1") == 0.0


def test_jcn_of_a_sense_and_itself_is_the_inverse_of_a_tiny_distance(wordnet: WordNet) -> None:
    total = wordnet.information("n").total
    expected = 1 / -np.log((total - 0.01) / total)
    assert JiangConrath(wordnet).relatedness("dog#n#1", "dog#n#1") == pytest.approx(expected)


@pytest.mark.parametrize("source", [Resnik, Lin, JiangConrath])
def test_a_sense_that_was_never_counted_is_not_related_to_itself(
    wordnet: WordNet, source: type[WordNetSource]
) -> None:
    assert source(wordnet).relatedness("cyclone#n#1", "cyclone#n#1") == 0.0


COUNTS = Path(__file__).parents[3] / "shared/data/relatedness/ic-semcor.dat.xz"


@pytest.mark.skipif(not COUNTS.exists(), reason="the data of shared/ is not here")
def test_counts_of_all_nouns_are_those_of_wordnet_similarity(wordnet: WordNet) -> None:
    lines = lzma.decompress(COUNTS.read_bytes()).decode().splitlines()[1:]
    theirs = dict(line.split()[:2] for line in lines if line.split()[0].endswith("n"))
    counts = wordnet.information("n").counts[:-1].tolist()
    offsets = wordnet.database.offsets[: len(counts)].tolist()
    assert len(theirs) == len(counts) == 82_115
    for offset, count in zip(offsets, counts, strict=True):
        assert float(theirs[f"{offset}n"]) == count


def test_concepts_become_a_map_that_says_where_it_comes_from(wordnet: WordNet) -> None:
    related = WuPalmer(wordnet).matrix(["Dog", "Citylife", "Trees"], {"Citylife": ["city", "town"]})
    assert related.map.name == "WUP"
    assert related.map.provenance.source == "WUP of WordNet 3.0"
    assert str(related.coverage) == "3 of 3 concepts known"
    assert np.diag(related.map.values).tolist() == [1.0, 1.0, 1.0]


def test_senses_at_distance_zero_are_one_and_the_same_to_jcn_only(wordnet: WordNet) -> None:
    words = ["bovine#n#1", "cattle#n#1", "car#n#1"]  # of all bovines, SemCor counts cattle alone
    for kind, same in ((JiangConrath, True), (Lin, False)):
        found = kind(wordnet).matrix(words).map.same
        assert found[0, 1] == found[1, 0] == same
        assert not found[:2, 2].any()
