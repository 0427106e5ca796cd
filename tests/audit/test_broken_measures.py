"""A measure that is wrong in one way is caught, by the smallest collection that shows it."""

from __future__ import annotations

import math
import time
from typing import Any

import broken_measures
import numpy as np
import pytest

import cranfield as cf
from cranfield.studies.audit import Audits, auditing

CAUGHT = [
    ("too_large", "bounded", "outside [0, 1]: truth ∅, said ∅: 2"),
    ("divides_by_zero", "defined", "ZeroDivisionError: division by zero: truth ∅, said ∅: undef"),
    ("undefined_for_silence", "comparable", "truth ∅, said ∅: undefined; truth ∅, said {A}: 0"),
    ("never_quite_right", "best reached", "truth ∅, said ∅: 0.9"),
    ("easily_content", "best only perfect", "truth ∅, said {A}: 1; truth ∅, said ∅: 1"),
    ("never_quite_wrong", "worst reached", "truth ∅, said {A}: 0.1"),
    ("strict", "worst only worst", "truth ∅, said {A}: 0; truth ∅, said {A, B}: 0"),
    ("rewards_mistakes", "monotonic", "truth {A}, said {B}: 0.5; truth {A}, said ∅: 0.2"),
    ("strict", "strictly monotonic", "truth {A}, said {B}: 0; truth {A}, said ∅: 0"),
    ("easily_content", "identity", "no distance between two: truth ∅, said {A}: 1"),
    ("misses_only", "symmetric", "truth ∅, said {A}: 0.5; truth {A}, said ∅: 0"),
    (
        "squared",
        "triangle",
        "0.25 + 0.25 < 1: truth {A}, said ∅: 0.75; truth ∅, said {B}: 0.75; truth {A}, said {B}: 0",
    ),
    ("moody", "repeatable", "when asked again: truth ∅, said ∅: 0.99"),
    ("counts_on_the_first", "item order", "order 2, 1: truth ∅ | ∅, said {A} | ∅: 0.25"),
    ("counts_on_the_first_concept", "concept order", "order B, A: truth ∅, said {A}: 0.25"),
    ("accuracy", "unused concepts", "with concept Z besides: truth ∅, said {A}: 0; "),
    ("accuracy", "empty items", "truth ∅, said {A}: 0; truth ∅ | ∅, said {A} | ∅: 0.5"),
    ("fooled", "blind runs", "AllOnes knows nothing and scores 1"),
    ("fooled", "run density", "Random10 scores 0."),
    ("accuracy", "truth density", "40% scores 0.7"),
]


def audited(name: str, **about: Any) -> cf.studies.AuditCard:
    return cf.studies.audit(getattr(broken_measures, name), seconds=600, cells=3, drawn=0, **about)


@pytest.mark.parametrize(("name", "requirement", "shown"), CAUGHT)
def test_a_broken_measure_is_caught_by_its_smallest_case(
    name: str, requirement: str, shown: str
) -> None:
    finding = audited(name)[requirement]
    assert finding.verdict == "fails"
    assert shown in str(finding.counterexample)


def test_a_sum_grows_with_the_collection() -> None:
    card = audited("total", better="lower", range=(0, math.inf))
    assert "said {A}: 1; truth ∅ | ∅, said {A} | {A}: 2" in str(card["duplicates"].counterexample)
    assert card["worst reached"].verdict == "inapplicable"
    assert card["best reached"].verdict == "holds"


def test_numbers_that_count_are_caught_where_only_their_order_should() -> None:
    card = audited("mean_confidence", prediction="confidences")
    assert card["rescaling"].verdict == "fails"
    assert card["symmetric"].verdict == "inapplicable"


def test_a_sound_measure_fails_only_by_what_it_is() -> None:
    card = cf.studies.audit(broken_measures.accuracy, seconds=600, cells=4, drawn=5)
    failing = {one.requirement for one in card.failures}
    assert failing == {"unused concepts", "empty items", "run density", "truth density"}
    assert card.is_metric


def test_unit_scores_are_averaged_and_undefined_ones_left_out() -> None:
    card = audited("only_positives")
    assert card["empty items"].verdict == "holds"
    assert card["best reached"].verdict == "holds"
    assert "truth ∅" in str(card["defined"].counterexample)


