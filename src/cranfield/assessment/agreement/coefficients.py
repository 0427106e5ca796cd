"""Coefficients of agreement on one question.

Of n votes on an item, n_j give answer j; P_o is the mean over items of the share of pairs of votes
that agree, Σ_j n_j (n_j − 1) / n (n − 1). Chance-corrected coefficients are (P_o − P_e)/(1 − P_e):

    percent        P_o itself
    fleiss         P_e = Σ p_j², p_j the mean over items of the share of answer j (Fleiss 1971)
    free_marginal  P_e = 1/k for k possible answers (Brennan & Prediger 1981; Randolph 2005)
    gwet           AC1: P_e = Σ p_j (1 − p_j) / (k − 1), p_j over all items that have a vote
                   (Gwet 2008)
    cohen          of two annotators: P_e = Σ_j p_j q_j; the mean over all pairs that share items
                   (Cohen 1960)
    krippendorff   1 − D_o/D_e over pairs of votes, each item weighted by its votes; the difference
                   of two answers is 0 or 1, or that of grades (Krippendorff 2004)

Only items with two votes or more say anything of agreement. Every coefficient takes how often each
item counts, (draws, items), so that all draws of a bootstrap are a few matrix products. A ballot
holds one vote of each annotator on an item (`Votes.latest`). NaN: there is no such item, or
everybody always gave the same answer, so that chance explains everything.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import numpy as np

from cranfield.assessment.votes import Ballot
from cranfield.core.matrices import Bools, Floats, Ints
from cranfield.measures.declare import mean_of_known, ratio

Coefficient = Callable[[Ballot, Floats], Floats]
"""From votes and how often each item counts, (b, items), to (b,) values."""

Difference = Literal["nominal", "ordinal", "interval"]


def percent(ballot: Ballot, times: Floats) -> Floats:
    """P_o."""
    usable, agreeing = _agreeing(ballot)
    return ratio(times @ agreeing, times @ usable)


def fleiss(ballot: Ballot, times: Floats) -> Floats:
    usable, _ = _agreeing(ballot)
    shares = _mean_shares(ballot, times * usable)
    return _beyond(percent(ballot, times), (shares**2).sum(axis=1))


def free_marginal(ballot: Ballot, times: Floats) -> Floats:
    return _beyond(percent(ballot, times), np.full(len(times), 1.0 / ballot.question.size))


def gwet(ballot: Ballot, times: Floats) -> Floats:
    size = ballot.question.size
    shares = _mean_shares(ballot, times)
    spread = (shares * (1.0 - shares)).sum(axis=1)
    return _beyond(percent(ballot, times), ratio(spread, np.full(len(times), size - 1.0)))


def krippendorff(ballot: Ballot, times: Floats, difference: Difference | None = None) -> Floats:
    """α; answers differ nominally, grades ordinally, unless told otherwise."""
    if difference is None:
        difference = "ordinal" if ballot.question.kind == "grade" else "nominal"
    usable, _ = _agreeing(ballot)
    counts = ballot.counts * usable[:, None]
    totals = times @ counts
    votes = totals.sum(axis=1)
    # Σ_j n_j² is what pairs of equal answers take away from all pairs.
    if difference == "nominal":
        observed = times @ ((ballot.voters**2 - (counts**2).sum(axis=1)) * usable * _weight(ballot))
        expected = votes**2 - (totals**2).sum(axis=1)
        return 1.0 - ratio(observed * (votes - 1.0), expected)
    if difference == "interval":
        places = np.broadcast_to(ballot.question.values.astype(np.float64), totals.shape)
    else:
        places = np.cumsum(totals, axis=1) - totals / 2.0
    pairs = _coincidences(ballot, times, counts)
    gaps = (places[:, :, None] - places[:, None, :]) ** 2
    observed = (pairs * gaps).sum(axis=(1, 2))
    expected = (totals[:, :, None] * totals[:, None, :] * gaps).sum(axis=(1, 2))
    return 1.0 - ratio(observed * (votes - 1.0), expected)


def cohen(ballot: Ballot, times: Floats) -> Floats:
    """The mean of κ over all pairs of annotators for whom it is defined."""
    return np.array([_cohen(ballot, one) for one in times])


COEFFICIENTS: dict[str, Coefficient] = {
    "percent": percent,
    "fleiss": fleiss,
    "free_marginal": free_marginal,
    "krippendorff": krippendorff,
    "gwet": gwet,
    "cohen": cohen,
}


def _agreeing(ballot: Ballot) -> tuple[Bools, Floats]:
    """Which items have two votes or more, and the share of pairs of votes on each that agree."""
    usable = ballot.voters >= 2
    pairs = (ballot.counts * (ballot.counts - 1)).sum(axis=1)
    all_pairs = ballot.voters * (ballot.voters - 1)
    return usable, np.where(usable, pairs / np.maximum(all_pairs, 1), 0.0)


def _mean_shares(ballot: Ballot, times: Floats) -> Floats:
    """(b, answers): the share of each answer, mean over items with a vote."""
    voted = ballot.voters > 0
    shares = np.where(voted[:, None], ballot.counts / np.maximum(ballot.voters, 1)[:, None], 0.0)
    return ratio(times @ shares, np.repeat((times @ voted)[:, None], shares.shape[1], axis=1))


def _beyond(observed: Floats, by_chance: Floats) -> Floats:
    # Sums of shares that should be 1 may miss it by a rounding.
    certain = by_chance > 1.0 - 1e-12
    return ratio(observed - by_chance, np.where(certain, 0.0, 1.0 - by_chance))


def _weight(ballot: Ballot) -> Floats:
    """What a pair of votes on each item weighs, so that every vote counts the same."""
    return 1.0 / np.maximum(ballot.voters - 1, 1)


def _coincidences(ballot: Ballot, times: Floats, counts: Ints) -> Floats:
    """(b, answers, answers): how often two votes on an item were this and that."""
    size = counts.shape[1]
    pairs = counts[:, :, None] * counts[:, None, :] - counts[:, :, None] * np.eye(size)
    weighted = (pairs * _weight(ballot)[:, None, None]).reshape(len(counts), -1)
    return (times @ weighted).reshape(len(times), size, size)


def _cohen(ballot: Ballot, times: Floats) -> float:
    from scipy.sparse import csr_array

    size, annotators = ballot.question.size, ballot.annotators
    said = csr_array(
        (np.ones(len(ballot)), (ballot.item, ballot.annotator * size + ballot.answer)),
        shape=(ballot.items, annotators * size),
    )
    # One product gives the table of every pair: row answers of the one, columns of the other.
    tables = (said.T @ (said * times[:, None])).tocoo()
    one, other = tables.row // size, tables.col // size
    pair = one * annotators + other
    keep = (one < other) & (tables.data > 0)
    names, pair = np.unique(pair[keep], return_inverse=True)
    weight, row, column = tables.data[keep], tables.row[keep] % size, tables.col[keep] % size
    both = np.bincount(pair, weight, minlength=len(names))
    same = np.bincount(pair, weight * (row == column), minlength=len(names)) / both
    rows, columns = (
        np.bincount(pair * size + side, weight, minlength=len(names) * size).reshape(-1, size)
        for side in (row, column)
    )
    return float(mean_of_known(_beyond(same, (rows * columns).sum(axis=1) / both**2)))
