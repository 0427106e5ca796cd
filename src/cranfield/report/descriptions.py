"""Tables of collections: what is in one, and two side by side.

Facts, concepts with a bar for their frequency, the strongest pairs, the most frequent label sets,
and below everything what looks like a mistake. Of many concepts the most frequent and the rarest
are shown; CSV and JSON hold all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.markup import escape
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from cranfield.collections.description import Description, Overlap
from cranfield.errors import first_ten, several
from cranfield.report.standings import UNDEFINED
from cranfield.report.tables import cut_name, plain_table, remark

_WHOLE = 100
"""Concepts that a table shows all of; of more only so many at its two ends:"""
_HEAD, _TAIL = 40, 10
_SETS = 5
_BAR = 20
_SIDE = 12
"""Letters of a collection's name above its column."""
_EIGHTHS = " ▏▎▍▌▋▊▉"


def description_tables(description: Description, *, pairs: int) -> Group:
    """Everything about one collection that a screen can show."""
    return Group(
        _heading(description.name),
        _facts([description]),
        *_concepts(description),
        *_pairs(description, pairs),
        *_label_sets(description),
        *_oddities(description, "Worth a second look"),
    )


def overlap_tables(overlap: Overlap) -> Group:
    """Two collections side by side."""
    sides = dict(zip(overlap.names, (overlap.one, overlap.other), strict=True))
    return Group(
        _heading(" and ".join(sides)),
        _facts(list(sides.values()), list(sides)),
        _heading("What they share"),
        _shared(overlap),
        *_partners(overlap),
        *(
            part
            for name, side in sides.items()
            for part in _oddities(side, f"Worth a second look in {name}")
        ),
    )


# ── facts ─────────────────────────────────────────────────────────────────────────────────────


def _sizes(description: Description) -> str | None:
    sizes = description.set_sizes
    return f"{min(sizes)} to {max(sizes)}" if sizes else None


def _cells(cells: int, description: Description) -> str | None:
    """A number of cells and its share; None if there are none."""
    return (
        f"{cells:,} ({cells / (description.items * description.concepts):.1%})" if cells else None
    )


def _grades(description: Description) -> str | None:
    if description.grades is None:
        return None
    return ", ".join(f"{grade}: {cells:,}" for grade, cells in description.grades.items())


_FACTS: tuple[tuple[str, Callable[[Description], str | None], str], ...] = (
    ("items", lambda d: f"{d.items:,}", ""),
    ("concepts", lambda d: f"{d.concepts:,}", ""),
    ("labels", lambda d: f"{d.labels:,}", "positive cells"),
    ("cardinality", lambda d: _number(d.cardinality), "labels an item carries on average"),
    ("density", lambda d: _number(d.density), "share of cells that are positive"),
    ("label sets", lambda d: f"{d.distinct:,}", "distinct sets of labels"),
    ("distinct share", lambda d: _number(d.distinct_share), "distinct sets by items"),
    ("set sizes", _sizes, "fewest and most labels of an item"),
    ("without labels", lambda d: f"{d.set_sizes.get(0, 0):,}", "items"),
    ("imbalance", lambda d: _number(d.mean_imbalance), "most frequent concept by each, on average"),
    ("its variation", lambda d: _number(d.imbalance_variation), "standard deviation by mean"),
    ("unjudged", lambda d: _cells(int(d.unjudged.sum()), d), "cells that nobody judged"),
    ("outside", lambda d: _cells(int(d.outside.sum()), d), "cells outside the pool"),
    ("grades", _grades, "judged cells of each grade"),
)


def _facts(sides: Sequence[Description], headings: Sequence[str] = ()) -> Table:
    """A line for each fact that there is, a column for each collection, and what it means."""
    table = Table(box=None, show_header=bool(headings), header_style="dim", padding=(0, 1, 0, 2))
    table.add_column("")
    for heading in headings or ("",):
        table.add_column(cut_name(heading), justify="right")
    table.add_column("", style="dim")
    for term, value, meaning in _FACTS:
        values = [value(side) for side in sides]
        if any(values):
            table.add_row(term, *(Text(entry or UNDEFINED, "bold") for entry in values), meaning)
    return table


