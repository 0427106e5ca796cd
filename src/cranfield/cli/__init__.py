"""The command line: `cranfield COMMAND`. One file for each command; `program` puts them together.

Commands import NumPy, tables and readers when they run, not before, so that `--help` and shell
completion answer at once. This file imports nothing but the standard library, so that an
interrupt while the rest is loaded is met by `main`.
"""

from __future__ import annotations

import io
import os
import sys

_INTERRUPTED = 130


def main() -> None:
    """The entry point of the program `cranfield`."""
    try:
        _prepare_streams()
        from cranfield.cli.program import app

        app(prog_name="cranfield")
    except KeyboardInterrupt:
        sys.exit(_INTERRUPTED)


def _prepare_streams() -> None:
    # Python leaves out a stream that was closed before it began. One that refuses to be written
    # turns a lost result into an error; messages have nowhere else to go.
    if sys.stdout is None:
        sys.stdout = open(os.devnull)  # noqa: SIM115 - stays open to the end
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # A terminal that knows no arrows shows a question mark instead of failing.
            stream.reconfigure(errors="replace")
