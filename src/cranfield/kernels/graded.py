"""nDCG with grades: the one statistic that needs more of a cell than relevant or not."""

from __future__ import annotations

import numpy as np

from cranfield.kernels.groups import Floats, Scores
from cranfield.kernels.statistics import discounts


def graded_ndcg(scores: Scores, gains: Floats, ideal: Floats, k: int, ties: str) -> float:
    """nDCG@k of one list with gains; `ideal` are the gains of everything relevant."""
    if len(ideal) == 0:
        return np.nan
    weight = np.diff(discounts(max(len(scores), len(ideal))))
    if k:
        weight[k:] = 0.0
    second = {"best": -gains, "worst": gains}.get(ties, np.zeros_like(gains))
    order = np.lexsort((second, -scores))
    gained = gains[order]
    if ties == "expected":
        group = np.concatenate([[0], np.cumsum(np.diff(scores[order]) != 0)]).astype(np.int64)
        group = group[: len(order)]
        gained = (
            (np.bincount(group, weights=gained) / np.bincount(group))[group]
            if len(order)
            else gained
        )
    best = np.sort(ideal)[::-1]
    return float((gained @ weight[: len(gained)]) / (best @ weight[: len(best)]))
