"""How long `study stability` takes at the size of ImageCLEF 2009: python -m benchmarks.stability

73 runs, 13,000 items, 53 concepts; 5 measures of columns, 6 of rows, 6 of sets, OS and SRP; four
levels of flipped labels, ten repeats: 2,993 times a run is scored by 19 measures.
"""

from __future__ import annotations

import sys
import time

import cranfield as cf
from cranfield.studies.simulation import Design, draw_systems, simulate_run, simulate_world
from cranfield.studies.vocabulary import photo_concepts

MEASURES = (
    *("concept.AP", "concept.AUC", "concept.EER", "concept.iAP", "concept.RP"),
    *("example.AP", "example.RP", "example.nDCG"),
    *("example.one_error", "example.coverage", "example.ranking_loss"),
    *("concept.F", "example.P", "example.R", "example.F", "example.Acc", "example.hamming"),
    *("OS", "SRP(relatedness=DDMC)"),
)


def main(repeats: int = 10) -> None:
    world = simulate_world(Design(photo_concepts(), items=13_000, seed=2009))
    runs = [simulate_run(world, system) for system in draw_systems(73, seed=2009)]
    ontology = cf.Ontology.load("pto2009")
    before, worked = time.perf_counter(), time.process_time()
    found = cf.studies.stability(world.truth, runs, MEASURES, repeats=repeats, ontology=ontology)
    seconds, worked = time.perf_counter() - before, time.process_time() - worked
    print(f"{len(found.runs)} runs, {len(found.measures)} measures, {repeats} repeats of 4 levels:")
    print(f"{seconds:.1f} s on the clock, {worked:.1f} s of all cores together")
    for one, taus in zip(found.measures, found.to_original.mean(axis=0).T, strict=True):
        print(f"{one!s:28}", *(f"{tau:.3f}" for tau in taus))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
