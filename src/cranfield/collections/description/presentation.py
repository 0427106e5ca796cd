"""Presentation: tables and charts of collections, alone and side by side.

Of many concepts the most frequent and the rarest are shown; CSV and JSON hold all of them. Charts
follow Nowak 2011 Fig 10.4: concepts in the order of the file, a series for each collection. The
heat map puts concepts that come together side by side; where none do, there is no map.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from cranfield.core.chart import Axis, Chart
from cranfield.core.matrices import Floats
from cranfield.core.table import Column, Graphic, Table
from cranfield.core.terms import Terms
from cranfield.errors import first_ten

if TYPE_CHECKING:
    from cranfield.collections.description.cooccurrence import Cooccurrence
    from cranfield.collections.description.facts import Description

_WHOLE = 100
"""Concepts that a table shows all of; of more only so many at its two ends:"""
_HEAD, _TAIL = 40, 10
_SETS = 5
_TOPICS = 20
"""Topics that are listed before the others are only counted."""
_BAR = 20
_NAMED = 100
"""Concepts that a chart has room to name."""
_NUMBERED = 400
"""Concepts that a chart has room for."""
_FORGETTING = 0.5
"""How much of their pull earlier neighbours keep from one row to the next."""


# ── facts ─────────────────────────────────────────────────────────────────────────────────────


def _sizes(description: Description) -> str | None:
    sizes = description.set_sizes
    return f"{min(sizes)} to {max(sizes)}" if sizes else None


def _cells(cells: int, description: Description) -> str | None:
    """A number of cells and its share; None if there are none."""
    whole = description.items * description.concepts
    return f"{cells:,} ({cells / whole:.1%})" if cells else None


def _grades(description: Description) -> str | None:
    if description.grades is None:
        return None
    return ", ".join(f"{grade}: {cells:,}" for grade, cells in description.grades.items())


def _number(value: float | None) -> str | None:
    return None if value is None else f"{value:.4f}"


def _facts(d: Description) -> list[tuple[str, str | None, str]]:
    """Facts, their values, None where there are none, and what they mean."""
    terms = d.terms
    ratio = f"mean imbalance ratio (most frequent ÷ each {terms.concept})"
    return [
        (terms.items, f"{d.items:,}", ""),
        (terms.concepts, f"{d.concepts:,}", ""),
        ("labels", f"{d.labels:,}", "positive cells"),
        ("cardinality", _number(d.cardinality), f"mean number of labels per {terms.item}"),
        ("density", _number(d.density), "share of cells that are positive"),
        ("label sets", f"{d.distinct:,}", "distinct sets of labels"),
        ("distinct share", _number(d.distinct_share), f"distinct label sets ÷ {terms.items}"),
        ("set sizes", _sizes(d), f"fewest and most labels per {terms.item}"),
        ("without labels", f"{d.set_sizes.get(0, 0):,}", terms.items),
        ("imbalance", _number(d.mean_imbalance), ratio),
        ("its variation", _number(d.imbalance_variation), "standard deviation ÷ mean of ratios"),
        ("unjudged", _cells(int(d.unjudged.sum()), d), "cells that nobody judged"),
        ("outside", _cells(int(d.outside.sum()), d), "cells outside the pool"),
        ("grades", _grades(d), "judged cells of each grade"),
    ]


def fact_table(sides: Mapping[str, Description], title: str) -> Table:
    """A row for each fact, a column for each collection, and what it means."""
    fields = [f"value {number}" for number, _ in enumerate(sides, 1)]
    rows = []
    for facts in zip(*map(_facts, sides.values()), strict=True):
        name, _, meaning = facts[0]
        values = [value for _, value, _ in facts]
        if any(values):
            cells = dict(zip(fields, values, strict=True))
            rows.append({"fact": name, **cells, "meaning": meaning})
    headings = ["value"] if len(sides) == 1 else list(sides)
    columns = [
        Column("fact", key=True),
        *(Column(*pair, align="right") for pair in zip(fields, headings, strict=True)),
        Column("meaning"),
    ]
    return Table("facts", rows, columns, title=title, audience="people")


# ── concepts ──────────────────────────────────────────────────────────────────────────────────


def concept_table(description: Description) -> Table:
    """The concepts, most frequent first, with bars."""
    gaps = has_gaps(description)
    frame = description.frame.sort("positives", descending=True, maintain_order=True)
    rows = [
        {
            "concept": named(description, row["concept"]),
            "positives": row["positives"],
            "frequency": row["frequency"],
            "imbalance": row["imbalance"],
            "judged": row["judged"],
        }
        for row in frame.rows(named=True)
    ]
    columns = [
        Column("concept", key=True),
        Column("positives", kind="count", align="right"),
        Column("frequency", kind="percent", digits=1, align="right", graphic=share_bar(_BAR)),
        Column("imbalance", digits=2, align="right"),
        *([Column("judged", kind="count", align="right")] if gaps else []),
    ]
    terms = description.terms
    remarks = [*left_out(len(rows), terms), *frequency_remarks([description])]
    title = terms.concepts.capitalize()
    return Table("shown", shortened(rows), columns, title=title, remarks=remarks, audience="people")


def pair_tables(description: Description, count: int) -> Iterator[Table]:
    """The pairs of concepts that go together most, if any do."""
    together = description.cooccurrence
    if not count or not together.pairs.height:
        return
    rows = [
        row | {side: named(description, row[side]) for side in ("first", "second")}
        for row in together.pairs.head(count).rows(named=True)
    ]
    columns = (
        Column("first", key=True),
        Column("second", key=True),
        Column("together", "both", kind="count"),
        Column("phi", "φ"),
        Column("jaccard", "Jaccard"),
        Column("second_given_first", "P(2|1)", kind="percent", digits=1),
        Column("first_given_second", "P(1|2)", kind="percent", digits=1),
        Column("lift", digits=2),
    )
    terms = description.terms
    remarks = [
        f"P(2|1): share of the {terms.items} with the first {terms.concept} that carry the second"
    ]
    if together.left_out:
        remarks.append(f"among the {len(together.concepts):,} most frequent {terms.concepts}")
    title = f"{terms.concepts.capitalize()} that occur together"
    yield Table("pairs", rows, columns, title=title, remarks=remarks, audience="people")


def label_set_tables(description: Description) -> Iterator[Table]:
    """The label sets that most items carry, if any is carried twice."""
    rows = [
        {
            "items": items,
            "labels": ", ".join(description.names[concept] for concept in labels) or "none",
        }
        for labels, items in description.most_frequent_sets(_SETS)
        if items > 1
    ]
    if rows:
        columns = (Column("labels", key=True), Column("items", kind="count"))
        title = "Most frequent label sets"
        yield Table("label_sets", rows, columns, title=title, audience="people")


def oddity_tables(description: Description, title: str) -> Iterator[Table]:
    """What looks like a mistake, if anything does."""
    odd, terms = description.oddities, description.terms
    single = {
        f"{terms.concepts} never positive": odd.never_positive,
        f"{terms.concepts} positive wherever judged": odd.never_negative,
    }
    groups = {
        f"{terms.concepts} with the same positives": odd.equal_concepts,
        f"{terms.concepts} that are spelled almost alike": odd.similar_concepts,
        f"{terms.items} that are spelled almost alike": odd.similar_items,
        f"{terms.items} with the same features": odd.equal_items,
    }
    rows = [
        {"what": what, "count": len(names), "which": first_ten(names)}
        for what, names in single.items()
        if names
    ]
    for what, members in groups.items():
        if members:
            shown = "; ".join(first_ten(group) for group in members[:3])
            more = f"; and {len(members) - 3} more groups" if len(members) > 3 else ""
            rows.append({"what": what, "count": len(members), "which": f"{shown}{more}"})
    if rows:
        columns = (Column("what", "finding", key=True), Column("count"), Column("which"))
        yield Table("oddities", rows, columns, title=title, audience="people")


def topic_tables(description: Description) -> Iterator[Table]:
    """What topics ask for, where concepts are topics of a search."""
    topics = description.collection.topics
    if not topics:
        return
    rows = [{"topic": name, **topic._asdict()} for name, topic in list(topics.items())[:_TOPICS]]
    columns = [
        Column("topic", key=True),
        *(Column(f) for f in ("title", "description", "narrative") if any(r[f] for r in rows)),
    ]
    more = len(topics) - _TOPICS
    remarks = [f"and {more} more topics"] if more > 0 else []
    yield Table("topics", rows, columns, title="Topics", remarks=remarks, audience="people")


# ── cells ─────────────────────────────────────────────────────────────────────────────────────


def named(description: Description, concept: str) -> str:
    """What people call a concept, and its id where that differs."""
    name = description.names[concept]
    return name if name == concept else f"{name} ({concept})"


def shortened(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """All rows, or the first and last of many with a gap between."""
    if len(rows) <= _WHOLE:
        return list(rows)
    gap = dict.fromkeys(rows[0], "") | {next(iter(rows[0])): "⋮"}
    return [*rows[:_HEAD], gap, *rows[-_TAIL:]]


def left_out(rows: int, terms: Terms) -> list[str]:
    hidden = rows - _HEAD - _TAIL
    if rows <= _WHOLE:
        return []
    return [f"{hidden:,} {terms.concepts} are not shown; CSV and JSON hold all of them"]


def has_gaps(description: Description) -> bool:
    return bool(description.unjudged.any() or description.outside.any())


def frequency_remarks(sides: Sequence[Description]) -> list[str]:
    """With gaps a reader may take frequencies for shares of what was judged."""
    if not any(map(has_gaps, sides)):
        return []
    terms = sides[0].terms
    return [f"frequencies are shares of all {terms.items}, whether they were judged or not"]


def share_bar(letters: int) -> Graphic:
    """Bars of shares; terminals draw them in so many letters."""
    return Graphic("bar", domain=(0.0, 1.0), letters=letters)


# ── charts ────────────────────────────────────────────────────────────────────────────────────


def summary(name: str, description: Description) -> str:
    """A collection in a line."""
    terms = description.terms
    words = [
        terms.several(description.items, "item"),
        terms.several(description.concepts, "concept"),
    ]
    if description.cardinality is not None:
        words.append(f"{description.cardinality:.2f} labels per {terms.item}")
    if not description.cooccurrence.pairs.height:
        words.append(f"no two {terms.concepts} occur together")
    return f"{name}: {', '.join(words)}"


def frequency_chart(
    labels: Sequence[str], series: Mapping[str, Floats], summaries: Sequence[str], terms: Terms
) -> Chart:
    """How frequent concepts are, by name where they fit, else by number."""
    highest = np.max([np.nan_to_num(column) for column in series.values()], axis=0)
    shown = np.sort(np.argsort(-highest, kind="stable")[:_NUMBERED])
    names = distinct(labels)
    rows = [
        {
            "number": int(row) + 1,
            "concept": names[row],
            "collection": name,
            "frequency": float(column[row]),
        }
        for row in shown
        for name, column in series.items()
        if not np.isnan(column[row])
    ]
    # Without a positive there is no top to find.
    domain = None if highest.any() else (0.0, 1.0)
    frequency = Axis("frequency", f"share of {terms.items}", percent=True, zero=True, domain=domain)
    number = Axis("number", f"number of the {terms.concept}")
    by_name = len(shown) <= _NAMED
    alone = len(series) == 1
    return Chart(
        kind=("bars" if alone else "ranges") if by_name else "dots",
        rows=rows,
        x=frequency if by_name else number,
        y=Axis("concept", scale="names") if by_name else frequency,
        series="" if alone else "collection",
        order=() if alone else list(series),
        tooltip=("number", "concept", "collection", "frequency"),
        title=f"How frequent the {terms.concepts} are",
        subtitle="; ".join([*summaries, *_part(len(shown), len(labels), terms)]),
    )


def heat_maps(description: Description, order: Sequence[str]) -> list[Chart]:
    """Which concepts come together, unless none do."""
    together = description.cooccurrence
    if not together.pairs.height:
        return []
    index = {concept: number for number, concept in enumerate(together.concepts)}
    chosen = [index[concept] for concept in order if concept in index][:_NAMED]
    labels = distinct([description.names[together.concepts[number]] for number in chosen])
    rows = [
        {
            "with": labels[row],
            "also": labels[column],
            "items": int(together.counts[one, other]),
            "share": float(together.conditional[one, other]) if one != other else None,
        }
        for row, one in enumerate(chosen)
        for column, other in enumerate(chosen)
    ]
    terms = description.terms
    reading = (
        f"of the {terms.items} with the row's {terms.concept}, the share that carries the column's"
    )
    return [
        Chart(
            kind="heat",
            rows=rows,
            x=Axis("also", scale="names"),
            y=Axis("with", scale="names"),
            value="share",
            tooltip=("with", "also", "items", "share"),
            title=f"Which {terms.concepts} occur together: {description.name}",
            subtitle="; ".join([reading, *_part(len(chosen), description.concepts, terms)]),
        )
    ]


def neighbours(together: Cooccurrence) -> list[str]:
    """The most frequent concepts in an order in which those that attract each other are close.

    The most frequent stands first; whoever is drawn most to those placed last comes next.
    """
    frequent = np.argsort(-together.positives, kind="stable")[:_NAMED]
    attraction = np.nan_to_num(together.correlation[np.ix_(frequent, frequent)])
    order: list[int] = []
    free = np.ones(len(frequent), dtype=bool)
    pull = np.zeros(len(frequent))
    while free.any():
        order.append(int(np.argmax(np.where(free, pull, -np.inf))))
        free[order[-1]] = False
        pull = _FORGETTING * pull + attraction[order[-1]]
    return [together.concepts[number] for number in frequent[order]]


def distinct(labels: Sequence[str]) -> list[str]:
    """Names along an axis, numbered where two are called the same."""
    seen: dict[str, int] = {}
    out = []
    for label in labels:
        seen[label] = seen.get(label, 0) + 1
        out.append(label if seen[label] == 1 else f"{label} ({seen[label]})")
    return out


def _part(shown: int, concepts: int, terms: Terms) -> list[str]:
    if shown == concepts:
        return []
    return [f"the {shown} most frequent of {terms.several(concepts, 'concept')}"]
