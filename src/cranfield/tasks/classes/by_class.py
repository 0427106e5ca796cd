"""Class by class: each one against the rest, with all rates of Weber §1.5, and its entropies."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from cranfield.core.contingency import Contingency
from cranfield.core.matrices import Floats, ratio
from cranfield.measures.information import class_entropies

if TYPE_CHECKING:
    import polars


def class_frame(table: Contingency, base: float) -> polars.DataFrame:
    """A row for each class; what is undefined is null.

    Where nobody knows which answers are right, true classes come first, then said ones, and there
    are no rates.

    support, said  how often it is true, and was said
    H_S_given_t    H(S|T = class): how uncertain the answers are where the class is true
    H_T_given_s    H(T|S = class): how uncertain the truth is where the class was said
    """
    import polars

    square = table.aligned if table.has_matches else _side_by_side(table)
    counts, rates = _counts(square), _rates(square)
    columns: dict[str, Floats] = {**counts, **rates}
    if not table.has_matches:
        unknown = np.full(len(square.true), np.nan)
        columns |= {name: unknown for name in columns if name not in ("support", "said")}
    for name, given in (("H_S_given_t", "true"), ("H_T_given_s", "said")):
        columns[name] = class_entropies(square, given) / np.log(base)  # type: ignore[arg-type]
    frame = polars.DataFrame({"class": list(square.true), **columns})
    frame = frame.with_columns(polars.selectors.float().fill_nan(None))
    if table.holds_counts:
        frame = frame.with_columns(polars.col(*_counts(square)).cast(polars.Int64))
    return frame


def _side_by_side(table: Contingency) -> Contingency:
    """True classes and said ones as classes of their own."""
    rows, columns = table.counts.shape
    counts = np.zeros((rows + columns, rows + columns))
    counts[:rows, rows:] = table.counts
    names = (*table.true, *table.said)
    if not table.named:
        names = (*(f"true {x}" for x in table.true), *(f"said {x}" for x in table.said))
    return Contingency(counts, names, names)


def _counts(square: Contingency) -> dict[str, Floats]:
    tp, fp, fn, tn = square.one_vs_rest
    return {
        "support": square.of_true,
        "said": square.of_said,
        "TP": tp,
        "FP": fp,
        "FN": fn,
        "TN": tn,
    }


def _rates(square: Contingency) -> dict[str, Floats]:
    tp, fp, fn, tn = square.one_vs_rest
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
