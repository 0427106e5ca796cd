"""An option of commands that resample."""

from __future__ import annotations

from typing import Any

import typer


def clusters_option(when: str = "") -> Any:
    return typer.Option(
        "--clusters",
        metavar="FILE",
        help=f"{when}Items that come together, such as those of one photographer: CSV with the "
        "header item,group or item,split.",
    )
