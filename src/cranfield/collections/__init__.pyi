"""Public names of collections."""

from cranfield.collections.collection import Collection as Collection
from cranfield.collections.comparison import Comparison as Comparison
from cranfield.collections.comparison import Counts as Counts
from cranfield.collections.description import Description as Description
from cranfield.collections.description import describe as describe
from cranfield.collections.description.overlap import Overlap as Overlap
from cranfield.collections.description.overlap import overlap as overlap
from cranfield.collections.splits import SplitReport as SplitReport
from cranfield.collections.splits import folds as folds
from cranfield.collections.splits.split import Split as Split
from cranfield.collections.splits.split import split as split
