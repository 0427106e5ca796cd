"""Public names of assessment."""

from cranfield.assessment.pools import Pool as Pool
from cranfield.assessment.pools import leave_one_out as leave_one_out
from cranfield.assessment.pools import missed_relevant as missed_relevant
from cranfield.assessment.pools import pool as pool
from cranfield.assessment.pools import unjudged_uncertainty as unjudged_uncertainty
from cranfield.assessment.pools.reuse import pool_reuse as pool_reuse
from cranfield.assessment.votes import Votes as Votes
