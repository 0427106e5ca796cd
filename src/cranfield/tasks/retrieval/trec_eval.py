"""What trec_eval calls its measures, and what they are here.

Most of its names are measures of ours under its rules (`measures.peer_names`). Some are simple
formulas of where the relevant documents of a topic stand, and are said here.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal, NamedTuple

import numpy as np

from cranfield.collections.comparison import Comparison
from cranfield.collections.ranked_lists import ListedCells, Ordered, strict_scores
from cranfield.core.aligned import Topics
from cranfield.core.matrices import Bools, Cells, Floats, Ints, as_cells
from cranfield.core.run import Run
from cranfield.core.truth import Truth
from cranfield.engine import evaluate
from cranfield.errors import InputError, MeasureError, first_ten
from cranfield.measures import Measure, measure
from cranfield.measures.peer_names import peer_meaning

Whole = Literal["mean", "sum", "geometric", "none"]
"""How a value for all topics comes about; "none" is not a number of topics."""

_CUTOFFS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
_LEVELS = tuple(level / 10 for level in range(11))
_MULTIPLES = tuple(multiple / 5 for multiple in range(1, 11))
_FLOOR = 1e-5
"""The least value that a geometric mean takes."""
_PATIENCE = 0.9
"""p of rank-biased precision in trec_eval."""


class Answer(NamedTuple):
    """What a run retrieved for one topic: ranks count from 1."""

    relevant: int
    """Relevant documents that there are."""
    retrieved: int
    hits: Ints
    """Ranks of the relevant documents."""
    unjudged: Ints
    """Ranks of the documents that nobody judged."""


Formula = Callable[[Answer], float]


@dataclass(frozen=True)
class TrecMeasure:
    """One line of trec_eval's output."""

    name: str
    source: Measure | Formula | None
    whole: Whole = "mean"
    by_topic: bool = True
    """Whether it is told of single topics."""


# ── Formulas ──────────────────────────────────────────────────────────────────────────────────


def _share(part: float, whole: float) -> float:
    return part / whole if whole else 0.0


def _hits(answer: Answer, depth: float = math.inf) -> int:
    return int(np.count_nonzero(answer.hits <= depth))


def _interpolated(level: float, answer: Answer) -> float:
    """The best precision from the recall level on."""
    requested = max(1, math.floor(level * answer.relevant + 0.5))
    precision = np.arange(1, len(answer.hits) + 1) / answer.hits
    return float(precision[requested - 1 :].max(initial=0.0))


def _precision_at_multiple(multiple: float, answer: Answer) -> float:
    depth = int(multiple * answer.relevant + 0.9)
    return _share(_hits(answer, depth), depth)


def _average_precision_at(depth: int, answer: Answer) -> float:
    precision = np.arange(1, len(answer.hits) + 1) / answer.hits
    return _share(float(precision[answer.hits <= depth].sum()), answer.relevant)


def _relative_precision(depth: int, answer: Answer) -> float:
    return _share(_hits(answer, depth), min(depth, answer.relevant))


def _unjudged_share(depth: int, answer: Answer) -> float:
    return int(np.count_nonzero(answer.unjudged <= depth)) / depth


def _residual(answer: Answer) -> float:
    """What rank-biased precision could still gain: from documents that nobody judged, and behind
    the last one; nothing where nothing was retrieved."""
    unseen = (1 - _PATIENCE) * float((_PATIENCE ** (answer.unjudged - 1.0)).sum())
    return unseen + _PATIENCE**answer.retrieved if answer.retrieved else 0.0


# ── Names ─────────────────────────────────────────────────────────────────────────────────────


def _named(name: str) -> Measure:
    meaning = peer_meaning(name)
    assert meaning is not None
    return measure(meaning.readings["searches"])


