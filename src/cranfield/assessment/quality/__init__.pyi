"""Public names of quality."""

from cranfield.assessment.quality.analysis import Quality as Quality
from cranfield.assessment.quality.analysis import quality as quality
from cranfield.assessment.quality.duplicates import Repeated as Repeated
from cranfield.assessment.quality.duplicates import Twins as Twins
