"""The screen: standard output for results, standard error for everything said about them.

Progress is shown on standard error, and only if somebody watches.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

_PIPED_WIDTH = 200
"""Columns where no terminal sets a limit: wide enough that tables stay in one piece."""


def output() -> Console:
    """Where results go."""
    from rich.console import Console

    narrow = sys.stdout.isatty() or "COLUMNS" in os.environ
    return Console(width=None if narrow else _PIPED_WIDTH, highlight=False)


def plain(table: RenderableType) -> str:
    """What a table looks like in a text file."""
    from rich.console import Console

    paper = Console(width=_PIPED_WIDTH, file=io.StringIO(), color_system=None)
    with paper.capture() as page:
        paper.print(table)
    return "".join(f"{line.rstrip()}\n" for line in page.get().splitlines())


def errors() -> Console:
    """Where messages go."""
    from rich.console import Console

    return Console(stderr=True, highlight=False)


def inform(message: str) -> None:
    """Say something that is not a result."""
    errors().print(message, style="dim", markup=False, soft_wrap=True)


@contextmanager
def progress(label: str, total: int) -> Iterator[Callable[[], None]]:
    """A bar that the yielded function moves by one step; may be called from threads."""
    if total < 2 or not sys.stderr.isatty():
        yield lambda: None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn(label), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=errors(), transient=True) as bar:
        task = bar.add_task(label, total=total)
        yield lambda: bar.advance(task)
