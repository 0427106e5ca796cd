"""Thresholds: where to cut confidences so that decisions are best, chosen on one run for another.

A score that reaches the threshold is a yes: `score >= threshold` (Weber §1.5 prints `>`, which its
own example contradicts).
"""

from cranfield._public import publish

publish(__name__)
