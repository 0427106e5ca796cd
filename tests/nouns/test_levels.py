"""The level of a graded truth: which grade is the lowest that counts as relevant."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import average_precision_score, ndcg_score

import cranfield as cf
from problems import EXACT, sparse

RNG = np.random.default_rng(9)
GRADES = RNG.integers(0, 4, size=(30, 3))
SCORES = RNG.random((30, 3))
TRUTH, RUN = cf.Truth(grades=GRADES), cf.Run(SCORES)
GRADED = ("concept.nDCG", "concept.nDCG@5", "concept.ERR", "concept.RBP(gain=graded)")


@pytest.mark.parametrize("level", [1, 2, 3])
def test_relevant_is_what_has_the_grade_of_the_level(level: int) -> None:
    wanted = np.mean(
        [average_precision_score(GRADES[:, c] >= level, SCORES[:, c]) for c in range(3)]
    )
    result = cf.evaluate(TRUTH, RUN, "concept.AP", level=level)
    assert result["run", "concept.AP"] == pytest.approx(wanted, abs=EXACT)
    own = cf.Truth(grades=GRADES, level=level)
    assert np.array_equal(own.labels, np.greater_equal(GRADES, level))
    assert cf.evaluate(own, RUN, "concept.AP").scores[0].signature == result.scores[0].signature
    assert cf.score(GRADES, SCORES, "concept.AP", level=level) == result["run", "concept.AP"]


@pytest.mark.parametrize("name", GRADED)
def test_measures_of_grades_look_at_all_of_them(name: str) -> None:
    plain, strict = (cf.evaluate(TRUTH, RUN, name, level=level).scores[0] for level in (1, 3))
    assert plain.value == strict.value
    assert plain.notes == strict.notes == ()
    assert "level" not in strict.conventions


def test_ndcg_under_a_level_is_that_of_scikit_learn() -> None:
    wanted = np.mean([ndcg_score([GRADES[:, c]], [SCORES[:, c]]) for c in range(3)])
    found = cf.evaluate(TRUTH, RUN, "concept.nDCG", level=3)["run", "concept.nDCG"]
    assert found == pytest.approx(wanted, abs=EXACT)


@pytest.mark.parametrize("name", GRADED)
def test_sparse_open_truths_keep_low_grades_too(name: str) -> None:
    ids = {"items": [f"d{i}" for i in range(30)], "concepts": list("abc")}
    truth = cf.Truth(grades=sparse(GRADES, GRADES >= 0), open=True, level=3, **ids)
    assert cf.evaluate(truth, cf.Run(SCORES, **ids), name).scores[0].value == pytest.approx(
        cf.evaluate(TRUTH, RUN, name).scores[0].value, abs=EXACT
    )


def test_the_level_stands_in_signature_and_note_where_grades_are_binarised() -> None:
    for level in (1, 2):
        for name in ("concept.AP", "example.F", "micro.P", "concept.RBP", "OS", "log_loss"):
            run = cf.Run(SCORES, threshold=0.5)
            costs = 1 - np.eye(3)
            (score,) = cf.evaluate(TRUTH, run, name, level=level, costs=costs)
            assert score.conventions["level"] == str(level)
            note = f"binarised at grade {level}; level= (--level) chooses another"
            assert note in score.notes


def test_a_level_above_all_grades_is_noted_too() -> None:
    truth = cf.Truth(grades=np.minimum(GRADES, 1), level=6)
    (score,) = cf.evaluate(truth, RUN, "example.F")
    assert score.conventions["level"] == "6"
    assert "binarised at grade 6; level= (--level) chooses another" in score.notes


def test_labels_and_grades_of_one_need_no_note() -> None:
    for truth in (cf.Truth(GRADES > 0), cf.Truth(grades=(GRADES > 0).astype(int))):
        (score,) = cf.evaluate(truth, RUN, "concept.AP")
        assert score.notes == ()
        assert "level" not in score.conventions


def test_a_level_needs_grades_and_is_a_whole_number() -> None:
    with pytest.raises(cf.InputError, match="level=2 needs grades, and this truth only says"):
        cf.evaluate(cf.Truth(GRADES > 0), RUN, "concept.AP", level=2)
    for level in (0, -1, 1.5, True, "2"):
        with pytest.raises(cf.InputError, match=r"level=.*; give a whole number from 1 up"):
            cf.Truth(grades=GRADES, level=level)  # type: ignore[arg-type]


def test_labels_must_fit_the_grades_at_the_level() -> None:
    assert cf.Truth(GRADES >= 2, grades=GRADES, level=2).level == 2
    with pytest.raises(cf.InputError, match="is graded but not positive"):
        cf.Truth(GRADES >= 3, grades=GRADES, level=2)
    with pytest.raises(cf.InputError, match="is positive but graded below 2"):
        cf.Truth(GRADES >= 1, grades=GRADES, level=2)


def test_parts_of_a_truth_keep_its_level() -> None:
    truth = cf.Truth(grades=GRADES, level=2)
    assert truth.part([1, 3]).labels.tolist() == (GRADES[[1, 3]] >= 2).tolist()
    assert truth.of_concepts([2]).level == 2


def test_the_interval_is_that_of_the_level() -> None:
    (of_grades,), (of_labels,) = (
        cf.intervals(cf.evaluate(truth, RUN, "concept.AP"), method="percentile", seed=1)
        for truth in (cf.Truth(grades=GRADES, level=2), cf.Truth(GRADES >= 2))
    )
    assert (of_grades.low, of_grades.high) == (of_labels.low, of_labels.high)
