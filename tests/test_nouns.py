"""Truth, Run, ids, weights and Evaluation: what they accept, refuse, and say about it."""

from __future__ import annotations

import json
import math
import re
from typing import Any

import numpy as np
import pytest
from scipy.sparse import coo_array

import cranfield as cf
from cranfield import State
from problems import problem, scored, sparse

Y = np.array([[1, 0, 1], [0, 1, 0]])
S = np.array([[0.9, 0.2, 0.6], [0.1, 0.8, 0.4]])
CASE = problem(1)


def refused(message: str, error: type[Exception] = cf.InputError) -> Any:
    """Expect an error whose message holds this text as it stands."""
    return pytest.raises(error, match=re.escape(message))


def changed(matrix: Any, value: float, row: int = 1, column: int = 2) -> Any:
    out = np.array(matrix, dtype=float)
    out[row, column] = value
    return out


# ── bad truths ────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "a truth needs labels= or grades="),
        ({"labels": [1, 0]}, "labels must have two dimensions, items by concepts; got shape (2,)"),
        ({"labels": [1, 0]}, "for a single concept pass an (N, 1) array"),
        ({"labels": np.zeros((2, 2, 2))}, "got shape (2, 2, 2)"),
        ({"labels": [[1, 0], [1]]}, "labels cannot be read as a matrix"),
        ({"labels": [["a", "b"]]}, "labels must hold numbers; got <U1"),
        ({"labels": [[1j]]}, "labels must hold numbers; got complex128"),
        (
            {"labels": changed(Y, 2)},
            "labels: item '1', concept '2' holds 2.0; only 0 and 1 are labels",
        ),
        ({"labels": changed(Y, -1)}, "item '1', concept '2' holds -1.0"),
        ({"labels": changed(Y, np.nan)}, "item '1', concept '2' holds nan"),
        ({"labels": sparse(changed(Y, 3))}, "item '1', concept '2' holds 3.0"),
        (
            {"labels": Y, "items": ["a"]},
            "1 item id for 2 items; give one id",
        ),
        ({"labels": Y, "concepts": "ab"}, "2 concept ids for 3 concepts"),
        ({"labels": Y, "items": ["a", "a"]}, "1 duplicate item id: 'a'; each item may stand once"),
        ({"labels": Y, "items": [1, "1"]}, "1 duplicate item id: '1'"),
        ({"labels": Y, "items": ["a", ""]}, "item number 2 has an empty id; name it"),
        ({"labels": Y, "unjudged": "maybe"}, "unjudged='maybe'; choose 'negative' or 'exclude'"),
        ({"labels": Y, "judged": Y[:, :2]}, "judged has shape (2, 2) and the labels (2, 3)"),
        ({"labels": Y, "pool": Y[:1]}, "pool has shape (1, 3) and the labels (2, 3)"),
        ({"labels": Y, "judged": 2 * Y}, "judged: item '0', concept '0' holds 2"),
        (
            {"grades": changed(Y, 0.5)},
            "grades: item '1', concept '2' holds 0.5; only whole numbers",
        ),
        (
            {"grades": changed(Y, -1)},
            "grades: item '1', concept '2' holds -1.0; only whole numbers",
        ),
        (
            {"grades": changed(Y, np.inf)},
            "grades: item '1', concept '2' holds inf; only whole numbers",
        ),
        (
            {"grades": changed(Y, np.nan)},
            "grades: item '1', concept '2' holds nan; only whole numbers",
        ),
        ({"labels": Y, "strata": changed(Y, np.inf)}, "strata: item '1', concept '2' holds inf"),
        ({"labels": Y, "strata": Y.T}, "strata has shape (3, 2) and the labels (2, 3)"),
        (
            {"labels": Y, "grades": 1 - Y},
            "3 cells contradict each other: item '0', concept '1' is graded but not positive",
        ),
        ({"labels": Y, "grades": 0 * Y}, "item '0', concept '0' is positive but graded 0"),
        ({"labels": Y, "judged": 1 - Y}, "item '0', concept '0' is positive but not judged"),
        ({"labels": sparse(Y), "judged": 1 - Y}, "concept '0' is positive but not judged"),
        ({"labels": Y, "pool": 1 - Y}, "item '0', concept '0' is positive but outside the pool"),
        (
            {"labels": Y, "judged": np.ones((2, 3)), "pool": Y, "items": "xy", "concepts": "abc"},
            "3 cells contradict each other: item 'x', concept 'b' is judged but outside the pool",
        ),
        (
            {"labels": coo_array(([1, 1], ([1, 1], [2, 2])), shape=(2, 3))},
            "1 cells are stored twice, first row 1, column 2; store each cell once",
        ),
    ],
)
def test_bad_truths_are_refused_with_what_is_wrong(given: dict[str, Any], message: str) -> None:
    with refused(message):
        cf.Truth(**given)


