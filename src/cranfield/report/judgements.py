"""Sources of relatedness beside what people said: a table, JSON, and scatter plots."""

from __future__ import annotations

import math
from typing import Any

from rich.console import Group, RenderableType

from cranfield.errors import several
from cranfield.report.pictures import COLOURS, Spec, page
from cranfield.report.tables import cut_name, plain_table, remark
from cranfield.statistics import Interval
from cranfield.studies.judgements import Agreement, Correlated

_SHOWN = 5
"""Uncovered pairs that are named in the table."""
_SIDE, _COLUMNS = 240, 3


def correlation_tables(found: Correlated) -> Group:
    """How far each source agrees with people, which is better, and what they do not cover."""
    pairs = len(found.judgements.pairs)
    table = plain_table()
    table.add_column("source")
    for heading in ("Spearman", "95 %", "Pearson", "95 %", "pairs"):
        table.add_column(heading, justify="right", no_wrap=True)
    for one in found.agreements:
        table.add_row(
            cut_name(one.source),
            _number(one.spearman),
            _range(one.spearman_interval),
            _number(one.pearson),
            _range(one.pearson_interval),
            f"{one.covered} of {pairs}",
        )
    return Group(table, *_better(found), *map(remark, _uncovered(found)))


def _better(found: Correlated) -> list[RenderableType]:
    significant = found.significant()
    if len(found.agreements) < 2:
        return []
    if not significant:
        return [remark("no source is significantly better than another (Williams, Holm, 5 %)")]
    table = plain_table()
    for heading in ("significantly better", "than", "ρ by", "p", "pairs"):
        table.add_column(heading, justify="left" if heading[0] in "st" else "right")
    for one in significant:
        table.add_row(
            cut_name(one.better),
            cut_name(one.worse),
            _number(one.difference),
            f"{one.p_value:.4f}",
            str(one.pairs),
        )
    return [table, remark("Williams's test of dependent correlations, corrected after Holm")]


def _uncovered(found: Correlated) -> list[str]:
    said = []
    for one in found.agreements:
        if one.unknown:
            names = ", ".join(f"{pair.word}–{pair.other}" for pair in one.unknown[:_SHOWN])
            more = f" and {len(one.unknown) - _SHOWN} more" if len(one.unknown) > _SHOWN else ""
            said.append(
                f"{one.source} does not cover {several(len(one.unknown), 'pair')}: {names}{more}"
            )
    return said


def correlation_content(found: Correlated) -> dict[str, Any]:
    """Everything, for JSON; null where undefined."""
    return {
        "judgements": found.judgements.name,
        "pairs": len(found.judgements.pairs),
        "sources": [_content(one) for one in found.agreements],
        "comparisons": [
            {
                "better": one.better,
                "worse": one.worse,
                "pairs": one.pairs,
                "difference": one.difference,
                "p_value": _defined(one.p_value),
            }
            for one in found.comparisons
        ],
    }


def _content(one: Agreement) -> dict[str, Any]:
    return {
        "source": one.source,
        "spearman": _defined(one.spearman),
        "spearman_interval": [_defined(end) for end in one.spearman_interval],
        "pearson": _defined(one.pearson),
        "pearson_interval": [_defined(end) for end in one.pearson_interval],
        "covered": one.covered,
        "uncovered": [[pair.word, pair.other] for pair in one.unknown],
    }


def correlation_picture(found: Correlated) -> Spec:
    """A scatter plot for each source: what people said, and what it says."""
    plots = [_scatter(found, one) for one in found.agreements if one.covered]
    rows = [plots[first : first + _COLUMNS] for first in range(0, len(plots), _COLUMNS)]
    return page(*({"hconcat": row, "spacing": 40} for row in rows))


def _scatter(found: Correlated, one: Agreement) -> Spec:
    values = [
        {"people": pair.score, "source": float(value), "pair": f"{pair.word} – {pair.other}"}
        for pair, value in zip(found.judgements.pairs, one.values, strict=True)
        if not math.isnan(value)
    ]
    return {
        "title": {
            "text": one.source,
            "subtitle": f"ρ {_number(one.spearman)}, r {_number(one.pearson)}, "
            f"{one.covered} of {several(len(found.judgements.pairs), 'pair')}",
        },
        "width": _SIDE,
        "height": _SIDE,
        "data": {"values": values},
        "mark": {"type": "point", "filled": True, "size": 50, "color": COLOURS[0]},
        "encoding": {
            "x": {"field": "people", "type": "quantitative", "title": "people"},
            "y": {"field": "source", "type": "quantitative", "title": one.source},
            "tooltip": [{"field": name} for name in ("pair", "people", "source")],
        },
    }


def _number(value: float) -> str:
    return "–" if math.isnan(value) else f"{value:.3f}"


def _range(interval: Interval) -> str:
    return "–" if math.isnan(interval.low) else f"{interval.low:.2f} … {interval.high:.2f}"


def _defined(value: float) -> float | None:
    return None if math.isnan(value) else value
