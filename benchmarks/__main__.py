"""Runs the benchmarks named on the command line, or all but those that take long."""

import os
import sys

from rich.console import Console
from rich.table import Table

import cranfield.kernels
from benchmarks import (
    campaign,
    columns,
    comparing,
    knowledge,
    large,
    memory,
    merging,
    reading,
    relatedness,
    retrieval,
    rows,
    searching,
    sets,
    splitting,
)

ALL = {
    "columns": columns.ratios,
    "rows": rows.ratios,
    "sets": sets.ratios,
    "searching": searching.ratios,
    "comparing": comparing.ratios,
    "campaign": campaign.ratios,
    "knowledge": knowledge.ratios,
    "reading": reading.ratios,
    "splitting": splitting.ratios,
    "relatedness": relatedness.ratios,
    "retrieval": retrieval.ratios,
    "merging": merging.ratios,
    "memory": memory.ratios,
    "large": large.ratios,
}
LONG = {"large"}
"""Run only when named."""


def main() -> None:
    wanted = sys.argv[1:] or [name for name in ALL if name not in LONG]
    unknown = sorted(set(wanted) - set(ALL))
    if unknown:
        sys.exit(f"no benchmark {', '.join(unknown)}; there are {', '.join(ALL)}")
    table = Table(title=f"{cranfield.kernels.backend()}, {os.cpu_count()} cores")
    for heading in ("what", "peer", "peer's", "ours", "ratio", "target"):
        table.add_column(heading, justify="left" if heading in ("what", "peer") else "right")
    for name in wanted:
        for row in ALL[name]():
            table.add_row(*row.cells())
            print(*row.cells(), sep=" | ", file=sys.stderr, flush=True)
        table.add_section()
    Console().print(table)


if __name__ == "__main__":
    main()
