"""Public names of thresholds."""

from cranfield.statistics.thresholds.roc_table import Best as Best
from cranfield.statistics.thresholds.roc_table import RocTable as RocTable
from cranfield.statistics.thresholds.roc_table import roc_table as roc_table
from cranfield.statistics.thresholds.tuning import RunThresholds as RunThresholds
from cranfield.statistics.thresholds.tuning import Thresholds as Thresholds
from cranfield.statistics.thresholds.tuning import tune as tune
