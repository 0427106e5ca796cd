"""Scores of confusion matrices: what one more item of a true and a said class would change."""

from __future__ import annotations

import numpy as np

from cranfield import kernels
from cranfield.collections.comparison import Comparison
from cranfield.core.matrices import Floats
from cranfield.measures import Measure
from cranfield.measures.single_labels import contingency_of, item_classes

_STEPS = np.array([-2.0, -1.0, 1.0, 2.0])
_WEIGHTS = np.array([1.0, -8.0, 8.0, -1.0]) / 12.0
"""The five-point difference, whose middle point has no weight."""
_STEP = 1e-3
_AT_ONCE = 4_000_000
"""Cells of tables that are held at a time."""


def of_table(comparison: Comparison, measure: Measure) -> Floats:
    """∂score/∂wᵢ of a formula over the confusion matrix; NaN where it has no slope."""
    table, classes = contingency_of(comparison), item_classes(comparison)
    width = table.counts.shape[1]
    cells = np.flatnonzero(table.counts)
    steep = np.zeros(table.counts.size)
    for part in np.array_split(cells, 1 + 4 * len(cells) * table.counts.size // _AT_ONCE):
        step = _STEP * table.counts.ravel()[part]
        moved = np.repeat(table.counts[None], 4 * len(part), axis=0)
        flat = moved.reshape(4 * len(part), -1)
        flat[np.arange(len(flat)), np.repeat(part, 4)] += np.outer(step, _STEPS).ravel()
        scores = measure.tabulate(table.filled(moved)).reshape(-1, 4)
        steep[part] = scores @ _WEIGHTS / step
    slope = steep[classes.true * width + classes.said]
    # A correction for the size of the sample (bias=miller_madow) is no matter of single items.
    return np.asarray(slope - kernels.total(slope) / max(1, len(slope)))
