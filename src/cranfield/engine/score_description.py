"""What scores from elsewhere hold: runs, items, measures, repeats, and what is missing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from cranfield.core.result import Analysis
from cranfield.core.table import Column, Table
from cranfield.engine.score_table import ScoreTable
from cranfield.errors import several


@dataclass(frozen=True, eq=False, repr=False)
class ScoreDescription(Analysis):
    """A table of scores, run by run and measure by measure."""

    title = "Scores of items"

    table: ScoreTable
    name: str = "scores"

    @property
    def sizes(self) -> str:
        """How much there is, in a line."""
        truth, table = self.table.truth, self.table
        parts = [
            several(len(table.runs), "run"),
            several(truth.shape[0], "item"),
            several(len(table.measures), "measure"),
        ]
        if truth.clusters is not None:
            parts.append(several(len(set(truth.clusters)), "cluster"))
        return ", ".join(parts)

    def rows(self) -> list[dict[str, Any]]:
        """A record for each run and measure."""
        size = self.table.truth.shape[0]
        rows = []
        for run in self.table.runs:
            for measure, scores in run.item_scores.items():
                scored = ~np.isnan(scores.values)
                rows.append(
                    {
                        "run": run.name,
                        "measure": measure,
                        "items": int(scored.sum()),
                        "missing": size - int(scored.sum()),
                        "repeats": int(scores.repeats.max(initial=0)),
                        "mean": float(scores.values[scored].mean()),
                        "lowest": scores.ends[0],
                        "highest": scores.ends[1],
                    }
                )
        return rows

    def _facts(self) -> dict[str, Any]:
        truth = self.table.truth
        return {
            "name": self.name,
            "runs": [run.name for run in self.table.runs],
            "items": truth.shape[0],
            "measures": [measure.name for measure in self.table.measures],
            "clusters": None if truth.clusters is None else len(set(truth.clusters)),
            "scores": self.rows(),
        }

    def _tables(self) -> list[Table]:
        rows = self.rows()
        repeated = any(row["repeats"] > 1 for row in rows)
        columns = (
            Column("run", key=True),
            Column("measure", key=True),
            Column("items"),
            Column("missing"),
            Column("repeats", audience="all" if repeated else "programs"),
            Column("mean", digits=4),
            Column("lowest"),
            Column("highest"),
        )
        return [Table("scores", rows, columns)]

    def _remarks(self) -> list[str]:
        remarks = [f"{self.name}: {self.sizes}"]
        if any(row["missing"] for row in self.rows()):
            remarks.append(
                "missing: items that a run lacks; evaluate refuses them, or counts them as the "
                "worst score with --missing absent"
            )
        return remarks
