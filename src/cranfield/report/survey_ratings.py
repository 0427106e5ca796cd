"""How closely people find words related: a table, CSV, JSON, and a picture."""

from __future__ import annotations

from typing import Any

import numpy as np
from rich.console import Group

from cranfield.assessment.agreement.overall import reading
from cranfield.assessment.surveys import Ratings
from cranfield.errors import several
from cranfield.report.pictures import COLOURS, FAINT, Spec, page
from cranfield.report.scales import named_axis, tooltip
from cranfield.report.study_tables import as_csv, number
from cranfield.report.tables import cut_name, plain_table, remark
from cranfield.studies.records import defined

_WIDTH, _ROW = 420, 18


def ratings_content(found: Ratings, level: float = 0.95) -> dict[str, Any]:
    """Everything, for JSON."""
    return {
        "people": len(found.votes.annotators),
        "rejected": dict(found.rejected),
        "agreement": {
            "coefficient": found.agreement.coefficient,
            "value": defined(float(found.agreement)),
            "reading": found.agreement.reading,
        },
        "level": level,
        "pairs": _rows(found, level),
        "comments": dict(found.comments),
    }


def ratings_csv(found: Ratings, level: float = 0.95) -> str:
    """A line for each pair."""
    return as_csv(_rows(found, level))


def ratings_table(found: Ratings, level: float = 0.95) -> Group:
    """The pairs, most closely related first, and what is to be said of the people."""
    table = plain_table()
    for heading in ("word", "other"):
        table.add_column(heading)
    for heading in ("mean", f"{level:.0%}", "people", "map"):
        table.add_column(heading, justify="right", no_wrap=True)
    for row in _in_order(found, level):
        ends = "–" if row["low"] is None else f"{row['low']:.2f}–{row['high']:.2f}"
        table.add_row(
            cut_name(row["word"]),
            cut_name(row["other"]),
            number(np.nan if row["mean"] is None else row["mean"], 2),
            ends,
            str(row["people"]),
            "control" if row["control"] else "" if row["map"] is None else f"{row['map']:.3f}",
        )
    return Group(table, *map(remark, _remarks(found)))


def ratings_picture(found: Ratings, level: float = 0.95) -> Spec:
    """The mean of each pair and where it may lie."""
    rows = [row for row in _in_order(found, level) if row["mean"] is not None]
    values = [
        {"row": place, "pair": f"{row['word']} – {row['other']}"}
        | {name: row[name] for name in ("mean", "low", "high", "people", "map")}
        for place, row in enumerate(rows)
    ]
    x = {
        "field": "mean",
        "type": "quantitative",
        "title": "mean grade",
        "scale": {"domain": [0, 4], "nice": False},
        "axis": {"values": list(range(5)), "labelFlush": False},
    }
    y = named_axis("row", [str(one["pair"]) for one in values], _ROW, grid=True)
    told = tooltip("pair", "mean", "low", "high", "people", "map")
    return page(
        {
            "title": {
                "text": "How closely people find words related",
                "subtitle": f"mean grades with {level:.0%} intervals; people: "
                f"{len(found.votes.annotators)}",
            },
            "width": _WIDTH,
            "height": _ROW * len(values),
            "data": {"values": values},
            "layer": [
                {
                    "transform": [{"filter": "datum.low != null"}],
                    "mark": {"type": "rule", "color": FAINT},
                    "encoding": {"y": y, "x": x | {"field": "low"}, "x2": {"field": "high"}},
                },
                {
                    "mark": {"type": "point", "filled": True, "size": 60, "color": COLOURS[0]},
                    "encoding": {"y": y, "x": x, "tooltip": told},
                },
            ],
        }
    )


def _rows(found: Ratings, level: float) -> list[dict[str, Any]]:
    people = found.counts.sum(axis=1).tolist()
    return [
        {
            "pair": pair.id,
            "word": found.survey.called(pair.word),
            "other": found.survey.called(pair.other),
            "mean": defined(mean),
            "low": defined(ends.low),
            "high": defined(ends.high),
            "people": count,
            "control": pair.control,
            "map": pair.value,
        }
        for pair, mean, ends, count in zip(
            found.survey.pairs, found.means.tolist(), found.intervals(level), people, strict=True
        )
    ]


def _in_order(found: Ratings, level: float) -> list[dict[str, Any]]:
    """The most closely related first; controls and what nobody answered last."""
    return sorted(
        _rows(found, level),
        key=lambda row: (row["control"], row["mean"] is None, -(row["mean"] or 0.0), row["pair"]),
    )


def _remarks(found: Ratings) -> list[str]:
    value = float(found.agreement)
    said = [
        f"people: {len(found.votes.annotators)}; Krippendorff's α of their grades "
        f"{number(value)} ({reading(value)})"
    ]
    if found.rejected:
        said.append(f"left out: {'; '.join(f'{a} ({why})' for a, why in found.rejected.items())}")
    if not any(pair.control for pair in found.survey.pairs):
        said.append("no pair is a word and itself, so nobody could be found careless")
    if found.comments:
        said.append(f"{several(len(found.comments), 'comment')}: --json tells")
    return said
