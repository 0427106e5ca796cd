"""What gaps in a truth do to scores, and what bounds and estimates make of them.

    python -m cranfield.studies.incomplete

A collection is drawn and known completely; then cells are judged at random, many times. For each
measure: its value on the complete truth, how far off it is on average if unjudged cells count as
negative, if they are excluded and if it is estimated, how often the interval holds the value, and
how far apart the bounds are. Everything is seeded; docs/incomplete-truths.md shows the tables.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from cranfield.core.matrices import Bools, Ints, dense
from cranfield.core.run import Run
from cranfield.core.truth import Truth, Unjudged
from cranfield.engine import evaluate
from cranfield.knowledge import Ontology
from cranfield.statistics.incomplete import bounds, estimate
from cranfield.studies.reference_runs import scattered, stream
from cranfield.studies.simulation import Design, System, World, simulate_run, simulate_world
from cranfield.studies.vocabulary import photo_concepts

MEASURES = (
    *("example.hamming", "micro.P", "micro.R", "micro.F", "concept.P", "concept.R", "concept.F"),
    *("example.P", "example.R", "example.F", "example.Acc", "example.zero_one"),
)
_SURE = 0.2
"""Confidence from which cells lie in the stratum that is judged more often."""


class Sampling(NamedTuple):
    """Which share of the cells is judged: of all, or of the less and the more confident ones."""

    name: str
    rates: tuple[float, ...]


SAMPLINGS = (
    Sampling("50 % of the cells judged", (0.5,)),
    Sampling("20 % of the cells judged", (0.2,)),
    Sampling("10 % of the cells judged", (0.1,)),
    Sampling("60 % of the cells of confidence 0.2 and more judged, 10 % of the others", (0.1, 0.6)),
)


@dataclass
class Record:
    """What samples said by one measure."""

    value: float
    negative: list[float] = field(default_factory=list)
    excluded: list[float] = field(default_factory=list)
    estimated: list[float] = field(default_factory=list)
    held: list[bool] = field(default_factory=list)
    reach: list[float] = field(default_factory=list)
    """Half the width of intervals."""
    span: list[float] = field(default_factory=list)
    """Width of the bounds."""


def study(
    sampling: Sampling, *, items: int, samples: int, draws: int = 200, seed: int = 2011
) -> dict[str, Record]:
    """Draw a collection, judge samples of its cells, and keep what comes out by each measure."""
    world = simulate_world(Design(photo_concepts(), items=items, seed=seed))
    system = System("system", quality=1.5, spread=0.4, threshold="frequency")
    run = simulate_run(world, system)
    whole = evaluate(_truth(world, np.ones(world.labels.shape, np.bool_)), run, MEASURES)
    records = {name: Record(whole[run.name, name]) for name in MEASURES}
    for number in range(samples):
        judged, strata = _sample(world, run, sampling, number)
        truth = _truth(world, judged, strata)
        results = estimate(truth, run, MEASURES, draws=draws, seed=number)
        without = evaluate(_truth(world, judged, unjudged="exclude"), run, MEASURES)
        edges = bounds(truth, run, MEASURES) if number == 0 else None
        for name, record in records.items():
            scored = results[run.name, name]
            record.negative.append(scored.score - record.value)
            record.excluded.append(without[run.name, name] - record.value)
            record.estimated.append(scored.estimate - record.value)
            record.held.append(scored.interval.low <= record.value <= scored.interval.high)
            record.reach.append((scored.interval.high - scored.interval.low) / 2)
            if edges is not None:
                bound = edges[run.name, name]
                record.span.append(bound.upper - bound.lower)
    return records


class Closed(NamedTuple):
    """What closing the truth by an ontology first does."""

    as_judged: float
    """How far estimates are off on average, from the cells as they were judged …"""
    closed: float
    """… and with the cells besides that these imply."""
    span: float
    """Width of the bounds, before and after."""
    span_closed: float


def closing_study(rate: float, *, items: int, samples: int, seed: int = 2011) -> dict[str, Closed]:
    """Close samples of a collection that breaks no rule, then bound and estimate."""
    ontology = Ontology.load("pto2009")
    drawn = simulate_world(Design(photo_concepts(), items=items, seed=seed))
    sound = ontology.repair(drawn.truth).labels
    assert isinstance(sound, Truth)
    world = replace(drawn, labels=sound.labels)
    run = simulate_run(world, System("system", quality=1.5, spread=0.4, threshold="frequency"))
    names = ("example.hamming", "micro.P", "micro.R", "micro.F", "example.F")
    whole = evaluate(_truth(world, np.ones(world.labels.shape, np.bool_)), run, names)
    errors = np.zeros((2, samples, len(names)))
    spans = np.zeros((2, len(names)))
    for number in range(samples):
        judged, _ = _sample(world, run, Sampling("closing", (rate,)), number)
        truth = _truth(world, judged)
        for side, part in enumerate((truth, ontology.close(truth).truth)):
            estimates = estimate(part, run, names, draws=50, seed=number)
            errors[side, number] = [
                estimates[run.name, n].estimate - whole[run.name, n] for n in names
            ]
            if number == 0:
                spans[side] = [scored.upper - scored.lower for scored in bounds(part, run, names)]
    means = errors.mean(axis=1)
    return {
        name: Closed(*means[:, index].tolist(), *spans[:, index].tolist())
        for index, name in enumerate(names)
    }


def _sample(world: World, run: Run, sampling: Sampling, number: int) -> tuple[Bools, Ints]:
    """Which cells are judged, and their strata."""
    shape = world.labels.shape
    strata = np.zeros(shape, dtype=np.int64)
    if len(sampling.rates) > 1:
        strata += dense(run.ranking) >= _SURE
    judged = np.zeros(shape, dtype=np.bool_)
    random = stream(number, "judged", sampling.name)
    for stratum, rate in enumerate(sampling.rates):
        judged |= (strata == stratum) & scattered(random, (shape[0], shape[1]), rate)
    return judged, strata


def _truth(
    world: World, judged: Bools, strata: Ints | None = None, unjudged: Unjudged = "negative"
) -> Truth:
    return Truth(
        world.labels & judged,
        judged=judged,
        strata=strata,
        items=world.items,
        concepts=world.concepts,
        unjudged=unjudged,
    )


def table(records: dict[str, Record]) -> Iterator[str]:
    """The lines of a Markdown table."""
    yield "| measure | value | negative | exclude | estimate | ± sd | interval | holds | bounds |"
    yield "|---|---|---|---|---|---|---|---|---|"
    for name, record in records.items():
        numbers = [
            f"{record.value:.3f}",
            *(
                f"{np.mean(errors):+.3f}"
                for errors in (record.negative, record.excluded, record.estimated)
            ),
            f"{np.std(record.estimated):.3f}",
            f"± {np.mean(record.reach):.3f}",
            f"{np.mean(record.held):.0%}",
            f"{np.mean(record.span):.3f}",
        ]
        yield f"| {name} | {' | '.join(numbers)} |"


def closing_table(results: dict[str, Closed]) -> Iterator[str]:
    """The lines of a Markdown table."""
    yield "| measure | estimate | estimate, closed | bounds | bounds, closed |"
    yield "|---|---|---|---|---|"
    for name, scored in results.items():
        errors = f"{scored.as_judged:+.3f} | {scored.closed:+.3f}"
        yield f"| {name} | {errors} | {scored.span:.3f} | {scored.span_closed:.3f} |"


def main() -> None:
    parser = argparse.ArgumentParser(description="What gaps in a truth do to scores.")
    parser.add_argument("--items", type=int, default=300)
    parser.add_argument("--samples", type=int, default=200)
    options = parser.parse_args()
    for sampling in SAMPLINGS:
        print(f"\n{sampling.name}\n")
        records = study(sampling, items=options.items, samples=options.samples)
        print("\n".join(table(records)))
    print("\n50 % of the cells judged, of a collection that breaks no rule of pto2009\n")
    results = closing_study(0.5, items=options.items, samples=options.samples // 4)
    print("\n".join(closing_table(results)))


if __name__ == "__main__":
    main()
