"""Stability: how far the order of runs survives noise in the truth, measure by measure.

A share of labels is flipped (Nowak 2011 §8.4.2, §9.4.2: 1, 2, 5 and 10 %), or items, concepts or
annotators are left out, several times over; the ranking at each stage is held against the original
one and against the stage before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from cranfield.axes import Extra, Missing
from cranfield.caching import cached_property
from cranfield.collection import Collection
from cranfield.engine import evaluate
from cranfield.errors import require_draws
from cranfield.evaluation import Evaluation
from cranfield.extra_items import covering
from cranfield.knowledge import Knowledge
from cranfield.matrices import Floats
from cranfield.measures import Measure
from cranfield.run import Run
from cranfield.statistics.rank_correlation import critical_shift, rank_shift, tau
from cranfield.studies.altered_truths import Change, alteration
from cranfield.studies.draws import stream
from cranfield.studies.field import (
    Progress,
    judging,
    known_for,
    require_systems,
    sign,
    systems_of,
)
from cranfield.studies.records import Records, Row, defined, listed
from cranfield.truth import Truth

LEVELS = (0.01, 0.02, 0.05, 0.10)
"""Shares of labels that Nowak 2011 flips."""
REFERENCES = ("original", "previous")
"""Rankings that a stage is held against."""


@dataclass(frozen=True, eq=False)
class Stability(Records):
    """Scores at every stage of every repeat, and how the rankings compare."""

    change: Change
    levels: tuple[float, ...]
    counts: tuple[int, ...]
    """How many cells were flipped, or things left out, at each level."""
    runs: tuple[str, ...]
    measures: tuple[Measure, ...]
    original: Floats
    """(measures, runs): merits, of which the higher is the better."""
    merits: Floats
    """(repeats, levels, measures, runs)."""

    @property
    def repeats(self) -> int:
        return len(self.merits)

    @property
    def critical(self) -> float:
        """What D may reach for concordance, at the 5 % level."""
        return critical_shift(len(self.runs))

    @cached_property
    def to_original(self) -> Floats:
        """(repeats, levels, measures): τ with the ranking by the truth as it was."""
        return tau(*np.broadcast_arrays(self.merits, self.original))

    @cached_property
    def to_previous(self) -> Floats:
        """(repeats, levels, measures): τ with the ranking of the stage before."""
        return tau(self.merits, self._previous)

    @cached_property
    def shifts_to_original(self) -> Floats:
        """(repeats, levels, measures): D, the largest shift of a rank."""
        return rank_shift(*np.broadcast_arrays(self.merits, self.original))

    @cached_property
    def shifts_to_previous(self) -> Floats:
        return rank_shift(self.merits, self._previous)

    @property
    def _previous(self) -> Floats:
        first = np.broadcast_to(self.original, (self.repeats, 1, *self.original.shape))
        return np.concatenate([first, self.merits[:, :-1]], axis=1)

    def compared(self, reference: str) -> tuple[Floats, Floats]:
        """τ and D to the "original" ranking, or to the "previous" one."""
        if reference == "original":
            return self.to_original, self.shifts_to_original
        return self.to_previous, self.shifts_to_previous

    def rows(self) -> list[Row]:
        """A record for each reference, measure and level, over repeats."""
        return list(self._rows())

    def _rows(self) -> Iterator[Row]:
        for reference in REFERENCES:
            taus, shifts = self.compared(reference)
            for place, one in enumerate(self.measures):
                for level, share in enumerate(self.levels):
                    values = taus[:, level, place]
                    yield {
                        "measure": str(one),
                        "to": reference,
                        "level": share,
                        "count": self.counts[level],
                        "tau": defined(values.mean()),
                        "lowest": defined(values.min()),
                        "highest": defined(values.max()),
                        "shift": defined(shifts[:, level, place].mean()),
                        "concordant": float((shifts[:, level, place] <= self.critical).mean()),
                    }

    def to_dict(self) -> dict[str, Any]:
        """What was altered, and what each measure made of it in each repeat."""
        said: dict[str, Any] = {
            "change": self.change,
            "levels": list(self.levels),
            "counts": list(self.counts),
            "repeats": self.repeats,
            "runs": list(self.runs),
            "critical_shift": self.critical,
            "measures": [],
        }
        for place, one in enumerate(self.measures):
            record: dict[str, Any] = {"measure": str(one)}
            for reference in REFERENCES:
                taus, shifts = self.compared(reference)
                record[f"to_{reference}"] = {
                    "tau": listed(taus[:, :, place].mean(axis=0)),
                    "by_repeat": listed(taus[:, :, place]),
                    "shift": listed(shifts[:, :, place].mean(axis=0)),
                    "concordant": listed((shifts[:, :, place] <= self.critical).mean(axis=0)),
                }
            said["measures"].append(record)
        return said


def stability(
    truth: Truth | Collection,
    runs: Run | Iterable[Run],
    measures: Iterable[str | Measure],
    *,
    change: Change = "flip",
    levels: Sequence[float] = LEVELS,
    repeats: int = 10,
    annotators: Sequence[Truth] = (),
    missing: Missing = "error",
    extra: Extra = "error",
    seed: int = 0,
    progress: Progress | None = None,
    **knowledge: Any,
) -> Stability:
    """Alter the truth stage by stage and see which measures keep the order of runs.

    change      "flip" labels, or leave out "items", "concepts" or "annotators"
    levels      shares of judged cells, or of things; the number at each level is exact
    annotators  of change="annotators": the truth of each; those left vote by majority
    missing, extra  as for `evaluate`
    progress    called after each stage: repeats · levels of them, and the original
    knowledge   ontology=, costs=, relatedness=, agreement= of `evaluate`
    """
    plain = truth.truth if isinstance(truth, Collection) else truth
    known = Knowledge.given(**knowledge)
    if isinstance(truth, Collection):
        known = known.over(truth.knowledge)
    listed, wanted = covering(truth, systems_of(runs), extra), judging(measures)
    require_systems([run.name for run in listed], 2)
    require_draws("repeats", repeats)
    about = known_for(plain, known)
    altered = alteration(plain, change, annotators)
    counts = altered.counts(levels)

    def scored(stage_truth: Truth, stage_runs: list[Run]) -> Evaluation:
        found = evaluate(stage_truth, stage_runs, wanted, missing=missing, **about)
        if progress is not None:
            progress()
        return found

    first = scored(plain, listed)
    original = _merits(first)
    every = []
    for repeat in range(repeats):
        random = stream(seed, change, str(repeat))
        drawn = random.choice(altered.candidates, size=counts[-1], replace=False)
        for count in counts:
            stage = altered.stage(drawn[:count])
            left = [stage.of(run, plain, missing) for run in listed]
            every.append(_merits(scored(stage.truth, left)))
    return Stability(
        change,
        tuple(levels),
        counts,
        first.runs,
        first.measures,
        original,
        np.array(every).reshape(repeats, len(counts), *original.shape),
    )


def _merits(found: Evaluation) -> Floats:
    rows = [[sign(one) * found[run, one] for run in found.runs] for one in found.measures]
    return np.array(rows, dtype=np.float64)
