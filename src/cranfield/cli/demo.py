"""`cranfield demo`: a whole campaign, made up and scored in memory, to see what this is about."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import typer

from cranfield.cli.examples import examples
from cranfield.cli.explained import Command
from cranfield.cli.report_files import ReportOption, ReportWish

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.text import Text

    from cranfield.engine.evaluation import Evaluation
    from cranfield.report.standings import Standings
    from cranfield.studies.simulation import World

MEASURES = (
    *("concept.AP", "concept.AUC", "concept.EER", "example.F", "example.AP"),
    *("example.ranking_loss", "OS"),
)
GUESSED = ("concept.F", "HS")
"""What guesses are held against besides: measures that they game, as Nowak 2011 §7.5 found."""
_TOP = 10
_SURE = 5
_BAR, _WIDE = 24, 40
_PAGE = 80

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
)


def register(app: typer.Typer) -> None:
    app.command(
        cls=Command,
        epilog=examples(
            "cranfield demo", "cranfield demo | less", "cranfield demo --report demo.html"
        ),
    )(demo)


def demo(report: ReportOption = None) -> None:
    """Simulate a photo annotation campaign and score it: a few seconds; nothing but a report, if
    asked for, is written."""
    from cranfield.cli.screen import output, progress, stage_bar
    from cranfield.collections.collection import Collection
    from cranfield.engine import evaluate
    from cranfield.knowledge import Knowledge
    from cranfield.report.standings import Standings
    from cranfield.report.tables import ScoreTable, remark
    from cranfield.show.terminal import renderable
    from cranfield.studies.random_guessing import random_guessing
    from cranfield.studies.simulation import photo_campaign, simulate_world

    campaign = photo_campaign()
    began = time.perf_counter()
    world = simulate_world(campaign.design)
    runs = []
    with progress("simulating", len(campaign)) as step:
        for run in campaign.runs(world):
            runs.append(run)
            step()
    drawn = time.perf_counter()
    collection = Collection(
        world.truth,
        name="Photo annotation, simulated",
        knowledge=Knowledge(ontology=campaign.design.ontology),
    )
    result = evaluate(collection, runs, MEASURES, progress=stage_bar)
    scored = time.perf_counter()

    groups = len({system.group for system in campaign.systems})
    standings = Standings(result)
    screen = output()
    _head(screen, "The collection")
    screen.print(_facts(world))
    _head(screen, f"The best {_TOP} of {len(campaign.systems)} runs by {groups} groups")
    screen.print(ScoreTable(standings, standings.runs[:_TOP]))
    screen.print(
        remark(
            f"simulated in {drawn - began:.1f} s; {len(runs)} runs scored by "
            f"{len(result.measures)} measures in {scored - drawn:.1f} s"
        )
    )
    _head(screen, "How sure the best are")
    screen.print(_sure(result, standings))
    _head(screen, "Where guessing lands")
    screen.print(
        renderable(random_guessing(collection, runs, (*MEASURES, *GUESSED)).result),
        remark(
            "Random0 guesses confidences, RandomXX assigns exactly XX % of all labels, AllOnes "
            "every label"
        ),
    )
    _head(screen, "Next")
    screen.print(_next_commands(), soft_wrap=True)
    if report is not None:
        ReportWish(report, None).write(result, collection=collection)


def _head(screen: Console, title: str) -> None:
    from rich.rule import Rule

    rule = Rule(f"[bold]{title}[/bold]", align="left", style="dim")
    screen.print("", rule, width=min(screen.width, _PAGE))


def _facts(world: World) -> RenderableType:
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    items, concepts = world.truth.shape
    frequencies = world.truth.labels.mean(axis=0)
    cardinality = float(frequencies.sum())
    order = frequencies.argsort()[::-1]
    bars = Table(box=None, show_header=False, padding=(0, 1))
    bars.add_column()
    bars.add_column()
    bars.add_column(justify="right")
    for place in (*order[:4], None, *order[-2:]):
        if place is None:
            bars.add_row(Text("⋮", style="dim"))
            continue
        share = float(frequencies[place])
        bars.add_row(
            world.concepts[place],
            Text("█" * max(1, round(share * _BAR)), style="cyan"),
            Text(f"{share:.1%}", style="dim"),
        )
    return Group(
        f"\n  [bold]{items}[/bold] photos, [bold]{concepts}[/bold] concepts, "
        f"[bold]{cardinality:.2f}[/bold] labels a photo (density {cardinality / concepts:.2f})\n",
        bars,
    )


def _sure(result: Evaluation, standings: Standings) -> RenderableType:
    """The intervals of the best runs by the first measure, and which of them differ."""
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    from cranfield.engine.evaluation import Evaluation
    from cranfield.report.tables import remark
    from cranfield.statistics.comparing import compare
    from cranfield.statistics.intervals import intervals

    first = standings.measures[0]
    best = Evaluation(result.truth, [result.score(run, first) for run in standings.runs[:_SURE]])
    found, pairs = intervals(best), compare(best, first)
    ends = [end for one in found for end in (one.low, one.high)]
    low, width = min(ends), max(ends) - min(ends)
    drawn = Table(box=None, show_header=False, padding=(0, 1))
    for one in found:
        a, b, c = (round(_WIDE * (x - low) / width) for x in (one.low, one.score, one.high))
        line = Text(" " * a + "─" * (b - a) + "●" + "─" * (c - b), style="cyan")
        drawn.add_row(
            one.run, line, f"{one.score:.3f}", Text(f"{one.low:.3f}–{one.high:.3f}", "dim")
        )
    apart = [pair for pair in pairs.significant() if pair.a == pairs.runs[0]]
    return Group(
        "",
        drawn,
        remark(
            f"95 % intervals of {first} over photos; {pairs.runs[0]} differs significantly from "
            f"{len(apart)} of the {len(pairs.runs) - 1} runs below it; cranfield compare tells all"
        ),
    )


def _next_commands() -> Text:
    """Commands, each below a comment that says what for: a block that can be pasted as it is."""
    from rich.text import Text

    block = Text()
    for purpose, command in NEXT:
        block.append(f"  # {purpose}\n", style="dim").append(f"  {command}\n", style="green")
    return block
