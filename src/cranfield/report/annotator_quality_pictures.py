"""Quality of annotators drawn: rejections by item and sheets by annotator (Nowak 2011, Figure 6.3),
and who agrees how far, with what score.
"""

from __future__ import annotations

from typing import Any

from cranfield.assessment.quality import Quality
from cranfield.errors import several
from cranfield.report.pictures import Spec, page
from cranfield.report.scales import SERIES, named_axis, share_axis, step_of, tooltip

_WIDTH, _HEIGHT = 720, 200
_MOST = 200
"""Bars that a picture has room for."""
_KINDS = ("accepted", "rejected")
_TRUSTED = ("nothing rejected", "some sheets rejected")
_WHOLE = {"tickMinStep": 1, "format": "d"}


def quality_picture(found: Quality) -> Spec:
    """Everything, one below the other; without rejections there is no part for them."""
    people = found.frame.to_dicts()
    busiest = sorted(people, key=lambda row: (-row["sheets"], row["annotator"]))
    items = [row for row in found.by_item.iter_rows(named=True) if row["rejected"]]
    parts = [_bars("annotator", busiest, "Sheets by annotator", _KINDS)]
    if items:
        parts.insert(0, _bars("item", items, "Rejections by item", ("rejected",)))
    return page(*parts, _trust(people))


def _bars(unit: str, rows: list[dict[str, Any]], title: str, kinds: tuple[str, ...]) -> Spec:
    """Sheets of each, those accepted below those rejected."""
    drawn = rows[:_MOST]
    step = step_of(len(drawn), _WIDTH)
    values = [
        {
            "column": column,
            unit: row[unit],
            "kind": kind,
            "sheets": row["rejected"] if kind == "rejected" else row["sheets"] - row["rejected"],
        }
        for column, row in enumerate(drawn)
        for kind in kinds
    ]
    total = sum(row["rejected"] for row in rows)
    told = f"{total} rejected, {several(len(rows), unit)}"
    return {
        "title": {
            "text": title,
            "subtitle": told if drawn == rows else f"{told}, of which the first {_MOST}",
        },
        "width": step * len(drawn),
        "height": _HEIGHT,
        "data": {"values": values},
        "mark": {"type": "bar"},
        "encoding": {
            "x": named_axis("column", [row[unit] for row in drawn], step),
            "y": {"field": "sheets", "type": "quantitative", "title": "sheets", "axis": _WHOLE},
            "color": _coloured(_KINDS, legend=len(kinds) > 1),
            "order": {"field": "kind", "sort": "ascending"},
            "tooltip": tooltip(unit, "kind", "sheets"),
        },
    }


def _trust(people: list[dict[str, Any]]) -> Spec:
    """Annotators by agreement and score, the larger the more they did."""
    values = [
        {
            **{name: row[name] for name in ("annotator", "sheets", "agreement", "score")},
            "kind": _TRUSTED[row["rejected"] > 0],
            "rejected": row["rejected"],
        }
        for row in people
        if row["agreement"] is not None and row["score"] is not None
    ]
    return {
        "title": {
            "text": "Whom to trust",
            "subtitle": "agreement with the others, and how far answers depend on the item; "
            "the larger, the more sheets",
        },
        "width": 360,
        "height": 360,
        "data": {"values": values},
        "mark": {"type": "point", "filled": True, "opacity": 0.75},
        "encoding": {
            "x": share_axis("score", "spammer score"),
            "y": share_axis("agreement", "agreement with the others"),
            "size": {
                "field": "sheets",
                "type": "quantitative",
                "scale": {"range": [20, 300]},
                "legend": None,
            },
            "color": _coloured(_TRUSTED),
            "tooltip": tooltip("annotator", "sheets", "rejected", "agreement", "score"),
        },
    }


def _coloured(kinds: tuple[str, str], *, legend: bool = True) -> Spec:
    return {
        "field": "kind",
        "type": "nominal",
        "title": None,
        "scale": {"domain": list(kinds), "range": list(SERIES[:2])},
        "legend": {"orient": "top"} if legend else None,
    }
