"""Preferences: judgements of the form "B is more useful than A" instead of grades.

A judge compares documents of a topic with each other: pairs A < B (Weber §1.1). Grades are a
special case: a document is preferred to all of a lower grade. What one judge says at several
occasions is taken together: who prefers C to B and B to A prefers C to A. Judges of one topic may
disagree; one judge who contradicts himself is an error.

A run respects a preference if it ranks the better document above the worse; a document that was not
retrieved stands below all that were, and of two such neither is above the other.

Under trec_eval's names, topics without preferences score 0, as its other measures do. Its variants
`…_Rnonrel`, which weigh documents of level 0 in a way of their own, are not among them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np

from cranfield.core.aligned import Topics
from cranfield.core.matrices import Bools, Cells, Floats, Ints, as_cells, at
from cranfield.core.run import Run
from cranfield.core.truth import Truth
from cranfield.errors import InputError, MeasureError, first_ten, several
from cranfield.tasks.retrieval.trec_eval import TrecMeasure, TrecScores, Whole

Average = Literal["preferences", "pairs", "judges"]
"""What counts alike: every preference that somebody stated; every pair of documents, however many
judges compared them; every judge."""
Among = Literal["all", "retrieved", "decided"]
"""Preferences that count: all; those between two documents that were retrieved; those of which at
least one document was."""
Ties = Literal["expected", "trec"]
"""Documents of equal scores: half of a preference is respected, or they are ordered as trec_eval
orders them here: by id, ascending, other than everywhere else."""


@dataclass(frozen=True)
class Opinion:
    """What one judge prefers for one topic."""

    judge: str
    documents: tuple[str, ...]
    better: Ints
    """Places of the preferred documents, pair by pair."""
    worse: Ints

    def __len__(self) -> int:
        return len(self.better)


class Preferences:
    """Preferences of judges, topic by topic."""

    def __init__(self, opinions: Mapping[str, Iterable[Opinion]]) -> None:
        self.opinions = {topic: tuple(said) for topic, said in opinions.items()}

    @classmethod
    def from_pairs(cls, pairs: Iterable[tuple[Any, ...]]) -> Preferences:
        """From (topic, worse, better), perhaps with a judge behind: A < B as Weber writes it."""
        said: dict[str, dict[str, list[tuple[str, str]]]] = {}
        for pair in pairs:
            if len(pair) not in (3, 4):
                raise InputError(
                    f"a preference is (topic, worse, better), perhaps with a judge; got {pair!r}"
                )
            topic, worse, better, judge = (*map(str, pair), "")[:4]
            said.setdefault(topic, {}).setdefault(judge, []).append((worse, better))
        return cls(
            {
                topic: [_of_pairs(topic, judge, stated) for judge, stated in judges.items()]
                for topic, judges in said.items()
            }
        )

    @classmethod
    def from_levels(
        cls, levels: Mapping[str, Mapping[str, Iterable[Mapping[str, float]]]]
    ) -> Preferences:
        """From levels of documents by topic and judge, for each occasion on which he gave some."""
        return cls(
            {
                topic: [_of_levels(topic, judge, said) for judge, said in judges.items()]
                for topic, judges in levels.items()
            }
        )

    @classmethod
    def from_truth(cls, truth: Truth) -> Preferences:
        """From grades, or relevant and not: judged documents only."""
        grades = truth.matrix if truth.grades is None else truth.grades
        # Everything is judged unless the truth says what is; a sparse one does not store zeros.
        codes = np.arange(truth.shape[0] * truth.shape[1])
        if truth.judged is not None:
            judged = as_cells(truth.judged)
            codes = judged.codes[judged.values]
        items, topics = np.divmod(codes, truth.shape[1])
        values = at(grades, codes).astype(np.float64)
        levels: dict[str, dict[str, list[dict[str, float]]]] = {}
        for topic, name in enumerate(truth.concepts):
            here = topics == topic
            said = zip(items[here].tolist(), values[here].tolist(), strict=True)
            levels[name] = {"": [{truth.items[item]: value for item, value in said}]}
        return cls.from_levels(levels)

    @property
    def topics(self) -> tuple[str, ...]:
        return tuple(self.opinions)

    def __len__(self) -> int:
        """How many preferences were stated, or follow from those."""
        return sum(len(one) for said in self.opinions.values() for one in said)

    def __repr__(self) -> str:
        return f"Preferences({several(len(self.topics), 'topic')}, {several(len(self), 'pair')})"

    def score(
        self,
        run: Run,
        *,
        average: Average = "preferences",
        among: Among = "all",
        ties: Ties = "expected",
    ) -> float:
        """The share of preferences that a run respects: the mean over topics that have some."""
        _require_known("average", average, Average)
        _require_known("among", among, Among)
        shares = [one.share(average, among) for one in self.held_against(run, ties=ties).values()]
        known = [share for share in shares if not np.isnan(share)]
        return float(np.mean(known)) if known else float("nan")

    def held_against(self, run: Run, *, ties: Ties = "expected") -> dict[str, Held]:
        """What a run makes of the preferences, topic by topic."""
        _require_known("ties", ties, Ties)
        return {topic: Held.of(said, run, topic, ties) for topic, said in self.opinions.items()}


@dataclass(frozen=True)
class Held:
    """The preferences of a topic held against a run; arrays are by preference."""

    respected: Floats
    """1, 0, or ½ for documents of equal scores."""
    retrieved: Ints
    """How many of the two documents were."""
    judge: Ints
    pair: Ints
    """The same number for the same two documents."""

    @classmethod
    def of(cls, opinions: tuple[Opinion, ...], run: Run, topic: str, ties: Ties) -> Held:
        indices: dict[str, int] = {}
        for one in opinions:
            for name in one.documents:
                indices.setdefault(name, len(indices))
        scores = _scores(run, topic, list(indices))
        if ties == "trec":
            scores = _in_strict_order(scores, list(indices))
        there = ~np.isnan(scores)
        height = np.where(there, scores, -np.inf)
        none = np.empty(0, dtype=np.int64)
        parts = [cls(np.empty(0), none, none, none)]
        for judge, one in enumerate(opinions):
            own = np.array([indices[name] for name in one.documents], dtype=np.int64)
            better, worse = own[one.better], own[one.worse]
            tied = there[better] & (height[better] == height[worse])
            parts.append(
                cls(
                    np.where(tied, 0.5, height[better] > height[worse]),
                    there[better].astype(np.int64) + there[worse],
                    np.full(len(one), judge),
                    np.minimum(better, worse) * len(indices) + np.maximum(better, worse),
                )
            )
        names = ("respected", "retrieved", "judge", "pair")
        return cls(*(np.concatenate([getattr(part, name) for part in parts]) for name in names))

    def among(self, among: Among) -> Bools:
        """Which preferences count."""
        return self.retrieved >= {"all": 0, "decided": 1, "retrieved": 2}[among]

    def share(self, average: Average = "preferences", among: Among = "all") -> float:
        """The share that the run respects; NaN where there is none to respect."""
        counted = self.among(among)
        if average == "preferences":
            return _mean(self.respected[counted])
        whose = (self.pair if average == "pairs" else self.judge)[counted]
        _, unit = np.unique(whose, return_inverse=True)
        return _mean(np.bincount(unit, weights=self.respected[counted]) / np.bincount(unit))


def _require_known(name: str, value: str, kind: Any) -> None:
    if value not in get_args(kind):
        raise InputError(f"{name}={value!r}; choose {', '.join(map(repr, get_args(kind)))}")


def _mean(values: Floats) -> float:
    return float(values.mean()) if len(values) else float("nan")


# ── Opinions ──────────────────────────────────────────────────────────────────────────────────


def _of_levels(topic: str, judge: str, said: Iterable[Mapping[str, float]]) -> Opinion:
    """Higher levels are preferred to lower ones, and what follows from several occasions."""
    occasions = list(said)
    indices = _places(name for levels in occasions for name in levels)
    above = np.zeros((len(indices), len(indices)), dtype=np.bool_)
    for levels in occasions:
        own = np.array([indices[name] for name in levels], dtype=np.int64)
        level = np.array(list(levels.values()), dtype=np.float64)
        above[np.ix_(own, own)] |= level[:, None] > level[None, :]
    # Levels of one occasion follow from each other already.
    return _opinion(topic, judge, indices, _closed(above) if len(occasions) > 1 else above)


def _of_pairs(topic: str, judge: str, pairs: list[tuple[str, str]]) -> Opinion:
    indices = _places(name for pair in pairs for name in pair)
    above = np.zeros((len(indices), len(indices)), dtype=np.bool_)
    for worse, better in pairs:
        above[indices[better], indices[worse]] = True
    return _opinion(topic, judge, indices, _closed(above))


def _places(names: Iterable[str]) -> dict[str, int]:
    return {name: position for position, name in enumerate(dict.fromkeys(names))}


def _closed(above: Bools) -> Bools:
    """With everything that follows: who is above somebody is above all below him."""
    for position in range(len(above)):
        above |= above[:, position, None] & above[position, None, :]
    return above


def _opinion(topic: str, judge: str, indices: dict[str, int], above: Bools) -> Opinion:
    names = tuple(indices)
    circle = np.flatnonzero(above.diagonal())
    if len(circle):
        by = f", judge {judge!r}" if judge else ""
        raise InputError(
            f"topic {topic!r}{by}: the preferences go round in a circle through "
            f"{first_ten([names[position] for position in circle])}; remove one of them"
        )
    better, worse = np.nonzero(above)
    return Opinion(judge, names, better, worse)


# ── Scores of a run ───────────────────────────────────────────────────────────────────────────


def _scores(run: Run, topic: str, documents: list[str]) -> Floats:
    """The score of each document for a topic; NaN where it was not retrieved."""
    scores = np.full(len(documents), np.nan)
    column = run.concept_axis.positions.get(topic)
    if column is None:
        return scores
    rows = np.array([run.item_axis.positions.get(name, -1) for name in documents], dtype=np.int64)
    known = np.flatnonzero(rows >= 0)
    ranking = run.ranking
    codes = rows[known] * run.shape[1] + column
    if not isinstance(ranking, Cells):
        scores[known] = ranking.ravel()[codes]
    elif len(ranking.codes):
        position = np.minimum(np.searchsorted(ranking.codes, codes), len(ranking.codes) - 1)
        result = ranking.codes[position] == codes
        scores[known[result]] = ranking.values[position[result]]
    return scores


def _in_strict_order(scores: Floats, documents: list[str]) -> Floats:
    """Scores without ties, as float32 and then by id: the first of the ids ranks highest."""
    single = scores.astype(np.float32)
    order = np.flatnonzero(~np.isnan(scores)).tolist()
    order.sort(key=lambda position: documents[position].encode(), reverse=True)
    order.sort(key=lambda position: float(single[position]))
    strict = np.full(len(scores), np.nan)
    strict[order] = np.arange(len(order))
    return strict


# ── the names of trec_eval ────────────────────────────────────────────────────────────────────

_AVERAGES: dict[str, Average] = {
    "prefs_simp": "preferences",
    "prefs_pair": "pairs",
    "prefs_avgjg": "judges",
}
_OF_HELD: dict[str, Callable[[Held], float]] = {
    "num_q": lambda held: 1,
    "prefs_num_prefs_poss": lambda held: len(held.respected),
    "prefs_num_prefs_ful": lambda held: float(held.respected.sum()),
    "prefs_num_prefs_ful_ret": lambda held: float(held.respected[held.among("retrieved")].sum()),
}


def _share(name: str) -> Callable[[Held], float]:
    ending = name.rpartition("_")[2]
    average = _AVERAGES[name if name in _AVERAGES else name.rpartition("_")[0]]
    among = {"ret": "retrieved", "imp": "decided"}.get(ending, "all")
    return lambda held: float(np.nan_to_num(held.share(average, among)))  # type: ignore[arg-type]


for _ending in ("", "_ret", "_imp"):
    for _name in _AVERAGES:
        _OF_HELD[_name + _ending] = _share(_name + _ending)


def preference_measures(names: Iterable[str] | None = None) -> list[TrecMeasure]:
    """The measures that trec_eval's names mean; all of them by default."""
    known = ("runid", *_OF_HELD)
    requested = dict.fromkeys(known if names is None else names)
    for name in requested:
        if name not in known:
            raise MeasureError(
                f"{name!r} is no measure of preferences that is known here; there are "
                f"{', '.join(known)}"
            )
    return [_named(name) for name in requested]


def _named(name: str) -> TrecMeasure:
    if name == "runid":
        return TrecMeasure(name, None, "none", by_topic=False)
    whole: Whole = "sum" if name.startswith(("num_", "prefs_num_")) else "mean"
    return TrecMeasure(name, None, whole, by_topic=name != "num_q")


def preference_scores(
    preferences: Preferences,
    run: Run,
    measures: Sequence[TrecMeasure],
    topics: Topics = "common",
) -> TrecScores:
    """Hold preferences against a run as trec_eval does; `topics` as for `trec_scores`."""
    chosen = set(preferences.topics)
    if topics == "common":
        chosen &= set(run.concepts)
    elif topics == "all":
        chosen |= set(run.concepts)
    listed = sorted(chosen, key=str.encode)
    opinions = {topic: preferences.opinions.get(topic, ()) for topic in listed}
    held = Preferences(opinions).held_against(run, ties="trec")
    values = {
        one: np.array([_OF_HELD[one.name](held[topic]) for topic in listed])
        for one in measures
        if one.name in _OF_HELD
    }
    return TrecScores(run, tuple(listed), values)
