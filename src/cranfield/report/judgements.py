"""Sources of relatedness beside what people said: a table, JSON, and scatter plots."""

from __future__ import annotations

import csv
import io
import math
from typing import Any

from rich.console import Group, RenderableType

from cranfield.errors import InputError, several
from cranfield.formats.words import JudgedPair
from cranfield.report.pictures import COLOURS, Spec, page
from cranfield.report.tables import cut_name, plain_table, remark
from cranfield.statistics import Interval
from cranfield.studies.judgements import Agreement, Correlated

_SHOWN = 5
"""Uncovered pairs that are named in the table."""
_SIDE, _COLUMNS = 240, 3
_SKEWED = 20
"""Times the median that the largest value must be for a scale of logarithms."""
_TICKS = 5
_PUBLISHED = "Nowak 2011"


def correlation_tables(found: Correlated) -> Group:
    """How far each source agrees with people, which is better, and what they do not cover."""
    pairs = len(found.judgements.pairs)
    published = found.published
    table = plain_table()
    table.add_column("source")
    headings = ("Spearman", "95 %", "Pearson", "95 %", "pairs", *([_PUBLISHED] * bool(published)))
    for heading in headings:
        table.add_column(heading, justify="right", no_wrap=True)
    for one in found.agreements:
        printed = published.get(one.source, math.nan)
        table.add_row(
            cut_name(one.source),
            _number(one.spearman),
            _range(one.spearman_interval),
            _number(one.pearson),
            _range(one.pearson_interval),
            f"{one.covered} of {pairs}",
            *([_number(printed)] * bool(published)),
        )
    said = [f"{_PUBLISHED}: Spearman as printed there"] * bool(published)
    repeated = found.judgements.repeated
    if repeated:
        said.append(f"{several(repeated, 'pair')} judged more than once: the mean counts")
    return Group(table, *_better(found), *map(remark, (*said, *_uncovered(found))))


def _better(found: Correlated) -> list[RenderableType]:
    significant = found.significant()
    test = found.test.capitalize()
    if len(found.agreements) < 2:
        return []
    if not significant:
        return [remark(f"no source is significantly better than another ({test}, Holm, 5 %)")]
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
    return [table, remark(f"{test}'s test of dependent correlations, corrected after Holm")]


def _uncovered(found: Correlated) -> list[str]:
    """The pairs that sources do not cover; sources that lack the same ones together."""
    lacking: dict[tuple[JudgedPair, ...], list[str]] = {}
    for one in found.agreements:
        if one.unknown:
            lacking.setdefault(one.unknown, []).append(one.source)
    said = []
    for pairs, sources in lacking.items():
        names = ", ".join(f"{pair.word}–{pair.other}" for pair in pairs[:_SHOWN])
        more = f" and {len(pairs) - _SHOWN} more" if len(pairs) > _SHOWN else ""
        said.append(
            f"{several(len(pairs), 'pair')} not covered by {', '.join(sources)}: {names}{more}"
        )
    return said


def correlation_content(found: Correlated) -> dict[str, Any]:
    """Everything, for JSON; null where undefined."""
    return {
        "judgements": found.judgements.name,
        "pairs": len(found.judgements.pairs),
        "repeated": found.judgements.repeated,
        "sources": [
            {**_content(one), "published_spearman": found.published.get(one.source)}
            for one in found.agreements
        ],
        "test": found.test,
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


def correlation_csv(found: Correlated) -> str:
    """A line for each source; undefined is empty."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    kinds = ("spearman", "pearson")
    numbers = [f"{kind}{end}" for kind in kinds for end in ("", "_low", "_high")]
    writer.writerow(("source", *numbers, "covered", "pairs"))
    for row in correlation_content(found)["sources"]:
        values = [value for kind in kinds for value in (row[kind], *row[f"{kind}_interval"])]
        writer.writerow((row["source"], *values, row["covered"], len(found.judgements.pairs)))
    return out.getvalue()


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
    if not plots:
        raise InputError(
            "no source covers any pair, so there is nothing to draw; ask by other words"
        )
    return page({"concat": plots, "columns": _COLUMNS, "spacing": 40})


def _scatter(found: Correlated, one: Agreement) -> Spec:
    values: list[Spec] = [
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
            "x": {
                "field": "people",
                "type": "quantitative",
                "title": "people",
                "axis": {"labelFlush": False},
            },
            "y": {
                "field": "source",
                "type": "quantitative",
                "title": None,
                **_scale([row["source"] for row in values]),
            },
            "tooltip": [{"field": name} for name in ("pair", "people", "source")],
        },
    }


def _scale(values: list[float]) -> Spec:
    """A scale on which a few values do not press all others against the axis."""
    typical = sorted(map(abs, values))[len(values) // 2]
    if not typical or max(values) < _SKEWED * typical:
        return {}
    powers = range(math.ceil(math.log10(typical)), math.floor(math.log10(max(values))) + 1)
    return {
        "scale": {"type": "symlog", "constant": typical},
        "axis": {
            "format": "~g",
            "values": [0.0, *(10.0**power for power in powers[:: len(powers) // _TICKS + 1])],
        },
    }


def _number(value: float) -> str:
    return "–" if math.isnan(value) else f"{value:.3f}"


def _range(interval: Interval) -> str:
    return "–" if math.isnan(interval.low) else f"{interval.low:.2f} … {interval.high:.2f}"


def _defined(value: float) -> float | None:
    return None if math.isnan(value) else value
