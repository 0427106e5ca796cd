"""Repeated cross-validation as tables: estimators with mean, σ and ρ, and one against the other.

r is the false information ratio and f the truth information completeness, as in Table 3 of Holt et
al. 2010. Estimators stand in the order of their erroneous information, the least on top; the values
of a grid stay in theirs.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, Group, RenderResult
from rich.table import Table
from rich.text import Text

from cranfield.caching import cached_property
from cranfield.measures import Measure
from cranfield.report.exports import latex, tabular
from cranfield.report.standings import ARROWS, written, written_p
from cranfield.report.tables import blocks, cut_name, names_width, plain_table, remark
from cranfield.tasks.classes.monte_carlo import Contest, MonteCarlo
from cranfield.tasks.classes.monte_carlo.cloud import spread

_DIGITS = 4
_FEW_PAIRS = 10
"""More than this, and the best estimator is shown against each of the others only."""
_SIGNS = {"confusion.false_ratio": "r", "confusion.completeness": "f"}
_BOTH = "r and f"


class Validations:
    """What repeated cross-validation found, for people and for other programs."""

    def __init__(self, result: MonteCarlo) -> None:
        self.result = result

    @cached_property
    def best_first(self) -> list[str]:
        """By erroneous information, the least first; undefined ones last."""
        means = {name: self.result.scores(name, "S_I_norm").mean() for name in self.result.names}
        return sorted(means, key=lambda name: (math.isnan(means[name]), means[name]))

    @cached_property
    def names(self) -> list[str]:
        """In the order of the table."""
        is_grid = any(cloud.setting is not None for cloud in self.result.clouds)
        return list(self.result.names) if is_grid else self.best_first

    @cached_property
    def remarks(self) -> tuple[str, ...]:
        result = self.result
        kind = "stratified folds" if result.stratified else "folds"
        seeds = f"seeds {result.seeds[0]} to {result.seeds[-1]}"
        said = [
            f"mean ± σ of {result.repeats} repeats of {result.folds} {kind}, {seeds}; ρ is the "
            "correlation of r and f"
            if result.repeats > 1
            else f"one repeat of {result.folds} {kind}, seed {result.seed}"
        ]
        if len(self.names) > 1:
            said.append(
                "wins: share of repeats; t, p: corrected resampled t-test of scores of single "
                "folds, two-sided; p Holm: for all pairs"
            )
        if self._pair_count > _FEW_PAIRS:
            said.append(f"{self.best_first[0]} against the others; JSON holds all pairs")
        return (*said, *result.notes)

    @property
    def _pair_count(self) -> int:
        return len(self.names) * (len(self.names) - 1) // 2

    # ── tables ────────────────────────────────────────────────────────────────────────────────

    def table(self) -> Group:
        rows = {name: self.cells(name) for name in self.names}
        estimators = _EstimatorTable(self.headings, rows)
        return Group(estimators, *self._pairs(), *map(remark, self.remarks))

    @property
    def headings(self) -> list[str]:
        told = [f"{_called(one)} {ARROWS[one.traits.better]}" for one in self.result.measures]
        return [*told[:2], "ρ", *told[2:]]

    def cells(self, name: str) -> list[str]:
        """What is told of an estimator, below the headings."""
        cells = []
        for one in self.result.measures:
            values = self.result.scores(name, one)
            sigma = spread(values)
            told = written(float(values.mean()), digits=_DIGITS)
            cells.append(told if math.isnan(sigma) else f"{told} ± {sigma:.2g}")
        rho = written(self.result.cloud(name).rho, digits=3)
        return [*cells[:2], rho, *cells[2:]]

    def _pairs(self) -> Iterator[Text | Table]:
        for (a, b), contests in self._contests.items():
            if self._pair_count > _FEW_PAIRS and a != self.best_first[0]:
                continue
            yield Text.assemble("  A = ", (a, "bold"), ", B = ", (b, "bold"))
            table = plain_table()
            table.add_column("measure")
            for heading in ("A − B", "A wins", "B wins", "t", "p", "p Holm"):
                table.add_column(heading, justify="right", no_wrap=True)
            rows = [(_called(one.measure), *_told(one)) for one in contests]
            both = (_BOTH, "", *map(_share, self.result.wins_in_both(a, b)), "", "", "")
            for row in (*rows[:2], both, *rows[2:]):
                table.add_row(*row)
            yield table

    @cached_property
    def _contests(self) -> dict[tuple[str, str], list[Contest]]:
        """By pair, the better one first."""
        found: dict[tuple[str, str], list[Contest]] = {}
        for measure in self.result.measures:
            if measure.traits.better != "neither":
                for one in self.result.contests(measure, names=self.best_first):
                    found.setdefault((one.a, one.b), []).append(one)
        return found

    # ── for other programs ────────────────────────────────────────────────────────────────────

    def export(self, form: str) -> str:
        match form:
            case "json":
                return self.result.to_json(indent=2) + "\n"
            case "csv":
                return self._csv()
        rows = [[latex(name), *map(_latex_cell, self.cells(name))] for name in self.names]
        header = ["estimator", *map(_latex_heading, self.headings)]
        return tabular(header, rows, remarks=self.remarks)

    def _csv(self) -> str:
        """A line for each estimator and repeat."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(self.result.frame.columns)
        for row in self.result.frame.iter_rows():
            writer.writerow("" if value is None else value for value in row)
        return out.getvalue()


@dataclass(frozen=True)
class _EstimatorTable:
    """Estimators below each other; where room is short, columns go on in further tables."""

    headings: list[str]
    rows: Mapping[str, list[str]]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        columns = list(zip(self.headings, *self.rows.values(), strict=True))
        room = options.max_width - names_width((*self.rows, "estimator"), options) - 4
        for block in blocks([max(map(cell_len, column)) for column in columns], room):
            table = plain_table()
            table.add_column("estimator")
            for heading in self.headings[block]:
                table.add_column(heading, justify="right", no_wrap=True)
            for name, cells in self.rows.items():
                table.add_row(cut_name(name), *cells[block])
            yield table


def _called(measure: Measure) -> str:
    return _SIGNS.get(str(measure), str(measure).removeprefix("confusion."))


def _told(one: Contest) -> list[str]:
    return [
        written(one.means[0] - one.means[1], digits=_DIGITS),
        *map(_share, one.wins),
        written(one.test.statistic, digits=2),
        written_p(one.test.p_value, digits=_DIGITS),
        written_p(one.holm, digits=_DIGITS),
    ]


def _share(share: float) -> str:
    return f"{share:.1%}"


def _latex_heading(text: str) -> str:
    signs = {"ρ": r"$\rho$", "↑": r"$\uparrow$", "↓": r"$\downarrow$", "r": "$r$", "f": "$f$"}
    return " ".join(signs.get(word, latex(word)) for word in text.split())


def _latex_cell(text: str) -> str:
    return text.replace("±", r"$\pm$").replace("–", "--").replace("∞", r"$\infty$")
