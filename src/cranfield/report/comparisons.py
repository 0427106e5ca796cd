"""Tables of comparisons: runs best first, each with a letter and the letters of those it beats."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable

from rich.console import Group
from rich.table import Table

from cranfield.errors import several
from cranfield.report.exports import latex, latex_heading, latex_number, tabular
from cranfield.report.standings import UNDEFINED, written, written_p
from cranfield.report.tables import cut_name, heading, plain_table, remark
from cranfield.statistics.comparing import Tournament
from cranfield.statistics.comparing.variance import Factor

_DIGITS = 4
_FEW_PAIRS = 15
"""Up to so many pairs are told one by one."""
CORRECTIONS = {"max_t": "step-down max-T", "nemenyi": "Nemenyi", "holm": "Holm", "none": "nothing"}


def letter(place: int) -> str:
    """a, b, … z, aa, ab, …"""
    return (letter(place // 26 - 1) if place >= 26 else "") + chr(ord("a") + place % 26)


def letters(places: Iterable[int]) -> str:
    """Letters of places in ascending order; three and more neighbours as a stretch: a,c–f."""
    stretches: list[list[int]] = []
    for place in places:
        if stretches and stretches[-1][-1] == place - 1:
            stretches[-1].append(place)
        else:
            stretches.append([place])
    return ",".join(
        f"{letter(one[0])}–{letter(one[-1])}" if len(one) > 2 else ",".join(map(letter, one))
        for one in stretches
    )


class Comparisons:
    """A tournament at a level of significance, in every form of output."""

    def __init__(self, tournament: Tournament, alpha: float) -> None:
        self.tournament = tournament
        self.alpha = alpha
        self._places = {run: place for place, run in enumerate(tournament.runs)}
        self._beaten = tournament.beaten(alpha)

    def beats(self, run: str) -> str:
        """The letters of runs that a run beats significantly."""
        return letters(self._places[lost] for lost in self._beaten[run])

    # ── for people ────────────────────────────────────────────────────────────────────────────

    def table(self) -> Group:
        few = len(self.tournament.pairs) <= _FEW_PAIRS
        parts = [self._runs(), *([self._pairs()] if few else [])]
        return Group(*parts, *map(remark, self.remarks))

    def _runs(self) -> Table:
        found, ranks = self.tournament, self.tournament.mean_ranks
        table = plain_table()
        table.add_column("", style="dim", no_wrap=True)
        table.add_column("\nrun")
        table.add_column(heading(found.measure), justify="right", no_wrap=True)
        if ranks:
            table.add_column("mean\nrank", justify="right", no_wrap=True)
        table.add_column("\nbeats")
        for place, run in enumerate(found.runs):
            score = written(found.score(run), digits=_DIGITS)
            rank = [written(ranks[run], digits=2)] if ranks else []
            table.add_row(letter(place), cut_name(run), score, *rank, self.beats(run) or UNDEFINED)
        return table

    def _pairs(self) -> Table:
        table = plain_table()
        table.add_column("A")
        table.add_column("B")
        for name in ("A − B", "p", "adjusted", "d", "A better", "B better"):
            table.add_column(name, justify="right", no_wrap=True)
        for pair in self.tournament.pairs:
            shares = (written(one, digits=2) for one in (pair.a_better, pair.b_better))
            table.add_row(
                cut_name(pair.a),
                cut_name(pair.b),
                written(pair.difference, digits=_DIGITS),
                written_p(pair.p, digits=_DIGITS),
                written_p(pair.adjusted, digits=_DIGITS),
                written(pair.effect, digits=2),
                *shares,
                style="" if pair.differs(self.alpha) else "dim",
            )
        return table

    @property
    def remarks(self) -> tuple[str, ...]:
        """What was done, and what it says of all runs together."""
        found = self.tournament
        chosen, pairs = found.choices, several(len(found.pairs), "pair")
        how = f"{chosen.test} test over {several(found.units, chosen.resample.removesuffix('s'))}"
        if chosen.samples is not None:
            how += f", {chosen.samples} resamples, seed {chosen.seed}"
        groups = [group for group in found.groups(self.alpha) if len(group) > 1]
        alike = "; ".join(letters(map(self._places.__getitem__, group)) for group in groups)
        return (
            f"{how}; p-values corrected by {CORRECTIONS[chosen.correction]} for {pairs}, "
            f"α = {self.alpha:g}",
            f"neighbours that do not differ: {alike}" if alike else "all neighbours differ",
            f"variance of runs: one-way {_f_test(found.variance.one_way)}; beside that of units "
            f"{_f_test(found.variance.runs)}",
            *found.remarks(self.alpha),
        )

    # ── for other programs ────────────────────────────────────────────────────────────────────

    def export(self, form: str) -> str:
        match form:
            case "json":
                return self.tournament.to_json(indent=2, alpha=self.alpha) + "\n"
            case "csv":
                return self._csv()
        return self._latex()

    def _csv(self) -> str:
        """A line for each pair; undefined is empty."""
        out = io.StringIO()
        rows = [pair.row(self.alpha) for pair in self.tournament.pairs]
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(rows[0])
        writer.writerows(["" if value is None else value for value in row.values()] for row in rows)
        return out.getvalue()

    def _latex(self) -> str:
        """A booktabs table, with letters of the beaten as superscripts."""
        found, ranks = self.tournament, self.tournament.mean_ranks
        rows = []
        for place, run in enumerate(found.runs):
            beats = self.beats(run).replace("–", "--")
            score = latex_number(found.score(run))
            score = rf"\textbf{{{score}}}" if found.places[run] == 1 else score
            rank = [f"{ranks[run]:.2f}"] if ranks else []
            above = rf"\textsuperscript{{{beats}}}" if beats else ""
            rows.append([f"{letter(place)} {latex(run)}", f"{score}{above}", *rank])
        header = ["run", latex_heading(found.measure), *(["mean rank"] if ranks else [])]
        return tabular(header, rows, remarks=(*self.remarks, found.signature))


def _f_test(test: Factor) -> str:
    p = written_p(test.p, digits=_DIGITS)
    equals = "" if p.startswith("<") else "= "
    return f"F({test.degrees[0]}, {test.degrees[1]}) = {test.F:.4g}, p {equals}{p}"
