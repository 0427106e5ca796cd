"""Pictures of agreement: coefficients of groups question by question (Nowak 2011, Figures 6.5 and
6.6), and agreement with the majority by concept and by item in both paradigms (Figure 6.4).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from cranfield.assessment.agreement import CellCounts
from cranfield.assessment.votes import Votes
from cranfield.core.matrices import Floats
from cranfield.measures.declare import mean_of_known
from cranfield.report.agreements import AgreementReport
from cranfield.report.pictures import COLOURS, Spec, page
from cranfield.report.scales import SERIES, named_axis, share_axis, step_of, tooltip

_WIDTH, _HEIGHT, _ROW = 720, 240, 18


def agreement_picture(
    votes: Votes, counts: CellCounts, reports: Mapping[str, AgreementReport]
) -> Spec:
    """Everything, one below the other."""
    first = next(iter(reports.values()))
    parts = [_coefficient(name, reports) for name in first.coefficients]
    parts.append(_paradigms("concept", votes.concepts, counts))
    parts.append(_paradigms("item", votes.items, counts))
    return page(*parts)


def _coefficient(coefficient: str, reports: Mapping[str, AgreementReport]) -> Spec:
    first = next(iter(reports.values()))
    questions = first.questions
    found = [
        (group or "all", row, question, report.value(coefficient, question))
        for group, report in reports.items()
        for row, question in enumerate(questions)
    ]
    values = [
        {"row": row, "question": question, "group": group, "value": round(value, 5)}
        for group, row, question, value in found
        if np.isfinite(value)
    ]
    groups = [group or "all" for group in reports]
    low = min([0.0, *(value for *_, value in found if np.isfinite(value))])
    axis = share_axis("value", coefficient)
    axis["scale"] = {"domain": [low, 1], "nice": False}
    encoding: Spec = {
        "y": named_axis("row", questions, _ROW, ticks=False, domain=False, grid=True),
        "x": axis,
        "color": {
            "field": "group",
            "type": "nominal",
            "title": None,
            "scale": {"domain": groups, "range": list(SERIES[: len(groups)])},
            "legend": {"orient": "top"} if len(groups) > 1 else None,
        },
        "tooltip": tooltip("question", "group", ("value", coefficient)),
    }
    return {
        "title": {"text": coefficient, "subtitle": "agreement on each question"},
        "width": _WIDTH,
        "height": _ROW * len(questions),
        "data": {"values": values},
        "layer": [
            {"mark": {"type": "point", "filled": True, "size": 60}, "encoding": encoding},
            {
                "data": {"values": [{"x": 0.6}, {"x": 0.8}]},
                "mark": {"type": "rule", "strokeDash": [3, 3], "color": "#6b7280"},
                "encoding": {"x": {"field": "x", "type": "quantitative"}},
            },
        ],
    }


def _paradigms(unit: str, names: Sequence[str], counts: CellCounts) -> Spec:
    """Lines of both paradigms, from the unit that people agree on most to the least."""
    every, selected = (
        counts.by_concept(paradigm) if unit == "concept" else counts.by_item(paradigm)
        for paradigm in ("all", "selected")
    )
    order = np.argsort(-np.nan_to_num(every), kind="stable")
    step = step_of(len(names), _WIDTH)
    values = [
        {
            "column": column,
            unit: names[place],
            "paradigm": paradigm,
            "agreement": round(float(shares[place]), 5),
        }
        for paradigm, shares in (("all", every), ("selected", selected))
        for column, place in enumerate(order.tolist())
        if not np.isnan(shares[place])
    ]
    return {
        "title": {
            "text": f"Agreement with the majority, by {unit}",
            "subtitle": f"mean {_mean(every)} over all decisions, {_mean(selected)} where somebody "
            "chose the concept",
        },
        "width": max(_WIDTH, step * len(names)) if unit == "concept" else _WIDTH,
        "height": _HEIGHT,
        "data": {"values": values},
        "mark": {"type": "line", "point": {"size": 18}, "strokeWidth": 1.2},
        "encoding": {
            "x": named_axis("column", [names[place] for place in order], step)
            if unit == "concept"
            else {"field": "column", "type": "quantitative", "title": "items, in their order"},
            "y": share_axis("agreement", "agreement"),
            "color": {
                "field": "paradigm",
                "type": "nominal",
                "title": None,
                "scale": {"domain": ["all", "selected"], "range": list(COLOURS[:2])},
                "legend": {"orient": "top"},
            },
            "tooltip": tooltip(unit, ("paradigm", "counted"), "agreement"),
        },
    }


def _mean(values: Floats) -> str:
    mean = float(mean_of_known(values))
    return "undefined" if np.isnan(mean) else f"{mean:.3f}"
