"""How far annotators agree, on a terminal, as JSON, CSV and LaTeX."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from cranfield.assessment.agreement import Agreement, CellMeans, PairAgreement, cell_counts
from cranfield.assessment.agreement.agreed import reading
from cranfield.assessment.votes import Votes
from cranfield.caching import cached_property
from cranfield.errors import several
from cranfield.report.exports import latex, tabular
from cranfield.report.standings import UNDEFINED
from cranfield.report.study_tables import as_csv, number
from cranfield.report.tables import cut_name, plain_table, remark
from cranfield.statistics.intervals.limits import Limits
from cranfield.studies.records import defined

_PAIRS_SHOWN = 12
"""Annotators that a table on a terminal has room for."""
_REASONS = {"no item has two votes": True, "everybody always gave the same answer": False}
"""Why a coefficient is undefined: whether it is for want of votes."""


@dataclass(frozen=True)
class Bootstrap:
    """How intervals are drawn."""

    level: float = 0.95
    samples: int = 1000
    seed: int = 0


@dataclass(frozen=True, eq=False)
class AgreementReport:
    """Coefficients of some votes, with intervals if wanted."""

    votes: Votes
    coefficients: Sequence[str]
    bootstrap: Bootstrap | None = None

    @cached_property
    def found(self) -> dict[str, Agreement]:
        return {name: self.votes.agreement(name) for name in self.coefficients}

    @cached_property
    def intervals(self) -> dict[str, dict[str, Limits]]:
        """By coefficient and question; "" is the mean."""
        how = self.bootstrap
        if how is None:
            return {}
        return {
            name: one.intervals(how.level, samples=how.samples, seed=how.seed)
            for name, one in self.found.items()
        }

    @property
    def repeated(self) -> int:
        """Votes that a later one of the same annotator replaces."""
        return next((found.repeated for found in self.found.values()), 0)

    @cached_property
    def _alone(self) -> set[str]:
        """Questions on which no item has two votes, so that nobody can agree."""
        ballots = self.votes.latest.ballots
        return {one.question.name for one in ballots if one.voters.max(initial=0) < 2}

    @property
    def questions(self) -> list[str]:
        return [question.name for question in self.votes.questions]

    # ── for people ────────────────────────────────────────────────────────────────────────────

    def table(self) -> Group:
        """Questions by coefficients, the mean on top."""
        table = plain_table()
        table.add_column("")
        for name in self.coefficients:
            table.add_column(name, justify="right", no_wrap=True)
        table.add_column("")
        for question in ("", *self.questions):
            cells = [self.cell(name, question) for name in self.coefficients]
            title = (
                Text("mean over questions", style="bold") if not question else cut_name(question)
            )
            table.add_row(title, *cells, self._reading(question))
            for kind, values in ({} if question else self.apart).items():
                table.add_row(f"mean over {kind}", *map(number, values.values()), "")
        return Group(table, *map(remark, self.remarks()))

    @cached_property
    def apart(self) -> dict[str, dict[str, float]]:
        """Means over either kind of question, by coefficient, if there are both kinds."""
        means = {
            "exclusive groups": {name: one.exclusive for name, one in self.found.items()},
            "optional concepts": {name: one.optional for name, one in self.found.items()},
        }
        kinds = {question.kind == "choice" for question in self.votes.questions}
        return means if len(kinds) == 2 else {}

    @cached_property
    def cells(self) -> CellMeans:
        return cell_counts(self.votes).means()

    def value(self, coefficient: str, question: str) -> float:
        """Of a question or, called "", the mean."""
        found = self.found[coefficient]
        return found.by_question.get(question, float("nan")) if question else float(found)

    def cell(self, coefficient: str, question: str) -> str:
        """The value with its interval."""
        shown = number(self.value(coefficient, question))
        ends = self.intervals.get(coefficient, {}).get(question)
        if ends is None or shown == UNDEFINED:
            return shown
        return f"{shown} [{number(ends.low)}, {number(ends.high)}]"

    def _reading(self, question: str) -> Text:
        """Of the first coefficient that is corrected for chance."""
        corrected = [name for name in self.coefficients if name != "percent"]
        if not corrected:
            return Text("")
        return Text(reading(self.value(corrected[0], question)), style="dim")

    def remarks(self) -> Iterator[str]:
        cells = self.cells
        for what, means in (
            ("agreement with the majority, mean over concepts", cells.by_concept),
            ("agreement with the majority, mean over items", cells.by_item),
            ("accuracy_ex, cells that two annotators of an item tag alike", cells.accuracy_ex),
        ):
            yield (
                f"{what}: {number(means['all'])} of all cells, {number(means['selected'])} of "
                "those that somebody selected"
            )
        if cells.never_selected:
            yield (
                f"nobody selected {several(cells.never_selected, 'concept')}, left out of the "
                "mean over concepts of selected cells"
            )
        corrected = [name for name in self.coefficients if name != "percent"]
        if corrected:
            yield f"the words are those of Landis & Koch 1977 for {corrected[0]}"
        for name, found in self.found.items():
            for why, alone in _REASONS.items():
                names = [one for one in found.undefined if (one in self._alone) == alone]
                if names:
                    yield f"{name} is undefined for {several(len(names), 'question')}: {why}"
        if self.repeated:
            yield (
                f"{several(self.repeated, 'vote')} left out: the same annotator voted again in a "
                "later batch, which counts"
            )
        dropped = sum(next(iter(self.found.values())).dropped.values()) if self.found else 0
        if dropped:
            yield f"{several(dropped, 'time')} a question had one vote only on an item: left out"
        if self.bootstrap is not None:
            how = self.bootstrap
            yield (
                f"{how.level:.0%} intervals: percentiles of {how.samples} bootstraps of items, "
                f"seed {how.seed}"
            )

    # ── for programs ──────────────────────────────────────────────────────────────────────────

    def content(self) -> dict[str, Any]:
        """What `--json` prints."""
        content: dict[str, Any] = {
            "overall": {name: defined(float(found)) for name, found in self.found.items()},
            "concepts": {
                question: {name: defined(self.value(name, question)) for name in self.coefficients}
                for question in self.questions
            },
        }
        content |= {
            "exclusive": {name: defined(one.exclusive) for name, one in self.found.items()},
            "optional": {name: defined(one.optional) for name, one in self.found.items()},
            "majority": {
                "concepts": _defined(self.cells.by_concept),
                "items": _defined(self.cells.by_item),
            },
            "accuracy_ex": _defined(self.cells.accuracy_ex),
        }
        if self.repeated:
            content["repeated"] = self.repeated
        if self.bootstrap is not None:
            how = self.bootstrap
            content["intervals"] = {
                "level": how.level,
                "samples": how.samples,
                "seed": how.seed,
                "overall": {name: _ends(ends[""]) for name, ends in self.intervals.items()},
                "concepts": {
                    question: {
                        name: _ends(ends[question])
                        for name, ends in self.intervals.items()
                        if question in ends
                    }
                    for question in self.questions
                },
            }
        return content

    def rows(self) -> Iterator[dict[str, Any]]:
        """A record for each question and coefficient; the mean has no question."""
        for question in ("", *self.questions):
            for name in self.coefficients:
                value = self.value(name, question)
                ends = self.intervals.get(name, {}).get(question)
                limits = {} if self.bootstrap is None else _limits(ends)
                yield {
                    "question": question,
                    "coefficient": name,
                    "value": defined(value),
                    **limits,
                    "reading": "" if name == "percent" else reading(value),
                }

    def csv(self) -> str:
        return as_csv(self.rows())

    def latex(self) -> str:
        """A booktabs table of questions by coefficients."""
        rows = [
            [latex(question or "mean"), *(self.cell(name, question) for name in self.coefficients)]
            for question in (*self.questions, "")
        ]
        for kind, values in self.apart.items():
            rows.append([latex(f"mean over {kind}"), *map(number, values.values())])
        return tabular(["", *map(latex, self.coefficients)], rows, remarks=tuple(self.remarks()))


def _defined(values: Mapping[str, float]) -> dict[str, float | None]:
    return {name: defined(value) for name, value in values.items()}


def _ends(ends: Limits) -> list[float | None]:
    return [defined(ends.low), defined(ends.high)]


def _limits(ends: Limits | None) -> dict[str, float | None]:
    low, high = (None, None) if ends is None else _ends(ends)
    return {"low": low, "high": high}


def compared_table(reports: Mapping[str, AgreementReport]) -> Group:
    """Groups side by side, a table for each coefficient."""
    first = next(iter(reports.values()))
    parts: list[RenderableType] = []
    for coefficient in first.coefficients:
        table = plain_table()
        table.add_column(Text(coefficient, style="bold"))
        for name in reports:
            table.add_column(name, justify="right", no_wrap=True)
        for question in ("", *first.questions):
            cells = [report.cell(coefficient, question) for report in reports.values()]
            table.add_row(cut_name(question) if question else "mean over questions", *cells)
            for kind in () if question else first.apart:
                means = (report.apart[kind][coefficient] for report in reports.values())
                table.add_row(f"mean over {kind}", *map(number, means))
        parts.append(table)
    parts.append(remark("majorities: how far the majorities of the groups agree with each other"))
    return Group(*parts)


def pair_table(found: PairAgreement) -> Group:
    """Who agrees with whom, as Table 6.2 of Nowak 2011."""
    shown = found.annotators[:_PAIRS_SHOWN]
    table: Table = plain_table()
    table.add_column("", justify="right", style="dim", no_wrap=True)
    table.add_column("")
    for place in range(1, len(shown)):
        table.add_column(str(place + 1), justify="right", no_wrap=True)
    table.add_column("Merged", justify="right", no_wrap=True)
    for row, name in enumerate(shown):
        cells = [
            number(float(found.pairs[row, column])) if column > row else ""
            for column in range(1, len(shown))
        ]
        table.add_row(str(row + 1), cut_name(name), *cells, number(float(found.merged[row])))
    said = [
        f"accuracy: the share of cells tagged alike; mean of pairs {number(found.mean)}, with "
        f"the majority included {number(found.mean_with_merged)}",
        f"accuracy_ex, over the annotators of each item: mean {number(found.mean_by_item)} of all "
        f"cells, {number(found.mean_by_item_selected)} of those that somebody selected",
    ]
    if len(found.annotators) > _PAIRS_SHOWN:
        said.append(f"… and {len(found.annotators) - _PAIRS_SHOWN} more annotators: see --json")
    return Group(table, *map(remark, said))


def pair_content(found: PairAgreement) -> dict[str, Any]:
    return {
        "annotators": list(found.annotators),
        "accuracy": [[defined(value) for value in row] for row in found.pairs.tolist()],
        "merged": [defined(value) for value in found.merged.tolist()],
        "mean": defined(found.mean),
        "mean_with_merged": defined(found.mean_with_merged),
        "items": _defined(dict(zip(found.items, found.by_item.tolist(), strict=True))),
        "mean_by_item": defined(found.mean_by_item),
        "items_selected": _defined(
            dict(zip(found.items, found.by_item_selected.tolist(), strict=True))
        ),
        "mean_by_item_selected": defined(found.mean_by_item_selected),
    }
