"""The program: all commands put together."""

from __future__ import annotations

from typing import Annotated

import typer

from cranfield.cli.declared import declare_all
from cranfield.cli.outcomes import Commands
from cranfield.commands.catalogue import COMMANDS

app = typer.Typer(
    name="cranfield",
    cls=Commands,
    help="How good is it, how sure are we, and is this the right measure?",
    epilog="New here? Try [bold]cranfield demo[/bold].",
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
declare_all(app, COMMANDS)


def _print_version(requested: bool) -> None:
    if requested:
        from cranfield import __version__

        typer.echo(f"cranfield {__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version."
        ),
    ] = False,
) -> None:
    """How good is it, how sure are we, and is this the right measure?"""