# ── bad runs ──────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "run 'run' needs scores= or labels="),
        ({"scores": S[0]}, "scores of run 'run' must have two dimensions"),
        ({"scores": [["high"]]}, "scores of run 'run' must hold numbers"),
        (
            {"scores": changed(S, np.nan), "name": "mine"},
            "run 'mine', item '1', concept '2': the score is nan; scores must be finite numbers",
        ),
        (
            {"scores": changed(S, np.inf), "items": "xy", "concepts": "abc"},
            "item 'y', concept 'c': the score is inf",
        ),
        ({"scores": changed(S, -np.inf).astype(np.float32)}, "concept '2': the score is -inf"),
        ({"scores": sparse(changed(S, np.nan))}, "item '1', concept '2': the score is nan"),
        ({"labels": changed(Y, 0.5)}, "labels of run 'run': item '1', concept '2' holds 0.5"),
        ({"scores": S, "labels": Y, "threshold": 0.5}, "has labels= and threshold="),
        ({"labels": Y, "threshold": 0.5}, "labels already are decisions"),
        ({"scores": S, "labels": Y.T}, "scores of shape (2, 3) and labels of shape (3, 2)"),
        ({"scores": S, "labels": sparse(Y)}, "make both sparse or both dense"),
        (
            {"scores": sparse(S, S > 0.5), "labels": sparse(np.ones((2, 3)))},
            "assigns labels to cells that have no score",
        ),
        (
            {"scores": S, "threshold": [0.5, 0.5]},
            "threshold has shape (2,); give a number",
        ),
        ({"scores": S, "threshold": S.T}, "threshold has shape (3, 2)"),
        ({"scores": S, "threshold": np.nan}, "thresholds must be finite numbers"),
        ({"scores": S, "threshold": [0.1, np.inf, 0]}, "thresholds must be finite numbers"),
        ({"scores": S, "threshold": "high"}, "thresholds must be numbers; got 'high'"),
        ({"scores": S, "items": ["b", "b"]}, "1 duplicate item id: 'b'"),
        ({"scores": S, "concepts": list("abcd")}, "4 concept ids for 3 concepts"),
    ],
)
def test_bad_runs_are_refused_with_what_is_wrong(given: dict[str, Any], message: str) -> None:
    with refused(message):
        cf.Run(**given)


def test_scores_outside_the_unit_interval_refuse_decision_measures_only() -> None:
    run = cf.Run(3 * S, name="logits")
    assert scored(cf.Truth(Y), run, "concept.AP").value == 1.0
    with refused("run 'logits' has scores from 0.3 to 2.7, outside [0, 1], and no threshold"):
        scored(cf.Truth(Y), run, "example.F")
    assert scored(cf.Truth(Y), cf.Run(3 * S, threshold=1.5), "example.F").value == 1.0
    assert scored(cf.Truth(Y), cf.Run(3 * S, labels=Y), "example.F").value == 1.0


@pytest.mark.parametrize(
    ("threshold", "assigned", "said"),
    [
        (None, 3, ">=0.5"),
        (0.6, 3, ">=0.6"),
        (0.60000001, 2, ">=0.60000001"),
        ([0.9, 0.2, 0.7], 3, ">=by-concept"),
        (S, 6, ">=by-cell"),
        (np.nextafter(S, 2), 0, ">=by-cell"),
    ],
)
def test_thresholds_are_reached_by_equal_scores_and_stand_in_the_signature(
    threshold: Any, assigned: int, said: str
) -> None:
    score = scored(cf.Truth(Y), cf.Run(S, threshold=threshold), "micro.P")
    assert score.counts is not None
    assert (score.counts.tp + score.counts.fp).sum() == assigned
    assert f"decisions={said}" in score.signature


