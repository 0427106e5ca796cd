"""Tables of repairs and closures: what was done to labels, by which rules, and what is left."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from cranfield.errors import several
from cranfield.knowledge.closing import Closure
from cranfield.knowledge.repair import Change, Repair
from cranfield.report.tables import cut_name, plain_table, remark
from cranfield.report.violations import rule_table

_SHOWN = 20
"""Changes and contradictions that are told one by one."""
_DIGITS = 4
_WAYS = {
    "labels": "the smallest change that breaks no rule",
    "confidences": "the most probable label sets that break no rule",
}


class Gain(NamedTuple):
    """The Ontology Score before and after a repair."""

    before: float
    after: float
    of: str
    """What was scored."""


def repair_tables(repair: Repair, gain: Gain | None) -> Group:
    """What a repair changed, the rules that were broken, and what it is good for."""
    parts: list[RenderableType] = []
    if repair.changes:
        parts += [_changes(repair.changes), rule_table(list(repair.broken.items()))]
    parts.append(
        remark(
            f"{len(repair.changes)} of {several(repair.items, 'item')} changed: "
            f"{several(repair.added, 'label')} added, {repair.removed} removed "
            f"({_WAYS[repair.by]})"
        )
    )
    if gain is not None:
        parts.append(remark(_gained(gain)))
    return Group(*parts)


def _changes(changes: tuple[Change, ...]) -> Table:
    table = plain_table()
    for heading in ("item", "added", "removed", "broken"):
        table.add_column(heading)
    for change in changes[:_SHOWN]:
        table.add_row(
            cut_name(change.item),
            Text(", ".join(change.added), "green"),
            Text(", ".join(change.removed), "red"),
            Text("; ".join(map(str, change.broken)), "dim"),
        )
    if len(changes) > _SHOWN:
        table.add_row(f"… {len(changes) - _SHOWN} more")
    return table


def _gained(gain: Gain) -> str:
    difference = gain.after - gain.before
    return (
        f"OS {gain.of}: {gain.before:.{_DIGITS}f} → {gain.after:.{_DIGITS}f} "
        f"({difference:+.{_DIGITS}f})"
    )


def closure_tables(closure: Closure) -> Group:
    """Which cells were resolved by which rules, and which ones are at odds."""
    table = plain_table()
    table.add_column("resolved by")
    for heading in ("positive", "negative"):
        table.add_column(heading, justify="right")
    for kind, cells in closure.resolved.items():
        table.add_row(_KINDS[kind], *(f"{count:,}" for count in cells))
    table.add_section()
    table.add_row("all", *(f"{count:,}" for count in closure.total))
    left = f"{several(closure.unjudged, 'cell')} still unjudged"
    if not sum(closure.total) and not closure.unjudged:
        left = "every cell was judged; to change judgements that break rules, repair them"
    return Group(table, remark(left), *_at_odds(closure))


_KINDS = {
    "hierarchy": "hierarchy (concepts above and below)",
    "disjoint": "disjoint groups",
    "implication": "what concepts need",
    "required": "required groups",
}


def _at_odds(closure: Closure) -> Iterator[RenderableType]:
    found = closure.contradictions
    if not found:
        return
    yield Text(f"\n  {several(len(found), 'contradiction')}, left as they were", "bold red")
    for one in found[:_SHOWN]:
        yield Padding(Text(str(one)), (0, 0, 0, 2), expand=False)
    if len(found) > _SHOWN:
        yield remark(f"and {len(found) - _SHOWN} more")
