"""Tests of pairs that need no resamples: Student's t, Wilcoxon's signed ranks, and signs.

t         whether the mean difference is 0, if means are about normal
wilcoxon  whether differences lie symmetrically around 0, by the ranks of their sizes
sign      whether either run is better as often as the other, whatever the sizes

Wilcoxon and sign leave out units on which both are equal.
"""

from __future__ import annotations

import numpy as np

from cranfield.core.matrices import Floats
from cranfield.statistics.comparing.pairs import DIGITS, Pairs
from cranfield.statistics.proportions import even_chance


def t_test(pairs: Pairs) -> Floats:
    """p-values; where all differences are equal, 1 if they are 0, else 0."""
    from scipy.special import stdtr

    mean, degrees = pairs.sums[0] / pairs.units, pairs.units - 1
    error = np.sqrt(pairs.spreads / degrees / pairs.units)
    apart = ~pairs.alike & (error > 0)
    statistic = np.divide(np.abs(mean), error, out=np.full(len(pairs), np.inf), where=apart)
    return np.where(pairs.alike, 1.0, 2.0 * stdtr(degrees, -statistic))


def wilcoxon_test(pairs: Pairs) -> tuple[Floats, Floats]:
    """p-values, exact for up to 50 different sizes, and which run of each pair is ahead."""
    from scipy.stats import rankdata, wilcoxon

    def look(differences: Floats) -> Floats:
        left = np.round(differences, DIGITS)
        out = np.array([np.ones(len(left)), np.zeros(len(left))])
        for place in np.flatnonzero(left.any(axis=1)).tolist():
            counted = left[place][left[place] != 0.0]
            out[0, place] = wilcoxon(counted).pvalue
            out[1, place] = np.sign(counted) @ rankdata(np.abs(counted))
        return out

    p, ahead = pairs.look(look, 2)
    return p, np.sign(ahead)


def sign_test(pairs: Pairs) -> tuple[Floats, Floats]:
    """p-values of the binomial distribution, and which run of each pair is ahead."""
    ahead, behind = np.round(pairs.shares * pairs.units).astype(np.int64)
    return even_chance(ahead, behind), np.sign(ahead - behind)
