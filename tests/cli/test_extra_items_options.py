"""`--extra drop` and `--split NAME`: runs over more items than are scored."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from shutil import copytree

import pytest
from typer.testing import Result

import cranfield as cf
from cranfield.formats import write_splits
from cranfield.studies.annotators import Crew, simulated_votes

Cranfield = Callable[..., Result]


@pytest.fixture(scope="module")
def halves(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The collection with a split into a train and a test half, and the truth of the latter."""
    path = tmp_path_factory.mktemp("extra") / "halves"
    copytree(folder, path)
    items = cf.read_collection(path).items
    parts = {item: "test" if row % 2 else "train" for row, item in enumerate(items)}
    write_splits(parts, path / "splits.csv")
    half = cf.read_collection(path).select(split="test").truth
    cf.write_truth(half, path.parent / "half.csv")
    return path


def scores(done: Result) -> dict[tuple[str, str], float]:
    assert done.exit_code == 0, done.output
    return {(row["run"], row["measure"]): row["score"] for row in json.loads(done.stdout)["scores"]}


def test_a_split_of_the_folder_is_what_its_truth_alone_gives(
    halves: Path, cranfield: Cranfield
) -> None:
    of_split = cranfield("evaluate", halves, "--split", "test", "--json")
    runs, half = halves / "runs", halves.parent / "half.csv"
    dropped = cranfield("evaluate", half, runs, "--extra", "drop", "--json")
    assert scores(of_split) == scores(dropped)
    assert "each of 8 runs: 60 items that the truth lacks left out" in dropped.stderr
    assert "left out" not in of_split.stderr
    assert "extra=drop" in dropped.stdout
    assert "60 items of the run that the truth lacks" in dropped.stdout


def test_extra_items_are_an_error_in_the_words_of_the_command_line(
    halves: Path, cranfield: Cranfield
) -> None:
    said = cranfield("evaluate", halves.parent / "half.csv", halves / "runs")
    assert said.exit_code == 1
    assert "60 items not in the truth" in said.stderr
    assert "--extra drop" in said.stderr


def test_a_split_that_is_not_there_names_the_others(halves: Path, cranfield: Cranfield) -> None:
    said = cranfield("evaluate", halves, "--split", "dev")
    assert said.exit_code == 1
    assert f"{halves}: no item is in a split 'dev'; there are: 'test', 'train'" in said.stderr


@pytest.mark.parametrize(
    "words",
    [
        ("compare", "TRUTH", "RUNS", "--samples", 100),
        ("curves", "TRUTH", "RUNS"),
        ("thresholds", "TRUTH", "RUN"),
        ("gate", "TRUTH", "RUN", "--write-baseline", "OUT"),
        ("plan", "TRUTH", "RUNS", "--margin", 0.1),
        ("study", "correlate", "TRUTH", "RUNS", "-m", "concept.AP", "-m", "example.F"),
        ("study", "stability", "TRUTH", "RUNS", "-m", "concept.AP", "--repeats", 1),
        ("evaluate", "TRUTH", "RUNS", "--report", "OUT.html"),
        ("evaluate", "TRUTH", "RUN", "--intervals"),
        ("check", "RUN", "--against", "TRUTH"),
        ("convert", "RUN", "OUT.npz", "--against", "TRUTH"),
    ],
    ids=lambda words: " ".join(map(str, words)),
)
def test_every_command_drops_extra_items(
    halves: Path, tmp_path: Path, cranfield: Cranfield, words: tuple[object, ...]
) -> None:
    run = sorted((halves / "runs").glob("[!R]*"))[0]  # not a random one
    names = {"TRUTH": halves.parent / "half.csv", "RUNS": halves / "runs", "RUN": run}
    names |= {word: tmp_path / word for word in ("OUT", "OUT.html", "OUT.npz")}
    filled = [names.get(word, word) for word in words]
    refused = cranfield(*filled)
    assert refused.exit_code == 1
    assert "--extra drop" in refused.stderr
    done = cranfield(*filled, "--extra", "drop")
    assert done.exit_code == 0, done.output
    assert "60 items that the truth lacks" in done.output


def test_whole_runs_are_ranked_by_votes_on_a_few_items(
    halves: Path, tmp_path: Path, cranfield: Cranfield
) -> None:
    collection = cf.read_collection(halves)
    few = collection.truth.select(items=collection.items[:15])
    simulated_votes(few, [Crew("ann", 3)]).write(tmp_path / "votes.csv")
    words = ("votes", "effect", tmp_path / "votes.csv", halves / "runs", "--draws", 1, "--json")
    words = (*words, "-m", "concept.AUC", "--concepts", halves / "concepts.txt")
    refused = cranfield(*words)
    assert refused.exit_code == 1
    assert "--extra drop" in refused.stderr
    done = cranfield(*words, "--extra", "drop")
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["truths"] == ["ann1", "ann2", "ann3", "Merged"]
