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
        (workloads.million, 70, 3),
    ):
        yield from _against_scikit_learn(draw(), target, times)
    yield _against_trec_eval(workloads.imageclef_2009())


def _against_scikit_learn(load: workloads.Workload, target: float, times: int) -> Iterator[Ratio]:
    truth = cf.Truth(load.labels)
    found: dict[str, float] = {}

    def ours() -> cf.Evaluation:
        return cf.evaluate(truth, [cf.Run(scores=load.scores)], FIVE)

    def theirs() -> None:
        for name, score in (("AP", average_precision_score), ("AUC", roc_auc_score)):
            found[f"concept.{name}"] = float(score(load.labels, load.scores, average="macro"))

    slow = best_of(max(1, times // 10), theirs)
    for measure, value in found.items():
        assert math.isclose(ours()["run", measure], value, rel_tol=1e-10)
    what, peer = f"5 rank measures by concept, {load.name}", "scikit-learn AP + AUC"
    yield Ratio(what, peer, slow, best_of(times, ours), target)
    if len(load.labels) < 100_000:
        with numpy_only():
            yield Ratio(f"{what}, NumPy only", peer, slow, best_of(times, ours), 25)


def _against_trec_eval(load: workloads.Workload) -> Ratio:
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
        best_of(3, lambda: evaluator.evaluate(run)),
        best_of(30, ours),
        90,
    )