# ── concepts ──────────────────────────────────────────────────────────────────────────────────


def _concepts(description: Description) -> Iterator[RenderableType]:
    frame = description.frame
    gaps = _has_gaps(description)
    table = plain_table()
    table.add_column("concept")
    for title in ("positives", "frequency"):
        table.add_column(title, justify="right", no_wrap=True)
    table.add_column("", no_wrap=True)
    for title in ("imbalance", "judged") if gaps else ("imbalance",):
        table.add_column(title, justify="right", no_wrap=True)
    rows = frame.sort("positives", descending=True, maintain_order=True).rows(named=True)
    for row in _shortened(rows):
        if row is None:
            table.add_row(Text("⋮", "dim"))
            continue
        table.add_row(
            _name(description, row["concept"]),
            f"{row['positives']:,}",
            _percent(row["frequency"]),
            _bar(row["frequency"]),
            _number(row["imbalance"], digits=2) or UNDEFINED,
            *([f"{row['judged']:,}"] if gaps else []),
        )
    yield table
    yield from _left_out(len(rows))
    yield from _frequency_of([description])


def _pairs(description: Description, wanted: int) -> Iterator[RenderableType]:
    together = description.cooccurrence
    if not wanted or not together.pairs.height:
        return
    yield _heading("Concepts that come together")
    table = plain_table()
    for title in ("\nfirst", "\nsecond"):
        table.add_column(title)
    for title in (
        "\ntogether", "\nφ", "\nJaccard", "second\nif first", "first\nif second", "\nlift",
    ):  # fmt: skip
        table.add_column(title, justify="right", no_wrap=True)
    for row in together.pairs.head(wanted).rows(named=True):
        table.add_row(
            _name(description, row["first"]),
            _name(description, row["second"]),
            f"{row['together']:,}",
            _number(row["phi"], digits=3) or UNDEFINED,
            f"{row['jaccard']:.3f}",
            _percent(row["second_given_first"]),
            _percent(row["first_given_second"]),
            f"{row['lift']:.2f}",
        )
    yield table
    if together.left_out:
        yield remark(f"among the {len(together.concepts):,} most frequent concepts")


def _label_sets(description: Description) -> Iterator[RenderableType]:
    frequent = [entry for entry in description.most_frequent_sets(_SETS) if entry.items > 1]
    if not frequent:
        return
    yield _heading("Most frequent label sets")
    table = plain_table()
    table.add_column("items", justify="right")
    table.add_column("labels", overflow="ellipsis")
    for labels, items in frequent:
        names = ", ".join(description.names[concept] for concept in labels)
        table.add_row(f"{items:,}", escape(names) if names else Text("none", "dim"))
    yield table


def _oddities(description: Description, heading: str) -> Iterator[RenderableType]:
    odd = description.oddities
    lines = [
        *_named("never positive", odd.never_positive),
        *_named("positive wherever judged", odd.never_negative),
        *_groups("concepts with the same positives", odd.equal_concepts),
        *_groups("concepts that are spelled almost alike", odd.similar_concepts),
        *_groups("items that are spelled almost alike", odd.similar_items),
        *_groups("items with the same features", odd.equal_items),
    ]
    if lines:
        yield _heading(heading, style="bold yellow")
        for line in lines:
            yield Padding(Text(line, "yellow"), (0, 0, 0, 2), expand=False)


def _named(what: str, names: Sequence[str]) -> list[str]:
    return [f"{what}: {several(len(names), 'concept')}, {first_ten(names)}"] if names else []


def _groups(what: str, groups: Sequence[Sequence[str]]) -> list[str]:
    if not groups:
        return []
    shown = "; ".join(first_ten(group) for group in groups[:3])
    more = f"; and {len(groups) - 3} more groups" if len(groups) > 3 else ""
    return [f"{what}: {shown}{more}"]


# ── two collections ───────────────────────────────────────────────────────────────────────────


