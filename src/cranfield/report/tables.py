"""Tables for the terminal: evaluations, and the scores of single concepts or items.

Runs are rows, measures columns. An arrow says which way is better, bold marks the best of each
column, – an undefined score. What must be said beside the numbers follows below the table.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from rich import box
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, Group, RenderResult
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from cranfield.core.printable import printable_name
from cranfield.engine.evaluation import Evaluation
from cranfield.measures import Measure
from cranfield.report.standings import ARROWS, UNDEFINED, Standings, unit_names, written

_DIGITS = 4
_BEST = "bold green"


def evaluation_table(evaluation: Evaluation) -> Group:
    """Every run by every measure, with remarks below."""
    standings = Standings(evaluation)
    return Group(
        ScoreTable(standings, standings.runs),
        *(remark(text) for text in standings.remarks),
    )


@dataclass(frozen=True)
class ScoreTable:
    """Runs by measures; where the terminal is too narrow, measures go on in further tables."""

    standings: Standings
    runs: tuple[str, ...]
    """The rows; their places are those among all runs."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        names = names_width((*self.runs, "run"), options)
        room = options.max_width - names - len(str(len(self.standings.runs))) - 6
        measures = self.standings.measures
        widths = [max(map(cell_len, heading(one).plain.split("\n"))) for one in measures]
        for block in blocks(widths, room):
            yield self._table(measures[block])

    def _table(self, measures: tuple[Measure, ...]) -> Table:
        table = plain_table()
        table.add_column("", justify="right", style="dim", no_wrap=True)
        table.add_column("\nrun")
        for measure in measures:
            table.add_column(heading(measure), justify="right", no_wrap=True)
        for run in self.runs:
            rank = self.standings.place(run)
            cells = [_cell(self.standings, run, measure) for measure in measures]
            table.add_row(UNDEFINED if rank is None else str(rank), cut_name(run), *cells)
        return table


def unit_tables(evaluation: Evaluation, descriptions: Mapping[str, str]) -> Group:
    """For each measure its concepts or items by runs; codes of concepts with what they mean."""
    standings = Standings(evaluation)
    parts = [
        UnitTable(standings, measure, descriptions)
        if unit_names(evaluation.truth, measure)
        else remark(f"{measure} pools all cells and has no scores of single units")
        for measure in standings.measures
    ]
    return Group(*parts, *(remark(text) for text in standings.remarks))


@dataclass(frozen=True)
class UnitTable:
    """The scores of single concepts or items by one measure; runs are columns."""

    standings: Standings
    measure: Measure
    descriptions: Mapping[str, str]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        names = [self._called(name) for name in self._units]
        runs = self.standings.runs
        room = options.max_width - names_width(names, options) - 4
        yield Text(f"\n  {self.measure} {_arrow(self.measure)}", style="bold")
        widest = max(_DIGITS + 2, room - 2)
        for block in blocks([min(cell_len(run), widest) for run in runs], room):
            yield self._table(names, runs[block], widest)

    @property
    def _units(self) -> tuple[str, ...]:
        return unit_names(self.standings.evaluation.truth, self.measure)

    def _called(self, name: str) -> str:
        said = self.measure.traits.direction == "concept" and self.descriptions.get(name)
        return f"{name}  {said}" if said else name

    def _table(self, names: list[str], runs: tuple[str, ...], widest: int) -> Table:
        table = plain_table()
        table.add_column(self.measure.traits.direction.replace("example", "item"))
        for run in runs:
            table.add_column(cut_name(run), justify="right", no_wrap=True, max_width=widest)
        columns = [self.standings.evaluation.units(run, self.measure) for run in runs]
        for place, name in enumerate(names):
            table.add_row(cut_name(name), *(_number(float(column[place])) for column in columns))
        return table


def heading(measure: Measure) -> Text:
    """A measure above its column: direction, name, and which way is better."""
    prefix, dot, name = str(measure).partition(".")
    if not dot:
        prefix, name = "", prefix
    return Text.assemble((f"{prefix}\n", "dim"), (name, "bold"), (f" {_arrow(measure)}", "dim"))


def remark(text: str) -> Padding:
    """A line below a table."""
    return Padding(Text(text, style="dim"), (0, 0, 0, 2), expand=False)


def cut_name(name: str) -> Text:
    """A name that ends in … where room is short.

    Its column must be free to wrap: Rich narrows such columns first, so numbers stay in theirs.
    """
    return Text(printable_name(name), no_wrap=True, overflow="ellipsis")


def plain_table() -> Table:
    """Columns below their headings, and nothing drawn but a line between."""
    return Table(box=box.SIMPLE_HEAD, header_style="", collapse_padding=True)


def names_width(names: Iterable[str], options: ConsoleOptions) -> int:
    """Room for the longest name, but no more than half of what there is."""
    return min(max(map(cell_len, names)), options.max_width // 2)


def blocks(widths: list[int], room: int) -> Iterator[slice]:
    """Columns of such headings in their order, as many together as fit into the room."""
    first, left = 0, room
    for place, heading_width in enumerate(widths):
        width = max(_DIGITS + 2, heading_width) + 2
        if width > left and place > first:
            yield slice(first, place)
            first, left = place, room
        left -= width
    yield slice(first, len(widths))


def _cell(standings: Standings, run: str, measure: Measure) -> Text:
    style = _BEST if standings.is_best(run, measure) else ""
    return Text(written(standings.value(run, measure), digits=_DIGITS), style=style)


def _number(value: float) -> str:
    return UNDEFINED if math.isnan(value) else f"{value:.{_DIGITS}f}"


def _arrow(measure: Measure) -> str:
    return ARROWS[measure.traits.better]
