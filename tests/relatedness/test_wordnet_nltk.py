"""NLTK as oracle, over the same files: lookup of words, PATH, RES, LIN and JCN.

WUP and LCH differ by definition (docs/peers.md says how); the differences are claims too.
"""

from __future__ import annotations

import warnings
from typing import Any

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

PAIRS = 300


@pytest.fixture(scope="module")
def nltk_wordnet(wordnet: WordNet) -> Any:
    reader = pytest.importorskip("nltk.corpus.reader.wordnet")
    data = pytest.importorskip("nltk.data")
    folder = str(wordnet.database.folder)
    data.path.append(folder)  # NLTK reads nothing outside its folders of data

    class Reader(reader.WordNetCorpusReader):
        def map_wn(self, version: str = "") -> None:
            """No map to another WordNet, for which NLTK would want its own data."""

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return Reader(folder, None)


@pytest.fixture(scope="module")
def pairs(wordnet: WordNet, nltk_wordnet: Any) -> list[tuple[str, str, Any, Any]]:
    """Pairs of senses of nouns that SemCor has, each as a word and as a synset of NLTK."""
    rng = np.random.default_rng(7)
    counted = np.flatnonzero(wordnet.information("n").counts[:-1])
    chosen = rng.choice(counted, size=(PAIRS, 2))
    return [
        (*map(_sense(wordnet), pair), *map(_synset(wordnet, nltk_wordnet), pair)) for pair in chosen
    ]


def _sense(wordnet: WordNet) -> Any:
    def sense(row: int) -> str:
        lemma = wordnet.database.words(row)[0].lower()
        return f"{lemma}#n#{wordnet.database.senses(lemma, 'n').index(row) + 1}"

    return sense


def _synset(wordnet: WordNet, reader: Any) -> Any:
    offsets = wordnet.database.offsets
    return lambda row: reader.synset_from_pos_and_offset("n", int(offsets[row]))


@pytest.fixture(scope="module")
def counts(wordnet: WordNet) -> dict[str, dict[int, float]]:
    """Our counts in the form of NLTK's files of information content."""
    counted = wordnet.information("n").counts
    offsets = wordnet.database.offsets[: len(counted) - 1]
    return {"n": {0: counted[-1], **dict(zip(offsets.tolist(), counted.tolist(), strict=False))}}


def test_senses_of_words_are_nltks(wordnet: WordNet, nltk_wordnet: Any) -> None:
    rng = np.random.default_rng(3)
    rows = rng.choice(wordnet.database.rows["n"], size=200)
    words = [wordnet.database.words(row)[-1] for row in rows]
    for word in [*words, *(f"{word}s" for word in words), "geese", "glasses", "Dogs"]:
        expected = [synset.offset() for synset in nltk_wordnet.synsets(word, "n")]
        found = wordnet.senses.of(word, "n")
        assert wordnet.database.offsets[found].tolist() == list(dict.fromkeys(expected)), word


def test_path_is_nltks(wordnet: WordNet, pairs: list[tuple[str, str, Any, Any]]) -> None:
    path = ShortestPath(wordnet)
    for one, other, a, b in pairs:
        assert path.relatedness(one, other) == pytest.approx(a.path_similarity(b)), (one, other)


@pytest.mark.parametrize(
    ("source", "theirs"),
    [(Resnik, "res_similarity"), (Lin, "lin_similarity"), (JiangConrath, "jcn_similarity")],
)
def test_res_lin_and_jcn_of_senses_that_were_counted_are_nltks(
    wordnet: WordNet,
    pairs: list[tuple[str, str, Any, Any]],
    counts: dict[str, dict[int, float]],
    source: Any,
    theirs: str,
) -> None:
    ours = source(wordnet)
    for one, other, a, b in pairs:
        if a != b:
            expected = getattr(a, theirs)(b, counts)
            found = ours.relatedness(one, other)
            assert found == pytest.approx(expected, rel=1e-9, abs=1e-12), (one, other)


def test_lch_differs_from_nltk_by_the_depth_of_the_tree_alone(wordnet: WordNet) -> None:
    documented = 2.0281482472922856  # nltk.org/howto/wordnet.html, dog and cat; D = 19
    found = LeacockChodorow(wordnet).relatedness("dog#n#1", "cat#n#1")
    assert found == pytest.approx(documented + np.log(20 / 19))


def test_wup_counts_one_node_more_than_nltk_above_nouns(
    wordnet: WordNet, nltk_wordnet: Any
) -> None:
    dog, cat = nltk_wordnet.synset("dog.n.01"), nltk_wordnet.synset("cat.n.01")
    assert WuPalmer(wordnet).relatedness("dog#n#1", "cat#n#1") == pytest.approx(0.8667, abs=1e-4)
    assert dog.wup_similarity(cat) == pytest.approx(0.8571, abs=1e-4)
