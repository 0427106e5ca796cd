"""Krippendorff's α of whole sets of labels: each annotator's labels of an item are one answer.

Two sets differ by 1 − |A ∩ B| / |A ∪ B| (Jaccard), or by 1 − that × monotonicity: 1 for equal sets,
2/3 where one holds the other, 1/3 where they overlap, 0 else (MASI, Passonneau 2006). Two empty
sets are equal. Only what both were asked could be compared; so everybody who was asked anything
about an item must have been asked everything that anybody was.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from cranfield.assessment.votes import Votes
from cranfield.core.matrices import Bools, Floats, Ints
from cranfield.errors import InputError, several
from cranfield.measures.declare import ratio

SetDistance = Literal["jaccard", "masi"]

_AT_ONCE = 4_000_000


def krippendorff_of_sets(votes: Votes, times: Floats, distance: SetDistance) -> Floats:
    """α over items, each as often as `times`, (b, items), says."""
    item, sets = label_sets(votes)
    voters = np.bincount(item, minlength=len(votes.items))
    usable = voters[item] >= 2
    item, sets = item[usable], sets[usable]
    distinct, place = np.unique(sets, axis=0, return_inverse=True)
    counts = np.zeros((len(votes.items), len(distinct)))
    np.add.at(counts, (item, place.ravel()), 1.0)
    observed, totals, spread = np.zeros(len(times)), times @ counts, np.zeros(len(times))
    weight = 1.0 / np.maximum(voters - 1, 1)
    for rows in _blocks(len(distinct)):
        gaps = set_distances(distinct[rows], distinct, distance)
        within = (counts[:, rows] * (counts @ gaps.T)).sum(axis=1) * weight
        observed += times @ within
        spread += (totals[:, rows] * (totals @ gaps.T)).sum(axis=1)
    return 1.0 - ratio(observed * (totals.sum(axis=1) - 1.0), spread)


def label_sets(votes: Votes) -> tuple[Ints, Bools]:
    """The item of each annotator's set, and the concepts said to be there, (sets, concepts)."""
    sizes = [len(question.concepts) for question in votes.questions]
    start = np.concatenate([[0], np.cumsum(sizes)[:-1]]).astype(np.int64)
    is_choice = np.array([question.kind == "choice" for question in votes.questions])
    yes = is_choice[votes.question] | (_value(votes) >= 1)
    # What is asked in several batches makes one set.
    whose = votes.item * len(votes.annotators) + votes.annotator
    different, place = np.unique(whose, return_inverse=True)
    answered = np.bincount(place, minlength=len(different))
    item = different // len(votes.annotators)
    fewest = np.full(len(votes.items), np.iinfo(np.int64).max)
    np.minimum.at(fewest, item, answered)
    uneven = np.unique(item[answered > fewest[item]])
    if len(uneven):
        raise InputError(
            f"sets of labels cannot be compared on {several(len(uneven), 'item')}, such as "
            f"{votes.items[uneven[0]]!r}: not everybody was asked the same; "
            "choose a coefficient that goes question by question"
        )
    sets = np.zeros((len(different), sum(sizes)), dtype=np.bool_)
    column = start[votes.question] + np.where(is_choice[votes.question], votes.answer, 0)
    sets[place[yes], column[yes]] = True
    return item, sets


def set_distances(one: Bools, other: Bools, distance: SetDistance) -> Floats:
    """All pairs of sets."""
    a, b = one.astype(np.float64), other.astype(np.float64)
    both = a @ b.T
    first, second = a.sum(axis=1)[:, None], b.sum(axis=1)[None, :]
    union = first + second - both
    overlap = np.where(union > 0, both / np.maximum(union, 1.0), 1.0)
    if distance == "jaccard":
        return np.asarray(1.0 - overlap)
    inside = (both == first) | (both == second)
    likeness = np.select([union == both, inside, both > 0], [1.0, 2.0 / 3.0, 1.0 / 3.0], 0.0)
    return np.asarray(1.0 - overlap * likeness)


def _value(votes: Votes) -> Ints:
    """What each vote counts."""
    values = np.concatenate([question.values for question in votes.questions])
    start = np.concatenate([[0], np.cumsum([q.size for q in votes.questions])[:-1]])
    return np.asarray(values[start.astype(np.int64)[votes.question] + votes.answer])


def _blocks(size: int) -> list[slice]:
    step = max(1, _AT_ONCE // max(1, size))
    return [slice(first, min(first + step, size)) for first in range(0, size, step)]
