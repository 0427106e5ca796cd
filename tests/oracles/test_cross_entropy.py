"""Cross-entropy over classes against scikit-learn, SciPy and the formula written out."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import entropy
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss

import cranfield as cf
from problems import EXACT

NAME = "micro.cross_entropy"
RNG = np.random.default_rng(5)
CLASSES = RNG.integers(4, size=60)
LABELS = np.eye(4, dtype=bool)[CLASSES]
SAID = RNG.dirichlet(np.ones(4), size=60)
SOFT = RNG.dirichlet(np.ones(4), size=60)


@pytest.mark.parametrize(("reduce", "normalize"), [("sum", False), ("mean", True)])
def test_on_one_hot_classes_it_is_log_loss_of_scikit_learn(reduce: str, normalize: bool) -> None:
    said = SAID.copy()
    said[:3] = np.eye(4)[(CLASSES[:3] + 1) % 4]  # certain, and wrong
    wanted = log_loss(CLASSES, said, labels=range(4), normalize=normalize)
    name = f"{NAME}(reduce={reduce})"
    assert cf.score(LABELS, said, name) == pytest.approx(wanted, rel=EXACT)
    (found,) = cf.evaluate(cf.Truth(LABELS), cf.Run(said), name)
    assert found.value == pytest.approx(wanted, rel=EXACT)
    assert found.notes == ()


def test_one_concept_has_two_classes() -> None:
    y, p = LABELS[:, 0], SAID[:, 0]
    wanted = log_loss(y, p)
    assert cf.score(y, p, f"{NAME}(reduce=mean)") == pytest.approx(wanted, rel=EXACT)
    assert cf.score(y, p, NAME) == pytest.approx(cf.score(y, p, "log_loss"), rel=EXACT)


def test_targets_are_the_true_distribution() -> None:
    # H(p, q) = H(p) + KL(p, q), item by item.
    wanted = sum(entropy(p) + entropy(p, q) for p, q in zip(SOFT, SAID, strict=True))
    (found,) = cf.evaluate(cf.Truth(LABELS, targets=SOFT), cf.Run(SAID), NAME)
    assert found.value == pytest.approx(wanted, rel=1e-10)
    assert cf.score(SOFT, SAID, NAME) == found.value
    assert cf.evaluate(cf.Truth(targets=SOFT), cf.Run(SAID), NAME)["run", NAME] == found.value


def test_the_mean_is_over_items_that_somebody_judged() -> None:
    judged = np.repeat(np.arange(60) % 3 > 0, 4).reshape(60, 4)
    truth = cf.Truth(LABELS & judged, judged=judged, unjudged="exclude")
    found = cf.evaluate(truth, cf.Run(SAID), f"{NAME}(reduce=mean)").scores[0].value
    rows = judged[:, 0]
    assert found == pytest.approx(log_loss(CLASSES[rows], SAID[rows], labels=range(4)), rel=EXACT)


def test_what_is_no_distribution_is_noted() -> None:
    several = LABELS.copy()
    several[0] = True
    (found,) = cf.evaluate(cf.Truth(several), cf.Run(SAID / 2), NAME)
    assert found.notes == (
        "1 item: not exactly one true class; log_loss takes labels that come together",
        "60 items: confidences do not sum to 1",
    )
    (found,) = cf.evaluate(cf.Truth(targets=SOFT / 2), cf.Run(SAID), NAME)
    assert found.notes == ("60 items: targets do not sum to 1",)


def test_targets_that_are_no_probabilities_are_refused() -> None:
    with pytest.raises(cf.InputError, match=r"holds 3, and micro.cross_entropy needs probabilit"):
        cf.score([[3.0, 0.0]], [[0.5, 0.5]], NAME)


@pytest.mark.parametrize("prefix", ["", "concept.", "example."])
def test_the_former_name_of_log_loss_is_answered_with_what_to_write(prefix: str) -> None:
    with pytest.raises(cf.MeasureError, match=f"write {NAME} for one .* or {prefix}log_loss for"):
        cf.measure(f"{prefix}cross_entropy")


def test_as_a_scorer_it_is_that_of_scikit_learn() -> None:
    X = SAID[:, :2]
    model = LogisticRegression().fit(X, CLASSES)
    found = cf.scorer(f"{NAME}(reduce=mean)")(model, X, CLASSES)
    assert found == pytest.approx(-log_loss(CLASSES, model.predict_proba(X)), rel=EXACT)


@pytest.mark.parametrize("reduce", ["sum", "mean"])
def test_its_interval_is_that_of_the_sum_over_items(reduce: str) -> None:
    (found,) = cf.intervals(cf.evaluate(cf.Truth(LABELS), cf.Run(SAID), f"{NAME}(reduce={reduce})"))
    losses = -np.log(np.clip(SAID[LABELS], 1e-15, None))
    scale = 60 if reduce == "sum" else 1
    assert found.error == pytest.approx(scale * losses.std(ddof=1) / np.sqrt(60), rel=1e-9)
