"""The option --topics."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any

import typer


class Topics(StrEnum):
    """The topics that a run is scored on."""

    judged = "judged"
    common = "common"
    all = "all"


def _topics_option(default: str) -> Any:
    return typer.Option(
        "--topics",
        metavar="judged|common|all",
        help="Of TREC files: topics of the judgements (one that a run lacks retrieved nothing; "
        f"trec_eval -c), of both files, or of either; default: {default}.",
    )


TopicsOption = Annotated[Topics | None, _topics_option("judged")]
