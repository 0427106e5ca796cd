"""Public names of slices."""

from cranfield.statistics.slices.cutting import Slice as Slice
from cranfield.statistics.slices.cutting import cut as cut
from cranfield.statistics.slices.results import Slices as Slices
from cranfield.statistics.slices.results import SliceScore as SliceScore
from cranfield.statistics.slices.slicing import slices as slices
