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

Krippendorff's α of whole sets of labels: each annotator's labels of an item are one answer.

Two sets differ by 1 − |A ∩ B| / |A ∪ B| (Jaccard), or by 1 − that × monotonicity: 1 for equal sets,
2/3 where one holds the other, 1/3 where they overlap, 0 else (MASI, Passonneau 2006). Two empty
sets are equal. Only what both were asked could be compared; so everybody who was asked anything
about an item must have been asked everything that anybody was.

Agreement over all questions: a coefficient for each, their mean, intervals and a reading.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from cranfield.assessment.votes import Ballot, Votes
from cranfield.core.axes import Axis
from cranfield.core.matrices import Bools, Floats, Ints, mean_of_defined, ratio
from cranfield.errors import InputError, require_draws, several
from cranfield.statistics.intervals.limits import Limits, percentile
from cranfield.statistics.resampling import Sampling

if TYPE_CHECKING:
    import polars


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
    return np.array([_cohen(ballot, draw) for draw in times])


COEFFICIENTS: dict[str, Coefficient] = {
    "percent": percent,
    "fleiss": fleiss,
    "free_marginal": free_marginal,
    "krippendorff": krippendorff,
    "gwet": gwet,
    "cohen": cohen,
}


WORDS = {
    "percent": "raw agreement",
    "fleiss": "Fleiss' κ",
    "free_marginal": "free-marginal κ",
    "krippendorff": "Krippendorff's α",
    "krippendorff_nominal": "Krippendorff's α (nominal)",
    "krippendorff_ordinal": "Krippendorff's α (ordinal)",
    "gwet": "Gwet's AC1",
    "cohen": "Cohen's κ",
}
"""What tables and charts call them."""


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
    answers = csr_array(
        (np.ones(len(ballot)), (ballot.item, ballot.annotator * size + ballot.answer)),
        shape=(ballot.items, annotators * size),
    )
    # One product gives the table of every pair: row answers of the one, columns of the other.
    tables = (answers.T @ (answers * times[:, None])).tocoo()
    first, other = tables.row // size, tables.col // size
    pair = first * annotators + other
    keep = (first < other) & (tables.data > 0)
    names, pair = np.unique(pair[keep], return_inverse=True)
    weight, row, column = tables.data[keep], tables.row[keep] % size, tables.col[keep] % size
    both = np.bincount(pair, weight, minlength=len(names))
    same = np.bincount(pair, weight * (row == column), minlength=len(names)) / both
    rows, columns = (
        np.bincount(pair * size + side, weight, minlength=len(names) * size).reshape(-1, size)
        for side in (row, column)
    )
    return float(mean_of_defined(_beyond(same, (rows * columns).sum(axis=1) / both**2)))


# ── Krippendorff's α of whole sets of labels ──────────────────────────────────────────────────────


SetDistance = Literal["jaccard", "masi"]

_AT_ONCE = 4_000_000


def krippendorff_of_sets(votes: Votes, times: Floats, distance: SetDistance) -> Floats:
    """α over items, each as often as `times`, (b, items), says."""
    item, sets = label_sets(votes)
    voters = np.bincount(item, minlength=len(votes.items))
    usable = voters[item] >= 2
    item, sets = item[usable], sets[usable]
    distinct, index = np.unique(sets, axis=0, return_inverse=True)
    counts = np.zeros((len(votes.items), len(distinct)))
    np.add.at(counts, (item, index.ravel()), 1.0)
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
    different, index = np.unique(whose, return_inverse=True)
    answered = np.bincount(index, minlength=len(different))
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
    sets[index[yes], column[yes]] = True
    return item, sets


def set_distances(sets: Bools, other: Bools, distance: SetDistance) -> Floats:
    """All pairs of sets."""
    a, b = sets.astype(np.float64), other.astype(np.float64)
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


# ── agreement over all questions ──────────────────────────────────────────────────────────────────


_READING = (
    (0.2, "slight"),
    (0.4, "fair"),
    (0.6, "moderate"),
    (0.8, "substantial"),
    (np.inf, "almost perfect"),
)
"""Landis & Koch 1977: from 0 up to this value, it is called so."""
READINGS = "above 0.8 almost perfect, above 0.6 substantial, above 0.4 moderate, above 0.2 fair"
"""The same, for people."""

BY_QUESTION: dict[str, Coefficient] = {
    **COEFFICIENTS,
    "krippendorff_nominal": partial(krippendorff, difference="nominal"),
    "krippendorff_ordinal": partial(krippendorff, difference="ordinal"),
    "krippendorff_interval": partial(krippendorff, difference="interval"),
}
OF_SETS = {"krippendorff_jaccard": "jaccard", "krippendorff_masi": "masi"}
"""Coefficients of whole sets of labels, which have one value for all questions together."""
ALL = (*BY_QUESTION, *OF_SETS)