_SINGLE: dict[str, Callable[[], TrecMeasure]] = {
    "runid": lambda: TrecMeasure("runid", None, "none", by_topic=False),
    "num_q": lambda: TrecMeasure("num_q", lambda answer: 1, "sum", by_topic=False),
    "num_ret": lambda: TrecMeasure("num_ret", lambda answer: answer.retrieved, "sum"),
    "num_rel": lambda: TrecMeasure("num_rel", lambda answer: answer.relevant, "sum"),
    "num_rel_ret": lambda: TrecMeasure("num_rel_ret", _hits, "sum"),
    "map": lambda: TrecMeasure("map", _named("map")),
    "gm_map": lambda: TrecMeasure("gm_map", _named("map"), "geometric", by_topic=False),
    "Rprec": lambda: TrecMeasure("Rprec", _named("Rprec")),
    "bpref": lambda: TrecMeasure("bpref", _named("bpref")),
    "recip_rank": lambda: TrecMeasure("recip_rank", _named("recip_rank")),
    "infAP": lambda: TrecMeasure("infAP", _named("infAP")),
    "gm_bpref": lambda: TrecMeasure("gm_bpref", _named("bpref"), "geometric", by_topic=False),
    "utility": lambda: TrecMeasure("utility", lambda one: 2 * len(one.hits) - one.retrieved),
    "11pt_avg": lambda: TrecMeasure("11pt_avg", _named("11pt_avg")),
    "ndcg": lambda: TrecMeasure("ndcg", _named("ndcg")),
    "set_P": lambda: TrecMeasure("set_P", lambda one: _share(len(one.hits), one.retrieved)),
    "set_relative_P": lambda: TrecMeasure(
        "set_relative_P",
        lambda one: _share(len(one.hits), min(one.retrieved, one.relevant)),
    ),
    "set_recall": lambda: TrecMeasure(
        "set_recall", lambda one: _share(len(one.hits), one.relevant)
    ),
    "set_map": lambda: TrecMeasure(
        "set_map", lambda one: _share(len(one.hits) ** 2, one.retrieved * one.relevant)
    ),
    "set_F": lambda: TrecMeasure(
        "set_F",
        lambda one: _share(
            2 * len(one.hits), (one.retrieved + one.relevant) if one.hits.size else 0
        ),
    ),
    "num_nonrel_judged_ret": lambda: TrecMeasure(
        "num_nonrel_judged_ret",
        lambda one: one.retrieved - len(one.hits) - len(one.unjudged),
        "sum",
    ),
    "rbp": lambda: TrecMeasure("rbp", _named("rbp")),
    "rbp_resid": lambda: TrecMeasure("rbp_resid", _residual),
}


@dataclass(frozen=True)
class _Family:
    """Measures that differ in a parameter, which stands behind their name."""

    of: Callable[[float], Measure | Formula]
    defaults: Sequence[float]

    def named(self, family: str, text: str) -> TrecMeasure:
        if isinstance(self.defaults[0], int):
            return TrecMeasure(f"{family}_{int(text)}", self.of(int(text)))
        return TrecMeasure(f"{family}_{float(text):.2f}", self.of(float(text)))


def _at(family: str) -> Callable[[float], Measure]:
    return lambda depth: _named(f"{family}_{depth}")


def _by(formula: Callable[..., float]) -> Callable[[float], Formula]:
    return lambda parameter: partial(formula, parameter)


_FAMILIES: dict[str, _Family] = {
    "iprec_at_recall": _Family(_by(_interpolated), _LEVELS),
    "P": _Family(_at("P"), _CUTOFFS),
    "recall": _Family(_at("recall"), _CUTOFFS),
    "Rprec_mult": _Family(_by(_precision_at_multiple), _MULTIPLES),
    "ndcg_cut": _Family(_at("ndcg_cut"), _CUTOFFS),
    "map_cut": _Family(_by(_average_precision_at), _CUTOFFS),
    "relative_P": _Family(_by(_relative_precision), _CUTOFFS),
    "success": _Family(_at("success"), (1, 5, 10)),
    "unj": _Family(_by(_unjudged_share), (5, 10, 20)),
}
_OFFICIAL = (
    "runid", "num_q", "num_ret", "num_rel", "num_rel_ret", "map", "gm_map", "Rprec", "bpref",
    "recip_rank", "iprec_at_recall", "P",
)  # fmt: skip
_FURTHER = (
    "recall", "infAP", "gm_bpref", "Rprec_mult", "utility", "11pt_avg", "ndcg", "ndcg_cut",
    "map_cut", "relative_P", "success", "set_P", "set_relative_P", "set_recall", "set_map", "set_F",
    "num_nonrel_judged_ret", "rbp", "rbp_resid", "unj",
)  # fmt: skip
_GROUPS = {"official": _OFFICIAL, "all_trec": (*_OFFICIAL, *_FURTHER)}
_PARAMETER = re.compile(r"\d+|\d*\.\d+")


def trec_measures(names: Iterable[str]) -> list[TrecMeasure]:
    """The measures that trec_eval's names mean: P_10, P.5,10, P (with its usual cut-offs),
    official, all_trec …"""
    matches = [one for name in names for one in _meant(name)]
    return list({one.name: one for one in matches}.values())


def _meant(name: str) -> list[TrecMeasure]:
    if name in _GROUPS:
        return [one for each in _GROUPS[name] for one in _meant(each)]
    if name in _SINGLE:
        return [_SINGLE[name]()]
    family, dot, parameters = name.partition(".")
    if name in _FAMILIES or (dot and family in _FAMILIES):
        texts = parameters.split(",") if dot else map(str, _FAMILIES[family].defaults)
        return [_with_parameter(family, text, name) for text in texts]
    family, _, text = name.rpartition("_")
    if family in _FAMILIES:
        return [_with_parameter(family, text, name)]
    raise MeasureError(
        f"{name!r} is no measure of trec_eval that is known here; there are "
        f"{', '.join((*_GROUPS, *_SINGLE))}, and {first_ten([f'{one}_…' for one in _FAMILIES])}; "
        "for measures of ours leave --style trec out"
    )


