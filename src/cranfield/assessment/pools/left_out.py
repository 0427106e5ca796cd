"""Left out: what if a group had not taken part?

The documents that only this group's runs brought into the pool are taken out of the judgements, and
all runs are scored again. If the group's runs lose little, runs that never were in the pool will be
treated fairly too: the collection can be reused. Source: Zobel 1998.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from cranfield.assessment.pools.qrels import Scoring, judged_depth
from cranfield.assessment.pools.rankings import Rankings
from cranfield.collections.readings import as_runs
from cranfield.core.matrices import Floats, Ints
from cranfield.core.progress import Progress, silent
from cranfield.core.result import Analysis
from cranfield.core.run import Run
from cranfield.core.table import Column, Table
from cranfield.core.truth import Truth
from cranfield.engine.standings import competition_ranks
from cranfield.errors import InputError, first_ten, several
from cranfield.measures import Measure
from cranfield.statistics import tau

_SHOWN = 20
"""Runs that a table lists."""


@dataclass(frozen=True)
class RunLeftOut:
    """A run, scored with the documents that only its group pooled, and without them."""

    run: str
    score: float
    without: float
    rank: int
    """Among all runs, from 1; runs that tie share the better rank."""
    rank_without: int

    @property
    def change(self) -> float:
        return self.without - self.score


@dataclass(frozen=True)
class GroupLeftOut:
    """A group that did not take part."""

    group: str
    unique: int
    """Judged documents that nobody else pooled."""
    unique_relevant: int
    topics_lost: int
    """Topics that are left without relevant documents."""
    tau: float
    """Of the order of all runs, with these documents and without them."""
    runs: tuple[RunLeftOut, ...]


@dataclass(frozen=True, repr=False)
class LeaveOneOut(Analysis):
    """Each group left out once."""

    title = "Leave one group out"

    measure: Measure
    groups: tuple[GroupLeftOut, ...]

    @property
    def changes(self) -> Floats:
        """How much the score of each run changes without its group's own documents."""
        return np.array([run.change for group in self.groups for run in group.runs])

    @property
    def relative_changes(self) -> Floats:
        """The same as shares of the scores; runs that score 0 are left out."""
        scores = np.array([run.score for group in self.groups for run in group.runs])
        defined = scores != 0
        shares: Floats = self.changes[defined] / scores[defined]
        return shares

    def _facts(self) -> dict[str, Any]:
        shares = self.relative_changes
        return {
            "measure": str(self.measure),
            "mean_relative_change": float(np.mean(shares)) if len(shares) else None,
            "groups": [
                {
                    "group": group.group,
                    "unique": group.unique,
                    "unique_relevant": group.unique_relevant,
                    "topics_lost": group.topics_lost,
                    "tau": group.tau,
                    "runs": [
                        {
                            "run": run.run,
                            "score": run.score,
                            "without": run.without,
                            "change": run.change,
                            "place": run.rank,
                            "place_without": run.rank_without,
                        }
                        for run in group.runs
                    ],
                }
                for group in self.groups
            ],
        }

    def _tables(self) -> list[Table]:
        worst = sorted(self.groups, key=lambda group: min(run.change for run in group.runs))
        rows = [
            {
                "group": group.group,
                "run": run.run,
                "score": run.score,
                "without": run.without,
                "change": run.change,
                "rank": run.rank,
                "rank_without": run.rank_without,
                "unique": group.unique,
                "unique_relevant": group.unique_relevant,
                "tau": group.tau,
            }
            for group in worst
            for run in group.runs
        ]
        columns = (
            Column("group", "group left out", key=True),
            Column("run", key=True),
            Column("score", str(self.measure), digits=4),
            Column("without", digits=4),
            Column("change", digits=4),
            Column("rank"),
            Column("rank_without", "without"),
            Column("unique", "own"),
            Column("unique_relevant", "relevant"),
            Column("tau", "τ"),
        )
        return [
            Table(
                "left_out",
                rows[:_SHOWN],
                columns,
                title=self.title,
                remarks=self._notes(len(rows)),
                audience="people",
            ),
            Table("runs_left_out", rows, audience="programs"),
        ]

    def _notes(self, runs: int) -> list[str]:
        shares = self.relative_changes
        notes = []
        if runs > _SHOWN:
            notes.append(f"and {several(runs - _SHOWN, 'more run')} that change less")
        largest = shares[np.argsort(np.abs(shares))][-1:]
        notes.append(
            f"own: judged documents that no other group pooled. Scores change by "
            f"{_percent(shares)} on average, by {_percent(largest)} at most"
        )
        lost = sum(group.topics_lost for group in self.groups)
        if lost:
            notes.append(
                f"{several(lost, 'time')} a topic lost all relevant documents; it scores 0"
            )
        return notes


