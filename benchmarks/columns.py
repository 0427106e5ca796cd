"""Five rank measures by concept against scikit-learn's two, and against pytrec_eval."""

import math
from collections.abc import Iterator

import numpy as np
import pytrec_eval
from sklearn.metrics import average_precision_score, roc_auc_score

import cranfield as cf
from benchmarks import workloads
from benchmarks.timing import Ratio, best_of
from cranfield.kernels import numpy_only

FIVE = ["concept.AUC", "concept.AP", "concept.iAP", "concept.EER", "concept.RP"]


def ratios() -> Iterator[Ratio]:
    for draw, target, times in (
        (workloads.imageclef_2009, 80, 30),
        (workloads.imageclef_2010, 80, 30),
        (workloads.million, 70, 2),
    ):
        load = draw()
        truth = cf.Truth(load.labels)

        def ours(load: workloads.Workload = load, truth: cf.Truth = truth) -> cf.Evaluation:
            return cf.evaluate(truth, [cf.Run(scores=load.scores)], FIVE)

        def theirs(load: workloads.Workload = load) -> tuple[float, float]:
            return (
                float(average_precision_score(load.labels, load.scores, average="macro")),
                float(roc_auc_score(load.labels, load.scores, average="macro")),
            )

        precision, area = theirs()
        assert math.isclose(ours()["run", "concept.AP"], precision, rel_tol=1e-10)
        assert math.isclose(ours()["run", "concept.AUC"], area, rel_tol=1e-10)
        slow = best_of(1 if times < 5 else 3, theirs)
        what = f"5 rank measures by concept, {load.name}"
        yield Ratio(what, "scikit-learn AP + AUC", slow, best_of(times, ours), target)
        if draw is workloads.imageclef_2009:
            with numpy_only():
                fallback = best_of(10, ours)
            yield Ratio(f"{what}, NumPy only", "scikit-learn AP + AUC", slow, fallback, 25)
            yield _trec(load)


def _trec(load: workloads.Workload) -> Ratio:
    names = [f"d{i}" for i in range(len(load.labels))]
    qrels = {
        f"t{j}": dict(zip(names, column.tolist(), strict=True))
        for j, column in enumerate(load.labels.astype(int).T)
    }
    run = {
        f"t{j}": dict(zip(names, column.tolist(), strict=True))
        for j, column in enumerate(load.scores.astype(float).T)
    }
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, {"map", "Rprec", "recip_rank"})
    three = ["concept.AP", "concept.RP", "concept.RR"]
    truth = cf.Truth(load.labels)

    def ours() -> cf.Evaluation:
        return cf.evaluate(truth, [cf.Run(scores=load.scores)], three)

    theirs = evaluator.evaluate(run)
    assert math.isclose(
        np.mean([topic["map"] for topic in theirs.values()]),
        ours()["run", "concept.AP"],
        abs_tol=1e-4,  # trec_eval breaks ties by document id
    )
    return Ratio(
        f"AP, RP and RR by concept, {load.name}",
        "pytrec_eval",
        best_of(2, lambda: evaluator.evaluate(run)),
        best_of(30, ours),
        90,
    )
