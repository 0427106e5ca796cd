"""`cranfield evaluate --explain ITEM`: how the scores of single items come about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from cranfield.cli.forms import chosen_form, deliver_result

if TYPE_CHECKING:
    from cranfield.collections.collection import Collection
    from cranfield.engine.evaluation import Evaluation

_EXTENSIONS = {
    ".json": "json",
    ".txt": "table",
    ".svg": "picture",
    ".html": "picture",
    ".png": "picture",
    ".pdf": "picture",
}


def explanation_form(flags: Mapping[str, bool], output: Path | None) -> str:
    """How to write explanations; anything that they cannot be is wrong usage."""
    from cranfield.report.pictures import require_writable

    refused = [name for name, given in flags.items() if given and name != "json"]
    if refused:
        raise typer.BadParameter(
            f"--explain takes no --{refused[0]}; it prints text or --json, and -o draws it "
            "(.svg .html .png .pdf)"
        )
    form = chosen_form({"json": flags["json"]}, output, _EXTENSIONS)
    if form == "picture" and output is not None:
        require_writable(output)
    return form


def require_items(collection: Collection, path: Path, items: Sequence[str]) -> None:
    """Refuse items that are not there, before anything is scored."""
    from cranfield.errors import FileError, first_ten

    unknown = [item for item in items if item not in collection.truth.item_axis.positions]
    if unknown:
        raise FileError(
            path,
            f"has no item {first_ten(unknown)}; --explain takes ids of its items: "
            f"{first_ten(collection.items)}",
        )


def show_explanations(
    result: Evaluation,
    items: Sequence[str],
    form: str,
    path: Path | None,
    names: Mapping[str, str],
) -> None:
    """Print how each run comes to its scores of these items, or write it to a file."""
    deliver_result(result.explanations(items, names), form, path)
