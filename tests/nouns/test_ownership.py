"""Truths and runs own their data: what happens to people's arrays afterwards changes no number."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas
import pytest
import scipy.sparse
from numpy.typing import NDArray

import cranfield as cf
from cranfield import kernels
from cranfield.errors import InputError
from cranfield.kernels import fingerprints

RANDOM = np.random.default_rng(16)
LABELS = RANDOM.random((30, 5)) < 0.4
SCORES = RANDOM.random((30, 5))
MEASURES = ["concept.AP", "example.F"]


@pytest.mark.parametrize(
    "form", [np.array, pandas.DataFrame, scipy.sparse.csr_array], ids=["array", "frame", "sparse"]
)
def test_buffers_can_be_reused(form: Callable[[Any], Any]) -> None:
    labels, scores = form(LABELS.copy()), form(SCORES.copy())
    truth, run = cf.Truth(labels), cf.Run(scores)
    before = cf.evaluate(truth, run, MEASURES)
    value, signature = before["run", "concept.AP"], before.score("run", "concept.AP").signature
    for buffer in (labels, scores):
        memory = buffer.data if scipy.sparse.issparse(buffer) else buffer
        if isinstance(memory, pandas.DataFrame):
            memory.iloc[:, :] = memory.to_numpy()[::-1]
        else:
            memory[...] = memory[::-1].copy()
    after = cf.evaluate(truth, run, MEASURES)
    assert after["run", "concept.AP"] == value
    assert after.score("run", "concept.AP").signature == signature


@pytest.mark.parametrize("name", ["labels", "judged", "pool", "grades", "strata", "targets"])
def test_a_truth_keeps_every_matrix(name: str) -> None:
    matrices = {
        "labels": LABELS.copy(),
        "judged": np.ones_like(LABELS),
        "pool": np.ones_like(LABELS),
        "grades": LABELS.astype(np.int64),
        "strata": np.ones(LABELS.shape, dtype=np.int64),
        "targets": SCORES.copy(),
    }
    matrices["judged"][0] = matrices["pool"][0] = LABELS[0]
    truth = cf.Truth(**matrices)
    kept = np.array(getattr(truth, name))
    matrices[name][...] = 0
    assert np.array_equal(getattr(truth, name), kept)


def test_thresholds_and_weights_are_kept() -> None:
    cuts, weights = np.full(LABELS.shape, 0.5), np.arange(1.0, 6.0)
    run = cf.Run(SCORES, threshold=cuts)
    result = cf.evaluate(cf.Truth(LABELS), run, "concept.F", weights=weights)
    signature = result.score("run", "concept.F").signature
    cuts[...], weights[...] = 0.9, 1.0
    assert result.score("run", "concept.F").signature == signature
    assert run.threshold[0, 0] == 0.5  # type: ignore[index]


@pytest.mark.parametrize("changed", ["labels", "scores"])
@pytest.mark.parametrize(
    "later",
    [
        lambda result: result.score("run", "concept.AP").signature,
        lambda result: cf.intervals(result, samples=40),
        lambda result: result.explain("run", "example.F", "3"),
        lambda result: cf.evaluate(
            result.truth, result.score("run", "concept.AP").run, "concept.AUC"
        ),
        lambda result: (
            result.truth.part([0, 1]),
            result.score("run", "concept.AP").run.part(np.array([0])),
        ),
    ],
    ids=["signature", "intervals", "explanation", "evaluation", "part"],
)
def test_shared_arrays_that_changed_are_refused(changed: str, later: Callable[[Any], Any]) -> None:
    arrays = {"labels": LABELS.copy(), "scores": SCORES.copy()}
    truth, run = cf.Truth(arrays["labels"], copy=False), cf.Run(arrays["scores"], copy=False)
    result = cf.evaluate(truth, run, [*MEASURES])
    arrays[changed][3, 2] = 1 - arrays[changed][3, 2]
    with pytest.raises(InputError, match=f"{changed} of .* changed since .* copy=False"):
        later(result)


@pytest.mark.parametrize("share", [False, 0, np.False_])
def test_whatever_shares_is_watched(share: Any) -> None:
    scores = SCORES.copy()
    result = cf.evaluate(cf.Truth(LABELS), cf.Run(scores, copy=share), "concept.AP")
    scores[0] = 0.0
    with pytest.raises(InputError, match="the scores of run 'run' have changed"):
        cf.intervals(result)


def test_shared_arrays_are_shared() -> None:
    labels, scores = LABELS.copy(), SCORES.copy()
    truth, run = cf.Truth(labels, copy=False), cf.Run(scores, copy=False)
    assert np.shares_memory(truth.labels, labels)
    assert np.shares_memory(run.scores, scores)
    assert labels.flags.writeable
    assert scores.flags.writeable


def test_what_is_handed_out_is_read_only() -> None:
    truth = cf.Truth(LABELS, grades=LABELS.astype(int), judged=LABELS, targets=SCORES)
    run, decided = cf.Run(SCORES, threshold=[0.5] * 5), cf.Run(labels=LABELS)
    result = cf.evaluate(truth, run, [*MEASURES, "micro.F"], weights=np.ones(5))
    counts = result.score("run", "micro.F").counts
    assert counts is not None
    sparse = cf.Run(scipy.sparse.csr_array(SCORES))
    handed_out = [
        *(truth.labels, truth.grades, truth.judged, truth.targets, truth.states, truth.matrix),
        *(run.scores, run.ranking, run.threshold, decided.labels, decided.ranking),
        *(sparse.scores.values, sparse.scores.codes),  # type: ignore[union-attr]
        *(result.units("run", measure) for measure in MEASURES),
        cf.Confusion([[3, 1], [0, 2]]).counts,
        *(counts.tp, counts.fp, counts.fn, counts.tn, *truth.totals(0, "negative")),
        result.score("run", "concept.AP").weights,
    ]
    for array in handed_out:
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0  # type: ignore[index,call-overload]
    assert LABELS.flags.writeable
    assert SCORES.flags.writeable


@pytest.mark.parametrize(
    "again", [lambda x: pickle.loads(pickle.dumps(x)), copy.deepcopy, copy.copy]
)
def test_copies_of_truths_and_runs_are_read_only_too(again: Callable[[Any], Any]) -> None:
    truth, run = again(cf.Truth(LABELS, copy=False)), again(cf.Run(SCORES, copy=False))
    assert cf.evaluate(truth, run, "concept.AP")["run", "concept.AP"] == cf.score(
        LABELS, SCORES, "concept.AP"
    )
    with pytest.raises(ValueError, match="read-only"):
        truth.labels[0] = True
    with pytest.raises(ValueError, match="read-only"):
        run.scores[0] = 0


def test_a_result_that_was_stored_is_read_only_too() -> None:
    result = pickle.loads(pickle.dumps(cf.evaluate(cf.Truth(LABELS), cf.Run(SCORES), MEASURES)))
    with pytest.raises(ValueError, match="read-only"):
        result.units("run", "concept.AP")[0] = 1.0


def test_nothing_is_copied_that_cannot_change(tmp_path: Path) -> None:
    truth = cf.Truth(LABELS)
    assert np.shares_memory(cf.Truth(truth.labels).labels, truth.labels)
    np.save(tmp_path / "scores.npy", SCORES)
    mapped = np.load(tmp_path / "scores.npy", mmap_mode="r")
    assert np.shares_memory(cf.Run(mapped).scores, mapped)
    locked = LABELS.copy()
    locked.flags.writeable = False  # whose owner can write again
    assert not np.shares_memory(cf.Truth(locked).labels, locked)


@pytest.mark.parametrize("size", [0, 1, 7, 8, 9, 64, 1001])
@pytest.mark.parametrize("kind", [np.bool_, np.uint8, np.float32, np.float64])
def test_both_backends_take_the_same_fingerprints(size: int, kind: Any) -> None:
    array: NDArray[Any] = RANDOM.integers(0, 2, (size, 3)).astype(kind)
    assert kernels.fingerprint(array) == fingerprints.fingerprint(array)


def test_swapped_values_have_another_fingerprint() -> None:
    ones = np.zeros(5000)
    ones[::7] = 1.0
    before = kernels.fingerprint(ones)
    for first, second in ((0, 1), (0, 2048), (7, 4096), (14, 4999)):
        swapped = ones.copy()
        swapped[[first, second]] = swapped[[second, first]]
        assert (kernels.fingerprint(swapped) == before) == (ones[first] == ones[second])
