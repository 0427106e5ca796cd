"""Thresholds: where to cut confidences so that decisions are best, chosen on one run for another.

A score that reaches the threshold is a yes: `score >= threshold` (Weber §1.5 prints `>`, which its
own example contradicts).
"""

from cranfield.statistics.thresholds.roc_table import Best, RocTable, roc_table
from cranfield.statistics.thresholds.tuning import RunThresholds, Thresholds, tune

__all__ = ["Best", "RocTable", "RunThresholds", "Thresholds", "roc_table", "tune"]
