"""What is written is read again, exactly, in every format that can hold it."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import cranfield as cf
from cranfield import formats
from cranfield.core.matrices import Cells

ITEMS = ["a", "b;c", "d'e", "ü", "1e5"]
CONCEPTS = ["cat", "dog", "0"]
WITH_IDS = ["x.csv", "x.tsv", "x.npz", "x.csv.gz", "x.tsv.gz", "x.npz.gz"]
EVERY = [*WITH_IDS, "x.txt", "x.txt.gz", "x.npy", "x.npy.gz"]
SCORES = np.array(
    [
        [0.1, 1e-300, 5e-324],
        [1.7976931348623157e308, -0.0, 1 / 3],
        [np.float32(0.1), 1.0, 2**53 + 1],
        [1e22, 123456789.123456789, 1e-7],
        [-1.5, 0.30000000000000004, 7],
    ]
)
MASK = np.array([[1, 1, 0], [1, 0, 1], [0, 0, 1], [1, 1, 1], [1, 0, 0]], dtype=bool)


def same_run(one: cf.Run, other: cf.Run) -> bool:
    return one.digest == other.digest


@pytest.mark.parametrize("name", EVERY)
def test_dense_scores_come_back_exactly(name: str, tmp_path: Path, parser: str) -> None:
    truth = cf.Truth(SCORES > 1, items=ITEMS, concepts=CONCEPTS)
    run = cf.Run(SCORES, name="x", items=ITEMS, concepts=CONCEPTS)
    cf.write_run(run, tmp_path / name)
    back = cf.read_run(tmp_path / name, truth)
    assert back.name == "x"
    assert back.scores.tobytes() == run.scores.tobytes()
    assert "npy" in name or same_run(back, run)


@pytest.mark.parametrize("name", EVERY)
def test_labels_of_a_truth_come_back(name: str, tmp_path: Path, parser: str) -> None:
    truth = cf.Truth(MASK, items=ITEMS, concepts=CONCEPTS)
    cf.write_truth(truth, tmp_path / name)
    back = cf.read_truth(tmp_path / name, concepts=CONCEPTS)
    assert np.array_equal(back.labels, truth.labels)
    assert "npy" in name or back.digest == truth.digest


@pytest.mark.parametrize("name", [*WITH_IDS, "long.csv", "long.tsv", "long.csv.gz"])
def test_sparse_scores_come_back_sparse(name: str, tmp_path: Path, parser: str) -> None:
    truth = cf.Truth(MASK, items=ITEMS, concepts=CONCEPTS)
    cells = Cells(SCORES.shape, np.flatnonzero(MASK), SCORES[MASK])
    run = cf.Run(cells, name="x", items=ITEMS, concepts=CONCEPTS)
    cf.write_run(run, tmp_path / name, "long" if "long" in name else None)
    back = cf.read_run(tmp_path / name, truth, name="x")
    assert back.sparse
    assert same_run(back, run)


@pytest.mark.parametrize("name", WITH_IDS)
@pytest.mark.parametrize("graded", [False, True])
def test_unjudged_cells_and_grades_come_back(
    name: str, graded: bool, tmp_path: Path, parser: str
) -> None:
    labels = MASK & (np.arange(3) > 0)
    given = {"grades": labels * 200} if graded else {"labels": labels}
    truth = cf.Truth(**given, judged=MASK, items=ITEMS, concepts=CONCEPTS)
    cf.write_truth(truth, tmp_path / name)
    assert cf.read_truth(tmp_path / name).digest == truth.digest


@pytest.mark.parametrize("name", ["x.csv", "x.tsv", "x.csv.gz"])
def test_a_long_truth_comes_back(name: str, tmp_path: Path, parser: str) -> None:
    for truth in (
        cf.Truth(MASK, items=ITEMS, concepts=CONCEPTS),
        cf.Truth(MASK & (np.arange(3) > 0), judged=MASK, items=ITEMS, concepts=CONCEPTS),
        cf.Truth(grades=MASK * 3, items=ITEMS, concepts=CONCEPTS),
    ):
        cf.write_truth(truth, tmp_path / name, "long")
        assert cf.read_truth(tmp_path / name).digest == truth.digest


@pytest.mark.parametrize("name", ["x.txt", "x.txt.gz", "x.npz"])
def test_decisions_come_back_beside_confidences(name: str, tmp_path: Path, parser: str) -> None:
    truth = cf.Truth(MASK, items=ITEMS, concepts=CONCEPTS)
    run = cf.Run(SCORES, labels=MASK, name="x", items=ITEMS, concepts=CONCEPTS)
    cf.write_run(run, tmp_path / name)
    assert same_run(cf.read_run(tmp_path / name, truth), run)


def test_everything_a_truth_knows_comes_back_from_npz(tmp_path: Path) -> None:
    labels = Cells((5, 3), np.array([1, 5]), np.array([True, True]))
    for truth in (
        cf.Truth(labels, items=ITEMS, unjudged="exclude"),
        cf.Truth(MASK, pool=MASK, judged=MASK, strata=MASK * 4, concepts=CONCEPTS),
    ):
        cf.write_truth(truth, tmp_path / "t.npz")
        back = cf.read_truth(tmp_path / "t.npz")
        assert (back.digest, back.unjudged) == (truth.digest, truth.unjudged)
        assert back.item_axis.ids == truth.item_axis.ids


@pytest.mark.parametrize("threshold", [0.25, np.array([0.1, 0.2, 0.3]), SCORES])
def test_thresholds_groups_and_tags_come_back_from_npz(threshold: object, tmp_path: Path) -> None:
    run = cf.Run(SCORES, threshold=threshold, group="g", tags={"kind": "visual"}, name="r")
    cf.write_run(run, tmp_path / "r.npz")
    back = cf.read_run(tmp_path / "r.npz", cf.Truth(MASK))
    assert (back.digest, back.group, back.tags) == (run.digest, run.group, run.tags)


def test_float32_stays_float32_in_npz(tmp_path: Path) -> None:
    cf.write_run(cf.Run(SCORES.clip(-1, 1).astype(np.float32)), tmp_path / "r.npz")
    assert cf.read_run(tmp_path / "r.npz", cf.Truth(MASK)).scores.dtype == np.float32


def test_a_threshold_is_written_to_text_as_the_decisions_it_makes(tmp_path: Path) -> None:
    run = cf.Run(SCORES, threshold=0.5, items=ITEMS)
    cf.write_run(run, tmp_path / "r.txt")
    back = cf.read_run(tmp_path / "r.txt", cf.Truth(MASK, items=ITEMS))
    assert np.array_equal(back.labels, SCORES >= 0.5)


ids = st.lists(
    st.text(st.characters(exclude_characters="\r\0", exclude_categories=["Cs"]), min_size=1),
    min_size=2,
    max_size=2,
    unique=True,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(items=ids, concepts=ids, ending=st.sampled_from(["csv", "tsv"]), long=st.booleans())
def test_any_id_survives_csv(
    items: list[str], concepts: list[str], ending: str, long: bool, tmp_path: Path
) -> None:
    truth = cf.Truth([[1, 0], [0, 1]], items=items, concepts=concepts)
    path = tmp_path / f"t.{ending}"
    cf.write_truth(truth, path, "long" if long else None)
    back = cf.read_truth(path, format="long" if long else ending)
    assert (back.items, back.concepts) == (truth.items, truth.concepts)


# -- What a format cannot hold is refused, and nothing is left half-written ----------------------


@pytest.mark.parametrize(
    ("name", "truth"),
    [
        ("t.txt", cf.Truth(grades=[[2]])),
        ("t.txt", cf.Truth([[1]], items=["a b"])),
        ("t.npy", cf.Truth([[0]], judged=[[0]])),
        ("t.csv", cf.Truth([[1, 0]], pool=[[1, 0]])),
        ("t.csv", cf.Truth([[1]], items=["a\rb"])),
        ("t.xyz", cf.Truth([[1]])),
        ("none/t.csv", cf.Truth([[1]])),
    ],
)
def test_a_truth_that_does_not_fit_leaves_nothing_behind(
    name: str, truth: cf.Truth, tmp_path: Path
) -> None:
    with pytest.raises(cf.InputError):
        cf.write_truth(truth, tmp_path / name)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "run"),
    [
        ("r.csv", cf.Run([[0.5]], labels=[[1]])),
        ("r.csv", cf.Run([[0.5]], threshold=0.1)),
        ("r.npy", cf.Run(labels=[[1]])),
        ("r.npy", cf.Run([[0.5]], threshold=0.1)),
        ("r.txt", cf.Run(Cells((1, 2), np.array([1]), np.array([0.5])))),
    ],
)
def test_a_run_that_does_not_fit_keeps_the_old_file(name: str, run: cf.Run, tmp_path: Path) -> None:
    (tmp_path / name).write_text("old")
    with pytest.raises(cf.InputError, match="write"):
        cf.write_run(run, tmp_path / name)
    assert [path.read_text() for path in tmp_path.iterdir()] == ["old"]


def test_equal_content_gives_equal_files(tmp_path: Path) -> None:
    for name in ("one.npz.gz", "two.npz.gz"):
        cf.write_truth(cf.Truth(MASK), tmp_path / name)
    one, two = (path.read_bytes() for path in tmp_path.iterdir())
    assert one == two
    assert gzip.decompress(one).startswith(b"PK")


@pytest.mark.parametrize("name", ["t.tsv", "t.csv", "tsv.dat", "csv.dat"])
@pytest.mark.parametrize(
    "concepts", [("a,b", "c"), ("a,b", "c,d,e"), ("a", "b"), ('say "a,b"', "c"), ("a b", "c, d")]
)
def test_concepts_with_commas_come_back(
    name: str, concepts: tuple[str, ...], tmp_path: Path
) -> None:
    truth = cf.Truth([[1, 0], [0, 1]], items=["x", "y,z"], concepts=concepts)
    formats.write_truth(truth, tmp_path / name, name[:3] if name.endswith(".dat") else None)
    again = cf.read_truth(tmp_path / name)
    assert again.concepts == concepts
    assert again.items == truth.items
    assert np.array_equal(again.labels, truth.labels)
