"""Public names of truths with unjudged cells."""

from cranfield.statistics.incomplete.bounds import Bound as Bound
from cranfield.statistics.incomplete.bounds import Bounds as Bounds
from cranfield.statistics.incomplete.bounds import bounds as bounds
from cranfield.statistics.incomplete.estimates import Estimate as Estimate
from cranfield.statistics.incomplete.estimates import Estimates as Estimates
from cranfield.statistics.incomplete.estimates import estimate as estimate