def test_what_only_larger_collections_show_is_shrunk() -> None:
    def fails_late(truth: Any, said: Any) -> float:
        late = len(truth) >= 7 and truth[:, 0].sum() >= 2
        return 2.0 if late else float((truth == said).mean())

    found = cf.studies.audit(fails_late, seconds=600, cells=3, drawn=10)["bounded"].counterexample
    assert found is not None
    (pair,) = found.pairs
    assert pair.truth.shape == (7, 1)
    assert (pair.truth.sum(), pair.predicted.sum()) == (2, 0)


def test_the_same_seed_finds_the_same() -> None:
    def fails_late(truth: Any, said: Any) -> float:
        return 2.0 if truth.sum() > 6 else float((truth == said).mean())

    one, other = (
        cf.studies.audit(fails_late, seconds=600, cells=2, drawn=5, seed=3).to_json()
        for _ in range(2)
    )
    assert one == other


def test_a_function_may_spoil_its_arrays() -> None:
    def spoils(truth: Any, said: Any) -> float:
        value = float((truth == said).mean())
        truth[:], said[:] = True, False
        return value

    assert cf.studies.audit(spoils, seconds=0)["repeatable"].verdict == "holds"


# --- what cannot be audited ---


def test_a_function_without_any_score_is_refused_with_its_error() -> None:
    def crashes(truth: Any, said: Any) -> float:
        raise KeyError("weights")

    with pytest.raises(cf.InputError, match=r"no score for any small collection \(KeyError"):
        cf.studies.audit(crashes, seconds=0)


def test_a_function_that_wants_to_leave_is_kept_and_its_error_told() -> None:
    def leaves(truth: Any, said: Any) -> float:
        raise SystemExit(3)

    with pytest.raises(cf.InputError, match=r"no score for any small collection \(SystemExit: 3"):
        cf.studies.audit(leaves, seconds=0)


def slow(truth: Any, said: Any) -> float:
    time.sleep(0.02)
    return float((truth == said).mean())


def test_a_slow_function_is_not_asked_after_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(auditing, "_GRACE", 0.2)
    start = time.monotonic()
    card = cf.studies.audit(slow, seconds=0.3)
    assert time.monotonic() - start < 3
    assert card.extent.cut_short
    assert card["blind runs"].verdict == "unknown"
    assert "? no time to look" in repr(Audits((card, card)))
    assert card["bounded"].verdict == "holds"


def test_a_function_too_slow_for_anything_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(auditing, "_GRACE", 0.0)
    with pytest.raises(cf.InputError, match=r"too slow: 0\.01 seconds were not enough"):
        cf.studies.audit(slow, seconds=0.01)


@pytest.mark.parametrize(
    ("about", "told"),
    [
        ({"prediction": "ranks"}, "choose decisions, confidences, values"),
        ({"better": "up"}, "choose higher, lower, neither"),
        ({"lists": "rows"}, "choose concept, example, micro"),
        ({"range": (1.0, 0.0)}, "lowest and the highest"),
        ({"seconds": -1.0}, "not negative"),
        ({"cells": 0}, "at least one cell"),
    ],
)
def test_a_wrong_declaration_is_refused(about: dict[str, Any], told: str) -> None:
    with pytest.raises(cf.InputError, match=told):
        cf.studies.audit(broken_measures.accuracy, **about)


def test_a_registered_measure_declares_itself() -> None:
    with pytest.raises(cf.InputError, match="leave better= out"):
        cf.studies.audit("example.F", better="lower")


@pytest.mark.parametrize(
    ("place", "told"),
    [
        ("no_such_module:f", "cannot be imported"),
        ("broken_measures:no_such", "has no function 'no_such'"),
        ("broken_measures:", "has no function"),
    ],
)
def test_a_function_that_is_not_there_is_told(place: str, told: str) -> None:
    with pytest.raises(cf.InputError, match=told):
        cf.studies.audit(place)


def test_a_function_is_found_by_its_place() -> None:
    card = cf.studies.audit("broken_measures:accuracy", seconds=0)
    assert card.measure == "broken_measures:accuracy"
    assert not np.isnan(card["blind runs"].scores["average"])
