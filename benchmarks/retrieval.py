"""Searches: 1,000 topics of 1,000 documents each, as TREC files, against plain Python."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

import cranfield as cf
from benchmarks.timing import Ratio, best_of

TOPICS, DEPTH = 1000, 1000


def ratios() -> Iterator[Ratio]:
    with tempfile.TemporaryDirectory() as folder:
        for documents in (1000, 100_000, 1_000_000):
            yield from _reading(Path(folder), documents)


def _reading(folder: Path, documents: int) -> Iterator[Ratio]:
    """A run and judgements over a collection of so many documents."""
    run, qrels = folder / f"{documents}.run", folder / f"{documents}.qrels"
    _write(run, qrels, documents)
    read = cf.read_run(run)
    assert read.scores is not None
    assert len(read.scores.values) == TOPICS * DEPTH  # type: ignore[union-attr]
    what = f"1M lines over {read.shape[0]:,} documents, {run.stat().st_size / 1e6:.0f} MB"
    plain = "a dict of dicts"
    yield Ratio(
        f"run of {what}",
        plain,
        best_of(3, lambda: _plain(run, score=4)),
        best_of(7, lambda: cf.read_run(run)),
        10,
    )
    yield Ratio(
        "judgements of the same",
        plain,
        best_of(3, lambda: _plain(qrels, score=3)),
        best_of(7, lambda: cf.read_truth(qrels)),
        10,
    )


def _plain(path: Path, *, score: int) -> dict[str, dict[str, float]]:
    """What people write who need no library."""
    topics: dict[str, dict[str, float]] = {}
    with path.open() as file:
        for line in file:
            fields = line.split()
            topics.setdefault(fields[0], {})[fields[2]] = float(fields[score])
    return topics


def _write(run: Path, qrels: Path, documents: int) -> None:
    draw = np.random.default_rng(documents)
    with run.open("w") as listed, qrels.open("w") as judged:
        for topic in range(TOPICS):
            ids = [f"FBIS3-{number:06d}" for number in draw.choice(documents, DEPTH, replace=False)]
            scores = np.sort(draw.random(DEPTH) * 20)[::-1].tolist()
            listed.writelines(
                f"{topic + 300} Q0 {name} {rank} {score:.6f} system\n"
                for rank, (name, score) in enumerate(zip(ids, scores, strict=True), start=1)
            )
            grades = draw.integers(-1, 3, DEPTH).tolist()
            judged.writelines(
                f"{topic + 300} 0 {name} {grade}\n" for name, grade in zip(ids, grades, strict=True)
            )