def test_thresholds_tell_runs_apart() -> None:
    cuts = (None, 0.6, 0.60000001, [0.6, 0.6, 0.6], [0.6, 0.6, 0.7], np.full((2, 3), 0.7))
    assert len({cf.Run(S, threshold=cut).digest for cut in cuts}) == len(cuts)


def test_float32_scores_stay_float32_and_other_numbers_become_float64() -> None:
    for given, kept in (
        (np.float32, np.float32),
        (np.float16, np.float64),
        (np.int8, np.float64),
        (bool, np.float64),
    ):
        assert cf.Run(Y.astype(given)).scores.dtype == kept
    assert cf.Run(sparse(Y.astype(np.float32))).scores.values.dtype == np.float32
    assert cf.Run(sparse(Y)).scores.values.dtype == np.float64


def test_runs_and_truths_say_who_they_are() -> None:
    run = cf.Run(S, name="system", group="ISIS", tags={"kind": "visual"})
    assert (run.name, run.group, run.tags) == ("system", "ISIS", {"kind": "visual"})
    assert run.items == ("0", "1")
    assert repr(run) == "Run('system', 2 items, 3 concepts)"
    assert repr(cf.Truth(Y)) == "Truth(2 items, 3 concepts)"


# ── notes ─────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("run", "note"),
    [
        (cf.Run(S), ()),
        (cf.Run(S > 0.5), ("confidences take at most two values",)),
        (cf.Run(np.full((2, 3), 0.1)), ("confidences take at most two values",)),
        (cf.Run(sparse(S > 0.5)), ("confidences take at most two values",)),
        (cf.Run(labels=S > 0.5), ("decisions ranked as 0/1 scores",)),
        (cf.Run(labels=sparse(S > 0.5)), ("decisions ranked as 0/1 scores",)),
        (cf.Run(S, labels=S > 0.5), ()),
    ],
)
def test_rank_measures_note_runs_that_hardly_rank(run: cf.Run, note: tuple[str, ...]) -> None:
    assert scored(cf.Truth(Y), run, "concept.AP").notes == note
    assert scored(cf.Truth(Y), run, "example.F").notes == ()


def test_a_third_score_anywhere_in_a_long_run_is_seen() -> None:
    two = np.zeros((9000, 2))
    two[5] = 1.0
    truth = cf.Truth(two)
    assert scored(truth, cf.Run(two), "concept.AP").notes
    two[8999, 1] = 0.5
    assert not scored(truth, cf.Run(two), "concept.AP").notes


# ── cells and their states ────────────────────────────────────────────────────────────────────

JUDGED = np.array([[1, 1, 1], [0, 1, 0]])
POOL = np.array([[1, 1, 1], [1, 1, 0]])


@pytest.mark.parametrize("form", [np.array, sparse])
def test_a_cell_is_positive_negative_unjudged_or_outside(form: Any) -> None:
    truth = cf.Truth(form(Y), judged=form(JUDGED), pool=form(POOL))
    assert truth.states.tolist() == [
        [State.POSITIVE, State.NEGATIVE, State.POSITIVE],
        [State.UNJUDGED, State.POSITIVE, State.OUTSIDE],
    ]
    assert truth.labels.dtype == np.bool_
    assert truth.labels.tolist() == Y.astype(bool).tolist()


def test_what_is_outside_the_pool_is_not_judged() -> None:
    truth = cf.Truth(Y, pool=POOL, unjudged="exclude")
    assert truth.states[1].tolist() == [State.NEGATIVE, State.POSITIVE, State.OUTSIDE]
    everything = cf.Run(labels=np.ones((2, 3)))
    assert scored(truth, everything, "micro.P").value == 3 / 5
    assert scored(cf.Truth(Y, pool=POOL), everything, "micro.P").value == 3 / 6


def test_grades_alone_make_a_truth() -> None:
    truth = cf.Truth(grades=3 * Y)
    assert truth.labels.tolist() == Y.astype(bool).tolist()
    assert cf.Truth(grades=sparse(3 * Y)).digest == truth.digest
    assert cf.Truth(grades=Y > 0).labels.tolist() == truth.labels.tolist()
    assert cf.Truth(grades=Y).digest != truth.digest


