"""Rank measures by item against scikit-learn's coverage, ranking loss and LRAP."""

import math
from collections.abc import Iterator

from sklearn.metrics import (
    coverage_error,
    label_ranking_average_precision_score,
    label_ranking_loss,
)

import cranfield as cf
from benchmarks import workloads
from benchmarks.timing import Ratio, best_of

THREE = ["example.coverage(offset=zero)", "example.ranking_loss", "example.AP"]
SIX = [*THREE, "example.one_error", "example.RP", "example.nDCG"]


def ratios() -> Iterator[Ratio]:
    load = workloads.imageclef_2009()
    truth = cf.Truth(load.labels)

    def ours(measures: list[str]) -> cf.Evaluation:
        return cf.evaluate(truth, [cf.Run(scores=load.scores)], measures)

    def theirs() -> tuple[float, ...]:
        return tuple(
            float(measure(load.labels, load.scores))
            for measure in (
                coverage_error,
                label_ranking_loss,
                label_ranking_average_precision_score,
            )
        )

    slow = theirs()
    if load.labels.any(axis=1).all():
        for measure, value in zip(THREE, slow, strict=True):
            assert math.isclose(ours(THREE)["run", measure], value, rel_tol=1e-10)
    slow_seconds = best_of(2, theirs)
    for measures, target in ((THREE, 800), (SIX, None)):
        yield Ratio(
            f"{len(measures)} rank measures by item, {load.name}",
            "scikit-learn coverage + ranking loss + LRAP",
            slow_seconds,
            best_of(30, lambda measures=measures: ours(measures)),
            target,
        )
