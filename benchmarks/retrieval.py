"""Searches: 1,000 topics of 1,000 documents each, as TREC files, against plain Python.

The peer is what people write who need no library: for each line of the open file `split()`, a dict
of dicts, `float` of the score or `int` of the grade. It holds all values, as we do, but looks for
no second line of a cell, no second tag and no rank that contradicts its score, which we do. Our ids
become texts when they are asked for, so reading with them is timed, too.
"""

import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import numpy as np

import cranfield as cf
from benchmarks.timing import Ratio, by_turns

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
    scores, grades = partial(_plain, run, 4, float), partial(_plain, qrels, 3, int)
    for case, theirs, ours in (
        (f"run of {what}", scores, lambda: cf.read_run(run)),
        ("with its ids as texts", scores, lambda: _with_ids(cf.read_run(run))),
        ("judgements of the same", grades, lambda: cf.read_truth(qrels)),
    ):
        yield Ratio(case, plain, *by_turns(5, theirs, ours), 10)


def _plain(path: Path, place: int, value: Callable[[str], float]) -> dict[str, dict[str, float]]:
    topics: dict[str, dict[str, float]] = {}
    with path.open() as file:
        for line in file:
            fields = line.split()
            topics.setdefault(fields[0], {})[fields[2]] = value(fields[place])
    return topics


def _with_ids(run: cf.Run) -> cf.Run:
    assert run.items
    return run


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
