"""`cranfield evaluate --intervals`: how sure the scores are."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cranfield.cli.choices import probability
from cranfield.cli.explained import Command
from cranfield.cli.forms import deliver_result
from cranfield.errors import MOST_DRAWS

if TYPE_CHECKING:
    from cranfield.engine.evaluation import Evaluation
    from cranfield.statistics.intervals import Intervals

_LEVEL = "0.95"
_SAMPLES = 2000


class Method(StrEnum):
    """How intervals are found."""

    auto = "auto"
    analytic = "analytic"
    percentile = "percentile"
    bca = "bca"


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
        "header item,group or item,split.",
    )


ClustersOption = Annotated[Path | None, clusters_option("With --intervals. ")]
MethodOption = Annotated[
    Method | None,
    typer.Option(
        "--method",
        metavar="auto|analytic|percentile|bca",
        help="With --intervals: from the spread of item values, or from draws; default: auto, "
        "analytic where a measure has item values, else percentile.",
        show_default=False,
    ),
]
SamplesOption = Annotated[
    int | None,
    typer.Option(
        "--samples",
        metavar="N",
        min=40,
        max=MOST_DRAWS,
        help=f"With --intervals: draws of percentile and bca; default: {_SAMPLES}.",
        show_default=False,
    ),
]
SeedOption = Annotated[
    int | None,
    typer.Option(
        "--seed",
        metavar="N",
        min=0,
        help="With --intervals: seed of draws; default: 0.",
        show_default=False,
    ),
]
StrataOption = Annotated[
    Path | None,
    typer.Option(
        "--strata",
        metavar="FILE",
        help="With --intervals: parts of the collection whose sizes were fixed beforehand, so that "
        "only differences within them count: CSV with the header item,group or item,split.",
    ),
]


class WithLevel(Command):
    """A command whose --intervals may stand without a number."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        return super().parse_args(ctx, _with_level(args))


def _with_level(args: list[str]) -> list[str]:
    given = []
    for word, following in pairwise((*args, "")):
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
    method: Method | None
    samples: int | None
    seed: int | None

    @classmethod
    def given(
        cls, level: float | None, others: dict[str, bool], **drawing: Any
    ) -> IntervalWish | None:
        """None if nobody asked; `others` are options that have no intervals."""
        if level is None:
            for option, value in drawing.items():
                if value is not None:
                    raise typer.BadParameter("it goes with --intervals", param_hint=f"--{option}")
            return None
        for option, used in others.items():
            if used:
                raise typer.BadParameter(
                    f"{option} and --intervals do not go together; leave one out"
                )
        wish = cls(level, **drawing)
        if wish.resample is Resample.both and wish.method in (Method.analytic, Method.bca):
            raise typer.BadParameter(
                f"{wish.method.value} is not for --resample both; choose percentile",
                param_hint="--method",
            )
        return wish

    def found(self, result: Evaluation) -> Intervals:
        """The intervals of all scores, with a bar over runs."""
        from cranfield.cli.screen import stage_bar
        from cranfield.formats.splits import read_groups
        from cranfield.statistics.intervals import intervals

        usual = Resample.concepts if result.truth.open else Resample.items
        clusters, strata = (
            None if path is None else read_groups(path, result.truth.items)
            for path in (self.clusters, self.strata)
        )
        return intervals(
            result,
            level=self.level,
            resample=(self.resample or usual).value,
            strata=strata,
            clusters=clusters,
            method=(self.method or Method.auto).value,
            samples=self.samples or _SAMPLES,
            seed=self.seed or 0,
            progress=stage_bar,
        )

    def show(self, result: Evaluation, found: Intervals, form: str, path: Path | None) -> None:
        """Print the scores with their intervals, or write them to a file."""
        from cranfield.statistics.intervals import IntervalScores

        deliver_result(IntervalScores(result, found), form, path)
