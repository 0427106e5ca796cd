"""A campaign from files to verdicts, at the size of ImageCLEF 2009: 73 text runs, 19 measures, all
pairs tested.

The collection is simulated and written to a temporary folder: 13,000 items, 53 concepts, six
digits; two runs in three hold decisions behind their confidences. Peers do what they can of it
(pandas reads, scikit-learn has 11 of the measures, SciPy tests) for one run or a few pairs, and
their time is multiplied.
"""

import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn import metrics

import cranfield as cf
from benchmarks.comparing import seconds_of_scipy
from benchmarks.stability import MEASURES
from benchmarks.timing import Ratio, seconds
from cranfield.studies.simulation import Design, World, draw_systems, simulate_run, simulate_world
from cranfield.studies.vocabulary import photo_concepts

ITEMS, RUNS = 13_000, 73
TESTED = ("example.F", "concept.AP")
_ROUNDS = 3
_TARGET = 2.0
"""Seconds that ours may take from files to the verdicts by one measure."""


def ratios() -> Iterator[Ratio]:
    world = simulate_world(Design(photo_concepts(), items=ITEMS, seed=2009))
    ontology = cf.Ontology.load("pto2009")
    with tempfile.TemporaryDirectory() as folder:
        files = _write(world, Path(folder))
        spent = _fastest(files, world.truth, ontology)
        read = RUNS * seconds(lambda: pd.read_csv(files[0], sep=" ", header=None).to_numpy())
        run = cf.read_run(files[0], world.truth)
    scored = RUNS * seconds(lambda: _by_scikit_learn(world.truth.labels, run))
    tested = seconds_of_scipy(np.random.default_rng(0).random((RUNS, ITEMS)))
    yield Ratio(f"reading {RUNS} text runs", "pandas, scaled", read, spent["reading"])
    what = f"scoring them by {len(MEASURES)} measures"
    yield Ratio(what, "scikit-learn, 11 of them, scaled", scored, spent["scoring"])
    for measure in TESTED:
        what, ours = f"testing all pairs by {measure}", spent[measure]
        yield Ratio(what, "SciPy, ready unit scores, scaled", tested, ours)
        ours += spent["reading"] + spent["scoring"]
        slow = read + scored + tested
        yield Ratio(f"{RUNS} text runs to {what[8:]}", "all three", slow, ours, slow / _TARGET)


def _fastest(files: list[Path], truth: cf.Truth, ontology: cf.Ontology) -> dict[str, float]:
    """Seconds of each step, in the fastest of several rounds."""
    rounds = [_round(files, truth, ontology) for _ in range(_ROUNDS)]
    return min(rounds, key=lambda spent: sum(spent.values()))


def _round(files: list[Path], truth: cf.Truth, ontology: cf.Ontology) -> dict[str, float]:
    clock = [time.perf_counter()]
    runs = cf.read_runs(files, truth)
    clock.append(time.perf_counter())
    result = cf.evaluate(truth, runs, MEASURES, ontology=ontology)
    clock.append(time.perf_counter())
    for measure in TESTED:
        cf.compare(result, measure)
        clock.append(time.perf_counter())
    return dict(zip(("reading", "scoring", *TESTED), np.diff(clock).tolist(), strict=True))


def _write(world: World, folder: Path) -> list[Path]:
    """The files of all runs."""
    files = []
    for place, system in enumerate(draw_systems(RUNS, seed=2009)):
        files.append(folder / f"{system.name}.txt")
        write_run(simulate_run(world, system), files[-1], decisions=place % 3 > 0)
    return files


def write_run(run: cf.Run, path: Path, *, decisions: bool) -> None:
    """Text: an id, confidences with six digits, and decisions behind them."""
    assert run.items is not None
    parts = [_ids(run.items), _decimals(np.asarray(run.ranking, dtype=np.float64))]
    if decisions:
        parts.append(_digits(np.asarray(run.assigned, dtype=np.int64), 1, "v "))
    line_ends = np.full((len(run.items), 1), ord("\n"), np.uint8)
    path.write_bytes(np.concatenate([*parts, line_ends], axis=1).tobytes())


def _ids(items: tuple[str, ...]) -> NDArray[np.uint8]:
    padded = np.array([f"{item} ".encode() for item in items])
    return padded.view(np.uint8).reshape(len(items), -1)


def _decimals(scores: NDArray[np.float64]) -> NDArray[np.uint8]:
    millionths = np.rint(scores * 1e6).astype(np.int64)
    whole = _digits(millionths // 1_000_000, 1, "v.").reshape(*scores.shape, 2)
    rest = _digits(millionths % 1_000_000, 6, "v ").reshape(*scores.shape, 7)
    return np.concatenate([whole, rest], axis=2).reshape(len(scores), -1)


def _digits(numbers: NDArray[np.int64], count: int, pattern: str) -> NDArray[np.uint8]:
    """Whole numbers as text of so many digits, and what the pattern has behind the v."""
    powers = 10 ** np.arange(count - 1, -1, -1)
    text = np.full((*numbers.shape, count + 1), ord(pattern[1]), np.uint8)
    text[..., :count] = numbers[..., None] // powers % 10 + ord("0")
    return text.reshape(len(numbers), -1)


def _by_scikit_learn(labels: NDArray[np.bool_], run: cf.Run) -> None:
    scores, said = np.asarray(run.ranking), np.asarray(run.assigned)
    options: dict[str, Any] = {"average": "samples", "zero_division": 0}
    metrics.average_precision_score(labels, scores, average="macro")
    metrics.roc_auc_score(labels, scores, average="macro")
    metrics.coverage_error(labels, scores)
    metrics.label_ranking_loss(labels, scores)
    metrics.label_ranking_average_precision_score(labels, scores)
    metrics.ndcg_score(labels, scores)
    metrics.f1_score(labels, said, average="macro", zero_division=0)
    for score in (metrics.precision_score, metrics.recall_score, metrics.f1_score):
        score(labels, said, **options)
    metrics.jaccard_score(labels, said, **options)
