"""`cranfield votes`: what annotators said, how far they agree, and what becomes of it.
One file a command.
"""

from __future__ import annotations

from types import ModuleType

import typer

from cranfield.cli.outcomes import Commands
from cranfield.cli.votes import (
    agreement,
    effect,
    filter_tags,
    hits,
    merge,
    quality,
    show,
    simulate,
    survey,
)

_COMMANDS: tuple[ModuleType, ...] = (
    show,
    hits,
    agreement,
    merge,
    quality,
    effect,
    filter_tags,
    simulate,
    survey,
)


def register(app: typer.Typer) -> None:
    group = typer.Typer(
        name="votes",
        cls=Commands,
        help="Look at what annotators voted: how far they agree, whom to trust, and what the votes "
        "make a truth of.",
        no_args_is_help=True,
        rich_markup_mode="rich",
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    for command in _COMMANDS:
        command.register(group)
    app.add_typer(group)
