"""`cranfield relatedness`: how closely concepts are related, by whom, and for what. One file a
command.
"""

from __future__ import annotations

from types import ModuleType

import typer

from cranfield.cli.outcomes import Commands
from cranfield.cli.relatedness import correlate, costs, install, map_tags

_COMMANDS: tuple[ModuleType, ...] = (costs, correlate, map_tags, install)


def register(app: typer.Typer) -> None:
    group = typer.Typer(
        name="relatedness",
        cls=Commands,
        help="Make costs of what words have to do with each other, ask people whether that is "
        "right, map free tags to concepts.",
        no_args_is_help=True,
        rich_markup_mode="rich",
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    for command in _COMMANDS:
        command.register(group)
    app.add_typer(group)