def test_stored_zeros_of_a_sparse_run_are_retrieved() -> None:
    truth = cf.Truth([[1], [0]], items="ab")
    zero = cf.Run(sparse(np.zeros((2, 1)), np.array([[True], [False]])), items="ab")
    nothing = cf.Run(sparse(np.zeros((2, 1))), items="ab")
    assert scored(truth, zero, "concept.AP").value == 1.0
    assert scored(truth, nothing, "concept.AP").value == 0.0
    assert zero.digest != nothing.digest


def test_digests_follow_content_and_ids() -> None:
    digest = cf.Truth(Y, items="ab").digest
    assert digest == cf.Truth(sparse(Y), items="ab").digest
    assert digest == cf.Truth(Y[::-1], items="ba").digest
    others = [
        cf.Truth(Y),
        cf.Truth(Y, items="ba"),
        cf.Truth(0 * Y, items="ab"),
        cf.Truth(Y, items="ab", concepts="xyz"),
        cf.Truth(Y, items="ab", judged=JUDGED),
        cf.Truth(Y, items="ab", strata=JUDGED),
    ]
    assert len({digest, *(truth.digest for truth in others)}) == 1 + len(others)


# ── ids ───────────────────────────────────────────────────────────────────────────────────────


def test_differing_ids_are_listed_up_to_ten_with_their_number() -> None:
    items = [f"photo{n}" for n in range(14)]
    truth = cf.Truth(np.eye(14, 2), items=items)
    short = cf.Run(np.eye(2), items=items[:2], name="short")
    with refused("run 'short' lacks 12 items of the truth: 'photo2', 'photo3', ") as caught:
        scored(truth, short, "concept.AP")
    assert "'photo11' and 2 more" in str(caught.value)
    assert 'missing="absent"' in str(caught.value)
    assert scored(truth, short, "concept.AP", missing="absent").value == 1.0


@pytest.mark.parametrize("missing", ["error", "absent"])
def test_ids_that_the_truth_does_not_know_are_refused(missing: Any) -> None:
    run = cf.Run(S, concepts=["a", "b", "X"], items="pq")
    truth = cf.Truth(Y, concepts=["a", "b", "c"], items="pq")
    with refused("run 'run' has 1 concept that the truth does not know: 'X'"):
        scored(truth, run, "concept.AP", missing=missing)


def test_without_ids_on_one_side_rows_align_by_position_and_sizes_must_agree() -> None:
    truth = cf.Truth(Y, items=["b", "a"], concepts="zyx")
    assert scored(truth, cf.Run(S), "concept.AP").value == 1.0
    with refused("run 'run' has 1 item and the truth 2; without ids on both sides they align"):
        scored(truth, cf.Run(S[:1]), "concept.AP")
    with refused("run 'run' has 2 concepts and the truth 3"):
        scored(truth, cf.Run(S[:, :2]), "concept.AP")


def test_ids_may_be_any_objects_and_become_text() -> None:
    truth = cf.Truth(Y, items=np.array([7, 8]), concepts=(c for c in "abc"))
    assert truth.items == ("7", "8")
    assert truth.concepts == ("a", "b", "c")
    assert scored(truth, cf.Run(S[::-1], items=[8, 7]), "concept.AP").value == 1.0


# ── evaluate ──────────────────────────────────────────────────────────────────────────────────


def test_run_names_must_be_distinct() -> None:
    with refused("1 run name more than once: 'run'; give each run a name of its own"):
        cf.evaluate(cf.Truth(Y), [cf.Run(S), cf.Run(S)], "concept.AP")


def test_an_unknown_choice_for_missing_is_refused() -> None:
    with refused("missing='ignore'; choose 'error' or 'absent'"):
        cf.evaluate(cf.Truth(Y), cf.Run(S), "concept.AP", missing="ignore")  # type: ignore[arg-type]


def test_a_score_that_was_not_asked_for_names_those_that_were() -> None:
    result = cf.evaluate(cf.Truth(Y), cf.Run(S), ["concept.AP"])
    with refused("there is no score of run 'run' by concept.P; runs: run; measures: concept.AP"):
        result["run", "concept.P"]
    with refused("there is no score of run 'other'"):
        result["other", "concept.AP"]