class Agreement(float):
    """A coefficient of agreement: the mean over questions where it is defined.

    by_question  its value for each, NaN where it is undefined
    dropped      for each question, items with fewer than two votes, which say nothing
    repeated     votes left out, since their annotators voted on the same again in a later batch
    """

    coefficient: str
    by_question: Mapping[str, float]
    dropped: Mapping[str, int]
    repeated: int

    def __new__(
        cls, votes: Votes, coefficient: str, by_question: Floats, overall: float
    ) -> Agreement:
        made = super().__new__(cls, overall)
        made._votes = votes.latest
        made.repeated = len(votes) - len(votes.latest)
        made.coefficient = coefficient
        names = [question.name for question in votes.questions]
        made.by_question = dict(zip(names, by_question.tolist(), strict=False))
        made.dropped = {
            ballot.question.name: int((ballot.voters == 1).sum()) for ballot in votes.latest.ballots
        }
        return made

    _votes: Votes

    @property
    def exclusive(self) -> float:
        """The mean over groups of concepts that exclude each other; NaN if there are none."""
        return self._mean(exclusive=True)

    @property
    def optional(self) -> float:
        """The mean over concepts that hold or not by themselves; NaN if there are none.

        Nowak 2011 §6.4.3 averages both kinds apart, since chance agrees less often on groups.
        """
        return self._mean(exclusive=False)

    def _mean(self, *, exclusive: bool) -> float:
        values = [
            self.by_question[question.name]
            for question in self._votes.questions
            if (question.kind == "choice") == exclusive and question.name in self.by_question
        ]
        return float(mean_of_defined(np.array(values, dtype=np.float64)))

    @property
    def undefined(self) -> tuple[str, ...]:
        """Questions on which chance explains everything, or which nobody answered twice."""
        return tuple(name for name, value in self.by_question.items() if np.isnan(value))

    @property
    def reading(self) -> str:
        """What Landis & Koch call it."""
        return reading(self)

    def interval(self, level: float = 0.95, *, samples: int = 1000, seed: int = 0) -> Limits:
        """The interval of the mean, from a bootstrap of items."""
        return self.intervals(level, samples=samples, seed=seed)[""]

    def intervals(
        self, level: float = 0.95, *, samples: int = 1000, seed: int = 0
    ) -> dict[str, Limits]:
        """The interval of each question and, called "", of their mean."""
        require_draws("samples", samples)
        if not 0.0 < level < 1.0:
            raise InputError(
                f"level={level!r}",
                mend="give a share between 0 and 1, such as 0.95",
                parameter="level",
            )
        sampling = Sampling.of(Axis("item", len(self._votes.items), self._votes.items), seed=seed)
        drawn = [_values(self._votes, self.coefficient, draw) for draw in sampling.draws(samples)]
        by_question = np.concatenate([draw for draw, _ in drawn])
        overall = np.concatenate([draw for _, draw in drawn])
        limits = {
            name: percentile(column, level)
            for name, column in zip(self.by_question, by_question.T, strict=True)
        }
        return {"": percentile(overall, level), **limits}

    @property
    def frame(self) -> polars.DataFrame:
        """One row for each question."""
        import polars

        return polars.DataFrame(
            {
                "question": list(self.by_question),
                self.coefficient: list(self.by_question.values()),
                "reading": [reading(value) for value in self.by_question.values()],
                "dropped": [self.dropped[name] for name in self.by_question],
            }
        ).fill_nan(None)


def agreement(votes: Votes, coefficient: str = "krippendorff") -> Agreement:
    """How far annotators agree by a coefficient; see `coefficients` for what each is.

    Nobody agrees with themselves: who voted again counts with the answer of the last batch.
    """
    if coefficient not in ALL:
        raise InputError(f"coefficient {coefficient!r}; choose one of {', '.join(ALL)}")
    if not len(votes):
        raise InputError("there are no votes; nobody agrees or disagrees")
    by_question, overall = _values(votes.latest, coefficient, np.ones((1, len(votes.items))))
    return Agreement(votes, coefficient, by_question[0], float(overall[0]))


def reading(value: float) -> str:
    """What Landis & Koch call a value."""
    if np.isnan(value):
        return "undefined"
    if value < 0:
        return "poor"
    return next(word for limit, word in _READING if value <= limit)


def _values(votes: Votes, coefficient: str, times: Floats) -> tuple[Floats, Floats]:
    """(b, questions) and (b,) overall; sets have no values for single questions."""
    if coefficient in OF_SETS:
        distance: Any = OF_SETS[coefficient]
        return np.empty((len(times), 0)), krippendorff_of_sets(votes, times, distance)
    function = BY_QUESTION[coefficient]
    by_question = np.stack([function(ballot, times) for ballot in votes.ballots], axis=1)
    return by_question, mean_of_defined(by_question)
