"""α and β at 0 and at infinity: what a score converges to, never 0⁰."""

from __future__ import annotations

import numpy as np
import pytest

import cranfield as cf
from ontologies import drawn_ontology
from problems import EXACT

TRUE = np.array([[1, 1, 0, 0], [1, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 0]])
SAID = np.array([[1, 1, 0, 0], [1, 0, 1, 0], [1, 1, 0, 1], [0, 0, 0, 0]], dtype=bool)
TRUTH, RUN = cf.Truth(TRUE), cf.Run(labels=SAID)
NAMES = tuple("abcd")
ONTOLOGY = drawn_ontology(np.random.default_rng(2), NAMES)
SURE = 1.0 - np.eye(4)
"""Costs by which a wrong label is as wrong as can be."""


@pytest.mark.parametrize("name", ["example.alpha", "HS", "OS"])
def test_an_item_that_is_wholly_wrong_scores_0_at_alpha_0(name: str) -> None:
    result = cf.evaluate(TRUTH, RUN, f"{name}(alpha=0)", costs=SURE)
    assert result.units("run", f"{name}(alpha=0)").tolist() == [1.0, 1.0, 0.0, 1.0]


@pytest.mark.parametrize("name", ["example.alpha", "HS", "OS"])
def test_only_what_is_perfect_scores_at_alpha_inf(name: str) -> None:
    result = cf.evaluate(TRUTH, RUN, f"{name}(alpha=inf)", costs=SURE)
    assert result.units("run", f"{name}(alpha=inf)").tolist() == [1.0, 0.0, 0.0, 1.0]


def test_an_item_without_labels_stays_undefined_at_alpha_0() -> None:
    name = "example.alpha(alpha=0,undefined=skip)"
    result = cf.evaluate(TRUTH, RUN, name)
    assert np.isnan(result.units("run", name)[3])


@pytest.mark.parametrize(
    "name", ["example.alpha", "concept.shenP", "concept.shenR", "HS", "OS", "OS(agreement=none)"]
)
def test_alpha_converges_to_its_limits(name: str) -> None:
    opened = name.rstrip(")") + ("," if "(" in name else "(")
    names = [f"{opened}alpha={alpha})" for alpha in ("1e-12", "0", "1e6", "inf")]
    rng = np.random.default_rng(1)
    run = cf.Run(labels=rng.random((50, 4)) < 0.5, concepts=NAMES)
    truth = cf.Truth(rng.random((50, 4)) < 0.5, concepts=NAMES)
    result = cf.evaluate(truth, run, names, ontology=ONTOLOGY)
    small, zero, large, infinite = (result["run", one] for one in names)
    assert zero == pytest.approx(small, abs=1e-10)
    assert infinite == pytest.approx(large, abs=1e-10)
    assert infinite < zero


@pytest.mark.parametrize("direction", ["concept", "example", "micro"])
def test_f_is_precision_at_beta_0_and_recall_at_beta_inf(direction: str) -> None:
    for beta, name in (("0", "P"), ("inf", "R")):
        named = f"{direction}.F(beta={beta})"
        result = cf.evaluate(TRUTH, RUN, [named, f"{direction}.{name}"])
        own, other = (result.score("run", spelling).value for spelling in result.measures)
        if direction == "example":  # F of an item with labels on one side only is 0 either way
            own = np.nanmean(result.units("run", named)[:3])
            other = np.nanmean(result.units("run", f"{direction}.{name}")[:3])
        assert own == other


@pytest.mark.parametrize("name", ["hP", "hR"])
@pytest.mark.parametrize("expand", ["ancestors", "descendants", "pairwise"])
@pytest.mark.parametrize("mean", ["harmonic", "arithmetic"])
def test_hierarchical_f_has_the_same_limits(name: str, expand: str, mean: str) -> None:
    truth = cf.Truth(TRUE[:3], concepts=NAMES)
    run = cf.Run(labels=SAID[:3], concepts=NAMES)
    beta = {"hP": "0", "hR": "inf"}[name]
    names = [f"hF(beta={beta},expand={expand},mean={mean})", f"{name}(expand={expand})"]
    names = [f"example.{spelling}" for spelling in names]
    result = cf.evaluate(truth, run, names, ontology=ONTOLOGY)
    assert result["run", names[0]] == pytest.approx(result["run", names[1]], abs=EXACT)


def test_names_with_infinite_options_round_trip() -> None:
    for name in ("OS(alpha=inf)", "concept.F(beta=inf)", "example.alpha(alpha=inf)"):
        assert str(cf.measure(name)) == name
        assert cf.measure(name.replace("inf", "Infinity")) == cf.measure(name)


def test_scales_that_have_no_limit_stay_finite() -> None:
    with pytest.raises(cf.MeasureError, match=r"alpha=inf should lie in \[0, inf\)"):
        cf.measure("confusion.xi(alpha=inf)")