def test_progress_hears_of_every_run() -> None:
    heard: list[str] = []
    runs = [cf.Run(S, name=f"run {n}") for n in range(5)]
    cf.evaluate(cf.Truth(Y), runs, "concept.AP", progress=lambda run: heard.append(run.name))
    assert sorted(heard) == [run.name for run in runs]


def test_a_collection_stands_for_its_truth() -> None:
    collection = cf.Collection(cf.Truth(Y))
    assert cf.evaluate(collection, cf.Run(S), "concept.AP")["run", "concept.AP"] == 1.0
    assert (collection.items, collection.concepts) == (("0", "1"), ("0", "1", "2"))


def test_the_one_liner_takes_vectors_decisions_and_thresholds() -> None:
    assert cf.score([1, 0, 1], [0.9, 0.1, 0.8], "concept.AP") == 1.0
    assert cf.score([1, 0, 1], np.array([True, True, True]), "concept.P") == pytest.approx(2 / 3)
    assert cf.score([1, 0, 1], [3.0, 1.0, 2.0], "concept.P", threshold=2) == 1.0
    assert cf.score(sparse(Y), sparse(S), "concept.AP") == 1.0
    with refused("labels already are decisions"):
        cf.score([1, 0], np.array([True, False]), "concept.P", threshold=0.5)


def test_frames_and_json_hold_one_row_for_each_score() -> None:
    runs = [cf.Run(S, name="one"), cf.Run(1 - S, name="two")]
    result = cf.evaluate(cf.Truth(Y), runs, ["topic.ap", "micro.F", "concept.AP"])
    columns = ["run", "measure", "score", "units", "skipped", "notes", "signature"]
    assert result.frame.columns == columns
    assert result.frame["measure"].to_list() == ["concept.AP", "micro.F"] * 2
    rows = json.loads(result.to_json())["scores"]
    assert [list(row) for row in rows] == [columns] * 4
    assert rows == result.frame.to_dicts()
    assert [row["score"] for row in rows] == [score.value for score in result]
    assert rows[0]["signature"].startswith("concept.AP(missing=error,ties=grouped,undefined=skip,")


def test_a_measure_skipped_wholly_is_nan_and_null() -> None:
    nothing = cf.Truth(np.zeros((2, 3)))
    result = cf.evaluate(
        nothing, cf.Run(S), ["concept.AP", "example.AP", "micro.AP", "concept.Acc"]
    )
    assert math.isnan(result["run", "concept.AP"])
    assert result.frame["score"].is_null().to_list() == [True, True, True, False]
    assert [row["score"] for row in json.loads(result.to_json())["scores"]][:3] == [None] * 3
    assert result.frame["units"].to_list() == [0, 0, 0, 3]
    assert result.frame["skipped"].to_list()[:2] == [3, 2]


@pytest.mark.parametrize("shape", [(0, 3), (2, 0), (0, 0)])
def test_empty_collections_have_scores_that_are_null(shape: tuple[int, int]) -> None:
    names = [d.name.replace("@k", "@2") for d in cf.measures() if d.traits.direction != "micro"]
    for run in (cf.Run(np.zeros(shape)), cf.Run(sparse(np.zeros(shape)))):
        result = cf.evaluate(cf.Truth(np.zeros(shape)), run, names)
        assert result.frame["units"].sum() == 0 or shape == (2, 0)
        assert len(result.units("run", "concept.AP")) == shape[1]


@pytest.mark.parametrize("form", ["dense", "sparse"])
def test_micro_measures_have_no_unit_scores_but_keep_counts_by_item(form: str) -> None:
    run = cf.Run(S if form == "dense" else sparse(S))
    result = cf.evaluate(cf.Truth(Y), run, ["micro.F", "micro.AP"])
    assert result.units("run", "micro.F").shape == (2,)
    assert np.isnan(result.units("run", "micro.F")).all()
    counts = result.score("run", "micro.F").counts
    assert counts is not None
    assert (counts.tp.tolist(), counts.fp.tolist(), counts.fn.tolist()) == ([2, 1], [0, 0], [0, 0])
    assert counts.cells.tolist() == [3, 3]
    assert result.score("run", "micro.F").units == 1


