"""Numbers of draws have an end, in every command and function that takes one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from typer.main import get_command
from typer.testing import Result

import cranfield as cf
from cranfield.cli.program import app
from cranfield.commands.catalogue import COMMANDS
from cranfield.errors import MOST_DRAWS, require_draws

Cranfield = Callable[..., Result]
DRAWING = {"samples", "draws", "resamples", "repeats", "restarts", "drawn"}


def drawing(command: Any, *words: str) -> Iterator[tuple[str, ...]]:
    """Words of each command that draws, and of its option that says how often."""
    for one in command.params:
        if one.name in DRAWING:
            yield *words, one.opts[0]
    for name, inner in getattr(command, "commands", {}).items():
        yield from drawing(inner, *words, name)


def declared() -> Iterator[tuple[str, ...]]:
    """The same of declared commands, whose options nobody has loaded yet."""
    for command in COMMANDS:
        for parameter in command.parameters:
            if parameter.name in DRAWING:
                yield *command.name.split(), f"--{parameter.label}"


FOUND = (*drawing(get_command(app)), *declared())


def test_the_commands_that_draw_are_found() -> None:
    assert {("compare", "--samples"), ("study", "power", "--draws")} <= set(FOUND)


@pytest.mark.parametrize("words", FOUND, ids=" ".join)
def test_more_draws_than_ever_end_are_wrong_usage(
    words: tuple[str, ...], cranfield: Cranfield
) -> None:
    done = cranfield(*words, 10**11)
    assert done.exit_code == 2
    assert f"{words[-1]}'" in done.output or f"{words[-1]}:" in done.output
    assert str(MOST_DRAWS) in done.output


TRUTH = cf.Truth(np.eye(6, 4, dtype=int))
RUNS = [cf.Run(np.random.default_rng(seed).random((6, 4)), name=f"r{seed}") for seed in range(3)]
RESULT = cf.evaluate(TRUTH, RUNS, ["example.AP"])


@pytest.mark.parametrize(
    "call",
    [
        lambda n: cf.intervals(RESULT, samples=n),
        lambda n: cf.compare(RESULT, "example.AP", samples=n),
        lambda n: cf.slices(RESULT, {"half": [0, 0, 0, 1, 1, 1]}, samples=n),
        lambda n: cf.studies.power(TRUTH, RUNS, ["example.AP"], samples=n),
        lambda n: cf.studies.power(TRUTH, RUNS, ["example.AP"], draws=n),
        lambda n: cf.studies.stability(TRUTH, RUNS, ["example.AP"], repeats=n),
        lambda n: cf.studies.correlate(TRUTH, RUNS, ["example.AP"], resamples=n),
        lambda n: cf.estimate(TRUTH, RUNS, ["example.AP"], draws=n),
        lambda n: cf.Confusion([[3, 1], [1, 3]]).interval("confusion.accuracy", samples=n),
    ],
)
def test_functions_refuse_them_too(call: Callable[[int], object]) -> None:
    with pytest.raises(cf.InputError, match=r"s=100000000000; more than 1000000 say nothing new"):
        call(10**11)


@pytest.mark.parametrize("value", [0, 1.5, True, MOST_DRAWS + 1])
def test_draws_are_whole_numbers_within_limits(value: Any) -> None:
    with pytest.raises(cf.InputError, match="draws="):
        require_draws("draws", value)
    require_draws("draws", MOST_DRAWS)
