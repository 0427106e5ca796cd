"""`cranfield votes merge`: one truth from the votes of many."""

from __future__ import annotations

import json
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from cranfield.cli.examples import examples
from cranfield.cli.explained import Command
from cranfield.cli.forms import deliver, require_folders, require_format, require_map, spare
from cranfield.cli.options import Json, output_option
from cranfield.cli.study.inputs import Seed
from cranfield.cli.votes.inputs import (
    ConceptOrder,
    VoteFiles,
    VoteInput,
    in_order,
    reads_votes,
)
from cranfield.errors import MOST_DRAWS


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
            "cranfield votes merge votes.csv -o truth.csv",
            "cranfield votes merge votes.csv --ontology pto2009 --method dawid_skene -o truth.csv",
            "cranfield votes merge votes.csv --graded grades.csv --map agreement.csv",
        ),
    )(merge)


@reads_votes
def merge(
    files: VoteFiles,
    how: VoteInput,
    method: Annotated[
        Method,
        typer.Option(
            metavar="NAME",
            help="majority, weighted_majority, one_coin, dawid_skene, mace or glad.",
        ),
    ] = Method.majority,
    output: Annotated[
        Path | None, output_option("Write the truth here, in any format that evaluate reads.")
    ] = None,
    confidence: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Write how sure each cell is: CSV item,concept,value,belief,confidence,share.",
        ),
    ] = None,
    graded: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Write a truth with grades 0 to 10: tenths of the annotators who chose a concept.",
        ),
    ] = None,
    reliability: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write CSV annotator,votes,reliability."),
    ] = None,
    map: Annotated[
        Path | None,
        typer.Option(
            "--map", metavar="FILE", help="Write how far people agree with the majority by concept."
        ),
    ] = None,
    weights: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Of weighted_majority: CSV annotator,weight; default: the share of votes that is "
            "with the majority.",
        ),
    ] = None,
    smoothing: Annotated[
        float,
        typer.Option(
            metavar="NUMBER", min=0.0, help="Added to each count of one_coin and dawid_skene."
        ),
    ] = 0.01,
    iterations: Annotated[
        int, typer.Option(metavar="N", min=1, help="The most that a model may take.")
    ] = 10_000,
    restarts: Annotated[
        int, typer.Option(metavar="N", min=1, max=MOST_DRAWS, help="Starts of mace.")
    ] = 10,
    as_json: Json = False,
    seed: Seed = 0,
    concepts: ConceptOrder = None,
) -> None:
    """Merge votes to a truth, and tell whom it relies on.

    Concepts that exclude each other are one choice when --ontology or --group says so, or when the
    file asks for one label: exactly one of them wins then. An even split leaves an optional concept
    out, and gives a choice to the smallest label.
    """
    given = how.of(*files)
    written = {
        "--output": output,
        "--graded": graded,
        "--confidence": confidence,
        "--reliability": reliability,
        "--map": map,
    }
    for option, path in written.items():
        others = [other for name, other in written.items() if name != option]
        spare((*given.read_files, weights, concepts, *others), path, option=option)
    require_format(output)
    require_format(graded, option="--graded")
    require_map(map, option="--map")
    require_folders(written.values())
    if concepts is not None and output is None and graded is None:
        raise typer.BadParameter("it goes with --output or --graded", param_hint="--concepts")
    if weights is not None and method != Method.weighted_majority:
        raise typer.BadParameter("--weights is for --method weighted_majority")

    from cranfield.cli.screen import data, inform, progress
    from cranfield.cli.screen import output as screen
    from cranfield.formats import write_map, write_truth
    from cranfield.formats.two_columns import read_weights_of_annotators
    from cranfield.report.consensus import (
        confidence_csv,
        consensus_content,
        consensus_table,
        reliability_csv,
    )

    votes = given.read()
    with progress("merging", len(votes.questions)) as step:
        found = votes.consensus(
            method.value,
            weights=None if weights is None else read_weights_of_annotators(weights),
            smoothing=smoothing,
            iterations=iterations,
            restarts=restarts,
            seed=seed,
            progress=step,
        )
    for path, truth in ((output, found.truth), (graded, found.graded)):
        if path is not None:
            write_truth(in_order(truth, concepts), path)
            inform(f"wrote {path}")
    if confidence is not None:
        deliver(confidence_csv(found), confidence)
    if reliability is not None:
        deliver(reliability_csv(found), reliability)
    if map is not None:
        write_map(votes.agreement_map(), map)
        inform(f"wrote {map}")
    if as_json:
        data(json.dumps(consensus_content(found), indent=2, ensure_ascii=False) + "\n")
    else:
        screen().print(consensus_table(found))
