"""scikit-learn's scorers (`sklearn.metrics.get_scorer_names()`), and its functions for labels and
classes, whose average= is written as there: f1_score(average=macro) is the scorer f1_macro.

0/0 is 0, as scikit-learn's `zero_division` says by default. Where items have one class, averages
are over the classes that are true or said.
"""

from __future__ import annotations

from functools import partial

from cranfield.measures.peer_names.names import PeerName, same

_row = partial(PeerName, "scikit-learn")
_FREQUENCY = "for several labels, give weights= (each concept's number of positives) to"
_TOP = "equal confidences at the cut count by their chance; there the last class of them wins"
_ONE_SIDED = "a concept without positives or without negatives is left out; it is nan there"


def _averaged(name: str, ours: str, of_classes: str, option: str = "") -> tuple[PeerName, ...]:
    """The rows of a measure of label sets, one for each average; `option` goes with all."""

    def spelled(average: str) -> str:
        function = f"{name}_score({option}average={average})"
        return function if option else f"{name}_{average}|{function}"

    averages = ", ".join(spelled(average).split("|")[0] for average in ("macro", "micro"))
    bare = f"{name}_score({option})" if option else f"{name}|{name}_score"
    by_class = {
        average: same(f"confusion.{of_classes}({option}average={average})", "concept", "classes")
        for average in ("macro", "micro", "weighted")
    }
    weighted = "micro.R" if ours == "R" else None  # Σ positives · recall / Σ positives
    return (
        _row(
            f"{bare}|{name}_score({option}average=binary)",
            concept=f"concept.{ours}({option}undefined=0)",
            advice=f"write {averages} or {spelled('samples').split('|')[0]}",
        ),
        _row(spelled("macro"), f"concept.{ours}({option}undefined=0)", **by_class["macro"]),
        _row(spelled("micro"), f"micro.{ours}({option})", **by_class["micro"]),
        _row(
            spelled("samples"),
            f"example.{ours}({option}undefined=0)",
            advice=f"samples are averaged where items have several labels; write {averages}",
        ),
        _row(
            spelled("weighted"),
            weighted,
            **by_class["weighted"],
            advice=f"{_FREQUENCY} concept.{ours}({option}undefined=0)",
        ),
    )


_CLASSIFICATION = (
    *_averaged("precision", "P", "PPV"),
    *_averaged("recall", "R", "TPR"),
    *_averaged("f1", "F", "F"),
    *_averaged("fbeta", "F", "F", "beta={beta},"),
    _row("fbeta_score", advice="write fbeta_score(beta=2,average=macro), say"),
    *_averaged("jaccard", "jaccard", "jaccard"),
    _row(
        "accuracy",
        concept="concept.Acc",
        classes="confusion.accuracy",
        advice="with several labels it is one of these: accuracy_score (the share of items whose "
        "label set is right), micro.Acc (the share of right decisions), example.Acc (the overlap "
        "of label sets, Mulan's)",
    ),
    _row(
        "accuracy_score",
        "example.subset_accuracy",
        concept="concept.Acc",
        classes="confusion.accuracy",
    ),
    _row(
        "balanced_accuracy|balanced_accuracy_score",
        **same("confusion.balanced_accuracy", "concept", "classes"),
        advice="write concept.balanced_accuracy",
    ),
    _row(
        "top_k_accuracy|top_k_accuracy_score",
        classes="example.success@2",
        differs=_TOP,
        advice="for several labels write example.success@2 or example.P@2",
    ),
    _row(
        "top_k_accuracy_score(k={k})",
        classes="example.success@{k}",
        differs=_TOP,
        advice="for several labels write example.success@{k} or example.P@{k}",
    ),
    _row("hamming_loss", "example.hamming", concept="concept.error_rate"),
    _row("zero_one_loss", "example.zero_one", concept="concept.error_rate"),
    _row(
        "matthews_corrcoef",
        **same("confusion.MCC(undefined=0)", "concept", "classes"),
        advice="write concept.MCC",
    ),
    _row(
        "cohen_kappa_score",
        **same("confusion.kappa", "concept", "classes"),
        advice="for several labels write concept.MCC",
    ),
)

