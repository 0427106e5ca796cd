"""Explanations on a terminal: labels, what each was matched with and what it counts, and the sum.

Whatever is needed to follow the arithmetic by hand: cost or relatedness, the agreement it is
multiplied by, and the rule that a label breaks.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from cranfield.engine.evaluation import Evaluation
from cranfield.measures.explanation import Explanation, Match, number
from cranfield.report.standings import UNDEFINED
from cranfield.report.tables import cut_name, plain_table, remark

Names = Mapping[str, str]
"""What concepts are called, where their ids are codes."""


def explanations(evaluation: Evaluation, items: Iterable[str]) -> list[Explanation]:
    """Each item by each measure, run after run."""
    wanted = list(dict.fromkeys(items))
    return [
        evaluation.explain(run, measure, item)
        for item in wanted
        for measure in evaluation.measures
        for run in evaluation.runs
    ]


def as_json(evaluation: Evaluation, explained: Iterable[Explanation]) -> str:
    """The scores, and besides them "explanations": […]."""
    content: dict[str, Any] = {
        "scores": list(evaluation.rows()),
        "explanations": [one.to_dict() for one in explained],
    }
    return json.dumps(content, indent=2, ensure_ascii=False) + "\n"


def explanation_tables(explained: Iterable[Explanation], names: Names) -> Group:
    """Every explanation, one below the other."""
    return Group(*(part for one in explained for part in _Page(one, names).parts()))


def headline(explained: Explanation) -> str:
    """What is explained, and the score."""
    if explained.score is None:
        return f"{explained.item}: {explained.measure} of {explained.run}"
    score = UNDEFINED if math.isnan(explained.score) else f"{explained.score:.4f}"
    return f"{explained.item}: {explained.measure} of {explained.run} = {score}"


class _Page:
    """One explanation."""

    def __init__(self, explained: Explanation, names: Names) -> None:
        self._explained = explained
        self._names = names

    def parts(self) -> Iterator[RenderableType]:
        yield Text(f"\n  {headline(self._explained)}\n", "bold")
        yield self._sets()
        if self._explained.unit is not None:
            yield self._matches()
        if self._explained.places:
            yield self._places()
        for line in self._explained.arithmetic[:-1]:
            yield Padding(Text(line), (0, 0, 0, 2), expand=False)
        yield Padding(Text(self._explained.arithmetic[-1], "bold"), (0, 0, 0, 2), expand=False)

    def _sets(self) -> Table:
        table = Table(box=None, show_header=False, padding=(0, 1, 0, 2))
        table.add_column("", style="dim", no_wrap=True)
        table.add_column("")
        one = self._explained
        sets = {"true": one.true}
        if not one.places:
            sets |= {"chosen" if one.unit == "relatedness" else "assigned": one.assigned}
            if one.sets:
                sets |= one.sets
            elif one.unit is None:
                sets |= {"hits": one.hits, "false": one.false, "missed": one.missed}
        for title, labels in sets.items():
            shown = ", ".join(map(self._name, labels))
            table.add_row(title, Text(shown) if shown else Text("none", "dim"))
        return table

    def _name(self, label: str) -> str:
        return self._names.get(label, label)

    # ── matches ───────────────────────────────────────────────────────────────────────────────

    def _matches(self) -> RenderableType:
        one = self._explained
        scaled = any(match.agreement != 1 for match in one.matches)
        table = plain_table()
        table.add_column("label")
        table.add_column("", style="dim", no_wrap=True)
        table.add_column("matched with")
        for title in (one.unit or "", *(("agreement", "counts") if scaled else ())):
            table.add_column(title, justify="right", no_wrap=True)
        if one.unit == "cost":
            for label in self._unharmed():
                name = cut_name(self._name(label))
                table.add_row(name, "right", name, "0", style="dim")
        for match in one.matches:
            numbers = [number(match.value)]
            if scaled:
                numbers += [number(match.agreement), number(match.counts)]
            table.add_row(
                cut_name(self._name(match.label)), self._role(match), self._partner(match), *numbers
            )
        if table.row_count:
            return table
        return remark("there is nothing to match")

    def _unharmed(self) -> list[str]:
        """Labels that are right and break no rule."""
        at_fault = {match.label for match in self._explained.matches}
        return [label for label in self._explained.hits if label not in at_fault]

    def _role(self, match: Match) -> str:
        if self._explained.unit == "relatedness":
            return "chosen" if match.side == "assigned" else "left over"
        if match.side == "true":
            return "missed"
        return "false" if match.label not in self._explained.hits else "right"

    def _partner(self, match: Match) -> Text:
        if match.rules:
            rules = "; ".join(map(str, match.rules))
            return Text(f"breaks a rule: {rules}", "red")
        if match.partner is None:
            return Text("nothing", "dim")
        return cut_name(self._name(match.partner))

    # ── places ────────────────────────────────────────────────────────────────────────────────

    def _places(self) -> Table:
        table = plain_table()
        table.add_column("true label")
        for title in ("place", "confidence"):
            table.add_column(title, justify="right", no_wrap=True)
        for place in self._explained.places:
            sure = UNDEFINED if place.confidence is None else f"{place.confidence:.4g}"
            table.add_row(cut_name(self._name(place.label)), str(place), sure)
        return table
