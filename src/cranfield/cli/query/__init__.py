"""`cranfield query`: how well do annotators serve a search for concepts?"""

from __future__ import annotations

import typer

from cranfield.cli.examples import examples
from cranfield.cli.explained import Command
from cranfield.cli.query.command import query


def register(app: typer.Typer) -> None:
    app.command(
        cls=Command,
        epilog=examples(
            'cranfield query "sea AND sky AND no_persons"',
            'cranfield query "sea AND sky AND NOT person" --truth collection/',
            "cranfield query \"sea OR 'big dog'\" --truth truth.csv --run run.csv --show 5",
            "cranfield query --topics topics.tsv --truth collection/ -m concept.AP --per-unit",
            "cranfield query --pairs 20 --truth collection/ --compare example.F,example.AP,OS",
            "cranfield query --random 50 --size 3 --negated 1 --truth truth.csv --run runs/",
            "cranfield query --topics topics.csv --truth collection/ --write search --to trec",
        ),
    )(query)
