"""Audits on the screen and on paper: the card of a measure, and requirements by measures.

A card lists every requirement with the smallest counterexample; the matrix has only the marks.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.table import Table
from rich.text import Text

from cranfield.report.tables import blocks, plain_table, remark
from cranfield.studies.audit import MARKS, AuditCard, Finding, Verdict

_STYLES = {"holds": "green", "fails": "red", "inapplicable": "dim", "unknown": "yellow"}
_WORDS: dict[Verdict, str] = {
    "holds": "holds",
    "fails": "fails",
    "inapplicable": "does not apply",
    "unknown": "no time to look",
}


def audit_card(card: AuditCard) -> RenderableType:
    """Every requirement, met or not, and why not."""
    table = plain_table()
    table.add_column("")
    table.add_column("requirement", no_wrap=True)
    table.add_column("")
    for one in card.findings:
        table.add_row(_mark(one), Text(one.requirement), _told(one))
    return Group(Text(f"\n  {card.heading}", style="bold"), table, remark(str(card.extent)))


@dataclass(frozen=True)
class AuditMatrix:
    """Requirements by measures; where the terminal is too narrow, measures go on below."""

    cards: Sequence[AuditCard]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        requirements = [one.requirement for one in self.cards[0].findings]
        room = options.max_width - max(map(cell_len, requirements)) - 4
        for block in blocks([cell_len(card.measure) for card in self.cards], room):
            yield self._table(requirements, self.cards[block])
        yield remark(_legend(self.cards))

    def _table(self, requirements: list[str], cards: Sequence[AuditCard]) -> Table:
        table = plain_table()
        table.add_column("requirement", no_wrap=True)
        for card in cards:
            table.add_column(Text(card.measure), justify="center", no_wrap=True)
        for name in requirements:
            table.add_row(name, *(_mark(card[name]) for card in cards))
        return table


def audit_table(cards: Sequence[AuditCard], *, in_full: bool) -> Group:
    """The card of one measure; of several the matrix, and cards if wanted in full."""
    several = len(cards) > 1
    shown = map(audit_card, cards) if in_full or not several else ()
    return Group(*([AuditMatrix(cards)] if several else []), *shown)


def audit_markdown(cards: Sequence[AuditCard], *, in_full: bool) -> str:
    """The same for documents."""
    several = len(cards) > 1
    shown = map(_card_markdown, cards) if in_full or not several else ()
    return "\n".join([*([_matrix_markdown(cards)] if several else []), *shown])


def _matrix_markdown(cards: Sequence[AuditCard]) -> str:
    """Requirements by measures, with a legend."""
    rows = [["", *(f"`{card.measure}`" for card in cards)]]
    rows.append(["---", *[":-:"] * len(cards)])
    for one in cards[0].findings:
        marks = [MARKS[card[one.requirement].verdict] for card in cards]
        rows.append([one.requirement, *marks])
    return _table_markdown(rows) + f"\n{_legend(cards)}\n"


def _legend(cards: Sequence[AuditCard]) -> str:
    """Time is only spoken of where it ran out."""
    seen = {one.verdict for card in cards for one in card.findings}
    told = (one for one in _WORDS if one != "unknown" or one in seen)
    return ", ".join(f"{MARKS[one]} {_WORDS[one]}" for one in told)


def _card_markdown(card: AuditCard) -> str:
    rows = [["", "requirement", ""], ["---", "---", "---"]]
    for one in card.findings:
        told = "<br>".join(line.plain.replace("|", "\\|") for line in _lines(one))
        rows.append([MARKS[one.verdict], one.requirement, told])
    return f"## {card.measure}\n\n{card.heading}\n\n{_table_markdown(rows)}\n{card.extent}\n"


def _table_markdown(rows: list[list[str]]) -> str:
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def audit_csv(cards: Sequence[AuditCard]) -> str:
    """One line for each measure and requirement."""
    out = io.StringIO()
    rows = [row for card in cards for row in card.rows()]
    writer = csv.DictWriter(out, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def audit_json(cards: Sequence[AuditCard]) -> str:
    """{"audits": [{"measure", "findings", "extent", …}, …]}"""
    said = {"audits": [card.to_dict() for card in cards]}
    return json.dumps(said, indent=2, ensure_ascii=False) + "\n"


def _mark(finding: Finding) -> Text:
    return Text(MARKS[finding.verdict], style=_STYLES[finding.verdict])


def _told(finding: Finding) -> Text:
    return Text("\n").join(_lines(finding))


def _lines(finding: Finding) -> list[Text]:
    """What a requirement says; the counterexample, a line for each pair; a note."""
    lines = [Text(finding.says)]
    shown = finding.counterexample
    if shown is not None:
        lines.append(Text(shown.why, style="red"))
        lines += [Text(f"  {pair}") for pair in shown.pairs]
    if finding.note:
        lines.append(Text(finding.note, style="dim"))
    return lines
