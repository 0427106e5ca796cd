"""`cranfield votes effect`: what the choice of annotators does to the ranking of runs."""

from __future__ import annotations

import json
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from cranfield.cli.choices import Extra, Missing
from cranfield.cli.examples import examples
from cranfield.cli.explained import Command
from cranfield.cli.forms import chosen_form, deliver, require_folders, require_picture, spare
from cranfield.cli.options import (
    AgreementOption,
    CostsOption,
    ExtraOption,
    Json,
    MissingOption,
    RelatednessOption,
    TableOutput,
    csv_option,
    measure_option,
    picture_option,
)
from cranfield.cli.study.inputs import EXTENSIONS, Seed
from cranfield.cli.votes.inputs import (
    ConceptOrder,
    CrewsOption,
    VoteInput,
    in_order,
    read_crews,
    reads_votes,
)
from cranfield.commands.knowledge_files import KnowledgeFiles
from cranfield.errors import MOST_DRAWS

_DEFAULTS = ("concept.EER", "concept.AUC", "OS (with an ontology)")


class Method(StrEnum):
    """How votes become one truth."""

    majority = "majority"
    weighted_majority = "weighted_majority"
    one_coin = "one_coin"
    dawid_skene = "dawid_skene"
    mace = "mace"
    glad = "glad"


def register(app: typer.Typer) -> None:
    app.command(
        cls=Command,
        epilog=examples(
            "cranfield votes effect votes.csv runs/ --ontology pto2009",
            "cranfield votes effect votes.csv runs/ --crews people.csv -m OS --ontology pto2009",
            "cranfield votes effect batch1.csv --batch batch2.csv runs/ --picture effect.svg",
        ),
    )(effect)


@reads_votes
def effect(
    votes: Annotated[
        Path,
        typer.Argument(metavar="VOTES", help="Votes, as merge reads them.", show_default=False),
    ],
    runs: Annotated[
        list[Path],
        typer.Argument(metavar="RUN", help="Runs: files or folders of them.", show_default=False),
    ],
    how: VoteInput,
    batch: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE", help="Further files of votes; may be repeated.", show_default=False
        ),
    ] = None,
    measure: Annotated[list[str] | None, measure_option("Measure", _DEFAULTS)] = None,
    crews: CrewsOption = None,
    method: Annotated[
        Method, typer.Option(metavar="NAME", help="How votes are merged, as merge has it.")
    ] = Method.majority,
    least: Annotated[
        float,
        typer.Option(
            metavar="SHARE",
            min=0.0,
            max=1.0,
            help="Annotators who voted on fewer items are no truth of their own.",
        ),
    ] = 0.5,
    draws: Annotated[
        int,
        typer.Option(
            metavar="N", min=1, max=MOST_DRAWS, help="How often each number of annotators is drawn."
        ),
    ] = 10,
    as_json: Json = False,
    as_csv: Annotated[bool, csv_option("measure and pair of truths")] = False,
    output: TableOutput = None,
    picture: Annotated[
        Path | None, picture_option("τ between truths, and over numbers of annotators")
    ] = None,
    seed: Seed = 0,
    concepts: ConceptOrder = None,
    missing: MissingOption = Missing.error,
    extra: ExtraOption = Extra.error,
    costs: CostsOption = None,
    relatedness: RelatednessOption = None,
    agreement: AgreementOption = None,
) -> None:
    """Score runs by what each annotator says, by groups, and by everybody's merged votes.

    τ and the test of Kolmogorov and Smirnov tell whether the rankings are the same; majorities of
    ever more annotators tell how many are needed. With --group, --ontology groups no concepts.
    """
    given = how.of(votes, *(batch or ()))
    if how.groups:
        given = replace(given, ontology=None)
    about = KnowledgeFiles.given(how.ontology, costs, relatedness, agreement)
    form = chosen_form({"json": as_json, "csv": as_csv}, output, EXTENSIONS)
    require_picture(picture)
    read = (*given.read_files, *about.all, crews, concepts, *runs)
    spare(read, output)
    spare((*read, output), picture, option="--picture")
    require_folders((output, picture))

    from cranfield.cli.evaluate import naming
    from cranfield.cli.reading import read_runs
    from cranfield.cli.screen import inform, plain, progress
    from cranfield.cli.screen import output as screen
    from cranfield.collections.collection import Collection
    from cranfield.commands.run_files import named_runs
    from cranfield.report.annotator_effects import (
        effect_content,
        effect_csv,
        effect_picture,
        effect_tables,
    )
    from cranfield.report.pictures import write_picture
    from cranfield.studies.annotator_effect import annotator_effect, count_of_truths

    if how.groups and how.ontology is not None:
        inform("groups of concepts are those of --group; --ontology is only scored with")
    cast = given.read()
    merged = in_order(cast.merge(), concepts)
    known = about.read(merged.concept_axis)
    files = named_runs(runs)
    read_in = read_runs(Collection(merged), files, format=None, threshold=None, extra=extra)
    wanted = measure or ["concept.EER", "concept.AUC", *(["OS"] if known.ontology else [])]
    groups = {} if crews is None else read_crews(crews, cast)
    steps = count_of_truths(cast, len(groups), least=least, draws=draws)
    with naming(files, maps=about.called(votes)), progress("scoring", steps) as step:
        found = annotator_effect(
            cast,
            read_in,
            wanted,
            groups=groups,
            method=method.value,
            least=least,
            draws=draws,
            missing=missing.value,
            seed=seed,
            progress=step,
            ontology=known.ontology,
            costs=known.costs,
            relatedness=known.relatedness,
            agreement=known.agreement,
        )
    if form == "json":
        deliver(json.dumps(effect_content(found), indent=2, ensure_ascii=False) + "\n", output)
    elif form == "csv":
        deliver(effect_csv(found), output)
    elif output is not None:
        deliver(plain(effect_tables(found)), output)
    else:
        screen().print(effect_tables(found))
    if picture is not None:
        write_picture(effect_picture(found), picture)
        inform(f"wrote {picture}")
