"""`cranfield study audit`: which requirements measures meet, and the smallest counterexamples."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cranfield.cli.choices import finite
from cranfield.cli.completion import measure_names
from cranfield.cli.examples import examples
from cranfield.cli.explained import Command
from cranfield.cli.forms import chosen_form, deliver
from cranfield.cli.options import Json, csv_option, output_option
from cranfield.errors import MOST_DRAWS

if TYPE_CHECKING:
    from cranfield.studies.audit import AuditCard

_EXTENSIONS = {".json": "json", ".csv": "csv", ".md": "markdown", ".txt": "table"}
_CUTOFF = "@3"
"""Of measures that need one, for --all: small collections have few ranks."""


class Prediction(StrEnum):
    """What somebody's own function looks at."""

    decisions = "decisions"
    confidences = "confidences"
    values = "values"


class Better(StrEnum):
    """Which end of the range is the good one."""

    HIGHER = "higher"
    LOWER = "lower"  # in capitals, since every text has a method of the other name
    NEITHER = "neither"


class Lists(StrEnum):
    """Whose confidences are ranked against each other."""

    concept = "concept"
    example = "example"
    micro = "micro"


def register(app: typer.Typer) -> None:
    app.command(
        cls=Command,
        epilog=examples(
            "cranfield study audit example.F",
            "cranfield study audit OS HS 'example.F(beta=2)'",
            "cranfield study audit concept.AP --seconds 30 -o card.md",
            "cranfield study audit my_measures:weighted_f --better higher",
            "cranfield study audit my_measures:loss --better lower --high inf --prediction values",
            "cranfield study audit --all --seconds 1 --json",
        ),
    )(audit)


def audit(
    measures: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="MEASURE|MODULE:FUNCTION",
            help="Measures, or functions of your own: two arrays of items by concepts, the truth "
            "and what was said, in; a score, or unit scores, out.",
            autocompletion=measure_names,
            show_default=False,
        ),
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="Audit every registered measure.")] = False,
    seconds: Annotated[
        float,
        typer.Option(
            metavar="NUMBER", min=0, callback=finite, help="When to stop looking, per measure."
        ),
    ] = 5.0,
    cells: Annotated[
        int,
        typer.Option(
            metavar="N", min=1, help="Every case of collections of so many cells, where few."
        ),
    ] = 6,
    drawn: Annotated[
        int, typer.Option(metavar="N", min=0, max=MOST_DRAWS, help="Larger collections.")
    ] = 40,
    seed: Annotated[int, typer.Option(metavar="N", min=0, help="Seed of what is drawn.")] = 0,
    prediction: Annotated[
        Prediction | None,
        typer.Option(
            metavar="decisions|confidences|values",
            help="What a function looks at; default: decisions.",
        ),
    ] = None,
    better: Annotated[
        Better | None,
        typer.Option(
            metavar="higher|lower|neither", help="Which scores of a function are good; higher."
        ),
    ] = None,
    low: Annotated[
        float | None, typer.Option(metavar="NUMBER", help="Lowest score of a function; 0.")
    ] = None,
    high: Annotated[
        float | None, typer.Option(metavar="NUMBER", help="Highest score of a function; 1.")
    ] = None,
    lists: Annotated[
        Lists | None,
        typer.Option(
            metavar="concept|example|micro",
            help="Whose confidences a function ranks: of a concept, of an item, all; concept.",
        ),
    ] = None,
    cards: Annotated[
        bool, typer.Option("--cards", help="Of several measures the cards as well.")
    ] = False,
    as_json: Json = False,
    as_csv: Annotated[bool, csv_option("measure and requirement")] = False,
    as_markdown: Annotated[bool, typer.Option("--markdown", help="Print Markdown.")] = False,
    output: Annotated[
        Path | None,
        output_option("Write to a file; .json .csv .md .txt say what, unless a flag does."),
    ] = None,
) -> None:
    """Audit measures: which requirements do they meet?

    Best and worst scores, monotony (King 2003), metric axioms, invariances, hierarchies
    (Kiritchenko 2005), runs that know nothing, density. Every case of small collections is looked
    at, then larger ones are drawn; what fails is shown by its smallest counterexample. One measure
    gets a card, several a matrix.
    """
    flags = {"json": as_json, "csv": as_csv, "markdown": as_markdown}
    form = chosen_form(flags, output, _EXTENSIONS)
    if every == bool(measures):
        raise typer.BadParameter("name measures or functions, or give --all")
    declared = _declared(prediction, better, low, high, lists)
    wanted = _all_measures() if every else list(measures or ())
    if declared and not any(":" in one for one in wanted):
        raise typer.BadParameter(f"--{next(iter(declared))} is for functions: MODULE:FUNCTION")
    effort = {"seconds": seconds, "cells": cells, "drawn": drawn, "seed": seed}
    found = _audited(wanted, declared, effort)
    _show(found, form, output, cards=cards)


def _declared(
    prediction: Prediction | None,
    better: Better | None,
    low: float | None,
    high: float | None,
    lists: Lists | None,
) -> dict[str, Any]:
    """What was said about functions."""
    chosen = {"prediction": prediction, "better": better, "lists": lists}
    declared: dict[str, Any] = {name: one.value for name, one in chosen.items() if one is not None}
    if low is not None or high is not None:
        ends = (0.0 if low is None else low, 1.0 if high is None else high)
        if not ends[0] < ends[1]:
            raise typer.BadParameter(
                f"scores from {ends[0]:g} to {ends[1]:g}; give --low the lowest score and --high "
                "the highest"
            )
        declared["range"] = ends
    return declared


def _all_measures() -> list[str]:
    from cranfield.measures import measures

    return [one.name.replace("@k", _CUTOFF) for one in measures()]


def _audited(
    wanted: list[str], declared: dict[str, Any], effort: dict[str, Any]
) -> list[AuditCard]:
    from cranfield.cli.screen import progress, waiting
    from cranfield.measures import measure
    from cranfield.studies.audit import audit

    for spelling in wanted:  # a name that is misspelt is told before the work begins
        if ":" not in spelling:
            measure(spelling)
    cards = []
    spinner = f"auditing {wanted[0]}" if len(wanted) == 1 else "auditing"
    with waiting(spinner) if len(wanted) == 1 else progress(spinner, len(wanted)) as step:
        for spelling in wanted:
            about = declared if ":" in spelling else {}
            cards.append(audit(spelling, **effort, **about))
            if step is not None:
                step()
    return cards


def _show(found: list[AuditCard], form: str, path: Path | None, *, cards: bool) -> None:
    from cranfield.cli.screen import output, plain
    from cranfield.report.audits import audit_csv, audit_json, audit_markdown, audit_table

    match form:
        case "json":
            text = audit_json(found)
        case "csv":
            text = audit_csv(found)
        case "markdown":
            text = audit_markdown(found, in_full=cards)
        case _:
            table = audit_table(found, in_full=cards)
            if path is None:
                output().print(table)
                return
            text = plain(table)
    deliver(text, path)