# ── weights ───────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1, 2, 3, 4], "weights of shape (4,) were given for 3 concepts; give one for each"),
        ([1, 2, -3], "weights of concepts must be finite, not negative, and not all zero"),
        ([0, 0, 0], "weights of concepts must be finite, not negative, and not all zero"),
        ([1, np.nan], "weights of items must be finite"),
        (["a", "b", "c"], "weights of concepts must be numbers"),
        ({"a": 1, "b": 1}, "weights: 1 concept with no weight: 'c'; give each"),
        ({"x": 1, "z": 1}, "weights: 1 item with no weight: 'y'; give each"),
        ({"concepts": [1, 2]}, "weights of shape (2,) were given for 3 concepts"),
    ],
)
def test_bad_weights_are_refused_with_what_is_wrong(weights: Any, message: str) -> None:
    with refused(message):
        cf.evaluate(
            cf.Truth(Y, items="xy", concepts="abc"), cf.Run(S), "concept.AP", weights=weights
        )


def test_weights_that_fit_both_sides_must_say_which() -> None:
    square = np.eye(3)
    with refused("weights of length 3 fit both items and concepts; say which"):
        cf.score(square, square, "concept.AP", weights=[1, 2, 3])
    assert cf.score(square, square, "concept.AP", weights={"concepts": [1, 2, 3]}) == 1.0


def test_weighted_scores_sign_alike_in_any_order_of_the_truth() -> None:
    weights = dict(zip(CASE.concepts, range(1, 8), strict=True))
    turned = {"items": CASE.items, "concepts": CASE.concepts[::-1]}
    one = scored(CASE.truth(), CASE.run(), "concept.AP", weights=weights)
    other = scored(
        cf.Truth(CASE.labels[:, ::-1], **turned), CASE.run(), "concept.AP", weights=weights
    )
    assert one.value == pytest.approx(other.value, abs=1e-15)
    assert one.signature == other.signature
    heavier = scored(CASE.truth(), CASE.run(), "concept.AP", weights=weights | {"c00": 9})
    assert heavier.signature != one.signature


# ── names of measures ─────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("spelling", "message"),
    [
        ("concept.AQ", "there is no measure 'concept.AQ'; did you mean concept.A"),
        ("AP", "'AP' needs a prefix; write one of concept.AP, micro.AP, example.AP"),
        ("concept.success", "'concept.success' needs a cutoff; write concept.success@10, say"),
        ("concept.AP@5", "concept.AP takes no cutoff @k; it takes ties, undefined, unjudged"),
        ("concept.AP(beta=2)", "concept.AP takes no option 'beta'"),
        (
            "concept.AP(ties=random)",
            "ties=random is not among grouped, expected, best",
        ),
        ("micro.AP(ties=trec)", "ties=trec is not among grouped, expected, best, worst"),
        ("concept.AUC(ties=grouped)", "ties=grouped is not among expected, best, worst, trec"),
        ("concept.F(beta=two)", "beta=two should be a float"),
        ("concept.F(beta=-1)", "beta=-1 should lie in [0, inf]"),
        ("concept.F(beta=inf)", "beta=inf should lie in [0, inf]"),
        ("concept.F(beta=nan)", "beta=nan should lie in [0, inf]"),
        ("concept.P@0", "k=0 should lie in [1, 1e+09]"),
        ("concept.P@5(k=6)", "two cutoffs; write one @k"),
        ("concept.P@5()@5", "two cutoffs; write one @k"),
        ("concept.F(beta)", "write options as name=value; got 'beta'"),
        ("concept.F(beta=1,Beta=2)", "Beta is given twice"),
        ("example.alpha(beta=1.5)", "beta=1.5 should lie in [0, 1]"),
        ("concept.", "there is no measure 'concept.'"),
        ("", "'' does not read as a measure; write prefix.NAME@k(option=value,…)"),
        ("concept.AP)", "does not read as a measure"),
    ],
)
def test_bad_names_are_refused_with_what_is_wrong(spelling: str, message: str) -> None:
    with refused(message, cf.MeasureError):
        cf.measure(spelling)


# ── torch ─────────────────────────────────────────────────────────────────────────────────────


