"""Several run files at once: their order, their names, and which error is told."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path

import numpy as np
import pytest

import cranfield as cf
from cranfield.kernels import limited_to

CONCEPTS = ("cat", "dog")


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    scores = np.random.default_rng(0).random((7, 5, 2)).round(3)
    paths = []
    for place, one in enumerate(scores):
        paths.append(tmp_path / f"run{place}.txt")
        cf.write_run(cf.Run(one, items=list("abcde"), concepts=CONCEPTS), paths[-1])
    return paths


@pytest.fixture
def truth() -> cf.Truth:
    return cf.Truth(np.eye(5, 2, dtype=bool), items=list("abcde"), concepts=CONCEPTS)


@pytest.mark.parametrize("threads", [1, 2, 16])
def test_runs_come_in_the_order_of_their_files(
    files: list[Path], truth: cf.Truth, threads: int
) -> None:
    steps: list[float] = []
    with limited_to(threads):
        runs = cf.read_runs(files, truth, progress=lambda *_: nullcontext(steps.append))
    assert [run.name for run in runs] == [path.stem for path in files]
    assert steps == [1] * len(files)
    for run, path in zip(runs, files, strict=True):
        assert run.digest == cf.read_run(path, truth).digest


def test_a_mapping_names_the_runs(files: list[Path], truth: cf.Truth) -> None:
    runs = cf.read_runs({"late": files[3], "early": files[0]}, truth, threshold=0.25)
    assert [(run.name, run.threshold) for run in runs] == [("late", 0.25), ("early", 0.25)]


def test_concepts_may_come_from_an_iterator(files: list[Path]) -> None:
    assert {run.concepts for run in cf.read_runs(files, concepts=iter(CONCEPTS))} == {CONCEPTS}


@pytest.mark.parametrize("threads", [1, 2, 16])
def test_the_first_file_that_is_wrong_is_told(
    files: list[Path], truth: cf.Truth, threads: int
) -> None:
    for place in (2, 3, 6):
        files[place].write_text("a 0.5 none\n")
    with limited_to(threads), pytest.raises(cf.FileError, match=r"run2\.txt:1"):
        cf.read_runs(files, truth)


def test_no_files_are_no_runs() -> None:
    assert cf.read_runs([]) == []
