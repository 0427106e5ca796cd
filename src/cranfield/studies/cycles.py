"""Cycles: did systems improve from one campaign to the next (Nowak 2011 §10.8)?

Both cycles are narrowed to their common concepts, and to their common items where they have any
(concepts that one of two truths assigns to nothing are left out).
Then the best run, the one in the middle, the mean of all, and the best run of each concept or item
are compared. With common items, units are paired: whatever is hard is hard for both cycles, and the
signs of differences are flipped at random. Without, concepts have other items in each cycle, and a
one-way analysis of variance takes them for two groups, as Nowak 2011 does. p-values are corrected
by Holm for the number of comparisons.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal, get_args

from cranfield.core.chart import Axis, Chart
from cranfield.core.options import Option
from cranfield.core.progress import Progress, silent
from cranfield.core.result import Analysis
from cranfield.core.table import Audience, Column, Row, Table
from cranfield.core.terms import CONCEPTS, Terms
from cranfield.engine import evaluate
from cranfield.engine.evaluation import Evaluation
from cranfield.errors import MOST_DRAWS, InputError, require_draws, several
from cranfield.knowledge import Knowledge
from cranfield.statistics import holm
from cranfield.statistics.comparing.units import Resample
from cranfield.studies.cycle_changes import Change as Change
from cranfield.studies.cycle_changes import ConceptChanges as ConceptChanges
from cranfield.studies.cycle_changes import Cycle as Cycle
from cranfield.studies.cycle_changes import (
    Stand,
    Test,
    agreement_of,
    as_cycle,
    changes_by,
    concepts_by,
    in_both,
    in_common,
    narrowed,
    side_of,
)
from cranfield.studies.field import (
    Seed,
    Spellings,
    knowledge_options,
    measures_option,
    reference_remarks,
    remarks_on,
    usual_measures,
)

Judge = Literal["later", "earlier", "own"]
TableName = Literal["changes", "concepts"]
USUAL = ("concept.AP", "concept.AUC", "concept.EER", "example.AP", "example.F")
_ENDS = 4
"""Concepts that gained most, and lost most, that people see first."""
_STRANGE = 0.5
"""Truths that agree less, corrected for chance, are hardly of the same items."""
_ON_PAPER = ("unpaired_p", "over", "runs")
"""Fields of comparisons that a screen has no room for."""
_VERDICTS = ("better", "worse", "same")


@dataclass(frozen=True, eq=False)
class CycleComparison(Analysis):
    """Two cycles side by side."""

    title = "Progress from one cycle to the next"

    names: tuple[str, str]
    runs: tuple[tuple[str, ...], tuple[str, ...]]
    items: int
    """Common items; 0 where they are not compared on any."""
    concepts: tuple[str, ...]
    judged_by: Judge
    agreement: float
    """The share of common cells that both truths label alike; NaN without common items."""
    kappa: float
    """The same, corrected for chance: near 0, common ids are not common items."""
    changes: tuple[Change, ...]
    by_concept: tuple[ConceptChanges, ...]
    """By each measure that scores concepts."""
    alpha: float = 0.05
    table: TableName = "changes"
    """What programs and papers read first."""
    warnings: tuple[str, ...] = ()
    """What readers should know about the runs."""
    terms: Terms = CONCEPTS

    def change(self, measure: str, stand: Stand = "best") -> Change:
        """One comparison."""
        for change in self.changes:
            if str(change.measure).lower() == measure.lower() and change.stand == stand:
                return change
        names = ", ".join(dict.fromkeys(str(change.measure) for change in self.changes))
        raise InputError(f"there is no {stand!r} by {measure}; measures: {names}")

    def rows(self, table: str = "changes") -> list[dict[str, Any]]:
        """A record for each comparison ("changes"), or each measure and concept ("concepts")."""
        if table not in get_args(TableName):
            raise InputError(f"there is no table of {table}; choose changes or concepts")
        if table == "concepts" and not self.by_concept:
            raise InputError(
                "there is no table of concepts: no measure by concept was compared; add one, such "
                "as concept.AP"
            )
        return self.result.table(table).records

    @property
    def _concept_rows(self) -> list[dict[str, Any]]:
        return [row for changes in self.by_concept for row in changes.rows()]

    def _facts(self) -> dict[str, Any]:
        """Both cycles, all comparisons, and what became of each concept."""
        return {
            "earlier": {"name": self.names[0], "runs": list(self.runs[0])},
            "later": {"name": self.names[1], "runs": list(self.runs[1])},
            "common_items": self.items,
            "common_concepts": list(self.concepts),
            "judged_by": self.judged_by,
            "agreement": self.agreement,
            "kappa": self.kappa,
            "paired": self.changes[0].paired,
            "changes": [change.row() for change in self.changes],
            "concepts": self._concept_rows,
            "counts": {
                str(changes.measure): {"gained": changes.gained, "lost": changes.lost}
                for changes in self.by_concept
            },
        }

    # ── tables ────────────────────────────────────────────────────────────────────────────────

    def _tables(self) -> list[Table]:
        rows: dict[str, list[dict[str, Any]]] = {
            "changes": [change.row() for change in self.changes],
            "concepts": self._concept_rows,
        }
        programs = [
            Table(name, rows[name], audience="programs")
            for name in sorted(rows, key=lambda name: name != self.table)
            if rows[name]
        ]
        starred = [
            row | {"of": row["of"] + (" *" if row["adjusted"] < self.alpha else "")}
            for row in self._people_rows
        ]
        tables = [
            _shown("all_changes", starred, "screens", remarks=self._notes(), hidden=_ON_PAPER)
        ]
        if self.by_concept:
            tables.append(self._ends(self.by_concept[0]))
        printed = self._people_rows if self.table == "changes" else rows[self.table]
        return [*programs, *tables, _shown(f"all_{self.table}", printed, "papers")]

    @property
    def _people_rows(self) -> list[dict[str, Any]]:
        """A record for each comparison, in the words of the later cycle."""
        return [
            change.row() | {"over": self.terms.several(change.units, change.resample[:-1])}
            for change in self.changes
        ]

    def _ends(self, changes: ConceptChanges) -> Table:
        rows = changes.rows()
        shown = rows if len(rows) <= 2 * _ENDS else [*rows[:_ENDS], *rows[-_ENDS:]]
        title = f"{self.terms.concepts.capitalize()} that gained and lost most by {changes.measure}"
        return _shown(
            "gained_and_lost",
            shown,
            "screens",
            f"{title}, {len(shown)} of {len(rows)}",
            [_counted(changes, self.terms) for changes in self.by_concept],
            hidden=("measure",),
        )

    def _notes(self) -> list[str]:
        runs = " and ".join(
            f"{several(len(runs), 'run')} of {name}"
            for name, runs in zip(self.names, self.runs, strict=True)
        )
        terms = self.terms
        concepts = _common(len(self.concepts), "concept", terms)
        notes = []
        if self.items:
            notes.append(
                f"{runs} on {_common(self.items, 'item', terms)} and {concepts}, judged by the "
                f"{self.judged_by} truth; both truths agree on {100 * self.agreement:.1f} % of "
                f"their cells (κ {self.kappa:.2f})"
            )
            if self.kappa < _STRANGE:
                notes.append(
                    f"the two truths hardly agree: are {terms.items} that have the same id the "
                    f"same {terms.items}?"
                )
        elif self.changes[0].paired:
            notes.append(f"{runs} on {concepts}, by the same judgements")
        else:
            notes.append(
                f"{runs} on {concepts}; no common {terms.items}, so each is judged by its own truth"
            )
        paired = self.changes[0].paired
        test = "paired randomisation test" if paired else "one-way analysis of variance"
        comparisons = several(len(self.changes), "comparison")
        best = (c for c in self.changes if c.stand == "best")
        listed = "; ".join(f"{c.runs[0]} → {c.runs[1]} by {c.measure}" for c in best)
        return [
            *notes,
            f"best: {listed}; best of each: the best run of every {self._unit}",
            f"* significant at {self.alpha:g}: adjusted by Holm for {comparisons}; p: {test} (CSV: "
            "also one-way analysis of variance)",
            "the best of many runs is better than that of few by chance alone; compare the median "
            "too",
        ]

    @property
    def _unit(self) -> str:
        """What the best run was picked for."""
        kinds = {c.resample[:-1] for c in self.changes if c.stand == "best of each"}
        return " or ".join(map(self.terms.word, sorted(kinds)))

    # ── charts ────────────────────────────────────────────────────────────────────────────────

    def _charts(self) -> list[Chart]:
        """All comparisons, and the best of each concept, from the earlier cycle to the later."""
        cycles = f"from {self.names[0]} to {self.names[1]}"
        rows = [change.row() for change in self.changes]
        charts = [
            _drawn([row for row in rows if row["measure"] == name], "of", name, cycles)
            for name in dict.fromkeys(row["measure"] for row in rows)
        ]
        for changes in self.by_concept:
            title = f"The best of each {self.terms.concept} by {changes.measure}"
            subtitle = _counted(changes, self.terms)
            charts.append(_drawn(changes.rows(), "concept", title, subtitle))
        return charts


def compare_cycles(
    earlier: Cycle | Evaluation,
    later: Cycle | Evaluation,
    measures: Annotated[Spellings, measures_option(", ".join((*USUAL, "OS")))] = None,
    *,
    judged_by: Annotated[Judge, Option()] = "later",
    resample: Annotated[Literal["auto", "items", "concepts"], Option()] = "auto",
    alpha: Annotated[float, Option(metavar="SHARE")] = 0.05,
    samples: Annotated[int, Option(minimum=100, maximum=MOST_DRAWS)] = 10_000,
    table: Annotated[TableName, Option()] = "changes",
    seed: Seed = 0,
    progress: Progress = silent,
    **options: Any,
) -> CycleComparison:
    """Compare two campaigns on their common items and concepts: what improved, significantly?

    The best run, the one in the middle, the mean of all, and the best of each concept or item,
    paired where items are common; which concepts gained and lost. Corrected by Holm.

    judged_by  Whose truth scores common items; without such always their own.
    resample   What cycles are compared on; auto: common items, else concepts.
    alpha      Level of significance.
    samples    Of the randomisation test.
    table      What CSV and LaTeX show.
    options    of `evaluate`: ontology=, costs=, relatedness=, agreement=, missing=, extra=; what
               the later collection knows of concepts holds for both
    """
    _require(judged_by, resample, samples, alpha, seed)
    if measures is None and isinstance(later, Evaluation):
        measures = later.measures
    earlier, later = as_cycle(earlier), as_cycle(later)
    missing, extra = options.pop("missing", "error"), options.pop("extra", "error")
    sides = (side_of(earlier, "earlier", extra), side_of(later, "later", extra))
    runs = [run for side in sides for run in side.runs]
    knowledge = Knowledge.given(**options).over(sides[1].collection.knowledge)
    requested = usual_measures(USUAL, runs, knowledge, measures)
    common = in_common(*(side.collection.truth for side in sides))
    about = knowledge_options(sides[1].collection.truth, knowledge) | {"missing": missing}
    narrow = [narrowed(side, common, missing) for side in sides]
    judge: Judge = judged_by if common.items else "own"
    if judge == "own":
        common = in_both([side.truth for side in narrow], common)
        narrow = [narrowed(side, common, missing) for side in sides]
    else:
        narrow = [replace(side, truth=narrow[judge == "later"].truth) for side in narrow]
    results = [evaluate(side.truth, side.runs, requested, **about) for side in narrow]
    # Judgements of an open truth are common, or not, as a whole.
    paired = bool(common.items) or (
        narrow[0].truth.open and narrow[0].truth.digest == narrow[1].truth.digest
    )
    test = Test(paired, samples, seed)
    changes: list[Change] = []
    by_concept: list[ConceptChanges] = []
    with progress("comparing", len(results[0].measures)) as step:
        for measure in results[0].measures:
            changes += changes_by(measure, results, resample, test)
            if measure.traits.direction == "concept":
                by_concept.append(concepts_by(measure, results, narrow, about, test))
            step(1)
    terms = sides[1].collection.truth.terms
    adjusted = holm([change.p for change in changes]).tolist()
    comparison = CycleComparison(
        (sides[0].name, sides[1].name),
        (results[0].runs, results[1].runs),
        len(common.items),
        common.concepts,
        judge,
        *agreement_of(sides, common),
        tuple(replace(change, adjusted=p) for change, p in zip(changes, adjusted, strict=True)),
        tuple(by_concept),
        alpha,
        table,
        (
            *reference_remarks([*earlier.runs, *later.runs]),
            *remarks_on(runs, requested, measures, terms=terms),
        ),
        terms,
    )
    if table == "concepts" and not by_concept:
        comparison.rows(table)  # says why there is nothing in it
    return comparison


def _require(judged_by: str, resample: str, samples: int, alpha: float, seed: int) -> None:
    if judged_by not in get_args(Judge):
        raise InputError(f"judged_by={judged_by!r}; choose 'later', 'earlier' or 'own'")
    if resample not in ("auto", *get_args(Resample)):
        raise InputError(f"resample={resample!r}; choose 'auto', 'items' or 'concepts'")
    require_draws("samples", samples, least=100)
    if not 0.0 < alpha < 1.0:
        raise InputError(
            f"{alpha:g} is no level of significance",
            mend="give {alpha} a number between 0 and 1, such as 0.05",
            parameter="alpha",
        )
    if seed < 0:
        raise InputError(f"seed={seed}; seeds start at 0")


def _shown(
    name: str,
    rows: Sequence[Row],
    audience: Audience,
    title: str = "",
    remarks: Sequence[str] = (),
    hidden: Sequence[str] = (),
) -> Table:
    chances = ("p", "adjusted", "unpaired_p")
    columns = [
        Column(field, kind="p", digits=4) if field in chances else Column(field, key=number < 2)
        for number, field in enumerate(rows[0])
        if field not in hidden
    ]
    return Table(name, rows, columns, title, remarks, audience)


def _common(count: int, noun: str, terms: Terms) -> str:
    number, _, word = terms.several(count, noun).partition(" ")
    return f"{number} common {word}"


def _counted(changes: ConceptChanges, terms: Terms) -> str:
    same = len(changes.concepts) - changes.gained - changes.lost
    return (
        f"{changes.measure}: {terms.several(changes.gained, 'concept')} gained, "
        f"{changes.lost} lost, {same} stayed"
    )


def _drawn(rows: Sequence[Row], name: str, title: str, subtitle: str) -> Chart:
    """A line from earlier to later for each row, with a dot at the later end."""
    verdicts = [_VERDICTS[0 if row["gain"] > 0 else 1 if row["gain"] < 0 else 2] for row in rows]
    return Chart(
        kind="ranges",
        rows=[dict(row) | {"verdict": v} for row, v in zip(rows, verdicts, strict=True)],
        x=Axis("later", "score"),
        y=Axis(name),
        ends=("earlier", "later"),
        series="verdict",
        order=_VERDICTS,
        tooltip=(name, "earlier", "later", "gain", "p", "adjusted"),
        title=title,
        subtitle=subtitle,
    )
