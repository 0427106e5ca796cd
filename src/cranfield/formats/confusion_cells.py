"""Confusion matrices on disk as lists of their cells: true,said,count.

True and said classes in either order; R puts a column of line numbers before them. Cells that are
not listed are 0.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from cranfield.core.contingency import require_few
from cranfield.formats.cells import report
from cranfield.formats.class_labels import separator_of
from cranfield.formats.lines import Layout
from cranfield.formats.problems import Problems, shown
from cranfield.formats.source import Source
from cranfield.formats.table import Table
from cranfield.tasks.classes import Confusion
from cranfield.tasks.classes.layout import side_of

COUNT_RULE = "write a count or a probability, 0 where nothing was said"


def read_cells(source: Source, problems: Problems) -> Callable[[str], Confusion]:
    """A line for each cell; cells that stand twice are an error."""
    separator = separator_of(source)
    table = Table(source, separator, problems, rows="true class")
    header = table.header()
    true, said = (-3, -2) if side_of(header[-3]) == "truth" else (-2, -3)
    counts: dict[tuple[str, str], float] = {}
    lines: dict[tuple[str, str], int] = {}

    def where(names: list[str], place: int) -> str:
        return f"true class {shown(names[true + 1])}, said {shown(names[said + 1])}"

    columns = len(header) - 1
    for chunk in table.chunks(Layout(separator, columns, 1), where=where, expected="one count"):
        wrong = ~(chunk.values >= 0)
        report(wrong, chunk, problems, where=where, rule=COUNT_RULE)
        for names, count, line in zip(
            zip(chunk.names[true + 1], chunk.names[said + 1], strict=True),
            chunk.values[:, 0].tolist(),
            chunk.lines.tolist(),
            strict=True,
        ):
            if names in counts:
                problems.add(
                    f"true class {shown(names[0])}, said {shown(names[1])} stands on line "
                    f"{lines[names]} already; keep one of the two lines",
                    line=line,
                )
            counts[names], lines[names] = count, line
    problems.settle()
    return lambda name: _confusion(counts, name)


def _confusion(counts: dict[tuple[str, str], float], name: str) -> Confusion:
    classes = _in_order(counts)
    require_few(classes)
    places = {known: place for place, known in enumerate(classes)}
    matrix = np.zeros((len(classes), len(classes)))
    for (true, said), count in counts.items():
        matrix[places[true], places[said]] = count
    return Confusion(matrix, classes, name=name)


def _in_order(cells: dict[tuple[str, str], float]) -> tuple[str, ...]:
    """Classes as they come up: true ones first, then those that are only said."""
    return tuple(dict.fromkeys([*(true for true, _ in cells), *(said for _, said in cells)]))
