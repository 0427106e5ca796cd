"""Reuse: how far the judgements of a pool can be trusted, by those who were in it and by others."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from cranfield.assessment.pools.left_out import LeaveOneOut, leave_one_out
from cranfield.assessment.pools.missed import MissedRelevant, missed_relevant
from cranfield.assessment.pools.qrels import NotPooledError
from cranfield.assessment.pools.uncertainty import Uncertainty, unjudged_uncertainty
from cranfield.collections.extra_items import left_out_remarks
from cranfield.collections.readings import as_runs
from cranfield.core.chart import Chart
from cranfield.core.options import Option
from cranfield.core.progress import Progress, silent
from cranfield.core.result import Analysis
from cranfield.core.run import Run
from cranfield.core.table import Table
from cranfield.core.truth import Truth
from cranfield.errors import InputError
from cranfield.measures import Measure


@dataclass(frozen=True, eq=False, repr=False)
class PoolReuse(Analysis):
    """Three answers; None where the judgements do not allow one."""

    title = "How far the judgements can be trusted"

    left_out: LeaveOneOut | None
    missed: MissedRelevant | None
    unjudged: Uncertainty
    warnings: tuple[str, ...] = ()

    @property
    def _answers(self) -> list[Analysis]:
        answers = (self.left_out, self.missed, self.unjudged)
        return [answer for answer in answers if answer is not None]

    def _facts(self) -> dict[str, Any]:
        return {
            "leave_one_out": None if self.left_out is None else self.left_out._facts(),
            "missed": None if self.missed is None else self.missed._facts(),
            "unjudged": self.unjudged._facts(),
        }

    def _tables(self) -> list[Table]:
        return [table for answer in self._answers for table in answer._tables()]

    def _charts(self) -> list[Chart]:
        return [] if self.missed is None else self.missed._charts()


def pool_reuse(
    truth: Truth,
    runs: Run | Iterable[Run],
    *,
    measure: str | Measure | None = None,
    depth: Annotated[
        int | None,
        Option(
            metavar="K",
            minimum=2,
            default="as the pool's folder says, or down to where everything is judged",
        ),
    ] = None,
    to: Annotated[int | None, Option(metavar="K", minimum=2, default="the longest list")] = None,
    pooled_to: int | Mapping[str, int] | None = None,
    progress: Progress = silent,
) -> PoolReuse:
    """Ask how far judgements can be trusted: by those who were in the pool, and by others.

    Three answers. Leave one group out: how scores and ranks of its runs change if the documents
    that only this group found had not been judged (Zobel 1998). Missed: how many relevant documents
    deeper pools would have brought, and how many no group found (Chao 1987). Unjudged: the share of
    unjudged documents in each run, and which pairs of runs could change places if they were judged
    (Baillie et al. 2008).

    measure    what to score by; default: topic.AP, and topic.P@10 for what unjudged documents
               leave open
    depth      How deep the runs were pooled.
    to         How deep to look for relevant documents that were missed.
    pooled_to  how deep, in all topics or by topic, where the pool says so
    """
    listed = as_runs(runs)
    remarks = left_out_remarks(listed)
    left_out = missed = None
    if len({run.group or run.name for run in listed}) < 2:
        remarks.append(
            "nothing is left if the only group is left out; give runs of at least two groups"
        )
    else:
        try:
            left_out = leave_one_out(
                truth, listed, measure or "topic.AP", depth=depth or pooled_to, progress=progress
            )
        except NotPooledError as error:
            remarks.append(f"no group is left out: {error.what}; give the depth of the pool")
    try:
        missed = missed_relevant(truth, listed, depth=depth, to=to)
    except InputError as error:
        if depth is not None:
            raise
        remarks.append(f"no estimate of what was missed: {error.what}; give the depth of the pool")
    unjudged = unjudged_uncertainty(truth, listed, measure or "topic.P@10", progress=progress)
    return PoolReuse(left_out, missed, unjudged, tuple(remarks))