def _shared(overlap: Overlap) -> Table:
    table = Table(box=None, show_header=False, padding=(0, 1, 0, 2))
    for style in ("", "bold", "dim"):
        table.add_column("", style=style)
    near = f"{overlap.near} of them nearly" if overlap.near else ""
    table.add_row("concepts", str(len(overlap.partners)), near)
    for name, share in zip(overlap.names, overlap.coverage, strict=True):
        table.add_row("coverage", _percent(share), f"of the concepts of {escape(name)}")
    if overlap.items is None:
        table.add_row("items", UNDEFINED, "unknown, since one of the collections has no item ids")
        return table
    table.add_row("items", f"{len(overlap.items):,}", "")
    if overlap.agreement is not None:
        cells = several(int(overlap.compared.sum()), "cell")
        meaning = f"of {cells} that both judged have equal labels"
        table.add_row("agreement", _percent(overlap.agreement), meaning)
    return table


def _partners(overlap: Overlap) -> Iterator[RenderableType]:
    agreed = overlap.agreement is not None
    table = plain_table()
    table.add_column("concept")
    for name in overlap.names:
        table.add_column(cut_name(name), justify="right", no_wrap=True, max_width=_SIDE)
        table.add_column("", no_wrap=True)
    if agreed:
        table.add_column("agreement", justify="right", no_wrap=True)
    rows = overlap.frame.rows(named=True)
    for row in _shortened(rows):
        if row is None:
            table.add_row(Text("⋮", "dim"))
            continue
        table.add_row(
            _partner(overlap, row),
            *_frequency(row["concept"], row["frequency"]),
            *_frequency(row["other"], row["other_frequency"]),
            *([_percent(row["agreement"])] if agreed and row["match"] else []),
        )
    yield table
    yield from _left_out(len(rows))
    yield from _frequency_of([overlap.one, overlap.other])
    if overlap.near:
        yield remark("in brackets: what the other collection calls a concept that nearly matches")


def _partner(overlap: Overlap, row: dict[str, Any]) -> Text:
    if row["concept"] is None:
        return _name(overlap.other, row["other"])
    name = _name(overlap.one, row["concept"])
    return name.append(f" ({row['other']})") if row["match"] == "near" else name


def _frequency(concept: str | None, share: float | None) -> tuple[str | Text, str | Text]:
    return ("", "") if concept is None else (_percent(share), _bar(share, _BAR // 2))


# ── cells ─────────────────────────────────────────────────────────────────────────────────────


def _heading(text: str, style: str = "bold") -> Text:
    return Text(f"\n  {text}", style=style)


def _name(description: Description, concept: str) -> Text:
    """What people call a concept, and its id beside it where that differs."""
    name = description.names[concept]
    return cut_name(name) if name == concept else cut_name(name).append(f"  {concept}", "dim")


def _shortened(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any] | None]:
    """All rows, or the first and last of many with None for those between."""
    if len(rows) <= _WHOLE:
        return list(rows)
    return [*rows[:_HEAD], None, *rows[-_TAIL:]]


def _left_out(rows: int) -> Iterator[Padding]:
    if rows > _WHOLE:
        yield remark(
            f"{rows - _HEAD - _TAIL:,} concepts are not shown; CSV and JSON hold all of them"
        )


def _has_gaps(description: Description) -> bool:
    return bool(description.unjudged.any() or description.outside.any())


def _frequency_of(sides: Sequence[Description]) -> Iterator[Padding]:
    """With gaps a reader may take frequencies for shares of what was judged."""
    if any(map(_has_gaps, sides)):
        yield remark(
            "frequencies are shares of all items, whether a concept was judged there or not"
        )


def _bar(share: float | None, width: int = _BAR) -> Text:
    """A share as a bar, to an eighth of a letter; at least a hair for what is there."""
    eighths = round((share or 0.0) * width * 8)
    full, rest = divmod(max(eighths, 1) if share else 0, 8)
    return Text("█" * full + _EIGHTHS[rest].strip(), "cyan")


def _percent(share: float | None) -> str:
    return UNDEFINED if share is None else f"{share:.1%}"


def _number(value: float | None, digits: int = 4) -> str | None:
    return None if value is None else f"{value:.{digits}f}"
