"""Spammers: annotators whose answers do not depend on what is right.

Raykar & Yu 2012: A(c, k) is how often an annotator says k where c is right. Of a spammer all rows
of A are alike, whatever they are. The score is the distance between rows, the root of theirs,

    S² = Σ_{c < c'} Σ_k (A(c, k) − A(c', k))² / (C (C − 1)),

0 for spammers and 1 for who is always right; of a yes/no question S = |sensitivity + specificity −
1|. Who always says the opposite is no spammer. Rows known from few votes differ by chance alone;
what that adds to S² on average, Σ_c (1 − Σ_k A(c, k)²) / (n_c − 1) / C, is taken off, so that many
rare concepts do not hide a spammer. Questions are averaged, each weighed by the harmonic mean of
its n_c.
"""

from __future__ import annotations

import numpy as np

from cranfield.assessment.votes import Votes
from cranfield.assessment.votes.ballots import NOT_ASKED
from cranfield.core.matrices import Floats, Ints
from cranfield.measures.declare import ratio

_CELLS = 1 << 22
"""Cells of confusion matrices that are held at a time."""


def spammer_scores(votes: Votes, right: Ints) -> Floats:
    """(annotators,): 0 for spammers, up to 1; NaN where no question tells.

    A question tells where two answers are right twice at least on what the annotator voted on.
    """
    size = len(votes.annotators)
    squares, weights = np.zeros(size), np.zeros(size)
    edges = np.searchsorted(votes.question, np.arange(len(votes.questions) + 1))
    for question, start, stop in zip(votes.questions, edges[:-1], edges[1:], strict=True):
        held = start + np.flatnonzero(right[start:stop] != NOT_ASKED)
        held = held[np.argsort(votes.annotator[held], kind="stable")]
        step = max(1, _CELLS // question.size**2)
        for first in range(0, size, step):
            block = range(first, min(first + step, size))
            low, high = np.searchsorted(votes.annotator[held], (block.start, block.stop))
            some = held[low:high]
            cells = (votes.annotator[some] - first) * question.size + right[some]
            counts = np.bincount(
                cells * question.size + votes.answer[some],
                minlength=len(block) * question.size**2,
            ).reshape(len(block), question.size, question.size)
            square, weight = squared_distance(counts)
            squares[block.start : block.stop] += np.where(weight > 0, weight * square, 0.0)
            weights[block.start : block.stop] += weight
    # Rounded, so that the order of questions, in which sums are taken, changes nothing.
    return np.sqrt(np.maximum(np.round(ratio(squares, weights), 12), 0.0))


def squared_distance(counts: Ints) -> tuple[Floats, Floats]:
    """(n,): S² of confusion matrices (n, right, said) of counts, and its weight; NaN and 0 where
    fewer than two rows have two votes.
    """
    votes = counts.sum(axis=2)
    known = votes > 1
    rows = known.sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        shares = np.where(known[:, :, None], counts / votes[:, :, None], 0.0)
        own = (shares**2).sum(axis=2)
        chance = np.where(known, (1.0 - own) / (votes - 1), 0.0).sum(axis=1)
        apart = rows * own.sum(axis=1) - (shares.sum(axis=1) ** 2).sum(axis=1)
        square = (apart - (rows - 1) * chance) / (rows * (rows - 1))
        weight = rows / np.where(known, 1.0 / votes, 0.0).sum(axis=1)
    enough = rows > 1
    return np.where(enough, square, np.nan), np.where(enough, weight, 0.0)
