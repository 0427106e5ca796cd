"""`cranfield votes hits`: crowd jobs, from the page that people see to their answers. One file a
command.
"""

from __future__ import annotations

from types import ModuleType

import typer

from cranfield.cli.outcomes import Commands
from cranfield.cli.votes.hits import found, make, next_stage, read, screen

_COMMANDS: tuple[ModuleType, ...] = (make, next_stage, screen, read, found)


def register(app: typer.Typer) -> None:
    group = typer.Typer(
        name="hits",
        cls=Commands,
        help="Ask a crowd about images: write pages for Mechanical Turk, ask on where it pays, "
        "screen what is annotated, and read the answers.",
        no_args_is_help=True,
        rich_markup_mode="rich",
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    for command in _COMMANDS:
        command.register(group)
    app.add_typer(group)
