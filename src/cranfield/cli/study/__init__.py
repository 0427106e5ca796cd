"""`cranfield study`: what evaluations say about measures and collections. One file a command."""

from __future__ import annotations

from types import ModuleType

import typer

from cranfield.cli.declared import declare
from cranfield.cli.outcomes import Commands
from cranfield.cli.study import audit
from cranfield.commands.catalogue import STUDIES

_COMMANDS: tuple[ModuleType, ...] = (audit,)


def register(app: typer.Typer) -> None:
    group = typer.Typer(
        name="study",
        cls=Commands,
        help="Study measures and collections: is this the right measure?",
        no_args_is_help=True,
        rich_markup_mode="rich",
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    for command in _COMMANDS:
        command.register(group)
    for declared in STUDIES:
        declare(group, declared)
    app.add_typer(group)
