"""Public names of resampling."""

from cranfield.statistics.resampling.replicates import average as average
from cranfield.statistics.resampling.replicates import replicates as replicates
from cranfield.statistics.resampling.sampling import Sampling as Sampling
