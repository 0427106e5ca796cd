"""Study: do runs keep their order when only a part of the pool is judged?

A random part of the judgements is kept, the rest of the pool is left unjudged, and runs are ranked
anew: by AP, which takes what nobody judged for not relevant, by bpref, which leaves it out, by
infAP, which infers it, and by xinfAP, which infers it apart for the top of the pool and the rest
(Yilmaz & Aslam 2006; Yilmaz, Kanoulas & Aslam 2008). Kendall's τ tells what is left of the order by
AP with all judgements. `python -m cranfield.studies.sampled_judgements` prints it for simulated
searches.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from cranfield.core.matrices import Bools, Cells, Floats
from cranfield.core.run import Run
from cranfield.core.subtopics import restricted
from cranfield.core.truth import Truth
from cranfield.engine import evaluate
from cranfield.errors import InputError, require_draws
from cranfield.statistics.rank_correlation import tau

MEASURES = ("concept.AP", "concept.bpref", "concept.infAP", "concept.xinfAP")
SHARES = (1.0, 0.5, 0.25, 0.1)
DEPTH, TOP = 50, 10
"""How deep simulated runs are pooled, and how much of that makes the first stratum."""


@dataclass(frozen=True)
class Kept:
    """What a measure makes of a part of the judgements, averaged over samples."""

    share: float
    """Judged documents of the pool."""
    measure: str
    tau: float
    """Kendall's τ with the order of runs by AP when everything is judged."""
    error: float
    """Root of the mean squared difference from that AP, over runs."""


def sampled_judgements(
    truth: Truth,
    runs: Sequence[Run],
    *,
    shares: Iterable[float] = SHARES,
    measures: Sequence[str] = MEASURES,
    samples: int = 20,
    seed: int = 0,
) -> list[Kept]:
    """Judge random parts of the pool of an open truth, and rank runs by them."""
    require_draws("samples", samples)
    whole = _scores(truth, runs, ["concept.AP"])[0]
    rng = np.random.default_rng(seed)
    results = []
    for share in shares:
        parts = [sampled(truth, share, rng) for _ in range(samples)]
        drawn = np.array([_scores(part, runs, measures) for part in parts])
        for index, name in enumerate(measures):
            scores = drawn[:, index]
            error = float(np.sqrt(np.mean((scores - whole) ** 2)))
            results.append(Kept(share, name, float(np.mean(tau(scores, whole))), error))
    return results


def _scores(truth: Truth, runs: Sequence[Run], measures: Sequence[str]) -> Floats:
    """(measures, runs)"""
    result = evaluate(truth, runs, measures)
    return np.array([[result[run.name, name] for run in runs] for name in measures])


def sampled(truth: Truth, share: float, rng: np.random.Generator) -> Truth:
    """The truth with a random part of the judgements of each topic; the pool stays."""
    if not isinstance(truth.judged, Cells) or not isinstance(truth.matrix, Cells):
        raise InputError("judgements are sampled from an open truth, such as that of a qrels file")
    remaining = _part_of_each(truth.judged.columns, share, rng)
    codes = truth.judged.codes[remaining]
    return Truth(
        Cells(truth.shape, codes, truth.matrix.at(codes)),
        judged=Cells(truth.shape, codes, np.ones(len(codes), dtype=np.bool_)),
        pool=truth.pool,
        strata=truth.strata,
        subtopics=restricted(truth.subtopics, codes),
        items=truth.items,
        concepts=truth.concepts,
        open=True,
    )


def _part_of_each(topics: np.ndarray, share: float, rng: np.random.Generator) -> Bools:
    """Marks the same share of the members of each group, drawn at random."""
    order = np.lexsort((rng.random(len(topics)), topics))
    grouped = topics[order]
    index = np.arange(len(topics)) - np.searchsorted(grouped, grouped)
    remaining = np.empty(len(topics), dtype=np.bool_)
    remaining[order] = index < np.ceil(share * np.bincount(topics)[grouped])
    return remaining


# ── simulated searches ────────────────────────────────────────────────────────────────────────


def simulated_searches(
    *, topics: int = 50, documents: int = 1000, runs: int = 40, seed: int = 0
) -> tuple[Truth, list[Run]]:
    """Runs of different skill, and the truth of their pool; its top ranks are a stratum."""
    rng = np.random.default_rng(seed)
    frequency = rng.beta(2, 40, topics)
    relevant = rng.random((documents, topics)) < frequency
    ids = [f"d{number:04d}" for number in range(documents)]
    names = [f"t{number:02d}" for number in range(topics)]
    results = []
    best = np.full((documents, topics), documents)
    for skill in np.linspace(0.6, 2.4, runs):
        score = rng.normal(size=(documents, topics)) + skill * relevant
        rank = np.argsort(np.argsort(-score, axis=0), axis=0)
        np.minimum(best, rank, out=best)
        cells = _cells(rank < 4 * DEPTH, score)
        results.append(Run(cells, name=f"skill {skill:.2f}", items=ids, concepts=names))
    pool = best < DEPTH
    truth = Truth(
        _cells(pool, relevant),
        strata=_cells(pool, (best >= TOP).astype(np.int64)),
        items=ids,
        concepts=names,
        open=True,
    )
    return truth, results


def _cells(stored: Bools, values: np.ndarray) -> Cells:
    codes = np.flatnonzero(stored)
    return Cells((stored.shape[0], stored.shape[1]), codes, values.ravel()[codes])


def table(results: Iterable[Kept]) -> Iterator[str]:
    """The lines of a Markdown table."""
    yield "| judged | measure | τ with AP of all judgements | error |"
    yield "|---|---|---|---|"
    for row in results:
        yield f"| {row.share:.0%} | {row.measure} | {row.tau:.3f} | {row.error:.3f} |"


def main() -> None:
    parser = argparse.ArgumentParser(description="Whether runs keep their order.")
    parser.add_argument("--samples", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    truth, runs = simulated_searches(seed=options.seed)
    results = sampled_judgements(truth, runs, samples=options.samples, seed=options.seed)
    print("\n".join(table(results)))


if __name__ == "__main__":
    main()
