"""The rules for ties that rank measures offer, as types of their `ties` option.

grouped: all cells of a score enter at once; expected: mean over tie orders; best, worst: relevant
cells first, last; trec: scores compared as float32, then ids descending bytewise.
"""

from __future__ import annotations

from typing import Literal

AnyRule = Literal["grouped", "expected", "best", "worst", "trec"]
AnyOrder = Literal["expected", "best", "worst", "trec"]
AtOnce = Literal["grouped", "best", "worst", "trec"]
InOrder = Literal["best", "worst", "trec"]
