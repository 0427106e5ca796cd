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
from cranfield.cli.meanings import MEANINGS, NAMES
from cranfield.cli.options import Json

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
    ("concept", "values"): "By concept, from probabilities and other numbers",
    ("example", "values"): "By item, from probabilities and other numbers",
    ("micro", "values"): "All cells pooled, from probabilities and other numbers",
    ("confusion", "decisions"): "Of a confusion matrix",
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
    as_json: Json = False,
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
        "knowledge": list(definition.knowledge),
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
    for value in own.choices or (("FTS",) if own.kind is str else ("2", "0.5", "5")):
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
        ("example", _command(definition)),
    ]
    if definition.knowledge:
        flags = ", ".join(f"{name} (--{name})" for name in definition.knowledge)
        facts.insert(3, ("knowledge", f"{flags}; or in the collection's folder"))
    if definition.aliases:
        facts.insert(1, ("also", ", ".join(definition.aliases)))
    return facts


def _command(definition: Definition) -> str:
    """How to score a run by a measure, with what it must know."""
    if definition.table is not None:
        return f"cranfield confusion matrix.csv -m '{example(definition)}'"
    needed = ""
    if "ontology" in definition.knowledge:
        needed = " --ontology pto2009"
    elif definition.knowledge:
        needed = f" --{definition.knowledge[0]} FTS=FTS.csv"
    return f"cranfield evaluate truth.txt run.txt -m '{example(definition)}'{needed}"


def _option_rows(option: Option) -> list[tuple[str, str, str]]:
    """One row for each choice, or one for the kind of number; the default stands out."""
    if option.name == "k":
        default = "the whole list counts" if option.default == 0 else "must be given"
        return [("@k", "", f"{_kind(option)}; {default}")]
    if option.kind is str and not option.choices:
        return [
            (option.name, f"[bold]{option.default or '–'}[/bold] (default)", NAMES[option.name])
        ]
    if not option.choices:
        return [(option.name, f"[bold]{option.default:g}[/bold] (default)", _kind(option))]
    rows: list[tuple[str, str, str]] = []
    for choice in option.choices:
        meaning = MEANINGS.get((option.name, choice), "")
        # Without a default of its own, a measure does what the truth says: usually negative.
        usual = choice == (option.default or "negative")
        value = f"[bold]{choice}[/bold] (default)" if usual else f"[dim]{choice}[/dim]"
        rows.append(("" if rows else option.name, value, meaning))
    return rows


def _kind(option: Option) -> str:
    kind = "whole number" if option.kind is int else "number"
    if option.bounds is None:
        return kind
    low, high, limit, below = option.bounds
    if math.isinf(high):
        return f"{kind} ≥ {low:g}" + (" or inf" if limit else "")
    return f"{kind} from {low:g} to {'below ' if below else ''}{high:g}"
