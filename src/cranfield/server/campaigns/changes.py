"""The public log of a track: what runs were scored by from when on, and why that changed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.urls import reverse

from cranfield.core.result import Analysis
from cranfield.core.table import Column, Row, Table
from cranfield.server.access import phase_of
from cranfield.server.campaigns.models import Correction, Edition, Track
from cranfield.server.results.disclosure import Audience

_CELL = ("item", "concept", "old", "new")


class EditionLog(Analysis):
    """Editions of a track, the newest first, for somebody. While labels are a secret, corrected
    cells are shown as far as organisers decided; why is always shown."""

    def __init__(self, track: Track, audience: Audience) -> None:
        self.track = track
        self.disclosed = all(audience.sees_everything(phase) for phase in track.phases.all())
        self.title = f"{track.title}: changes"  # type: ignore[misc]

    def rows(self) -> list[dict[str, Any]]:
        return [self._row(edition) for edition in self.track.editions.select_related("correction")]

    def _row(self, edition: Edition) -> dict[str, Any]:
        correction = getattr(edition, "correction", None)
        return {
            "edition": edition.number,
            "date": f"{edition.created:%Y-%m-%d %H:%M} UTC",
            "reason": edition.reason or ("first edition" if edition.number == 1 else ""),
            **self._cell(correction),
            "hidden": correction is not None and not self._shows(correction),
        }

    def _shows(self, correction: Correction) -> bool:
        return self.disclosed or correction.shown

    def _cell(self, correction: Correction | None) -> dict[str, Any]:
        if correction is None or not self._shows(correction):
            return dict.fromkeys(_CELL)
        cell = {name: getattr(correction, name) for name in _CELL}
        return cell | {name: "unjudged" for name in ("old", "new") if cell[name] is None}

    def _facts(self) -> dict[str, Any]:
        return {"track": self.track.name, "editions": self.rows()}

    def _tables(self) -> Sequence[Table]:
        phase = phase_of(self.track, None)
        rows: list[Row] = [
            row | {"_address": reverse("board", args=[self.track.name, phase.name, row["edition"]])}
            for row in self.rows()
        ]
        columns = (
            Column("edition", "board of edition", key=True, link="_address"),
            Column("date"),
            Column("reason", "why"),
            Column("item"),
            Column("concept"),
            Column("old", "was"),
            Column("new", "is"),
        )
        return [Table("editions", rows, columns, title=self.title)]

    def _remarks(self) -> list[str]:
        remarks = [
            "An edition is what runs are scored by: the truth, the measures and their rules. All "
            "runs are scored again by a new one; boards of earlier editions stay as they were."
        ]
        if any(row["hidden"] for row in self.rows()):
            remarks.append("Which cells were corrected is shown once no phase takes runs any more.")
        return remarks
