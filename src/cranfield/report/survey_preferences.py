"""Measures beside what people prefer: tables, CSV, JSON, and a picture (Nowak 2011, Table 9.5)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from rich.console import Group, RenderableType
from rich.text import Text

from cranfield.assessment.surveys import Preferences, WithPeople
from cranfield.errors import several
from cranfield.report.pictures import COLOURS, FAINT, Spec, page
from cranfield.report.scales import named_axis, share_axis, tooltip
from cranfield.report.study_tables import as_csv, number
from cranfield.report.tables import cut_name, plain_table, remark
from cranfield.statistics.intervals.limits import Limits
from cranfield.studies.records import defined, listed

COEFFICIENTS = ("fleiss", "krippendorff_nominal", "percent")
_WIDTH, _ROW = 420, 22
_SIDES = ("with the measure", "no difference", "against it")


def preference_tables(found: Preferences, measures: Sequence[WithPeople], level: float) -> Group:
    """Each measure beside people, measures beside each other, and what is to be said of people."""
    table = plain_table()
    table.add_column("measure")
    headings = ("agrees", "opposite", "ties", "share", f"{level:.0%}", "concordance")
    for heading in (*headings, f"{level:.0%}", "of votes", "p"):
        table.add_column(heading, justify="right", no_wrap=True)
    for one in measures:
        table.add_row(
            cut_name(one.measure),
            *map(str, (one.agreeing, one.opposite, one.tied)),
            number(one.share),
            _ends(one.share_interval),
            number(one.concordance),
            _ends(one.concordance_interval),
            number(one.of_votes),
            f"{one.p_value:.4f}",
        )
    return Group(table, _compared(found), *map(remark, _remarks(found, measures)))


def _compared(found: Preferences) -> RenderableType:
    table = plain_table()
    for heading in ("measure", "beside"):
        table.add_column(heading)
    for heading in ("only the first agrees", "only the second", "p"):
        table.add_column(heading, justify="right", no_wrap=True)
    for one in found.comparisons():
        table.add_row(
            cut_name(one.one),
            cut_name(one.other),
            str(one.only_one),
            str(one.only_other),
            f"{one.p_value:.4f}",
        )
    title = "\n  Closer to people? (McNemar, exact; corrected after Holm)"
    return Group(Text(title, style="bold"), table)


def _remarks(found: Preferences, measures: Sequence[WithPeople]) -> Iterator[str]:
    survey = found.survey
    asked, answered = len(survey.pairings), int(np.count_nonzero(found.answered))
    decided = answered - found.undecided
    yield (
        f"people decide {decided} of {several(asked, 'item')}; {found.undecided} undecided, "
        f"{asked - answered} not answered"
    )
    yield (
        f"items were chosen because {survey.tied} ties both sides, so it cannot agree; hold "
        f"{survey.split} against a half"
    )
    for one in measures:
        if one.undefined:
            yield f"{one.measure}: undefined on {several(one.undefined, 'item')}, left out"
    kappa = found.agreement()
    yield (
        f"people: {len(found.votes.annotators)}; Fleiss' κ of their choices "
        f"{number(float(kappa))} ({kappa.reading})"
    )
    left, either, p = found.on_the_left
    if p < 0.05:
        yield f"people chose the left {left} of {either} times (p = {p:.4f}): a habit of sides"
    if found.comments:
        yield f"{several(len(found.comments), 'comment')}: --json tells"


def preference_content(
    found: Preferences, measures: Sequence[WithPeople], level: float
) -> dict[str, Any]:
    """Everything, for JSON."""
    left, either, p = found.on_the_left
    return {
        "tied": found.survey.tied,
        "split": found.survey.split,
        "items": len(found.survey.pairings),
        "answered": int(np.count_nonzero(found.answered)),
        "undecided": found.undecided,
        "people": len(found.votes.annotators),
        "agreement": {one: defined(float(found.agreement(one))) for one in COEFFICIENTS},
        "left": {"votes": left, "of": either, "p_value": p},
        "level": level,
        "measures": [_of_measure(one) for one in measures],
        "comparisons": [vars(one) for one in found.comparisons()],
        "questions": _questions(found),
        "comments": dict(found.comments),
    }


def _of_measure(one: WithPeople) -> dict[str, Any]:
    return {
        name: value if isinstance(value, str | int) else listed(value)
        for name, value in vars(one).items()
    }


def preference_csv(found: Preferences) -> str:
    """A line for each item: the votes, and by how much each measure prefers the left."""
    rows = []
    for one in _questions(found):
        scores = one.pop("differences")
        rows.append(one | {f"{name} left − right": value for name, value in scores.items()})
    return as_csv(rows)


def _questions(found: Preferences) -> list[dict[str, Any]]:
    survey = found.survey
    gaps = {one: survey.differences(one).tolist() for one in survey.measures}
    names = {1: "left", -1: "right", 0: "undecided"}
    return [
        {
            "question": pair.id,
            "item": pair.item,
            "left": pair.left,
            "right": pair.right,
            "for_left": votes[0],
            "for_right": votes[1],
            "for_neither": votes[2],
            "people": names[int(found.preferred[place])] if sum(votes) else None,
            "differences": {one: defined(gap[place]) for one, gap in gaps.items()},
        }
        for place, (pair, votes) in enumerate(
            zip(survey.pairings, found.counts.tolist(), strict=True)
        )
    ]


def preference_picture(found: Preferences, measures: Sequence[WithPeople], level: float) -> Spec:
    """The share of each measure, and how people voted on each item."""
    return page(_shares(measures, level), _votes(found))


def _shares(measures: Sequence[WithPeople], level: float) -> Spec:
    values = [
        {
            "row": place,
            "measure": one.measure,
            "votes": round(one.of_votes, 4),
            "low": round(one.of_votes_interval.low, 4),
            "high": round(one.of_votes_interval.high, 4),
            "share": defined(one.share),
        }
        for place, one in enumerate(measures)
        if np.isfinite([one.of_votes, *one.of_votes_interval]).all()
    ]
    names = [one.measure for one in measures]
    y = named_axis("row", names, _ROW, grid=True)
    x = share_axis("votes", "votes for the side that the measure prefers")
    told = tooltip("measure", ("votes", "of votes"), "low", "high", ("share", "share of items"))
    return {
        "title": {
            "text": "Do measures prefer what people prefer?",
            "subtitle": f"share of votes for either side, {level:.0%} bootstrap of items; "
            "dashed: no better than chance",
        },
        "width": _WIDTH,
        "height": _ROW * len(names),
        "data": {"values": values},
        "layer": [
            {
                "data": {"values": [{"votes": 0.5}]},
                "mark": {"type": "rule", "strokeDash": [3, 3], "color": FAINT},
                "encoding": {"x": x},
            },
            {
                "mark": {"type": "rule", "color": COLOURS[0]},
                "encoding": {"y": y, "x": x | {"field": "low"}, "x2": {"field": "high"}},
            },
            {
                "mark": {"type": "point", "filled": True, "size": 70, "color": COLOURS[0]},
                "encoding": {"y": y, "x": x, "tooltip": told},
            },
        ],
    }


def _votes(found: Preferences) -> Spec:
    """Votes on each item, those that the second measure is surest of on top."""
    survey = found.survey
    gaps = survey.differences(survey.split)
    order = np.argsort(-np.abs(np.nan_to_num(gaps)), kind="stable").tolist()
    values = []
    for row, place in enumerate(order):
        left, right, equal = found.counts[place].tolist()
        cast = (left, equal, right) if gaps[place] > 0 else (right, equal, left)
        values += [
            {
                "row": row,
                "item": survey.pairings[place].item,
                "side": side,
                "order": number,
                "votes": count,
                "difference": round(abs(float(gaps[place])), 4),
            }
            for number, (side, count) in enumerate(zip(_SIDES, cast, strict=True))
            if count and np.isfinite(gaps[place])
        ]
    names = [survey.pairings[place].item for place in order]
    return {
        "title": {
            "text": "Votes on each item",
            "subtitle": f"largest differences by {survey.split} on top",
        },
        "width": _WIDTH,
        "height": _ROW * len(names),
        "data": {"values": values},
        "mark": {"type": "bar"},
        "encoding": {
            "y": named_axis("row", names, _ROW),
            "x": {
                "field": "votes",
                "type": "quantitative",
                "stack": "normalize",
                "title": "share of votes",
            },
            "order": {"field": "order", "type": "quantitative"},
            "color": {
                "field": "side",
                "type": "nominal",
                "title": None,
                "scale": {"domain": list(_SIDES), "range": ["#3a6ea5", "#d8dde3", "#e08a3c"]},
                "legend": {"orient": "top"},
            },
            "tooltip": tooltip("item", "side", "votes", ("difference", survey.split)),
        },
    }


def _ends(ends: Limits) -> str:
    return "–" if np.isnan(ends.low) else f"{ends.low:.2f} … {ends.high:.2f}"
