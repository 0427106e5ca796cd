"""Every completion of items that have few unknown cells, tried one after the other.

Exact for every measure that scores each item by itself. The completions of all items are tried
together: number k says of the unknown cells of each item, by its bits, which are positive.
"""

from __future__ import annotations

import numpy as np

from cranfield.core.matrices import Bools
from cranfield.measures import Measure
from cranfield.statistics.incomplete.gaps import Gaps
from cranfield.statistics.incomplete.spans import Spans


def enumerated(gaps: Gaps, measure: Measure, items: Bools) -> Spans:
    """Exact spans of some items."""
    number = np.cumsum(gaps.unknown, axis=1) - 1
    tried = gaps.unknown & items[:, None]
    spans = Spans.nothing_seen(len(items))
    for code in range(2 ** int(gaps.sizes[items].max(initial=0))):
        positive = tried & ((code >> np.minimum(number, 62)) & 1).astype(np.bool_)
        spans = spans.seen(measure.units(gaps.completed(positive)))
    return spans
