"""`cranfield votes survey relatedness`: a questionnaire about pairs of words."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from cranfield.cli.examples import examples
from cranfield.cli.explained import Command
from cranfield.cli.options import Json
from cranfield.cli.study.inputs import Seed
from cranfield.cli.votes.survey.options import Instructions, NewFolder, Title, require_new


def register(app: typer.Typer) -> None:
    app.command(
        cls=Command,
        epilog=examples(
            "cranfield votes survey relatedness pto2009 -o survey",
            "cranfield votes survey relatedness concepts.txt --map flickr.csv --count 40 -o survey",
            "cranfield votes survey ratings survey answers*.csv --judgements people.csv",
        ),
    )(relatedness)


def relatedness(
    concepts: Annotated[
        str,
        typer.Argument(
            metavar="CONCEPTS",
            help="What to ask about: a list of words, a truth or collection, or an ontology.",
            show_default=False,
        ),
    ],
    output: NewFolder,
    count: Annotated[
        int,
        typer.Option(metavar="N", min=1, help="Pairs of different words; all, if there are fewer."),
    ] = 30,
    controls: Annotated[
        int,
        typer.Option(
            metavar="N", min=0, help="Pairs of a word and itself, which tell who is careless."
        ),
    ] = 1,
    map: Annotated[
        Path | None,
        typer.Option(
            "--map",
            metavar="FILE",
            help="Relatedness or costs: draw pairs evenly from all parts of its range.",
        ),
    ] = None,
    title: Title = "",
    instructions: Instructions = None,
    seed: Seed = 0,
    as_json: Json = False,
) -> None:
    """Make a questionnaire: how closely are two words related, from 0 to 4?

    The folder holds questionnaire.html, which works alone and at Mechanical Turk, sheet.csv, the
    same as a table to fill in, and key.json, which stays with you. Everybody sees the pairs in
    another order. What comes back goes to [bold]votes survey ratings[/bold].
    """
    require_new(output)

    from cranfield.assessment import surveys
    from cranfield.cli.screen import data, inform
    from cranfield.commands.concept_lists import read_concept_list
    from cranfield.formats.maps import read_costs_or_relatedness

    asked = read_concept_list(concepts)
    known = None if map is None else read_costs_or_relatedness(map)
    pairs = surveys.choose_pairs(asked.ids, count=count, map=known, controls=controls, seed=seed)
    survey = surveys.RelatednessSurvey(pairs, dict(asked.names))
    surveys.write_survey(
        survey,
        output,
        page=surveys.relatedness_page(survey, title=title, instructions=instructions or ()),
        sheet=surveys.relatedness_sheet(survey),
    )
    own = sum(pair.control for pair in pairs)
    inform(f"wrote {output}: {len(pairs) - own} pairs, {own} of a word and itself")
    if len(pairs) - own < count:
        inform(f"there are no more pairs of {len(asked.ids)} words: {count} were asked for")
    if as_json:
        told = {"folder": str(output), "pairs": len(pairs) - own, "controls": own}
        data(json.dumps(told, indent=2, ensure_ascii=False) + "\n")
