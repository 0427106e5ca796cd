"""Runs that are read without a truth: their folder says which concepts there are, or a clear word.

A text run of ImageCLEF holds confidences and decisions for each of its 53 concepts.
"""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner, Result

import cranfield as cf
from cranfield.cli.program import app
from cranfield.core.matrices import dense

CONCEPTS = ("sky", "sea", "party")
SCORES = np.array([[0.9, 0.2, 0.4], [0.1, 0.8, 0.3], [0.6, 0.5, 0.7], [0.2, 0.1, 0.9]])
ITEMS = ("p1", "p2", "p3", "p4")


def cranfield(*words: object) -> Result:
    return CliRunner(env={"COLUMNS": "200"}).invoke(app, [str(word) for word in words])


def lines(*, decided: bool) -> str:
    values = np.hstack([SCORES, SCORES > 0.5]) if decided else SCORES
    rows = zip(ITEMS, values.tolist(), strict=True)
    return "".join(f"{item} {' '.join(f'{value:g}' for value in row)}\n" for item, row in rows)


@pytest.fixture
def campaign(tmp_path: Path) -> Path:
    """A folder without a truth yet: names of concepts, and two runs as text."""
    folder = tmp_path / "campaign"
    (folder / "runs").mkdir(parents=True)
    (folder / "concepts.txt").write_text("\n".join(CONCEPTS) + "\n")
    (folder / "runs" / "a.txt").write_text(lines(decided=True))
    (folder / "runs" / "b.txt").write_text(lines(decided=False))
    return folder


def topics(pool: Path) -> list[str]:
    with (pool / "pool.csv").open(newline="") as file:
        return sorted({row["topic"] for row in csv.DictReader(file)})


Given = Callable[[Path], list[object]]


@pytest.mark.parametrize(
    "given",
    [
        lambda folder: [folder],
        lambda folder: [folder / "runs"],
        lambda folder: [folder / "runs" / "a.txt", folder / "runs" / "b.txt"],
    ],
)
def test_pools_of_text_runs_have_the_topics_of_their_folder(given: Given, campaign: Path) -> None:
    made = cranfield("pool", "make", *given(campaign), "--depth", 2, "-o", campaign / "pool")
    assert made.exit_code == 0, made.stderr
    assert topics(campaign / "pool") == sorted(CONCEPTS)


def test_a_folder_of_runs_may_hold_the_names_itself(campaign: Path) -> None:
    (campaign / "concepts.txt").rename(campaign / "runs" / "concepts.txt")
    made = cranfield("pool", "make", campaign / "runs", "--depth", 2, "-o", campaign / "pool")
    assert made.exit_code == 0, made.stderr
    assert topics(campaign / "pool") == sorted(CONCEPTS)


def test_the_truth_of_the_folder_knows_the_concepts_too(campaign: Path) -> None:
    (campaign / "concepts.txt").unlink()
    (campaign / "truth.csv").write_text("item,sky,sea,party\np1,1,0,0\n")
    made = cranfield("pool", "make", campaign, "--depth", 2, "-o", campaign / "pool")
    assert made.exit_code == 0, made.stderr
    assert topics(campaign / "pool") == sorted(CONCEPTS)


def test_a_pool_goes_on_with_the_same_topics(campaign: Path) -> None:
    pool = campaign / "pool"
    options = ("--method", "mtf", "--budget", 8, "--batch", 4)
    assert cranfield("pool", "make", campaign, *options, "-o", pool).exit_code == 0
    following = cranfield("pool", "next", pool, campaign, "--batch", 8)
    assert following.exit_code == 0, following.stderr
    assert set(topics(pool)) <= set(CONCEPTS)


def test_decisions_are_never_taken_for_further_topics(campaign: Path) -> None:
    (campaign / "concepts.txt").unlink()
    made = cranfield("pool", "make", campaign / "runs" / "a.txt", "--depth", 2, "-o", "pool")
    assert made.exit_code == 1
    assert "decisions on 3 concepts" in made.stderr
    assert "--concepts" in made.stderr
    with pytest.raises(cf.InputError, match="decisions on 3 concepts"):
        cf.pool(cf.read_run(campaign / "runs" / "a.txt"), depth=2)


def test_the_library_reads_names_and_decisions_by_the_folder(campaign: Path) -> None:
    run, other = cf.read_runs([campaign / "runs" / name for name in ("a.txt", "b.txt")])
    assert run.concepts == other.concepts == CONCEPTS
    assert run.labels is not None
    assert dense(run.labels).tolist() == (SCORES > 0.5).tolist()
    assert other.labels is None
    np.save(campaign / "runs" / "c.npy", SCORES)
    assert cf.read_run(campaign / "runs" / "c.npy").concepts == CONCEPTS
    (campaign / "runs" / "d.csv").write_text("item,cow\np1,0.5\n")
    assert cf.read_run(campaign / "runs" / "d.csv").concepts == ("cow",)


def test_names_that_are_given_hold_for_arrays_too(tmp_path: Path) -> None:
    np.save(tmp_path / "c.npy", SCORES)
    assert cf.read_run(tmp_path / "c.npy", concepts=CONCEPTS).concepts == CONCEPTS


def test_other_commands_without_a_truth_follow_the_folder_or_refuse(campaign: Path) -> None:
    run, out = campaign / "runs" / "a.txt", campaign / "a.npz"
    assert cranfield("convert", run, out).exit_code == 0
    assert cf.read_run(out).concepts == CONCEPTS
    assert "3 concepts" in cranfield("check", run, "--as", "run").stdout
    (campaign / "concepts.txt").unlink()
    refused = cranfield("convert", run, campaign / "b.csv")
    assert (refused.exit_code, "decisions on 3 concepts" in refused.stderr) == (1, True)
    assert cranfield("convert", run, campaign / "b.txt").exit_code == 0
    assert "looks like decisions" in cranfield("check", run, "--as", "run").stdout
    repaired = cranfield("ontology", "repair", "pto2009", run, "--threshold", 0.5)
    assert (repaired.exit_code, "decisions on 3 concepts" in repaired.stderr) == (1, True)


def test_features_beside_names_of_concepts_stay_features(campaign: Path) -> None:
    (campaign / "truth.csv").write_text("item,sky,sea,party\np1,1,0,0\n")
    (campaign / "features.txt").write_text("p1 0.5 1\np2 0.25 0\n")
    assert cf.read_run(campaign / "features.txt").shape == (2, 2)
