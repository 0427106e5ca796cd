"""`cranfield ontology`: look at an ontology, and hold labels against it. One file a command."""

from __future__ import annotations

from types import ModuleType

import typer

from cranfield.cli.ontology import check, close, costs, repair, show
from cranfield.cli.outcomes import Commands

_COMMANDS: tuple[ModuleType, ...] = (show, check, costs, repair, close)


def register(app: typer.Typer) -> None:
    group = typer.Typer(
        name="ontology",
        cls=Commands,
        help="Show an ontology, check labels against it, repair or complete them.",
        no_args_is_help=True,
        rich_markup_mode="rich",
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    for command in _COMMANDS:
        command.register(group)
    app.add_typer(group)
