"""Options of `cranfield votes` that would have no effect are refused."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

Cranfield = Callable[..., Result]


@pytest.fixture
def votes(tmp_path: Path) -> Path:
    path = tmp_path / "votes.csv"
    path.write_text(
        "item,annotator,concept,value,seconds\na,ann,Day,1,5\na,ann,Night,0,5\n"
        "a,bob,Day,1,9\na,bob,Night,1,9\n"
    )
    return path


@pytest.mark.parametrize(
    "options",
    [
        "agreement --level 0.9",
        "agreement --samples 50",
        "agreement --paradigm selected",
        "quality --limit 0.2",
        "quality --each sheet",
        "merge --concepts concepts.txt",
        "merge --group Time=Day,Day",
        "merge --group Time=Day,Night --group Time=Night,Day",
    ],
)
def test_an_option_without_effect_is_refused(
    votes: Path, cranfield: Cranfield, options: str
) -> None:
    command, option, *rest = options.split()
    done = cranfield("votes", command, votes, option, *rest)
    assert done.exit_code == 2, done.output
    assert option in done.stderr
    assert not done.stdout


def test_limits_of_time_that_leave_no_sheet_are_refused(votes: Path, cranfield: Cranfield) -> None:
    done = cranfield("votes", "quality", votes, "--fastest", 30, "--slowest", 10)
    assert done.exit_code == 1
    assert "less than 30 seconds, or more than 10" in done.stderr
    assert cranfield("votes", "quality", votes, "--fastest", 1, "--slowest", 10).exit_code == 0
