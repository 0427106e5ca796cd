"""Measures of label sets against scikit-learn's of the same name."""

import math
from collections.abc import Iterator

from sklearn.metrics import (
    f1_score,
    hamming_loss,
    jaccard_score,
    precision_score,
    recall_score,
    zero_one_loss,
)

import cranfield as cf
from benchmarks import workloads
from benchmarks.timing import Ratio, best_of

SIX = [
    f"example.{name}"
    for name in ("P(undefined=0)", "R(undefined=0)", "F(undefined=0)", "Acc(undefined=0)")
] + ["example.hamming", "example.zero_one"]


def ratios() -> Iterator[Ratio]:
    load = workloads.imageclef_2009()
    truth = cf.Truth(load.labels)

    def ours() -> cf.Evaluation:
        return cf.evaluate(truth, [cf.Run(scores=load.scores)], SIX)

    def theirs() -> list[float]:
        said = load.scores >= 0.5
        return [
            float(score(load.labels, said, average="samples", zero_division=0))
            for score in (precision_score, recall_score, f1_score, jaccard_score)
        ] + [float(loss(load.labels, said)) for loss in (hamming_loss, zero_one_loss)]

    for measure, value in zip(SIX, theirs(), strict=True):
        assert math.isclose(ours()["run", measure], value, rel_tol=1e-9), measure
    what = f"6 measures of label sets by item, {load.name}"
    yield Ratio(what, "scikit-learn", best_of(5, theirs), best_of(30, ours))
