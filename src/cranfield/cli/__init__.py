"""The command line: `cranfield COMMAND`. One file for each command; this one puts them together.

Commands import NumPy, tables and readers when they run, not before, so that `--help` and shell
completion answer at once.
"""

from __future__ import annotations

import io
import sys
from typing import Annotated

import typer

from cranfield.cli import check, demo, evaluate, measures, simulate
from cranfield.cli.outcomes import Commands

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
for command in (demo, evaluate, check, measures, simulate):
    command.register(app)


def _print_version(wanted: bool) -> None:
    if wanted:
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


def main() -> None:
    """The entry point of the program `cranfield`."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # A terminal that knows no arrows shows a question mark instead of failing.
            stream.reconfigure(errors="replace")
    app(prog_name="cranfield")
