"""Explanations as tables: labels, what each was matched with and what it counts, and the sum.

Whatever is needed to follow the arithmetic by hand: cost or relatedness, the agreement it is
multiplied by, and the rule that a label breaks.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from cranfield.core.table import Column, Table

if TYPE_CHECKING:
    from cranfield.measures.explanation import Explanation, Match

Names = Mapping[str, str]
"""What concepts are called, where their ids are codes."""


def headline(explained: Explanation) -> str:
    """What is explained, and the score."""
    what = f"{explained.item}: {explained.measure} of {explained.run}"
    if explained.score is None:
        return what
    return f"{what} = {'–' if math.isnan(explained.score) else f'{explained.score:.4f}'}"


def explanation_tables(explained: Explanation, names: Names) -> list[Table]:
    """The sets of labels, what became of each label, and the arithmetic below."""
    tables = [_sets(explained, names)]
    if explained.unit is not None and (rows := list(_matches(explained, names))):
        tables.append(_match_table(explained, rows))
    if explained.places:
        tables.append(_ranks(explained, names))
    *others, last = tables
    nothing = ["there is nothing to match"] if explained.unit and len(tables) == 1 else []
    remarks = [*nothing, *explained.arithmetic]
    return [*others, Table(last.name, last.rows, last.columns, last.title, remarks, "people")]


def label_rows(explained: Explanation) -> list[dict[str, Any]]:
    """A row for each label of either set, for programs."""
    true, assigned = set(explained.true), set(explained.assigned)
    matches = {match.label: match for match in explained.matches}
    ranks = {rank.label: rank for rank in explained.places}
    rows = []
    for label in dict.fromkeys((*explained.true, *explained.assigned, *matches)):
        match, rank = matches.get(label), ranks.get(label)
        rows.append(
            {
                "item": explained.item,
                "run": explained.run,
                "measure": explained.measure,
                "score": explained.score,
                "label": label,
                "true": label in true,
                "assigned": label in assigned,
                "partner": match.partner if match else None,
                "unit": explained.unit if match else None,
                "value": match.value if match else None,
                "agreement": match.agreement if match else None,
                "counts": match.counts if match else None,
                "rules": "; ".join(map(str, match.rules)) if match else "",
                "confidence": rank.confidence if rank else None,
                "first": rank.first if rank else None,
                "last": rank.last if rank else None,
            }
        )
    return rows


def _sets(explained: Explanation, names: Names) -> Table:
    sets = {"true": explained.true}
    if not explained.places:
        sets |= {_assigned(explained): explained.assigned}
        if explained.sets:
            sets |= explained.sets
        elif explained.unit is None:
            sets |= {name: getattr(explained, name) for name in ("hits", "false", "missed")}
    rows = [
        {"set": title, "labels": ", ".join(names.get(label, label) for label in labels) or "none"}
        for title, labels in sets.items()
    ]
    columns = (Column("set", key=True), Column("labels"))
    return Table("sets", rows, columns, title=headline(explained), audience="people")


def _assigned(explained: Explanation) -> str:
    return "chosen" if explained.unit == "relatedness" else "assigned"


def _matches(explained: Explanation, names: Names) -> Iterator[dict[str, Any]]:
    if explained.unit == "cost":
        at_fault = {match.label for match in explained.matches}
        for label in explained.hits:
            if label not in at_fault:
                name = names.get(label, label)
                yield _row(name, "right", name, 0.0) | {"_emphasis": "faint"}
    for match in explained.matches:
        role, partner = _role(explained, match), _partner(match, names)
        row = _row(names.get(match.label, match.label), role, partner, match.value)
        scaled = {"agreement": match.agreement, "counts": match.counts}
        yield row | scaled | {"_emphasis": "strong" if match.rules else ""}


def _row(label: str, role: str, partner: str, value: float) -> dict[str, Any]:
    return {"label": label, "role": role, "partner": partner, "value": value, "agreement": 1.0,
            "counts": value}  # fmt: skip


def _match_table(explained: Explanation, rows: list[dict[str, Any]]) -> Table:
    scaled = any(match.agreement != 1 for match in explained.matches)
    columns = [
        Column("label", key=True),
        Column("role", " "),
        Column("partner", "matched with"),
        Column("value", explained.unit or "", digits=4),
    ]
    if scaled:
        columns += [Column("agreement", digits=4), Column("counts", digits=4)]
    return Table("matches", rows, columns, audience="people", emphasis="_emphasis")


def _role(explained: Explanation, match: Match) -> str:
    if explained.unit == "relatedness":
        return "chosen" if match.side == "assigned" else "left over"
    if match.side == "true":
        return "missed"
    return "false" if match.label not in explained.hits else "right"


def _partner(match: Match, names: Names) -> str:
    if match.rules:
        return f"breaks a rule: {'; '.join(map(str, match.rules))}"
    return "nothing" if match.partner is None else names.get(match.partner, match.partner)


def _ranks(explained: Explanation, names: Names) -> Table:
    rows = [
        {
            "label": names.get(rank.label, rank.label),
            "rank": str(rank),
            "confidence": "–" if rank.confidence is None else f"{rank.confidence:.4g}",
        }
        for rank in explained.places
    ]
    columns = (
        Column("label", "true label", key=True),
        Column("rank", "place", align="right"),
        Column("confidence", align="right"),
    )
    return Table("places", rows, columns, audience="people")