def _with_parameter(family: str, text: str, name: str) -> TrecMeasure:
    known = _FAMILIES[family]
    whole = isinstance(known.defaults[0], int)
    if not _PARAMETER.fullmatch(text) or (whole and (not text.isdigit() or int(text) < 1)):
        example = f"{family}_{known.defaults[1]}"
        raise MeasureError(
            f"{name!r}: {text!r} is no {'cut-off' if whole else 'level'}; write {example!r}, say"
        )
    return known.named(family, text)


# ── Scores ────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class TrecScores:
    """What trec_eval would say of one run."""

    run: Run
    topics: tuple[str, ...]
    """In the order of their ids."""
    values: dict[TrecMeasure, Floats]
    """By topic."""

    def of_all(self, one: TrecMeasure) -> float:
        """The value for all topics."""
        values = self.values[one]
        if one.whole == "sum":
            return float(values.sum())
        if not len(values):
            return 0.0
        if one.whole == "geometric":
            return math.exp(float(np.log(np.maximum(values, _FLOOR)).mean()))
        return float(values.mean())


def trec_scores(
    truth: Truth,
    run: Run,
    measures: Sequence[TrecMeasure],
    topics: Topics = "common",
    *,
    level: int | None = None,
) -> TrecScores:
    """Score a run as trec_eval does.

    topics  "common" to truth and run; "judged", of which the run may lack some (trec_eval -c);
            "all" of either
    level   the lowest grade that is relevant (trec_eval -l), default: the truth's own; ndcg and rbp
            look at all grades
    """
    chosen = topics if truth.open else None
    truth = truth if level is None else truth.at_level(level)
    comparison = Comparison(truth, run, unjudged="negative", missing="absent", topics=chosen)
    names = comparison.truth.concepts
    answers = dict(zip(names, _answers(comparison), strict=True))
    listed = sorted(names, key=str.encode)
    ours = {one.source for one in measures if isinstance(one.source, Measure)}
    units = _by_topic(truth, run, ours, chosen, listed)
    values = {}
    for one in measures:
        if isinstance(one.source, Measure):
            values[one] = units[one.source]
        elif one.source is not None:
            values[one] = np.array([one.source(answers[topic]) for topic in listed], np.float64)
    return TrecScores(run, tuple(listed), values)


def _by_topic(
    truth: Truth, run: Run, measures: set[Measure], topics: Topics | None, listed: list[str]
) -> dict[Measure, Floats]:
    """The unit scores of measures, in the order of some topics."""
    result = evaluate(truth, [run], list(measures), missing="absent", topics=topics)
    indices = [result.truth.concept_axis.positions[name] for name in listed]
    return {one: result.units(run.name, one)[indices] for one in result.measures}


def _answers(comparison: Comparison) -> list[Answer]:
    """What was retrieved for each topic."""
    relevant: Bools = comparison.judgements("concept", "matrix")
    judged: Bools = comparison.judgements("concept", "judged")
    totals = comparison.totals("concept").positives
    answers: list[Answer] = []

    def look(block: Ordered) -> Floats:
        edges = np.searchsorted(block.owner, np.arange(len(block) + 1))
        for position, number in enumerate(range(block.lists.start, block.lists.stop)):
            cells = block.cells[edges[position] : edges[position + 1]]
            hits = np.flatnonzero(relevant[cells]) + 1
            unjudged = np.flatnonzero(~judged[cells]) + 1
            answers.append(Answer(int(totals[number]), len(cells), hits, unjudged))
        return np.zeros(len(block))

    comparison.by_list("concept", "trec", look, about="all")
    return answers


# ── cuts ──────────────────────────────────────────────────────────────────────────────────────


def cut_off(run: Run, depth: int) -> Run:
    """The run with the first `depth` items of each concept; all others were not retrieved.

    What trec_eval does with -M. Among equals the documents stay that trec_eval ranks first.
    """
    if depth < 1:
        raise InputError(f"depth {depth}; keep at least the first item")
    ranking = as_cells(run.ranking)
    lists = ranking.by_column
    listed = ListedCells("concept", run.shape, lists.places, lists.values, lists.offsets)
    run.item_axis.require_ids("cutting off ranks equal scores by")
    best_first = np.argsort(-strict_scores(listed, lambda rows: _names(run, rows)))
    rank = np.arange(len(best_first)) - lists.offsets[listed.owner[best_first]]
    codes = np.sort(listed.codes[best_first[rank < depth]])
    labels = as_cells(run.assigned) if run.labels is not None else None
    cut = Run(
        None if run.scores is None else _part(as_cells(run.scores), codes),
        labels=None if labels is None else _part(labels, codes),
        name=run.name,
        items=run.item_axis,
        concepts=run.concept_axis,
        threshold=run.threshold if labels is None else None,
        group=run.group,
        tags=run.tags,
        notes=(*run.notes, f"only the first {depth} of each list"),
    )
    cut.depth = depth
    return cut


def _names(run: Run, rows: Ints) -> list[str]:
    return [run.items[row] for row in rows.tolist()]


def _part(cells: Cells, codes: Ints) -> Cells:
    return Cells(cells.shape, codes, cells.at(codes))
