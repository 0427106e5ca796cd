"""A CSV file of two gigabytes: seconds, and memory beyond the matrix it holds (Linux).

Each side runs in a process of its own, since memory that was used once is not given back. Takes
several minutes and 2 GB of disk, so it runs only when it is named.
"""

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl

import cranfield as cf
from benchmarks.memory import extra
from benchmarks.timing import Ratio, seconds

SIZE = 2_000_000_000
_CONCEPTS = 200
_BLOCK = 20_000


def ratios() -> Iterator[Ratio]:
    for form in ("wide", "long"):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, f"{form}.csv")
            write(path, form)
            figures = {side: _figures(side, path) for side in SIDES}
        for peer in ("pandas", "Polars"):
            for place, unit in ((0, "s"), (1, "MB beyond the matrix")):
                what = f"{form} CSV of {SIZE / 1e9:.0f} GB"
                yield Ratio(what, peer, figures[peer][place], figures["ours"][place], unit=unit)


def write(path: Path, form: str) -> None:
    """A run of random scores with six digits."""
    rng = np.random.default_rng(0)
    concepts = [f"concept{i}" for i in range(_CONCEPTS)]
    with path.open("wb") as file:
        block = 0
        while file.tell() < SIZE:
            items = [f"item{block * _BLOCK + i:08d}" for i in range(_BLOCK)]
            scores = rng.random((_BLOCK, _CONCEPTS)).round(6)
            frame = pl.DataFrame(scores, schema=concepts).insert_column(0, pl.Series("item", items))
            if form == "long":
                frame = frame.unpivot(index="item", variable_name="concept").sort("item")
            frame.write_csv(file, include_header=block == 0)
            block += 1


def _figures(side: str, path: Path) -> tuple[float, float]:
    said = subprocess.check_output([sys.executable, "-m", "benchmarks.large", side, str(path)])
    time, memory = map(float, said.split())
    return time, memory


def _ours(path: Path) -> Any:
    return cf.read_run(path).scores


def _pandas(path: Path) -> Any:
    frame = pd.read_csv(path, index_col="item")
    if "value" in frame:
        frame = frame.pivot(columns="concept", values="value")
    return frame.to_numpy()


def _polars(path: Path) -> Any:
    frame = pl.read_csv(path)
    if "value" in frame.columns:
        frame = frame.pivot("concept", index="item", values="value")
    return frame.drop("item").to_numpy()


SIDES = {"pandas": _pandas, "Polars": _polars, "ours": _ours}


def main() -> None:
    read, path = SIDES[sys.argv[1]], Path(sys.argv[2])
    matrices: list[Any] = []
    times: list[float] = []
    memory = extra(lambda: times.append(seconds(lambda: matrices.append(read(path)))))
    print(times[0], memory - matrices[0].nbytes / 1e6)


if __name__ == "__main__":
    main()