def test_torch_tensors_score_as_arrays_do() -> None:
    torch = pytest.importorskip("torch")
    labels, scores = torch.tensor(Y), torch.tensor(S, dtype=torch.float32, requires_grad=True)
    wanted = cf.score(Y, S.astype(np.float32), "concept.AP")
    assert cf.score(labels, scores, "concept.AP") == wanted
    assert scored(cf.Truth(labels), cf.Run(scores), "concept.AP").value == wanted
    assert scored(cf.Truth(labels), cf.Run(scores.bfloat16()), "concept.AP").value == wanted


# ── arguments of another kind ─────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((Y, cf.Run(S), "concept.AP"), "the truth is a ndarray; make it cf.Truth(labels)"),
        ((cf.Truth(Y), [S], "concept.AP"), "a run is a ndarray; make it cf.Run"),
        ((cf.Truth(Y), None, "concept.AP"), "runs are a NoneType; give a list of cf.Run"),
        ((cf.Truth(Y), cf.Run(S), None), "measures are a NoneType; give names"),
    ],
)
def test_evaluate_says_what_it_wants(arguments: tuple[Any, ...], message: str) -> None:
    with refused(message):
        cf.evaluate(*arguments)


def test_score_sends_nouns_to_evaluate() -> None:
    with refused("cf.score takes arrays; with a Truth and a Run, call cf.evaluate"):
        cf.score(cf.Truth(Y), cf.Run(S), "concept.AP")


def test_a_score_is_looked_up_by_run_and_measure() -> None:
    with refused(r"look scores up by run and measure, as result[run, measure]; got 'run'"):
        cf.evaluate(cf.Truth(Y), cf.Run(S), "concept.AP")["run"]  # type: ignore[index]


def test_knowledge_that_no_measure_uses_is_refused_and_its_absence_accepted() -> None:
    nothing = dict.fromkeys(("ontology", "costs", "relatedness", "agreement"))
    assert cf.evaluate(cf.Truth(Y), cf.Run(S), "concept.AP", **nothing)["run", "concept.AP"] > 0
    with refused("costs= was given, but no measure of this version uses it; leave it out"):
        cf.evaluate(cf.Truth(Y), cf.Run(S), "concept.AP", costs=np.eye(3))


def test_masked_arrays_are_refused_since_their_mask_would_be_lost() -> None:
    with refused("labels is a masked array; pass its data"):
        cf.Truth(np.ma.masked_array(Y, mask=Y))


@pytest.mark.parametrize("default", ["negative", "exclude"])
def test_what_the_truth_does_with_unjudged_cells_is_the_default(default: Any) -> None:
    truth = cf.Truth(Y, unjudged=default)
    explicit = f"concept.AP(unjudged={default})"
    result = cf.evaluate(truth, cf.Run(S), ["concept.AP", explicit])
    assert len(result) == 1
    assert result["run", explicit] == result["run", "concept.AP"]


def test_f_with_a_huge_beta_is_recall() -> None:
    labels, scores = np.array([1, 1, 0]), np.array([0.9, 0.1, 0.9])
    assert cf.score(labels, scores, "micro.F(beta=1e160)") == 0.5


@pytest.mark.parametrize("name", ["AP", "map", "P@5"])
def test_a_measure_without_prefix_is_told_which_there_are(name: str) -> None:
    with pytest.raises(cf.MeasureError, match=r"needs a prefix; write one of concept\."):
        cf.measure(name)


def test_a_cutoff_beyond_all_lists_is_refused() -> None:
    with pytest.raises(cf.MeasureError, match="should lie in"):
        cf.measure("concept.P@99999999999999999999")


def test_a_mask_that_leaves_nothing_out_says_nothing() -> None:
    whole = np.ones_like(Y)
    assert cf.Truth(Y, judged=whole, pool=whole).digest == cf.Truth(Y).digest


def test_a_run_that_mentions_no_item_retrieves_nothing() -> None:
    truth = cf.Truth(Y, items=["x", "y"], concepts=list("abc"))
    silent = cf.Run(S[:0], items=[], concepts=list("abc"))
    result = cf.evaluate(truth, silent, ["concept.AP", "example.R"], missing="absent")
    assert result["run", "concept.AP"] == result["run", "example.R"] == 0.0
