"""Run: what it accepts, what it refuses, and what it notes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import cranfield as cf
from nouns.small import S, Y, changed, refused
from problems import scored, sparse

# ── bad runs ──────────────────────────────────────────────────────────────────────────────────────


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
        ({"scores": S, "labels": Y, "threshold": 0.5}, "has labels and a threshold"),
        ({"labels": Y, "threshold": 0.5}, "labels already are decisions"),
        (
            {"scores": S, "labels": Y.T},
            "labels of run 'run' has shape (3, 2) and the scores (2, 3); make them equal",
        ),
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


# ── notes ─────────────────────────────────────────────────────────────────────────────────────────


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
    notes = scored(cf.Truth(Y), run, "concept.AP").notes
    assert tuple(said for said in notes if "equal scores" not in said) == note
    assert not set(note) & set(scored(cf.Truth(Y), run, "example.F").notes)


def test_a_third_score_anywhere_in_a_long_run_is_seen() -> None:
    two = np.zeros((9000, 2))
    two[5] = 1.0
    truth = cf.Truth(two)
    assert scored(truth, cf.Run(two), "concept.AP").notes
    two[8999, 1] = 0.5
    assert not scored(truth, cf.Run(two), "concept.AP").notes


# ── torch ─────────────────────────────────────────────────────────────────────────────────────────


def test_torch_tensors_score_as_arrays_do() -> None:
    torch = pytest.importorskip("torch")
    labels, scores = torch.tensor(Y), torch.tensor(S, dtype=torch.float32, requires_grad=True)
    wanted = cf.score(Y, S.astype(np.float32), "concept.AP")
    assert cf.score(labels, scores, "concept.AP") == wanted
    assert scored(cf.Truth(labels), cf.Run(scores), "concept.AP").value == wanted
    assert scored(cf.Truth(labels), cf.Run(scores.bfloat16()), "concept.AP").value == wanted
