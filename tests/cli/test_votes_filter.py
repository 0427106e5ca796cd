"""`cranfield votes filter`."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from typer.testing import Result

import cranfield as cf

pytest.importorskip("sklearn")
Cranfield = Callable[..., Result]


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    rng = np.random.default_rng(0)
    items = [f"i{n}" for n in range(300)]
    gold = rng.random((300, 2)) < 0.5
    tags = gold ^ (rng.random((300, 2)) < 0.2)
    features = rng.normal(size=(300, 3)) + 5.0 * np.column_stack([gold, gold[:, 0]])
    paths = {name: tmp_path / f"{name}.csv" for name in ("tags", "gold", "features")}
    for name, labels in (("tags", tags), ("gold", gold)):
        cf.write_truth(cf.Truth(labels, items=items, concepts=["cat", "dog"]), paths[name])
    order = rng.permutation(300)
    run = cf.Run(features[order], items=[items[i] for i in order], concepts=["x", "y", "z"])
    cf.write_run(run, paths["features"])
    return paths


def test_tags_are_filtered_listed_and_judged(
    files: dict[str, Path], tmp_path: Path, cranfield: Cranfield
) -> None:
    kept, listed = tmp_path / "kept.csv", tmp_path / "listed.csv"
    done = cranfield(
        "votes", "filter", files["tags"], files["features"], "--gold", files["gold"],
        "-o", kept, "--list", listed, "--json",
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    assert [row["tag"] for row in told["tags"]] == ["cat", "dog"]
    assert told["mean"]["after"] > told["mean"]["before"]
    rows = list(csv.DictReader(listed.open()))
    assert len(rows) == cf.read_truth(files["tags"]).labels.sum()
    assert sum(int(row["kept"]) for row in rows) == cf.read_truth(kept).labels.sum()
    scores = [float(row["score"]) for row in rows]
    assert scores == sorted(scores)


def test_a_table_for_people(files: dict[str, Path], cranfield: Cranfield) -> None:
    shown = cranfield("votes", "filter", files["tags"], files["features"]).stdout
    assert "removed" in shown


def test_an_item_without_features_is_named(files: dict[str, Path], cranfield: Cranfield) -> None:
    lines = files["features"].read_text().splitlines()
    files["features"].write_text("\n".join(lines[:-1]) + "\n")
    done = cranfield("votes", "filter", files["tags"], files["features"])
    assert done.exit_code == 1
    assert f"has no features of 1 tagged item: {lines[-1].split(',')[0]!r}" in done.stderr
    assert "missing" not in done.stderr
