"""Rankings by several truths: does it matter by which edition, or by whose judgement, runs are
scored?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from cranfield.caching import cached_property
from cranfield.core.chart import Axis, Chart
from cranfield.core.matrices import Floats
from cranfield.core.result import Analysis
from cranfield.core.table import Column, Table
from cranfield.engine.standings import competition_ranks
from cranfield.measures import Measure
from cranfield.show.markup import slug
from cranfield.statistics.rank_correlation import critical_shift, rank_shift, tau

_DRAWN = 30
"""Runs whose ranks are drawn, the best ones."""


@dataclass(frozen=True, eq=False)
class Rankings(Analysis):
    """Runs ranked by the truth in force, which comes first, and by others."""

    title = "Ranking by other truths"

    truths: Sequence[str]
    runs: Sequence[str]
    measures: Sequence[Measure]
    scores: Floats
    """(measures, truths, runs)"""

    @cached_property
    def _merits(self) -> Floats:
        signs = [-1.0 if measure.traits.better == "lower" else 1.0 for measure in self.measures]
        return np.asarray(self.scores * np.array(signs)[:, None, None])

    @cached_property
    def ranks(self) -> Floats:
        """(measures, truths, runs); equal scores share a rank, NaN where undefined."""
        return competition_ranks(self._merits)

    def _facts(self) -> dict[str, Any]:
        return {
            "truths": list(self.truths),
            "runs": list(self.runs),
            "agreement": list(self._agreement()),
            "measures": [
                {"measure": str(m), "scores": self.scores[index], "ranks": self.ranks[index]}
                for index, m in enumerate(self.measures)
            ],
        }

    def _tables(self) -> list[Table]:
        columns = (
            Column("measure", key=True),
            Column("truth", key=True),
            Column("tau", "τ", better="higher"),
            Column("shift", "D"),
            Column("concordant"),
        )
        title = f"How alike rankings are to that by {self.truths[0]}"
        ranked = [self._ranked(index) for index in range(len(self.measures))]
        return [*ranked, Table("agreement", list(self._agreement()), columns, title=title)]

    def _ranked(self, index: int) -> Table:
        measure = self.measures[index]
        order = np.argsort(np.nan_to_num(self.ranks[index, 0], nan=np.inf), kind="stable")
        rows = []
        for run in order.tolist():
            row: dict[str, Any] = {"run": self.runs[run]}
            for truth, name in enumerate(self.truths):
                rank = self.ranks[index, truth, run]
                row |= {
                    f"rank by {name}": None if np.isnan(rank) else int(rank),
                    f"score by {name}": float(self.scores[index, truth, run]),
                }
            rows.append(row)
        columns = [Column("run", key=True)]
        for name in self.truths:
            columns += [
                Column(f"rank by {name}", "#", group=name, align="right"),
                Column(f"score by {name}", "score", digits=4),
            ]
        return Table(f"ranks-{slug(measure)}", rows, columns, title=f"Ranks by {measure}")

    def _agreement(self) -> Iterator[dict[str, Any]]:
        critical = critical_shift(len(self.runs))
        for measure, merits in zip(self.measures, self._merits, strict=True):
            for truth, other in zip(self.truths[1:], merits[1:], strict=True):
                defined = ~np.isnan(merits[0]) & ~np.isnan(other)
                shift = float(rank_shift(merits[0, defined], other[defined]))
                yield {
                    "measure": str(measure),
                    "truth": truth,
                    "tau": float(tau(merits[0, defined], other[defined])),
                    "shift": shift,
                    "concordant": shift <= critical,
                }

    def _remarks(self) -> list[str]:
        return [
            "τ: Kendall's correlation of both rankings. D: the largest shift of a rank, as a share "
            f"of all {len(self.runs)} runs; concordant (Kolmogorov and Smirnov) up to "
            f"{critical_shift(len(self.runs)):.3f}."
        ]

    def _charts(self) -> list[Chart]:
        return [self._drawn(index) for index in range(len(self.measures))]

    def _drawn(self, index: int) -> Chart:
        order = np.argsort(np.nan_to_num(self.ranks[index, 0], nan=np.inf), kind="stable")
        rows = [
            {"run": self.runs[run], "truth": name, "rank": float(self.ranks[index, truth, run])}
            for run in order[:_DRAWN].tolist()
            for truth, name in enumerate(self.truths)
            if not np.isnan(self.ranks[index, truth, run])
        ]
        return Chart(
            kind="dots",
            rows=rows,
            x=Axis("rank"),
            y=Axis("run", scale="names"),
            series="truth",
            title=f"Ranks by {self.measures[index]}",
            subtitle="under each truth",
        )
