"""Collection: what a collection asks of systems, and whether it can be relied upon.

By each measure, runs stand beside the units it scores, concepts or items: how reliable their scores
are together (Cronbach's α; runs take the test, units are its parts; Bodoff 2008), which units are
hard, who is best on each, and what a system would reach that is as good as the best on every one.
Groups are ranked by their best run. After Nowak 2011 §10.7 (Tables 10.3 to 10.10, Figure 10.3), of
which §11.3 asks whether confidences of different concepts can be compared at all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal

import numpy as np

from cranfield.caching import cached_property
from cranfield.collections.collection import Collection
from cranfield.core.chart import Axis, Chart
from cranfield.core.options import Option
from cranfield.core.progress import Progress, silent
from cranfield.core.result import Analysis
from cranfield.core.run import Run
from cranfield.core.table import Audience, Column, Row, Table
from cranfield.core.terms import Terms
from cranfield.core.truth import Truth
from cranfield.engine import evaluate
from cranfield.engine.direct_calls import of_inputs
from cranfield.errors import InputError, MeasureError, several
from cranfield.measures import Measure, measure
from cranfield.studies.collection_scores import (
    Comparability,
    Group,
    UnitScores,
    comparability,
    unit_scores,
)
from cranfield.studies.field import Seed, Spellings, measures_option, studied

if TYPE_CHECKING:
    import polars

USUAL = ("concept.AP", "concept.AUC", "concept.EER", "example.AP", "example.F")
TableName = Literal["measures", "groups", "concepts", "items", "confidences", "places"]
_FIRST = 8
"""Rows of long tables that people see first, unless a table is chosen."""
_NAMED = 3
"""Groups that are named as the best of a unit before they are only counted."""
_LABELLED = 6
"""Concepts, the hardest ones, that are named in a chart."""
_TITLES = {
    "measures": "reliability, and the best runs",
    "groups": "the best run of each group",
    "concepts": "hardest {concepts}",
    "items": "hardest {items}",
    "confidences": "confidences made comparable across {concepts}",
    "places": "{concepts} ranked too high or too low by confidence",
}
_HEADINGS = {
    "alpha": "α",
    "alpha_without": "α without",
    "frequency_rho": "ρ freq.",
    "places_too_high": "ranks too high",
}
_DIGITS = {"alpha": 2, "alpha_without": 4}
"""Of fields that are not written with three."""


@dataclass(frozen=True, eq=False)
class CollectionStudy(Analysis):
    """What runs say about the collection that they were scored on."""

    title = "What runs say about their collection"

    truth: Truth
    runs: tuple[str, ...]
    measures: tuple[UnitScores, ...]
    group_of: dict[str, str]
    """Who made each run: its group, or its own name."""
    comparability: Comparability | None
    table: TableName | None = None
    """The table to show as a whole; None: the beginnings of all."""
    warnings: tuple[str, ...] = ()
    """What readers should know about the runs."""

    @property
    def terms(self) -> Terms:
        return self.truth.terms

    def __getitem__(self, spelling: str | Measure) -> UnitScores:
        requested = str(measure(spelling).on(self.truth)).lower()
        for scores in self.measures:
            if str(scores.measure).lower() == requested:
                return scores
        names = ", ".join(str(scores.measure) for scores in self.measures)
        raise InputError(f"{spelling} was not studied; there are {names}")

    @cached_property
    def groups(self) -> tuple[Group, ...]:
        """The group of the best run first, by the first measure."""
        members: dict[str, list[str]] = {}
        for run in self.runs:
            members.setdefault(self.group_of[run], []).append(run)
        groups = [
            Group(name, tuple(runs), tuple(scores.standing(runs) for scores in self.measures))
            for name, runs in members.items()
        ]
        return tuple(sorted(groups, key=lambda group: (group.bests[0].place, group.name)))

    # ── rows (Nowak 2011, Tables 10.3 to 10.10) ───────────────────────────────────────────────

    @cached_property
    def _records(self) -> dict[str, list[dict[str, Any]]]:
        """All rows of all tables; some may be empty."""
        rows: dict[str, Callable[[], Iterator[dict[str, Any]]]] = {
            "measures": self._measure_rows,
            "groups": self._group_rows,
            "concepts": lambda: self._unit_rows("concept"),
            "items": lambda: self._unit_rows("item"),
            "confidences": self._confidence_rows,
            "places": self._place_rows,
        }
        return {name: list(function()) for name, function in rows.items()}

    def rows(self, table: str = "measures") -> list[dict[str, Any]]:
        """The records of a table: measures, groups, concepts, items, confidences or places."""
        if table not in self._records:
            raise InputError(f"there is no table of {table}; choose {', '.join(self._records)}")
        if not self._records[table]:
            why = {
                "concepts": "no measure by concept was studied; add one, such as concept.AP",
                "items": "no measure by item was studied; add one, such as example.F",
            }.get(table, "no run has confidences for all cells of a truth that lists its items")
            raise InputError(f"there is no table of {table}: {why}")
        return self.result.table(table).records

    @property
    def frame(self) -> polars.DataFrame:
        """A row for each measure, as a Polars frame."""
        return self.result.table("measures").frame

    def _measure_rows(self) -> Iterator[dict[str, Any]]:
        for scores in self.measures:
            alpha = scores.reliability
            yield {
                "measure": str(scores.measure),
                "parts": several(len(scores.units), scores.kind),
                "alpha": None if alpha is None else alpha.alpha,
                "low": None if alpha is None else alpha.low,
                "high": None if alpha is None else alpha.high,
                "best_run": scores.leader.run,
                "score": scores.leader.score,
                "best_of_each": scores.envelope,
                "frequency_rho": scores.by_frequency,
            }

    def _group_rows(self) -> Iterator[dict[str, Any]]:
        for group in self.groups:
            row: dict[str, Any] = {"group": group.name, "runs": len(group.runs)}
            for scores, best in zip(self.measures, group.bests, strict=True):
                name = str(scores.measure)
                row |= {name: best.score, f"place by {name}": best.place}
            yield row

    def _unit_rows(self, kind: str) -> Iterator[dict[str, Any]]:
        """Hardest first, measure by measure."""
        for scores in self.measures:
            if scores.kind != kind:
                continue
            best, average, median = scores.best, scores.average, scores.median
            for unit in scores.hardest.tolist():
                yield {
                    "measure": str(scores.measure),
                    kind: scores.units[unit],
                    "positives": int(scores.positives[unit]),
                    "frequency": float(scores.positives[unit] / max(1, scores.size)),
                    "mean": float(average[unit]),
                    "median": float(median[unit]),
                    "best": float(best[unit]),
                    "by": self._makers(scores.winners(unit)),
                    "alpha_without": scores.reliability_without[unit],
                }

    def _makers(self, runs: Iterable[str]) -> str:
        names = sorted({self.group_of[run] for run in runs})
        return " / ".join(names) if len(names) <= _NAMED else f"{len(names)} groups"

    def _confidence_rows(self) -> Iterator[dict[str, Any]]:
        compared = self.comparability
        if compared is None:
            return
        for index in np.argsort(-compared.losses[0], kind="stable").tolist():
            row: dict[str, Any] = {"run": compared.runs[index]}
            for number, name in enumerate(map(str, compared.measures)):
                row |= {
                    name: float(compared.as_given[number, index]),
                    f"{name} comparable": float(compared.comparable[number, index]),
                    f"{name} lost": float(compared.losses[number, index]),
                }
            yield row

    def _place_rows(self) -> Iterator[dict[str, Any]]:
        compared = self.comparability
        if compared is None:
            return
        for concept in np.argsort(-compared.too_high, kind="stable").tolist():
            column = compared.places[:, concept]
            yield {
                "concept": compared.concepts[concept],
                "places_too_high": float(column.mean()),
                "lowest": float(column.min()),
                "highest": float(column.max()),
            }

    def _facts(self) -> dict[str, Any]:
        """All tables, and what confidences lose."""
        compared = self.comparability
        content: dict[str, Any] = {"runs": list(self.runs), "group_of": self.group_of}
        content |= self._records
        if compared is not None:
            content["comparability"] = {
                str(name): {"mean_loss": losses.mean(), "tau": tau}
                for name, losses, tau in zip(
                    compared.measures, compared.losses, compared.taus, strict=True
                )
            }
        return content | {"notes": [] if compared is None else list(compared.notes)}

    # ── tables ────────────────────────────────────────────────────────────────────────────────

    def _tables(self) -> list[Table]:
        """Programs read one table first: the one chosen, else concepts, else items."""
        filled = {name: rows for name, rows in self._records.items() if rows}
        first: str = self.table or ("concepts" if "concepts" in filled else "items")
        order = sorted(filled, key=lambda name: name != first)
        programs = [Table(name, filled[name], audience="programs") for name in order]
        if self.table is None:
            screens = [self._beginning(name, rows) for name, rows in filled.items()]
        else:
            screens = self._by_measure(first, filled[first], "screens")
        return [*programs, *screens, *self._by_measure(first, filled[first], "papers")]

    def _by_measure(self, name: str, rows: Sequence[Row], audience: Audience) -> list[Table]:
        """The whole table; of concepts and items one for each measure."""
        if name not in ("concepts", "items"):
            return [self._shown(name, rows, audience)]
        tables = []
        for chosen in dict.fromkeys(row["measure"] for row in rows):
            part = [row for row in rows if row["measure"] == chosen]
            if audience == "screens":
                part = [_without_measure(row) for row in part]
            title = f"{self._title(name)} by {chosen}" if audience == "screens" else ""
            tables.append(self._shown(name, part, audience, title))
        return tables

    def _beginning(self, name: str, rows: Sequence[Row]) -> Table:
        title = self._title(name)
        if name in ("concepts", "items"):
            measure_name = rows[0]["measure"]
            title = f"{title} by {measure_name}"
            rows = [_without_measure(row) for row in rows if row["measure"] == measure_name]
        if name in ("measures", "groups") or len(rows) <= _FIRST:
            shown = rows
        elif name == "places":  # both ends are of interest
            shown = [*rows[: _FIRST // 2], *rows[-_FIRST // 2 :]]
        else:
            shown = rows[:_FIRST]
        more = "" if len(shown) == len(rows) else f", {len(shown)} of {len(rows)}"
        return self._shown(name, shown, "screens", f"{title}{more}")

    def _title(self, name: str) -> str:
        title = _TITLES[name].format(**self.terms.to_dict())
        return title[0].upper() + title[1:]

    def _shown(self, name: str, rows: Sequence[Row], audience: Audience, title: str = "") -> Table:
        if name == "measures":
            parts = (self.terms.several(len(s.units), s.kind) for s in self.measures)
            rows = [{**row, "parts": part} for row, part in zip(rows, parts, strict=True)]
        keys = 2 if "measure" in rows[0] and name in ("concepts", "items") else 1
        columns = [
            Column(
                field,
                "rank" if field.startswith("place by ") else _HEADINGS.get(field, ""),
                digits=_DIGITS.get(field, 1 if name == "places" else 3),
                key=number < keys,
                interval=("low", "high") if field == "alpha" else None,
            )
            for number, field in enumerate(rows[0])
            if not (name == "measures" and field in ("low", "high"))
        ]
        return Table(f"{name}_for_{audience}", rows, columns, title, self._notes(name), audience)

    def _notes(self, name: str) -> list[str]:
        """What is to be read below a table."""
        terms = self.terms
        if name == "measures":
            return [
                f"α: Cronbach's α of {several(len(self.runs), 'run')} over {terms.concepts} or "
                f"{terms.items}, with a 95 % confidence interval; best of each: score if the best "
                f"run were picked for each {terms.concept} or {terms.item}; ρ freq.: Spearman's ρ "
                "of frequency and best score"
            ]
        if name == "groups":
            return ["the best run of a group by one measure need not be its best by another"]
        if name == "places":
            return [
                f"ranks among all {terms.concepts} within each {terms.item}, mean over "
                f"{terms.items} and runs; negative: too low"
            ]
        compared = self.comparability
        if name != "confidences" or compared is None:
            return []
        return [
            f"{name}: {losses.mean():+.3f} on average if confidences of {terms.concepts} are "
            f"made comparable (largest {losses.max():+.3f}); τ to the original ranking "
            f"{'–' if np.isnan(tau) else f'{tau:.3f}'}"
            for name, losses, tau in zip(
                compared.measures, compared.losses, compared.taus.tolist(), strict=True
            )
        ] + list(compared.notes)

    # ── charts ────────────────────────────────────────────────────────────────────────────────

    def _charts(self) -> list[Chart]:
        """Concepts by the first measure that scores them, items likewise, and confidences."""
        charts: list[Chart] = []
        first = {scores.kind: scores for scores in reversed(self.measures)}
        if "concept" in first:
            charts += [
                _frequencies(first["concept"], self.terms),
                _difficulty(first["concept"], self.terms),
            ]
        if "item" in first:
            charts.append(_item_scores(first["item"], self.terms))
        if self.comparability is not None:
            charts += [_losses(self.comparability, self.terms), self._places_chart()]
        return charts

    def _places_chart(self) -> Chart:
        return Chart(
            kind="ranges",
            rows=self._records["places"],
            x=Axis("places_too_high", "ranks too high (right)"),
            y=Axis("concept"),
            ends=("lowest", "highest"),
            rules=(0.0,),
            tooltip=("concept", "places_too_high", "lowest", "highest"),
            title=self._title("places"),
            subtitle=f"mean and range over runs, in ranks among all {self.terms.concepts} within "
            f"each {self.terms.item}",
        )


@of_inputs
def collection_study(
    truth: Truth | Collection,
    runs: Run | Iterable[Run],
    measures: Annotated[
        Spellings,
        measures_option(
            ", ".join((*USUAL, "OS")), "Measure by concept or item, the first ranks groups"
        ),
    ] = None,
    *,
    table: Annotated[TableName | None, Option()] = None,
    compare_confidences: Annotated[bool, Option(name="confidences")] = True,
    seed: Seed = 0,
    progress: Progress = silent,
    **options: Any,
) -> CollectionStudy:
    """Ask whether a collection can be relied upon, what is hard in it, and who is best at what.

    Cronbach's α with runs as subjects and concepts or items as parts; hardest concepts and items;
    the best run of each concept and of each group; what somebody would reach who picks the best run
    for each; and what measures by item lose since confidences of different concepts cannot be
    compared.

    table  Show one table as a whole; default: the beginnings of all, and concepts in CSV and LaTeX.
    compare_confidences  Ask whether confidences can be compared across concepts.
    options  of `evaluate`: ontology=, costs=, relatedness=, agreement=, missing=, extra=
    """
    plain, systems, requested, warnings = studied(truth, runs, measures, usual=USUAL, **options)
    for candidate in requested:
        if candidate.traits.direction not in ("concept", "example"):
            raise MeasureError(
                f"{candidate} has no scores of single concepts or items; choose measures concept.… "
                "or example.…"
            )
    evaluation = evaluate(truth, systems, requested, progress=progress, **options)
    compared = None
    if compare_confidences:
        missing = options.get("missing", "error")
        compared = comparability(plain, systems, missing=missing, seed=seed, progress=progress)
    study = CollectionStudy(
        plain,
        evaluation.runs,
        tuple(unit_scores(evaluation, scored) for scored in evaluation.measures),
        {run.name: run.group or run.name for run in systems},
        compared,
        table,
        warnings,
    )
    if table is not None and not study._records[table]:
        study.rows(table)  # says why there is nothing in it
    return study


# ── charts ────────────────────────────────────────────────────────────────────────────────────


def _frequencies(scores: UnitScores, terms: Terms) -> Chart:
    """Frequency against the best score of each concept (Nowak 2011, Figure 10.3)."""
    hardest = set(scores.hardest[:_LABELLED].tolist())
    rows = [
        {
            "concept": name,
            "frequency": float(scores.positives[unit] / max(1, scores.size)),
            "best": float(scores.best[unit]),
            "run": ", ".join(scores.winners(unit)),
        }
        for unit, name in enumerate(scores.units)
    ]
    return Chart(
        kind="dots",
        rows=rows,
        x=Axis("frequency", f"share of {terms.items}", scale="sqrt", percent=True),
        y=_quality("best", scores),
        highlights=[row for unit, row in enumerate(rows) if unit in hardest],
        label="concept",
        tooltip=("concept", "frequency", "best", "run"),
        title=f"Frequency and best score of {terms.concepts}",
        subtitle=f"by {scores.measure}; ρ = {scores.by_frequency:.2f}; the hardest are named",
    )


def _difficulty(scores: UnitScores, terms: Terms) -> Chart:
    units = scores.hardest[::-1].tolist()
    rows: list[Mapping[str, Any]] = []
    for unit in units:
        name = scores.units[unit]
        column = scores.scores[:, unit].tolist()
        runs = zip(scores.runs, column, strict=True)
        rows += [
            {"concept": name, "run": run, "of": "a run", "score": score} for run, score in runs
        ]
        average = float(scores.average[unit])
        rows.append({"concept": name, "run": "mean", "of": "mean of runs", "score": average})
    return Chart(
        kind="dots",
        rows=rows,
        x=_quality("score", scores),
        y=Axis("concept", scale="names"),
        series="of",
        order=("a run", "mean of runs"),
        tooltip=("concept", "run", "score"),
        title=f"{terms.concepts.capitalize()}, the easiest on top",
        subtitle=f"{scores.measure} of all runs, and their mean",
    )


def _item_scores(scores: UnitScores, terms: Terms) -> Chart:
    """How many items reach which score, by the best run and by the best for each item."""
    leader = scores.scores[scores.runs.index(scores.leader.run)]
    best = f"best run for each {terms.item}"
    values = {f"best run ({scores.leader.run})": leader, best: scores.best}
    return Chart(
        kind="spread",
        rows=[{"of": name, "score": v} for name, column in values.items() for v in column.tolist()],
        x=_quality("score", scores),
        y=Axis("", terms.items),
        series="of",
        title=f"{terms.items.capitalize()} by their score",
        subtitle=f"{scores.measure}: {scores.leader.score:.3f} by the best run, "
        f"{scores.envelope:.3f} by the best for each {terms.item}",
    )


def _losses(compared: Comparability, terms: Terms) -> Chart:
    """Runs as they are and made comparable; on the diagonal nothing is lost."""
    rows = [
        {
            "measure": f"{name}: {losses.mean():+.3f} on average",
            "run": run,
            "original": original,
            "comparable": comparable,
        }
        for name, losses, originals, comparables in zip(
            compared.measures, compared.losses, compared.as_given, compared.comparable, strict=True
        )
        for run, original, comparable in zip(
            compared.runs, originals.tolist(), comparables.tolist(), strict=True
        )
    ]
    both = np.array([compared.as_given, compared.comparable])
    domain = (float(both.min()), float(max(both.max(), both.min() + 1e-9)))
    return Chart(
        kind="dots",
        rows=rows,
        x=Axis("original", "as they are", domain=domain),
        y=Axis("comparable", "made comparable", domain=domain),
        diagonal=True,
        panels="measure",
        tooltip=("run", "original", "comparable"),
        title=f"What confidences lose that cannot be compared across {terms.concepts}",
        subtitle=f"runs above the line gain if each {terms.concept} has the log-odds of its labels",
    )


def _quality(field: str, scores: UnitScores) -> Axis:
    """An axis of scores, the better ones to the right or on top."""
    return Axis(field, str(scores.measure), reverse=scores.measure.traits.better == "lower")


def _without_measure(row: Row) -> dict[str, Any]:
    """A row below a title that names the measure."""
    return {field: value for field, value in row.items() if field != "measure"}
