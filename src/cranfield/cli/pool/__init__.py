"""`cranfield pool`: which documents people judge, who judges them, and what the result is worth.
One file a command.
"""

from __future__ import annotations

from types import ModuleType

import typer

from cranfield.cli.outcomes import Commands
from cranfield.cli.pool import assign, make, merge, next_batch, progress, reuse

_COMMANDS: tuple[ModuleType, ...] = (make, assign, progress, next_batch, merge, reuse)


def register(app: typer.Typer) -> None:
    group = typer.Typer(
        name="pool",
        cls=Commands,
        help="Choose documents to judge from what runs retrieved, hand them to people, merge what "
        "they say, and ask how far the result can be trusted.",
        no_args_is_help=True,
        rich_markup_mode="rich",
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    for command in _COMMANDS:
        command.register(group)
    app.add_typer(group)
