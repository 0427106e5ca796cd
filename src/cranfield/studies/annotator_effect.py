"""What the choice of annotators does to the ranking of runs (Nowak 2011 §6.4.2 and §6.4.4).

Runs are scored by what each annotator says, by the majority of each group, and by everybody's
merged votes. How alike the rankings are tells whether it matters who was asked; majorities of ever
more annotators tell how many are needed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from cranfield.assessment.merging.consensus import Method
from cranfield.assessment.votes import Votes
from cranfield.assessment.votes.sheets import places_by_name
from cranfield.caching import cached_property
from cranfield.collections.extra_items import covering
from cranfield.collections.readings import as_runs
from cranfield.core.aligned import narrowed
from cranfield.core.axes import Extra, Missing
from cranfield.core.chart import Axis, Chart
from cranfield.core.matrices import Bools, Floats, Ints, dense, mean_of_defined
from cranfield.core.options import Option, Seed
from cranfield.core.progress import Progress, silent
from cranfield.core.reference_names import references_remark
from cranfield.core.result import Analysis
from cranfield.core.run import Run
from cranfield.core.table import Column, Table, square
from cranfield.core.terms import CONCEPTS, Terms
from cranfield.core.truth import Truth
from cranfield.engine import evaluate
from cranfield.engine.standings import competition_ranks
from cranfield.errors import MOST_DRAWS, InputError, require_draws, require_whole, several
from cranfield.measures import Measure
from cranfield.statistics.rank_correlation import critical_shift, rank_shift, tau
from cranfield.studies.field import DISCORDANT, judging, require_systems, sign, systems_of
from cranfield.studies.reference_runs import stream

MERGED = "Merged"
_MOVES = 10
"""Runs that a table of moves lists."""


@dataclass(frozen=True, eq=False)
class AnnotatorEffect(Analysis):
    """Rankings of runs by different truths."""

    title = "Effect of annotators on rankings"

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
    terms: Terms = CONCEPTS

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
        row, column = np.triu_indices(len(chosen), 1)
        truths = np.array(chosen, dtype=np.int64)
        return mean_of_defined(self.tau[:, truths[row], truths[column]])

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

    # ── as a result ───────────────────────────────────────────────────────────────────────────

    def _facts(self) -> dict[str, Any]:
        without, merged = self.mean_tau(merged=False), self.mean_tau()
        return {
            "truths": list(self.truths),
            "annotators": self.annotators,
            "left_out": list(self.left_out),
            "runs": list(self.runs),
            "passed_over": list(self.passed_over),
            "critical_shift": critical_shift(len(self.runs)),
            "sizes": list(self.sizes),
            "measures": [
                {
                    "measure": str(measure),
                    "tau": self.tau[index],
                    "shift": self.shift[index],
                    "concordant": self._tested(index),
                    "mean_tau": without[index],
                    "mean_tau_with_merged": merged[index],
                    "ranks": self.ranks[index],
                    "by_size": self.by_size[index],
                }
                for index, measure in enumerate(self.measures)
            ],
        }

    def _tested(self, index: int) -> list[list[bool | None]]:
        """(truths, truths): whether rankings are concordant, None where there is no test."""
        tested = self.concordant[index].astype(object)
        tested[np.isnan(self.shift[index])] = None
        rows: list[list[bool | None]] = tested.tolist()
        return rows

    def _rows(self) -> Iterator[dict[str, Any]]:
        """A record for each measure and pair of truths."""
        for index, measure in enumerate(self.measures):
            tested = self._tested(index)
            for row, column in zip(*np.triu_indices(len(self.truths), 1), strict=True):
                yield {
                    "measure": str(measure),
                    "truth": self.truths[row],
                    "other": self.truths[column],
                    "tau": self.tau[index, row, column],
                    "shift": self.shift[index, row, column],
                    "concordant": tested[row][column],
                }

    def _tables(self) -> list[Table]:
        tables = [
            square(
                f"tau {measure}",
                self.truths,
                self.tau[index],
                marks=np.where(self._discordant(index), DISCORDANT, ""),
                title=f"τ by {measure}",
            )
            for index, measure in enumerate(self.measures)
        ]
        tables.append(self._means())
        if self.sizes:
            tables.append(self._needed())
        return [*tables, self._movers(), Table("pairs", list(self._rows()), audience="programs")]

    def _discordant(self, index: int) -> Bools:
        """(truths, truths): where a ranking is another one; what is undefined is no other."""
        return np.asarray(~self.concordant[index] & ~np.isnan(self.tau[index]))

    def _means(self) -> Table:
        without, merged = self.mean_tau(merged=False), self.mean_tau()
        rows = [
            {
                "measure": str(measure),
                "annotators": without[index],
                "and_merged": merged[index],
                "with_merged": float(mean_of_defined(self.tau[index, : self.annotators, -1])),
            }
            for index, measure in enumerate(self.measures)
        ]
        columns = [Column("measure"), Column("annotators", "among annotators")]
        columns += [Column("and_merged", "Merged included"), Column("with_merged", "with Merged")]
        return Table("means", rows, columns, title="Mean τ", audience="people")

    def _needed(self) -> Table:
        rows = [
            {"measure": str(measure)}
            | {
                str(size): draws.mean()
                for size, draws in zip(self.sizes, self.by_size[index], strict=True)
            }
            for index, measure in enumerate(self.measures)
        ]
        title = f"Mean τ with Merged, by number of annotators per {self.terms.item}"
        return Table("sizes", rows, title=title, audience="people")

    def _movers(self) -> Table:
        known = ~np.isnan(self.ranks)
        best = np.where(known, self.ranks, np.inf).min(axis=1)
        worst = np.where(known, self.ranks, -np.inf).max(axis=1)
        spread = np.where(known.any(axis=1), worst - best, np.nan)
        order = np.argsort(-mean_of_defined(spread.T), kind="stable")[:_MOVES]
        rows = [
            {"run": self.runs[run]}
            | {
                str(measure): _span(self.ranks[index, :, run])
                for index, measure in enumerate(self.measures)
            }
            for run in order.tolist()
        ]
        columns = [Column("run"), *(Column(str(m), str(m), align="right") for m in self.measures)]
        title = "Runs that move most: rank by Merged (best and worst by any truth)"
        return Table("moves", rows, columns, title=title, audience="people")

    def _remarks(self) -> list[str]:
        critical = critical_shift(len(self.runs))
        remarks = [
            f"{DISCORDANT} discordant by Kolmogorov and Smirnov: some run moves by more than "
            f"{critical:.3f} of the {several(len(self.runs), 'rank')}"
        ]
        if np.isnan(self.tau).any():
            remarks.append("– a truth gives all runs the same score, or some run none")
        if self.passed_over:
            remarks.append(references_remark(self.passed_over))
        if self.left_out:
            remarks.append(
                f"{several(len(self.left_out), 'annotator')} voted on too few {self.terms.items} "
                "to rank runs by; they count in groups and in Merged (--least)"
            )
        if self.sizes:
            draws = several(self.by_size.shape[2], "draw")
            remarks.append(f"numbers of annotators: mean over {draws}")
        return remarks

    def _charts(self) -> list[Chart]:
        """τ between all truths as heat maps, and τ over the number of annotators."""
        charts = [self._heat(index) for index in range(len(self.measures))]
        return [*charts, self._curve()] if self.sizes else charts

    def _heat(self, index: int) -> Chart:
        rows = [
            {
                "truth": self.truths[row],
                "other": self.truths[column],
                "tau": float(self.tau[index, row, column]),
                "discordant": not self.concordant[index, row, column],
            }
            for row in range(len(self.truths))
            for column in range(len(self.truths))
            if row != column and np.isfinite(self.tau[index, row, column])
        ]
        return Chart(
            kind="heat",
            rows=rows,
            x=Axis("other", scale="names"),
            y=Axis("truth", scale="names"),
            value="tau",
            framed="discordant",
            tooltip=("truth", "other", "tau", "discordant"),
            title=f"Rankings by {self.measures[index]}",
            subtitle="τ between truths; framed: discordant",
        )

    def _curve(self) -> Chart:
        rows = [
            {
                "measure": str(measure),
                "annotators": size,
                "tau": float(draws.mean()),
                "lowest": float(draws.min()),
                "highest": float(draws.max()),
            }
            for index, measure in enumerate(self.measures)
            for size, draws in zip(self.sizes, self.by_size[index], strict=True)
            if np.isfinite(draws).all()
        ]
        return Chart(
            kind="lines",
            rows=rows,
            x=Axis(
                "annotators", f"annotators per {self.terms.item}", scale="log", ticks=self.sizes
            ),
            y=Axis("tau", "τ with Merged"),
            series="measure",
            ends=("lowest", "highest"),
            tooltip=("measure", "annotators", "tau", "lowest", "highest"),
            title="How many annotators are needed?",
            subtitle="mean and range of draws",
        )


def _span(ranks: Floats) -> str:
    """The rank of a run by the merged truth, and its best and worst by any that ranks it."""
    known = ranks[~np.isnan(ranks)]
    if not len(known):
        return "–"
    merged = "–" if np.isnan(ranks[-1]) else f"{ranks[-1]:g}"
    return f"{merged} ({known.min():g}–{known.max():g})"


def annotator_effect(
    votes: Votes,
    runs: Iterable[Run],
    measures: Annotated[
        Iterable[str | Measure] | None,
        Option(
            name="measure",
            short="-m",
            metavar="NAME",
            suggest="measures",
            default="concept.EER, concept.AUC, OS (with an ontology)",
        ),
    ] = None,
    *,
    groups: Mapping[str, Sequence[str]] | None = None,
    method: Annotated[Method, Option(metavar="NAME")] = "majority",
    least: Annotated[float, Option(metavar="SHARE", minimum=0.0, maximum=1.0)] = 0.5,
    sizes: Sequence[int] | None = None,
    draws: Annotated[int, Option(minimum=1, maximum=MOST_DRAWS)] = 10,
    missing: Missing = "error",
    extra: Extra = "error",
    seed: Seed = 0,
    progress: Progress = silent,
    ontology: Any = None,
    costs: Any = None,
    relatedness: Any = None,
    agreement: Any = None,
) -> AnnotatorEffect:
    """Score runs by what each annotator says, by groups, and by everybody's merged votes.

    τ and the test of Kolmogorov and Smirnov tell whether the rankings are the same; majorities of
    ever more annotators tell how many are needed. With --group, --ontology groups no concepts.

    measures   Measure; may be repeated
    groups     names of groups of annotators, whose majorities are truths as well
    method     How votes are merged, as merge has it.
    least      Annotators who voted on a smaller share of the items are no truth of their own.
    sizes      numbers of annotators whose majorities are compared with the merged truth; default:
               1, 2, 3, 5, 10, 20 … below the largest number that voted on an item
    draws      How often each number of annotators is drawn.
    missing, extra  as for `evaluate`; Nowak 2011 ch. 6 scores 74 runs on 99 of their photos
    seed       Seed of what is drawn.
    ontology, costs, relatedness, agreement  as for `evaluate`
    """
    if measures is None:
        measures = ["concept.EER", "concept.AUC", *([] if ontology is None else ["OS"])]
    knowledge = {
        "ontology": ontology, "costs": costs, "relatedness": relatedness, "agreement": agreement,
    }  # fmt: skip
    everything = list(as_runs(runs))
    listed, requested = systems_of(everything), judging(measures)
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
    truths = [*own.values(), *named.values(), merged]
    by_size = np.empty((len(requested), len(tried), draws))
    with progress("scoring", len(truths) + draws * len(tried)) as step:

        def merits(truth: Truth) -> Floats:
            scored = _scored(merged, truth, listed, requested, missing, knowledge)
            step(1)
            return scored

        stacked = np.stack([merits(truth) for truth in truths], axis=1)
        for index, size in enumerate(tried):
            for draw in range(draws):
                random = stream(seed, "annotators", str(size), str(draw))
                part = merits(_drawn(votes, size, random).merge(method))
                by_size[:, index, draw] = tau(part, stacked[:, -1])
    return AnnotatorEffect(
        (*own, *named, MERGED),
        len(own),
        tuple(run.name for run in listed),
        tuple(requested),
        stacked,
        tried,
        by_size,
        few,
        tuple(run.name for run in everything if run.name not in ranked),
        votes.terms,
    )


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


def _sizes(votes: Votes, requested: Sequence[int] | None) -> tuple[int, ...]:
    most = int(np.bincount(votes.sheets.item, minlength=1).max())
    if requested is None:
        return tuple(size for size in (1, 2, 3, 5, 10, 20, 50, 100) if size < most)
    for size in requested:
        require_whole("sizes", size, least=1)
        if size > most:
            raise InputError(f"sizes: {size}; no item has votes of more than {most} annotators")
    return tuple(requested)


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
    return votes.filter(rank[votes.sheet] < size)


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
    scores = evaluate(truth, runs, measures, missing=missing, **knowledge)
    return np.array([[sign(m) * scores[run, m] for run in scores.runs] for m in scores.measures])


def _judged_rows(truth: Truth) -> Ints | None:
    """Items of which anything is judged; None: all."""
    if truth.judged is None:
        return None
    some = dense(truth.judged).any(axis=1)
    return None if some.all() else np.flatnonzero(some)
