"""Public names of merging."""

from cranfield.assessment.merging.consensus import METHODS as METHODS
from cranfield.assessment.merging.consensus import Consensus as Consensus
from cranfield.assessment.merging.consensus import consensus as consensus
