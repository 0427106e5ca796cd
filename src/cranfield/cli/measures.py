"""`cranfield measures`: list the measures, or explain one. Everything comes from the registry."""

from __future__ import annotations

import json
import math
from itertools import groupby
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cranfield.cli.completion import measure_names
from cranfield.cli.examples import examples
from cranfield.cli.explained import Command

if TYPE_CHECKING:
    from rich.console import RenderableType

    from cranfield.measures import Definition, Option

_FAMILIES = {
    ("concept", "decisions"): "By concept, from decisions",
    ("concept", "confidences"): "By concept, from confidences",
    ("example", "decisions"): "By item, from decisions",
    ("example", "confidences"): "By item, from confidences",
    ("micro", "decisions"): "All cells pooled, from decisions",
    ("micro", "confidences"): "All cells pooled, from confidences",
}

_MEANINGS = {
    ("undefined", "skip"): "a unit without a value is left out of the mean, and counted",
    ("undefined", "empty"): "an item with both sets empty scores 1; otherwise 0/0 = 0",
    ("undefined", "0"): "a unit without a value scores 0",
    ("undefined", "1"): "a unit without a value scores 1",
    ("undefined", "raise"): "a unit without a value is an error",
    (
        "unjudged",
        "negative",
    ): "cells that nobody judged count as negative, unless the truth says otherwise",
    ("unjudged", "exclude"): "cells that nobody judged are left out of every count and list",
    ("ties", "grouped"): "all cells of one score enter the list at once",
    ("ties", "expected"): "the mean over all orders of cells with one score",
    ("ties", "best"): "of cells with one score the relevant ones come first",
    ("ties", "worst"): "of cells with one score the relevant ones come last",
    ("offset", "truth"): "the rank of the last true concept minus their number: perfect is 0",
    ("offset", "one"): "that rank minus 1 (Schapire & Singer, Mulan)",
    ("offset", "zero"): "that rank as it is (scikit-learn)",
    ("at", "linear"): "where both rates are equal on the linearly interpolated ROC curve",
    ("at", "vertex"): "the mean of both rates at the threshold where they differ least",
    ("gain", "linear"): "a grade counts as it is",
    ("gain", "exponential"): "a grade counts 2^grade − 1",
    ("rule", "exact"): "a recall level asks for ⌈level·R⌉ items",
    ("rule", "trec9"): "it asks for int(level·R + .9) items, as trec_eval 9 does",
    ("rule", "trec10"): "it asks for lround(level·R) items, as trec_eval 10 does",
    ("ties", "trec"): "cells with one score come by id, descending, as in trec_eval",
}

_COMMON = ("ties", "undefined", "unjudged")
"""Options that most measures have; their own ones make better examples."""


def register(app: typer.Typer) -> None:
    app.command(
        cls=Command,
        epilog=examples(
            "cranfield measures",
            "cranfield measures example.F",
            "cranfield measures AP",
            "cranfield measures --json",
        ),
    )(measures)


def measures(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="NAME",
            help="Measure to explain, with or without prefix.",
            autocompletion=measure_names,
            show_default=False,
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")] = False,
) -> None:
    """List the measures, or explain one: formula, source, options, conventions."""
    from cranfield.cli.screen import data, output
    from cranfield.measures import measures as registered

    found = list(registered()) if name is None else _named(name)
    if as_json:
        records = {"measures": [record(one) for one in found]}
        data(json.dumps(records, ensure_ascii=False, indent=2) + "\n")
        return
    parts = _listing(found) if name is None else [_explanation(one) for one in found]
    output().print(*parts, sep="\n")


def record(definition: Definition) -> dict[str, Any]:
    """A definition as plain data; an end of the range that is infinite is null."""
    traits = definition.traits
    return {
        "name": definition.name,
        "direction": traits.direction,
        "prediction": traits.prediction,
        "relevance": traits.relevance,
        "scoring": traits.scoring,
        "range": [end if math.isfinite(end) else None for end in traits.range],
        "better": traits.better,
        "source": traits.source,
        "formula": definition.formula,
        "aliases": list(definition.aliases),
        "options": {
            option.name: {"default": option.default, "choices": list(option.choices)}
            for option in definition.options.values()
        },
        "example": example(definition),
    }


def example(definition: Definition) -> str:
    """A spelling of the measure that shows an option of its own."""
    from cranfield.errors import MeasureError
    from cranfield.measures import measure

    name = definition.name.removesuffix("@k")
    if "k" in definition.options:
        return f"{name}@10"
    options = list(definition.options.values())
    # Of two own options, one with named choices says more than a number out of the blue.
    own = next((one for one in options if one.choices and one.name not in _COMMON), options[0])
    for value in own.choices or ("2", "0.5", "5"):
        try:
            shown = str(measure(f"{name}({own.name}={value})"))
        except MeasureError:
            continue
        if shown != name:
            return shown
    return name


