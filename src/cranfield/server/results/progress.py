"""Progress over time: the best score of each group, and of all, as runs came in.

It is made of the scores that a board shows to somebody, and so may show while a phase is open.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

from cranfield.caching import cached_property
from cranfield.core.chart import Axis, Chart
from cranfield.core.result import Analysis
from cranfield.core.table import Column, Row, Table
from cranfield.engine.standings import better_of
from cranfield.measures import measure
from cranfield.server.results.board import Board, Standing

EVERYBODY = "best of all"
_DRAWN = 12
"""Groups that are drawn, the best ones."""
_UNITS = {"days": 86_400.0, "hours": 3600.0, "minutes": 60.0, "seconds": 1.0}
_FEWEST = 2
"""Units that a chart spans at least; else it counts in smaller ones."""


class Progress(Analysis):
    """How the best scores of a board rose."""

    title = "Progress over time"

    def __init__(self, board: Board) -> None:
        self._board = board

    @property
    def _shown(self) -> list[Standing]:
        """Runs whose scores this audience may see."""
        board = self._board
        return [
            standing
            for standing in board.standings
            if board.shows(standing.run) and standing.scores.get(board.primary) is not None
        ]

    @cached_property
    def _rows(self) -> list[dict[str, Any]]:
        """A row for each run that was better than all before it of its group."""
        return list(self._steps())

    def _steps(self) -> Iterator[dict[str, Any]]:
        name = self._board.primary
        lower = better_of(measure(name)) == "lower"
        best: dict[str, float] = {}
        competing = [standing for standing in self._shown if not standing.part]
        for standing in sorted(competing, key=lambda shown: (shown.run.received, shown.run.id)):
            run, score = standing.run, standing.scores[name]
            assert run.group is not None
            assert score is not None
            beaten = [
                who
                for who in (run.group.name, EVERYBODY)
                if who not in best or (score < best[who] if lower else score > best[who])
            ]
            best |= dict.fromkeys(beaten, score)
            if beaten:
                yield {
                    "received": run.received,
                    "group": run.group.name,
                    "run": run.name,
                    "id": run.id,
                    name: score,
                    EVERYBODY: best[EVERYBODY],
                    "leads": EVERYBODY in beaten,
                }

    def _records(self) -> list[Row]:
        return [row | {"received": _written(row["received"])} for row in self._rows]

    def _facts(self) -> dict[str, Any]:
        board = self._board
        return {
            "track": board.phase.track.name,
            "phase": board.phase.name,
            "edition": board.edition.number,
            "split": board.split,
            "measure": board.primary,
            "steps": [dict(row) for row in self._records()],
            "references": dict(self._references),
        }

    @property
    def _references(self) -> Iterator[tuple[str, float]]:
        for standing in self._shown:
            score = standing.scores[self._board.primary]
            if standing.part == "reference" and score is not None:
                yield standing.run.name, score

    def _tables(self) -> Sequence[Table]:
        name, digits = self._board.primary, self._board.described.digits
        columns = [
            Column("received", "received (UTC)", key=True),
            Column("group", key=True),
            Column("run", key=True),
            Column("id", audience="programs"),
            Column(name, digits=digits),
            Column(EVERYBODY, digits=digits, better=better_of(measure(name))),
            Column("leads", audience="programs"),
        ]
        title = f"Runs that were better than all before them of their group, by {name}"
        return [Table("progress", self._records(), columns, title=title)]

    def _remarks(self) -> list[str]:
        remarks = [
            f"Reference: {name} {score:.{self._board.described.digits}f}."
            for name, score in self._references
        ]
        if len(self._groups) > _DRAWN:
            remarks.append(f"Drawn are the {_DRAWN} best of {len(self._groups)} groups.")
        if not self._board.disclosed:
            remarks.append("The phase is open: scores are rounded and preliminary.")
        return remarks

    @cached_property
    def _groups(self) -> list[str]:
        """The best first."""
        competing = [standing.run for standing in self._shown if not standing.part]
        names = [run.group.name for run in competing if run.group]
        return list(dict.fromkeys(names))

    def _charts(self) -> Sequence[Chart]:
        if not self._rows:
            return ()
        name, first = self._board.primary, self._rows[0]["received"]
        span = (self._rows[-1]["received"] - first).total_seconds()
        unit = next((unit for unit, length in _UNITS.items() if span >= _FEWEST * length), "days")
        drawn = self._groups[:_DRAWN]
        points: dict[str, list[tuple[float, float]]] = {who: [] for who in (*drawn, EVERYBODY)}
        for row in self._rows:
            time = (row["received"] - first).total_seconds() / _UNITS[unit]
            if row["group"] in points:
                points[row["group"]].append((time, row[name]))
            if row["leads"]:
                points[EVERYBODY].append((time, row[name]))
        last = span / _UNITS[unit]
        rows = [
            {"who": who, unit: time, name: score}
            for who, steps in points.items()
            for time, score in _stairs(steps, last)
        ]
        return [
            Chart(
                kind="lines",
                rows=rows,
                x=Axis(unit, f"{unit} since the first run"),
                y=Axis(name, name),
                series="who",
                rules=[score for _, score in self._references],
                title=self.title,
                subtitle="the best score so far; dashed: baselines and random runs",
            )
        ]


def _stairs(steps: list[tuple[float, float]], last: float) -> Iterator[tuple[float, float]]:
    """A score holds until it is beaten."""
    for index, (time, score) in enumerate(steps):
        yield time, score
        until = steps[index + 1][0] if index + 1 < len(steps) else last
        if until > time:
            yield until, score


def _written(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M:%S}"
