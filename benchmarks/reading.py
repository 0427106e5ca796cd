"""Reading files, against pandas, Polars, pyarrow and SciPy.

Ours gives a validated run with its matrix; a peer's frame is brought to a matrix too, since
without one nothing can be scored.
"""

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow.csv
import pyarrow.parquet
from scipy.io import arff

import cranfield as cf
from benchmarks import workloads
from benchmarks.timing import Ratio, best_of


def ratios() -> Iterator[Ratio]:
    load = workloads.imageclef_2009()
    names = [f"item{i}" for i in range(len(load.labels))]
    concepts = [f"concept{i}" for i in range(load.labels.shape[1])]
    truth = cf.Truth(load.labels, items=names, concepts=concepts)
    run = cf.Run(
        load.scores.astype(np.float64).round(6), name="run", items=names, concepts=concepts
    )
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        yield from _text(place / "decided.txt", load, truth)
        for path, peers in (
            (place / "run.csv", _WIDE),
            (place / "long.csv", _LONG),
            (place / "run.parquet", _PARQUET),
        ):
            cf.write_run(run, path, "long" if peers is _LONG else None)
            yield from _against(path, truth, load, peers)
        yield _mulan(place / "truth.arff", truth)


def _text(path: Path, load: workloads.Workload, truth: cf.Truth) -> Iterator[Ratio]:
    decided = cf.Run(load.scores, labels=load.scores >= 0.5, items=truth.items)
    with path.open("w") as file:
        for name, scores, said in zip(truth.items, load.scores, decided.labels, strict=True):
            file.write(f"{name} {' '.join(f'{score:.6f}' for score in scores)} ")
            file.write(" ".join("1" if one else "0" for one in said) + "\n")
    peers = {"pandas.read_csv": lambda p: pd.read_csv(p, sep=" ", header=None).iloc[:, 1:54]}
    yield from _against(path, truth, load, peers, target=2)


_WIDE: dict[str, Callable[[Path], Any]] = {
    "pandas": lambda path: pd.read_csv(path, index_col=0),
    "Polars": lambda path: pl.read_csv(path).drop("item"),
    "pyarrow": lambda path: pyarrow.csv.read_csv(path).drop_columns("item").to_pandas(),
}
_LONG: dict[str, Callable[[Path], Any]] = {
    "pandas": lambda path: pd.read_csv(path).pivot(index="item", columns="concept", values="value"),
    "Polars": lambda path: pl.read_csv(path).pivot("concept", index="item", values="value"),
}
_PARQUET: dict[str, Callable[[Path], Any]] = {
    "pandas": lambda path: pd.read_parquet(path).set_index("item"),
    "Polars": lambda path: pl.read_parquet(path).drop("item"),
    "pyarrow": lambda path: pyarrow.parquet.read_table(path).drop_columns("item").to_pandas(),
}


def _against(
    path: Path,
    truth: cf.Truth,
    load: workloads.Workload,
    peers: dict[str, Callable[[Path], Any]],
    target: float | None = None,
) -> Iterator[Ratio]:
    def ours() -> cf.Run:
        return cf.read_run(path, truth)

    scores = ours().scores
    assert isinstance(scores, np.ndarray)
    assert np.allclose(scores, load.scores, atol=1e-6)
    what = f"{path.name}, {load.name}, {path.stat().st_size / 1e6:.1f} MB"
    mine = best_of(10, ours)
    for peer, read in peers.items():
        theirs = best_of(5, lambda read=read: read(path).to_numpy())
        yield Ratio(what, peer, theirs, mine, target)


def _mulan(path: Path, truth: cf.Truth) -> Ratio:
    cf.write_truth(cf.Truth(truth.labels, concepts=truth.concepts), path)
    assert cf.read_truth(path).labels.sum() == truth.labels.sum()
    return Ratio(
        f"{path.name}, {truth.shape[0]:,} × {truth.shape[1]}, {path.stat().st_size / 1e6:.1f} MB",
        "scipy.io.arff",
        best_of(3, lambda: arff.loadarff(path)),
        best_of(5, lambda: cf.read_truth(path)),
    )
