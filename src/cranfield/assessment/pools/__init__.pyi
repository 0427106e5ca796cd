"""Public names of pools."""

from cranfield.assessment.pools.assignment import Sheet as Sheet
from cranfield.assessment.pools.assignment import assign as assign
from cranfield.assessment.pools.judgements import Disagreement as Disagreement
from cranfield.assessment.pools.judgements import Judgement as Judgement
from cranfield.assessment.pools.judgements import JudgingProgress as JudgingProgress
from cranfield.assessment.pools.judgements import Merged as Merged
from cranfield.assessment.pools.judgements import merge as merge
from cranfield.assessment.pools.judgements import progress_of as progress_of
from cranfield.assessment.pools.left_out import GroupLeftOut as GroupLeftOut
from cranfield.assessment.pools.left_out import LeaveOneOut as LeaveOneOut
from cranfield.assessment.pools.left_out import leave_one_out as leave_one_out
from cranfield.assessment.pools.making import pool as pool
from cranfield.assessment.pools.missed import MissedRelevant as MissedRelevant
from cranfield.assessment.pools.missed import missed_relevant as missed_relevant
from cranfield.assessment.pools.pooled import Pair as Pair
from cranfield.assessment.pools.pooled import Pool as Pool
from cranfield.assessment.pools.uncertainty import Uncertainty as Uncertainty
from cranfield.assessment.pools.uncertainty import unjudged_uncertainty as unjudged_uncertainty
