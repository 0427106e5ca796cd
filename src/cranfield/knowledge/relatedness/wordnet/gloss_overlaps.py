"""Common phrases of the glosses around synsets, for all pairs of synsets at once.

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
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

import numpy as np

from cranfield.core.matrices import Floats
from cranfield.knowledge.relatedness.wordnet.database import Rows
from cranfield.knowledge.relatedness.wordnet.glosses import Glosses, Phrase
from cranfield.knowledge.relatedness.wordnet.neighbours import Neighbours
from cranfield.knowledge.relatedness.wordnet.sparse_products import gram

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
