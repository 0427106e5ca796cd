"""Description of votes: questions with their answers, items, and who did how much."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from cranfield.assessment.quality.annotators import work_of
from cranfield.assessment.votes import Ballot, Votes
from cranfield.caching import cached_property
from cranfield.core.result import Analysis
from cranfield.core.table import Column, Table
from cranfield.core.terms import Terms
from cranfield.errors import first_ten, several

_SHOWN = 20
"""Questions, and annotators, that a table lists."""
_ANSWERS = 6
"""Answers of a question that a table lists."""


@dataclass(frozen=True, eq=False)
class VoteDescription(Analysis):
    """What was asked and answered, of which items, and by whom."""

    title = "Votes"

    votes: Votes

    @property
    def terms(self) -> Terms:
        return self.votes.terms

    @cached_property
    def questions(self) -> list[dict[str, Any]]:
        """A record for each question, with the counts of its answers."""
        return [_question(ballot) for ballot in self.votes.ballots]

    @cached_property
    def annotators(self) -> list[dict[str, Any]]:
        """A record for each annotator, who voted most first."""
        work = work_of(self.votes)
        order = np.lexsort((np.arange(len(work.votes)), -work.votes))
        return [
            {
                "annotator": self.votes.annotators[index],
                "sheets": int(work.sheets[index]),
                "votes": int(work.votes[index]),
                "median_seconds": float(work.seconds[index]),
            }
            for index in order.tolist()
        ]

    @cached_property
    def per_item(self) -> dict[str, float]:
        """How many annotators voted on an item."""
        sheets = self.votes.sheets
        annotators = np.bincount(sheets.item, minlength=len(self.votes.items))
        return {
            "fewest": int(annotators.min(initial=len(sheets))),
            "most": int(annotators.max(initial=0)),
            "mean": len(sheets) / max(len(self.votes.items), 1),
        }

    def _facts(self) -> dict[str, Any]:
        votes = self.votes
        return {
            "votes": len(votes),
            "items": len(votes.items),
            "annotators": len(votes.annotators),
            "questions": len(votes.questions),
            "batches": len(votes.batches),
            "votes_per_item": self.per_item,
            "by_question": self.questions,
            "by_annotator": self.annotators,
        }

    def _tables(self) -> list[Table]:
        names = ("question", "kind", "items", "votes")
        shown = [
            row | {"kind": row["kind"].replace("_", "/"), "answers": _answers(row["answers"])}
            for row in self.questions[:_SHOWN]
        ]
        counts = [
            {name: row[name] for name in names} | {"answer": answer, "count": count}
            for row in self.questions
            for answer, count in row["answers"].items()
        ]
        people = [Column("annotator"), Column("sheets", self.terms.items)]
        people.append(Column("votes"))
        if not all(np.isnan(row["median_seconds"]) for row in self.annotators):
            people.append(Column("median_seconds", "median s", digits=0))
        return [
            Table(
                "questions",
                shown,
                [*map(Column, names), Column("answers")],
                remarks=_more(len(self.questions), "question"),
                audience="people",
            ),
            Table(
                "annotators",
                self.annotators[:_SHOWN],
                people,
                remarks=_more(len(self.annotators), "annotator"),
                audience="people",
            ),
            Table("answers", counts, audience="programs"),
        ]

    def _remarks(self) -> list[str]:
        votes, per_item = self.votes, self.per_item
        remarks = [
            f"{several(len(votes), 'vote')} of {several(len(votes.annotators), 'annotator')} on "
            f"{self.terms.several(len(votes.items), 'item')}, "
            f"{several(len(votes.questions), 'question')}",
            f"annotators per {self.terms.item}: {_range(per_item)}",
        ]
        if len(votes.batches) > 1:
            remarks.append(f"{len(votes.batches)} batches: {first_ten(votes.batches)}")
        return remarks


def _range(counts: dict[str, float]) -> str:
    fewest, most = counts["fewest"], counts["most"]
    return f"{most}" if fewest == most else f"{fewest} to {most}, mean {counts['mean']:.1f}"


def describe_votes(votes: Votes) -> VoteDescription:
    """Show what was asked and answered, of which items, and by whom.

    Every line is checked on the way: what is wrong is an error with file and line, or the number of
    the record.
    """
    return VoteDescription(votes)


def _question(ballot: Ballot) -> dict[str, Any]:
    counts = ballot.counts.sum(axis=0).tolist()
    return {
        "question": ballot.question.name,
        "kind": ballot.question.kind,
        "items": int(ballot.answered.sum()),
        "votes": len(ballot),
        "answers": dict(zip(ballot.question.answers, counts, strict=True)),
    }


def _answers(counts: dict[str, int]) -> str:
    listed = [f"{name} {count}" for name, count in counts.items()]
    text, rest = ", ".join(listed[:_ANSWERS]), len(listed) - _ANSWERS
    return f"{text} and {rest} more" if rest > 0 else text


def _more(count: int, noun: str) -> list[str]:
    return [f"… and {count - _SHOWN} more {noun}s"] if count > _SHOWN else []
