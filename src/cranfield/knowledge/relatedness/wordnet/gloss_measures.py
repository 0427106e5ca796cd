"""Relatedness by glosses: LESK by common phrases, VECTOR by the company of words.

Common phrases of the glosses around synsets, for all pairs of synsets at once.

Two texts score the squared length of each phrase that they have in common. A phrase of n words
holds n single words, n − 1 pairs of neighbours, n − 2 triples, and so on; n² is the number of its
words plus twice that of all longer pieces. So the score of two texts is that of the pieces they
share, each as often as it stands in both, and no phrase need be searched for. This is the same as
taking the longest phrases out one by one, except where texts repeat parts of their phrases.

A piece stands in both texts min(c, d) times: once for each k ≤ c, d. So the sum over all pairs of
texts of two synsets is a product of vectors: for each piece and k, how many texts of a synset have
that piece at least k times.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from importlib.resources.abc import Traversable
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Literal, NamedTuple

import numpy as np

from cranfield.core.matrices import Floats
from cranfield.errors import InputError
from cranfield.knowledge.maps import Provenance
from cranfield.knowledge.relatedness.wordnet.database import Rows
from cranfield.knowledge.relatedness.wordnet.glosses import STOP_LISTS, Glosses, Phrase
from cranfield.knowledge.relatedness.wordnet.taxonomy import Neighbours
from cranfield.knowledge.relatedness.wordnet.wordnet import Compare, WordNet, WordNetSource

_FREQUENT = 64
"""Rows that share a column from which on it is cheaper to multiply it as if it had no zeros."""
_COLUMNS = 2048


def gram(rows: Rows, columns: Rows, values: Floats, weights: Floats, size: int) -> Floats:
    """(size, size) products of all pairs of rows.

    rows, columns, values  of the entries that are not 0, each cell once
    weights                of columns
    """
    order = np.argsort(columns, kind="stable")
    rows, columns, values = rows[order], columns[order], values[order]
    frequent = np.bincount(columns, minlength=len(weights))[columns] > _FREQUENT
    product = _dense(rows[frequent], columns[frequent], values[frequent], weights, size)
    rare = ~frequent
    _add_pairs(product, rows[rare], columns[rare], values[rare], weights)
    return product


def _dense(rows: Rows, columns: Rows, values: Floats, weights: Floats, size: int) -> Floats:
    used, places = np.unique(columns, return_inverse=True)
    product = np.zeros((size, size))
    for first in range(0, len(used), _COLUMNS):
        here = (places >= first) & (places < first + _COLUMNS)
        block = np.zeros((size, min(_COLUMNS, len(used) - first)))
        block[rows[here], places[here] - first] = values[here]
        product += (block * weights[used[first : first + _COLUMNS]]) @ block.T
    return product


def _add_pairs(product: Floats, rows: Rows, columns: Rows, values: Floats, weights: Floats) -> None:
    """Add what entries of one column contribute; they stand together."""
    np.add.at(product, (rows, rows), values * values * weights[columns])
    for gap in range(1, _FREQUENT):
        pairs = np.flatnonzero(columns[gap:] == columns[:-gap])
        one, other = pairs, pairs + gap
        shares = values[one] * values[other] * weights[columns[one]]
        np.add.at(product, (rows[one], rows[other]), shares)
        np.add.at(product, (rows[other], rows[one]), shares)


_GROUPS = ("around", "own", "definition", "names")
_SIGNS = np.array([1.0, 1.0, -1.0, -1.0])
"""Within a group, all texts of one synset meet all of the other: definitions of the synset and of
those around it; its own definition, examples and names. Definitions meet in both of these groups,
and names should not meet names: the last two groups take that off again."""


class _Text(NamedTuple):
    synset: int
    """Its place among the rows."""
    group: int
    phrases: Sequence[Phrase]


def overlaps(glosses: Glosses, rows: Rows) -> Floats:
    """The scores of all pairs of some synsets."""
    texts = list(_texts(glosses, rows))
    synset = np.array([text.synset for text in texts])
    group = np.array([text.group for text in texts])
    numbers: dict[Phrase, int] = {}
    phrase = [numbers.setdefault(one, len(numbers)) for text in texts for one in text.phrases]
    pieces, words = _pieces(list(numbers))
    place, piece = pieces.of(np.array(phrase, dtype=np.int64))
    text = np.repeat(np.arange(len(texts)), [len(one.phrases) for one in texts])[place]
    (text, piece), times = _distinct(text, piece)
    each = np.repeat(np.arange(len(times)), times)
    kth = np.arange(len(each)) - np.repeat(np.cumsum(times) - times, times)
    cells, having = _distinct(synset[text[each]], group[text[each]], piece[each], kth)
    (groups, shared, _), column = _numbered(*cells[1:])
    weights = _SIGNS[groups] * np.where(shared < words, 1.0, 2.0)
    return gram(cells[0], column, having.astype(np.float64), weights, len(rows))


def _texts(glosses: Glosses, rows: Rows) -> Iterator[_Text]:
    around, own, definition, names = range(len(_GROUPS))
    for related in glosses.related.values():
        place, other = related.of(rows)
        for i, some in _grouped(place, other):
            yield _Text(i, around, [glosses.definition(row) for row in dict.fromkeys(some)])
    for i, row in enumerate(rows.tolist()):
        for group in (around, own, definition):
            yield _Text(i, group, [glosses.definition(row)])
        yield _Text(i, own, glosses.examples(row))
        for group in (own, names):
            yield _Text(i, group, glosses.names(row))


def _grouped(keys: Rows, values: Rows) -> Iterator[tuple[int, list[int]]]:
    """Values by key; equal keys stand together."""
    pairs = zip(keys.tolist(), values.tolist(), strict=True)
    for key, some in groupby(pairs, key=itemgetter(0)):
        yield key, [value for _, value in some]


def _pieces(phrases: Sequence[Phrase]) -> tuple[Neighbours, int]:
    """All parts of phrases that are without gaps, by phrase; and how many of them are one word."""
    lengths = np.array([len(phrase) for phrase in phrases])
    words = np.array([word for phrase in phrases for word in phrase], dtype=np.int64)
    owner = np.repeat(np.arange(len(phrases)), lengths)
    left = np.repeat(np.cumsum(lengths), lengths) - np.arange(len(words))
    starts = np.arange(len(words))
    count = int(words.max(initial=-1)) + 1
    single, longest = count, words
    owners, found = [owner], [words]
    for length in range(2, int(lengths.max(initial=0)) + 1):
        fits = left[starts] >= length
        starts = starts[fits]
        _, numbers = _numbered(longest[fits], words[starts + length - 1])
        longest = numbers + count
        count += int(numbers.max()) + 1
        owners.append(owner[starts])
        found.append(longest)
    return Neighbours(np.concatenate(owners), np.concatenate(found), len(phrases)), single


def _distinct(*columns: Rows) -> tuple[tuple[Rows, ...], Rows]:
    """The distinct rows of some columns, and how often each occurs."""
    shape = tuple(int(column.max(initial=0)) + 1 for column in columns)
    keys, counts = np.unique(np.ravel_multi_index(columns, shape), return_counts=True)
    return np.unravel_index(keys, shape), counts


def _numbered(*columns: Rows) -> tuple[tuple[Rows, ...], Rows]:
    """The distinct rows of some columns, and for each row which of them it is."""
    shape = tuple(int(column.max(initial=0)) + 1 for column in columns)
    keys, places = np.unique(np.ravel_multi_index(columns, shape), return_inverse=True)
    return np.unravel_index(keys, shape), places


class ExtendedLesk(WordNetSource):
    """Σ over pairs of texts of Σ (length of a common phrase)². Banerjee & Pedersen 2003.

    The texts of a sense are its definition and those of its hypernyms, hyponyms, holonyms,
    meronyms, attributes, pertainyms, similar adjectives and what to see also, one text for each
    relation; every text of one sense is compared with every one of the other. Own definition,
    examples and names are compared with each other too, except names with names. 0 if there is
    nothing in common; unbounded, and larger where glosses are long, so that the value of a sense
    and itself says nothing about the scale.

    stop  words that do not count: "none" are left out, as by WordNet::Similarity's default, or the
          function words of English ("english")
    """

    name = "LESK"

    def __init__(
        self,
        wordnet: WordNet | Path | Traversable | str | None = None,
        *,
        stop: Literal["none", "english"] = "none",
    ) -> None:
        if stop not in STOP_LISTS:
            raise InputError(f"LESK: stop={stop!r}; choose one of {', '.join(STOP_LISTS)}")
        super().__init__(wordnet)
        self.stop = stop

    @property
    def provenance(self) -> Provenance:
        base = super().provenance
        return replace(base, source=f"{base.source}, stop={self.stop}")

    def _comparison(self, rows: Rows) -> Compare:
        scores = overlaps(self.wordnet.glosses(self.stop), rows)
        return lambda columns: scores[:, columns]


_DIMENSIONS = 2048


class GlossVector(WordNetSource):
    """The cosine of the gloss vectors of two senses; in [0, 1]. Patwardhan & Pedersen 2006.

    The vector of a sense is the sum, over the words of its definition and examples, of how often
    each co-occurs with every other word in the glosses of WordNet. 0 for a sense without words that
    count.
    """

    name = "VECTOR"
    normalisation = "none"

    def _comparison(self, rows: Rows) -> Compare:
        vectors = self.wordnet.gloss_vectors.of(rows)
        # sums of products of counts are exact in float64, so they do not depend on their order
        products = np.zeros((len(rows), len(rows)))
        for first in range(0, vectors.shape[1], _DIMENSIONS):
            block = vectors[:, first : first + _DIMENSIONS].astype(np.float64)
            products += block @ block.T
        lengths = np.sqrt(np.diag(products))
        scale = np.where(lengths > 0, lengths, 1.0)

        def compare(columns: Rows) -> Floats:
            cosines = products[:, columns] / scale[:, None] / scale[columns]
            return np.minimum(cosines, 1.0)

        return compare