def _named(name: str) -> list[Definition]:
    """The measures of this name, under every prefix if it has none."""
    from cranfield.measures import measure
    from cranfield.measures import measures as registered

    found = [one for one in registered() if name.lower() in _short_names(one)]
    return found or [measure(name).definition]


def _short_names(definition: Definition) -> set[str]:
    """The name with and without its prefix and its cutoff, in lower case."""
    full = definition.name.lower()
    bare = full.partition(".")[2]
    return {full, full.removesuffix("@k"), bare, bare.removesuffix("@k")}


def _listing(found: list[Definition]) -> list[RenderableType]:
    from rich.markup import escape
    from rich.table import Table

    from cranfield.report.standings import ARROWS

    parts: list[RenderableType] = []
    ordered = sorted(found, key=lambda one: list(_FAMILIES).index(_family(one)))
    wide = max(len(one.name) for one in found)
    for family, members in groupby(ordered, key=_family):
        table = Table(
            box=None,
            title=_FAMILIES[family],
            title_justify="left",
            title_style="bold",
            pad_edge=False,
        )
        table.add_column(width=wide, no_wrap=True, style="green")
        table.add_column(width=1, style="dim")
        table.add_column(ratio=1)
        table.show_header = False
        for one in members:
            table.add_row(escape(one.name), ARROWS[one.traits.better], escape(one.formula))
        parts += [table, ""]
    parts.append(
        "[dim]↑ higher is better, ↓ lower is better. More of one: cranfield measures NAME[/dim]"
    )
    return parts


def _family(definition: Definition) -> tuple[str, str]:
    return definition.traits.direction, definition.traits.prediction


def _explanation(definition: Definition) -> RenderableType:
    from rich import box
    from rich.console import Group
    from rich.markup import escape
    from rich.panel import Panel
    from rich.table import Table

    facts = Table(box=None, show_header=False, pad_edge=False)
    facts.add_column(style="dim", no_wrap=True)
    facts.add_column(ratio=1)
    for label, value in _facts(definition):
        facts.add_row(label, escape(value))
    options = Table(box=box.SIMPLE_HEAD, header_style="dim", pad_edge=False)
    options.add_column("option")
    options.add_column("value")
    options.add_column("meaning", ratio=1)
    for option in definition.options.values():
        for row in _option_rows(option):
            options.add_row(*row)
    return Panel(
        Group(escape(definition.formula), "", facts, options),
        title=f"[bold green]{escape(definition.name)}[/bold green]",
        title_align="left",
        padding=(1, 2),
    )


def _facts(definition: Definition) -> list[tuple[str, str]]:
    traits = definition.traits
    low, high = (f"{end:g}".replace("inf", "∞") for end in traits.range)
    facts = [
        ("source", traits.source),
        ("family", _FAMILIES[_family(definition)]),
        ("relevance", traits.relevance),
        ("range", f"{low} to {high}, {traits.better} is better"),
        ("example", f"cranfield evaluate truth.txt run.txt -m '{example(definition)}'"),
    ]
    if definition.aliases:
        facts.insert(1, ("also", ", ".join(definition.aliases)))
    return facts


def _option_rows(option: Option) -> list[tuple[str, str, str]]:
    """One row for each choice, or one for the kind of number; the default stands out."""
    if option.name == "k":
        default = "the whole list counts" if option.default == 0 else "must be given"
        return [("@k", "", f"{_kind(option)}; {default}")]
    if not option.choices:
        return [(option.name, f"[bold]{option.default:g}[/bold] (default)", _kind(option))]
    rows: list[tuple[str, str, str]] = []
    for choice in option.choices:
        meaning = _MEANINGS.get((option.name, choice), "")
        # Without a default of its own, a measure does what the truth says: usually negative.
        usual = choice == (option.default or "negative")
        value = f"[bold]{choice}[/bold] (default)" if usual else f"[dim]{choice}[/dim]"
        rows.append(("" if rows else option.name, value, meaning))
    return rows


def _kind(option: Option) -> str:
    kind = "whole number" if option.kind is int else "number"
    if option.bounds is None:
        return kind
    low, high = option.bounds
    return f"{kind} ≥ {low:g}" if math.isinf(high) else f"{kind} from {low:g} to {high:g}"
