"""The screen: standard output for results, standard error for everything said about them.

Progress is shown on standard error, and only if somebody watches. Commands import this file when
they run or are explained, not before: it loads Rich.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import NoReturn

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment

from cranfield.core.printable import printable

_PIPED_WIDTH = 200
"""Columns where no terminal sets a limit: wide enough that tables stay in one piece."""


class Screen(Console):
    """A console that leaves a closed pipe to `outcomes`, where Rich would exit with 1, and shows
    control characters in ids instead of sending them to the terminal."""

    def on_broken_pipe(self) -> NoReturn:
        raise BrokenPipeError

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        """What is printed, with nothing in it that the terminal would obey."""
        for segment in super().render(renderable, options):
            yield segment if segment.control else Segment(printable(segment.text), segment.style)


def output() -> Screen:
    """Where results go."""
    narrow = sys.stdout.isatty() or "COLUMNS" in os.environ
    return Screen(width=None if narrow else _PIPED_WIDTH, highlight=False, emoji=False)


def errors() -> Screen:
    """Where messages go."""
    return Screen(stderr=True, highlight=False, emoji=False)


def data(text: str) -> None:
    """Results for other programs: UTF-8, whatever the terminal's encoding. On a terminal somebody
    reads them, and ids must not be obeyed there; a pipe or a file gets them exactly."""
    sys.stdout.flush()
    shown = printable(text) if sys.stdout.isatty() else text
    sys.stdout.buffer.write(shown.encode())
    sys.stdout.flush()


def inform(message: str) -> None:
    """Say something that is not a result."""
    errors().print(message, style="dim", markup=False, soft_wrap=True)


@contextmanager
def waiting(label: str) -> Iterator[None]:
    """Something that moves while work is done whose end nobody knows."""
    if not sys.stderr.isatty():
        yield
        return
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), TextColumn(label, markup=False), TimeElapsedColumn())
    with Progress(*columns, console=errors(), transient=True) as bar:
        bar.add_task(label, total=None)
        yield


@contextmanager
def stage_bar(stage: str, total: float) -> Iterator[Callable[[float], None]]:
    """A bar for a stage of work: the listener of `core.progress` on a terminal."""
    if total == 0:
        with waiting(stage):
            yield lambda amount: None
        return
    if total < 2 or not sys.stderr.isatty():
        yield lambda amount: None
        return
    from rich.progress import (
        BarColumn,
        Progress,
        TaskProgressColumn,
        TextColumn,
        TimeElapsedColumn,
    )

    columns = (TextColumn(stage, markup=False), BarColumn(), TaskProgressColumn())
    with Progress(*columns, TimeElapsedColumn(), console=errors(), transient=True) as bar:
        task = bar.add_task(stage, total=total)
        yield lambda amount: bar.advance(task, amount)
