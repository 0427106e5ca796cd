"""What merging made of votes, on a terminal and as JSON: decisions, ties, whom to rely on."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from rich.console import Group
from rich.text import Text

from cranfield.assessment.merging import Consensus
from cranfield.errors import first_ten, several
from cranfield.report.standings import UNDEFINED
from cranfield.report.study_tables import as_csv, number
from cranfield.report.tables import cut_name, plain_table, remark
from cranfield.studies.records import defined

_SHOWN = 10
"""Annotators at either end that a table lists."""


def consensus_table(found: Consensus) -> Group:
    """Questions, and the annotators that are believed least and most."""
    questions = plain_table()
    questions.add_column("question")
    fitted = any(fit.likelihoods for fit in found.fits)
    for heading in ("items", "even splits", *(["iterations", "log-likelihood"] if fitted else [])):
        questions.add_column(heading, justify="right", no_wrap=True)
    for row in found.frame.iter_rows(named=True):
        model = [str(row["iterations"]), _likelihood(row["log_likelihood"])] if fitted else []
        questions.add_row(cut_name(row["question"]), str(row["items"]), str(row["ties"]), *model)
    return Group(questions, _annotators(found), *map(remark, _remarks(found)))


def _annotators(found: Consensus) -> Any:
    table = plain_table()
    table.add_column("annotator")
    for heading in ("votes", "reliability"):
        table.add_column(heading, justify="right", no_wrap=True)
    rows = [row for row in _reliable(found) if row["votes"]]
    hidden = len(rows) - 2 * _SHOWN
    shown = rows if hidden <= 0 else [*rows[:_SHOWN], *rows[-_SHOWN:]]
    for place, row in enumerate(shown):
        if hidden > 0 and place == _SHOWN:
            table.add_row(Text(f"… {hidden} more", style="dim"), "", "")
        table.add_row(cut_name(row["annotator"]), str(row["votes"]), number(row["reliability"]))
    return table


def _reliable(found: Consensus) -> list[dict[str, Any]]:
    """The least reliable first."""
    rows = list(found.reliability.iter_rows(named=True))
    return sorted(rows, key=lambda row: (row["reliability"] is None, row["reliability"] or 0.0))


def _remarks(found: Consensus) -> Iterator[str]:
    yield "reliability: the share of an annotator's votes that is believed right"
    renamed = found.votes.renamed
    if renamed:
        yield (
            f"{several(len(renamed), 'label')} that other questions ask about too: called "
            f"{first_ten(renamed)}"
        )
    if found.ties:
        yield (
            f"{several(found.ties, 'even split')}: a concept is not assigned, of a choice the "
            "smallest label wins"
            + ("" if found.method == "majority" else ", where the method does not decide")
        )
    yield from found.remarks


def consensus_content(found: Consensus) -> dict[str, Any]:
    """The same for other programs."""
    confidence = found.confidence
    known = confidence[~np.isnan(confidence)]
    return {
        "method": found.method,
        "items": len(found.votes.items),
        "concepts": len(found.votes.concepts),
        "ties": found.ties,
        "mean_confidence": defined(float(known.mean())) if known.size else None,
        "remarks": list(found.remarks),
        "questions": list(found.frame.iter_rows(named=True)),
        "annotators": _reliable(found),
    }


def confidence_csv(found: Consensus) -> str:
    """item, concept, value, confidence: a line for each judged cell."""
    said = np.asarray(found.belief)
    confidence, labels = found.confidence, found.truth.labels
    return as_csv(
        {
            "item": item,
            "concept": concept,
            "value": int(labels[row, column]),
            "belief": defined(float(said[row, column])),
            "confidence": defined(float(confidence[row, column])),
            "share": defined(float(found.shares[row, column])),
        }
        for row, item in enumerate(found.votes.items)
        for column, concept in enumerate(found.votes.concepts)
        if not math.isnan(said[row, column])
    )


def reliability_csv(found: Consensus) -> str:
    """A line for each annotator, the least reliable first."""
    return as_csv(_reliable(found))


def _likelihood(value: float | None) -> str:
    return UNDEFINED if value is None else f"{value:.1f}"
