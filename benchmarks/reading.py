"""Reading a text run, against pandas."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd

import cranfield as cf
from benchmarks import workloads
from benchmarks.timing import Ratio, best_of


def ratios() -> Iterator[Ratio]:
    load = workloads.imageclef_2009()
    names = [f"item{i}" for i in range(len(load.labels))]
    truth = cf.Truth(load.labels, items=names)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "run.txt")
        with path.open("w") as file:
            for name, scores in zip(names, load.scores, strict=True):
                said = " ".join("1" if score >= 0.5 else "0" for score in scores)
                file.write(f"{name} {' '.join(f'{score:.6f}' for score in scores)} {said}\n")

        def theirs() -> pd.DataFrame:
            return pd.read_csv(path, sep=" ", header=None)

        def ours() -> cf.Run:
            return cf.read_run(path, truth)

        scores = ours().scores
        assert isinstance(scores, np.ndarray)
        assert np.allclose(scores, load.scores, atol=1e-6)
        yield Ratio(
            f"text run, {load.name} confidences and decisions, {path.stat().st_size / 1e6:.1f} MB",
            "pandas.read_csv",
            best_of(5, theirs),
            best_of(10, ours),
            2,
        )
