"""What the choice of annotators does to the ranking of runs (Nowak 2011 §6.4.2 and §6.4.4).

Runs are scored by what each annotator says, by the majority of each group, and by everybody's
merged votes. How alike the rankings are tells whether it matters who was asked; majorities of ever
more annotators tell how many are needed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from cranfield.assessment.merging.consensus import Method
from cranfield.assessment.votes import Votes
from cranfield.assessment.votes.sheets import places_by_name
from cranfield.caching import cached_property
from cranfield.collections.extra_items import covering
from cranfield.core.aligned import narrowed
from cranfield.core.axes import Extra, Missing
from cranfield.core.matrices import Bools, Floats, Ints, dense
from cranfield.core.run import Run
from cranfield.core.truth import Truth
from cranfield.engine import evaluate
from cranfield.engine.local import as_runs
from cranfield.engine.standings import competition_ranks
from cranfield.errors import InputError, require_draws, require_whole
from cranfield.measures import Measure
from cranfield.measures.declare import mean_of_known
from cranfield.statistics.rank_correlation import critical_shift, rank_shift, tau
from cranfield.studies.field import judging, require_systems, sign, systems_of
from cranfield.studies.reference_runs import stream

MERGED = "Merged"


@dataclass(frozen=True, eq=False)
class AnnotatorEffect:
    """Rankings of runs by different truths."""

    truths: tuple[str, ...]
    """Annotators, groups, and the merged truth, which comes last."""
    annotators: int
    """How many of them are single annotators; they come first."""
    runs: tuple[str, ...]
    measures: tuple[Measure, ...]
    merits: Floats
    """(measures, truths, runs), of which the higher is the better."""
    sizes: tuple[int, ...]
    """Numbers of annotators whose majority was tried."""
    by_size: Floats
    """(measures, sizes, draws): τ of their ranking with that of the merged truth."""
    left_out: tuple[str, ...] = ()
    """Annotators who voted on too few items to rank runs by."""
    passed_over: tuple[str, ...] = ()
    """Runs that are named like random ones or the perfect one, and so are not ranked."""

    @cached_property
    def tau(self) -> Floats:
        """(measures, truths, truths): τ of the rankings."""
        return tau(self.merits[:, :, None, :], self.merits[:, None, :, :])

    @cached_property
    def shift(self) -> Floats:
        """(measures, truths, truths): D, the largest shift of a rank."""
        return rank_shift(
            *np.broadcast_arrays(self.merits[:, :, None, :], self.merits[:, None, :, :])
        )

    @property
    def concordant(self) -> Bools:
        """(measures, truths, truths): whether the test of Kolmogorov and Smirnov sees no change.

        Where `shift` is NaN there is nothing to test, and this is False.
        """
        return np.asarray(self.shift <= critical_shift(len(self.runs)))

    def mean_tau(self, *, merged: bool = True) -> Floats:
        """(measures,): over all pairs of annotators, and with the merged truth or without."""
        chosen = [*range(self.annotators), *([len(self.truths) - 1] if merged else [])]
        one, other = np.triu_indices(len(chosen), 1)
        places = np.array(chosen, dtype=np.int64)
        return mean_of_known(self.tau[:, places[one], places[other]])

    @cached_property
    def ranks(self) -> Floats:
        """(measures, truths, runs): 1 is the best; equal merits share the best of their ranks. NaN
        where a truth gives some run no score."""
        ranks = competition_ranks(self.merits)
        return np.where(np.isnan(ranks).any(axis=-1, keepdims=True), np.nan, ranks)

    @property
    def moves(self) -> Floats:
        """(measures, truths, runs): ranks gained against the merged truth."""
        return np.asarray(self.ranks[:, -1:, :] - self.ranks)


def annotator_effect(
    votes: Votes,
    runs: Iterable[Run],
    measures: Iterable[str | Measure],
    *,
    groups: Mapping[str, Sequence[str]] | None = None,
    method: Method = "majority",
    least: float = 0.5,
    sizes: Sequence[int] | None = None,
    draws: int = 10,
    missing: Missing = "error",
    extra: Extra = "error",
    seed: int = 0,
    progress: Callable[[], None] | None = None,
    **knowledge: Any,
) -> AnnotatorEffect:
    """Score runs by the truth of each annotator, each group and everybody.

    groups     names of groups of annotators, whose majorities are truths as well
    method     how everybody's votes, and those of groups, are merged
    least      the share of items that an annotator must have voted on to be a truth of their own
    sizes      numbers of annotators whose majorities are compared with the merged truth; default:
               1, 2, 3, 5, 10, 20 … below the largest number that voted on an item
    draws      how often each number of annotators is drawn
    missing, extra  as for `evaluate`; Nowak 2011 ch. 6 scores 74 runs on 99 of their photos
    progress   called after each truth
    knowledge  ontology=, costs=, relatedness=, agreement= of `evaluate`
    """
    given = list(as_runs(runs))
    listed, wanted = systems_of(given), judging(measures)
    ranked = {run.name for run in listed}
    require_systems([run.name for run in listed], 2)
    require_draws("draws", draws)
    merged = votes.merge(method)
    listed = covering(merged, listed, extra)
    own, few = _own_truths(votes, least)
    named = {
        name: votes.only(annotators=members).merge(method)
        for name, members in (groups or {}).items()
    }
    twice = sorted(set(named) & {*own, MERGED})
    if twice:
        raise InputError(f"the group {twice[0]!r} is called like another truth; rename it")
    tried = _sizes(votes, sizes)

    def merits(truth: Truth) -> Floats:
        found = _scored(merged, truth, listed, wanted, missing, knowledge)
        if progress is not None:
            progress()
        return found

    stacked = np.stack([merits(one) for one in (*own.values(), *named.values(), merged)], axis=1)
    by_size = np.empty((len(wanted), len(tried), draws))
    for place, size in enumerate(tried):
        for draw in range(draws):
            random = stream(seed, "annotators", str(size), str(draw))
            part = merits(_drawn(votes, size, random).merge(method))
            by_size[:, place, draw] = tau(part, stacked[:, -1])
    return AnnotatorEffect(
        (*own, *named, MERGED),
        len(own),
        tuple(run.name for run in listed),
        tuple(wanted),
        stacked,
        tried,
        by_size,
        few,
        tuple(run.name for run in given if run.name not in ranked),
    )


def count_of_truths(
    votes: Votes,
    groups: int,
    *,
    least: float = 0.5,
    sizes: Sequence[int] | None = None,
    draws: int = 10,
) -> int:
    """How many truths `annotator_effect` scores runs by."""
    own, _ = _voters(votes, least)
    return len(own) + groups + 1 + draws * len(_sizes(votes, sizes))


def _voters(votes: Votes, least: float) -> tuple[list[str], tuple[str, ...]]:
    """Annotators who voted on enough items, and the others."""
    if not 0 <= least <= 1:
        raise InputError(f"least={least!r}; give a share from 0 to 1")
    sheets = votes.sheets
    seen = np.unique(sheets.annotator * len(votes.items) + sheets.item) // max(len(votes.items), 1)
    share = np.bincount(seen, minlength=len(votes.annotators)) / max(len(votes.items), 1)
    enough = [name for name, part in zip(votes.annotators, share, strict=True) if part >= least]
    chosen = set(enough)
    return enough, tuple(name for name in votes.annotators if name not in chosen)


def _own_truths(votes: Votes, least: float) -> tuple[dict[str, Truth], tuple[str, ...]]:
    enough, few = _voters(votes, least)
    return {name: votes.only(annotators=[name]).merge() for name in enough}, few


def _sizes(votes: Votes, given: Sequence[int] | None) -> tuple[int, ...]:
    most = int(np.bincount(votes.sheets.item, minlength=1).max())
    if given is None:
        return tuple(size for size in (1, 2, 3, 5, 10, 20, 50, 100) if size < most)
    for size in given:
        require_whole("sizes", size, least=1)
        if size > most:
            raise InputError(f"sizes: {size}; no item has votes of more than {most} annotators")
    return tuple(given)


def _drawn(votes: Votes, size: int, random: np.random.Generator) -> Votes:
    """The votes of so many annotators of each item, drawn anew for each."""
    sheets = votes.sheets
    # Lots go by names, whatever the order of a file.
    by_name = [
        places_by_name(names)[places]
        for names, places in (
            (votes.batches, sheets.batch),
            (votes.annotators, sheets.annotator),
            (votes.items, sheets.item),
        )
    ]
    lots = np.empty(len(sheets))
    lots[np.lexsort(by_name)] = random.random(len(sheets))
    order = np.lexsort((lots, sheets.item))
    item = sheets.item[order]
    first = np.searchsorted(item, np.arange(len(votes.items)))
    rank = np.empty(len(sheets), dtype=np.int64)
    rank[order] = np.arange(len(sheets)) - first[item]
    return votes.kept(rank[votes.sheet] < size)


def _scored(
    whole: Truth,
    truth: Truth,
    runs: Sequence[Run],
    measures: Sequence[Measure],
    missing: Missing,
    knowledge: Mapping[str, Any],
) -> Floats:
    """(measures, runs): merits by a truth, on the items that it judges."""
    rows = _judged_rows(truth)
    if rows is not None:
        truth = truth.part(rows)
        runs = [narrowed(run, whole, rows=rows, missing=missing) for run in runs]
    found = evaluate(truth, runs, measures, missing=missing, **knowledge)
    return np.array([[sign(one) * found[run, one] for run in found.runs] for one in found.measures])


def _judged_rows(truth: Truth) -> Ints | None:
    """Items of which anything is judged; None: all."""
    if truth.judged is None:
        return None
    some = dense(truth.judged).any(axis=1)
    return None if some.all() else np.flatnonzero(some)