def leave_one_out(
    truth: Truth,
    runs: Run | Iterable[Run],
    measure: str | Measure = "concept.AP",
    *,
    depth: int | Mapping[str, int] | None = None,
    progress: Progress = silent,
) -> LeaveOneOut:
    """Leave out each group of runs (`group=`; a run without one is a group of its own).

    depth     how deep the runs were pooled, in all topics or by topic; default: down to where all
              they retrieved was judged
    """
    scoring = Scoring(truth, as_runs(runs), measure)
    names = scoring.rankings.groups
    groups = sorted(set(names))
    if len(groups) < 2:
        raise InputError(
            "all runs belong to one group; without it there is no pool: give runs of at least two"
        )
    if depth is None:
        depth = judged_depth(scoring.rankings, scoring.qrels)
    limits = _limits(scoring.rankings, depth)
    contributions = {group: _pooled_by(scoring.rankings, group, limits) for group in groups}
    done = []
    with progress("leaving out", len(groups)) as step:
        for group in groups:
            others = [codes for other, codes in contributions.items() if other != group]
            unique = np.setdiff1d(contributions[group], np.concatenate(others))
            done.append(_left_out(scoring, group, unique[scoring.qrels.at(unique) >= 0]))
            step(1)
    return LeaveOneOut(scoring.measure, tuple(done))


def _left_out(scoring: Scoring, group: str, unique: Ints) -> GroupLeftOut:
    qrels = scoring.qrels.without(unique)
    scores = scoring.with_qrels(qrels) if len(unique) else scoring.scores
    before, after = competition_ranks([scoring.scores, scores])
    left = np.unique(scoring.rankings.topic_of(qrels.relevant))
    return GroupLeftOut(
        group,
        len(unique),
        int((scoring.qrels.at(unique) >= 1).sum()),
        int(scoring.topics.sum()) - len(left),
        float(tau(scoring.scores, scores)),
        tuple(
            RunLeftOut(
                name,
                float(scoring.scores[index]),
                float(scores[index]),
                int(before[index]),
                int(after[index]),
            )
            for index, name in enumerate(scoring.rankings.names)
            if scoring.rankings.groups[index] == group
        ),
    )


def _pooled_by(rankings: Rankings, group: str, limits: Ints) -> Ints:
    """The pairs that runs of a group have within the depth of each topic."""
    return np.unique(
        np.concatenate(
            [
                run.codes[run.ranks <= limits[rankings.topic_of(run.codes)]]
                for run, made_by in zip(rankings.lists, rankings.groups, strict=True)
                if made_by == group
            ]
        )
    )


def _percent(shares: Floats) -> str:
    return f"{100 * float(np.mean(shares)):+.1f} %" if len(shares) else "–"


def _limits(rankings: Rankings, depth: int | Mapping[str, int]) -> Ints:
    """The depth of each topic."""
    if isinstance(depth, Mapping):
        lacking = [topic for topic in rankings.topics if topic not in depth]
        if lacking:
            raise InputError(
                f"{several(len(lacking), 'topic')} without a depth: {first_ten(lacking)}; "
                "give one for each"
            )
        return np.array([depth[topic] for topic in rankings.topics], dtype=np.int64)
    return np.full(len(rankings.topics), depth)
