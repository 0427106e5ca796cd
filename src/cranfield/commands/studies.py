"""What studies read besides a truth and runs: groups of runs, two cycles of a campaign."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple

from cranfield.commands.inputs import (
    runs_of_truth,
    with_options_of_runs,
)
from cranfield.core.options import Argument, Option
from cranfield.errors import FileError, InputError

if TYPE_CHECKING:
    from cranfield.core.run import Run
    from cranfield.studies.cycles import Cycle
    from cranfield.studies.preferences import Judgements


class GroupedRuns(NamedTuple):
    """Runs that know who made them."""

    runs: list[Run]


def runs_with_groups(
    *, groups: Annotated[Path | None, Option()] = None, runs: Any = None
) -> GroupedRuns:
    """Runs that know who made them.

    groups  Who made which run: CSV run,group; default: what runs say, else each its own.
    """
    from cranfield.commands.run_files import groups_of

    makers = groups_of([run.name for run in runs], groups)
    for run in runs:
        run.group = makers.get(run.name, run.group)
    return GroupedRuns(runs)


class PairedJudgements(NamedTuple):
    """Comparisons of two runs."""

    judgements: Judgements


def judgements_of_file(file: Annotated[Path, Argument(metavar="FILE")]) -> PairedJudgements:
    """Comparisons of two runs.

    file  Comparisons: CSV, TSV, Parquet or JSON Lines with item,left,right,winner (the name of a
          run, left, right or tie) and perhaps judge.
    """
    from cranfield.engine.score_table import RowError
    from cranfield.formats.paired_judgements import read_paired_judgements
    from cranfield.studies.preferences import Judgements

    columns, lines = read_paired_judgements(file)
    try:
        return PairedJudgements(Judgements.of_columns(columns))
    except RowError as error:
        raise FileError(file, error.what, line=lines[error.row], mend=error.mend) from None
    except InputError as error:
        raise error.in_file(file) from None


class Cycles(NamedTuple):
    """Two cycles of a campaign, and what is known about concepts."""

    earlier: Cycle
    later: Cycle
    missing: Literal["error", "absent"]
    extra: Literal["error", "drop"]
    ontology: Any
    costs: Any
    relatedness: Any
    agreement: Any


@with_options_of_runs()
def two_cycles(
    earlier: Annotated[Path, Argument(metavar="EARLIER")],
    later: Annotated[Path, Argument(metavar="LATER")],
    *,
    earlier_runs: Annotated[list[Path] | None, Option(name="earlier-run", metavar="RUN")] = None,
    later_runs: Annotated[list[Path] | None, Option(name="later-run", metavar="RUN")] = None,
    **options: Any,
) -> Cycles:
    """Two cycles of a campaign, and what is known about concepts.

    earlier       The earlier truth, or collection folder with its runs.
    later         The later truth, or collection folder with its runs.
    earlier_runs  Runs of the earlier cycle, files or folders; may be repeated; default: those in
                  its folder.
    later_runs    Runs of the later cycle, files or folders; may be repeated; default: those in its
                  folder.
    """
    from cranfield.formats import folder
    from cranfield.studies.cycles import Cycle

    sides = []
    for path, runs, option in (
        (earlier, earlier_runs, "earlier_runs"),
        (later, later_runs, "later_runs"),
    ):
        if not runs and not (os.path.isdir(path) and folder.run_files(path)):
            raise FileError(
                path,
                "there are no runs in it",
                mend=f"name files or folders of runs with {{{option}}}",
            )
        sides.append(runs_of_truth(path, runs, **options))
    first, second = sides
    return Cycles(
        Cycle(first.truth, first.runs, earlier.stem or "earlier"),
        Cycle(second.truth, second.runs, later.stem or "later"),
        *second[2:],
    )
