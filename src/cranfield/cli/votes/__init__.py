"""`cranfield votes`: what annotators said, how far they agree, and what becomes of it.
One file a command.
"""

from __future__ import annotations

from types import ModuleType

import typer

from cranfield.cli.declared import declare
from cranfield.cli.outcomes import Commands
from cranfield.cli.votes import effect, filter_tags, hits, simulate, survey
from cranfield.commands.catalogue import GROUPS, VOTES

_COMMANDS: tuple[ModuleType, ...] = (
    hits,
    effect,
    filter_tags,
    simulate,
    survey,
)


def register(app: typer.Typer) -> None:
    group = typer.Typer(
        name="votes",
        cls=Commands,
        help=GROUPS["votes"],
        no_args_is_help=True,
        rich_markup_mode="rich",
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    for declared in VOTES:
        declare(group, declared)
    for command in _COMMANDS:
        command.register(group)
    app.add_typer(group)
