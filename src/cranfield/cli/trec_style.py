"""`cranfield evaluate --style trec`: scores as trec_eval prints them."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cranfield.cli.forms import deliver

if TYPE_CHECKING:
    from cranfield.collections.collection import Collection
    from cranfield.core.run import Run


class Style(StrEnum):
    """How scores are laid out."""

    table = "table"
    trec = "trec"


class Topics(StrEnum):
    """The topics that a run is scored on."""

    judged = "judged"
    common = "common"
    all = "all"


StyleOption = Annotated[
    Style,
    typer.Option(
        "--style",
        metavar="table|trec",
        help="trec: print what trec_eval 10 prints; -m takes its names then, such as map, P_10, "
        "ndcg_cut, official or all_trec.",
    ),
]


def _topics_option(default: str) -> Any:
    return typer.Option(
        "--topics",
        metavar="judged|common|all",
        help="Of TREC files: topics of the judgements (one that a run lacks retrieved nothing; "
        f"trec_eval -c), of both files, or of either; default: {default}.",
    )


TopicsOption = Annotated[Topics | None, _topics_option("judged")]
StyledTopicsOption = Annotated[Topics | None, _topics_option("judged, with --style trec common")]
"""Of the command that has --style."""

DepthOption = Annotated[
    int | None,
    typer.Option(
        "--depth",
        min=1,
        metavar="K",
        help="Only the first K items of each topic or concept count (trec_eval -M).",
    ),
]
LevelOption = Annotated[
    int | None,
    typer.Option(
        "--level",
        min=1,
        metavar="GRADE",
        help="Relevant from this grade on (trec_eval -l); default: what the truth says, usually 1. "
        "Measures that use grades, such as nDCG, look at all of them.",
    ),
]
TitlesOption = Annotated[
    Path | None,
    typer.Option(
        "--titles",
        metavar="FILE",
        help="Topics with their titles, for --per-unit: TREC's <top>, XML of INEX or CLEF, "
        "CSV topic,title, or the queries.csv of query --write.",
    ),
]


def require_plain(style: Style, others: Mapping[str, bool]) -> None:
    """Refuse options that trec_eval's layout has no place for."""
    given = [name for name, used in others.items() if used]
    if style is Style.trec and given:
        raise typer.BadParameter(f"{given[0]} and --style trec do not go together; leave one out")


def require_trec_style(style: Style, preferences: Path) -> None:
    """Preferences are no truth that the measures of tables could look at."""
    from cranfield.errors import FileError

    if style is not Style.trec:
        raise FileError(
            preferences,
            "holds preferences (topic judge group document level), not labels or grades; "
            "add --style trec, or --format if it is something else",
        )


def show_in_trec_style(
    collection: Collection,
    runs: list[Run],
    names: list[str] | None,
    topics: Topics | None,
    path: Path | None,
    *,
    level: int | None,
    per_unit: bool,
) -> None:
    """Print the scores of each run, one after the other."""
    from cranfield.report.trec_style import trec_lines
    from cranfield.tasks.retrieval.trec_eval import trec_measures, trec_scores

    if topics is not None and not collection.truth.open:
        raise typer.BadParameter("--topics is for truths of TREC files; leave it out")
    measures = trec_measures(names or ["official"])
    chosen = topics or Topics.common
    results = [
        trec_scores(collection.truth, run, measures, chosen.value, level=level) for run in runs
    ]
    deliver("".join(trec_lines(results, measures, per_unit=per_unit)), path)


def show_preferences(
    preferences: Path,
    runs: list[Path],
    names: list[str] | None,
    topics: Topics | None,
    path: Path | None,
    *,
    unfit: Mapping[str, bool],
    per_unit: bool,
) -> None:
    """Print what runs make of preferences, as trec_eval does.

    unfit  options that preferences do not take, and whether they are given
    """
    from cranfield import formats
    from cranfield.commands.run_files import named_runs
    from cranfield.formats.problems import Problems
    from cranfield.formats.trec.listing import require_common_topic
    from cranfield.report.trec_style import trec_lines
    from cranfield.tasks.retrieval.preferences import preference_measures, preference_scores

    given = [name for name, used in unfit.items() if used]
    if given:
        raise typer.BadParameter(f"{given[0]} does not go with preferences; leave it out")
    measures = preference_measures(names)
    chosen = topics or Topics.common
    held = formats.read_preferences(preferences)
    results = []
    for name, file in named_runs(runs).items():
        run = formats.read_run(file, name=name)
        problems = Problems(file)
        require_common_topic(run.concepts, held.topics, problems)
        problems.settle()
        results.append(preference_scores(held, run, measures, chosen.value))
    deliver("".join(trec_lines(results, measures, per_unit=per_unit)), path)
