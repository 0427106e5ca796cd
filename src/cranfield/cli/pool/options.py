"""Arguments and options that several commands of `cranfield pool` take."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from cranfield.core.run import Run
    from cranfield.core.truth import Truth

Runs = Annotated[
    list[Path],
    typer.Argument(metavar="RUN", help="Run files, or folders of them.", show_default=False),
]
Folder = Annotated[
    Path,
    typer.Argument(metavar="FOLDER", help="What pool make wrote.", show_default=False),
]


def read_runs(
    given: Sequence[Path],
    *,
    truth: Truth | None = None,
    format: str | None = None,
    concepts: Path | None = None,
    groups: Path | None = None,
) -> list[Run]:
    """Runs, each under its name and with its group."""
    from cranfield import formats
    from cranfield.cli.screen import progress
    from cranfield.commands.run_files import groups_of, named_runs

    names = formats.read_concepts(concepts) if concepts else None
    files = named_runs(given)
    whose = groups_of(files, groups)
    with progress("reading", len(files)) as step:
        read = formats.read_runs(
            files, truth, concepts=names, format=format, progress=lambda _: step()
        )
    for run in read:
        run.group = whose.get(run.name)
    return read
