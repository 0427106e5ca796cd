"""`cranfield evaluate --intervals`: how sure the scores are."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cranfield.cli.choices import probability
from cranfield.cli.explained import Command
from cranfield.cli.forms import deliver

if TYPE_CHECKING:
    from cranfield.evaluation import Evaluation
    from cranfield.statistics.intervals import Intervals

_LEVEL = "0.95"


class Resample(StrEnum):
    """What another sample would have others of."""

    items = "items"
    concepts = "concepts"
    both = "both"


IntervalsOption = Annotated[
    float | None,
    typer.Option(
        "--intervals",
        metavar="[LEVEL]",
        callback=probability,
        help="Where each score may lie, at this level; without a number 0.95.",
        show_default=False,
    ),
]
ResampleOption = Annotated[
    Resample | None,
    typer.Option(
        "--resample",
        metavar="items|concepts|both",
        help="With --intervals: what other samples would have others of; default: items, and "
        "concepts (topics) for TREC files.",
        show_default=False,
    ),
]


def clusters_option(when: str = "") -> Any:
    return typer.Option(
        "--clusters",
        metavar="FILE",
        help=f"{when}Items that come together, such as those of one photographer: CSV with the "
        "header item,group.",
    )


ClustersOption = Annotated[Path | None, clusters_option("With --intervals. ")]
StrataOption = Annotated[
    Path | None,
    typer.Option(
        "--strata",
        metavar="FILE",
        help="With --intervals: parts of the collection whose sizes were fixed beforehand, so that "
        "only differences within them count: CSV with the header item,group.",
    ),
]


class WithLevel(Command):
    """A command whose --intervals may stand without a number."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        return super().parse_args(ctx, _with_level(args))


def _with_level(args: list[str]) -> list[str]:
    given = []
    for word, following in zip(args, [*args[1:], ""], strict=True):
        given.append(word)
        if word == "--intervals" and not _is_number(following):
            given.append(_LEVEL)
    return given


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


@dataclass(frozen=True)
class IntervalWish:
    """What was asked for with --intervals."""

    level: float
    resample: Resample | None
    clusters: Path | None
    strata: Path | None

    @classmethod
    def given(
        cls,
        level: float | None,
        resample: Resample | None,
        clusters: Path | None,
        strata: Path | None,
        others: dict[str, bool],
    ) -> IntervalWish | None:
        """None if nobody asked; `others` are options that have no intervals."""
        if level is None:
            drawn = {"--resample": resample, "--clusters": clusters, "--strata": strata}
            for option, value in drawn.items():
                if value is not None:
                    raise typer.BadParameter("it goes with --intervals", param_hint=option)
            return None
        for option, used in others.items():
            if used:
                raise typer.BadParameter(
                    f"{option} and --intervals do not go together; leave one out"
                )
        return cls(level, resample, clusters, strata)

    def found(self, result: Evaluation) -> Intervals:
        """The intervals of all scores, with a bar over runs."""
        from cranfield.cli.screen import progress
        from cranfield.formats.splits import read_groups
        from cranfield.statistics.intervals import intervals

        usual = Resample.concepts if result.truth.open else Resample.items
        clusters, strata = (
            None if path is None else read_groups(path, result.truth.items)
            for path in (self.clusters, self.strata)
        )
        with progress("resampling", len(result.runs)) as step:
            return intervals(
                result,
                level=self.level,
                resample=(self.resample or usual).value,
                strata=strata,
                clusters=clusters,
                progress=lambda _: step(),
            )

    def show(self, result: Evaluation, found: Intervals, form: str, path: Path | None) -> None:
        """Print the scores with their intervals, or write them to a file."""
        from cranfield.cli.screen import output, plain
        from cranfield.report.intervals import EXPORTS, interval_table

        if form != "table":
            deliver(EXPORTS[form](result, found), path)
        elif path is None:
            output().print(interval_table(result, found))
        else:
            deliver(plain(interval_table(result, found)), path)
