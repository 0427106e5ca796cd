"""Records: a run with its scores under an edition, and what they rest on. They have an address that
never changes and are what papers cite."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from cranfield.core.result import Analysis
from cranfield.core.table import Column, Table
from cranfield.server.campaigns.models import Edition, Split
from cranfield.server.jobs.models import Job, Score
from cranfield.server.results.board import Board, may_have_scores, provenance
from cranfield.server.results.disclosure import Audience
from cranfield.server.submissions.models import Run


class Record(Analysis):
    """A run under an edition, for somebody: what the board shows of it, and its origin."""

    def __init__(self, run: Run, edition: Edition, audience: Audience, address: str = "") -> None:
        self.run, self.edition, self.audience, self.address = run, edition, audience, address
        self.board = Board(run.phase, edition, audience, split=Split.ALL)
        self.title = run.name  # type: ignore[misc]

    @cached_property
    def scores(self) -> list[dict[str, Any]]:
        """What is shown of its scores: of the public part, or of every part once that is open."""
        if not may_have_scores(self.run) or not self.board.shows(self.run):
            return []
        everything = self.board.disclosed
        rows = Score.objects.filter(
            jobs__run=self.run, jobs__edition=self.edition, jobs__state=Job.State.DONE
        )
        if not everything:
            rows = rows.filter(split=self.board.split)
        order = {name: index for index, name in enumerate(self.board.measures)}
        shown = sorted(rows, key=lambda score: (score.split, order[score.measure]))
        return [
            {
                "split": score.split,
                "measure": score.measure,
                "score": self.board.rounded(score.value),
                "revision": score.revision,
                "software": score.software,
                "scored": f"{score.created:%Y-%m-%dT%H:%M:%SZ}",
                "truth": score.truth_digest if everything else None,
                "signature": score.signature if everything else None,
            }
            for score in shown
        ]

    def _facts(self) -> dict[str, Any]:
        run = self.run
        return provenance(run.phase, self.edition, self.audience) | {
            "address": self.address,
            "run": run.name,
            "id": run.id,
            "group": run.group.name if run.group else None,
            "state": run.state,
            "reason": run.reason,
            "modality": run.modality,
            "primary": run.primary,
            "fields": run.fields,
            "sha256": run.sha256,
            "received": run.received.isoformat(timespec="seconds"),
            "scores": self.scores,
        }

    def _tables(self) -> Sequence[Table]:
        digits = self.board.described.digits
        columns = [
            Column("measure", key=True),
            Column("split", "items"),
            Column("score", digits=digits),
            Column("revision"),
            Column("software"),
            Column("scored"),
            *(
                [Column("truth", audience="programs"), Column("signature")]
                if self.board.disclosed
                else ()
            ),
        ]
        return [
            Table("scores", self.scores, columns, title="Scores", section="split", defused=True),
            Table("provenance", self._origin(), title="Provenance", audience="people"),
        ]

    def _origin(self) -> list[dict[str, str]]:
        run, edition = self.run, self.edition
        facts = {
            "group": run.group.name if run.group else "baseline of the organisers",
            "run": run.name,
            "SHA-256 of the file": run.sha256,
            "received": f"{run.received:%Y-%m-%d %H:%M:%S} UTC",
            "edition": f"{edition.number}, {edition.created:%Y-%m-%d}",
            "reason of the edition": edition.reason,
        }
        if self.board.disclosed:
            facts |= {f"truth, {split} items": digest for split, digest in edition.truths.items()}
        return [{"of": name, "value": value} for name, value in facts.items() if value]

    def _remarks(self) -> list[str]:
        if self.board.disclosed:
            return []
        return ["Scores are rounded, and digests of the truth held back, until all phases close."]
