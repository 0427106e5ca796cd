"""What is in a set of votes, on a terminal and as JSON: questions, items, who did how much."""

from __future__ import annotations

from typing import Any

import numpy as np
from rich.console import Group
from rich.table import Table

from cranfield.assessment.quality.annotators import work_of
from cranfield.assessment.votes import Ballot, Votes
from cranfield.core.matrices import Ints
from cranfield.errors import first_ten, several
from cranfield.report.standings import UNDEFINED
from cranfield.report.tables import cut_name, plain_table, remark
from cranfield.studies.records import defined

_SHOWN = 20
"""Questions, and annotators, that a table lists."""
_ANSWERS = 6
"""Answers of a question that a table lists."""


def vote_tables(votes: Votes) -> Group:
    """Questions with their answers, and the work of those who answered most."""
    content = vote_content(votes)
    per_item = content["votes_per_item"]
    notes = [
        f"{several(content['votes'], 'vote')} of {several(content['annotators'], 'annotator')} on "
        f"{several(content['items'], 'item')}, {several(content['questions'], 'question')}",
        f"annotators on an item: {per_item['fewest']} to {per_item['most']}, mean "
        f"{per_item['mean']:.1f}",
    ]
    if content["batches"] > 1:
        notes.append(f"{content['batches']} batches: {first_ten(votes.batches)}")
    return Group(
        _questions(content["by_question"]),
        *_more(content["questions"], "question"),
        _work(content["by_annotator"]),
        *_more(content["annotators"], "annotator"),
        *map(remark, notes),
    )


def vote_content(votes: Votes) -> dict[str, Any]:
    """The same for other programs, with every question and annotator."""
    sheets = votes.sheets
    annotators = np.bincount(sheets.item, minlength=len(votes.items))
    return {
        "votes": len(votes),
        "items": len(votes.items),
        "annotators": len(votes.annotators),
        "questions": len(votes.questions),
        "batches": len(votes.batches),
        "votes_per_item": {
            "fewest": int(annotators.min(initial=len(sheets))),
            "most": int(annotators.max(initial=0)),
            "mean": len(sheets) / max(len(votes.items), 1),
        },
        "by_question": [_question(ballot) for ballot in votes.ballots],
        "by_annotator": _annotators(votes),
    }


def _question(ballot: Ballot) -> dict[str, Any]:
    counts = ballot.counts.sum(axis=0).tolist()
    return {
        "question": ballot.question.name,
        "kind": ballot.question.kind,
        "items": int(ballot.asked.sum()),
        "votes": len(ballot),
        "answers": dict(zip(ballot.question.answers, counts, strict=True)),
    }


def _annotators(votes: Votes) -> list[dict[str, Any]]:
    """Who did how much, most first."""
    work = work_of(votes)
    order: Ints = np.lexsort((np.arange(len(work.votes)), -work.votes))
    return [
        {
            "annotator": votes.annotators[place],
            "sheets": int(work.sheets[place]),
            "votes": int(work.votes[place]),
            "median_seconds": defined(work.seconds[place]),
        }
        for place in order.tolist()
    ]


def _questions(rows: list[dict[str, Any]]) -> Table:
    table = plain_table()
    for heading in ("question", "kind"):
        table.add_column(heading)
    for heading in ("items", "votes"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("answers")
    for row in rows[:_SHOWN]:
        answers = [f"{name} {count}" for name, count in row["answers"].items()]
        told = ", ".join(answers[:_ANSWERS])
        rest = len(answers) - _ANSWERS
        table.add_row(
            cut_name(row["question"]),
            row["kind"].replace("_", "/"),
            str(row["items"]),
            str(row["votes"]),
            cut_name(f"{told} and {rest} more" if rest > 0 else told),
        )
    return table


def _work(rows: list[dict[str, Any]]) -> Table:
    table = plain_table()
    table.add_column("annotator")
    timed = any(row["median_seconds"] is not None for row in rows)
    for heading in ("items", "votes", *(["median s"] if timed else [])):
        table.add_column(heading, justify="right", no_wrap=True)
    for row in rows[:_SHOWN]:
        seconds = row["median_seconds"]
        time = [UNDEFINED if seconds is None else f"{seconds:.0f}"] if timed else []
        table.add_row(cut_name(row["annotator"]), str(row["sheets"]), str(row["votes"]), *time)
    return table


def _more(count: int, noun: str) -> list[Any]:
    return [remark(f"… and {count - _SHOWN} more {noun}s")] if count > _SHOWN else []
