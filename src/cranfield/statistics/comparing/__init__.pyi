"""Public names of comparing."""

from cranfield.statistics.comparing.comparing import Correction as Correction
from cranfield.statistics.comparing.comparing import Test as Test
from cranfield.statistics.comparing.comparing import compare as compare
from cranfield.statistics.comparing.comparing import corrections_for as corrections_for
from cranfield.statistics.comparing.pairs import Pairs as Pairs
from cranfield.statistics.comparing.resampled import resampled_p as resampled_p
from cranfield.statistics.comparing.tournament import Pair as Pair
from cranfield.statistics.comparing.tournament import Tournament as Tournament
from cranfield.statistics.comparing.tournaments import Tournaments as Tournaments
from cranfield.statistics.comparing.units import units_by as units_by
from cranfield.statistics.comparing.variance import critical_difference as critical_difference
from cranfield.statistics.comparing.variance import friedman as friedman
from cranfield.statistics.comparing.variance import mean_ranks as mean_ranks
from cranfield.statistics.comparing.variance import one_way as one_way
from cranfield.statistics.comparing.variance import two_way as two_way
