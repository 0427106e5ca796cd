"""`cranfield evaluate --incomplete`: bounds or estimates of scores, for truths with gaps."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cranfield.cli.forms import chosen_form, deliver_result

if TYPE_CHECKING:
    from cranfield.collections.collection import Collection
    from cranfield.core.run import Run
    from cranfield.knowledge import Knowledge
    from cranfield.measures import Measure

DEFAULT_MEASURES = ("example.P", "example.R", "example.F", "example.hamming", "micro.F")
"""What has both bounds and estimates."""


class Incomplete(StrEnum):
    """What to say of scores if cells are unjudged."""

    bounds = "bounds"
    estimate = "estimate"


IncompleteOption = Annotated[
    Incomplete | None,
    typer.Option(
        metavar="bounds|estimate",
        help="For truths with unjudged cells: the lowest and highest scores that these could "
        "lead to, or what the judged cells, as a random sample, say of the score.",
    ),
]
CloseOption = Annotated[
    bool,
    typer.Option(
        "--close", help="With --incomplete bounds: first resolve cells that the ontology implies."
    ),
]


def require_fitting(incomplete: Incomplete | None, *, close: bool, other: dict[str, bool]) -> None:
    """Refuse options that do not go together; `other` are those for plain scores."""
    if close and incomplete is not Incomplete.bounds:
        raise typer.BadParameter(
            "it goes with --incomplete bounds: cells that follow from others are no random sample",
            param_hint="--close",
        )
    if incomplete is None:
        return
    for option, given in other.items():
        if given:
            raise typer.BadParameter(
                "there are tables, --json and --csv of bounds and estimates; leave this out",
                param_hint=option,
            )


def incomplete_form(flags: dict[str, bool], path: Path | None) -> str:
    """What to write: table, json or csv."""
    kinds = {".json": "json", ".csv": "csv", ".txt": "table"}
    return chosen_form({form: flags[form] for form in ("json", "csv")}, path, kinds)


def show_incomplete(
    incomplete: Incomplete,
    collection: Collection,
    runs: list[Run],
    measures: list[Measure],
    known: Knowledge,
    *,
    close: bool,
    form: str,
    path: Path | None,
    **options: Any,
) -> None:
    """Print bounds or estimates, or write them to a file."""
    from cranfield.statistics.incomplete import bounds, estimate

    if close:
        collection = _closed(collection, known)
    find = bounds if incomplete is Incomplete.bounds else estimate
    found = find(
        collection,
        runs,
        measures,
        ontology=known.ontology,
        costs=known.costs,
        relatedness=known.relatedness,
        agreement=known.agreement,
        **options,
    )
    deliver_result(found, form, path)


def _closed(collection: Collection, known: Knowledge) -> Collection:
    from cranfield.cli.screen import inform
    from cranfield.errors import InputError, several

    ontology = known.over(collection.knowledge).ontology
    if ontology is None:
        raise InputError("--close needs an ontology; give --ontology, for example pto2009")
    closure = ontology.close(collection.truth)
    cells = several(sum(closure.total), "unjudged cell")
    inform(f"{ontology.name} resolved {cells}; {closure.unjudged} are left")
    if closure.contradictions:
        torn = several(len(closure.contradictions), "contradiction")
        inform(f"{torn} left as they were; cranfield ontology close tells them")
    return replace(collection, truth=closure.truth)
