"""`cranfield demo`: a whole campaign, made up and scored in memory, to see what this is about."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from cranfield.collections.collection import Collection
from cranfield.collections.description.presentation import share_bar
from cranfield.commands.report_files import NO_REPORT, ReportFiles
from cranfield.core.chart import Picture
from cranfield.core.progress import Progress, silent
from cranfield.core.result import Analysis
from cranfield.core.table import Column, Graphic, Table
from cranfield.engine import evaluate
from cranfield.engine.evaluation import Evaluation
from cranfield.knowledge import Knowledge

if TYPE_CHECKING:
    from cranfield.studies.random_guessing import RandomGuessing

MEASURES = (
    *("concept.AP", "concept.AUC", "concept.EER", "example.F", "example.AP"),
    *("example.ranking_loss", "OS"),
)
GUESSED = ("concept.F", "HS")
"""What guesses are held against besides: measures that they game, as Nowak 2011 §7.5 found."""
_TOP = 10
_CERTAIN = 5
_BAR, _WIDE = 24, 40
NEXT = (
    ("the same campaign as files", "cranfield simulate campaign"),
    ("score every run in it", "cranfield evaluate campaign"),
    ("choose measures", "cranfield evaluate campaign -m concept.iAP -m 'example.F(beta=2)'"),
    (
        "one run, concept by concept",
        "cranfield evaluate campaign campaign/runs/Alder_1.txt -m concept.AP --per-unit",
    ),
    ("a table for a paper", "cranfield evaluate campaign -o table.tex"),
    ("a page with everything", "cranfield evaluate campaign --report report.html"),
    (
        "check a run before you send it",
        "cranfield check campaign/runs/Alder_1.txt --against campaign",
    ),
    ("what a measure means", "cranfield measures example.ranking_loss"),
    ("a campaign for browsers, with groups", "cranfield campaign init photos --demo"),
    ("the same, opened", "cranfield serve photos"),
)


@dataclass(frozen=True, repr=False)
class Demo(Analysis):
    """A campaign with its scores, and what guessing would have scored."""

    title = "A simulated campaign"

    collection: Collection
    evaluation: Evaluation
    guessing: RandomGuessing
    groups: int
    systems: int
    seconds: tuple[float, float]
    """To simulate the campaign, and to score it."""

    def _facts(self) -> dict[str, Any]:
        return dict(self.evaluation.result.facts)

    def _tables(self) -> list[Table]:
        scores, standings, *_ = self.evaluation.result.tables
        simulated, scored = self.seconds
        heading = f"The best {_TOP} of {self.systems} runs by {self.groups} groups"
        timing = (
            f"simulated in {simulated:.1f} s; {len(self.evaluation.runs)} runs scored by "
            f"{len(self.evaluation.measures)} measures in {scored:.1f} s"
        )
        guesses = [table for table in self.guessing.result.tables if table.audience != "programs"]
        return [
            scores,
            self._concept_table(),
            replace(standings, rows=standings.rows[:_TOP], title=heading, remarks=[timing]),
            self._interval_table(),
            *(
                replace(table, title=table.title or "Where guessing lands", audience="people")
                for table in guesses
            ),
            Table(
                "next",
                [{"purpose": purpose, "command": command} for purpose, command in NEXT],
                (Column("purpose", "to see", key=True), Column("command", "type")),
                title="Next",
                audience="people",
            ),
        ]

    def _concept_table(self) -> Table:
        from cranfield.collections.description import describe

        facts = describe(self.collection)
        frame = facts.frame.sort("frequency", descending=True)
        rows = [
            {"concept": row["concept"], "frequency": row["frequency"]}
            for row in frame.rows(named=True)
        ]
        gap = {"concept": "⋮", "frequency": ""}
        bars = share_bar(_BAR)
        columns = (
            Column("concept", key=True),
            Column("frequency", kind="percent", digits=1, align="right", graphic=bars),
        )
        title = (
            f"The collection: {facts.items} photos, {facts.concepts} concepts, "
            f"{facts.cardinality:.2f} labels a photo (density {facts.density:.2f})"
        )
        shown = [*rows[:4], gap, *rows[-2:]]
        return Table("collection", shown, columns, title=title, audience="people")

    def _interval_table(self) -> Table:
        """The intervals of the best runs by the first measure, and which of them differ."""
        from cranfield.statistics.comparing import compare
        from cranfield.statistics.intervals import intervals

        first = self.evaluation.measures[0]
        names = self.evaluation.standings.runs[:_CERTAIN]
        scores = [self.evaluation.score(run, first) for run in names]
        best = Evaluation(self.evaluation.truth, scores)
        ranges, pairs = list(intervals(best)), compare(best, first)
        fields = ("run", "score", "low", "high")
        rows = [{name: getattr(interval, name) for name in fields} for interval in ranges]
        apart = [pair for pair in pairs.significant() if pair.a == pairs.runs[0]]
        remark = (
            f"95 % confidence intervals of {first} over photos; {pairs.runs[0]} differs "
            f"significantly from {len(apart)} of the {len(pairs.runs) - 1} runs below it (all "
            "tests: cranfield compare)"
        )
        columns = (
            Column("run", key=True),
            Column(
                "score",
                interval=("low", "high"),
                graphic=Graphic("interval", ("low", "high"), letters=_WIDE),
            ),
        )
        title = "How certain the best are"
        return Table("intervals", rows, columns, title=title, remarks=[remark], audience="people")

    def _charts(self) -> Sequence[Picture]:
        return self.guessing.full_result.charts

    def _remarks(self) -> list[str]:
        return [
            "Random0 guesses confidences, RandomXX assigns exactly XX % of all labels, AllOnes "
            "every label"
        ]


def demo(report_files: ReportFiles = NO_REPORT, *, progress: Progress = silent) -> Demo:
    """Simulate a photo annotation campaign and score it: a few seconds; nothing is written unless
    asked for."""
    from cranfield.studies.random_guessing import random_guessing
    from cranfield.studies.simulation import photo_campaign, simulate_world

    campaign = photo_campaign()
    began = time.perf_counter()
    world = simulate_world(campaign.design)
    runs = []
    with progress("simulating", len(campaign)) as step:
        for run in campaign.runs(world):
            runs.append(run)
            step(1)
    drawn = time.perf_counter()
    collection = Collection(
        world.truth,
        name="Photo annotation, simulated",
        knowledge=Knowledge(ontology=campaign.design.ontology),
    )
    evaluation = evaluate(collection, runs, MEASURES, progress=progress)
    scored = time.perf_counter()
    report_files.write(evaluation, progress, collection=collection)
    return Demo(
        collection,
        evaluation,
        random_guessing(collection, runs, (*MEASURES, *GUESSED)),
        groups=len({system.group for system in campaign.systems}),
        systems=len(campaign.systems),
        seconds=(drawn - began, scored - drawn),
    )
