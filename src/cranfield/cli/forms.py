"""Forms of output: which one is wanted, and where it goes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import typer


def chosen_form(
    flags: Mapping[str, bool], output: Path | None, extensions: Mapping[str, str]
) -> str:
    """How to write the result: as the flag says, else the file's extension, else as a table."""
    chosen = [name for name, given in flags.items() if given]
    if len(chosen) > 1:
        raise typer.BadParameter(f"give one of {', '.join('--' + name for name in chosen)}")
    if chosen or output is None:
        return chosen[0] if chosen else "table"
    if output.suffix not in extensions:
        *most, last = (f"--{name}" for name in flags)
        raise typer.BadParameter(
            f"{output.name}: the extension {output.suffix!r} does not say what to write; "
            f"use {', '.join(extensions)}, or give {', '.join(most)} or {last}",
            param_hint="--output",
        )
    return extensions[output.suffix]


def deliver(text: str, path: Path | None) -> None:
    """Print a result for other programs, or write it to a file."""
    from cranfield.cli.screen import data, inform
    from cranfield.formats.writing import written

    if path is None:
        data(text)
        return
    with written(path) as target:
        target.stream.write(text.encode())
    inform(f"wrote {path}")
