"""Class by class: each one against the rest, with all rates of Weber §1.5, and its entropies."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cranfield.contingency import Contingency
from cranfield.matrices import Floats
from cranfield.measures.declare import ratio
from cranfield.measures.information import class_entropies

if TYPE_CHECKING:
    import polars


def class_frame(table: Contingency, base: float) -> polars.DataFrame:
    """A row for each class; what is undefined is null.

    support, said  how often it is true, and was said
    H_S_given_t    H(S|T = class): how uncertain the answers are where the class is true
    H_T_given_s    H(T|S = class): how uncertain the truth is where the class was said
    """
    import polars

    square = table.aligned
    columns: dict[str, Floats] = {**_counts(square), **_rates(square)}
    for name, given in (("H_S_given_t", "true"), ("H_T_given_s", "said")):
        columns[name] = class_entropies(square, given) / np.log(base)  # type: ignore[arg-type]
    frame = polars.DataFrame({"class": list(square.true), **columns})
    frame = frame.with_columns(polars.selectors.float().fill_nan(None))
    if table.holds_counts:
        frame = frame.with_columns(polars.col(*_counts(square)).cast(polars.Int64))
    return frame


def _counts(square: Contingency) -> dict[str, Floats]:
    support, said = square.counts.sum(axis=1), square.counts.sum(axis=0)
    tp = np.diagonal(square.counts)
    tn = square.total - support - said + tp
    counts = {"support": support, "said": said, "TP": tp, "FP": said - tp, "FN": support - tp}
    return {**counts, "TN": np.maximum(tn, 0.0)}


def _rates(square: Contingency) -> dict[str, Floats]:
    n = _counts(square)
    tp, fp, fn, tn = (n[name] for name in ("TP", "FP", "FN", "TN"))
    right = ratio(tp + tn, np.broadcast_to(square.total, tp.shape))
    return {
        "PPV": ratio(tp, tp + fp),
        "NPV": ratio(tn, tn + fn),
        "TPR": ratio(tp, tp + fn),
        "TNR": ratio(tn, tn + fp),
        "FPR": ratio(fp, tn + fp),
        "FNR": ratio(fn, tp + fn),
        "FDR": ratio(fp, tp + fp),
        "FOR": ratio(fn, tn + fn),
        "ACC": right,
        "ERR": 1.0 - right,
        "F1": ratio(2.0 * tp, 2.0 * tp + fp + fn),
        "generality": square.p_true,
    }
