"""torchmetrics' classes for several labels (Multilabel…), for classes (Multiclass…) and for
searches (Retrieval…), whose average= is written as there; macro is the default.

0/0 is 0. torchmetrics squashes confidences outside of [0, 1] by a sigmoid: do that before, or give
a threshold; exactly the threshold is enough here, and not there. Queries without relevant documents
score 0 (empty_target_action="neg").
"""

from __future__ import annotations

from functools import partial

from cranfield.measures.peer_names.names import PeerName

_row = partial(PeerName, "torchmetrics")
_FREQUENCY = "give weights= (each concept's number of positives) to"
_CURVE = 'call cf.curves(truth, runs, kind="pr") or kind="roc"'


def _labels(
    name: str, macro: str, micro: str | None = None, classes: str | None = None, option: str = ""
) -> tuple[PeerName, ...]:
    """The rows of Multilabel… and Multiclass…, by average; `option` goes with all."""
    bare = f"({option})" if option else ""
    rows = [
        _row(f"Multilabel{name}{bare}|Multilabel{name}({option}average=macro)", macro),
        _row(f"Multilabel{name}({option}average=weighted)", advice=f"{_FREQUENCY} {macro}"),
    ]
    if micro is not None:
        rows.append(_row(f"Multilabel{name}({option}average=micro)", micro))
    if classes is not None:
        whole = f"Multiclass{name}{bare}|Multiclass{name}({option}average=macro)"
        rows.append(_row(whole, classes=f"{classes}({option}average=macro)"))
        rows += [
            _row(
                f"Multiclass{name}({option}average={average})",
                classes=f"{classes}({option}average={average})",
            )
            for average in ("micro", "weighted")
        ]
    return tuple(rows)


TORCHMETRICS: tuple[PeerName, ...] = (
    *_labels("Precision", "concept.P(undefined=0)", "micro.P", "confusion.PPV"),
    *_labels("Recall", "concept.R(undefined=0)", "micro.R", "confusion.TPR"),
    *_labels("F1Score", "concept.F(undefined=0)", "micro.F", "confusion.F"),
    *_labels(
        "FBetaScore",
        "concept.F(beta={beta},undefined=0)",
        "micro.F(beta={beta})",
        "confusion.F",
        "beta={beta},",
    ),
    *_labels("JaccardIndex", "concept.jaccard(undefined=0)", "micro.jaccard", "confusion.jaccard"),
    *_labels("Accuracy", "concept.Acc", "micro.Acc"),
    _row("MulticlassAccuracy(average=micro)", classes="confusion.accuracy"),
    _row("MulticlassAccuracy(average=weighted)", classes="confusion.TPR"),
    _row(
        "MulticlassAccuracy|MulticlassAccuracy(average=macro)",
        classes="confusion.balanced_accuracy",
        differs="a class that is said and never true counts 0 there",
    ),
    *_labels("HammingDistance", "concept.error_rate"),
    _row("MulticlassHammingDistance", advice="write confusion.balanced_accuracy, 1 − it"),
    _row("MultilabelExactMatch", "example.subset_accuracy"),
    _row("MulticlassExactMatch", classes="confusion.accuracy"),
    _row("MultilabelMatthewsCorrCoef", advice="all labels are pooled there; write concept.MCC"),
    _row("MulticlassMatthewsCorrCoef", classes="confusion.MCC(undefined=0)"),
    _row("MulticlassCohenKappa", classes="confusion.kappa"),
    *_labels("AveragePrecision", "concept.AP(undefined=0)", "micro.AP"),
    _row("MulticlassAveragePrecision", classes="concept.AP"),
    *_labels("AUROC", "concept.AUC(undefined=0)", "micro.AUC"),
    _row("MulticlassAUROC", classes="concept.AUC(undefined=0)"),
    _row(
        "MultilabelEER|MulticlassEER",
        advice="write concept.EER, on the interpolated curve; EER(at=vertex) is nearest to theirs",
    ),
    _row("MultilabelRankingAveragePrecision", "example.AP(undefined=1)"),
    _row(
        "MultilabelRankingLoss",
        "example.ranking_loss(undefined=0)",
        differs="equal confidences are ordered by the place of labels there; here they are wrong",
    ),
    _row("MultilabelCoverageError", "example.coverage(offset=zero,undefined=0)"),
    _row(
        "MultilabelSpecificity|MulticlassSpecificity",
        advice="write concept.specificity, which leaves out one-sided concepts",
    ),
    _row(
        "MultilabelNegativePredictiveValue|MulticlassNegativePredictiveValue",
        advice="write concept.NPV, which leaves out one-sided concepts",
    ),
    _row(
        "MultilabelPrecisionAtFixedRecall|MulticlassPrecisionAtFixedRecall",
        advice="write concept.P_at_recall(recall=0.5), say",
    ),
    _row(
        "MultilabelRecallAtFixedPrecision|MulticlassRecallAtFixedPrecision|"
        "MultilabelSensitivityAtSpecificity|MulticlassSensitivityAtSpecificity|"
        "MultilabelSpecificityAtSensitivity|MulticlassSpecificityAtSensitivity",
        advice="`cranfield thresholds` finds thresholds with such conditions; a measure near it is "
        "concept.P_at_recall(recall=0.5)",
    ),
    _row("MulticlassCalibrationError", advice="it looks at the highest confidence; write ECE"),
    _row("MulticlassHingeLoss", advice="we do not have it; write micro.cross_entropy(reduce=mean)"),
    _row("MultilabelLogAUC|MulticlassLogAUC", advice="we do not have it; write concept.AUC"),
    _row("MultilabelConfusionMatrix|MulticlassConfusionMatrix", advice="call cf.Confusion(…)"),
    _row("MultilabelStatScores|MulticlassStatScores", advice="call result.by_unit()"),
    _row("MultilabelPrecisionRecallCurve|MulticlassPrecisionRecallCurve", advice=_CURVE),
    _row("MultilabelROC|MulticlassROC|RetrievalPrecisionRecallCurve", advice=_CURVE),
    _row("RetrievalMAP", "concept.AP(undefined=0)", searches="concept.AP(undefined=0)"),
    _row(
        "RetrievalMAP(top_k={k})",
        "concept.AP@{k}(divisor=retrieved,undefined=0)",
        searches="concept.AP@{k}(divisor=retrieved,undefined=0)",
    ),
    *(
        _row(name, f"concept.{ours}(undefined=0)", searches=f"concept.{ours}(undefined=0)")
        for name, ours in (
            ("RetrievalMRR", "RR"),
            ("RetrievalMRR(top_k={k})", "RR@{k}"),
            ("RetrievalRPrecision", "RP"),
            ("RetrievalNormalizedDCG", "nDCG"),
            ("RetrievalNormalizedDCG(top_k={k})", "nDCG@{k}"),
            ("RetrievalPrecision(top_k={k})", "P@{k}"),
            ("RetrievalRecall(top_k={k})", "R@{k}"),
            ("RetrievalHitRate(top_k={k})", "success@{k}"),
            ("RetrievalAUROC", "AUC"),
        )
    ),
    _row(
        "RetrievalPrecision|RetrievalRecall|RetrievalHitRate|"
        "RetrievalAUROC(top_k={k})|RetrievalFallOut|RetrievalFallOut(top_k={k})|"
        "RetrievalRecallAtFixedPrecision",
        advice="write RetrievalPrecision(top_k=10), RetrievalRecall(top_k=10) or RetrievalMRR",
    ),
)
