"""A mark is a mark, whatever byte stands for it: masks of 255, views of other numbers, files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

import cranfield as cf
from cranfield import formats

MEASURES = ("concept.AP", "concept.AUC", "example.AP", "example.F", "micro.F", "example.hamming")
RANDOM = np.random.default_rng(8)
LABELS = RANDOM.random((40, 9)) < 0.4
SCORES = RANDOM.random((40, 9)).round(1)
BYTES = (2, 3, 128, 255)


def stained(marks: NDArray[np.bool_], byte: int) -> NDArray[np.bool_]:
    """The same marks, each of another byte than 1."""
    return (marks.view(np.uint8) * np.uint8(byte)).view(np.bool_)


def scores(truth: cf.Truth, run: cf.Run) -> list[float]:
    result = cf.evaluate(truth, run, MEASURES)
    return [result["run", measure] for measure in MEASURES]


@pytest.mark.parametrize("byte", BYTES)
@pytest.mark.parametrize("form", [np.ascontiguousarray, np.asfortranarray, scipy.sparse.csr_array])
@pytest.mark.parametrize("matrix", ["labels", "judged", "pool", "decisions"])
def test_scores_do_not_depend_on_the_bytes_of_masks(matrix: str, form: Any, byte: int) -> None:
    judged, decided = LABELS | (RANDOM.random(LABELS.shape) < 0.5), SCORES > 0.6

    def make(marks: NDArray[np.bool_]) -> tuple[cf.Truth, cf.Run]:
        parts = {"labels": LABELS, "judged": judged, "pool": judged, "decisions": decided}
        parts[matrix] = form(marks)
        said = parts.pop("decisions")
        run = cf.Run(labels=said) if matrix == "decisions" else cf.Run(SCORES)
        return cf.Truth(**parts, unjudged="exclude"), run

    plain = {"labels": LABELS, "judged": judged, "pool": judged, "decisions": decided}[matrix]
    assert scores(*make(stained(plain, byte))) == scores(*make(plain))


@pytest.mark.parametrize("byte", BYTES)
def test_arrays_in_give_the_number_of_plain_marks(byte: int) -> None:
    for measure in MEASURES:
        plain = cf.score(LABELS, SCORES, measure)
        assert cf.score(stained(LABELS, byte), SCORES, measure) == plain


@pytest.mark.parametrize(
    ("name", "save"),
    [
        ("truth.npy", np.save),
        ("truth.npz", lambda path, marks: np.savez(path, labels=marks)),
        ("sparse.npz", lambda path, marks: scipy.sparse.save_npz(path, csr_matrix(marks))),
    ],
)
def test_marks_of_files_are_marks(name: str, save: Any, tmp_path: Path) -> None:
    save(tmp_path / name, stained(LABELS, 255))
    truth = formats.read_truth(tmp_path / name)
    assert truth.digest == cf.Truth(LABELS).digest
    assert scores(truth, cf.Run(SCORES)) == scores(cf.Truth(LABELS), cf.Run(SCORES))


def test_plain_marks_are_not_copied() -> None:
    from cranfield.core.matrices import plain_bools

    assert plain_bools(LABELS) is LABELS
