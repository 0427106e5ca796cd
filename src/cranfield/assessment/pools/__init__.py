"""Pools: which documents people judge, who judges them, and how far the result can be trusted.

making        the way in: `pool(runs, depth=100)`
rankings      what runs retrieved, in order
depth, stratified, by_yield, move_to_front   the methods, each with its source
allowance, judging, draws                    how much may be pooled, who says what, chance
pooled        the noun, and the truth that judgements make of it
assignment    who judges what
judgements    what people said: one grade out of several, and how far they got
left_out      scores without what one group alone found
missed        how many relevant documents were missed; discovery: how many each depth brings
uncertainty   what unjudged documents leave open
qrels, scoring   judgements that change, and runs scored with them
"""

from cranfield.assessment.pools.assignment import Sheet, assign
from cranfield.assessment.pools.judgements import (
    Disagreement,
    Judgement,
    Merged,
    Progress,
    merge,
    progress_of,
)
from cranfield.assessment.pools.left_out import GroupLeftOut, LeaveOneOut, leave_one_out
from cranfield.assessment.pools.making import pool
from cranfield.assessment.pools.missed import MissedRelevant, missed_relevant
from cranfield.assessment.pools.pooled import Pair, Pool
from cranfield.assessment.pools.uncertainty import Uncertainty, unjudged_uncertainty

__all__ = [
    "Disagreement",
    "GroupLeftOut",
    "Judgement",
    "LeaveOneOut",
    "Merged",
    "MissedRelevant",
    "Pair",
    "Pool",
    "Progress",
    "Sheet",
    "Uncertainty",
    "assign",
    "leave_one_out",
    "merge",
    "missed_relevant",
    "pool",
    "progress_of",
    "unjudged_uncertainty",
]
