"""Study: do 95 % intervals hold the score of all items 95 % of the time?

One large collection is simulated with the runs of a system and cut into samples of a few hundred
items each. The score of the whole stands for that of all items there are; each sample gets its
intervals, and those that hold it are counted. `python -m cranfield.studies.coverage` prints it.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from cranfield.core.run import Run
from cranfield.core.truth import Truth
from cranfield.engine import evaluate
from cranfield.errors import require_draws
from cranfield.knowledge import Ontology
from cranfield.statistics.intervals.of_scores import intervals
from cranfield.statistics.intervals.results import Interval, Method
from cranfield.studies.simulation import Design, System, World, simulate_run, simulate_world
from cranfield.studies.vocabulary import Vocabulary, photo_concepts

MEASURES = ("concept.AP", "concept.AUC", "concept.EER", "concept.F", "OS")


@dataclass(frozen=True)
class Coverage:
    """How often intervals of one kind held the score of all items."""

    measure: str
    method: str
    samples: int
    score: float
    """Of all items."""
    bias: float
    """Mean score of samples, less that."""
    held: float
    """The share of intervals that hold it."""
    held_mean: float
    """The share that hold the mean score of samples of this size, which has no bias."""
    below: float
    """The share of intervals that lie below it; the others that miss it lie above."""
    width: float
    """Mean width."""
    error: float
    """Mean standard error, as the intervals have it."""
    spread: float
    """Standard deviation of the scores of samples: what the standard error should be."""

    @property
    def doubt(self) -> float:
        """Standard error of `held` itself."""
        return float(np.sqrt(self.held * (1.0 - self.held) / self.samples))


def coverage(
    *,
    samples: int = 2000,
    items: int = 200,
    methods: Iterable[Method] = ("analytic",),
    measures: Sequence[str] = MEASURES,
    vocabulary: Vocabulary | None = None,
    quality: float = 1.5,
    level: float = 0.95,
    draws: int = 1000,
    seed: int = 0,
) -> list[Coverage]:
    """Intervals of many samples of one simulated collection, held against its score."""
    require_draws("samples", samples)
    words = photo_concepts() if vocabulary is None else vocabulary
    world = simulate_world(Design(words, samples * items, seed=seed))
    run = simulate_run(world, System("it", quality=quality, spread=0.3, threshold="frequency"))
    rules = Ontology.load("pto2009") if "OS" in measures else None
    whole = evaluate(world.truth, run, measures, ontology=rules)
    kinds = tuple(methods)
    results: dict[tuple[str, str], list[Interval]] = {}
    for sample in range(samples):
        part = _part(world, run, slice(sample * items, (sample + 1) * items))
        result = evaluate(*part, measures, ontology=rules)
        for method in kinds:
            each = intervals(result, method=method, level=level, samples=draws, seed=seed)
            for name in measures:
                results.setdefault((name, method), []).append(each["it", name])
    return [
        _summed(name, method, each, whole["it", name]) for (name, method), each in results.items()
    ]


def _part(world: World, run: Run, rows: slice) -> tuple[Truth, Run]:
    """A few items of a world, by themselves."""
    truth = Truth(world.labels[rows], concepts=world.concepts)
    scores, labels = (None if m is None else np.asarray(m)[rows] for m in (run.scores, run.labels))
    return truth, Run(scores, labels=labels, name="it", concepts=world.concepts)


def _summed(name: str, method: str, each: list[Interval], score: float) -> Coverage:
    low, high, own, error = (
        np.array([getattr(interval, field) for interval in each])
        for field in ("low", "high", "score", "error")
    )
    return Coverage(
        measure=name,
        method=method,
        samples=len(each),
        score=score,
        bias=float(own.mean()) - score,
        held=float(np.mean((low <= score) & (score <= high))),
        held_mean=float(np.mean((low <= own.mean()) & (own.mean() <= high))),
        below=float(np.mean(high < score)),
        width=float(np.mean(high - low)),
        error=float(error.mean()),
        spread=float(own.std(ddof=1)),
    )


def frequent(words: Vocabulary, least: float) -> Vocabulary:
    """The free concepts that neither hold nor fail to hold for less than such a share of items."""
    chosen = [index for index in words.free if least <= words.frequencies[index] <= 1.0 - least]
    return Vocabulary(
        tuple(words.names[index] for index in chosen),
        tuple(words.frequencies[index] for index in chosen),
        ("",) * len(chosen),
    )


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m cranfield.studies.coverage")
    parser.add_argument("--samples", type=int, default=2000)
    parser.add_argument("--items", type=int, default=200)
    parser.add_argument("--draws", type=int, default=1000)
    parser.add_argument("--methods", default="analytic", help="analytic,percentile,bca")
    parser.add_argument("--measures", default=",".join(MEASURES))
    parser.add_argument("--least", type=float, help="only concepts at least so frequent")
    options = parser.parse_args(arguments)
    words = photo_concepts()
    rows = coverage(
        samples=options.samples,
        items=options.items,
        draws=options.draws,
        methods=options.methods.split(","),
        measures=options.measures.split(","),
        vocabulary=words if options.least is None else frequent(words, options.least),
    )
    print(f"{options.samples} samples of {options.items} items")
    print("measure     method      score    bias  held        below  above  of mean  error/spread")
    for row in rows:
        above = 1.0 - row.held - row.below
        print(
            f"{row.measure:11} {row.method:10} {row.score:.4f} {row.bias:+.4f} {row.held:6.1%} "
            f"±{row.doubt:.1%} {row.below:6.1%} {above:6.1%} {row.held_mean:8.1%} "
            f"{row.error / row.spread:8.3f}"
        )


if __name__ == "__main__":
    main()