_RANKINGS = (
    _row("roc_auc|roc_auc_score|roc_auc_score(average=macro)", "concept.AUC", differs=_ONE_SIDED),
    _row("roc_auc_score(average=micro)", "micro.AUC"),
    _row(
        "roc_auc_score(average=samples)",
        advice="write example.ranking_loss(ties=expected), which is 1 − the area of each item",
    ),
    _row("roc_auc_score(average=weighted)", advice=f"{_FREQUENCY} concept.AUC"),
    _row(
        "roc_auc_ovr|roc_auc_score(multi_class=ovr)",
        classes="concept.AUC",
        differs=_ONE_SIDED,
        advice="for several labels write roc_auc",
    ),
    _row(
        "roc_auc_ovr_weighted",
        advice="give weights= (each concept's number of positives) to concept.AUC",
    ),
    _row(
        "roc_auc_ovo|roc_auc_ovo_weighted|roc_auc_score(multi_class=ovo)",
        advice="pairs of classes are not compared here; write roc_auc_ovr, each against the rest, "
        "or roc_auc for several labels",
    ),
    _row(
        "average_precision|average_precision_score|average_precision_score(average=macro)",
        "concept.AP(undefined=0)",
    ),
    _row("average_precision_score(average=micro)", "micro.AP(undefined=0)"),
    _row("average_precision_score(average=samples)", "example.AP(undefined=0)"),
    _row("average_precision_score(average=weighted)", advice=f"{_FREQUENCY} concept.AP"),
    _row("label_ranking_average_precision_score|LRAP", "example.AP(undefined=1)"),
    _row("label_ranking_loss", "example.ranking_loss(undefined=0)"),
    _row("coverage_error", "example.coverage(offset=zero,undefined=0)"),
    _row("ndcg_score", "example.nDCG(undefined=0)"),
    _row("ndcg_score(k={k})", "example.nDCG@{k}(undefined=0)"),
    _row("dcg_score|dcg_score(k={k})", advice="sums are not compared here; write ndcg_score"),
)

_PROBABILITIES = (
    _row(
        "brier_score_loss", concept="concept.brier", advice="write brier, the mean over all cells"
    ),
    _row(
        "neg_brier_score",
        advice="losses are not negated here, and lower is better: write brier_score_loss or brier",
    ),
    _row(
        "neg_log_loss",
        advice="losses are not negated here, and lower is better: write log_loss(reduce=mean), or "
        "micro.cross_entropy(reduce=mean) where items have one class",
    ),
    _row(
        "d2_log_loss_score|d2_brier_score|hinge_loss",
        advice="we do not have it; write log_loss(reduce=mean) or brier",
    ),
    _row(
        "positive_likelihood_ratio|neg_negative_likelihood_ratio|class_likelihood_ratios",
        advice="we do not have it; it is made of recall and fallout: write concept.R and "
        "concept.fallout",
    ),
)

_CLUSTERS = (
    _row("mutual_info_score", **same("confusion.I", "concept", "classes")),
    _row(
        "homogeneity_score",
        **same("confusion.completeness", "concept", "classes"),
        differs="where all items have one true class it is 1 there, and undefined here unless all "
        "are right",
    ),
    _row(
        "completeness_score|v_measure_score|normalized_mutual_info_score|"
        "adjusted_mutual_info_score|adjusted_rand_score|rand_score|fowlkes_mallows_score",
        advice="it compares clusterings, whose classes have no names; with names write "
        "confusion.I, confusion.completeness or confusion.kappa",
    ),
)

_REGRESSION = (
    _row("mean_squared_error", numbers="micro.MSE"),
    _row("root_mean_squared_error", numbers="concept.RMSE"),
    _row("mean_absolute_error", numbers="micro.MAE"),
    _row("r2_score", numbers="concept.R2", differs="of a constant column it is 0 or 1 there"),
    _row(
        "neg_mean_squared_error|neg_root_mean_squared_error|neg_mean_absolute_error",
        advice="losses are not negated here, and lower is better: write mean_squared_error, "
        "root_mean_squared_error or mean_absolute_error",
    ),
    _row(
        "explained_variance|explained_variance_score|d2_absolute_error_score|max_error|"
        "neg_max_error|median_absolute_error|neg_median_absolute_error|"
        "mean_absolute_percentage_error|neg_mean_absolute_percentage_error|"
        "mean_squared_log_error|neg_mean_squared_log_error|root_mean_squared_log_error|"
        "neg_root_mean_squared_log_error|mean_poisson_deviance|neg_mean_poisson_deviance|"
        "mean_gamma_deviance|neg_mean_gamma_deviance",
        advice="it is for numbers, not for labels, and we do not have it; for numbers write "
        "mean_absolute_error, root_mean_squared_error or r2_score",
    ),
)

_TABLES = (
    _row("confusion_matrix", advice="call cf.Confusion.from_labels(y_true, y_pred)"),
    _row(
        "classification_report|precision_recall_fscore_support|multilabel_confusion_matrix",
        advice="call result.by_unit() for a row of each concept, or cf.Confusion(…).by_class()",
    ),
    _row(
        "precision_recall_curve|roc_curve|det_curve",
        advice='call cf.curves(truth, runs, kind="pr") or kind="roc"',
    ),
)

SCIKIT_LEARN = (
    *_CLASSIFICATION,
    *_RANKINGS,
    *_PROBABILITIES,
    *_CLUSTERS,
    *_REGRESSION,
    *_TABLES,
)
