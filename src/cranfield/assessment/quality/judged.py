"""Quality: what is to be thought of annotators, and which of their sheets are to be used."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from cranfield.assessment.quality import rules
from cranfield.assessment.quality.drift import Drift, drift_of
from cranfield.assessment.quality.duplicates import Repeated, Twins, repeated, twins
from cranfield.assessment.quality.gold import gold_answers
from cranfield.assessment.quality.others import Reference, agreement_by, right_answers
from cranfield.assessment.quality.spammers import spammer_scores
from cranfield.assessment.quality.work import Work, work_of
from cranfield.assessment.votes import Votes
from cranfield.caching import cached_property
from cranfield.core.matrices import Bools, Floats, Ints
from cranfield.core.truth import Truth
from cranfield.errors import InputError, require_whole
from cranfield.measures.declare import ratio

if TYPE_CHECKING:
    import polars


@dataclass(frozen=True, eq=False)
class Quality:
    """Annotators and their sheets, held against each other and against rules.

    votes     all of them
    right     (votes,): what each is held against, −1: nothing
    rejected  by the name of a rule: sheets, as places in `votes.sheets`, and why
    remarks   what must be known to trust what votes are held against
    """

    votes: Votes
    right: Ints
    rejected: Mapping[str, rules.Rejected]
    remarks: tuple[str, ...] = ()

    @cached_property
    def reasons(self) -> dict[int, str]:
        """Every rejected sheet, with all that speaks against it."""
        told: dict[int, list[str]] = {}
        for found in self.rejected.values():
            for sheet, reason in found.items():
                told.setdefault(sheet, []).append(reason)
        return {sheet: "; ".join(told[sheet]) for sheet in sorted(told)}

    @cached_property
    def refused(self) -> Bools:
        """(sheets,): which are rejected."""
        refused = np.zeros(len(self.votes.sheets), dtype=np.bool_)
        refused[list(self.reasons)] = True
        return refused

    @cached_property
    def accepted(self) -> Votes:
        """The votes without rejected sheets; items and annotators stay, voted on or not."""
        votes = self.votes
        # The last entry is for votes without a sheet, whose place is −1.
        part = ~np.append(self.refused, False)[votes.sheet]
        return Votes(
            votes.item[part],
            votes.annotator[part],
            votes.question[part],
            votes.answer[part],
            items=votes.items,
            annotators=votes.annotators,
            questions=votes.questions,
            batch=votes.batch[part],
            batches=votes.batches,
            sheets=votes.sheets.kept(~self.refused),
        )

    # ── annotators ────────────────────────────────────────────────────────────────────────────

    @cached_property
    def work(self) -> Work:
        """How much each annotator did, and how fast."""
        return work_of(self.votes)

    @cached_property
    def agreement(self) -> Floats:
        """(annotators,): the share of votes that say what the others say."""
        votes = self.votes
        return agreement_by(votes.annotator, len(votes.annotators), votes, self.right)[0]

    @cached_property
    def scores(self) -> Floats:
        """(annotators,): spammer scores, 0 for whose answers do not depend on the item."""
        return spammer_scores(self.votes, self.right)

    @cached_property
    def drift(self) -> Drift:
        """Whether annotators get better or worse while they work."""
        return drift_of(self.votes, self.right)

    @property
    def frame(self) -> polars.DataFrame:
        """One row for each annotator, the lowest spammer score first."""
        import polars

        work, drift = self.work, self.drift
        refused = np.bincount(
            self.votes.sheets.annotator[self.refused], minlength=len(self.votes.annotators)
        )
        frame = polars.DataFrame(
            {
                "annotator": list(self.votes.annotators),
                "sheets": work.sheets,
                "rejected": refused,
                "votes": work.votes,
                "agreement": self.agreement,
                "score": self.scores,
                "median_seconds": work.seconds,
                "hours": work.hours,
                "sheets_per_hour": work.per_hour,
                "slope": drift.slope,
                "p": drift.p,
                "first_half": drift.first,
                "second_half": drift.second,
            }
        ).fill_nan(None)
        return frame.sort("score", "agreement", "annotator", nulls_last=True)

    @cached_property
    def repeated(self) -> tuple[Repeated, ...]:
        """Annotators who saw items in several batches."""
        return repeated(self.votes)

    @cached_property
    def twins(self) -> tuple[Twins, ...]:
        """Pairs of annotators who depart from the majority together."""
        return twins(self.votes)

    # ── sheets ────────────────────────────────────────────────────────────────────────────────

    @property
    def rejections(self) -> polars.DataFrame:
        """One row for each rule that rejects a sheet."""
        import polars

        votes, sheets = self.votes, self.votes.sheets
        rows = [
            (
                votes.items[sheets.item[sheet]],
                votes.annotators[sheets.annotator[sheet]],
                votes.batches[sheets.batch[sheet]],
                sheets.assignments[sheet],
                rule,
                reason,
            )
            for rule, found in self.rejected.items()
            for sheet, reason in sorted(found.items())
        ]
        names = ("item", "annotator", "batch", "assignment", "rule", "reason")
        return polars.DataFrame(rows, schema=dict.fromkeys(names, polars.String), orient="row")

    @property
    def by_item(self) -> polars.DataFrame:
        """Items: sheets, and how many of them are rejected, most first (Nowak 2011, Fig. 6.3)."""
        import polars

        frame = polars.DataFrame({"item": list(self.votes.items), **self._counts("item")})
        return frame.sort("rejected", "item", descending=[True, False])

    @property
    def by_batch(self) -> polars.DataFrame:
        """Batches: annotators, sheets, the share rejected, and mean times (Nowak 2011 §6.2.2)."""
        import polars

        votes, sheets = self.votes, self.votes.sheets
        size = len(votes.batches)
        pairs = np.unique(sheets.batch * len(votes.annotators) + sheets.annotator)
        counts = self._counts("batch")
        columns: dict[str, Any] = {
            "batch": list(votes.batches),
            "annotators": np.bincount(pairs // max(len(votes.annotators), 1), minlength=size),
            **counts,
            "share": ratio(counts["rejected"], counts["sheets"]),
        }
        for name, some in (("mean_seconds", None), ("mean_seconds_rejected", self.refused)):
            timed = ~np.isnan(sheets.seconds) & (True if some is None else some)
            batch = sheets.batch[timed]
            total = np.bincount(batch, sheets.seconds[timed], minlength=size)
            columns[name] = ratio(total, np.bincount(batch, minlength=size))
        return polars.DataFrame(columns).fill_nan(None)

    def _counts(self, by: Literal["item", "batch"]) -> dict[str, Ints]:
        """How many sheets each has, and how many of them are rejected."""
        sheets, votes = self.votes.sheets, self.votes
        size = len(votes.items) if by == "item" else len(votes.batches)
        place = sheets.item if by == "item" else sheets.batch
        return {
            "sheets": np.bincount(place, minlength=size),
            "rejected": np.bincount(place[self.refused], minlength=size),
        }


def quality(
    votes: Votes,
    *,
    require: Sequence[str] | None = None,
    gold: Truth | Votes | None = None,
    limit: float = 0.3,
    each: Literal["annotator", "sheet"] = "annotator",
    controls: Mapping[str, object] | None = None,
    fastest: float | None = None,
    fastest_share: float | None = None,
    slowest: float | None = None,
    same: int | None = None,
    least_agreement: float | None = None,
    least_score: float | None = None,
    reference: Reference = "others",
) -> Quality:
    """Hold annotators against each other, and their sheets against rules.

    require        questions that every sheet must answer; default: all choices that most
                   sheets answer; (): none
    gold           answers that are known: a truth or votes on some of the items
    limit, each    the largest share of gold answered wrong, by an "annotator" or on each "sheet"
    controls       the one right answer of control questions, or items
    fastest, fastest_share, slowest  seconds of a sheet; a share of the median time
    same           sheets (of grades: questions) from which on always the same answers are too many
    least_agreement, least_score     with the others, from 0 to 1
    reference      what votes are held against: the "others", or "dawid_skene"
    """
    if not len(votes):
        raise InputError("there are no votes; nobody can be trusted or distrusted")
    right, remarks = right_answers(votes, reference)
    made = Quality(votes, right, {})
    found: dict[str, rules.Rejected] = {"unanswered": rules.unanswered(votes, require)}
    if gold is not None:
        found["gold"] = rules.wrong_gold(votes, gold_answers(votes, gold), limit=limit, each=each)
    if controls:
        found["control"] = rules.wrong_control(votes, controls)
    if any(one is not None for one in (fastest, fastest_share, slowest)):
        found["pace"] = rules.wrong_pace(
            votes, fastest=fastest, fastest_share=fastest_share, slowest=slowest
        )
    if same is not None:
        require_whole("same", same, least=2)
        found["straight line"] = rules.straight_line(votes, made.right, least=same)
    if least_agreement is not None or least_score is not None:
        found["disagreement"] = rules.disagreeing(
            votes,
            made.right,
            made.scores,
            least_agreement=least_agreement,
            least_score=least_score,
        )
    return Quality(votes, right, found, remarks)
